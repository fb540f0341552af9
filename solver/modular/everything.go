package modular

import (
	"context"
	"fmt"
	"time"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// everything finds a pattern where the search ended without one by cause: all that may be withheld is, levels without a witness get theirs from
// products, then from programs of their sub-tables, then as solver.Everything finds them. No limit ends it, ctx does.
func (m *run) everything(ctx context.Context, opt *solver.Options, cause error) (*solver.Solution, error) {
	for i, st := range m.t.Status {
		m.x[i] = st != table.Published
	}
	m.deadline, m.hurried = time.Time{}, true
	if err := m.byProducts(ctx); err == nil {
		m.nearby(ctx)
	}
	own := *opt
	if opt.TimeLimit > 0 {
		own.TimeLimit = max(time.Nanosecond, opt.TimeLimit-time.Since(m.start))
	}
	sol, err := solver.Everything(ctx, m.t, &own, m.witnesses())
	switch {
	case sol == nil || sol.Pattern == nil && sol.Status != solver.Unprotectable && ctx.Err() == nil:
		if cause == nil {
			cause = err
		}
		return nil, fmt.Errorf("table %s: %w", m.t.Name, cause)
	case sol.Pattern == nil && sol.Status != solver.Unprotectable:
		sol = m.solution(solver.None)
		if err := m.certify(sol); err != nil {
			return nil, err
		}
		return sol, parallel.Ended(ctx, solver.ErrNoSolution)
	case err != nil:
		return sol, err
	}
	sol.Bound, sol.Rounds, sol.Nodes, sol.Engine = min(m.lower.sum(), sol.Cost), m.rounds, int(m.nodes.Load()), Engine
	sol.Seconds = time.Since(m.start).Seconds()
	sol.FirstSeconds = sol.Seconds
	if err := m.certify(sol); err != nil {
		return nil, err
	}
	if sol.Bound >= sol.Cost {
		sol.Status = solver.Optimal
	}
	if m.tell != nil {
		m.tell(solver.Progress{Round: sol.Rounds, Nodes: sol.Nodes, Lower: float64(sol.Bound) / unitOf(m.t), Upper: float64(sol.Cost) / unitOf(m.t), Seconds: sol.Seconds})
	}
	return sol, nil
}

// nearby gives levels without a witness one of their own sub-tables, as far as there is one.
func (m *run) nearby(ctx context.Context) {
	var base *region
	at := int32(-1)
	defer func() {
		if base != nil {
			base.close()
		}
	}()
	for li, l := range m.levels {
		if m.wit[li] != nil {
			continue
		}
		if s := m.c.of[l.K]; base == nil || s < 0 || s != at {
			if base != nil {
				base.close()
			}
			at = s
			var err error
			if base, err = m.region(m.around(l.K)); err != nil {
				base = nil
				return
			}
		}
		base.reprice(m)
		points, err := m.reach(ctx, base, l)
		if ctx.Err() != nil {
			return
		}
		if err == nil && points != nil {
			m.take(int32(li), points)
		}
	}
}
