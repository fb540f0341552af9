package modular

import (
	"context"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// everything finds a pattern after the search ended without one because of cause. It withholds all cells that may be
// withheld; levels without a witness get one from products, then from programs of their sub-tables, then from
// solver.Everything. Only ctx ends it, no time limit.
func (m *run) everything(ctx context.Context, opt *solver.Options, cause error) (*solver.Solution, error) {
	for i, st := range m.t.Status {
		m.x[i] = st != table.Published
	}
	m.deadline = time.Time{}
	if err := m.byProducts(ctx); err == nil {
		m.nearby(ctx)
	}
	own := *opt
	if opt.TimeLimit > 0 {
		own.TimeLimit = max(time.Nanosecond, opt.TimeLimit-work.Since(ctx, m.began))
	}
	sol, err := solver.Everything(ctx, m.t, &own, m.witnesses())
	switch {
	case sol == nil || sol.Pattern == nil && sol.Status != solver.Unprotectable && ctx.Err() == nil:
		if cause == nil {
			cause = err
		}
		return nil, i18n.Errorf("table %s: %w", m.t.Name, cause)
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

// nearby looks for witnesses of the remaining levels within their own sub-tables.
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
			m.showBy(int32(li), points)
		}
	}
}

// Show returns witnesses of levels of t in the form that certificate.Protects wants, which move cells that are or may
// be withheld. It returns those that it finds quickly without a linear program; levels without one may still be met.
func Show(ctx context.Context, t *table.Table) []*certificate.Witness {
	if t.Layers > 1 || protection.Check(t) != nil {
		return nil
	}
	m := newRun(work.Metered(ctx), t, newClasses(t.Rel), &solver.Options{Workers: 1})
	defer m.close()
	if m.byProducts(ctx) != nil {
		return nil
	}
	return m.witnesses()
}
