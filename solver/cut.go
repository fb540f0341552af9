package solver

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/interval"
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
	mixed   bool // some coefficient is negative: what holds for covers does not
	hash    uint64
	gain    float64          // rhs − Σ val·x at the last pool.evaluate
	age     int              // rounds since it was tight or violated
	why     certificate.Rule // how it follows; nil unless a certificate is recorded
	row     int              // in the master, −1
	chosen  bool             // was in a master
	from    *source          // what it or the cut it was strengthened from follows from; may be nil
	used    int              // pool.round when it was last tight, violated or in the master
}

// violation returns rhs − Σ val·x.
func (c *cut) violation(x []float64) float64 {
	v := c.rhs
	for t, j := range c.idx {
		v -= c.val[t] * x[j]
	}
	return v
}

// seal sets the hash of a finished cut.
func (c *cut) seal() *cut {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	c.integer, c.mixed = c.rhs == math.Trunc(c.rhs), false
	for t, j := range c.idx {
		c.mixed = c.mixed || c.val[t] < 0
		c.integer = c.integer && c.val[t] == math.Trunc(c.val[t])
		h = (h ^ uint64(j)) * prime
		h = (h ^ math.Float64bits(c.val[t])) * prime
	}
	c.hash = (h ^ math.Float64bits(c.rhs)) * prime
	c.row = -1
	return c
}

// A cutter turns duals into cuts. It holds scratch space; one per lane.
type cutter struct {
	p    *problem
	coef []float64 // per column
	hit  []int32
}

func newCutter(p *problem) *cutter { return &cutter{p: p, coef: make([]float64, len(p.cand))} }

// add accumulates the coefficients α_i U_i + β_i L_i of the dual d in direction
// sign (−1 mirrors it) and returns the part that lies on cells given from the
// start, exactly; nil where that part is infinite, so that nothing can be cut.
func (q *cutter) add(d *interval.Dual, sign int) *big.Rat {
	p := q.p
	given, fits := int64(0), true
	for t, i := range d.Idx {
		v := d.Coef[t] * int64(sign)
		c := p.col[i]
		if c < 0 && !p.given[i] {
			continue
		}
		capacity := p.iup[i]
		if v < 0 {
			v, capacity = -v, p.idn[i]
		}
		if capacity == 0 {
			continue
		}
		if c >= 0 {
			if q.coef[c] == 0 {
				q.hit = append(q.hit, c)
			}
			q.coef[c] += float64(v) / float64(d.Den) * real(capacity)
			continue
		}
		if capacity == table.PosInf {
			return nil
		}
		hi, lo := bits.Mul64(uint64(v), uint64(capacity))
		if hi != 0 || lo > math.MaxInt64 || given+int64(lo) < given {
			fits = false
			break
		}
		given += int64(lo)
	}
	if fits {
		return big.NewRat(given, d.Den)
	}
	// Beyond int64: the given part dwarfs any level.
	return nil
}

