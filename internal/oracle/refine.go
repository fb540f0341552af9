package oracle

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A refiner solves (1) in fractions of any length if floating point and small denominators do not suffice. Cells that
// move are divided into components connected by relations; each component has a program of its own, which is kept with
// its basis.
type refiner struct {
	rel    *table.Relations
	cols   *table.Columns
	lo, up []int64 // infinite as in package table
	rhs    []int64
	keep   []bool // by relation: those that imply the others; nil: all
	group  sets.Partition
	parts  map[int32]*component
	at     []int32 // by cell: its index in its component
}

// A component is the program of a set of cells that relations connect.
type component struct {
	cells []int32
	rels  []int32 // rows of the program
	every []int32 // rows and the relations that follow from them
	s     *rational.Solver
}

// newRefiner is for M y = rhs (nil: 0), lo ≤ y ≤ up. Cells with lo = up are fixed. The slices are kept.
func newRefiner(rel *table.Relations, cols *table.Columns, lo, up, rhs []int64) *refiner {
	r := &refiner{rel: rel, cols: cols, lo: lo, up: up, rhs: rhs, group: sets.New(rel.N), parts: map[int32]*component{}, at: make([]int32, rel.N)}
	for j := range rel.Len() {
		cell, _ := rel.Row(j)
		first := int32(-1)
		for _, i := range cell {
			switch {
			case lo[i] == up[i]:
			case first < 0:
				first = i
			default:
				r.group.Join(first, i)
			}
		}
	}
	return r
}

// of returns the component of cell k.
func (r *refiner) of(k int) *component {
	root := r.group.Root(int32(k))
	c := r.parts[root]
	if c != nil {
		return c
	}
	c = &component{}
	r.parts[root] = c
	seen := map[int32]bool{}
	for i := range r.rel.N {
		if r.lo[i] == r.up[i] && i != k || r.group.Root(int32(i)) != root {
			continue
		}
		r.at[i] = int32(len(c.cells))
		c.cells = append(c.cells, int32(i))
		if r.lo[i] == r.up[i] {
			break // k is fixed and a component of its own
		}
		rels, _ := r.cols.Column(i)
		for _, j := range rels {
			if !seen[j] {
				seen[j] = true
				c.every = append(c.every, j)
			}
		}
	}
	slices.Sort(c.every)
	c.rels = c.every
	if r.keep != nil {
		c.rels = nil
		for _, j := range c.every {
			if r.keep[j] {
				c.rels = append(c.rels, j)
			}
		}
	}
	c.s = r.program(c)
	return c
}

// all returns one component with all cells that move and all relations.
func (r *refiner) all() *component {
	c := &component{}
	for i := range r.rel.N {
		if r.lo[i] != r.up[i] {
			r.at[i] = int32(len(c.cells))
			c.cells = append(c.cells, int32(i))
		}
	}
	for j := range r.rel.Len() {
		c.rels = append(c.rels, int32(j))
	}
	c.every = c.rels
	c.s = r.program(c)
	return c
}

// program poses the linear program of a component. Fixed cells are moved to the right-hand sides, which must fit.
func (r *refiner) program(c *component) *rational.Solver {
	ptr := []int32{0}
	var col, coef []int32
	rhs := make([]*big.Int, len(c.rels))
	for t, j := range c.rels {
		cell, v := r.rel.Row(int(j))
		rhs[t] = new(big.Int)
		if r.rhs != nil {
			rhs[t].SetInt64(r.rhs[j])
		}
		for s, i := range cell {
			if r.lo[i] != r.up[i] {
				col, coef = append(col, r.at[i]), append(coef, v[s])
			} else if r.lo[i] != 0 {
				rhs[t].Sub(rhs[t], new(big.Int).Mul(big.NewInt(int64(v[s])), big.NewInt(r.lo[i])))
			}
		}
		ptr = append(ptr, int32(len(col)))
	}
	lo, up := make([]int64, len(c.cells)), make([]int64, len(c.cells))
	for s, i := range c.cells {
		if lo[s] = r.lo[i]; lo[s] == table.NegInf {
			lo[s] = -rational.Inf
		}
		up[s] = r.up[i]
	}
	return rational.New(len(c.cells), ptr, col, coef, rhs, lo, up)
}

