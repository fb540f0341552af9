package guard

import (
	"context"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// withUnions returns t with a cell for every union appended, in their order: sensitive, with its levels, no cost and no
// bounds, and the relation union = Σ cells. In the relation that a union comes from it replaces its cells, unless
// another union has replaced one of them already, so that a network stays a network.
func withUnions(t *table.Table, unions []table.Union) *table.Table {
	u := t.Clone()
	u.Coord = slices.Clone(u.Coord)
	in := map[int][]int{} // by relation, the unions that replace their cells
	used := map[int]map[int32]bool{}
	for k := range unions {
		j := unions[k].Relation
		if used[j] == nil {
			used[j] = map[int32]bool{}
		}
		if slices.ContainsFunc(unions[k].Cells, func(i int32) bool { return used[j][i] }) {
			continue
		}
		for _, i := range unions[k].Cells {
			used[j][i] = true
		}
		in[j] = append(in[j], k)
	}
	rel := table.NewRelations(t.Len() + len(unions))
	rel.Dim, rel.Margin = slices.Clone(t.Rel.Dim), slices.Clone(t.Rel.Margin)
	var row, val []int32
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		row, val = row[:0], val[:0]
		side := t.PartSign(j)
		for e, i := range cell {
			if coef[e] != side || !used[j][i] {
				row, val = append(row, i), append(val, coef[e])
			}
		}
		for _, k := range in[j] {
			row, val = append(row, int32(t.Len()+k)), append(val, side)
		}
		rel.Add(row, val, t.Rel.RHS[j])
	}
	for k := range unions {
		n := &unions[k]
		addCell(u, int(n.Cells[0]), n.Value)
		i := u.Len() - 1
		u.LPL[i], u.UPL[i], u.Width[i] = n.LPL, n.UPL, n.Width
		row, val = append(row[:0], n.Cells...), val[:0]
		for range n.Cells {
			val = append(val, 1)
		}
		rel.Add(append(row, int32(i)), append(val, -1), 0)
		if rel.Dim != nil {
			rel.Dim, rel.Margin = append(rel.Dim, -1), append(rel.Margin, -1)
		}
	}
	u.Rel = rel
	return u
}

// unionCells returns the cells of AuditUnions' report.
func unionCells(ctx context.Context, t *table.Table, withheld []bool, unions []table.Union, opt *interval.Options) ([]interval.Cell, error) {
	r, err := AuditUnions(ctx, t, withheld, unions, opt)
	if r == nil {
		return nil, err
	}
	return r.Cells, err
}

// A UnionReport is an audit of unions. Its Cells belong to the table that has the unions as cells.
type UnionReport struct {
	*interval.Report
	t      *table.Table
	unions []table.Union
}

// Union returns the index of the union behind cell i of the report.
func (r *UnionReport) Union(i int) int { return i - r.t.Len() }

// Name names cells of the report like those of the table, and unions as sums of their cells.
func (r *UnionReport) Name(i int) string {
	if i < r.t.Len() {
		return r.t.CellName(i)
	}
	return strings.Join(namesOf(r.t, r.unions[r.Union(i)].Cells), " + ")
}

// namesOf returns the names of cells.
func namesOf(t *table.Table, cells []int32) []string {
	return sets.Each(cells, func(i int32) string { return t.CellName(int(i)) })
}

// AuditUnions computes the interval of each union, in order, under the pattern withheld, as interval.Audit does for
// cells, with the combinations that prove it. For unions of cells without values only the widths are judged. The report
// is nil if there are no unions. Cost: two linear programs for each union.
func AuditUnions(ctx context.Context, t *table.Table, withheld []bool, unions []table.Union, opt *interval.Options) (*UnionReport, error) {
	if len(unions) == 0 {
		return nil, nil
	}
	u := withUnions(t, unions)
	w := slices.Clone(withheld)
	var own interval.Options
	if opt != nil {
		own = *opt
	}
	own.Cells, own.Told = nil, false
	for k := range unions {
		w = append(w, true)
		own.Cells = append(own.Cells, t.Len()+k)
		if u.Missing != nil {
			u.Missing[t.Len()+k] = slices.ContainsFunc(unions[k].Cells, func(i int32) bool { return !t.Known(int(i)) })
		}
	}
	rep, err := interval.Audit(ctx, u, w, &own)
	if rep == nil {
		return nil, err
	}
	return &UnionReport{rep, t, unions}, err
}
