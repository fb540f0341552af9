package tables

import (
	"fmt"
	"io"
	"math/big"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// attackReport is the document of hitoku attack, with its presentation.
type attackReport struct {
	document.Attack
	index       []int // the numbers of the cells in the table
	unexplained bool  // no candidate matches
	match       attack.Match
	known       int // the number of withheld cells that the intruder knows
	rounded     bool
}

// unexplained is the message if no candidate matches.
const unexplained = "no candidate matches: on no table that agrees with what is published does this procedure withhold these cells. " +
	"The office has another rule (--below, --zeros-sensitive), levels (--width, --lpl, --upl, --strict), cost (--cost), margins (--margins) or bounds (--lower, --upper), " +
	"or its pattern is not a cheapest one, or with --match exact not the canonical one"

// unexplainedRounding is the same for a rounded table.
const unexplainedRounding = "no candidate matches: no table that agrees with what is published is rounded like this by this procedure. " +
	"The office has another rule (--below, --zeros-sensitive), levels (--width, --lpl, --upl, --strict), cost (--cost), kind (--kind) or bounds (--lower, --upper), " +
	"or its rounding is not a best one, or with --match exact not the one that hitoku round returns"

// why returns the message if no candidate matches.
func (r *attackReport) why() i18n.Text {
	if r.rounded {
		return i18n.Term(unexplainedRounding)
	}
	return i18n.Term(unexplained)
}

// NewAttackReport describes what an attack found.
func NewAttackReport(t *table.Table, res *attack.Result, opt *attack.Options) *attackReport {
	r := &attackReport{
		Attack: document.Attack{
			Table: t.Name, Dimension: res.Dim, Candidates: digits(res.Candidates), Matching: digits(res.Matching),
			Counted: res.Counted, Complete: res.Complete, Seconds: res.Seconds, Cells: []document.AttackCell{},
		},
		match: opt.Match, unexplained: res.Complete && res.Matching.Sign() == 0,
	}
	if r.Complete && !r.Counted && res.Matching.Sign() > 0 {
		r.Matching = "" // the number met on the way to the intervals is meaningless
	}
	r.Intruder = newIntruder(t, indices(res.Cells), table.Intruder{Procedure: true, Whole: true})
	ends := func(x attack.Range) document.Span {
		return document.Span{render.Decimal(x.Lo, t.Decimals), render.Decimal(x.Hi, t.Decimals)}
	}
	for k := range res.Cells {
		c := &res.Cells[k]
		if _, known := opt.Knows[c.Index]; known {
			r.known++
			continue
		}
		of := IntervalOf(t, c.Index, c.Lo, c.Hi)
		cell := document.AttackCell{Cell: of.Cell, Codes: of.Codes, Value: of.Value, LPL: of.LPL, UPL: of.UPL, SPL: of.SPL, Feasible: document.Span{of.Lower, of.Upper}}
		if !c.Outer.Empty {
			cell.Effective = new(ends(c.Outer))
		}
		if !res.Complete {
			cell.Found = document.SomeIf(!c.Inner.Empty, ends(c.Inner))
		}
		if c.Verdict != attack.Unknown && !r.unexplained {
			cell.Safe = new(c.Verdict == attack.Safe)
		}
		r.Cells, r.index = append(r.Cells, cell), append(r.index, c.Index)
	}
	return r
}

// indices returns the numbers of cells.
func indices(cells []attack.Cell) (of []int) {
	for k := range cells {
		of = append(of, cells[k].Index)
	}
	return of
}

// digits returns n, empty for nil.
func digits(n *big.Int) render.Exact {
	if n == nil {
		return ""
	}
	return render.Exact(n.String())
}

// code returns the exit code: a cell that is unsafe stays unsafe, whatever a limit left open.
func (r *attackReport) code(opt *attack.Options) cli.Code {
	unsafe, _ := r.tally()
	switch {
	case r.unexplained:
		return cli.Usage
	case unsafe > 0:
		return cli.Verdict
	case !r.Complete || opt.Count == attack.CountAll && !r.Counted:
		return cli.Limit
	}
	return cli.Done
}

// tally counts the unsafe cells and those about which nothing is known.
func (r *attackReport) tally() (unsafe, unknown int) {
	for k := range r.Cells {
		switch c := &r.Cells[k]; {
		case c.Safe == nil:
			unknown++
		case !*c.Safe:
			unsafe++
		}
	}
	return unsafe, unknown
}

// attackWord returns the verdict on one cell.
func attackWord(c *document.AttackCell) string {
	switch {
	case c.Safe == nil:
		return "unknown"
	case *c.Safe:
		return "safe"
	case c.Effective != nil && c.Effective[0] == c.Effective[1]:
		return "DISCLOSED"
	}
	return "UNSAFE"
}

// span formats an interval; an empty end is infinite.
func span(lo, hi render.Exact) string { return "[" + or(lo, "-inf") + ", " + or(hi, "inf") + "]" }

// print writes the withheld cells and a line that sums up. Of a long list it shows the cells that are not safe. Nothing
// in it depends on time, except through a limit.
func (r *attackReport) print(w io.Writer, t *table.Table) error {
	fmt.Fprintf(w, "%s\n\n", r.Table)
	if r.Releases != nil {
		render.Tell(w, "together with %d tables published beside it\n\n", len(r.Releases))
	}
	r.list(w, t)
	unsafe, unknown := r.tally()
	verdict := "safe"
	switch {
	case r.unexplained:
		verdict = "not explained"
	case unsafe > 0:
		verdict = "unsafe"
	case unknown > 0:
		verdict = "unknown"
	}
	what := i18n.T(", %d cells withheld", len(r.Cells)+r.known)
	if r.rounded {
		what = i18n.T(", %d cells rounded", len(r.Cells)+r.known)
	}
	line := i18n.T("%s: %s%s", r.Table, i18n.Word(verdict), what)
	if r.known > 0 {
		line = line.Plus(" (%d known)", r.known)
	}
	if line = line.Plus(", %d unsafe", unsafe); unknown > 0 && !r.unexplained {
		line = line.Plus(", %d unknown", unknown)
	}
	line = line.Plus("; dimension %d, %s candidates", r.Dimension, i18n.Term(or(r.Candidates, "uncounted")))
	if r.Complete {
		line = line.Plus(", %s match (%v)", i18n.Term(or(r.Matching, "some")), i18n.Term(fmt.Sprint(r.match)))
	} else {
		line = line.Plus(", at least %s match (%v); stopped by a limit", i18n.Term(or(r.Matching, "some")), i18n.Term(fmt.Sprint(r.match)))
	}
	err := render.Verdict(w, line.Plus("%s", intruderLine(r.Table, r.Intruder)))
	if r.unexplained {
		err = render.Tell(w, "%s: %s\n", r.Table, r.why())
	}
	return err
}

func (r *attackReport) list(w io.Writer, t *table.Table) {
	long, values := len(r.Cells) > render.MaxListRows, false
	var shown []int
	for k := range r.Cells {
		if c := &r.Cells[k]; !long || len(shown) < render.MaxListRows && (c.Safe == nil || !*c.Safe) {
			shown = append(shown, k)
			values = values || t.Known(r.index[k])
		}
	}
	if len(shown) > 0 {
		header := []string{"cell"}
		if values {
			header = append(header, "value")
		}
		header = append(header, "feasible", "effective")
		if !r.Complete {
			header = append(header, "found")
		}
		grid := render.NewColumns(1, append(header, "verdict")...)
		for k := len(header) - 1; k > 0 && (header[k] == "effective" || header[k] == "found"); k-- { // there may be none of these columns
			grid.Words(k)
		}
		for _, k := range shown {
			c := &r.Cells[k]
			line := []string{c.Cell}
			if values {
				line = append(line, or(render.Value(t, r.index[k]), "?"))
			}
			line = append(line, span(c.Feasible[0], c.Feasible[1]), "none")
			if e := c.Effective; e != nil {
				line[len(line)-1] = span(e[0], e[1])
			}
			if !r.Complete {
				line = append(line, "none")
				if f, ok := c.Found.Get(); ok {
					line[len(line)-1] = span(f[0], f[1])
				}
			}
			word := attackWord(c)
			if r.unexplained {
				word = "-"
			}
			grid.Add(append(line, word)...)
		}
		grid.Print(w)
	}
	if long {
		render.Tell(w, "%d of %d withheld cells shown, none that is safe (--json lists all)\n", len(shown), len(r.Cells))
	}
	if len(r.Cells) > 0 {
		fmt.Fprintln(w)
	}
}

// attackProgress prints the progress of an attack, one line at a time:
//
//	open  decided      matches    time
//	  12    45.1%          123    2.0s
type attackProgress struct {
	w     io.Writer
	lines int
	next  float64 // in seconds: no line earlier
}

func (p *attackProgress) show(s attack.Progress) {
	if s.Seconds < p.next {
		return
	}
	if p.lines == 0 {
		fmt.Fprintf(p.w, "%6s %8s %12s %7s\n", "open", "decided", "matches", "time")
	}
	p.lines++
	p.next = s.Seconds + render.Pause.Seconds()
	decided := "-"
	if s.Decided >= 0 {
		decided = fmt.Sprintf("%.1f%%", 100*s.Decided)
	}
	fmt.Fprintf(p.w, "%6d %8s %12d %6.1fs\n", s.Open, decided, s.Matches, s.Seconds)
}