// start lets the simplex method of c start where floating point stopped: basic tells which cells are in the basis, z
// gives the values of the others.
func (c *component) start(basic func(i int32) bool, z func(i int32) int64) {
	var in []int32
	at := make([]int64, len(c.cells))
	for s, i := range c.cells {
		if basic(i) {
			in = append(in, int32(s))
		} else {
			at[s] = z(i)
		}
	}
	c.s.Start(in, at)
}

// steps limits the steps of the simplex method: far more than it needs from any sensible basis.
func (c *component) steps() int { return 1000 + 20*(len(c.cells)+len(c.rels)) }

// part returns the component of cell k, set up to start from the last basis of the simplex engine.
func (e *Exact) part(k int) *component {
	if e.fine == nil {
		e.fine = newRefiner(e.s.Rel, e.s.Cols, e.lower(), e.up, nil)
		if e.simp != nil {
			e.fine.keep = sets.Mask(e.s.Rel.Len(), e.simp.keep)
		}
	}
	c := e.fine.of(k)
	e.hint(c, nil)
	return c
}

// basic returns the point of the simplex engine's last basis, nil if there is none.
func (e *Exact) basic(k, sign int) *End {
	c := e.part(k)
	z, err := c.s.Point(e.ctx)
	if err != nil || z == nil || !c.holds(e.fine, z) {
		return nil
	}
	end := &End{Idx: c.cells}
	end.reach(z, int(e.fine.at[k]), sign)
	end.set(z)
	return end
}

// basisDual returns the dual of the simplex engine's last basis for cell k, which is 0 on the basic cells; nil if
// it does not fit 64 bits.
func (e *Exact) basisDual(k int) *Dual {
	c := e.part(k)
	y, err := c.s.Duals(e.ctx, int(e.fine.at[k]))
	if err != nil {
		return nil
	}
	return c.dual(e.fine, k, 1, y).short()
}

// reach sets the value of e to that of its point z at place k.
func (e *End) reach(z *rational.Vector, k, sign int) {
	e.Value = new(big.Rat)
	if v := z.Num[k]; v != nil {
		e.Value.SetFrac(v, z.Den)
	}
	if sign < 0 {
		e.Value.Neg(e.Value)
	}
}

// refine answers Max in fractions of any length. known is an end found by other means, or nil.
func (e *Exact) refine(ctx context.Context, k, sign int, limit int64, known *End) (*End, error) {
	c := e.part(k)
	a, err := c.s.Maximise(ctx, int(e.fine.at[k]), sign, c.steps())
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil: // return the best that is proved
		return e.outer(k, sign, known), nil
	}
	end := &End{Idx: c.cells}
	z := a.X
	switch a.Status {
	case rational.Infeasible:
		return nil, i18n.New("interval: no deviation at all is feasible") // 0 is feasible
	case rational.Unbounded:
		end.Endless = true
		if limit == table.PosInf {
			limit = 1 << 40
		}
		z = along(a, int(e.fine.at[k]), sign, limit)
	}
	end.reach(z, int(e.fine.at[k]), sign)
	if !c.holds(e.fine, z) || end.Endless && !c.leads(e.fine, a.Ray, int(e.fine.at[k]), sign) {
		return nil, ErrInexact
	}
	if !end.Endless {
		y := c.dual(e.fine, k, sign, a.Y)
		if end.Bound = y.bound(e.up, e.dn, sign); end.Bound == nil || end.Bound.Cmp(end.Value) != 0 {
			return nil, ErrInexact
		}
		end.Dual = y.short()
	}
	end.set(z)
	return end, nil
}

