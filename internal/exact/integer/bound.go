package integer

import (
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// A proof bounds a program from below by multipliers γ of its rows: for every z
//
//	c·z ≥ Σ_j γ_j·(Lo_j if γ_j > 0, Up_j if γ_j < 0) + Σ_i min(d_i l_i, d_i u_i),   d = c − Aᵀγ,
//
// whatever γ is. γ is rounded to multiples of 2^−shift, so that everything is computed in integers.
type proof struct {
	shift uint
	d     []int64 // times 2^shift
	gamma []int64
	sum   num.Int128 // the bound, times 2^shift
	over  bool       // sum has overflowed 128 bits
}

// prove computes the bound from duals y for the costs c (nil: 0, for rays) with the bounds lo and up of the columns. It
// returns false if y has entries that are not finite, or too large.
func (q *proof) prove(p *Program, c []int64, y []float64, lo, up []int64) bool {
	most, size, steep := 0.0, 1.0, float64(p.steepest())
	for _, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
		most = max(most, math.Abs(v))
	}
	for _, v := range c {
		size = max(size, math.Abs(float64(v)))
	}
	q.shift = 24
	for q.shift > 0 && max(most*steep, size)*math.Ldexp(1, int(q.shift)) > float64(largest)/4 {
		q.shift--
	}
	if max(most*steep, size)*math.Ldexp(1, int(q.shift)) > float64(largest)/4 {
		return false
	}
	if len(q.d) != len(lo) {
		q.d = make([]int64, len(lo))
	}
	clear(q.d)
	for i, v := range c {
		q.d[i] = v << q.shift
	}
	q.gamma = q.gamma[:0]
	q.sum, q.over = num.Int128{}, false
	for j := range y {
		r := &p.Rows[j]
		g := int64(math.Round(math.Ldexp(y[j], int(q.shift))))
		side := r.Lo
		if g < 0 {
			side = r.Up
		}
		if side == None || side == -None {
			g = 0
		}
		q.gamma = append(q.gamma, g)
		if g == 0 {
			continue
		}
		q.add(g, side)
		for t, i := range r.Idx {
			part := g * r.Coef[t]
			if num.Abs(q.d[i]-part) > largest {
				return false
			}
			q.d[i] -= part
		}
	}
	for i, d := range q.d {
		switch {
		case d > 0:
			q.add(d, lo[i])
		case d < 0:
			q.add(d, up[i])
		}
	}
	return !q.over
}

// add adds a·b to the sum.
func (q *proof) add(a, b int64) {
	if b < 0 {
		a, b = -a, -b
	}
	var ok bool
	if q.sum, ok = q.sum.Sum(num.Product(a, uint64(b))); !ok {
		q.over = true
	}
}

// bound returns the least integer that the value of a point can have.
func (q *proof) bound() int64 {
	v := q.sum.Big()
	v.Add(v, big.NewInt(1<<q.shift-1))
	v.Rsh(v, q.shift) // rounds down, also for negative numbers
	if !v.IsInt64() {
		return -None
	}
	return v.Int64()
}

// positive reports whether the bound of a ray is above 0: then there is no point.
func (q *proof) positive() bool { return q.sum.Sign() > 0 }

// fix narrows lo and up by reduced costs: if a column moves by some amount away from where the bound has it, the value
// is at least the bound plus |d| times that amount. Values from upper on are irrelevant. It reports whether anything
// changed.
func (q *proof) fix(upper int64, lo, up []int64) bool {
	if upper == None {
		return false
	}
	// room·2^−shift is the distance from the bound to the value upper − 1.
	room := new(big.Int).Lsh(big.NewInt(upper-1), q.shift)
	room.Sub(room, q.sum.Big())
	if room.Sign() < 0 || !room.IsInt64() {
		return false
	}
	r, changed := room.Int64(), false
	for i, d := range q.d {
		if d == 0 || lo[i] == up[i] {
			continue
		}
		if k := r / num.Abs(d); k < up[i]-lo[i] {
			changed = true
			if d > 0 {
				up[i] = lo[i] + k
			} else {
				lo[i] = up[i] - k
			}
		}
	}
	return changed
}
