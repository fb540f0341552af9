package explain

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/table"
)

// A Sum is a union of cells that a withheld cell keeps protected.
type Sum struct {
	Union   table.Union
	Cell    interval.Cell // the interval of the sum with the other cell published
	Follows []string      // the arithmetic by which that interval follows
}

// maxSums is how many unions are examined, beginning with those that are part of a relation of the cell.
const maxSums = 300

// sums finds which sums of cells would be told too closely if the cell were published and all else unchanged.
func (e *Explanation) sums(ctx context.Context, r *runner) error {
	t := e.Base.Table
	what, err := r.p.Sums(t)
	if what == nil || err != nil {
		return err
	}
	withheld := slices.Clone(e.Base.Solution.Pattern)
	withheld[e.Cell] = false
	all, _, err := what.Find(ctx, t, withheld)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b table.Union) int { return apart(t, e.Cell, &a) - apart(t, e.Cell, &b) })
	all = all[:min(len(all), maxSums)]
	rep, err := guard.AuditUnions(ctx, t, withheld, all, &interval.Options{LP: r.p.LP, Workers: r.workers()})
	if rep == nil || err != nil {
		return err
	}
	of, found, err := open(ctx, r, rep.Report)
	if err != nil {
		return err
	}
	for n, k := range of {
		s := Sum{Union: all[rep.Union(rep.Cells[k].Index)], Cell: rep.Cells[k]}
		for c := range found[n] {
			s.Follows = append(s.Follows, found[n][c].Arithmetic(t, rep.Name))
		}
		e.Sums = append(e.Sums, s)
	}
	return nil
}

// apart returns 0 for unions that are part of a relation of cell i, else 1.
func apart(t *table.Table, i int, n *table.Union) int {
	if n.Relation >= 0 {
		if cell, _ := t.Rel.Row(n.Relation); slices.Contains(cell, int32(i)) {
			return 0
		}
	}
	return 1
}
