package solver

import (
	"context"
	"errors"
	"math"

	"github.com/hitoku/hitoku/table"
)

// A startingPattern is Options.Start with the cells added that every pattern withholds and the cells removed that none
// may.
type startingPattern struct {
	x    []bool
	cost int64 // Σ w_i x_i over safe cells
	set  [][]bool
}

// starting maps o.Start to the parts. A group of cells that move together is withheld if all of them are, and cells
// that are in no part are published, so the pattern may become cheaper. It returns nil if a forced cell is missing, as
// no check can pass then.
func (d *decomposition) starting() *startingPattern {
	t := d.t
	st := &startingPattern{x: make([]bool, t.Len())}
	for i, s := range t.Status {
		switch s {
		case table.Sensitive, table.Withheld:
			st.x[i] = true
		case table.Safe:
			if st.x[i] = d.o.Start[i]; st.x[i] {
				st.cost += t.Cost[i]
			}
		}
	}
	for _, i := range d.r.forced {
		if !st.x[i] {
			return nil
		}
	}
	for b, s := range d.searches {
		set := make([]bool, len(s.p.cand))
		for c, k := range s.p.cand {
			set[c] = true
			for k := int(k); k < s.p.n; k += s.p.m {
				if cells := d.r.parts[b].cells; cells == nil {
					set[c] = set[c] && st.x[k]
				} else {
					for _, i := range cells[k] {
						set[c] = set[c] && st.x[i]
					}
				}
			}
		}
		st.set = append(st.set, set)
	}
	return st
}

// firstPatterns gives every part a first pattern: its share of Options.Start if that passes the check in all parts
// (only the context check ends that check), else what the builder finds.
func (d *decomposition) firstPatterns(ctx, check context.Context) error {
	if d.o.Start != nil {
		if ok, err := d.resume(check); ok || err != nil {
			return err
		}
	}
	var late error
	for b, s := range d.searches {
		if err := s.firstPattern(ctx); err != nil {
			var e *exposedError
			if errors.As(err, &e) {
				return d.exposed(ctx, b, e.k)
			}
			if s.best == nil || ctx.Err() == nil {
				return err
			}
			late = err // but there is time to find patterns for the other parts
		}
	}
	return late
}

// resume makes Options.Start the incumbent; ok is false, and nothing is changed, if the check fails.
func (d *decomposition) resume(ctx context.Context) (ok bool, err error) {
	st := d.starting()
	if st == nil {
		return false, nil
	}
	for b, s := range d.searches {
		unmet, err := s.offer(ctx, st.set[b])
		if err != nil {
			return false, err
		}
		if unmet != nil {
			for _, s := range d.searches[:b] {
				s.forget()
			}
			return false, nil
		}
	}
	d.from = st
	for _, s := range d.searches {
		s.stop, s.from = d.o.First, s.upper
		s.report(true)
	}
	return true, nil
}

// forget drops the incumbent.
func (s *search) forget() {
	s.best, s.shown, s.upper, s.first = nil, nil, math.MaxInt64, 0
}

// beaten reports whether the search has to stop because the incumbent is cheaper than the start.
func (s *search) beaten() bool { return s.stop && s.upper < s.from }

// improveOnStart looks for a pattern cheaper than the start with the builder alone: near the one that beat the start of
// an earlier run, if there is one, then anywhere.
func (s *search) improveOnStart(ctx context.Context) error {
	if l := s.p.warm; l != nil && l.beat != nil {
		guide := make([]float64, len(s.p.cand))
		for c, i := range s.p.cand {
			if l.beat[i] {
				guide[c] = startGuide
			}
		}
		if err := s.construct(ctx, guide); err != nil || s.beaten() {
			return err
		}
	}
	return s.construct(ctx, nil)
}

// justOne reports that the first pattern found is the answer.
func (o *Options) justOne() bool { return o.First && o.Start == nil }

// beaten reports whether, with Options.First, the patterns of the parts together are better than Start, or exist at all
// if there is no Start.
func (d *decomposition) beaten() bool {
	if d.o.justOne() {
		return true
	}
	if d.from == nil || !d.o.First {
		return false
	}
	x, cost := d.given(), d.r.cost
	for b, s := range d.searches {
		cost += s.upper * s.p.unit
		d.r.parts[b].expand(s.p.pattern(s.best), x)
	}
	if cost != d.from.cost || !d.o.Canonical {
		return cost < d.from.cost
	}
	for i, in := range x {
		if in != d.from.x[i] {
			return !in
		}
	}
	return false
}

// given returns the pattern of the cells that are always withheld.
func (d *decomposition) given() []bool {
	x := make([]bool, d.t.Len())
	for i, st := range d.t.Status {
		x[i] = st == table.Sensitive || st == table.Withheld
	}
	for _, i := range d.r.forced {
		x[i] = true
	}
	return x
}
