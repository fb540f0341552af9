package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// suppressReport is the JSON document of hitoku suppress. Its keys and their
// order are a contract.
type suppressReport struct {
	Table      string           `json:"table"`
	Status     solver.Status    `json:"status"`
	Cost       exact            `json:"cost"`
	Bound      exact            `json:"bound"`
	Gap        *float64         `json:"gap"`
	Cells      int              `json:"cells"`
	Relations  int              `json:"relations"`
	Sensitive  int              `json:"sensitive"`
	Suppressed int              `json:"suppressed"`
	Secondary  int              `json:"secondary"`
	Pattern    []string         `json:"pattern"`
	Codes      [][]string       `json:"codes,omitempty"` // of the pattern, where codes hold a /
	Audit      interval.Verdict `json:"audit"`
	Rounds     int              `json:"rounds"`
	Nodes      int              `json:"nodes"`
	Cuts       map[string]int   `json:"cuts"`
	Seconds    float64          `json:"seconds"`
	LP         string           `json:"lp"`
	Engine     string           `json:"engine"`
	Version    string           `json:"version"`
	Defence    *defenceReport   `json:"defence,omitempty"`
	Insiders   *guardReport     `json:"insiders,omitempty"`
	Singletons *singletonReport `json:"singletons,omitempty"`
	Responses  []maskedResponse `json:"responses,omitempty"`
	Margins    *marginReport    `json:"margins,omitempty"`
	// Of the cells that the input withholds, those that can be computed.
	Superfluous      []string   `json:"superfluous,omitempty"`
	SuperfluousCodes [][]string `json:"superfluous_codes,omitempty"` // where codes hold a /
}

// guardReport is the part about --insiders.
type guardReport struct {
	Coalition    int `json:"coalition"`
	Searches     int `json:"searches"`
	Combinations int `json:"combinations"`
	Narrow       int `json:"narrow"`
}

// newSuppressReport describes sol, not yet audited. Cost and gap are null
// without a pattern, the bound where nothing was proved.
func newSuppressReport(t *table.Table, sol *solver.Solution) *suppressReport {
	r := &suppressReport{
		Table: t.Name, Status: sol.Status, Cells: t.Len(), Relations: t.Rel.Len(), Sensitive: countSensitive(t),
		Pattern: []string{}, Audit: interval.Unprotected, Rounds: sol.Rounds, Nodes: sol.Nodes, Cuts: sol.Cuts,
		Seconds: sol.Seconds, LP: sol.LP, Engine: sol.Engine, Version: version(),
	}
	if r.Cuts == nil {
		r.Cuts = map[string]int{}
	}
	if sol.Status != solver.Unprotectable {
		r.Bound = decimal(sol.Bound, t.CostDecimals)
	}
	if sol.Pattern == nil {
		return r
	}
	gap := sol.Gap()
	r.Cost, r.Gap = decimal(sol.Cost, t.CostDecimals), &gap
	codes := codesOf(t)
	for i, withheld := range sol.Pattern {
		if !withheld {
			continue
		}
		r.Suppressed++
		r.Pattern = append(r.Pattern, t.CellName(i))
		if c := codes(i); c != nil {
			r.Codes = append(r.Codes, c)
		}
		if t.Status[i] != table.Sensitive && t.Status[i] != table.Withheld {
			r.Secondary++
		}
	}
	return r
}

// remark notes the superfluous cells of t, which with several responses is the table of the first.
func (r *suppressReport) remark(t *table.Table, idle []int) {
	codes := codesOf(t)
	for _, i := range idle {
		r.Superfluous = append(r.Superfluous, t.CellName(i))
		if c := codes(i); c != nil {
			r.SuperfluousCodes = append(r.SuperfluousCodes, c)
		}
	}
}

// defended says that the pattern is a defence's, which proves nothing about costs.
func (r *suppressReport) defended(d *defenceReport) {
	r.Defence, r.Bound, r.Gap = d, "", nil
}

// guarded tells what was done against insiders, if anything.
func (r *suppressReport) guarded(g *attack.Guarded, coalition int) {
	if g == nil || g.Report == nil {
		return
	}
	r.Insiders = &guardReport{Coalition: coalition, Searches: g.Rounds, Combinations: g.Sums, Narrow: len(g.Report.Findings)}
}

