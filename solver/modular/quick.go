package modular

import (
	"context"
	"time"

	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Quick finds a good pattern in seconds, in place of the hypercube method: the first pattern of Suppress or Whole,
// improved, with a valid bound. If opt.TimeLimit is 0, it takes at most 5 seconds plus 10 for every 100,000 cells; it
// ends early once a table is solved. Small tables, networks and common masks are left to solver.Suppress with that
// limit. It uses the same fields of opt as Suppress, and First without a Start: the first pattern as it is.
func Quick(ctx context.Context, t *table.Table, opt *solver.Options) (*solver.Solution, error) {
	own := solver.Options{}
	if opt != nil {
		own = *opt
	}
	if own.TimeLimit == 0 {
		own.TimeLimit = quickLeast + time.Duration(float64(t.Len())/1e5*float64(quickEach))
	}
	if own.Canonical || own.Start != nil || t.Layers > 1 || t.Len() < firstFrom(t) {
		return solver.Suppress(ctx, t, &own)
	}
	if t.Len() <= ownCells && treed(t) && !own.First {
		return Whole(ctx, t, &own)
	}
	if err := protection.Check(t); err != nil {
		return nil, err
	}
	ctx = work.Metered(ctx)
	m := newRun(ctx, t, newClasses(t.Rel), &own)
	defer m.close()
	if m.mover == nil || m.sys.IsNetwork() {
		return solver.Suppress(ctx, t, &own)
	}
	limit, cancel := work.WithDeadline(ctx, m.began.Add(own.TimeLimit))
	defer cancel()
	err := m.first(limit)
	var bound *besideBound
	if err == nil && !own.First {
		bound = m.beside(limit, time.Duration(besideShare*float64(own.TimeLimit)))
		defer bound.end()
		improve, cancel := work.WithDeadline(limit, m.began.Add(time.Duration(quickImprove*float64(own.TimeLimit))))
		defer cancel()
		err = m.rungs(improve, func(until func(share float64)) (over bool, err error) {
			until(1)
			if err = m.better(improve); improve.Err() != nil {
				err = nil
			}
			return !m.late(), err
		})
	}
	sol, over, err := m.pattern(ctx, limit, &own, err)
	if over || err != nil {
		return sol, err
	}
	bound.raise(sol)
	return ended(ctx, sol)
}
