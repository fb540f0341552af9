package tables

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// auditReport is the document of hitoku audit, with its presentation.
type auditReport struct {
	document.Audit
	audit   *interval.Report
	address func(i int) string // the address of a cell in the file; nil if not known
	cells   int                // number of cells in the table
	notes   []auditNote        // one note for each cell of Audit
}

// auditNote is what is said about a cell besides the document.
type auditNote struct {
	index   int
	idle    bool // the cell is superfluous
	open    bool // its interval is not settled
	follows []interval.Combination
}

// NewAuditReport describes what an audit found, and how long it took.
func NewAuditReport(t *table.Table, rep *interval.Report, took time.Duration) *auditReport {
	r := &auditReport{audit: rep, cells: t.Len(), Audit: document.Audit{Table: t.Name, Verdict: verdictOf(rep), Engine: rep.Engine, Seconds: took.Seconds(), Cells: []document.AuditCell{}}}
	if t.Rounded() {
		r.Rounding = render.Decimal(slices.Max(t.Rounding), t.Decimals)
	}
	for k := range rep.Cells {
		c := &rep.Cells[k]
		d := document.AuditCell{Interval: IntervalOf(t, c.Index, c.Lo, c.Hi), Status: document.SecondaryCell, Protected: c.Protected, Disclosed: c.Disclosed, Unsettled: c.Unsettled}
		if c.Inexact {
			lo, hi := c.Inner()
			d.Inner = &document.Span{render.Ratio(lo, t.Decimals), render.Ratio(hi, t.Decimals)}
		}
		if t.Status[c.Index] == table.Sensitive {
			d.Status = document.SensitiveCell
		}
		r.Cells = append(r.Cells, d)
		r.notes = append(r.notes, auditNote{index: c.Index, idle: c.Superfluous, open: c.Unsettled})
	}
	withheld, cells := make([]bool, t.Len()), []int{}
	for k := range rep.Cells {
		withheld[rep.Cells[k].Index] = true
		cells = append(cells, rep.Cells[k].Index)
	}
	r.Intruder = newIntruder(t, cells, rep.Intruder)
	r.Unrelated = unrelated(t, withheld)
	return r
}

// verdictOf returns the verdict of an audit; none if it has no cells.
func verdictOf(rep *interval.Report) document.Verdict {
	if len(rep.Cells) == 0 {
		return document.Nothing
	}
	return document.Verdict(rep.Verdict())
}

// tally returns the line that counts the cells of t.
func (r *auditReport) tally(t *table.Table, told bool) i18n.Text {
	if len(r.Cells) == 0 {
		return i18n.T("%s: nothing is withheld of %d cells", r.Table, r.cells)
	}
	return i18n.T("%s: %s", r.Table, r.audit.Tally(t, told).Message())
}

// unrelated counts the withheld cells of a pattern that are in no relation of the table.
func unrelated(t *table.Table, withheld []bool) int {
	in := sets.Mask(t.Len(), t.Rel.Cell)
	n := 0
	for i, related := range in {
		if withheld[i] && !related {
			n++
		}
	}
	return n
}

// IntervalOf describes cell i, whose possible values reach from lo to hi.
func IntervalOf(t *table.Table, i int, lo, hi *big.Rat) document.Interval {
	level := func(l []int64) render.Exact { return render.Decimal(l[i], t.Decimals) }
	return document.Interval{
		Cell: t.CellName(i), Codes: CodesOf(t, i), Value: render.Value(t, i), Lower: render.Ratio(lo, t.Decimals), Upper: render.Ratio(hi, t.Decimals),
		LPL: level(t.LPL), UPL: level(t.UPL), SPL: level(t.Width),
	}
}

// word reports what matters most about cell k, and for an interval that is not settled what the tables found show about
// it.
func (r *auditReport) word(t *table.Table, k int) i18n.Text {
	word := i18n.Word(r.verdict(t, k))
	if in := r.Cells[k].Inner; in != nil {
		word = word.Plus(" (found %s to %s)", or(in[0], "-inf"), or(in[1], "inf"))
	}
	return word
}

func (r *auditReport) verdict(t *table.Table, k int) string {
	switch c := &r.Cells[k]; {
	case r.notes[k].idle:
		return "superfluous"
	case c.Disclosed:
		return "DISCLOSED"
	case r.notes[k].open:
		return "not settled"
	case !c.Protected:
		return "UNPROTECTED"
	case t.Status[r.notes[k].index] == table.Sensitive:
		return "protected"
	}
	return "secondary"
}

