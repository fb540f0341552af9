package defence

import (
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// A cycle is an integer vector z of the kernel of M, in lowest terms. If a table has capacity to follow it, up or down,
// it shows how far its cells can move.
type cycle struct {
	cell []int32
	z    []int64
}

// newCycle makes a cycle of a move.
func newCycle(m *move) *cycle {
	c := &cycle{}
	g := int64(0)
	for t, v := range m.num {
		if v != 0 {
			c.cell, c.z = append(c.cell, m.cell[t]), append(c.z, v)
			g = num.GCD(g, int64(num.Magnitude(v)))
		}
	}
	for t := range c.z {
		c.z[t] /= g
	}
	return c
}

// reach returns how far, in whole units and at most enough, cell k moves up and down along c within the capacities; at
// is the index of k in c.
//
//	up = min over cells i of the cycle with z_i/z_k > 0 of ⌊up_i |z_k|/|z_i|⌋, …
func (c *cycle) reach(at int, enough int64, up, dn []int64) (above, below int64) {
	own := c.z[at]
	f := int64(num.Magnitude(own))
	above, below = enough, enough
	for t, i := range c.cell {
		a, b := up[i], dn[i]
		if (c.z[t] > 0) != (own > 0) {
			a, b = b, a
		}
		g := int64(num.Magnitude(c.z[t]))
		above = min(above, share(a, f, g, enough))
		below = min(below, share(b, f, g, enough))
	}
	return above, below
}

// share returns min(enough, ⌊capacity·f/g⌋).
func share(capacity, f, g, enough int64) int64 {
	if capacity == table.PosInf {
		return enough
	}
	hi, lo := bits.Mul64(uint64(capacity), uint64(f))
	if hi >= uint64(g) {
		return enough
	}
	q, _ := bits.Div64(hi, lo, uint64(g))
	if q > uint64(enough) {
		return enough
	}
	return int64(q)
}

// maxCycles is how many cycles are remembered for each cell to protect.
const maxCycles = 8

// cycles are the cycles that showed the width of one cell, the most recently useful first.
type cycles struct {
	list  []*cycle
	place []int // index of each cell in the cycle
}

// add stores the cycle of z for cell k.
func (s *cycles) add(k int32, z *move) {
	at := -1
	c := newCycle(z)
	if at = slices.Index(c.cell, k); at < 0 {
		return
	}
	for t, old := range s.list {
		if slices.Equal(old.cell, c.cell) && slices.Equal(old.z, c.z) {
			s.front(t)
			return
		}
	}
	if len(s.list) < maxCycles {
		s.list, s.place = append(s.list, nil), append(s.place, 0)
	}
	last := len(s.list) - 1
	s.list[last], s.place[last] = c, at
	s.front(last)
}

func (s *cycles) front(t int) {
	c, at := s.list[t], s.place[t]
	copy(s.list[1:t+1], s.list[:t])
	copy(s.place[1:t+1], s.place[:t])
	s.list[0], s.place[0] = c, at
}

// show reports whether the cycles show a width of at least need within the capacities.
func (s *cycles) show(need int64, up, dn []int64) bool {
	var above, below int64
	for t, c := range s.list {
		a, b := c.reach(s.place[t], need, up, dn)
		if above, below = max(above, a), max(below, b); above+below >= need {
			s.front(t)
			return true
		}
	}
	return false
}
