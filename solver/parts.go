package solver

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// A decomposition is one call of Suppress: the table split into parts, and a search for each.
type decomposition struct {
	t        *table.Table
	o        *Options
	r        *reduction
	searches []*search
	start    time.Time
	reported []Progress       // last report of each part
	from     *startingPattern // nil unless Options.Start passed the check
}

func decompose(ctx context.Context, t *table.Table, o *Options, start time.Time) (*decomposition, error) {
	w := &decomposition{t: t, o: o, start: start}
	work.Spend(ctx, time.Duration(t.Len())*presolveEach)
	off := o.off
	if o.Certificate { // the certificate is about the table as it is
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
		s, err := newSearch(ctx, p, &own, start)
		if err != nil {
			return w, err
		}
		s.recall()
		w.searches = append(w.searches, s)
	}
	return w, nil
}

func (d *decomposition) close() {
	for _, s := range d.searches {
		s.remember()
		s.close()
	}
}

// solve finds a pattern for every part, then searches the parts one after another, smallest first, or, under a limit,
// in turns.
func (d *decomposition) solve(ctx, check context.Context) error {
	if err := d.firstPatterns(ctx, check); err != nil || d.beaten() {
		return err
	}
	order := slices.Clone(d.searches)
	slices.SortStableFunc(order, func(a, b *search) int { return a.size() - b.size() })
	if len(order) > 1 && work.Bounded(ctx) && !(d.from != nil && d.o.First) {
		errs := make([]error, len(order))
		work.Turns(ctx, len(order), partSlice, func(i int) { errs[i] = order[i].solve(ctx) })
		return cmp.Or(errs...)
	}
	for _, s := range order {
		if err := s.solve(ctx); err != nil || d.beaten() {
			return err
		}
	}
	return nil
}

// size estimates how hard a part is to solve.
func (s *search) size() int { return 1 + len(s.p.cand)*len(s.p.levels) }

// exposed returns the error for cell k of part b, which cannot be protected, in terms of the table.
func (d *decomposition) exposed(ctx context.Context, b int, k int32) error {
	behind := []int32{k}
	if cells := d.r.parts[b].cells; cells != nil {
		behind = cells[k]
	}
	var err error
	for _, i := range behind {
		if asks(d.t, int(i)) {
			var u *UnprotectableError
			if err = unprotectable(ctx, d.t, int(i), d.o.LP); errors.As(err, &u) {
				return err
			}
		}
	}
	return err
}

// report adds up what the parts last reported.
func (d *decomposition) report(b int, p Progress) {
	d.reported[b] = p
	fixed := float64(d.r.cost) / math.Pow10(d.t.CostDecimals)
	sum := Progress{Lower: fixed, Upper: fixed, Seconds: p.Seconds}
	for _, q := range d.reported {
		sum.Round += q.Round
		sum.Nodes += q.Nodes
		sum.Cuts += q.Cuts
		sum.Lower += q.Lower
		sum.Upper += q.Upper
	}
	d.o.Progress(sum)
}

// solution combines the solutions of the parts.
func (d *decomposition) solution() *Solution {
	sol := &Solution{Status: None, LP: d.o.LP, Cuts: map[string]int{}, Seconds: time.Since(d.start).Seconds()}
	if d.r == nil {
		return sol
	}
	if sol.Bound, sol.Engine = d.r.cost, "network"; len(d.searches) == 0 {
		sol.Engine = d.r.engine
	}
	status, complete := Optimal, len(d.searches) == len(d.r.parts) && len(d.r.exposed) == 0
	x, cost := d.given(), d.r.cost
	for b, s := range d.searches {
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
		d.r.parts[b].expand(own.Pattern, x)
		for _, list := range [2][]*certificate.Witness{s.p.shown, s.shown} {
			for _, y := range list {
				sol.Witnesses = append(sol.Witnesses, d.r.parts[b].spread(y, d.r.sign))
			}
		}
	}
	if !complete {
		sol.FirstSeconds, sol.Witnesses = 0, nil
		return sol
	}
	sol.Status, sol.Cost, sol.Pattern = status, cost-certificate.Trim(d.t, x, sol.Witnesses), x
	if sol.Bound >= sol.Cost && !d.o.Canonical {
		sol.Status = Optimal
	}
	sol.Bound = min(sol.Bound, sol.Cost) // sums of about 10^15 and more are rounded
	return sol
}