// hint lets c start from the last basis of the simplex engine, if it has one. The program of c is in values, that of
// the engine in their distances from base (nil: 0).
func (e *Exact) hint(c *component, base []int64) {
	if e.simp == nil || e.simp.res == nil {
		return
	}
	from := func(i int32, z int64) int64 {
		if base != nil {
			z += base[i]
		}
		return z
	}
	if keeper, ok := e.simp.solver.(lp.BasisKeeper); ok && keeper.Basis(&e.basis) == nil {
		c.start(func(i int32) bool { return e.basis.Col[i] == lp.Basic }, func(i int32) int64 {
			switch {
			case e.basis.Col[i] == lp.AtUpper && e.up[i] != table.PosInf:
				return from(i, e.up[i])
			case e.basis.Col[i] == lp.AtLower && e.dn[i] != table.PosInf:
				return from(i, -e.dn[i])
			}
			return from(i, 0)
		})
		return
	}
	if e.simp.res.Primal == nil {
		return
	}
	z := func(i int32) float64 { return float64(e.simp.res.Primal[i] * e.simp.unit) }
	c.start(func(i int32) bool {
		v := z(i)
		tol := float64(1e-7 * max(1, v, -v))
		return v > tol-e.fdn[i] && v < e.fup[i]-tol
	}, func(i int32) int64 {
		switch v := z(i); {
		case v > 0 && e.up[i] != table.PosInf && v > e.fup[i]/2:
			return from(i, e.up[i])
		case v < 0 && e.dn[i] != table.PosInf && v < -e.fdn[i]/2:
			return from(i, -e.dn[i])
		}
		return from(i, 0)
	})
}

// outer returns the end after the search was given up: the known point and the least proved bound.
func (e *Exact) outer(k, sign int, known *End) *End {
	end := &End{Den: 1, Value: new(big.Rat)}
	if known != nil {
		*end = *known
	}
	own := e.up[k]
	if sign < 0 {
		own = e.dn[k]
	}
	if own != table.PosInf {
		if b := new(big.Rat).SetInt64(own); end.Bound == nil || b.Cmp(end.Bound) < 0 {
			end.Bound, end.Dual = b, nil
		}
	}
	return end
}

// along returns a feasible point on a ray with ±z_k ≥ limit.
func along(a *rational.Answer, k, sign int, limit int64) *rational.Vector {
	x, d := a.X, a.Ray
	// X/Dx + t·D/Dd with t the least integer multiple of Dd that is far enough.
	far := new(big.Int).Mul(big.NewInt(limit), x.Den)
	if x.Num[k] != nil {
		far.Sub(far, new(big.Int).Mul(big.NewInt(int64(sign)), x.Num[k]))
	}
	t := new(big.Int)
	if far.Sign() > 0 {
		step := new(big.Int).Mul(new(big.Int).Abs(d.Num[k]), x.Den)
		t.Add(far, step)
		t.Quo(t.Sub(t, big.NewInt(1)), step)
	}
	t.Mul(t, x.Den)
	z := &rational.Vector{Num: make([]*big.Int, len(x.Num)), Den: x.Den}
	for i := range z.Num {
		v := new(big.Int)
		if x.Num[i] != nil {
			v.Set(x.Num[i])
		}
		if d.Num[i] != nil {
			v.Add(v, new(big.Int).Mul(t, d.Num[i]))
		}
		z.Num[i] = v
	}
	return z
}

// holds checks the relations and bounds of c at z, wherever z comes from.
func (c *component) holds(r *refiner, z *rational.Vector) bool {
	b := new(big.Int)
	for s, i := range c.cells {
		v := z.Num[s]
		if v == nil {
			v = new(big.Int)
		}
		if r.lo[i] != table.NegInf && v.Cmp(b.Mul(z.Den, big.NewInt(r.lo[i]))) < 0 || r.up[i] != table.PosInf && v.Cmp(b.Mul(z.Den, big.NewInt(r.up[i]))) > 0 {
			return false
		}
	}
	return c.adds(r, z, false)
}

