package oracle

import (
	"context"
	"math/big"
	"sync"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Base is a table that satisfies everything published, with denominator den, and the capacities around it: the
// intruder's problem is posed in deviations from it.
type Base struct {
	s        *System
	t        *table.Table
	withheld []bool
	num      []int64
	den      int64
	up, dn   []int64
	clamp    int64
	// wide says that no table was found in 64-bit numbers; then there is no base, and every problem is posed in values
	// instead of deviations.
	wide bool
	some *Values // if wide: the table found

	once sync.Once
	keep []int32 // independent relations of the withheld cells
}

// rows returns relations that imply all others for the withheld cells.
func (b *Base) rows() []int32 {
	b.once.Do(func() {
		b.keep = independent(among(b.s.Rel, func(i int32) bool { return b.withheld[i] }))
	})
	return b.keep
}

// NewBase uses the true table if it is known; otherwise it finds a vertex of the polytope of tables consistent with the
// published numbers, by the LP back end.
func NewBase(ctx context.Context, s *System, t *table.Table, withheld []bool, backend string) (*Base, error) {
	n := t.Len()
	b := &Base{s: s, t: t, withheld: withheld, num: t.Value, den: 1, up: make([]int64, n), dn: make([]int64, n)}
	known := true
	for i := range n {
		if !t.Known(i) {
			known = false
			if !withheld[i] {
				return nil, i18n.Errorf("table %s: cell %s has no value but is not withheld", t.Name, t.CellName(i))
			}
		}
	}
	if !known {
		if err := b.findPoint(ctx, backend); err != nil {
			return nil, i18n.Errorf("table %s: %w", t.Name, err)
		}
	}
	if !b.wide {
		b.setCapacities()
	}
	return b, nil
}

// setCapacities sets the capacities around the base.
func (b *Base) setCapacities() {
	t, total := b.t, int64(1)
	for i := range b.withheld {
		if !b.withheld[i] {
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
}

// Wide reports whether there is no base in 64-bit numbers; use InValues then.
func (b *Base) Wide() bool { return b.wide }

// Some returns the table that was found if the base is Wide.
func (b *Base) Some() *Values { return b.some }

// Room returns the capacities around the base, in the unit of Distance, shared with b.
func (b *Base) Room() (up, dn []int64) { return b.up, b.dn }

// Distance returns how far v is from the base of cell k in direction sign, in units of the capacities. It is the
// inverse of Value.
func (b *Base) Distance(k, sign int, v *big.Rat) *big.Rat {
	d := new(big.Rat).Mul(v, new(big.Rat).SetInt64(b.den))
	d.Sub(d, new(big.Rat).SetInt64(b.num[k]))
	if sign < 0 {
		d.Neg(d)
	}
	return d
}

// Moves reports for every cell whether it can move at all, as System.Moves does.
func (b *Base) Moves() (moves []bool, ok bool) { return b.s.Moves(b.up, b.dn) }

// Open opens the exact engine, as System.NewExact does, with the capacities around b.
func (b *Base) Open(engine, backend string) (*Exact, error) {
	in, err := b.s.newIntruder(engine, backend, b.rows)
	if err != nil {
		return nil, err
	}
	e := b.s.exactOver(in)
	e.SetCapacities(b.up, b.dn, b.clamp)
	return e, nil
}

// End returns the end of cell k in direction sign, with proof, over tables of whole numbers if integer is set, as far
// as the search gets before the context search ends. e must come from Open.
func (b *Base) End(ctx, search context.Context, e *Exact, k, sign int, integer bool) (*End, error) {
	limit := b.clamp
	if b.t.Upper[k] == table.PosInf || b.t.Lower[k] == table.NegInf {
		limit = table.PosInf
	}
	if integer {
		return e.integer(ctx, search, k, sign, limit)
	}
	return e.Max(ctx, k, sign, limit, true)
}

// Value returns the value of cell k at the given distance in direction sign.
func (b *Base) Value(k, sign int, distance *big.Rat) *big.Rat {
	v := new(big.Rat).SetInt64(int64(sign))
	v.Mul(v, distance)
	v.Add(v, new(big.Rat).SetInt64(b.num[k]))
	return v.Quo(v, new(big.Rat).SetInt64(b.den))
}

// findPoint solves y = c + t with c a finite bound of each withheld cell (the
// value of a published one) and M t = b − M c, 0 ≤ t ≤ capacity.
func (b *Base) findPoint(ctx context.Context, backend string) error {
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
	whole := b.refiner()
	part := whole.all()
	if err := b.vertex(ctx, c, up, dn, backend, part); err != nil {
		return err
	}
	a, err := part.s.Feasible(ctx, part.steps())
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return ErrInexact
	case a.Status == rational.Infeasible:
		return &Contradiction{Relations: part.contradict(ctx, whole, a.Y), Name: t.RelationName}
	case !part.holds(whole, a.X):
		return ErrInexact
	}
	w := NewValues(part.spread(whole, a.X))
	if w.Wide == nil && b.setPoint(make([]int64, n), w.Num, w.Den) {
		return nil
	}
	b.wide, b.some = true, w
	return nil
}

// vertex looks for a base around c in floating point, and lets part start where that stopped.
func (b *Base) vertex(ctx context.Context, c, up, dn []int64, backend string, part *component) error {
	t := b.t
	rhs := make([]int64, t.Rel.Len())
	for j := range rhs {
		v, _ := t.Rel.Residual(j, c)
		if !v.IsInt64() {
			return nil
		}
		rhs[j] = -v.Int64()
	}
	// All relations: a redundant one may contradict the others.
	simp, err := newSimplex(b.s, backend, all(t.Rel.Len()))
	if err != nil {
		return err
	}
	e := b.s.exactOver(simp)
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
			return err
		}
	}
	res, err := e.simp.solver.Solve(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		e.simp.res = res
	}
	e.hint(part, c)
	return nil
}

// setPoint makes c + num/den the base if the numbers are small enough.
func (b *Base) setPoint(c, num []int64, den int64) bool {
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
func (b *Base) refiner() *refiner {
	n := b.t.Len()
	lo, up := make([]int64, n), make([]int64, n)
	for i := range n {
		if lo[i], up[i] = b.t.Lower[i], b.t.Upper[i]; !b.withheld[i] {
			lo[i], up[i] = b.t.Value[i], b.t.Value[i]
		}
	}
	return newRefiner(b.s.Rel, b.s.Cols, lo, up, b.t.Rel.RHS)
}

// Feasible returns a table y = num/den consistent with the publication of t: the values of published cells, the
// relations and the bounds Lower ≤ y ≤ Upper. Values of withheld cells are not read. It fails with ErrInconsistent if
// no table is consistent, and with ErrInexact if the one found does not fit 64 bits. backend is the LP back end; the
// cost is that of one linear program.
func (s *System) Feasible(ctx context.Context, t *table.Table, withheld []bool, backend string) (num []int64, den int64, err error) {
	b := &Base{s: s, t: t, withheld: withheld}
	if err := b.findPoint(ctx, backend); err != nil {
		return nil, 0, err
	}
	if b.wide {
		return nil, 0, ErrInexact
	}
	return b.num, b.den, nil
}
