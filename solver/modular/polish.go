package modular

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
)

// polish lets the exact search of the whole table go on from sol until deadline (zero: none), or start without it if its own first pattern is likely to be
// cheaper. Its bound and that of the sub-tables both hold. If it has no pattern of its own at the time by (zero: none) it is stopped, and polish returns true.
func (m *run) polish(ctx context.Context, sol *solver.Solution, opt *solver.Options, deadline time.Time, goOn bool, by time.Time) (late bool) {
	left := time.Duration(0)
	if !deadline.IsZero() {
		if left = work.Until(ctx, deadline); left <= 0 {
			return false
		}
	}
	if sol.Status == solver.Optimal || sol.Gap() <= m.gap {
		return false
	}
	own := *opt
	own.First, own.TimeLimit, own.Punctual = false, left, true
	if goOn {
		own.Start = sol.Pattern
	}
	var found, over bool
	lower, upper := float64(sol.Bound)/unitOf(m.t), float64(sol.Cost)/unitOf(m.t)
	own.Progress = func(p solver.Progress) {
		if !math.IsInf(p.Upper, 1) {
			found = true
		}
		if opt.Progress != nil {
			p.Lower, p.Upper, p.Seconds = max(p.Lower, lower, float64(m.lower.sum())/unitOf(m.t)), min(p.Upper, upper), time.Since(m.start).Seconds()
			opt.Progress(p)
		}
	}
	if !by.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer work.Alarm(ctx, by, func() {
			if over = !found; over {
				cancel()
			}
		})()
	}
	more, err := search(ctx, m.t, &own)
	sol.Seconds = time.Since(m.start).Seconds()
	if more == nil || err != nil && !errors.Is(err, solver.ErrNoSolution) {
		return over // sol stands
	}
	m.rounds += more.Rounds
	m.nodes.Add(int64(more.Nodes))
	for family, n := range more.Cuts {
		m.cuts[family] += n
	}
	m.adopt(sol, more)
	return over
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

// polishBoth is polish by an exact search that looks for a first pattern of its own; if it has none after ownShare of the time limit, whose context is
// limit and ends at end, the improvement of sol's pattern goes on instead.
func (m *run) polishBoth(ctx, limit context.Context, sol *solver.Solution, opt *solver.Options, end time.Time) error {
	if !m.polish(ctx, sol, opt, end, false, m.began.Add(time.Duration(ownShare*float64(opt.TimeLimit)))) {
		return nil
	}
	m.deadline = end
	if err := m.improveBy(limit, m.thrifty, 0); err != nil && limit.Err() == nil {
		return err
	}
	more, err := m.feasible()
	if err != nil {
		return err
	}
	m.adopt(sol, more)
	return nil
}