// leads checks that d is a ray of c that moves cell k in direction sign.
func (c *component) leads(r *refiner, d *rational.Vector, k, sign int) bool {
	for s, v := range d.Num {
		if v == nil {
			continue
		}
		i := c.cells[s]
		if v.Sign() > 0 && r.up[i] != table.PosInf || v.Sign() < 0 && r.lo[i] != table.NegInf {
			return false
		}
	}
	return d.Num[k] != nil && d.Num[k].Sign() == sign && c.adds(r, d, true)
}

// adds checks M z = rhs, or M z = 0 if homogeneous.
func (c *component) adds(r *refiner, z *rational.Vector, homogeneous bool) bool {
	var sum, p, q big.Int
	for _, j := range c.every {
		sum.SetInt64(0)
		cell, coef := r.rel.Row(int(j))
		for t, i := range cell {
			if r.lo[i] == r.up[i] {
				if !homogeneous && r.lo[i] != 0 {
					sum.Add(&sum, p.Mul(z.Den, p.Mul(p.SetInt64(r.lo[i]), q.SetInt64(int64(coef[t])))))
				}
			} else if v := z.Num[r.at[i]]; v != nil {
				sum.Add(&sum, p.Mul(v, q.SetInt64(int64(coef[t]))))
			}
		}
		if !homogeneous && r.rhs != nil {
			sum.Sub(&sum, p.Mul(z.Den, p.SetInt64(r.rhs[j])))
		}
		if sum.Sign() != 0 {
			return false
		}
	}
	return true
}

// excluded checks that Y proves that no point within the bounds satisfies M x = rhs in the relations of c: Yᵀ M x is
// always above Yᵀ rhs, or always below.
func (c *component) excluded(r *refiner, y *rational.Vector) bool {
	sum := map[int32]*big.Int{}
	want, p := new(big.Int), new(big.Int)
	for t, j := range c.rels {
		v := y.Num[t]
		if v == nil || v.Sign() == 0 {
			continue
		}
		want.Add(want, p.Mul(v, p.SetInt64(r.rhs[j])))
		cell, coef := r.rel.Row(int(j))
		for s, i := range cell {
			if sum[i] == nil {
				sum[i] = new(big.Int)
			}
			sum[i].Add(sum[i], new(big.Int).Mul(v, big.NewInt(int64(coef[s]))))
		}
	}
	for _, side := range [2]int{1, -1} { // the maximum, the minimum
		most, open := new(big.Int), false
		for i, v := range sum {
			if v.Sign() == 0 {
				continue
			}
			end := r.up[i]
			if v.Sign() != side {
				end = r.lo[i]
			}
			if end == table.PosInf || end == table.NegInf {
				open = true
				break
			}
			most.Add(most, p.Mul(v, p.SetInt64(end)))
		}
		if !open && most.Cmp(want) == -side {
			return true
		}
	}
	return false
}

// contradict returns relations of c that cannot hold together, from those in the proof y; if there are few, none of the
// returned ones can be omitted.
func (c *component) contradict(ctx context.Context, r *refiner, y *rational.Vector) []int {
	some := &component{cells: c.cells}
	for t, j := range c.rels {
		if v := y.Num[t]; v != nil && v.Sign() != 0 {
			some.rels = append(some.rels, j)
		}
	}
	for n := len(some.rels) - 1; n >= 0 && len(some.rels) <= 40; n-- { // each takes a program of its own
		less := &component{cells: c.cells, rels: slices.Delete(slices.Clone(some.rels), n, n+1)}
		less.s = r.program(less)
		if a, err := less.s.Feasible(ctx, less.steps()); err == nil && a.Status == rational.Infeasible {
			some = less
		}
	}
	all := make([]int, len(some.rels))
	for n, j := range some.rels {
		all[n] = int(j)
	}
	return all
}