// print writes the withheld cells and a line that sums up. Of a long list it shows the cells that are disclosed,
// unprotected or not settled. told says that statuses show the sensitive cells.
func (r *auditReport) print(w io.Writer, t *table.Table, told bool) error {
	fmt.Fprintf(w, "%s\n\n", r.Table)
	r.list(w, t)
	if r.Rounding != "" {
		render.Tell(w, "published values are rounded to %s, so the true ones are up to half of that away\n", r.Rounding)
	}
	line := r.tally(t, told).Plus("%s%s%s", superfluousLine(r.Table, r.audit.Superfluous()), unrelatedLine(r.Table, r.Unrelated), intruderLine(r.Table, r.Intruder))
	err := render.Verdict(w, line)
	if err != nil {
		return err
	}
	return r.printBeyond(w)
}

// printBeyond writes what was audited besides intervals.
func (r *auditReport) printBeyond(w io.Writer) (err error) {
	if r.Knowing != nil {
		err = printKnowing(w, r.Knowing, r.Table)
	}
	if err == nil && r.Unions != nil {
		err = printUnions(w, r.Unions, r.Table)
	}
	if err == nil && r.Insiders != nil {
		err = printInsiders(w, r.Insiders, r.Table)
	}
	return err
}

// superfluousLine returns the remark on n superfluous cells, empty if there are none.
func superfluousLine(name string, n int) i18n.Text {
	if n == 0 {
		return i18n.Text{}
	}
	return i18n.T("\n%s: superfluous cells, which are withheld for others but can be computed by anyone, and so protect nothing: %d", name, n)
}

// unrelatedLine returns the warning that a verdict says little about n withheld cells, empty if there are none.
func unrelatedLine(name string, n int) i18n.Text {
	if n == 0 {
		return i18n.Text{}
	}
	return i18n.T("\n%s: WARNING: no sum that is known bears on %d of the withheld cells, so nothing but their bounds is known of them; if the published table has sums, this verdict does not hold for it", name, n)
}

// list prints the withheld cells without columns that would be empty.
func (r *auditReport) list(w io.Writer, t *table.Table) {
	r.printFollows(w, t, r.rows(w, t))
	if len(r.Cells) > 0 {
		fmt.Fprintln(w)
	}
}

// rows prints the rows of a list and returns which cells these are.
func (r *auditReport) rows(w io.Writer, t *table.Table) (listed []int) {
	long := len(r.Cells) > render.MaxListRows
	var shown []document.Interval
	var lines [][]string
	var words []i18n.Text
	for k := range r.Cells {
		c := &r.Cells[k]
		if !long || len(shown) < render.MaxListRows && (c.Disclosed || !c.Protected) {
			shown, lines, words = append(shown, c.Interval), append(lines, []string{c.Cell}), append(words, r.word(t, k))
			listed = append(listed, k)
		}
	}
	if len(shown) > 0 {
		printIntervals(w, []string{"cell"}, lines, shown, true, words)
	}
	if long {
		render.Tell(w, "%d of %d withheld cells shown, only disclosed, unprotected or unsettled ones (--json lists all)\n", len(shown), len(r.Cells))
	}
	return listed
}

// printIntervals writes what is known of cells; each line begins with the given fields and ends with a word. Columns
// that would be empty are left out, and without values all but the protection levels.
func printIntervals(w io.Writer, header []string, lines [][]string, cells []document.Interval, values bool, words []i18n.Text) {
	leading := len(header)
	for _, col := range []struct {
		name, nothing, plain string
		of                   func(c *document.Interval) render.Exact
	}{
		{"value", "?", "", func(c *document.Interval) render.Exact { return c.Value }},
		{"lower", "-inf", "-", func(c *document.Interval) render.Exact { return c.Lower }},
		{"upper", "inf", "-", func(c *document.Interval) render.Exact { return c.Upper }},
		{"lpl", "", "0", func(c *document.Interval) render.Exact { return c.LPL }},
		{"upl", "", "0", func(c *document.Interval) render.Exact { return c.UPL }},
		{"spl", "", "0", func(c *document.Interval) render.Exact { return c.SPL }},
	} {
		if !values && col.plain != "0" || !slices.ContainsFunc(cells, func(c document.Interval) bool { return string(col.of(&c)) != col.plain }) {
			continue
		}
		header = append(header, col.name)
		for n := range cells {
			lines[n] = append(lines[n], or(col.of(&cells[n]), col.nothing))
		}
	}
	grid := render.NewColumns(leading, append(header, "verdict")...)
	if k := slices.Index(header, "reason"); k >= 0 {
		grid.Words(k)
	}
	for n := range cells {
		grid.Add(append(lines[n], "")...)
		grid.Say(len(header), words[n])
	}
	grid.Print(w)
}

// or returns x, or nothing if x is empty.
func or(x render.Exact, nothing string) string {
	if x == "" {
		return nothing
	}
	return string(x)
}
