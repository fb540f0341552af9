package tables

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// suppressReport is the document of hitoku suppress, with its presentation.
type suppressReport struct {
	document.Suppression
	cells     []int        // the withheld cells
	guarantee fmt.Stringer // the guarantee of the defence
}

// NewSuppressReport describes what a run found.
func NewSuppressReport(res *protect.Result) *suppressReport {
	r := newSolutionReport(res.Table, res.Solution)
	if d := newDefenceReport(res); d != nil { // a defence proves nothing about costs
		r.Defence, r.Bound, r.Gap, r.guarantee = d, "", nil, res.Defence.Guarantee
	}
	r.partial(res)
	if g := res.Guarded; g != nil && g.Report != nil {
		r.Insiders = &document.Guard{Coalition: res.Policy.Coalition, Searches: g.Rounds, Combinations: g.Sums, Narrow: len(g.Report.Findings)}
	}
	if s := res.Singletons; s != nil {
		r.Singletons = &document.Singletons{Rule: s.Rule, Sums: s.Sums}
	}
	if u := res.Unions; u != nil && res.Solution.Pattern != nil {
		r.Unions = newUnions(res.Table, res.Policy.Unions, u)
	}
	if m := res.Margins; m != nil {
		r.Margins = &document.Margins{Factor: render.Exact(m.Factor.String()), Cost: render.Ratio(m.Cost, res.Table.CostDecimals), Withheld: m.Withheld}
	}
	if res.Verdict != "" {
		r.Audit = document.Verdict(res.Verdict)
	}
	if res.Nothing() {
		r.Audit = document.Nothing
	}
	if e := res.Earlier; e != nil {
		r.Earlier = newEarlier(res.Joint, e)
	}
	t := res.Table
	if res.Responses != nil {
		t = res.Tables[0]
		r.mask(res)
	}
	for _, i := range res.Superfluous {
		r.Superfluous = append(r.Superfluous, t.CellName(i))
		r.SuperfluousCodes = appendCodes(r.SuperfluousCodes, t, i)
	}
	return r
}

// newSolutionReport describes sol, not yet audited. Cost and gap are null without a pattern, and the bound is null if
// none was proved.
func newSolutionReport(t *table.Table, sol *solver.Solution) *suppressReport {
	r := &suppressReport{Suppression: document.Suppression{
		Table: t.Name, Status: string(sol.Status), Cells: t.Len(), Relations: t.Rel.Len(), Sensitive: render.CountSensitive(t),
		Pattern: []string{}, Withheld: []document.PatternCell{}, Audit: document.Unprotected, Rounds: sol.Rounds, Nodes: sol.Nodes, Cuts: sol.Cuts,
		Seconds: sol.Seconds, LP: sol.LP, Engine: sol.Engine, Version: cli.Version(),
	}}
	if r.Cuts == nil {
		r.Cuts = map[string]int{}
	}
	if sol.Status != solver.Unprotectable {
		r.Bound = render.Decimal(sol.Bound, t.CostDecimals)
	}
	if sol.Pattern == nil {
		return r
	}
	gap := sol.Gap()
	r.Cost, r.Gap = render.Decimal(sol.Cost, t.CostDecimals), &gap
	for i, withheld := range sol.Pattern {
		if !withheld {
			continue
		}
		r.withheld(t, i, t.Status[i])
		r.cells = append(r.cells, i)
	}
	r.Unrelated = unrelated(t, sol.Pattern)
	r.Intruder = newIntruder(t, r.cells, table.Intruder{})
	return r
}

// withheld adds cell i of a status to the pattern.
func (r *suppressReport) withheld(t *table.Table, i int, status table.Status) {
	r.Suppressed++
	r.Pattern, r.Codes = append(r.Pattern, t.CellName(i)), appendCodes(r.Codes, t, i)
	of := IntervalOf(t, i, nil, nil)
	c := document.PatternCell{Cell: of.Cell, Codes: of.Codes, Value: of.Value, Cost: render.Decimal(t.Cost[i], t.CostDecimals)}
	if t.Status[i] == table.Sensitive {
		c.Reason, c.LPL, c.UPL, c.SPL = t.ReasonOf(i).String(), of.LPL, of.UPL, of.SPL
	}
	switch status {
	case table.Sensitive:
		c.Status = document.SensitiveCell
	case table.Withheld:
		c.Status = document.WithheldCell
	default:
		c.Status = document.SecondaryCell
		r.Secondary++
	}
	r.Withheld = append(r.Withheld, c)
}

