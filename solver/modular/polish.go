package modular

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
)

// polish lets the exact search of the whole table continue from sol until deadline (zero: none), or start without it if
// its own first pattern is likely to be cheaper. Its bound and that of the sub-tables both hold. found (nil: none) is
// called once the search has a pattern of its own.
func (m *run) polish(ctx context.Context, sol *solver.Solution, opt *solver.Options, deadline time.Time, goOn bool, found func()) {
	left := time.Duration(0)
	if !deadline.IsZero() {
		if left = work.Until(ctx, deadline); left <= 0 {
			return
		}
	}
	if sol.Status == solver.Optimal || sol.Gap() <= m.gap {
		return
	}
	own := *opt
	own.First, own.TimeLimit, own.Punctual = false, left, true
	if goOn {
		own.Start = sol.Pattern
	}
	lower, upper := float64(sol.Bound)/unitOf(m.t), float64(sol.Cost)/unitOf(m.t)
	own.Progress = func(p solver.Progress) {
		if found != nil && !math.IsInf(p.Upper, 1) {
			found()
		}
		if opt.Progress != nil {
			p.Lower, p.Upper, p.Seconds = max(p.Lower, lower, float64(m.lower.sum())/unitOf(m.t)), min(p.Upper, upper), time.Since(m.start).Seconds()
			opt.Progress(p)
		}
	}
	more, err := search(ctx, m.t, &own)
	sol.Seconds = time.Since(m.start).Seconds()
	if more == nil || err != nil && !errors.Is(err, solver.ErrNoSolution) {
		return // sol stands
	}
	m.rounds += more.Rounds
	m.nodes.Add(int64(more.Nodes))
	for family, n := range more.Cuts {
		m.cuts[family] += n
	}
	m.adopt(sol, more)
}

// adopt takes over the bound and the pattern of more where they are better than those of sol.
func (m *run) adopt(sol, more *solver.Solution) {
	sol.Rounds, sol.Nodes = m.rounds, int(m.nodes.Load())
	if more.Bound > sol.Bound {
		sol.Bound, sol.Certificate = more.Bound, more.Certificate
	}
	if more.Pattern != nil && more.Cost < sol.Cost {
		sol.Pattern, sol.Cost, sol.Witnesses = more.Pattern, more.Cost, more.Witnesses
	}
	if sol.Certificate != nil {
		sol.Certificate = sol.Certificate.For(sol.Pattern, sol.Witnesses)
	}
	if sol.Bound >= sol.Cost {
		sol.Status = solver.Optimal
	}
}

// polishBoth alternates between the improvement of sol's pattern and an exact search for a first pattern of its own
// until the end of limit; the improvement stops once the search has one.
func (m *run) polishBoth(ctx, limit context.Context, sol *solver.Solution, opt *solver.Options, end time.Time) (err error) {
	improving, stop := context.WithCancel(limit)
	defer stop()
	work.Turns(ctx, 2, polishTurn, func(i int) {
		if i == 0 {
			if err = m.better(improving); improving.Err() != nil {
				err = nil
			}
			return
		}
		m.polish(ctx, sol, opt, end, false, stop)
	})
	if err != nil {
		return err
	}
	more, err := m.feasible()
	if err != nil {
		return err
	}
	m.adopt(sol, more)
	return nil
}
