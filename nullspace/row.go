package nullspace

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	ints "github.com/hitoku/hitoku/internal/exact/num"
)

// A row is a vector of integers, int64 as long as all entries fit, else big.Int: exactly one of s and b is non-nil.
// Operations decide in advance, from the largest magnitudes, whether int64 suffices for all entries, so the loops need
// no checks; a row is demoted to int64 as soon as it fits again.
type row struct {
	s []int64
	b []*big.Int
}

func newRow(n int) row { return row{s: make([]int64, n)} }

func (r *row) len() int {
	if r.b != nil {
		return len(r.b)
	}
	return len(r.s)
}

func (r *row) at(i int) num {
	if r.b != nil {
		return fromBig(r.b[i])
	}
	return num{s: r.s[i]}
}

func (r *row) zero(i int) bool {
	if r.b != nil {
		return r.b[i].Sign() == 0
	}
	return r.s[i] == 0
}

func (r *row) set(i int, x num) {
	if r.b == nil {
		if x.b == nil {
			r.s[i] = x.s
			return
		}
		r.promote()
	}
	r.b[i] = x.big()
}

func (r *row) clone() row {
	if r.b == nil {
		return row{s: append(make([]int64, 0, len(r.s)), r.s...)}
	}
	b := make([]*big.Int, len(r.b))
	for i, x := range r.b {
		b[i] = new(big.Int).Set(x)
	}
	return row{b: b}
}

func (r *row) promote() {
	if r.b != nil {
		return
	}
	r.b = make([]*big.Int, len(r.s))
	for i, x := range r.s {
		r.b[i] = big.NewInt(x)
	}
	r.s = nil
}

func (r *row) demote() {
	if r.b == nil {
		return
	}
	for _, x := range r.b {
		if !x.IsInt64() {
			return
		}
	}
	r.s = make([]int64, len(r.b))
	for i, x := range r.b {
		r.s[i] = x.Int64()
	}
	r.b = nil
}

// largest returns the largest magnitude of an int64 row.
func (r *row) largest() uint64 {
	m := uint64(0)
	for _, x := range r.s {
		m = max(m, ints.Magnitude(x))
	}
	return m
}

// isZero reports whether the first n entries are 0.
func (r *row) isZero(n int) bool {
	for i := range n {
		if !r.zero(i) {
			return false
		}
	}
	return true
}

// weight counts the nonzero entries among the first n.
func (r *row) weight(n int) int {
	w := 0
	for i := range n {
		if !r.zero(i) {
			w++
		}
	}
	return w
}

// combine replaces r by p·r − q·o.
func (r *row) combine(p, q num, o *row) {
	if r.b == nil && o.b == nil && p.b == nil && q.b == nil {
		h1, l1 := bits.Mul64(ints.Magnitude(p.s), r.largest())
		h2, l2 := bits.Mul64(ints.Magnitude(q.s), o.largest())
		if h1|h2 == 0 && l1 < 1<<62 && l2 < 1<<62 {
			if p.s == 1 {
				for i, x := range o.s {
					r.s[i] -= q.s * x
				}
				return
			}
			for i, x := range o.s {
				r.s[i] = p.s*r.s[i] - q.s*x
			}
			return
		}
	}
	r.promote()
	pb, qb, t := p.wide(), q.wide(), new(big.Int)
	for i := range r.b {
		x := o.at(i)
		r.b[i].Mul(r.b[i], pb)
		r.b[i].Sub(r.b[i], t.Mul(qb, x.wide()))
	}
	r.demote()
}

// negate replaces r by −r.
func (r *row) negate() {
	if r.b == nil {
		if slices.Contains(r.s, math.MinInt64) {
			r.promote()
		}
	}
	for i := range r.s {
		r.s[i] = -r.s[i]
	}
	for _, x := range r.b {
		x.Neg(x)
	}
	r.demote()
}

// primitive divides r by the gcd of its entries.
func (r *row) primitive() {
	g := num{}
	for i := range r.len() {
		if g = g.gcd(r.at(i)); g.b == nil && g.s == 1 {
			return
		}
	}
	if g.sign() == 0 {
		return
	}
	if r.b == nil && g.b == nil {
		for i := range r.s {
			r.s[i] /= g.s
		}
		return
	}
	r.promote()
	gb := g.wide()
	for _, x := range r.b {
		x.Quo(x, gb)
	}
	r.demote()
}

// dot returns Σ r_i o_i.
func (r *row) dot(o *row) num {
	if r.b == nil && o.b == nil {
		if h, l := bits.Mul64(r.largest(), o.largest()); h == 0 {
			if h, l = bits.Mul64(l, uint64(len(r.s))); h == 0 && l < 1<<63 {
				s := int64(0)
				for i, x := range r.s {
					s += x * o.s[i]
				}
				return num{s: s}
			}
		}
	}
	sum := num{}
	for i := range r.len() {
		sum = sum.add(r.at(i).mul(o.at(i)))
	}
	return sum
}
