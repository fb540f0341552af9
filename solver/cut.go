package solver

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/table"
)

// Families of cuts, as counted in Solution.Cuts.
const (
	capacityCut   = "capacity"
	mirrorCut     = "mirror"
	widthCut      = "width"
	coverCut      = "cover"
	bridgelessCut = "bridgeless"
	zeroHalfCut   = "zerohalf"
	mirCut        = "mir"
)

// A cut is Σ val·x[idx] ≥ rhs over columns, idx ascending. Capacity cuts are
// divided by their right-hand side, so rhs = 1 and 0 < val ≤ 1.
type cut struct {
	idx     []int32
	val     []float64
	rhs     float64
	family  string
	integer bool // all coefficients and rhs are integers
	mixed   bool // some coefficient is negative: covers do not apply
	hash    uint64
	gain    float64          // rhs − Σ val·x at the last pool.evaluate
	age     int              // rounds since it was last tight or violated
	why     certificate.Rule // the rule that proves it; nil if no certificate is recorded
	row     int              // its row in the master; −1: none
	chosen  bool             // has been in a master
	from    *source          // the duals behind this cut, or behind the cut that it strengthens; may be nil
	used    int              // pool.round when it was last tight, violated or in the master
}

// violation returns rhs − Σ val·x.
func (c *cut) violation(x []float64) float64 {
	v := c.rhs
	for t, j := range c.idx {
		v -= float64(c.val[t] * x[j])
	}
	return v
}

// copy returns c for use in another pool.
func (c *cut) copy() *cut {
	d := *c
	d.row, d.age, d.gain, d.chosen = -1, 0, 0, false
	return &d
}

// seal sets the hash of a finished cut.
func (c *cut) seal() *cut {
	h := num.NewHash()
	c.integer, c.mixed = c.rhs == math.Trunc(c.rhs), false
	for t, j := range c.idx {
		c.mixed = c.mixed || c.val[t] < 0
		c.integer = c.integer && c.val[t] == math.Trunc(c.val[t])
		h = h.Add(uint64(j)).Add(math.Float64bits(c.val[t]))
	}
	c.hash = uint64(h.Add(math.Float64bits(c.rhs)))
	c.row = -1
	return c
}

// A cutter turns duals into cuts. It holds scratch space; one per shard.
type cutter struct {
	p    *problem
	coef []float64 // per column
	hit  []int32
	// given is Σ |Coef|·capacity of the last dual over the cells withheld from the start.
	given int64
}

func newCutter(p *problem) *cutter { return &cutter{p: p, coef: make([]float64, len(p.cand))} }

// add accumulates the coefficients α_i U_i + β_i L_i of the dual d in direction sign (−1 mirrors it), or, for cells
// that d bounds by relations, those that result from the relations. It returns exactly the part of cells withheld from
// the start; nil if that is infinite or exceeds an int64: then it exceeds every level, so there is no cut.
func (q *cutter) add(d *oracle.Dual, sign int) *big.Rat {
	p := q.p
	q.given = 0
	for t, i := range d.Idx {
		if p.col[i] < 0 && !p.given[i] {
			continue
		}
		v, side := d.Coef[t]*int64(sign), 0
		if v < 0 {
			v, side = -v, 1
		}
		ok := false
		if j := d.Along(side, t); j >= 0 {
			ok = q.along(int(j), i, side, v, d.Den)
		} else {
			ok = q.put(i, p.capacity(i, side), v, d.Den)
		}
		if !ok {
			return nil
		}
	}
	return big.NewRat(q.given, d.Den)
}

// capacity returns how far cell i can move upwards (side 0) or downwards.
func (p *problem) capacity(i int32, side int) int64 {
	if side == 0 {
		return p.iup[i]
	}
	return p.idn[i]
}

// put adds v·capacity/den to the coefficient of cell i or, for a given cell, to the given part; it returns false if
// that overflows an int64.
func (q *cutter) put(i int32, capacity, v, den int64) bool {
	if capacity == 0 {
		return true
	}
	if c := q.p.col[i]; c >= 0 {
		if q.coef[c] == 0 {
			q.hit = append(q.hit, c)
		}
		q.coef[c] += float64(float64(v) / float64(den) * real(capacity))
		return true
	}
	if capacity == table.PosInf {
		return false
	}
	hi, lo := bits.Mul64(uint64(v), uint64(capacity))
	if hi != 0 || lo > math.MaxInt64 || q.given+int64(lo) < q.given {
		return false
	}
	q.given += int64(lo)
	return true
}

// cut returns the accumulated cut Σ coef·x ≥ want − Σ given, divided by its right-hand side, with coefficients capped
// at 1, and clears the accumulator. It returns nil if the given cells alone meet the level; this is decided exactly, so
// that rounding errors cannot become a cut. why, if not nil, is the rule that proves the cut.
func (q *cutter) cut(want *big.Rat, family string, why certificate.Rule, given ...*big.Rat) *cut {
	defer func() {
		for _, c := range q.hit {
			q.coef[c] = 0
		}
		q.hit = q.hit[:0]
	}()
	left := new(big.Rat).Set(want)
	for _, g := range given {
		if g == nil {
			return nil
		}
		left.Sub(left, g)
	}
	if left.Sign() <= 0 {
		return nil
	}
	rhs, _ := left.Float64()
	var spend []int32
	slices.Sort(q.hit)
	cut := &cut{idx: make([]int32, 0, len(q.hit)), val: make([]float64, 0, len(q.hit)), rhs: 1, family: family}
	dropped := 0.0
	for _, c := range q.hit {
		switch v := q.coef[c] / rhs; {
		case v >= coefOne:
			cut.idx, cut.val = append(cut.idx, c), append(cut.val, 1)
		case v < coefLeast: // too small for floating point: subtract it from the right-hand side
			dropped += v
			spend = append(spend, c)
		default:
			cut.idx, cut.val = append(cut.idx, c), append(cut.val, v)
		}
	}
	if dropped > 0 {
		cut.rhs -= dropped
	}
	if why != nil {
		cut.why = spent(q.p, why, spend)
	}
	return cut.seal()
}
