package explain

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// maxGuards is how many cells withheld to protect others are examined to find those that a sensitive cell
// needs.
const maxGuards = 300

// guards finds which sensitive cells the cell guards.
func (e *Explanation) guards(ctx context.Context, r *runner) error {
	rep, err := e.without(ctx, r, e.Cell, e.sensitive())
	if err != nil {
		return err
	}
	of, found, err := open(ctx, r, rep)
	if err != nil {
		return err
	}
	for n, k := range of {
		e.Guards = append(e.Guards, Guard{rep.Cells[k], found[n]})
	}
	return nil
}

// open returns the cells of a report that are not protected, and how each can be computed.
func open(ctx context.Context, r *runner, rep *interval.Report) (of []int, found [][]interval.Combination, err error) {
	for k := range rep.Cells {
		if !rep.Cells[k].Protected {
			of = append(of, k)
		}
	}
	found, err = rep.Explain(ctx, of, r.workers())
	return of, found, err
}

// guardedBy finds which cells guard the cell.
func (e *Explanation) guardedBy(ctx context.Context, r *runner) error {
	tried := 0
	for i, w := range e.Base.Solution.Pattern {
		if !w || e.Base.Table.Status[i] != table.Safe {
			continue
		}
		if tried++; tried > maxGuards {
			return nil
		}
		rep, err := e.without(ctx, r, i, []int{e.Cell})
		if err != nil {
			return err
		}
		if !rep.Cells[0].Protected {
			e.GuardedBy = append(e.GuardedBy, i)
		}
	}
	return nil
}

// without audits cells under the pattern with cell i published, in Audited.
func (e *Explanation) without(ctx context.Context, r *runner, i int, cells []int) (*interval.Report, error) {
	withheld := append(slices.Clone(e.Base.Solution.Pattern), slices.Repeat([]bool{true}, e.Audited.Len()-e.Base.Table.Len())...)
	withheld[i] = false
	return interval.Audit(ctx, e.Audited, withheld, &interval.Options{LP: r.p.LP, Workers: r.workers(), Cells: cells})
}

// Name names a cell of Audited: that of a remainder is "Wood/Total − Wood/Oak".
func (e *Explanation) Name(i int) string {
	n := e.Base.Table.Len()
	if i < n {
		return e.Base.Table.CellName(i)
	}
	cell, _ := e.Audited.Rel.Row(e.Base.Table.Rel.Len() + i - n)
	return e.Base.Table.CellName(int(cell[1])) + " − " + e.Base.Table.CellName(int(cell[0]))
}

// sensitive returns the sensitive cells.
func (e *Explanation) sensitive() []int {
	list := []int{}
	for i, s := range e.Base.Table.Status {
		if s == table.Sensitive {
			list = append(list, i)
		}
	}
	return list
}

func (r *runner) workers() int {
	if r.o.Protect == nil {
		return 0
	}
	return r.o.Protect.Workers
}

// jsonList returns a list of texts as JSON.
func jsonList(list []string) string {
	b, err := json.Marshal(list)
	if err != nil {
		return "" // cannot happen with texts
	}
	return string(b)
}
