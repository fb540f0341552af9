package series

import (
	"cmp"
	"math"
	"slices"
)

// Settle makes every coordinate the value of a row, of those that it moves the one with the least room, so that Needed
// has bounds for all of them.
func (p *Program) Settle() {
	d := p.dims
	for j, r := range p.row {
		if r >= 0 {
			continue
		}
		end, room := -1, math.Inf(1)
		for i := range p.head {
			if v := math.Abs(p.t[i*d+j]); v > pivotTol && p.hi[i]-p.lo[i] < room*v {
				end, room = i, (p.hi[i]-p.lo[i])/v
			}
		}
		p.Steps += len(p.head)
		if end >= 0 {
			p.exchange(end, j)
		}
	}
}

// Needed sets needed[q], where it is not set, for classes q of which the last answer of Reach, for the same cell and
// direction and without a limit, tells that the cell falls short if class q stands still. With y for the coordinates
// sign·z_i = Σ c_j y_j, so that
//
//	sign·z_i ≤ Σ_j max { (c_j − μ T_qj) y_j : y_j within its capacities }   where z_q = 0, for every μ ,
//
// and the least of these bounds is found by going from one μ at which a maximum changes its end to the next: a step of
// the dual simplex method, which mostly says what it would take a whole program to find.
func (p *Program) Needed(i int32, sign int, short func(v float64) bool, needed []bool) {
	d := p.dims
	c, y, f := make([]float64, d), make([]float64, d), p.ratio[i]*float64(sign)
	most := 0.0
	for k, v := range p.t[int(p.class[i])*d : int(p.class[i])*d+d] {
		if v *= f; math.Abs(v) <= optimal {
			continue
		}
		r := p.row[k]
		if r < 0 {
			return
		}
		if c[k], y[k] = v, p.hi[r]; v < 0 {
			y[k] = p.lo[r]
		}
		most += float64(v * y[k])
	}
	if math.IsInf(most, 0) {
		return
	}
	var turns []turn
	for q := range p.head {
		if needed[q] {
			continue
		}
		var slope float64
		if turns, slope = p.turns(turns[:0], q, c, y); slope > optimal {
			needed[q] = falls(turns, slope, most, short)
		}
	}
}

// A turn is a μ from where on a bound falls by less.
type turn struct{ at, less float64 }

// turns appends the μ at which a maximum changes its end, for the bounds of Needed on the side of 0 where they fall, and
// returns by how much they fall there at first; y has the ends at 0 of the coordinates with c ≠ 0.
func (p *Program) turns(turns []turn, q int, c, y []float64) ([]turn, float64) {
	d := p.dims
	row := p.t[q*d : q*d+d]
	slope := 0.0
	for k, v := range row {
		slope += float64(v * y[k])
	}
	p.Steps += d
	if math.Abs(slope) <= optimal {
		return turns, 0
	}
	dir := math.Copysign(1, slope)
	slope = math.Abs(slope)
	for k, v := range row {
		if v *= dir; math.Abs(v) <= noise {
			continue
		}
		r := p.row[k]
		switch {
		case r < 0:
			return turns, 0
		case c[k] == 0 && v > 0: // its maximum is at an end as soon as μ ≠ 0
			slope += float64(v * p.lo[r])
		case c[k] == 0:
			slope += float64(v * p.hi[r])
		case c[k]*v > 0:
			turns = append(turns, turn{c[k] / v, math.Abs(v) * (p.hi[r] - p.lo[r])})
		}
	}
	p.Steps += 2*d + 4*len(turns)
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Compare(a.at, b.at) })
	return turns, slope
}

// falls reports whether a bound that is most at μ = 0 and falls with the slope gets short.
func falls(turns []turn, slope, most float64, short func(v float64) bool) bool {
	last := 0.0
	for _, t := range turns {
		if most -= float64(slope * (t.at - last)); short(most) {
			return true
		}
		if last, slope = t.at, slope-t.less; !(slope > 0) {
			return false
		}
	}
	return false
}
