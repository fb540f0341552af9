package integer

import (
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// maxResidue bounds the memory of the elimination, in words.
const maxResidue = 1 << 25

// residue determines that the values of all points are congruent to offset modulo step, so that bounds may be rounded
// up to such numbers. step is the greatest common divisor g of the costs, or 2g if c/g is, modulo 2, a sum of equation
// rows, as in tables that add up along a dimension without hierarchy (each cell is in one sum along it, so changing a
// rounding changes an even number of cells). Fixed columns do not count. Cost: an elimination over bits.
func (p *Program) residue(lo, up []int64) (step, offset int64) {
	g, fixed := int64(0), int64(0)
	at := make([]int32, len(p.Cost)) // index among the columns that are not fixed
	n := int32(0)
	for i, c := range p.Cost {
		at[i] = -1
		if lo[i] == up[i] {
			fixed += c * lo[i]
			continue
		}
		at[i] = n
		n++
		g = num.GCD(g, num.Abs(c))
	}
	if g == 0 {
		return 1, 0
	}
	var rows []*Row
	for j := range p.Rows {
		if r := &p.Rows[j]; r.Lo == r.Up {
			rows = append(rows, r)
		}
	}
	words := int(n)/64 + 1 // one more bit for the right-hand side
	offset = mod(fixed, g)
	if len(rows)*words*min(len(rows), 64) > maxResidue {
		return g, offset
	}
	reduced := make([][]uint64, 0, len(rows))
	pivot := make([]int, 0, len(rows))
	reduce := func(v []uint64) {
		for k, r := range reduced {
			if v[pivot[k]/64]>>(pivot[k]%64)&1 == 1 {
				for w := range v {
					v[w] ^= r[w]
				}
			}
		}
	}
	first := func(v []uint64) int { // the first column; n: only the right-hand side; −1: zero
		for w, x := range v {
			if x != 0 {
				return 64*w + bits.TrailingZeros64(x)
			}
		}
		return -1
	}
	flip := func(v []uint64, k int32) { v[k/64] ^= 1 << (k % 64) }
	for _, r := range rows {
		v := make([]uint64, words)
		right := r.Lo
		for t, i := range r.Idx {
			if k := at[i]; k < 0 {
				right -= r.Coef[t] * lo[i]
			} else if r.Coef[t]%2 != 0 {
				flip(v, k)
			}
		}
		if right%2 != 0 {
			flip(v, n)
		}
		reduce(v)
		k := first(v)
		if k < 0 || k == int(n) { // redundant, or no point exists, which the search finds out
			continue
		}
		reduced, pivot = append(reduced, v), append(pivot, k)
	}
	v := make([]uint64, words)
	for i, c := range p.Cost {
		if at[i] >= 0 && c/g%2 != 0 {
			flip(v, at[i])
		}
	}
	reduce(v)
	switch k := first(v); {
	case k >= 0 && k < int(n):
		return g, offset
	case k == int(n):
		return 2 * g, mod(fixed+g, 2*g)
	}
	return 2 * g, mod(fixed, 2*g)
}

// next returns the least number from v on that is congruent to offset modulo step.
func next(v, step, offset int64) int64 {
	if v <= -largest || v >= largest {
		return v
	}
	return v + mod(offset-v, step)
}

// mod returns a modulo b, nonnegative.
func mod(a, b int64) int64 { return a - b*num.FloorDiv(a, b) }