// intervals adds what can be computed about the cells of the pattern.
func (r *suppressReport) intervals(ctx context.Context, res *protect.Result, opt *interval.Options) error {
	t, pattern := res.Table, res.Solution.Pattern
	if e := res.Earlier; e != nil {
		t, pattern = res.Joint.Table, e.Pattern
		for i, in := range res.Solution.Pattern {
			if in {
				opt.Cells = append(opt.Cells, i)
			}
		}
	}
	rep, err := interval.Audit(ctx, t, pattern, opt)
	if err != nil {
		return err
	}
	for k := range rep.Cells { // in the order of the table, like the pattern
		c := &rep.Cells[k]
		r.Withheld[k].Interval = &document.Span{render.Ratio(c.Lo, t.Decimals), render.Ratio(c.Hi, t.Decimals)}
	}
	return nil
}

// mask makes r a report about the mask: cells are counted and named once, not once per response.
func (r *suppressReport) mask(res *protect.Result) {
	first := res.Tables[0]
	r.Cells, r.Relations, r.Sensitive, r.Suppressed, r.Secondary, r.Pattern, r.Codes, r.Withheld = first.Len(), first.Rel.Len(), 0, 0, 0, []string{}, nil, []document.PatternCell{}
	for i, by := range res.By {
		if by != "" {
			r.Sensitive++
		}
		if res.Solution.Pattern == nil || !res.Solution.Pattern[i] {
			continue
		}
		status := res.Table.Status[i]
		if by != "" {
			status = table.Sensitive
		}
		r.withheld(first, i, status)
	}
	if p := res.Solution.Pattern; p != nil {
		r.Unrelated = unrelated(first, p)
	}
	for k, t := range res.Tables {
		r.Responses = append(r.Responses, document.Response{Response: res.Responses[k], Sensitive: render.CountSensitive(t)})
	}
}

// printTable writes the protected table; of a large one, or if part says that t is only a part, it writes the withheld
// cells.
func printTable(w io.Writer, t *table.Table, pattern []bool, part bool) {
	withheld := sets.Times(pattern, true)
	render.Tell(w, "%s\n\n", t.Name)
	if !part && render.FitsGrid(t) {
		render.Grid(w, t, func(i int) string { return protectedText(t, pattern, i) })
	} else {
		printWithheld(w, t, pattern, withheld)
	}
	if withheld > 0 {
		render.Legend(w)
	}
}

