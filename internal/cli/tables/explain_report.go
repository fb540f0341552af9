package tables

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/explain"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// newExplanation describes an explanation.
func newExplanation(e *explain.Explanation, took time.Duration) *document.Explanation {
	t, k := e.Base.Table, e.Cell
	r := &document.Explanation{Table: t.Name, Cell: t.CellName(k), Codes: CodesOf(t, k), Value: render.Value(t, k), Pattern: explainedRun(e.Base),
		Untried: e.Untried, NoPattern: e.NoPattern, Seconds: took.Seconds(), Version: cli.Version()}
	withheld := e.Base.Solution != nil && e.Base.Solution.Pattern != nil && e.Base.Solution.Pattern[k]
	switch {
	case t.Status[k] == table.Sensitive:
		r.Is, r.Reason = "sensitive", t.ReasonOf(k).String()
	case t.Status[k] == table.Withheld:
		r.Is = "withheld"
	case withheld:
		r.Is = "secondary"
	default:
		r.Is = "published"
	}
	for n := range e.Guards {
		g := &e.Guards[n]
		d := document.GuardedCell{Interval: IntervalOf(t, g.Cell.Index, g.Cell.Lo, g.Cell.Hi), Disclosed: g.Cell.Disclosed}
		for c := range g.Combinations {
			d.Follows = append(d.Follows, guardCombination(e, &g.Combinations[c]))
		}
		r.Guards = append(r.Guards, d)
	}
	for n := range e.Sums {
		s := &e.Sums[n]
		d := unionOf(t, &s.Union)
		d.Lower, d.Upper = endsOf(t, s.Cell.Lo, s.Cell.Hi)
		d.Follows = s.Follows
		r.Sums = append(r.Sums, d)
	}
	for _, i := range e.GuardedBy {
		r.GuardedBy = append(r.GuardedBy, t.CellName(i))
		r.GuardCodes = appendCodes(r.GuardCodes, t, i)
	}
	if e.Publish != nil {
		r.Publish = publishing(e)
	}
	for n := range e.Changes {
		c := &e.Changes[n]
		d := document.Change{Kind: string(c.Kind), Field: c.Field, From: c.From, To: c.To, ExplainedRun: explainedRun(c.Outcome), Freed: c.Freed, Published: c.Published}
		d.Cells, d.ExplainedRun.Withheld = c.Cells, c.Withheld
		r.Changes = append(r.Changes, d)
	}
	return r
}

// guardCombination describes a combination of cells of e.Audited.
func guardCombination(e *explain.Explanation, c *interval.Combination) document.Combination {
	d := CombinationOf(e.Audited, c, nil)
	d.Text = c.Text(e.Audited, e.Name)
	for n, x := range c.Bounds {
		if x.Cell >= e.Base.Table.Len() { // a remainder, which has no codes
			d.Bounds[n].Cell, d.Bounds[n].Codes = e.Name(x.Cell), nil
		}
	}
	return d
}

// publishing describes the run that publishes the cell.
func publishing(e *explain.Explanation) *document.Publishing {
	t := e.Publish.Table
	d := &document.Publishing{ExplainedRun: explainedRun(e.Publish)}
	if e.Publish.Err != nil {
		d.Why = e.Publish.Err.Error()
		return d
	}
	least, most := e.Price()
	d.Least, d.Most = render.Decimal(least, t.CostDecimals), render.Decimal(most, t.CostDecimals)
	for i, w := range e.Publish.Solution.Pattern {
		switch before := e.Base.Solution.Pattern[i]; {
		case w && !before:
			d.WithheldBesides = append(d.WithheldBesides, t.CellName(i))
			d.WithheldBesidesCodes = appendCodes(d.WithheldBesidesCodes, t, i)
		case before && !w:
			d.PublishedBesides = append(d.PublishedBesides, t.CellName(i))
			d.PublishedBesidesCodes = appendCodes(d.PublishedBesidesCodes, t, i)
		}
	}
	return d
}

// explainedRun describes a run briefly.
func explainedRun(o *explain.Outcome) document.ExplainedRun {
	t, sol := o.Table, o.Solution
	d := document.ExplainedRun{Status: string(solver.None), Cells: t.Len(), Sensitive: render.CountSensitive(t)}
	if sol == nil {
		return d
	}
	d.Status = string(sol.Status)
	if sol.Status != solver.Unprotectable {
		d.Bound = render.Decimal(sol.Bound, t.CostDecimals)
	}
	if sol.Pattern != nil {
		d.Cost, d.Withheld = render.Decimal(sol.Cost, t.CostDecimals), o.Withheld()
	}
	return d
}

