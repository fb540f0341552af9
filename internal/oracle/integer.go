package oracle

import (
	"context"
	"math"
	"math/big"
	"slices"

	ints "github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// ErrFractional is returned for intervals over whole numbers if no table of whole numbers consistent with the
// publication was found; there may be none.
var ErrFractional = i18n.New("interval: no table of whole numbers was found that satisfies the published numbers; their intervals need one, or the true table")

// ErrNotWhole is returned if it is proved that there is none.
var ErrNotWhole = i18n.New("interval: no table of whole numbers satisfies the published numbers and bounds")

// integer maximises sign·z_k over tables of whole numbers. On networks no search is needed, as vertices are integral.
// In three-way tables the interval over whole numbers may be narrower than the real one.
//
// An end is exact if the search was completed. Otherwise, after maxNodes programs or if search ended before ctx, Bound
// is the largest bound of the open nodes.
func (e *Exact) integer(ctx, search context.Context, k, sign int, limit int64) (*End, error) {
	end, err := e.Max(search, k, sign, limit, true)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil: // only the cell's own bounds are known
		end = e.outer(k, sign, nil)
		if e.flow != nil {
			return end, nil
		}
	case e.flow != nil:
		return end, nil
	case end.Endless:
		return e.wholeRay(ctx, end, k, sign, limit)
	case end.Exact() && end.isInteger():
		return end, nil
	}
	r := e.inWhole()
	c := r.of(k)
	e.hint(c, nil)
	s := &integerSearch{r: r, c: c, k: k, sign: sign, guide: e.newGuide(c), step: c.multiples(r), most: maxNodes}
	s.best, s.value = &rational.Vector{Num: make([]*big.Int, len(c.cells)), Den: big.NewInt(1)}, new(big.Int) // z = 0 is integral
	s.node(search, floor(end.Bound, s.step[r.at[k]]))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	found := &End{Idx: c.cells, Value: new(big.Rat).SetInt(s.value)}
	found.set(s.best)
	switch {
	case !s.left:
		found.Bound = new(big.Rat).Set(found.Value)
	case s.outer != nil:
		found.Bound = new(big.Rat).SetInt(s.outer)
	}
	return found, nil
}

// isInteger reports whether z is integral.
func (e *End) isInteger() bool {
	return e.Wide == nil && e.Den == 1 || e.Wide != nil && e.Wide.Den.IsInt64() && e.Wide.Den.Int64() == 1
}

// lower returns the lower bounds of movements.
func (e *Exact) lower() []int64 {
	lo := make([]int64, len(e.up))
	for i, v := range e.dn {
		if lo[i] = -v; v == table.PosInf {
			lo[i] = table.NegInf
		}
	}
	return lo
}

// inWhole returns a refiner like fine with its own bounds, which a search changes and restores.
func (e *Exact) inWhole() *refiner {
	if e.grid == nil {
		e.grid = newRefiner(e.s.Rel, e.s.Cols, e.lower(), slices.Clone(e.up), e.zero)
	}
	return e.grid
}

// wholeRay makes the point of an infinite end integral: rational rays have integral multiples.
func (e *Exact) wholeRay(ctx context.Context, end *End, k, sign int, limit int64) (*End, error) {
	if end.isInteger() {
		return end, nil
	}
	// The rays with ±z_k ≤ 1.
	n := len(e.up)
	lo, up := make([]int64, n), make([]int64, n)
	for i := range n {
		if e.up[i] == table.PosInf {
			up[i] = table.PosInf
		}
		if e.dn[i] == table.PosInf {
			lo[i] = table.NegInf
		}
	}
	if sign > 0 {
		up[k] = 1
	} else {
		lo[k] = -1
	}
	r := newRefiner(e.s.Rel, e.s.Cols, lo, up, nil)
	c := r.of(k)
	a, err := c.s.Maximise(ctx, int(r.at[k]), sign, c.steps())
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil || a.Status != rational.Optimal || a.X.Num[r.at[k]] == nil || a.X.Num[r.at[k]].Sign() != sign || !c.holds(r, a.X):
		return nil, ErrInexact
	}
	if limit == table.PosInf {
		limit = 1 << 40
	}
	z := &rational.Vector{Num: make([]*big.Int, len(a.X.Num)), Den: big.NewInt(1)}
	for t, v := range a.X.Num {
		if v != nil {
			z.Num[t] = new(big.Int).Mul(v, big.NewInt(limit))
		}
	}
	far := &End{Idx: c.cells, Endless: true, Value: new(big.Rat).SetInt(new(big.Int).Abs(z.Num[r.at[k]]))}
	far.set(z)
	return far, nil
}