func countSensitive(t *table.Table) int {
	n := 0
	for _, st := range t.Status {
		if st == table.Sensitive {
			n++
		}
	}
	return n
}

// print writes the report for a person: the protected table, or in a large one
// the withheld cells, and a line that sums up. Nothing in it depends on time.
func (r *suppressReport) print(w io.Writer, t *table.Table, pattern []bool) error {
	if pattern != nil {
		printTable(w, t, pattern)
	}
	return r.printLine(w, pattern)
}

// printTable writes the protected table, or in a large one the withheld cells.
func printTable(w io.Writer, t *table.Table, pattern []bool) {
	withheld := 0
	for _, x := range pattern {
		if x {
			withheld++
		}
	}
	fmt.Fprintf(w, "%s\n\n", t.Name)
	if fitsGrid(t) {
		printGrid(w, t, func(i int) string { return protectedText(t, pattern, i) })
	} else {
		printWithheld(w, t, pattern, withheld)
	}
	if withheld > 0 {
		fmt.Fprint(w, "X sensitive, x withheld to protect it\n\n")
	}
}

// printLine writes the line that sums up.
func (r *suppressReport) printLine(w io.Writer, pattern []bool) error {
	line := fmt.Sprintf("%s: %s", r.Table, r.Status)
	if r.Cost != "" {
		line += ", cost " + string(r.Cost)
	}
	if m := r.Margins; m != nil {
		line += fmt.Sprintf(" with margins weighted by %s, %s without", m.Factor, m.Cost)
	}
	if r.Bound != "" && r.Bound != r.Cost {
		line += ", bound " + string(r.Bound)
	}
	if r.Gap != nil && *r.Gap > 0 {
		line += ", gap " + strconv.FormatFloat(100**r.Gap, 'f', 1, 64) + "%"
	}
	if pattern != nil {
		line += fmt.Sprintf(", %d of %d cells withheld (%d sensitive, %d secondary), audit: %s",
			r.Suppressed, r.Cells, r.Sensitive, r.Secondary, r.Audit)
	}
	if d := r.Defence; d != nil && pattern != nil {
		line += fmt.Sprintf("\n%s: defence %s, %d cells protected, %d released: %s", r.Table, d.Kind, d.Protected, d.Released, d.Guarantee)
	}
	if g := r.Insiders; g != nil && pattern != nil {
		line += fmt.Sprintf("\n%s: no coalition of up to %d only contributors computes another sensitive cell from the relations (%d combinations protected)", r.Table, g.Coalition, g.Combinations)
		if g.Narrow > 0 {
			line += fmt.Sprintf("; by what bounds tell, audit --insider finds %d cells laid open", g.Narrow)
		}
	}
	if g := r.Singletons; g != nil && pattern != nil {
		line += fmt.Sprintf("\n%s: singleton rule %s, %d sums of cells protected", r.Table, g.Rule, g.Sums)
	}
	line += superfluousLine(r.Table, len(r.Superfluous))
	_, err := fmt.Fprintln(w, line)
	return err
}

// protectedText is what a reader of the protected table sees of cell i.
func protectedText(t *table.Table, pattern []bool, i int) string {
	switch {
	case !pattern[i]:
		return string(value(t, i))
	case t.Status[i] == table.Sensitive:
		return "X"
	}
	return "x"
}

// printWithheld lists the withheld cells of a table too large to show.
func printWithheld(w io.Writer, t *table.Table, pattern []bool, total int) {
	if total == 0 {
		return
	}
	list := newColumns(1, "cell", "value", "why")
	for i, n := 0, 0; i < t.Len() && n < maxListRows; i++ {
		if pattern[i] {
			list.add(t.CellName(i), string(value(t, i)), protectedText(t, pattern, i))
			n++
		}
	}
	list.print(w)
	if total > maxListRows {
		fmt.Fprintf(w, "... and %d more withheld cells (--json lists all, -o writes the table)\n", total-maxListRows)
	}
	fmt.Fprintln(w)
}