// take returns the accumulated cut Σ coef·x ≥ want − Σ given, divided by its
// right-hand side and cut down to 1, and clears the scratch. It returns nil where
// the given cells meet the level alone, which is decided exactly: a difference of
// rounding errors must not become a cut. why, if not nil, is how it follows.
func (q *cutter) take(want *big.Rat, family string, why certificate.Rule, given ...*big.Rat) *cut {
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
		case v >= 1-1e-9:
			cut.idx, cut.val = append(cut.idx, c), append(cut.val, 1)
		case v < 1e-7: // too small to compute with: spend it beforehand
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

// capacity returns the capacity cut of d for the level want in direction sign.
func (q *cutter) capacity(d *interval.Dual, sign int, want int64, family string) *cut {
	var why certificate.Rule
	if q.p.record {
		if sign > 0 {
			why = &certificate.Level{Up: proofOf(d)}
		} else {
			why = &certificate.Level{Down: proofOf(d)}
		}
	}
	return q.take(new(big.Rat).SetInt64(want), family, why, q.add(d, sign))
}

// sliding returns the cut of the width level l from a dual upwards and one
// downwards. Widths proved by duals over denominators A and B are multiples of
// 1/AB, so "> SPL" means "≥ SPL + 1/AB".
func (q *cutter) sliding(l level, hi, lo *interval.Dual) *cut {
	want := new(big.Rat).SetInt64(l.rhs)
	if l.strict {
		want.Add(want, new(big.Rat).Mul(big.NewRat(1, hi.Den), big.NewRat(1, lo.Den)))
	}
	var why certificate.Rule
	if q.p.record {
		why = &certificate.Level{Up: proofOf(hi), Down: proofOf(lo)}
	}
	return q.take(want, widthCut, why, q.add(hi, 1), q.add(lo, -1))
}

// bridgeless returns Σ_{i≠h, d_i≠0} x_i ≥ x_h for a cell h that is not sensitive,
// nil where a given cell lies in the support (then it always holds).
func (q *cutter) bridgeless(d *interval.Dual, h int32) *cut {
	p := q.p
	cut := &cut{family: bridgelessCut}
	own := p.col[h]
	for _, i := range d.Idx {
		if i == h || !p.moves[i] {
			continue
		}
		if p.given[i] {
			return nil
		}
		if c := p.col[i]; c >= 0 {
			cut.idx, cut.val = append(cut.idx, c), append(cut.val, 1)
		}
	}
	at, _ := slices.BinarySearch(cut.idx, own)
	cut.idx, cut.val = slices.Insert(cut.idx, at, own), slices.Insert(cut.val, at, -1)
	if p.record {
		cut.why = &certificate.Bridge{Dual: proofOf(d)}
	}
	return cut.seal()
}

// residual strengthens a capacity cut at x: for a set T of columns near 1 it
// returns the most violated
//
//	Σ_{j∉T} min(val_j, r)·x_j ≥ r,   r = 1 − Σ_{j∈T} val_j > 0
//
// (Carr, Fleischer, Leung and Phillips, SODA 2000), which for r below every
// coefficient is the cover inequality Σ_{j∉T} x_j ≥ 1. T runs over the prefixes
// of the columns by falling x. It returns nil if none beats the cut itself, and for
// cuts with negative coefficients, of which this does not hold.
func residual(p *problem, c *cut, x []float64) *cut {
	if c.mixed {
		return nil
	}
	order := make([]int32, 0, 16)
	for t, j := range c.idx {
		if c.val[t] < 1 && x[j] > 0.1 {
			order = append(order, int32(t))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		switch xa, xb := x[c.idx[a]], x[c.idx[b]]; {
		case xa > xb:
			return -1
		case xa < xb:
			return 1
		}
		return 0
	})
	if len(order) > 40 {
		order = order[:40]
	}
	in := make(map[int32]bool, len(order))
	r := c.rhs
	best, bestR := max(1e-6, c.violation(x))+1e-6, 0.0
	size := 0
	for s, t := range order {
		if r-c.val[t] <= 1e-6 {
			continue
		}
		r -= c.val[t]
		in[t] = true
		v := 1.0
		for u, j := range c.idx {
			if !in[int32(u)] && x[j] > 0 {
				v -= min(c.val[u]/r, 1) * x[j]
			}
		}
		if v > best {
			best, bestR, size = v, r, s+1
		}
	}
	if bestR == 0 {
		return nil
	}
	clear(in)
	r = c.rhs
	for _, t := range order[:size] {
		if r-c.val[t] > 1e-6 {
			r -= c.val[t]
			in[t] = true
		}
	}
	out := &cut{rhs: 1, family: coverCut, from: c.from}
	var spend []int32
	for u, j := range c.idx {
		if in[int32(u)] {
			spend = append(spend, j)
			continue
		}
		v := c.val[u] / r
		if v >= 1-1e-9 {
			v = 1
		}
		out.idx, out.val = append(out.idx, j), append(out.val, v)
	}
	if c.why != nil {
		out.why = spent(p, c.why, spend)
	}
	return out.seal()
}
