package oracle

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	ints "github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// A Point is a z with M z = 0, with the largest multiples that the capacities of a table allow: each is a witness for
// all cells that it moves. It is immutable.
type Point struct {
	Cells []int32   // the cells with z ≠ 0, ascending
	Z     []float64 // their values
	// num is proportional to z, without a common divisor, with M num = 0 proved; nil if no such numbers were found.
	num []int64
	// The largest factors f such that f·z and −f·z are within the capacities (+Inf: any), and the index of a cell that
	// limits them, −1 if none.
	factor [2]float64
	least  [2]int
	up, dn []int64
}

// NewPoint takes a z found by an engine or a router, with cells ascending, and tries to write it as an exact point. up
// and dn are the capacities of all cells (table.PosInf: none), which it keeps. Cost linear in the entries of the
// relations of cells.
func (s *System) NewPoint(cells []int32, z []float64, up, dn []int64) *Point {
	p := &Point{Cells: cells, Z: z, up: up, dn: dn, factor: [2]float64{inf, inf}, least: [2]int{-1, -1}}
	p.num = s.fractions(cells, z)
	for t := range cells {
		for side := range p.factor {
			if c := p.capacity(t, side); c != table.PosInf {
				if f := float64(c) / math.Abs(z[t]); f < p.factor[side] {
					p.factor[side] = f
				}
			}
			if p.num != nil && p.tighter(t, side) {
				p.least[side] = t
			}
		}
	}
	return p
}

// capacity returns how far the t-th cell may move along z (side 0) or −z (side 1).
func (p *Point) capacity(t, side int) int64 {
	if (p.Z[t] > 0) == (side == 0) {
		return p.up[p.Cells[t]]
	}
	return p.dn[p.Cells[t]]
}

// tighter reports whether cell t limits side more than cell least[side] does:
// cap_t/|num_t| < cap_s/|num_s|.
func (p *Point) tighter(t, side int) bool {
	c := p.capacity(t, side)
	if c == table.PosInf {
		return false
	}
	s := p.least[side]
	return s < 0 || less(c, abs64(p.num[s]), p.capacity(s, side), abs64(p.num[t]))
}

// less reports whether a·b < c·d for a, b, c, d ≥ 0.
func less(a, b, c, d int64) bool {
	h1, l1 := bits.Mul64(uint64(a), uint64(b))
	h2, l2 := bits.Mul64(uint64(c), uint64(d))
	return h1 < h2 || h1 == h2 && l1 < l2
}

// fractions returns integers proportional to z with M num = 0, nil if small denominators do not suffice.
func (s *System) fractions(cells []int32, z []float64) []int64 {
	num := make([]int64, len(z))
	var rels []int32
next:
	for _, den := range denominators[:12] {
		d := float64(den)
		for t, v := range z {
			r := math.Round(v * d)
			if r == 0 || math.Abs(float64(v*d)-r) > 1e-6*max(1, math.Abs(v)) || math.Abs(r) > 1<<50 {
				continue next
			}
			num[t] = int64(r)
		}
		if rels == nil {
			for _, i := range cells {
				rel, _ := s.Cols.Column(int(i))
				rels = append(rels, rel...)
			}
			slices.Sort(rels)
			rels = slices.Compact(rels)
		}
		if s.inKernel(cells, num, rels) {
			g := int64(0)
			for _, v := range num {
				g = ints.GCD(g, abs64(v))
			}
			for t := range num {
				num[t] /= g
			}
			return num
		}
	}
	return nil
}

// inKernel checks Σ coef·num = 0 in integers over the relations rels.
func (s *System) inKernel(cells []int32, num []int64, rels []int32) bool {
	for _, j := range rels {
		cell, coef := s.Rel.Row(int(j))
		sum := int64(0)
		for t, i := range cell {
			at, ok := slices.BinarySearch(cells, i)
			if !ok {
				continue
			}
			if coef[t] > 1<<8 || coef[t] < -1<<8 {
				return false
			}
			if sum += int64(coef[t]) * num[at]; sum > 1<<61 || sum < -1<<61 {
				return false
			}
		}
		if sum != 0 {
			return false
		}
	}
	return true
}

// Exact reports whether the point is known exactly.
func (p *Point) Exact() bool { return p.num != nil }

// side returns the index of cell k and the side of p that moves it in direction sign.
func (p *Point) side(k int32, sign int) (at, side int, ok bool) {
	if at, ok = slices.BinarySearch(p.Cells, k); !ok {
		return 0, 0, false
	}
	if (p.Z[at] > 0) != (sign > 0) {
		side = 1
	}
	return at, side, true
}

// Far returns how far multiples of p move cell k in direction sign, in floating point; +Inf if unbounded.
func (p *Point) Far(k int32, sign int) float64 {
	at, side, ok := p.side(k, sign)
	if !ok {
		return 0
	}
	if p.factor[side] == inf {
		return inf
	}
	return math.Abs(p.Z[at]) * p.factor[side]
}

// Distance is Far in exact arithmetic; nil if unbounded. It is 0 if the point is not exact.
func (p *Point) Distance(k int32, sign int) *big.Rat {
	at, side, ok := p.side(k, sign)
	if !ok || p.num == nil {
		return new(big.Rat)
	}
	l := p.least[side]
	if l < 0 {
		return nil
	}
	r := new(big.Rat).SetFrac64(p.capacity(l, side), abs64(p.num[l]))
	return r.Mul(r, new(big.Rat).SetInt64(abs64(p.num[at])))
}

// Farthest returns the largest multiple of p (of −p if p moves cell k against sign) within the capacities, as num/den
// over p.Cells; if there is no largest, one that moves every cell by at least limit. It returns nil if p is not exact
// or the numbers are too large.
func (p *Point) Farthest(k int32, sign int, limit int64) (num []int64, den int64) {
	_, side, ok := p.side(k, sign)
	if !ok || p.num == nil {
		return nil, 0
	}
	f, den := limit, int64(1)
	if l := p.least[side]; l >= 0 {
		f, den = p.capacity(l, side), abs64(p.num[l])
		g := ints.GCD(f, den)
		f, den = f/max(1, g), den/max(1, g)
	}
	if side == 1 {
		f = -f
	}
	num = make([]int64, len(p.num))
	for t, v := range p.num {
		if hi, lo := bits.Mul64(uint64(abs64(v)), uint64(abs64(f))); hi != 0 || lo > 1<<60 {
			return nil, 0
		}
		num[t] = v * f
	}
	return num, den
}
