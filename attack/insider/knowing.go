package insider

import (
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// A Width is how much of a withheld cell remains open to somebody who knows other cells.
type Width struct {
	Cell int
	// Most is the largest width hi − lo of the remaining interval over all values of the known cells, in units of
	// 10^−Decimals; nil: infinite. If Most is too narrow, so is the interval whatever the known values are.
	Most *big.Rat
	// Inexact says that exact arithmetic gave up: Most is then an upper bound, or nil if there is none.
	Inexact bool
}

// WidthsKnowing returns, for each of the given withheld cells, the width of the widest interval that may remain to
// somebody who knows the withheld cells in known besides the publication. As in a published table, the values of known
// need not be given: the width is the largest over all tables consistent with the publication,
//
//	max y_k − y'_k   s.t.  M y = M y' = b,  y and y' within the bounds,  y_i = y'_i = a_i of published cells,  y_q = y'_q for all q known .
//
// It is 0 if and only if the cell can be computed from published and known cells, whatever the known values are.
// Published values that are rounded may vary within their rounding. WidthsKnowing does not modify t. Cost: for each of
// cells, two linear programs with twice as many variables as there are withheld cells.
func WidthsKnowing(ctx context.Context, t *table.Table, withheld []bool, known, cells []int, opt *interval.Options) ([]Width, error) {
	by := int64(1)
	if t.Rounded() {
		var err error
		if t, withheld, by, err = t.Opened(withheld, false); err != nil {
			return nil, err
		}
	}
	double, first := twice(t, withheld, known, cells)
	own := interval.Options{}
	if opt != nil {
		own = *opt
	}
	own.Integer, own.Witness, own.Told, own.Cells = false, false, true, make([]int, len(cells))
	for k := range cells {
		own.Cells[k] = first + k
	}
	all := slices.Repeat([]bool{true}, double.Len())
	rep, err := interval.Audit(ctx, double, all, &own)
	if err != nil {
		return nil, err
	}
	return sets.List(len(cells), func(k int) Width { return Width{cells[k], over(rep.Cells[k].Hi, by), rep.Cells[k].Inexact} }), nil
}

// over returns v/by, nil for nil.
func over(v *big.Rat, by int64) *big.Rat {
	if v == nil || by == 1 {
		return v
	}
	return new(big.Rat).Quo(v, new(big.Rat).SetInt64(by))
}

// long returns which published cells must stay variables, so that all right-hand sides fit 64 bits once the values of
// the other published cells are subtracted.
func long(t *table.Table, withheld []bool) []bool {
	some := make([]bool, t.Len())
	rest, p := new(big.Int), new(big.Int)
	for more := true; more; {
		more = false
		for j := range t.Rel.Len() {
			cell, coef := t.Rel.Row(j)
			rest.SetInt64(t.Rel.RHS[j])
			for e, i := range cell {
				if !withheld[i] && !some[i] {
					rest.Sub(rest, p.Mul(big.NewInt(int64(coef[e])), p.SetInt64(t.Value[i])))
				}
			}
			if rest.IsInt64() {
				continue
			}
			more = true
			for _, i := range cell {
				some[i] = some[i] || !withheld[i]
			}
		}
	}
	return some
}

// twice makes the table of y, y' and the differences y_k − y'_k, which start at cell first. Published cells marked by
// long are in it with their values as bounds.
func twice(t *table.Table, withheld []bool, known, cells []int) (d *table.Table, first int) {
	at, stays := make([]int32, t.Len()), long(t, withheld)
	var of []int
	for i, w := range withheld {
		if at[i] = -1; w || stays[i] {
			at[i] = int32(len(of))
			of = append(of, i)
		}
	}
	n := len(of)
	all := 2*n + len(cells)
	d = &table.Table{Name: t.Name, Decimals: t.Decimals, Value: make([]int64, all), Missing: make([]bool, all), Cost: make([]int64, all), Status: make([]table.Status, all),
		LPL: make([]int64, all), UPL: make([]int64, all), Width: make([]int64, all), Lower: make([]int64, all), Upper: make([]int64, all), Rel: table.NewRelations(all)}
	for c := range all {
		d.Missing[c], d.Status[c], d.Lower[c], d.Upper[c] = true, table.Withheld, table.NegInf, table.PosInf
		if c < 2*n {
			i := of[c%n]
			if d.Lower[c], d.Upper[c] = t.Lower[i], t.Upper[i]; stays[i] {
				d.Lower[c], d.Upper[c] = t.Value[i], t.Value[i]
			}
		}
	}
	var row, other, coefs []int32
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		row, other, coefs = row[:0], other[:0], coefs[:0]
		rest := t.Rel.RHS[j]
		for e, i := range cell {
			if at[i] < 0 {
				rest -= int64(coef[e]) * t.Value[i] // only the sum has to fit 64 bits
				continue
			}
			row, other, coefs = append(row, at[i]), append(other, at[i]+int32(n)), append(coefs, coef[e])
		}
		if len(row) == 0 {
			continue
		}
		d.Rel.Add(row, coefs, rest)
		d.Rel.Add(other, coefs, rest)
	}
	for _, q := range known {
		d.Rel.Add([]int32{at[q], at[q] + int32(n)}, []int32{1, -1}, 0)
	}
	for k, i := range cells {
		d.Rel.Add([]int32{at[i], at[i] + int32(n), int32(2*n + k)}, []int32{1, -1, -1}, 0)
	}
	return d, 2 * n
}

