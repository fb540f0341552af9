// Package series maintains the movements {z : M z = 0} of a shrinking set of cells: which cells still move, which move
// only together, and how far one can move within the capacities of all.
//
// Withheld cells are in series if their movements are proportional, z_i = r·z_k for all z: publishing one of them
// reveals all of them to the intruder, so a pattern can drop one cell of a class only if it can drop the whole class.
// (In terms of matroids: z ranges over the cycle space of the columns of M, and the classes are formed by its
// cocircuits with two elements; Oxley, Matroid Theory, 2011, section 2.1.) If levels are small compared with the cells,
// this nearly determines what a pattern can drop: a cell is needed if it is in series with a sensitive one.
package series

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Vector is a movement: z_Cells[t] = Num[t], and 0 for all other cells.
type Vector struct {
	Cells []int32
	Num   []int64
}

// A Space is the set of movements that do not move the cells dropped so far, spanned by columns. Zeros and proportions
// are determined modulo a prime, so they do not depend on a tolerance: a zero is always recognised, and a nonzero
// number is mistaken for zero with probability 2^−31. Values are in floating point: they tell how far cells move, and
// answers based on them have to be checked.
type Space struct {
	n    int
	cols []column
	// Two random movements modulo the prime: cells are in series if both have the same ratio there.
	a, b   []uint32
	at     []int32  // buffer
	prefix []uint32 // buffer of Classes
	slot   []slot
	// Steps counts the work so far, in units of about a nanosecond.
	Steps int
}

// A column is a movement, by cell.
type column struct {
	mod  []uint32
	val  []float64
	size int // number of nonzeros
}

// Set makes s the span of basis, independent movements of n cells, reusing its memory: 12 bytes for each cell and
// vector. The same seed draws the same random movements.
func (s *Space) Set(n int, basis []Vector, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0x94d049bb133111eb))
	s.n, s.a, s.b = n, zeroed(s.a, n), zeroed(s.b, n)
	all := s.cols[:cap(s.cols)]
	for k, v := range basis {
		if k == len(all) {
			all = append(all, column{})
		}
		c := &all[k]
		c.mod, c.val, c.size = zeroed(c.mod, n), zeroed(c.val, n), len(v.Cells)
		u, w := rng.Uint32N(prime), rng.Uint32N(prime)
		for t, i := range v.Cells {
			c.mod[i], c.val[i] = residue(v.Num[t]), float64(v.Num[t])
			s.a[i] = add(s.a[i], mul(u, c.mod[i]))
			s.b[i] = add(s.b[i], mul(w, c.mod[i]))
		}
	}
	s.cols = all[:len(basis)]
}

