package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// suppressReport is the document of hitoku suppress and what is said of it.
type suppressReport struct{ document.Suppression }

// newSuppressReport describes sol, not yet audited. Cost and gap are null
// without a pattern, the bound where nothing was proved.
func newSuppressReport(t *table.Table, sol *solver.Solution) *suppressReport {
	r := &suppressReport{document.Suppression{
		Table: t.Name, Status: string(sol.Status), Cells: t.Len(), Relations: t.Rel.Len(), Sensitive: countSensitive(t),
		Pattern: []string{}, Audit: document.Unprotected, Rounds: sol.Rounds, Nodes: sol.Nodes, Cuts: sol.Cuts,
		Seconds: sol.Seconds, LP: sol.LP, Engine: sol.Engine, Version: version(),
	}}
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
	for i, withheld := range sol.Pattern {
		if !withheld {
			continue
		}
		r.withheld(t, i)
		if t.Status[i] != table.Sensitive && t.Status[i] != table.Withheld {
			r.Secondary++
		}
	}
	return r
}

// remark notes the superfluous cells of t, which with several responses is the table of the first.
func (r *suppressReport) remark(t *table.Table, idle []int) {
	for _, i := range idle {
		r.Superfluous = append(r.Superfluous, t.CellName(i))
		if c := codesOf(t, i); c != nil {
			r.SuperfluousCodes = append(r.SuperfluousCodes, c)
		}
	}
}

// withheld adds cell i to the pattern.
func (r *suppressReport) withheld(t *table.Table, i int) {
	r.Suppressed++
	r.Pattern = append(r.Pattern, t.CellName(i))
	if c := codesOf(t, i); c != nil {
		r.Codes = append(r.Codes, c)
	}
}

// defended says that the pattern is a defence's, which proves nothing about costs.
func (r *suppressReport) defended(d *document.Defence) {
	r.Defence, r.Bound, r.Gap = d, "", nil
}

// guarded tells what was done against insiders, if anything.
func (r *suppressReport) guarded(g *attack.Guarded, coalition int) {
	if g == nil || g.Report == nil {
		return
	}
	r.Insiders = &document.Guard{Coalition: coalition, Searches: g.Rounds, Combinations: g.Sums, Narrow: len(g.Report.Findings)}
}

// weighed tells of the margins among the secondary cells, if they were weighted.
func (r *suppressReport) weighed(f *table.Decimal, t *table.Table, pattern []bool) {
	if f == nil || pattern == nil {
		return
	}
	r.Margins = &document.Margins{Factor: exact(f.String()), Cost: ratio(t.UnweighedCost(*f, pattern), t.CostDecimals)}
	leaves := t.Leaves()
	for i, in := range pattern[:t.Len()/max(1, t.Layers)] {
		if in && t.Status[i] == table.Safe && t.IsMargin(i, leaves) {
			r.Margins.Withheld++
		}
	}
}

// masked makes r one about the mask: cells are counted and named once, not once a response.
func (r *suppressReport) masked(st *stack, responses []string, mask []bool) {
	first := st.tables[0]
	r.Cells, r.Relations, r.Sensitive, r.Suppressed, r.Secondary, r.Pattern, r.Codes = first.Len(), first.Rel.Len(), 0, 0, 0, []string{}, nil
	for i, by := range st.by {
		if by != "" {
			r.Sensitive++
		}
		if mask == nil || !mask[i] {
			continue
		}
		r.withheld(first, i)
		if st.Status[i] == table.Safe {
			r.Secondary++
		}
	}
	for k, t := range st.tables {
		r.Responses = append(r.Responses, document.Response{Response: responses[k], Sensitive: countSensitive(t)})
	}
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