// widthPairs is the largest number of pairs of a contributor and a withheld cell for which widths are computed.
const widthPairs = 10_000

// narrow adds, for a table without values, the exposures that hold whatever the values are: cells whose required Width
// the public's interval meets and a single contributor's does not.
func (s *insiders) narrow(ctx context.Context, withheld []bool) error {
	t, rep := s.t, s.rep
	var wide []int // sensitive cells with a required width; if values are rounded, all
	n := 0
	for i, w := range withheld {
		if w {
			n++
		}
		if w && t.Status[i] == table.Sensitive && (t.Width[i] > 0 || s.unit[i] > 0) {
			wide = append(wide, i)
		}
	}
	if len(wide) == 0 || len(rep.Contributors) == 0 {
		return nil
	}
	if len(rep.Contributors)*n > widthPairs {
		rep.TooMany = true
		return nil
	}
	opt := &interval.Options{LP: s.opt.LP, Workers: s.opt.Workers, Cells: wide}
	public, err := interval.Audit(ctx, t, withheld, opt)
	if err != nil {
		return err
	}
	found := map[[2]int]bool{} // contributor and cell
	for _, x := range rep.Findings {
		if len(x.Members) == 1 {
			found[[2]int{x.Members[0], x.Cell}] = true
		}
	}
	for m, own := range rep.Contributors {
		var ask []int
		for k := range public.Cells {
			c := &public.Cells[k]
			open := c.Lo == nil || c.Hi == nil || s.wideEnough(c.Index, new(big.Rat).Sub(c.Hi, c.Lo))
			if open && !c.Inexact && !slices.Contains(own, c.Index) && !found[[2]int{m, c.Index}] {
				ask = append(ask, c.Index)
			}
		}
		if len(ask) == 0 {
			continue
		}
		widths, err := WidthsKnowing(ctx, t, withheld, own, ask, opt)
		if err != nil {
			return err
		}
		for _, w := range widths {
			switch {
			case w.Most == nil && w.Inexact:
				rep.Unsettled++
			case w.Most != nil && !s.wideEnough(w.Cell, w.Most):
				disclosed := s.tells(w.Cell, w.Most)
				if disclosed { // exact disclosure by the relations is among the other findings
					rep.Findings = slices.DeleteFunc(rep.Findings, func(x Exposure) bool { return x.Cell == w.Cell && slices.Contains(x.Members, m) })
				}
				rep.Findings = append(rep.Findings, Exposure{Coalition: slices.Clone(own), Members: []int{m}, Cell: w.Cell, Most: w.Most, Disclosed: disclosed, Inexact: w.Inexact})
			case w.Inexact:
				rep.Unsettled++
			}
		}
	}
	slices.SortFunc(rep.Findings, inOrder)
	rep.Widths = true
	return nil
}

// wideEnough reports whether a width is what cell k asks for.
func (s *insiders) wideEnough(k int, width *big.Rat) bool {
	c := width.Cmp(new(big.Rat).SetInt64(s.t.Width[k]))
	if s.unit[k] > 0 && s.tells(k, width) {
		return false
	}
	return c > 0 || c == 0 && !s.t.Strict
}

// tells reports whether an interval of this width tells as much about cell k as its published value would.
func (s *insiders) tells(k int, width *big.Rat) bool {
	return width.Cmp(new(big.Rat).SetInt64(s.unit[k])) <= 0
}
