package table

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
)

// InPlay returns the part of t that a search needs: the cells that are not Published, in their order, and the relations
// restricted to them, with published values moved to the right-hand sides; cells[i] is the cell of t behind cell i.
// Published cells cannot move, so a pattern protects t if and only if its restriction protects the part, at the same
// cost. Relations are ordered by dimension, then by their first cell. part is nil if a right-hand side would overflow
// an int64. Cost linear in t, plus sorting the relations kept.
func (t *Table) InPlay() (part *Table, cells []int32) {
	at := make([]int32, t.Len())
	for i, st := range t.Status {
		if at[i] = -1; st != Published {
			at[i] = int32(len(cells))
			cells = append(cells, int32(i))
		}
	}
	k := len(t.Dims)
	part = &Table{Name: t.Name, Decimals: t.Decimals, CostDecimals: t.CostDecimals, Dims: t.Dims, Counts: t.Counts, Strict: t.Strict,
		Value: pick(t.Value, cells), Missing: pick(t.Missing, cells), Freq: pick(t.Freq, cells), Cost: pick(t.Cost, cells), Status: pick(t.Status, cells), Reason: pick(t.Reason, cells),
		LPL: pick(t.LPL, cells), UPL: pick(t.UPL, cells), Width: pick(t.Width, cells), Lower: pick(t.Lower, cells), Upper: pick(t.Upper, cells), Rounding: pick(t.Rounding, cells)}
	if given := pick(t.Given, cells); slices.ContainsFunc(given, func(s uint8) bool { return s != 0 }) {
		part.Given = given
	}
	for _, m := range t.Max {
		part.Max = append(part.Max, pick(m, cells))
	}
	part.Contributors = t.Contributors.pick(cells)
	part.Coord = make([]int32, 0, k*len(cells))
	for _, i := range cells {
		part.Coord = append(part.Coord, t.Coord[int(i)*k:int(i)*k+k]...)
	}
	rel := &relationsInPlay{n: len(cells)}
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		rhs, ok := t.Rel.RHS[j], true
		rel.begin()
		for s, i := range cell {
			if at[i] >= 0 {
				rel.term(at[i], coef[s])
				continue
			}
			if v := num.Abs(t.Value[i]); v > maxMagnitude/max(1, num.Abs(int64(coef[s]))) {
				return nil, nil
			}
			if rhs, ok = addExact(rhs, -int64(coef[s])*t.Value[i]); !ok || num.Abs(rhs) > maxMagnitude {
				return nil, nil
			}
		}
		dim, margin := int8(-1), int32(-1)
		if t.Rel.Dim != nil {
			dim = t.Rel.Dim[j]
		}
		if t.Rel.Margin != nil && t.Rel.Margin[j] >= 0 {
			margin = at[t.Rel.Margin[j]]
		}
		rel.end(dim, margin, rhs)
	}
	part.Rel = rel.relations()
	return part, cells
}

// pick returns the values of the given cells; nil for an optional column that is absent.
func pick[T any](column []T, cells []int32) []T {
	if column == nil {
		return nil
	}
	return sets.Pick(column, cells)
}

// relationsInPlay collects the relations among the cells in play, in any order.
type relationsInPlay struct {
	n    int
	cell []int32
	coef []int8 // ±1 in tables with dimensions, other values below
	wide map[int]int32
	row  []rowInPlay
	from int
}

// A rowInPlay is one of these relations.
type rowInPlay struct {
	from, to int
	first    int32 // its smallest cell
	margin   int32
	dim      int8
	rhs      int64
}

func (r *relationsInPlay) begin() { r.from = len(r.cell) }

func (r *relationsInPlay) term(i, coef int32) {
	if c := int8(coef); int32(c) != coef {
		if r.wide == nil {
			r.wide = map[int]int32{}
		}
		r.wide[len(r.cell)] = coef
	}
	r.cell, r.coef = append(r.cell, i), append(r.coef, int8(coef))
}

// end keeps the relation under construction if it has a cell.
func (r *relationsInPlay) end(dim int8, margin int32, rhs int64) {
	if r.from < len(r.cell) {
		r.row = append(r.row, rowInPlay{r.from, len(r.cell), slices.Min(r.cell[r.from:]), margin, dim, rhs})
	}
}

// relations returns them in order. In each dimension a cell is a part of at most one relation and the margin of at most
// one; the latter goes first.
func (r *relationsInPlay) relations() *Relations {
	slices.SortStableFunc(r.row, func(a, b rowInPlay) int {
		if c := cmp.Or(cmp.Compare(a.dim, b.dim), cmp.Compare(a.first, b.first)); c != 0 {
			return c
		}
		switch {
		case a.margin == a.first && b.margin != b.first:
			return -1
		case b.margin == b.first && a.margin != a.first:
			return 1
		}
		return 0
	})
	m := len(r.row)
	out := &Relations{N: r.n, Ptr: make([]int32, 1, m+1), Cell: make([]int32, 0, len(r.cell)), Coef: make([]int32, 0, len(r.cell)),
		RHS: make([]int64, 0, m), Dim: make([]int8, 0, m), Margin: make([]int32, 0, m)}
	for _, row := range r.row {
		out.Cell = append(out.Cell, r.cell[row.from:row.to]...)
		for s := row.from; s < row.to; s++ {
			c, wide := r.wide[s]
			if !wide {
				c = int32(r.coef[s])
			}
			out.Coef = append(out.Coef, c)
		}
		out.Ptr = append(out.Ptr, int32(len(out.Cell)))
		out.RHS, out.Dim, out.Margin = append(out.RHS, row.rhs), append(out.Dim, row.dim), append(out.Margin, row.margin)
	}
	return out
}
