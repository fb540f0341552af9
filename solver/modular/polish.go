package modular

import (
	"context"
	"errors"
	"time"

	"github.com/hitoku/hitoku/solver"
)

const (
	// wholeCells is the number of cells up to which the exact search of the whole table
	// goes on from the pattern of the sub-tables where a time limit leaves it time, and
	// wholeShare what the sub-tables take of the limit then.
	wholeCells, wholeShare = 20000, 0.4
)

// polish lets the exact search of the whole table go on from sol until deadline (zero: none), or begin by itself where its own first pattern
// is likely to be cheaper. Its bound and that of the sub-tables both hold.
func (m *run) polish(ctx context.Context, sol *solver.Solution, opt *solver.Options, deadline time.Time, goOn bool) {
	left := time.Duration(0)
	if !deadline.IsZero() {
		if left = time.Until(deadline); left <= 0 {
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
	if opt.Progress != nil {
		lower, upper := float64(sol.Bound)/unitOf(m.t), float64(sol.Cost)/unitOf(m.t)
		own.Progress = func(p solver.Progress) {
			p.Lower, p.Upper, p.Seconds = max(p.Lower, lower, float64(m.lower.sum())/unitOf(m.t)), min(p.Upper, upper), time.Since(m.start).Seconds()
			opt.Progress(p)
		}
	}
	more, err := search(ctx, m.t, &own)
	sol.Seconds = time.Since(m.start).Seconds()
	if more == nil || err != nil && !errors.Is(err, solver.ErrNoSolution) {
		return // sol stands
	}
	sol.Rounds += more.Rounds
	sol.Nodes += more.Nodes
	for family, n := range more.Cuts {
		sol.Cuts[family] += n
	}
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