// A wideDual is a Dual in numbers of any length.
type wideDual struct {
	k    int32
	den  *big.Int
	idx  []int32
	coef []*big.Int
	rel  []int32
	mult []*big.Int
}

// dual returns e_k − Mᵀγ for γ = ±y.
func (c *component) dual(r *refiner, k, sign int, y *rational.Vector) *wideDual {
	d := &wideDual{k: int32(k), den: y.Den}
	sum := map[int32]*big.Int{int32(k): new(big.Int).Set(y.Den)}
	for t, j := range c.rels {
		v := y.Num[t]
		if v == nil || v.Sign() == 0 {
			continue
		}
		if sign < 0 {
			v = new(big.Int).Neg(v)
		}
		d.rel, d.mult = append(d.rel, j), append(d.mult, v)
		cell, coef := r.rel.Row(int(j))
		for s, i := range cell {
			if sum[i] == nil {
				sum[i] = new(big.Int)
			}
			sum[i].Sub(sum[i], new(big.Int).Mul(v, big.NewInt(int64(coef[s]))))
		}
	}
	for _, i := range slices.Sorted(maps.Keys(sum)) {
		if sum[i].Sign() != 0 {
			d.idx, d.coef = append(d.idx, i), append(d.coef, sum[i])
		}
	}
	return d
}

// bound is Dual.Bound.
func (d *wideDual) bound(up, dn []int64, sign int) *big.Rat {
	sum, c := new(big.Int), new(big.Int)
	for t, i := range d.idx {
		v, capacity := d.coef[t], up[i]
		if v.Sign() != sign {
			capacity = dn[i]
		}
		if capacity == table.PosInf {
			return nil
		}
		sum.Add(sum, c.Mul(c.Abs(v), big.NewInt(capacity)))
	}
	return new(big.Rat).SetFrac(sum, d.den)
}

// most returns the largest y_k (sign = −1: the least) that d allows in values; nil if there is no bound.
func (d *wideDual) most(r *refiner, sign int) *big.Rat {
	sum, c := new(big.Int), new(big.Int)
	for t, i := range d.idx {
		v, end := d.coef[t], r.up[i]
		if v.Sign() != sign {
			end = r.lo[i]
		}
		if end == table.PosInf || end == table.NegInf {
			return nil
		}
		sum.Add(sum, c.Mul(v, big.NewInt(end)))
	}
	for t, j := range d.rel {
		sum.Add(sum, c.Mul(d.mult[t], big.NewInt(r.rhs[j])))
	}
	return new(big.Rat).SetFrac(sum, d.den)
}

// spread returns z, given over the cells of c, as a vector over all cells.
func (c *component) spread(r *refiner, z *rational.Vector) *rational.Vector {
	y := &rational.Vector{Num: make([]*big.Int, r.rel.N), Den: z.Den}
	for i := range y.Num {
		if r.lo[i] == r.up[i] && r.lo[i] != 0 {
			y.Num[i] = new(big.Int).Mul(y.Den, big.NewInt(r.lo[i]))
		}
	}
	for s, i := range c.cells {
		y.Num[i] = z.Num[s]
	}
	return y
}

// short returns d in 64-bit numbers, nil if they do not fit.
func (d *wideDual) short() *Dual {
	g := new(big.Int).Set(d.den)
	for _, v := range d.mult {
		g.GCD(nil, nil, g, new(big.Int).Abs(v))
	}
	ok := true
	fit := func(v *big.Int) int64 {
		v = new(big.Int).Quo(v, g)
		ok = ok && v.BitLen() <= 61
		return v.Int64()
	}
	out := &Dual{K: d.k, Den: fit(d.den), Idx: d.idx, Rel: d.rel}
	for _, v := range d.coef {
		out.Coef = append(out.Coef, fit(v))
	}
	for _, v := range d.mult {
		out.Mult = append(out.Mult, fit(v))
	}
	if !ok {
		return nil
	}
	return out
}
