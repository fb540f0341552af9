package guard

import (
	"context"
	"errors"

	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// grow withholds more cells than the pattern found until every union meets its levels. Withheld cells stay withheld, so
// levels that are met stay met: only open unions have to be examined and, in later rounds, only unions with a new cell.
// There are finitely many cells.
func (g *unionGuard) grow(ctx context.Context) error {
	f := g.found
	s := f.Solution
	grown := map[string]bool{}
	for len(f.Open) > 0 {
		fresh := false
		for k := range f.Open {
			key := unionKey(&f.Open[k])
			fresh, grown[key] = fresh || !grown[key], true
		}
		if !fresh {
			return nil
		}
		v := g.t.Clone()
		for i, in := range s.Pattern {
			if in {
				v.Status[i], v.LPL[i], v.UPL[i], v.Width[i] = table.Withheld, 0, 0, 0
			}
		}
		more, err := g.what.Quick(ctx, withUnions(v, f.Open), &solver.Options{LP: g.opt.LP, Workers: g.opt.Workers, TimeLimit: g.left(growShare)})
		f.Rounds++
		if more == nil || more.Pattern == nil {
			if errors.Is(err, solver.ErrNoSolution) {
				err = nil // the unions stay open
			}
			return unionError(g.t, f.Open, err)
		}
		n := g.t.Len()
		for _, w := range more.Witnesses {
			drop(w, int32(n))
		}
		f.Rows += len(f.Open)
		s.Pattern, s.Witnesses = more.Pattern[:n], append(s.Witnesses, more.Witnesses...)
		s.Cost += more.Cost
		if s.Status == solver.Optimal && s.Cost > s.Bound {
			s.Status = solver.Feasible
		}
		open, unknown, err := g.judge(ctx, s)
		f.Open = append(open, unknown...)
		if err != nil || ctx.Err() != nil {
			return err
		}
	}
	return nil
}
