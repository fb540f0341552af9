package defence

import (
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// public is all that the engine may base decisions on. It holds no value of the cells that may be withheld, so
// decisions can depend on such a value only after the cell has been released.
type public struct {
	Rel          *table.Relations // M y = b, right-hand sides included
	Lower, Upper []int64          // bounds that the intruder knows beforehand
	Open         []bool           // not published from the start
	Given        []int64          // values of cells published from the start, 0 elsewhere
	Keep         []bool           // open and never to be released
	Width        []int64          // required width of a cell's interval, −1: none
	Strict       bool             // widths must be exceeded
	Weight       []int64          // cells of larger weight are released first; nil: see order
	LP           string           // back end for linear programs
}

// check reports why p cannot be used.
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

// restrict returns the relations among the open cells, renumbered: cell c of the result is cells[c]. Published cells
// move to the right-hand sides.
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
