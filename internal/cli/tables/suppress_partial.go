package tables

import (
	"io"
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// partial adds the intervals that are published in place of marks.
func (r *suppressReport) partial(res *protect.Result) {
	p := res.Partial
	if p == nil {
		return
	}
	t := res.Table
	scale := t.CostDecimals
	gap := p.Gap()
	if r.Cost = inShort(p.Cost, scale, 1); res.Defence == nil { // a defence proves nothing about costs
		r.Bound, r.Gap = inShort(p.Bound, scale, 0), &gap
	}
	weights := "relative"
	if res.Policy.PartialCost != "" {
		weights = res.Policy.PartialCost
	}
	ends := "plain"
	switch {
	case res.Defence != nil:
		ends = "computable"
	case p.Drawn:
		ends = "drawn"
	}
	r.Partial = &document.Partial{Weights: weights, Intervals: p.Intervals, Ends: ends, Told: p.Told, Optimum: inShort(p.Optimum, scale, 1), Rounded: inShort(p.Rounded, scale, 1)}
	width, n := new(big.Int), 0
	for i, in := range p.Pattern {
		if !in {
			continue
		}
		c := &r.Withheld[n]
		n++
		if p.Lower[i] != table.NegInf && p.Upper[i] != table.PosInf {
			width.Add(width, new(big.Int).Sub(big.NewInt(p.Upper[i]), big.NewInt(p.Lower[i])))
		}
		c.Published = &document.Span{bound(p.Lower[i], t.Decimals), bound(p.Upper[i], t.Decimals)}
	}
	r.Partial.Width = render.Ratio(new(big.Rat).SetInt(width), t.Decimals)
}

// bound returns an end in the form of documents, empty if there is none.
func bound(v int64, decimals int) document.Exact {
	if v == table.NegInf || v == table.PosInf {
		return ""
	}
	return render.Ratio(new(big.Rat).SetInt64(v), decimals)
}

// inShort returns a cost with up to four decimals more than costs have, rounded up if up is 1, else down.
func inShort(v *big.Rat, decimals int, up int64) document.Exact {
	const more = 4
	f := new(big.Int).SetInt64(table.Pow10(more))
	q, rest := new(big.Int).QuoRem(new(big.Int).Mul(v.Num(), f), v.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(up))
	}
	return render.Ratio(new(big.Rat).SetFrac(q, f), decimals)
}

// intervalText returns what a reader of intervals sees for cell i.
func intervalText(res *protect.Result, i int) string {
	p, t := res.Partial, res.Table
	if !p.Pattern[i] {
		return string(render.Value(t, i))
	}
	return render.Interval(p.Lower[i], p.Upper[i], t.Decimals)
}

// printPartial writes the table as it is published, or of a large one only the cells with intervals.
func printPartial(w io.Writer, res *protect.Result) {
	if res.Partial == nil {
		return
	}
	t := res.Table
	render.Tell(w, "%s\n\n", t.Name)
	if render.FitsGrid(t) {
		render.Grid(w, t, func(i int) string { return intervalText(res, i) })
		return
	}
	list := render.NewColumns(1, "cell", "value", "interval")
	n := 0
	for i, in := range res.Partial.Pattern {
		if in && n < render.MaxListRows {
			list.Add(t.CellName(i), string(render.Value(t, i)), strings.TrimSpace(intervalText(res, i)))
			n++
		}
	}
	list.Print(w)
	if res.Partial.Intervals > n {
		render.Tell(w, "... and %d more intervals (--json lists all, -o writes the table)\n", res.Partial.Intervals-n)
	}
	io.WriteString(w, "\n")
}
