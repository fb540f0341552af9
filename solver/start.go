package solver

import (
	"context"
	"errors"
	"math"

	"github.com/hitoku/hitoku/table"
)

// A startingPattern is Options.Start with the cells added that every pattern withholds
// and without those that none may.
type startingPattern struct {
	x    []bool
	cost int64 // Σ w_i x_i over cells that are safe
	set  [][]bool
}

// starting maps o.Start onto the parts: a group of cells that move together is
// withheld if all of them are, and what is in no part is published. So its price in
// the parts may be less. It returns nil where a forced cell is missing, for then no check
// can pass.
func (w *whole) starting() *startingPattern {
	t := w.t
	st := &startingPattern{x: make([]bool, t.Len())}
	for i, s := range t.Status {
		switch s {
		case table.Sensitive, table.Withheld:
			st.x[i] = true
		case table.Safe:
			if st.x[i] = w.o.Start[i]; st.x[i] {
				st.cost += t.Cost[i]
			}
		}
	}
	for _, i := range w.r.forced {
		if !st.x[i] {
			return nil
		}
	}
	for b, s := range w.searches {
		set := make([]bool, len(s.p.cand))
		for c, k := range s.p.cand {
			set[c] = true
			for k := int(k); k < s.p.n; k += s.p.m {
				if cells := w.r.parts[b].cells; cells == nil {
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

// begin gives every part a first pattern: its own of Options.Start if that passes the
// check in all of them, else what the builder finds.
func (w *whole) begin(ctx context.Context) error {
	if w.o.Start != nil {
		if ok, err := w.resume(ctx); ok || err != nil {
			return err
		}
	}
	for b, s := range w.searches {
		if err := s.begin(ctx); err != nil {
			var e *exposedError
			if errors.As(err, &e) {
				return w.exposed(ctx, b, e.k)
			}
			return err
		}
	}
	return nil
}

// resume makes Options.Start the incumbent; ok is false, and nothing changed, where
// the check fails.
func (w *whole) resume(ctx context.Context) (ok bool, err error) {
	st := w.starting()
	if st == nil {
		return false, nil
	}
	for b, s := range w.searches {
		unmet, err := s.offer(ctx, st.set[b])
		if err != nil {
			return false, err
		}
		if unmet != nil {
			for _, s := range w.searches[:b] {
				s.forget()
			}
			return false, nil
		}
	}
	w.from = st
	for _, s := range w.searches {
		s.stop, s.from = w.o.First, s.upper
		s.report(true)
	}
	return true, nil
}

// forget takes the incumbent back.
func (s *search) forget() {
	s.best, s.shown, s.upper, s.first = nil, nil, math.MaxInt64, 0
}

// beaten says that the search is to stop because the incumbent is cheaper than the
// pattern it started from.
func (s *search) beaten() bool { return s.stop && s.upper < s.from }

// improveOnStart looks for a pattern cheaper than the start by building alone: near the one that
// beat the start of an earlier run, if there was one, then anywhere.
func (s *search) improveOnStart(ctx context.Context) error {
	const near = 0.9
	if l := s.p.warm; l != nil && l.beat != nil {
		guide := make([]float64, len(s.p.cand))
		for c, i := range s.p.cand {
			if l.beat[i] {
				guide[c] = near
			}
		}
		if err := s.construct(ctx, guide); err != nil || s.beaten() {
			return err
		}
	}
	return s.construct(ctx, nil)
}

// beaten says that with Options.First the parts' patterns together are better than Start.
func (w *whole) beaten() bool {
	if w.from == nil || !w.o.First {
		return false
	}
	x, cost := w.given(), w.r.cost
	for b, s := range w.searches {
		cost += s.upper * s.p.unit
		w.r.parts[b].expand(s.p.pattern(s.best), x)
	}
	if cost != w.from.cost || !w.o.Canonical {
		return cost < w.from.cost
	}
	for i, in := range x {
		if in != w.from.x[i] {
			return !in
		}
	}
	return false
}

// given returns the pattern of the cells that are withheld in any case.
func (w *whole) given() []bool {
	x := make([]bool, w.t.Len())
	for i, st := range w.t.Status {
		x[i] = st == table.Sensitive || st == table.Withheld
	}
	for _, i := range w.r.forced {
		x[i] = true
	}
	return x
}
