package solver

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
)

// met reports whether all levels are met. It first tests those that recently failed, as one of them often fails again,
// then all others that known has not marked. reach maximises the movement of a cell up to a limit and marks the levels
// that this shows.
func (s *seriesCleaner) met(ctx context.Context, reach func(ctx context.Context, l protectionLevel, sign int, limit float64) (float64, error), known func()) (bool, error) {
	b := s.b
	clear(s.done)
	s.found = s.found[:0]
	for t, li := range slices.Concat(b.failed, b.order) {
		if t == min(askedFirst, len(b.failed)) {
			known()
		}
		if s.done[li] {
			continue
		}
		l := b.p.levels[li]
		limit := float64(l.RHS)
		if l.Strict {
			limit++
		}
		sum := 0.0
		for _, sign := range [2]int{1, -1} {
			if l.Side == upper && sign < 0 || l.Side == lower && sign > 0 || sum >= limit {
				continue
			}
			v, err := reach(ctx, l, sign, limit)
			if err != nil {
				return false, err
			}
			sum += v
		}
		if !enough(l, sum) {
			b.remember(li, t)
			return false, nil
		}
		s.done[li] = true
	}
	return true, nil
}

// ask is the reach function that solves the intruder's programs.
func (s *seriesCleaner) ask(ctx context.Context, l protectionLevel, sign int, limit float64) (float64, error) {
	in := s.b.in
	v, err := in.Reach(ctx, int(l.K), sign, limit)
	if errors.Is(err, oracle.ErrNumbers) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	s.idx, s.moved = in.Witness(s.idx[:0], s.moved[:0])
	for t, i := range s.idx {
		s.value[i] = s.moved[t]
	}
	s.multiples(s.value)
	for _, i := range s.idx {
		s.value[i] = 0
	}
	return v, nil
}

// reach is the reach function that solves the program over classes.
func (s *seriesCleaner) reach(_ context.Context, l protectionLevel, sign int, limit float64) (float64, error) {
	v := s.less.Reach(l.K, sign, limit)
	if v >= limit {
		s.less.Last(s.mark)
	}
	return v, nil
}

// multiples marks the levels met by the largest multiples of z, upwards and downwards, that the capacities allow.
func (s *seriesCleaner) multiples(z []float64) {
	plus, minus := s.space.Factors(z, s.b.p.up, s.b.p.dn)
	for _, f := range [2]float64{plus, -minus} {
		if f != 0 && !math.IsInf(f, 0) {
			s.mark(func(i int32) float64 {
				if s.space.Still(i) {
					return 0
				}
				return f * z[i]
			})
		}
	}
}

// mark marks the levels that are met when each cell i moves by value(i).
func (s *seriesCleaner) mark(value func(i int32) float64) {
	useful := false
	for li, l := range s.b.p.levels {
		if s.done[li] {
			continue
		}
		v := value(l.K)
		if l.Side == upper && enough(l, v) || l.Side == lower && enough(l, -v) {
			s.done[li], useful = true, true
		}
	}
	if !useful || len(s.found) == shownMost {
		return
	}
	z := []float64(nil)
	if n := len(s.found); n < cap(s.found) {
		z = s.found[:n+1][n]
	}
	if len(z) != s.b.p.n {
		z = make([]float64, s.b.p.n)
	}
	for i := range z {
		z[i] = value(int32(i))
	}
	s.found = append(s.found, z)
}

// copyAll copies from into to and reuses its memory.
func copyAll(to, from [][]float64) [][]float64 {
	all := to[:cap(to)]
	for t, z := range from {
		if t == len(all) {
			all = append(all, nil)
		}
		all[t] = append(all[t][:0], z...)
	}
	return all[:len(from)]
}

// askDuals keeps the classes that the duals of level li, which has just not been met, tell to be needed.
func (s *seriesCleaner) askDuals(li int) {
	l := s.b.p.levels[li]
	if l.Side == width || slices.Contains(s.duals, li) {
		return
	}
	if len(s.duals) == 0 {
		s.full.Settle()
	}
	s.duals = append(s.duals, li)
	if v := s.full.Reach(l.K, int(l.Side), math.Inf(1)); math.IsInf(v, 1) {
		return
	}
	s.full.Needed(l.K, int(l.Side), func(v float64) bool { return !enough(l, v) }, s.vital)
	for q, vital := range s.vital {
		if vital {
			s.keep(int32(q))
		}
	}
}