// printExplanation writes an explanation for people.
func printExplanation(w io.Writer, e *explain.Explanation, r *document.Explanation) error {
	of := map[string]i18n.Text{"sensitive": i18n.T("is sensitive (%s), so it is withheld", i18n.Term(r.Reason)), "secondary": i18n.T("is withheld for others"), "withheld": i18n.T("is withheld, as the input or a decision by hand says"), "published": i18n.T("is published")}
	fmt.Fprintf(w, "%s\n\n", r.Table)
	render.Tell(w, "%s, value %s, %s\n", r.Cell, or(r.Value, "?"), of[r.Is])
	if e.Base.Err != nil {
		return render.Tell(w, "\n%s: %s: no pattern to explain\n", r.Table, i18n.Term(r.Pattern.Status))
	}
	switch {
	case r.Is == "sensitive" && len(r.GuardedBy) > 0:
		render.Tell(w, "\nguarded by, each of them needed: %s\n", listed(r.GuardedBy))
	case r.Is == "sensitive":
		render.Tell(w, "\nno single cell withheld for others is needed to keep its levels\n")
	case len(r.Guards) > 0:
		printGuards(w, e, r)
	case r.Is != "published" && len(r.Sums) == 0:
		render.Tell(w, "\npublished alone it exposes no sensitive cell\n")
	}
	if len(r.Sums) > 0 {
		render.Tell(w, "\nsums of cells that it guards: %d; were it published and all else as it is:\n", len(r.Sums))
		printOpen(w, r.Sums)
	}
	if p := r.Publish; p != nil {
		printPublishing(w, e, p, r)
	}
	printChanges(w, r)
	y := interval.Tally{Verdict: e.Base.Verdict, Withheld: r.Pattern.Withheld, Cells: r.Pattern.Cells, Sensitive: r.Pattern.Sensitive, Told: true}
	return render.Verdict(w, i18n.T("\n%s: %s, cost %s: %s", r.Table, i18n.Term(r.Pattern.Status), r.Pattern.Cost, y.Message()))
}

func printGuards(w io.Writer, e *explain.Explanation, r *document.Explanation) {
	render.Tell(w, "\nit guards %d of %d sensitive cells; were it published and all else as it is:\n\n", len(r.Guards), r.Pattern.Sensitive)
	shown := r.Guards[:min(len(r.Guards), render.MaxListRows)]
	lines, words := make([][]string, len(shown)), make([]i18n.Text, len(shown))
	var cells []document.Interval
	for n, g := range shown {
		lines[n], cells = []string{g.Cell}, append(cells, g.Interval)
		if words[n] = i18n.Word("UNPROTECTED"); g.Disclosed {
			words[n] = i18n.Word("DISCLOSED")
		}
	}
	printIntervals(w, []string{"cell"}, lines, cells, true, words)
	if len(shown) < len(r.Guards) {
		render.Tell(w, "%d of %d shown (--json lists all)\n", len(shown), len(r.Guards))
	}
	fmt.Fprintln(w)
	for n := range shown {
		printNamed(w, e.Audited, e.Guards[n].Combinations, e.Name, e.Name)
	}
}

func printPublishing(w io.Writer, e *explain.Explanation, p *document.Publishing, r *document.Explanation) {
	if p.Why != "" {
		render.Tell(w, "\nit cannot be published: %s\n", e.Publish.Err)
		return
	}
	price := i18n.T("%s, proved", p.Least)
	if p.Least != p.Most {
		price = i18n.T("between %s and %s", p.Least, p.Most)
	}
	render.Tell(w, "\npublishing it costs %s: cost %s (%s) in place of %s, %d cells withheld in place of %d\n", price, p.Cost, i18n.Term(p.Status), r.Pattern.Cost, p.ExplainedRun.Withheld, r.Pattern.Withheld)
	if len(p.WithheldBesides) > 0 {
		render.Tell(w, "  withheld then: %s\n", listed(p.WithheldBesides))
	}
	if len(p.PublishedBesides) > 0 {
		render.Tell(w, "  published then: %s\n", listed(p.PublishedBesides))
	}
}

func printChanges(w io.Writer, r *document.Explanation) {
	if len(r.Changes) > 0 {
		render.Tell(w, "\nwhat would free cells (whether it may be done is for the office to say):\n\n")
		grid := render.NewColumns(1, "change", "freed", "withheld", "cells", "").Say(4, i18n.T("%s", r.Cell)).Words(4)
		for _, c := range r.Changes {
			word := "withheld"
			if c.Published {
				word = "published"
			}
			grid.Add("", strconv.Itoa(c.Freed), strconv.Itoa(c.ExplainedRun.Withheld), strconv.Itoa(c.Cells), word)
			grid.Say(0, changeWords(&c))
		}
		grid.Print(w)
	}
	if r.NoPattern > 0 {
		render.Tell(w, "\n%d changes have no pattern, or the rest of the policy or the table does not fit them\n", r.NoPattern)
	}
	if r.Untried > 0 {
		render.Tell(w, "\n%d changes were not tried, as the time was up\n", r.Untried)
	}
}

// changeWords names a change.
func changeWords(c *document.Change) i18n.Text {
	switch c.Kind {
	case string(explain.Rule):
		return i18n.T("--%s %s in place of %s", c.Field, c.To, c.From)
	case string(explain.Margin):
		return i18n.T("%s without its total %s", c.Field, c.From)
	}
	return i18n.T("%s: %s and %s as one", c.Field, c.From, c.To)
}
