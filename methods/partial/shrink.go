package partial

import (
	"cmp"
	"slices"
)

// A shrinker reduces movements, cell by cell, where they cost more than they are worth. It holds buffers.
type shrinker struct {
	*splitting
	e     []float64 // 2x − v of the cell, by movement, shifted for pairs
	order []int32
	amiss float64 // Σ |w − x|² relative to the levels
}

// maxShift bounds the number of steps to find the shift of a pair.
const maxShift = 60

// shrink computes w for cell i and updates v.
func (s *shrinker) shrink(i int) {
	for m := range s.moves {
		at := s.slot(m, i)
		s.e[m] = 2*s.x[at] - s.v[at]
	}
	for _, m := range s.own[i] { // must reach at least its level
		if k := s.moves[m].sign; k*s.e[m] < s.moves[m].want {
			s.e[m] = k * s.moves[m].want
		}
	}
	y := s.widths(i)
	for _, m := range s.pairs[i] {
		y = s.shift(i, int(m), y)
	}
	for m := range s.moves {
		at := s.slot(m, i)
		w := max(-y[down], min(s.e[m], y[up]))
		d := w - s.x[at]
		s.v[at] += float64(relaxation * d)
		d /= s.moves[m].want
		s.amiss += float64(d * d)
	}
}

// shift moves the two movements of a width, m and m+1, apart by the least multiple of their steps with which they reach
// it together.
func (s *shrinker) shift(i, m int, y [2]float64) [2]float64 {
	a, b := s.e[m], s.e[m+1]
	apart := func(θ float64) float64 {
		s.e[m], s.e[m+1] = a+float64(θ*s.step[m]), b-float64(θ*s.step[m+1])
		y = s.widths(i)
		return max(-y[down], min(s.e[m], y[up])) - max(-y[down], min(s.e[m+1], y[up]))
	}
	want := s.moves[m].want
	if apart(0) >= want {
		return y
	}
	lo, hi := 0.0, s.weightOf(int(s.moves[m].k))
	n := 0
	for ; apart(hi) < want && n < maxShift; n++ {
		lo, hi = hi, 2*hi
	}
	// The distance is piecewise linear and increasing in θ: use the false position method, halving the weight of an end
	// that stays.
	from, to := apart(lo)-want, apart(hi)-want
	for last := 0; n < maxShift && to > 1e-13*want; n++ {
		θ := lo + (hi-lo)*from/(from-to)
		if at := apart(θ) - want; at < 0 {
			if lo, from = θ, at; last < 0 {
				to /= 2
			}
			last = -1
		} else {
			if hi, to = θ, at; last > 0 {
				from /= 2
			}
			last = 1
			if at <= 1e-13*want {
				break
			}
		}
	}
	apart(hi)
	return y
}

// widths returns y⁺ and y⁻ of cell i: Σ max(e − y, 0)/t = w, as far as the bounds allow.
func (s *shrinker) widths(i int) (y [2]float64) {
	c := s.of[i]
	for d, sign := range [2]float64{1, -1} {
		j := s.p.col[d][c]
		if j < 0 {
			y[d] = real(s.p.given[d][c])
			continue
		}
		y[d] = min(max(s.level(sign, s.weight[j]), float64(s.p.least[j])), real(s.p.room[j]))
	}
	return y
}

// level returns the y at which Σ max(sign·e − y, 0)/t equals w, 0 if the sum is below w at 0.
func (s *shrinker) level(sign, w float64) float64 {
	s.order = s.order[:0]
	sum := 0.0
	for m, e := range s.e {
		if e *= sign; e > 0 {
			s.order = append(s.order, int32(m))
			sum += e / s.step[m]
		}
	}
	if sum <= w {
		return 0
	}
	slices.SortFunc(s.order, func(a, b int32) int { return cmp.Compare(sign*s.e[b], sign*s.e[a]) })
	// Take the largest e until the next one is below y.
	per, top := 0.0, 0.0 // Σ 1/t, Σ e/t
	for n, m := range s.order {
		per += 1 / s.step[m]
		top += sign * s.e[m] / s.step[m]
		y := (top - w) / per
		if n+1 == len(s.order) || y >= sign*s.e[s.order[n+1]] {
			return max(y, 0)
		}
	}
	return 0
}
