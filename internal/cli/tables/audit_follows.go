package tables

import (
	"context"
	"io"
	"math/big"

	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// maxExplained is how many cells an audit explains, the first of a longer list; maxTerms is the most terms of an
// explanation in words.
const (
	maxExplained = 500
	maxTerms     = 16
)

// explain adds to the document how cells that are disclosed or shown to be unprotected follow from what is published.
// What is open when ctx ends stays open.
func (r *auditReport) explain(ctx context.Context, t *table.Table, rep *interval.Report, workers int) error {
	of, found, err := explained(ctx, rep, workers)
	if err != nil {
		return err
	}
	for n, k := range of {
		for c := range found[n] {
			r.Cells[k].Follows = append(r.Cells[k].Follows, CombinationOf(t, &found[n][c], r.address))
		}
		r.notes[k].follows = found[n]
	}
	return nil
}

// explained returns how the cells of rep that are disclosed or not protected, the first of a longer list, follow from
// what is published.
func explained(ctx context.Context, rep *interval.Report, workers int) (of []int, found [][]interval.Combination, err error) {
	for k := range rep.Cells {
		if c := &rep.Cells[k]; (c.Disclosed || !c.Protected && !c.Unsettled) && len(of) < maxExplained {
			of = append(of, k)
		}
	}
	if found, err = rep.Explain(ctx, of, workers); err != nil && ctx.Err() == nil {
		return nil, nil, err
	}
	return of, found, nil
}

// CombinationOf describes a combination.
func CombinationOf(t *table.Table, c *interval.Combination, address func(i int) string) document.Combination {
	d := document.Combination{Gives: map[interval.Side]string{interval.LowerEnd: "lower", interval.TheValue: "value", interval.UpperEnd: "upper"}[c.Side],
		Result: render.Ratio(c.Result, t.Decimals), Text: c.Text(t, t.CellName), Terms: termsOf(t, c.Terms, address), Bounds: termsOf(t, c.Bounds, address), Relations: []document.RelationTimes{}, Shortest: c.Shortest}
	if d.Terms == nil {
		d.Terms = []document.Term{}
	}
	if c.Constant.Sign() != 0 {
		d.Constant = render.Ratio(c.Constant, t.Decimals)
	}
	if c.Rounding != nil {
		d.Rounding = render.Ratio(c.Rounding, t.Decimals)
	}
	for _, m := range c.Relations {
		d.Relations = append(d.Relations, document.RelationTimes{Relation: t.RelationName(m.Relation).String(), Times: fraction(m.Times)})
	}
	return d
}

func termsOf(t *table.Table, terms []interval.Term, address func(i int) string) []document.Term {
	var all []document.Term
	for _, x := range terms {
		d := document.Term{Cell: t.CellName(x.Cell), Codes: CodesOf(t, x.Cell), Coefficient: fraction(x.Coef), Value: render.Ratio(x.Value, t.Decimals)}
		if address != nil {
			d.Address = address(x.Cell)
		}
		all = append(all, d)
	}
	return all
}

// fraction returns a number without a unit.
func fraction(r *big.Rat) render.Exact { return render.Ratio(r, 0) }

// printFollows writes how the listed cells follow from what is published.
func (r *auditReport) printFollows(w io.Writer, t *table.Table, listed []int) {
	name := t.CellName
	if address := r.address; address != nil {
		name = func(i int) string {
			if a := address(i); a != "" {
				return t.CellName(i) + " (" + a + ")"
			}
			return t.CellName(i)
		}
	}
	first := true
	for _, k := range listed {
		if first && len(r.notes[k].follows) > 0 {
			render.Tell(w, "\nhow this follows from what is published:\n")
			first = false
		}
		printCombinations(w, t, r.notes[k].follows, name)
	}
}

// printCombinations writes combinations, and to which cells their numbers belong.
func printCombinations(w io.Writer, t *table.Table, list []interval.Combination, name func(i int) string) {
	printNamed(w, t, list, name, t.CellName)
}

// printNamed is printCombinations with the names that said gives cells in sentences.
func printNamed(w io.Writer, t *table.Table, list []interval.Combination, name, said func(i int) string) {
	for c := range list {
		x := &list[c]
		if len(x.Terms)+len(x.Bounds) > maxTerms {
			render.Tell(w, "  %s, from %d published numbers and %d bounds (--json lists them)\n", endOf(t, x, said), len(x.Terms), len(x.Bounds))
			continue
		}
		io.WriteString(w, "  "+Followed(i18n.Of(w), x, t, said)+"\n")
		if len(x.Terms) > 0 {
			io.WriteString(w, "    "+x.Cells(name)+"\n")
		}
	}
}

// Followed returns the text of a combination.
func Followed(l *i18n.Language, c *interval.Combination, t *table.Table, name func(i int) string) string {
	if l == i18n.English { // English can put several cells into one clause
		return c.Text(t, name)
	}
	reasons := c.Reasons(t, name)
	if len(reasons.Items) == 0 {
		return c.Arithmetic(t, name)
	}
	return l.Say(i18n.T("%s, as %s", c.Arithmetic(t, name), reasons))
}

// endOf reports which end of an interval a combination gives.
func endOf(t *table.Table, c *interval.Combination, name func(i int) string) string {
	sign := map[interval.Side]string{interval.LowerEnd: "≥", interval.TheValue: "=", interval.UpperEnd: "≤"}[c.Side]
	return name(c.Cell) + " " + sign + " " + table.FormatRat(c.Result, t.Decimals)
}