// resize returns a slice of n numbers, reusing v if possible.
func resize[T uint32 | float64](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// zeroed returns a slice of n zeros, reusing v if possible.
func zeroed[T uint32 | float64](v []T, n int) []T {
	v = resize(v, n)
	clear(v)
	return v
}

// Copy makes s a copy of from, which must have the same cells, reusing its memory.
func (s *Space) Copy(from *Space) {
	s.n = from.n
	s.a, s.b = append(s.a[:0], from.a...), append(s.b[:0], from.b...)
	all := s.cols[:cap(s.cols)]
	for k := range from.cols {
		if k == len(all) {
			all = append(all, column{})
		}
		all[k].mod = append(all[k].mod[:0], from.cols[k].mod...)
		all[k].val = append(all[k].val[:0], from.cols[k].val...)
		all[k].size = from.cols[k].size
	}
	s.cols = all[:len(from.cols)]
}

// Dims returns the dimension of the space.
func (s *Space) Dims() int { return len(s.cols) }

// Still reports whether cell i does not move.
func (s *Space) Still(i int32) bool { return s.a[i] == 0 && s.b[i] == 0 }

// InSeries reports whether the movements of cells i and k, both of which must move, are proportional.
func (s *Space) InSeries(i, k int32) bool { return mul(s.a[i], s.b[k]) == mul(s.a[k], s.b[i]) }

// Drop restricts the space to the movements that do not move cell i. To each of along, further movements of the space
// by cell, the multiple of one column is added that stops cell i. Cost: the nonzeros of that column for each column or
// movement that moves i.
func (s *Space) Drop(i int32, along ...[]float64) {
	most := 0.0
	for k := range s.cols {
		most = max(most, math.Abs(s.cols[k].val[i]))
	}
	j := -1
	for k := range s.cols {
		c := &s.cols[k]
		if c.mod[i] != 0 && math.Abs(c.val[i]) >= pivotShare*most && (j < 0 || c.size < s.cols[j].size) {
			j = k
		}
	}
	if j < 0 {
		return
	}
	p := &s.cols[j]
	s.at = s.at[:0]
	for h, v := range p.mod {
		if v != 0 {
			s.at = append(s.at, int32(h))
		}
	}
	inv := inverse(p.mod[i])
	s.Steps += s.n + dropEach*len(s.at)*(2+len(along))
	for k := range s.cols {
		if c := &s.cols[k]; k != j && c.mod[i] != 0 {
			c.subtract(p, s.at, i, inv)
			s.Steps += dropEach * len(s.at)
		}
	}
	for _, z := range [2][]uint32{s.a, s.b} {
		f := negative(mul(z[i], inv))
		for _, h := range s.at {
			z[h] = add(z[h], mul(f, p.mod[h]))
		}
	}
	for _, z := range along {
		f := z[i] / p.val[i]
		for _, h := range s.at {
			z[h] -= float64(f * p.val[h])
		}
	}
	last := len(s.cols) - 1
	s.cols[j], s.cols[last] = s.cols[last], s.cols[j]
	s.cols = s.cols[:last]
}

const (
	pivotShare = 0.1 // smallest pivot relative to the largest candidate
	dropEach   = 4   // steps for each number that Drop changes, at a random memory location
	classEach  = 15  // steps of Classes for each cell
)

// subtract subtracts from c the multiple of p, whose nonzeros are at at, that stops cell i; inv is 1/p_i.
func (c *column) subtract(p *column, at []int32, i int32, inv uint32) {
	f, g := negative(mul(c.mod[i], inv)), c.val[i]/p.val[i]
	for _, h := range at {
		was := c.mod[h]
		v := add(was, mul(f, p.mod[h]))
		c.mod[h] = v
		switch {
		case v == 0:
			c.size--
			c.val[h] = 0
		case was == 0:
			c.val[h] = -g * p.val[h]
		default:
			c.val[h] -= float64(g * p.val[h])
		}
		if was == 0 {
			c.size++
		}
	}
}

// Factors returns the largest multiples of the movement z, by cell, and of −z within the capacities.
func (s *Space) Factors(z, up, dn []float64) (plus, minus float64) {
	plus, minus = math.Inf(1), math.Inf(1)
	for i, v := range z {
		switch {
		case s.Still(int32(i)): // nonzero only by rounding
		case v > 0:
			plus, minus = min(plus, up[i]/v), min(minus, dn[i]/v)
		case v < 0:
			plus, minus = min(plus, -dn[i]/v), min(minus, -up[i]/v)
		}
	}
	return plus, minus
}

// Classes sets class[i] to the number of the class of cells in series with cell i, −1 if it does not move, and returns
// the number of classes, which are in order of their first cells.
func (s *Space) Classes(class []int32) int {
	// All ratios a/b with a single inversion, by prefix products of b.
	s.at = s.at[:0]
	prefix := slices.Grow(s.prefix[:0], s.n)
	product := uint32(1)
	for i := range s.n {
		class[i] = -1
		if s.b[i] == 0 { // cell i does not move, except in one case in 2³¹
			continue
		}
		s.at = append(s.at, int32(i))
		prefix = append(prefix, product)
		product = mul(product, s.b[i])
	}
	s.prefix = prefix
	s.Steps += classEach * s.n
	inv := inverse(product)
	if len(s.slot) < 2*s.n {
		s.slot = make([]slot, 1<<bits.Len(uint(2*s.n)))
	}
	clear(s.slot)
	ratio := prefix
	for t := len(s.at) - 1; t >= 0; t-- {
		i := s.at[t]
		ratio[t] = mul(s.a[i], mul(inv, prefix[t]))
		inv = mul(inv, s.b[i])
	}
	count := int32(0)
	shift, mask := 32-bits.Len(uint(len(s.slot)-1)), uint32(len(s.slot)-1)
	for t, r := range ratio {
		h := r * 0x9e3779b1 >> shift
		for s.slot[h].next > 0 && s.slot[h].ratio != r {
			h = (h + 1) & mask
		}
		if s.slot[h].next == 0 {
			count++
			s.slot[h] = slot{r, count}
		}
		class[s.at[t]] = s.slot[h].next - 1
	}
	return int(count)
}

// A slot of a hash table holds a ratio and 1 + the number of its class, 0 if it is empty.
type slot struct {
	ratio uint32
	next  int32
}