// Whole makes the base a table of whole numbers, as intervals over whole numbers require; if the current one is not, it
// searches for one.
func (b *Base) Whole(ctx context.Context) error {
	if !b.wide && b.den == 1 {
		return nil
	}
	r := b.refiner()
	c := r.all()
	search := &integerSearch{r: r, c: c, k: -1, step: ones(len(c.cells)), most: maxNodes}
	search.node(ctx, nil)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case search.best == nil && !search.left:
		return i18n.Errorf("table %s: %w", b.t.Name, ErrNotWhole)
	case search.best == nil:
		return i18n.Errorf("table %s: %w", b.t.Name, ErrFractional)
	}
	w := NewValues(c.spread(r, search.best))
	if w.Wide != nil || !b.setPoint(make([]int64, len(w.Num)), w.Num, w.Den) {
		return i18n.Errorf("table %s: %w", b.t.Name, ErrFractional)
	}
	b.wide = false
	b.setCapacities()
	return nil
}

// An integerSearch maximises sign·y_k over the feasible integer points of a component, by depth-first branch and bound
// in exact arithmetic: every pruning is proved. With k = −1 it ends at the first point.
type integerSearch struct {
	r       *refiner // has the bounds of the current node
	c       *component
	k, sign int
	guide   *guide  // nil: none
	step    []int64 // by cell: it takes only multiples of this
	nodes   int
	most    int // limit on nodes
	best    *rational.Vector
	value   *big.Int // sign·y_k at best
	// left says that some node was left open; outer is the largest bound of these, nil if none is proved.
	left  bool
	outer *big.Int
}

// node looks for better points within the bounds of r, where sign·y_k ≤ bound is proved (nil: no bound known).
func (s *integerSearch) node(ctx context.Context, bound *big.Int) {
	if s.nodes++; s.nodes > s.most || ctx.Err() != nil {
		s.leave(bound)
		return
	}
	x, bound, done := s.relax(ctx, bound)
	if done {
		return
	}
	branch := s.fractional(x)
	if branch < 0 {
		s.keepBest(x)
		if s.k >= 0 && (bound == nil || bound.Cmp(s.value) > 0) {
			s.leave(bound)
		}
		return
	}
	i := s.c.cells[branch]
	lo, up := s.r.lo[i], s.r.up[i]
	step := big.NewInt(s.step[branch])
	unit := new(big.Int).Mul(x.Den, step)
	f, rest := new(big.Int).DivMod(x.Num[branch], unit, new(big.Int))
	f.Mul(f, step)
	c := new(big.Int).Add(f, step)
	if f.BitLen() > 62 || c.BitLen() > 62 {
		s.leave(bound)
		return
	}
	side := [2][2]int64{{lo, f.Int64()}, {c.Int64(), up}}
	if rest.Lsh(rest, 1).Cmp(unit) > 0 { // the nearer one first
		side[0], side[1] = side[1], side[0]
	}
	for _, v := range side {
		if v[0] > v[1] { // there is no multiple of step on this side
			continue
		}
		s.bound(branch, v[0], v[1])
		s.node(ctx, bound)
		if s.k < 0 && s.best != nil {
			break
		}
	}
	s.bound(branch, lo, up)
}

// relax solves the linear program of a node: x is a point at which to branch, or an integral one that attains the
// bound. done: the node has nothing better, or was left open.
func (s *integerSearch) relax(ctx context.Context, bound *big.Int) (x *rational.Vector, least *big.Int, done bool) {
	if s.guide != nil {
		x, b, empty := s.guide.solve(ctx, s)
		if bound = lesser(bound, b); empty || s.beaten(bound) {
			return nil, bound, true
		}
		// An integral point must be proved to be the best of its node.
		if x != nil && (s.fractional(x) >= 0 || s.attains(x, bound)) {
			return x, bound, false
		}
	}
	at := -1
	if s.k >= 0 {
		at = int(s.r.at[s.k])
	}
	a, err := s.c.s.Maximise(ctx, at, s.sign, s.c.steps())
	switch {
	case err != nil, a.Status == rational.Unbounded:
		s.leave(bound)
		return nil, bound, true
	case a.Status == rational.Infeasible:
		if !s.c.excluded(s.r, a.Y) {
			s.leave(bound)
		}
		return nil, bound, true
	case !s.c.holds(s.r, a.X):
		s.leave(bound)
		return nil, bound, true
	}
	if s.k >= 0 {
		if most := s.c.dual(s.r, s.k, s.sign, a.Y).most(s.r, s.sign); most != nil {
			if s.sign < 0 {
				most.Neg(most)
			}
			bound = lesser(bound, floor(most, s.step[at]))
		}
	}
	return a.X, bound, s.beaten(bound)
}

// beaten reports whether bound allows nothing better than the best known point.
func (s *integerSearch) beaten(bound *big.Int) bool {
	return s.k >= 0 && s.best != nil && bound != nil && bound.Cmp(s.value) <= 0
}

// attains reports whether sign·x_k equals bound.
func (s *integerSearch) attains(x *rational.Vector, bound *big.Int) bool {
	v := x.Num[s.r.at[s.k]]
	if v == nil {
		v = new(big.Int)
	}
	want := new(big.Int)
	if bound == nil {
		return false
	}
	want.Mul(bound, x.Den)
	return want.CmpAbs(v) == 0 && want.Sign() == s.sign*v.Sign()
}

