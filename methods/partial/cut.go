package partial

import (
	"math"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/table"
)

// A cut is Σ coef·y[idx] ≥ rhs over columns, in whole numbers, idx ascending.
type cut struct {
	idx  []int32
	coef []int64
	rhs  int64
	hash uint64
	row  int // its row in the master, −1: none
	age  int // consecutive solves in which it was not used
}

// misses returns the violation of the cut by y, relative to its right-hand side.
func (c *cut) misses(y []float64) float64 {
	sum := 0.0
	for t, j := range c.idx {
		sum += float64(float64(c.coef[t]) * y[j])
	}
	return 1 - sum/float64(c.rhs)
}

// A cutter turns duals into cuts. It holds buffers; each shard has one.
type cutter struct {
	p    *problem
	coef []int64 // by column
	hit  []int32
	left int64 // what is left of the right-hand side
	ok   bool
}

func newCutter(p *problem) *cutter { return &cutter{p: p, coef: make([]int64, len(p.cell))} }

// begin starts a cut with the right-hand side want·den.
func (q *cutter) begin(want, den int64) {
	q.left, q.ok = product(want, den)
}

// add adds times·(d⁺ y⁺ + d⁻ y⁻) for the numerators of d, mirrored if sign is −1.
func (q *cutter) add(d *oracle.Dual, sign int, times int64) {
	p := q.p
	for t, i := range d.Idx {
		v, dir := d.Coef[t]*int64(sign), up
		if v < 0 {
			v, dir = -v, down
		}
		v, ok := product(v, times)
		if q.ok = q.ok && ok; !q.ok {
			return
		}
		if c := p.col[dir][i]; c >= 0 {
			if q.coef[c] == 0 {
				q.hit = append(q.hit, c)
			}
			if q.coef[c] += v; q.coef[c] > 1<<61 {
				q.ok = false
			}
			continue
		}
		switch g := p.given[dir][i]; g {
		case 0:
		case table.PosInf: // no cut follows
			q.ok = false
		default:
			g, ok := product(v, g)
			q.ok, q.left = q.ok && ok, q.left-g
		}
	}
}

// take returns the cut, nil if it is empty or overflows 64 bits, and clears the buffers.
func (q *cutter) take() *cut {
	defer func() {
		for _, c := range q.hit {
			q.coef[c] = 0
		}
		q.hit = q.hit[:0]
	}()
	if !q.ok || q.left <= 0 {
		return nil
	}
	slices.Sort(q.hit)
	c := &cut{rhs: q.left, row: -1}
	g := q.left
	for _, j := range q.hit {
		g = num.GCD(g, q.coef[j])
	}
	h := num.NewHash()
	for _, j := range q.hit {
		v := q.coef[j] / g
		c.idx, c.coef = append(c.idx, j), append(c.coef, v)
		h = h.Add(uint64(j)).Add(uint64(v))
	}
	c.rhs /= g
	c.hash = uint64(h.Add(uint64(c.rhs)))
	return c
}

// one returns the capacity cut of d for a level in direction sign, or that of a coarser d if its numbers overflow 64
// bits; two returns the cut of a width from a dual upwards and one downwards.
func (q *cutter) one(d *oracle.Dual, sign int, want int64) *cut {
	for ; ; d = coarser(d) {
		q.begin(want, d.Den)
		q.add(d, sign, 1)
		ok := q.ok
		if c := q.take(); ok || d.Den < 1<<coarse {
			return c
		}
	}
}

func (q *cutter) two(hi, lo *oracle.Dual, want int64) *cut {
	for ; ; hi, lo = coarser(hi), coarser(lo) {
		q.pair(hi, lo, want)
		ok := q.ok
		if c := q.take(); ok || hi.Den < 1<<coarse || lo.Den < 1<<coarse {
			return c
		}
	}
}

// coarse is the number of bits by which a denominator is shortened in one step.
const coarse = 4

// coarser returns d with a smaller denominator, numerators rounded away from 0 and the denominator down: as y ≥ 0, its
// cut follows from that of d.
func coarser(d *oracle.Dual) *oracle.Dual {
	c := &oracle.Dual{K: d.K, Den: d.Den >> coarse, Idx: d.Idx, Coef: make([]int64, len(d.Coef))}
	for t, v := range d.Coef {
		if c.Coef[t] = num.CeilDiv(num.Abs(v), 1<<coarse); v < 0 {
			c.Coef[t] = -c.Coef[t]
		}
	}
	return c
}

func (q *cutter) pair(hi, lo *oracle.Dual, want int64) {
	g := num.GCD(hi.Den, lo.Den)
	den, ok := product(hi.Den, lo.Den/g)
	q.begin(want, den)
	q.ok = q.ok && ok
	if q.ok {
		q.add(hi, 1, lo.Den/g)
	}
	if q.ok {
		q.add(lo, -1, hi.Den/g)
	}
}

// product returns a·b for a, b ≥ 0; ok is false unless it is far below 2^63.
func product(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > math.MaxInt64/4 {
		return 0, false
	}
	return int64(lo), true
}
