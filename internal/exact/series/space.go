// Package series keeps the movements {z : M z = 0} of a shrinking set of cells at hand: which cells
// still move, which move only together, and how far one can move within the capacities of all.
//
// Withheld cells are in series if their movements are proportional, z_i = r·z_k for all z: publishing one of them
// publishes all of them to the intruder, so that a pattern can do without one of a class only if it can do without the class.
// (In the words of matroids: z ranges over the cycle space of the columns of M, and the classes are those of its cocircuits with two
// elements; Oxley, Matroid Theory, 2011, section 2.1.) Where levels are small beside the cells, this decides nearly alone what a pattern can do without:
// a cell is needed if it is in series with a sensitive one.
package series

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Vector is a movement: z_Cells[t] = Num[t], all others 0.
type Vector struct {
	Cells []int32
	Num   []int64
}

// A Space is the movements that leave the cells dropped so far where they are, spanned by columns. Zeros and proportions are
// found modulo a prime, so that they do not hang on a tolerance: what is zero is taken for zero, and a number that is not is taken
// for zero once in 2³¹ times. Values are floating point: they say how far cells move, and answers that rest on them have to be checked.
type Space struct {
	n    int
	cols []column
	// Two movements drawn at random modulo the prime: cells are in series if both have the same ratio there.
	a, b   []uint32
	at     []int32  // scratch
	prefix []uint32 // of Classes
	slot   []slot
	// Steps counts the work so far, about a nanosecond each.
	Steps int
}

// A column is a movement, by cell.
type column struct {
	mod  []uint32
	val  []float64
	size int // its nonzeros
}

// Set makes s the span of basis, independent movements of n cells, in the memory it has: 12 bytes for each cell and vector. The same seed draws the same.
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

// resize is n numbers, in v if they fit.
func resize[T uint32 | float64](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// zeroed is n zeros, in v if they fit.
func zeroed[T uint32 | float64](v []T, n int) []T {
	v = resize(v, n)
	clear(v)
	return v
}

// Copy makes s a copy of from, of the same cells, in the memory it has.
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

// Dims is the dimension of the space.
func (s *Space) Dims() int { return len(s.cols) }

// Still reports whether cell i does not move.
func (s *Space) Still(i int32) bool { return s.a[i] == 0 && s.b[i] == 0 }

// InSeries reports whether the movements of cells i and k, neither of them still, are proportional.
func (s *Space) InSeries(i, k int32) bool { return mul(s.a[i], s.b[k]) == mul(s.a[k], s.b[i]) }

// Drop leaves the movements that leave cell i where it is. along are further movements of the space, by cell, to each of which the multiple of one
// column is added that leaves i where it is. Cost: nonzeros of that column for each one that moves i.
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
	pivotShare = 0.1 // how small a pivot may be beside the largest one
	dropEach   = 4   // steps for each number that Drop changes, which stands anywhere in memory
	classEach  = 15  // steps of Classes for each cell
)

// subtract takes the multiple of p, with nonzeros at, from c that leaves cell i where it is; inv is 1/p_i.
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

// Factors returns how often the movement z, by cell, and how often −z fits into the capacities.
func (s *Space) Factors(z, up, dn []float64) (plus, minus float64) {
	plus, minus = math.Inf(1), math.Inf(1)
	for i, v := range z {
		switch {
		case s.Still(int32(i)): // rounding
		case v > 0:
			plus, minus = min(plus, up[i]/v), min(minus, dn[i]/v)
		case v < 0:
			plus, minus = min(plus, -dn[i]/v), min(minus, -up[i]/v)
		}
	}
	return plus, minus
}

// Classes sets class[i] for each cell to the number of its class of cells in series, −1 if it is still, and returns how many there
// are, in the order of their first cells.
func (s *Space) Classes(class []int32) int {
	// All ratios a/b by one inversion: prefix products of b.
	s.at = s.at[:0]
	prefix := slices.Grow(s.prefix[:0], s.n)
	product := uint32(1)
	for i := range s.n {
		class[i] = -1
		if s.b[i] == 0 { // still but for one case in 2³¹
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

// A slot of a hash table holds a ratio and one more than the number of its class, 0 if it is empty.
type slot struct {
	ratio uint32
	next  int32
}
