package oracle

import (
	"context"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A guide solves the programs of an integerSearch in floating point, which is much faster than in fractions. Its
// answers are used only if proved: its multipliers, rounded, give a bound or a proof of infeasibility; its points are
// exact or only decide where to branch.
type guide struct {
	e     *Exact
	place map[int32]int // by relation: its index in the component
}

// newGuide returns a guide for a search in c; nil if that is not possible.
func (e *Exact) newGuide(c *component) *guide {
	if e.simp == nil || e.simp.unit > guideUnit {
		return nil
	}
	g := &guide{e: e, place: map[int32]int{}}
	for t, j := range c.rels {
		g.place[j] = t
	}
	return g
}

// set sets the bounds lo ≤ z_i ≤ up.
func (g *guide) set(i int32, lo, up int64) {
	l, u := float64(lo), float64(up)
	if lo == table.NegInf {
		l = -inf
	}
	if up == table.PosInf {
		u = inf
	}
	g.e.simp.bound(int(i), l, u)
}

// solve solves the program of the current node of s. empty: proved infeasible. bound is proved (nil: none). x is a
// point or nil; if integral, it is exact.
func (g *guide) solve(ctx context.Context, s *integerSearch) (x *rational.Vector, bound *big.Int, empty bool) {
	simp := g.e.simp
	simp.proof = true
	_, err := simp.Reach(ctx, s.k, s.sign, inf)
	if simp.res == nil {
		return nil, nil, false
	}
	if simp.res.Status == lp.Infeasible {
		return nil, nil, simp.res.Farkas != nil && s.c.excluded(s.r, g.multipliers(s.c, simp.res.Farkas))
	}
	if err != nil || simp.res.Status != lp.Optimal {
		return nil, nil, false
	}
	if simp.res.Dual != nil {
		most := s.c.dual(s.r, s.k, s.sign, g.multipliers(s.c, simp.res.Dual)).most(s.r, s.sign)
		if most != nil {
			if s.sign < 0 {
				most.Neg(most)
			}
			bound = floor(most, s.step[s.r.at[s.k]])
		}
	}
	// Integers are recognised within 1e-6; other values are known to 2^-20, which suffices for branching.
	x = &rational.Vector{Num: make([]*big.Int, len(s.c.cells)), Den: big.NewInt(1 << 20)}
	for t, i := range s.c.cells {
		v := float64(simp.res.Primal[i] * simp.unit)
		if math.Abs(v) > 1<<40 {
			return nil, bound, false
		}
		near := math.Round(v)
		if math.Abs(v-near) > 1e-6 {
			near = v
		}
		x.Num[t] = big.NewInt(int64(math.Round(near * (1 << 20))))
	}
	if s.fractional(x) < 0 && !s.c.holds(s.r, x) {
		return nil, bound, false
	}
	return x, bound, false
}

// multipliers returns the multipliers of the model's rows for the relations of c, with the sign convention of package
// rational.
func (g *guide) multipliers(c *component, row []float64) *rational.Vector {
	simp := g.e.simp
	largest := 0.0
	for _, v := range row {
		largest = max(largest, math.Abs(v))
	}
	y := &rational.Vector{Num: make([]*big.Int, len(c.rels))}
	scaled := row
	if largest > 1<<20 { // a ray: its length is arbitrary, but its ratios are simple fractions
		scaled = make([]float64, len(row))
		for r, v := range row {
			scaled[r] = v / largest
		}
	}
	y.Den = big.NewInt(snap(scaled, simp.snapped, 1e-6))
	for r, j := range simp.keep {
		if t, ok := g.place[j]; ok && simp.snapped[r] != 0 {
			y.Num[t] = big.NewInt(-simp.snapped[r]) // the model minimises
		}
	}
	return y
}
