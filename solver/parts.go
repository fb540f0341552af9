package solver

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/table"
)

// A whole is one call of Suppress: a search for each part of the table.
type whole struct {
	t        *table.Table
	o        *Options
	r        *reduction
	searches []*search
	start    time.Time
	reported []Progress       // last of each part
	from     *startingPattern // nil unless Options.Start passed the check
}

func newWhole(ctx context.Context, t *table.Table, o *Options, start time.Time) (*whole, error) {
	w := &whole{t: t, o: o, start: start}
	off := o.off
	if o.Certificate { // its proof is about the table as it is
		off.presolve = true
	}
	var err error
	if w.r, err = reduce(ctx, t, off); err != nil {
		return w, err
	}
	if len(w.r.exposed) > 0 {
		return w, unprotectable(ctx, t, int(w.r.exposed[0]), o.LP)
	}
	w.reported = make([]Progress, len(w.r.parts))
	for b, part := range w.r.parts {
		own := *o
		if o.Progress != nil {
			w.reported[b].Upper = math.Inf(1)
			own.Progress = func(p Progress) { w.report(b, p) }
		}
		var known *warmStart
		if o.Memory != nil {
			if known = o.Memory.warmStart(part.sys, part.t.Layers); known != nil {
				part.sys = known.sys
			}
		}
		p := newProblem(part.t, part.sys)
		p.warm = known
		p.off, p.record = off, o.Certificate
		if !off.given {
			if err := p.dropMet(ctx, o.LP, o.Workers); err != nil {
				return w, err
			}
		}
		s, err := newSearch(p, &own, start)
		if err != nil {
			return w, err
		}
		s.recall()
		w.searches = append(w.searches, s)
	}
	return w, nil
}

func (w *whole) close() {
	for _, s := range w.searches {
		s.remember()
		s.close()
	}
}

// errShare ends a part's share of the time.
var errShare = errors.New("solver: a part's share of the time limit")

// solve finds a pattern for every part, then works the parts off from the smallest
// to the largest. With a time limit each gets a share of what is left by its
// size, so that time it does not need passes on to the larger ones.
func (w *whole) solve(ctx context.Context) error {
	if err := w.begin(ctx); err != nil || w.beaten() {
		return err
	}
	order := make([]int, len(w.searches))
	left := 0
	for b, s := range w.searches {
		order[b] = b
		left += s.size()
	}
	slices.SortStableFunc(order, func(a, b int) int { return w.searches[a].size() - w.searches[b].size() })
	for _, b := range order {
		s := w.searches[b]
		part, cancel := ctx, func() {}
		if limit, ok := ctx.Deadline(); ok && left > s.size() {
			share := time.Duration(float64(time.Until(limit)) * float64(s.size()) / float64(left))
			part, cancel = context.WithTimeoutCause(ctx, share, errShare)
		}
		err := s.solve(part)
		out := part.Err() != nil
		cancel()
		if err != nil && (!out || ctx.Err() != nil) {
			return err
		}
		left -= s.size()
		if w.beaten() {
			return nil
		}
	}
	return nil
}

// size measures how hard a part may be.
func (s *search) size() int { return 1 + len(s.p.cand)*len(s.p.levels) }

// exposed names the cell behind cell k of part b that cannot be protected.
func (w *whole) exposed(ctx context.Context, b int, k int32) error {
	behind := []int32{k}
	if cells := w.r.parts[b].cells; cells != nil {
		behind = cells[k]
	}
	var err error
	for _, i := range behind {
		if asks(w.t, int(i)) {
			var u *UnprotectableError
			if err = unprotectable(ctx, w.t, int(i), w.o.LP); errors.As(err, &u) {
				return err
			}
		}
	}
	return err
}

// report adds up what the parts last reported.
func (w *whole) report(b int, p Progress) {
	w.reported[b] = p
	fixed := float64(w.r.cost) / math.Pow10(w.t.CostDecimals)
	sum := Progress{Lower: fixed, Upper: fixed, Seconds: p.Seconds}
	for _, q := range w.reported {
		sum.Round += q.Round
		sum.Nodes += q.Nodes
		sum.Cuts += q.Cuts
		sum.Lower += q.Lower
		sum.Upper += q.Upper
	}
	w.o.Progress(sum)
}

// solution puts the parts' solutions together.
func (w *whole) solution() *Solution {
	sol := &Solution{Status: None, LP: w.o.LP, Cuts: map[string]int{}, Seconds: time.Since(w.start).Seconds()}
	if w.r == nil {
		return sol
	}
	if sol.Bound, sol.Engine = w.r.cost, "network"; len(w.searches) == 0 {
		sol.Engine = w.r.engine
	}
	status, complete := Optimal, len(w.searches) == len(w.r.parts) && len(w.r.exposed) == 0
	x, cost := w.given(), w.r.cost
	for b, s := range w.searches {
		own := s.solution()
		sol.Bound += own.Bound
		sol.Rounds += own.Rounds
		sol.Nodes += own.Nodes
		for family, n := range own.Cuts {
			sol.Cuts[family] += n
		}
		sol.FirstSeconds = max(sol.FirstSeconds, own.FirstSeconds)
		if own.Engine != "network" {
			sol.Engine = own.Engine
		}
		if own.Pattern == nil {
			complete = false
			continue
		}
		if own.Status != Optimal {
			status = Feasible
		}
		cost += own.Cost
		w.r.parts[b].expand(own.Pattern, x)
		for _, list := range [2][]*certificate.Witness{s.p.shown, s.shown} {
			for _, y := range list {
				sol.Witnesses = append(sol.Witnesses, w.r.parts[b].spread(y, w.r.sign))
			}
		}
	}
	if !complete {
		sol.FirstSeconds, sol.Witnesses = 0, nil
		return sol
	}
	sol.Status, sol.Cost, sol.Pattern = status, cost-certificate.Trim(w.t, x, sol.Witnesses), x
	if sol.Bound >= sol.Cost && !w.o.Canonical {
		sol.Status = Optimal
	}
	sol.Bound = min(sol.Bound, sol.Cost) // sums near 10^15 and more have a margin
	return sol
}