// printLine writes the line that sums up. Nothing in it depends on time.
func (r *suppressReport) printLine(w io.Writer, pattern []bool) error {
	line := i18n.T("%s: %s", r.Table, i18n.Term(r.Status))
	if r.Cost != "" {
		line = line.Plus(", cost %s", r.Cost)
	}
	if m := r.Margins; m != nil {
		line = line.Plus(" with margins weighted by %s, %s without", m.Factor, m.Cost)
	}
	if p := r.Partial; p != nil && r.Defence != nil {
		line = i18n.T("%s: %s, %d intervals, width %s, cost %s", r.Table, i18n.Term(r.Status), p.Intervals, p.Width, r.Cost)
	} else if p != nil {
		line = i18n.T("%s: %s, %d intervals, width %s, cost %s, ", r.Table, i18n.Term(r.Status), p.Intervals, p.Width, r.Cost)
		if p.Ends == "drawn" {
			line = line.Plus("%s before their ends were drawn", p.Optimum)
		} else {
			line = line.Plus("%s before their ends were rounded", p.Optimum)
		}
	}
	if r.Bound != "" && (r.Bound != r.Cost || r.Partial != nil) {
		line = line.Plus(", bound %s", r.Bound)
	}
	if r.Gap != nil && *r.Gap >= 0.0005 || r.Gap != nil && *r.Gap > 0 && r.Partial == nil {
		line = line.Plus(", gap %s", strconv.FormatFloat(100**r.Gap, 'f', 1, 64)+"%")
	}
	if pattern != nil {
		line = line.Plus(": %s", interval.Tally{Verdict: interval.Verdict(r.Audit), Withheld: r.Suppressed, Cells: r.Cells, Sensitive: r.Sensitive, Told: true}.Message())
	}
	if p := r.Partial; p != nil && pattern != nil {
		line = line.Plus("%s", endsLine(r.Table, p))
	}
	if d := r.Defence; d != nil && pattern != nil {
		line = line.Plus("\n%s: defence %s, %d cells protected, %d released: %s", r.Table, d.Kind, d.Protected, d.Released, r.guarantee)
	}
	if g := r.Insiders; g != nil && pattern != nil {
		line = line.Plus("\n%s: no coalition of up to %d only contributors computes another sensitive cell from the relations (%d combinations protected)", r.Table, g.Coalition, g.Combinations)
		if g.Narrow > 0 {
			line = line.Plus("; by what bounds tell, audit --insider finds %d cells laid open", g.Narrow)
		}
	}
	if g := r.Singletons; g != nil && pattern != nil {
		line = line.Plus("\n%s: singleton rule %s, %d sums of cells protected", r.Table, g.Rule, g.Sums)
	}
	if u := r.Unions; u != nil {
		line = line.Plus("\n%s: sums of cells that are sensitive: %d, told too closely: %d, searched for as cells of their own: %d", r.Table, len(u.Unions), openUnions(u), u.Rows)
		if !u.Complete {
			line = line.Plus(", and not all were looked at")
		}
	}
	line = line.Plus("%s%s", superfluousLine(r.Table, len(r.Superfluous)), unrelatedLine(r.Table, r.Unrelated))
	if r.Earlier != nil && pattern != nil && len(r.Earlier.Releases) > 0 {
		line = line.Plus("%s", earlierLine(r.Table, r.Earlier))
	}
	return render.Verdict(w, line.Plus("%s", intruderLine(r.Table, r.Intruder)))
}

// endsLine reports what the ends of intervals reveal to those who know how they were chosen.
func endsLine(name string, p *document.Partial) i18n.Text {
	switch {
	case p.Ends == "plain":
		return i18n.T("\n%s: ends plain: who knows how intervals were chosen can mostly tell the values from them", name)
	case p.Told > 0:
		line := i18n.T(", but of %d sensitive cells who knows how ends are drawn may tell more than their levels allow: they have no room within the bounds or --max-width", p.Told)
		return line.Plus("\n%s: --defence simulatable, or a larger --max-width where there is one, tells less", name)
	}
	return i18n.Text{}
}

// protectedText returns what a reader of the protected table sees for cell i.
func protectedText(t *table.Table, pattern []bool, i int) string {
	switch {
	case !pattern[i]:
		return string(render.Value(t, i))
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
	list := render.NewColumns(1, "cell", "value", "why")
	for i, n := 0, 0; i < t.Len() && n < render.MaxListRows; i++ {
		if pattern[i] {
			list.Add(t.CellName(i), string(render.Value(t, i)), protectedText(t, pattern, i))
			n++
		}
	}
	list.Print(w)
	if total > render.MaxListRows {
		render.Tell(w, "... and %d more withheld cells (--json lists all, -o writes the table)\n", total-render.MaxListRows)
	}
	fmt.Fprintln(w)
}

// printSet writes the protected tables, with the responses of a file one after another.
func printSet(w io.Writer, s *flags.FileSet, res *protect.Result) {
	for k := range s.Read[0] {
		for r, inputs := range s.Read {
			switch t := inputs[k].Table; {
			case res.Patterns == nil:
			case len(s.Responses) == 0:
				printTable(w, t, res.Patterns[k], inputs[k].Whole != nil)
			default:
				one := *t
				one.Name += "." + s.Responses[r]
				one.Status = make([]table.Status, one.Len())
				for i, c := range res.Cells[k] {
					one.Status[i] = res.Tables[r].Status[c]
				}
				printTable(w, &one, res.Patterns[k], false)
			}
		}
	}
}
