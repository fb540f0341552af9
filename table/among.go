package table

import (
	"slices"
)

// Among returns the part of t that the relations rels (ascending) span: sub has the cells that occur in them, with
// their values, costs, statuses, levels and bounds, and these relations alone, in their order; sub's cell c is cells[c]
// of t. sub has no dimensions and one layer.
func (t *Table) Among(rels []int32) (*Table, []int32) {
	var cells []int32
	for _, j := range rels {
		cell, _ := t.Rel.Row(int(j))
		cells = append(cells, cell...)
	}
	slices.Sort(cells)
	cells = slices.Clip(slices.Compact(cells))
	n := len(cells)
	sub := &Table{Name: t.Name, Decimals: t.Decimals, CostDecimals: t.CostDecimals, Strict: t.Strict,
		Value: make([]int64, n), Cost: make([]int64, n), Status: make([]Status, n), LPL: make([]int64, n), UPL: make([]int64, n),
		Width: make([]int64, n), Lower: make([]int64, n), Upper: make([]int64, n), Rel: NewRelations(n)}
	for c, i := range cells {
		sub.Value[c], sub.Cost[c], sub.Status[c] = t.Value[i], t.Cost[i], t.Status[i]
		sub.Lower[c], sub.Upper[c] = t.Lower[i], t.Upper[i]
		if t.Status[i] == Sensitive {
			sub.LPL[c], sub.UPL[c], sub.Width[c] = t.LPL[i], t.UPL[i], t.Width[i]
		}
	}
	var at []int32
	for _, j := range rels {
		cell, coef := t.Rel.Row(int(j))
		at = at[:0]
		for _, i := range cell {
			c, _ := slices.BinarySearch(cells, i)
			at = append(at, int32(c))
		}
		sub.Rel.Add(at, coef, t.Rel.RHS[j])
	}
	return sub, cells
}