// lesser returns the smaller of two bounds; nil means none.
func lesser(a, b *big.Int) *big.Int {
	if a == nil || b != nil && b.Cmp(a) < 0 {
		return b
	}
	return a
}

// bound sets the bounds of the t-th cell of the component.
func (s *integerSearch) bound(t int, lo, up int64) {
	i := s.c.cells[t]
	s.r.lo[i], s.r.up[i] = lo, up
	if s.guide != nil {
		s.guide.set(i, lo, up)
	}
	if lo == table.NegInf {
		lo = -rational.Inf
	}
	s.c.s.Bound(t, lo, up)
}

// leave leaves a node open, with the bound proved for it.
func (s *integerSearch) leave(bound *big.Int) {
	switch {
	case !s.left:
		s.outer = bound
	case bound == nil || s.outer == nil:
		s.outer = nil
	case bound.Cmp(s.outer) > 0:
		s.outer = bound
	}
	s.left = true
}

// keepBest stores the point x if it is the best so far.
func (s *integerSearch) keepBest(x *rational.Vector) {
	value := new(big.Int)
	if s.k >= 0 {
		if v := x.Num[s.r.at[s.k]]; v != nil {
			value.Quo(v, x.Den)
		}
		if s.sign < 0 {
			value.Neg(value)
		}
		if s.best != nil && value.Cmp(s.value) <= 0 {
			return
		}
	}
	s.best, s.value = &rational.Vector{Num: make([]*big.Int, len(x.Num)), Den: big.NewInt(1)}, value
	for t, v := range x.Num {
		if v != nil {
			s.best.Num[t] = new(big.Int).Quo(v, x.Den)
		}
	}
}

// fractional returns the index of a cell where x is not a multiple of its step, −1 if there is none: the one with the
// fewest multiples within its bounds and, among these, the first of those farthest from a multiple. Cells with large
// bounds are mostly sums, which are integral if the others are.
func (s *integerSearch) fractional(x *rational.Vector) int {
	at := -1
	var worst, unit, rest, other, l, r big.Int // worst/(x.Den·step) is the distance of cell at from a multiple, in steps
	least := uint64(0)
	for t, v := range x.Num {
		if v == nil {
			continue
		}
		step := s.step[t]
		unit.Mul(x.Den, unit.SetInt64(step))
		if rest.Mod(v, &unit); rest.Sign() == 0 {
			continue
		}
		if other.Sub(&unit, &rest).Cmp(&rest) < 0 {
			rest.Set(&other)
		}
		i := s.c.cells[t]
		room := uint64(math.MaxUint64)
		if lo, up := s.r.lo[i], s.r.up[i]; lo != table.NegInf && up != table.PosInf {
			room = (uint64(up) - uint64(lo)) / uint64(step)
		}
		if at < 0 || room < least || room == least && l.Mul(&rest, l.SetInt64(s.step[at])).Cmp(r.Mul(&worst, r.SetInt64(step))) > 0 {
			at, least = t, room
			worst.Set(&rest)
		}
	}
	return at
}

// floor returns the largest multiple of step that is at most v; nil for nil.
func floor(v *big.Rat, step int64) *big.Int {
	if v == nil {
		return nil
	}
	by := big.NewInt(step)
	f := new(big.Int).Div(v.Num(), new(big.Int).Mul(v.Denom(), by)) // denominators are positive
	return f.Mul(f, by)
}

// multiples returns for each cell of c a number of which its value is always a multiple: where Σ c_i z_i = 0, c_k z_k
// is a multiple of the common divisor of the other terms.
func (c *component) multiples(r *refiner) []int64 {
	step := ones(len(c.cells))
	var before []int64
	for range 8 { // steps propagate along chains of relations
		moved := false
		for _, j := range c.rels {
			cell, coef := r.rel.Row(int(j))
			term := func(t int) int64 {
				if i := cell[t]; r.lo[i] != r.up[i] {
					return abs64(int64(coef[t])) * step[r.at[i]]
				}
				return 0
			}
			before = append(before[:0], 0) // greatest common divisor of the terms before each
			for t := range cell {
				before = append(before, ints.GCD(before[t], term(t)))
			}
			after := int64(0)
			for t, k := range slices.Backward(cell) {
				own := term(t)
				if g := ints.GCD(before[t], after); own != 0 && g != 0 {
					if by := g / ints.GCD(g, own); by > 1 && by <= maxStep/step[r.at[k]] {
						step[r.at[k]] *= by
						moved = true
					}
				}
				after = ints.GCD(after, own)
			}
		}
		if !moved {
			break
		}
	}
	return step
}

func ones(n int) []int64 {
	return slices.Repeat([]int64{1}, n)
}
