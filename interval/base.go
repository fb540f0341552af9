package interval

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/rational"
	"github.com/hitoku/hitoku/table"
)

// A base is a table that satisfies everything published, over the denominator
// den, and the room around it: the intruder's problem in deviations from it.
type base struct {
	t        *table.Table
	withheld []bool
	num      []int64
	den      int64
	up, dn   []int64
	clamp    int64
	// wide says that no table was found in numbers of 64 bits; then there is no base, and
	// every question is put in values, not in deviations.
	wide bool
}

// newBase takes the true table where it is known; otherwise it finds a vertex of
// the tables that satisfy the published numbers.
func newBase(ctx context.Context, s *System, t *table.Table, withheld []bool, opt *Options) (*base, error) {
	n := t.Len()
	b := &base{t: t, withheld: withheld, num: t.Value, den: 1, up: make([]int64, n), dn: make([]int64, n)}
	known := true
	for i := range n {
		if !t.Known(i) {
			known = false
			if !withheld[i] {
				return nil, fmt.Errorf("table %s: cell %s has no value but is not withheld", t.Name, t.CellName(i))
			}
		}
	}
	if !known {
		if err := b.findPoint(ctx, s, opt); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	if b.wide {
		return b, nil
	}
	total := int64(1)
	for i := range n {
		if !withheld[i] {
			continue
		}
		b.up[i], b.dn[i] = table.PosInf, table.PosInf
		if u := t.Upper[i]; u != table.PosInf {
			b.up[i] = u*b.den - b.num[i]
			total = min(total+b.up[i], 1<<61)
		}
		if l := t.Lower[i]; l != table.NegInf {
			b.dn[i] = b.num[i] - l*b.den
			total = min(total+b.dn[i], 1<<61)
		}
	}
	b.clamp = total
	return b, nil
}

// findPoint solves y = c + t with c a finite bound of each withheld cell (the
// value of a published one) and M t = b − M c, 0 ≤ t ≤ room.
func (b *base) findPoint(ctx context.Context, s *System, opt *Options) error {
	t, n := b.t, b.t.Len()
	c, up, dn := make([]int64, n), make([]int64, n), make([]int64, n)
	for i := range n {
		switch lo, hi := t.Lower[i], t.Upper[i]; {
		case !b.withheld[i]:
			c[i] = t.Value[i]
		case lo != table.NegInf:
			c[i], up[i] = lo, table.PosInf
			if hi != table.PosInf {
				up[i] = hi - lo
			}
		case hi != table.PosInf:
			c[i], dn[i] = hi, table.PosInf
		default:
			up[i], dn[i] = table.PosInf, table.PosInf
		}
	}
	whole := b.refiner(s)
	part := whole.all()
	if ok, err := b.vertex(ctx, s, c, up, dn, opt, part); ok || err != nil {
		return err
	}
	a, err := part.s.Feasible(ctx, part.steps())
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return ErrInexact
	case a.Status == rational.Infeasible:
		return ErrInconsistent
	case !part.holds(whole, a.X):
		return ErrInexact
	}
	w := newWitness(part.spread(whole, a.X))
	if w.Wide == nil && b.take(make([]int64, n), w.Num, w.Den) {
		return nil
	}
	b.wide = true
	return nil
}

// vertex looks for a base by floating point arithmetic, around c. Where that does not
// do, or says that there is none, it makes part begin where it stopped.
func (b *base) vertex(ctx context.Context, s *System, c, up, dn []int64, opt *Options, part *component) (bool, error) {
	t := b.t
	rhs := make([]int64, t.Rel.Len())
	for j := range rhs {
		v, _ := t.Rel.Residual(j, c)
		if !v.IsInt64() {
			return false, nil
		}
		rhs[j] = -v.Int64()
	}
	// All relations: a redundant one may contradict the others.
	simp, err := newSimplex(s, opt.LP, all(t.Rel.Len()))
	if err != nil {
		return false, err
	}
	e := s.exactOver(simp)
	defer e.Close()
	copy(e.up, up) // not tightened: the right-hand sides are not 0 here
	copy(e.dn, dn)
	e.model()
	largest := e.simp.unit
	for _, r := range rhs {
		for float64(abs64(r)) > largest*(1<<modelRange) {
			largest *= 2
		}
	}
	e.simp.rescale(largest)
	for j, r := range rhs {
		if err := e.simp.solver.SetRowBounds(j, float64(r)/e.simp.unit, float64(r)/e.simp.unit); err != nil {
			return false, err
		}
	}
	e.ctx = ctx
	res, err := e.simp.solver.Solve(ctx)
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case err == nil && res.Status == lp.Optimal:
		for i, v := range res.Primal {
			e.z[i] = v * e.simp.unit
		}
		if num, den, ok := e.reconstruct(rhs); ok && b.take(c, num, den) {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
	}
	if keeper, ok := simp.solver.(lp.BasisKeeper); ok && keeper.Basis(&e.basis) == nil {
		part.start(func(i int32) bool { return e.basis.Col[i] == lp.Basic }, func(i int32) int64 {
			if e.basis.Col[i] == lp.AtUpper && t.Upper[i] != table.PosInf {
				return t.Upper[i]
			}
			return c[i]
		})
	}
	return false, nil
}

