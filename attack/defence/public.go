package defence

import (
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// public is all that the engine is given to decide with. Of the cells it may
// withhold it holds no value, so what it decides cannot depend on them but through
// those it has released.
type public struct {
	Rel          *table.Relations // M y = b, right-hand sides included
	Lower, Upper []int64          // bounds that the intruder knows beforehand: Lower ≤ y ≤ Upper
	Open         []bool           // not published from the start
	Given        []int64          // the values of cells that are, 0 elsewhere
	Keep         []bool           // open and never to be released
	Width        []int64          // width the interval of a cell needs, −1: needs none
	Strict       bool             // widths must be exceeded
	Weight       []int64          // release cells of larger weight first; nil: by what is left of the totals, see order
	LP           string           // back end for linear programs
}

// check reports what makes p useless.
func (p *public) check() error {
	n := p.Rel.N
	for _, l := range []int{len(p.Lower), len(p.Upper), len(p.Open), len(p.Given), len(p.Keep), len(p.Width)} {
		if l != n {
			return i18n.Errorf("defence: a column of length %d for %d cells", l, n)
		}
	}
	if p.Weight != nil && len(p.Weight) != n {
		return i18n.Errorf("defence: %d weights for %d cells", len(p.Weight), n)
	}
	return nil
}

// restrict returns the relations among the open cells, renumbered: cell c of the
// result is cells[c]. What published cells contribute goes to the right-hand sides.
func (p *public) restrict(open []bool, given []int64) (rel *table.Relations, cells []int32, err error) {
	at := make([]int32, p.Rel.N)
	for i, in := range open {
		if in {
			at[i] = int32(len(cells))
			cells = append(cells, int32(i))
		}
	}
	rel = table.NewRelations(len(cells))
	for j := range p.Rel.Len() {
		v, _ := p.Rel.Residual(j, given) // Σ published − b
		if !v.IsInt64() {
			return nil, nil, table.ErrOutOfRange
		}
		var idx, coef []int32
		cell, c := p.Rel.Row(j)
		for t, i := range cell {
			if open[i] {
				idx, coef = append(idx, at[i]), append(coef, c[t])
			}
		}
		if len(idx) > 0 {
			rel.Add(idx, coef, -v.Int64())
		}
	}
	return rel, cells, nil
}