// take makes c + num/den the base if the numbers are small enough.
func (b *base) take(c, num []int64, den int64) bool {
	out := make([]int64, len(c))
	for i := range c {
		for _, v := range [3]int64{c[i], b.t.Lower[i], b.t.Upper[i]} {
			if b.withheld[i] && v != table.PosInf && v != table.NegInf && !fits(v, den) {
				return false
			}
		}
		if !fits(c[i], den) || abs64(num[i]) > 1<<61 {
			return false
		}
		if out[i] = c[i]*den + num[i]; abs64(out[i]) > 1<<61 {
			return false
		}
	}
	b.num, b.den = out, den
	return true
}

// refiner poses the intruder's problem in values.
func (b *base) refiner(s *System) *refiner {
	n := b.t.Len()
	lo, up := make([]int64, n), make([]int64, n)
	for i := range n {
		if lo[i], up[i] = b.t.Lower[i], b.t.Upper[i]; !b.withheld[i] {
			lo[i], up[i] = b.t.Value[i], b.t.Value[i]
		}
	}
	return newRefiner(s.Rel, s.Cols, lo, up, b.t.Rel.RHS)
}

// far computes the cells lane, lane + lanes, … of those listed in of, in values.
func (b *base) far(ctx context.Context, s *System, of []int, cells []Cell, lane, lanes int, opt *Options, done func()) error {
	if opt.Integer {
		return errFractional
	}
	r := b.refiner(s)
	part := r.all()
	for c := lane; c < len(of); c += lanes {
		if err := b.inValues(ctx, r, part, &cells[c], of[c], opt); err != nil {
			return fmt.Errorf("cell %s: %w", b.t.CellName(of[c]), err)
		}
		done()
	}
	return nil
}

// inValues computes the interval of cell k in values.
func (b *base) inValues(ctx context.Context, r *refiner, part *component, c *Cell, k int, opt *Options) error {
	*c = Cell{Index: k}
	if r.lo[k] == r.up[k] {
		v := new(big.Rat).SetInt64(r.lo[k])
		a, err := part.s.Feasible(ctx, part.steps())
		if err != nil {
			return err
		}
		c.Lo, c.Hi, c.inner = v, v, [2]*big.Rat{v, v}
		if opt.Witness {
			c.LoWitness = newWitness(part.spread(r, a.X))
			c.HiWitness = c.LoWitness
		}
		return nil
	}
	for side, sign := range [2]int{-1, 1} {
		a, err := part.s.Maximise(ctx, int(r.at[k]), sign, part.steps())
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil || a.Status == rational.Infeasible || !part.holds(r, a.X):
			return ErrInexact
		}
		y := a.X
		var v *big.Rat
		if a.Status == rational.Unbounded {
			if !part.leads(r, a.Ray, int(r.at[k]), sign) {
				return ErrInexact
			}
			y = along(a, int(r.at[k]), sign, 1<<40)
		} else {
			if v = new(big.Rat); y.Num[r.at[k]] != nil {
				v.SetFrac(y.Num[r.at[k]], y.Den)
			}
			if most := part.dual(r, k, sign, a.Y).most(r, sign); most == nil || most.Cmp(v) != 0 {
				return ErrInexact
			}
		}
		var w *Witness
		if opt.Witness {
			w = newWitness(part.spread(r, y))
		}
		if c.inner[side] = v; side == 0 {
			c.Lo, c.LoWitness = v, w
		} else {
			c.Hi, c.HiWitness = v, w
		}
	}
	return nil
}
