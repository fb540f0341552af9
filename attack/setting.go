package attack

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/nullspace"
	"github.com/hitoku/hitoku/internal/num"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// A setting is one attack prepared. Withheld cells are numbered by position
// p = 0 … s−1, in table order.
type setting struct {
	office *Office
	t      *table.Table // as given: for names and verdicts
	base   *table.Table // as the procedure starts, with the costs of published cells
	sys    *intruder.System
	n, s   int
	cells  []int32 // by position
	pos    []int32 // by cell, −1: published
	own    bitset  // S
	mine   []bool  // S, by cell
	free   []bool  // by cell: may be withheld
	unit   int64   // of cost "value": 10^Decimals

	// Restricted relations, row j: Σ coef·y_p = rhs over ptr[j] ≤ t < ptr[j+1].
	ptr  []int32
	at   []int32
	coef []int64
	rhs  []int64
	rows [][]int32 // by position

	lb, ub []int64 // by position: bounds of the office's intruder

	// The intervals behind S for the office's intruder.
	feasLo, feasHi []*big.Rat
	// The same for the attacker, who may know more.
	lo, hi  []*big.Rat
	extents []extent // by position
	// What the attacker takes for possible at the outset.
	root box
	fib  *nullspace.Fibre

	q     int64   // levels are in units of 1/q
	level []level // by position
	reach int64   // levels are at most this, in units of values
	cost  func(i int32, v int64) int64
}

// A level is what a sensitive cell needs: spl, lpl, upl in units of 1/q, or
// percentages of |v| in the same units; a negative constant means percentage.
type level struct {
	fix [3]int64 // SPL, LPL, UPL, −1: by rate
	per [3]int64
}

// maxWord bounds every number: sums of a few of them fit 64 bits.
const maxWord = 1 << 61

func newSetting(ctx context.Context, t *table.Table, withheld []bool, opt *Options) (*setting, error) {
	o := &opt.Office
	if t.Rounded() {
		return nil, fmt.Errorf("table %s: %w", t.Name, ErrRounded)
	}
	base, err := o.base(t, withheld)
	if err != nil {
		return nil, err
	}
	x := &setting{office: o, t: t, base: base, n: t.Len(), unit: table.Pow10(t.Decimals), mine: slices.Clone(withheld), sys: intruder.NewSystem(t.Rel)}
	x.own = newBits(x.n)
	x.pos = make([]int32, x.n)
	x.free = make([]bool, x.n)
	lo, hi := slices.Clone(t.Lower), slices.Clone(t.Upper)
	for i := range x.n {
		x.pos[i] = -1
		x.free[i] = base.Status[i] != table.Published
		switch {
		case withheld[i]:
			x.pos[i] = int32(len(x.cells))
			x.cells = append(x.cells, int32(i))
			x.own.set(int32(i))
		case o.Below > 0 && x.free[i] && o.sensitive(base.Value[i]), o.Below == 0 && base.Status[i] == table.Sensitive:
			return nil, fmt.Errorf("%w: %s", ErrPublished, t.CellName(i))
		}
		if v, ok := opt.Knows[i]; ok && withheld[i] {
			lo[i], hi[i] = max(lo[i], v), min(hi[i], v)
			if lo[i] > hi[i] {
				lo[i], hi[i] = v, v
			}
		}
	}
	x.s = len(x.cells)
	for _, i := range x.cells {
		x.lb, x.ub = append(x.lb, t.Lower[i]), append(x.ub, t.Upper[i])
	}
	if err := x.restrict(); err != nil {
		return nil, err
	}
	if err := x.setLevels(); err != nil {
		return nil, err
	}
	if err := x.setCosts(); err != nil {
		return nil, err
	}
	f, err := nullspace.New(t.Rel, x.cells, base.Value, t.Lower, t.Upper)
	if err != nil {
		return nil, err
	}
	x.fib = f
	if x.feasLo, x.feasHi, err = x.feasible(ctx, f, nil, opt); err != nil {
		return nil, err
	}
	x.lo, x.hi = x.feasLo, x.feasHi
	if len(opt.Knows) > 0 {
		if x.fib, err = nullspace.New(t.Rel, x.cells, base.Value, lo, hi); err != nil {
			return nil, err
		}
		if x.lo, x.hi, err = x.feasible(ctx, x.fib, opt.Knows, opt); err != nil {
			return nil, err
		}
	}
	x.root = x.newBox()
	for p, i := range x.cells {
		l, okl := ceilRat(x.lo[p])
		u, oku := floorRat(x.hi[p])
		if !okl || !oku || x.feasLo[p] == nil || x.feasHi[p] == nil {
			return nil, fmt.Errorf("%w: %s", ErrUnbounded, t.CellName(int(i)))
		}
		x.root[p], x.root[x.s+p] = l, u
	}
	if err := x.checkCosts(); err != nil {
		return nil, err
	}
	if err := x.setExtents(); err != nil {
		return nil, err
	}
	if err := x.fits(); err != nil {
		return nil, err
	}
	for p := range x.s {
		for k := range 3 {
			x.reach = max(x.reach, (x.need(int32(p), k, x.root[p], x.root[x.s+p])+x.q-1)/x.q)
		}
	}
	x.reach++
	if x.reach > maxWord/(4*grain*x.q) {
		return nil, fmt.Errorf("attack: levels up to %d units are too large", x.reach)
	}
	return x, nil
}

// errImpossible is returned where F is empty over the reals.
var errImpossible = errors.New("attack: no table agrees with what is published and known")

// feasible returns the intervals of all withheld cells for an intruder who knows some
// of them: on networks by flows, else by the exact linear programs of the fibre f.
func (x *setting) feasible(ctx context.Context, f *nullspace.Fibre, knows map[int]int64, opt *Options) (lo, hi []*big.Rat, err error) {
	if x.sys.IsNetwork() {
		return x.audit(ctx, knows, opt)
	}
	for p := range x.s {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		l, h, ok := f.Bounds(p)
		if !ok {
			return nil, nil, errImpossible
		}
		lo, hi = append(lo, l), append(hi, h)
	}
	return lo, hi, nil
}

// audit is feasible on networks, where the intervals of interval.Audit are exact.
func (x *setting) audit(ctx context.Context, knows map[int]int64, opt *Options) (lo, hi []*big.Rat, err error) {
	t := x.base.Clone()
	t.Missing = make([]bool, x.n)
	hidden := make([]bool, x.n)
	for _, i := range x.cells {
		t.Status[i] = table.Withheld
		if v, ok := knows[int(i)]; ok {
			t.Value[i] = v
			continue
		}
		hidden[i], t.Missing[i] = true, true
	}
	r, err := interval.Audit(ctx, t, hidden, &interval.Options{LP: opt.LP, Workers: opt.Workers})
	switch {
	case errors.Is(err, interval.ErrInconsistent):
		return nil, nil, errImpossible
	case err != nil:
		return nil, nil, err
	}
	lo, hi = make([]*big.Rat, x.s), make([]*big.Rat, x.s)
	for i, v := range knows {
		if p := x.pos[i]; p >= 0 {
			lo[p] = new(big.Rat).SetInt64(v)
			hi[p] = lo[p]
		}
	}
	for _, c := range r.Cells {
		lo[x.pos[c.Index]], hi[x.pos[c.Index]] = c.Lo, c.Hi
	}
	return lo, hi, nil
}

// fits makes sure that sums over relations fit 64 bits.
func (x *setting) fits() error {
	for j, b := range x.rhs {
		sum := float64(num.Abs(b))
		for t := x.ptr[j]; t < x.ptr[j+1]; t++ {
			p := int(x.at[t])
			sum += float64(num.Abs(x.coef[t])) * float64(max(num.Abs(x.root[p]), num.Abs(x.root[x.s+p])))
		}
		if sum > maxWord {
			return fmt.Errorf("attack: possible values of a relation's cells add up to %.2g units, want at most %.2g", sum, float64(maxWord))
		}
	}
	return nil
}

// restrict writes the relations over positions.
func (x *setting) restrict() error {
	rel := x.t.Rel
	x.ptr = []int32{0}
	x.rows = make([][]int32, x.s)
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		sum := big.NewInt(rel.RHS[j])
		for t, i := range cell {
			if p := x.pos[i]; p >= 0 {
				x.at, x.coef = append(x.at, p), append(x.coef, int64(coef[t]))
				x.rows[p] = append(x.rows[p], int32(len(x.rhs)))
			} else {
				sum.Sub(sum, new(big.Int).Mul(big.NewInt(int64(coef[t])), big.NewInt(x.base.Value[i])))
			}
		}
		if len(x.at) == int(x.ptr[len(x.ptr)-1]) {
			continue
		}
		if !sum.IsInt64() {
			return fmt.Errorf("attack: %s: numbers too large", x.t.RelationName(j))
		}
		x.ptr, x.rhs = append(x.ptr, int32(len(x.at))), append(x.rhs, sum.Int64())
	}
	return nil
}

// setLevels prepares what need answers.
func (x *setting) setLevels() error {
	l := [3]*table.Level{x.office.Levels.SPL, x.office.Levels.LPL, x.office.Levels.UPL}
	x.q = 1
	for _, v := range l {
		if v != nil && v.Percent {
			x.q = max(x.q, table.Pow10(2+v.Scale))
		}
	}
	x.level = make([]level, x.s)
	for p, i := range x.cells {
		for k, given := range [3]int64{x.t.SPL[i], x.t.LPL[i], x.t.UPL[i]} {
			lev := &x.level[p]
			switch v := l[k]; {
			case given != 0 || v == nil:
				if given > maxWord/x.q {
					return fmt.Errorf("attack: cell %s: level too large", x.t.CellName(int(i)))
				}
				lev.fix[k] = given * x.q
			case v.Percent:
				lev.fix[k] = -1
				lev.per[k] = v.Unscaled * (x.q / table.Pow10(2+v.Scale))
			default:
				a, ok := v.At(x.t.Decimals)
				if !ok || a > maxWord/x.q {
					return fmt.Errorf("attack: level %s: want at most %d decimals, as the values have", v.Decimal, x.t.Decimals)
				}
				lev.fix[k] = a * x.q
			}
		}
	}
	return nil
}

// need returns the largest level k (0 SPL, 1 LPL, 2 UPL) of position p for values
// in [l, u], in units of 1/q.
func (x *setting) need(p int32, k int, l, u int64) int64 {
	lev := &x.level[p]
	if lev.fix[k] >= 0 {
		return lev.fix[k]
	}
	if lev.per[k] == 0 {
		return 0
	}
	v := max(u, -l)
	if l > 0 || u < 0 {
		v = max(num.Abs(l), num.Abs(u))
	}
	r := max(mulSat(lev.per[k], v), x.q)
	if k == 1 {
		r = min(r, mulSat(v, x.q))
	}
	return r
}

// setCosts prepares cost.
func (x *setting) setCosts() error {
	kind := x.office.Cost
	if kind.Kind == "" {
		kind.Kind = "count"
	}
	if err := x.base.SetCost(kind); err != nil {
		return err
	}
	switch {
	case kind.Kind == "count" || kind.Kind == "given" || kind.Kind == "freq" && x.base.Freq != nil:
		x.cost = nil
	case kind.Kind == "value" || kind.Kind == "freq":
		x.cost = func(_ int32, v int64) int64 { return max(x.unit, num.Abs(v)) }
	default:
		return fmt.Errorf("attack: costs %s are not supported, want count, value, freq or given", kind.Kind)
	}
	return nil
}

// checkCosts refuses costs whose sum over all cells, at their dearest, is above 2^62.
func (x *setting) checkCosts() error {
	sum := new(big.Int)
	for i := range int32(x.n) {
		w := x.base.Cost[i]
		if p := x.pos[i]; p >= 0 {
			w = max(x.weight(p, x.root[p]), x.weight(p, x.root[int32(x.s)+p]))
		}
		sum.Add(sum, big.NewInt(w))
	}
	if sum.Cmp(big.NewInt(1<<62)) > 0 {
		return fmt.Errorf("attack: the costs of a candidate can add up to %s, want at most 18 digits; scale them down", sum)
	}
	return nil
}

// weight is the cost of position p at the value v.
func (x *setting) weight(p int32, v int64) int64 {
	if x.cost == nil {
		return x.base.Cost[x.cells[p]]
	}
	return x.cost(x.cells[p], v)
}

// leastWeight is the least cost of position p over [l, u].
func (x *setting) leastWeight(p int32, l, u int64) int64 {
	if x.cost == nil {
		return x.base.Cost[x.cells[p]]
	}
	if l <= 0 && u >= 0 {
		return x.cost(x.cells[p], 0)
	}
	return min(x.cost(x.cells[p], l), x.cost(x.cells[p], u))
}

// sensitive says whether position p is sensitive at the value v.
func (x *setting) sensitive(p int32, v int64) bool {
	if x.office.Below == 0 {
		return x.base.Status[x.cells[p]] == table.Sensitive
	}
	return x.office.sensitive(v)
}

// maybe says whether position p can be sensitive in [l, u].
func (x *setting) maybe(p int32, l, u int64) bool {
	if x.office.Below == 0 {
		return x.base.Status[x.cells[p]] == table.Sensitive
	}
	a, b := x.office.sensitiveRange()
	return l <= b && u >= a
}

// guarded says whether S meets the levels of position p at the value v.
func (x *setting) guarded(p int32, v int64) bool {
	w, exact, lo, hi := x.extents[p].w, x.extents[p].exact, x.extents[p].lo, x.extents[p].hi
	need := x.need(p, 0, v, v)
	if w < need || w == need && exact && x.base.Strict {
		return false
	}
	return v*x.q-lo >= x.need(p, 1, v, v) && hi-v*x.q >= x.need(p, 2, v, v)
}

// An extent is a feasible interval in units of 1/q: its width rounded down, with
// whether that is exact, and its ends rounded inwards.
type extent struct {
	w, lo, hi int64
	exact     bool
}

// setExtents prepares guarded.
func (x *setting) setExtents() error {
	q := new(big.Rat).SetInt64(x.q)
	x.extents = make([]extent, x.s)
	for p := range x.s {
		lo, hi := new(big.Rat).Mul(x.feasLo[p], q), new(big.Rat).Mul(x.feasHi[p], q)
		d := new(big.Rat).Sub(hi, lo)
		e := &x.extents[p]
		var ok [3]bool
		e.lo, ok[0] = ceilRat(lo)
		e.hi, ok[1] = floorRat(hi)
		e.w, ok[2] = floorRat(d)
		e.exact = d.IsInt()
		if ok != [3]bool{true, true, true} {
			return fmt.Errorf("attack: cell %s: its interval is too wide for its level in percent", x.t.CellName(int(x.cells[p])))
		}
	}
	return nil
}

func ceilRat(r *big.Rat) (int64, bool) {
	if r == nil {
		return 0, false
	}
	v := new(big.Int).Neg(r.Num())
	v.Div(v, r.Denom()) // floor of −r
	v.Neg(v)
	return v.Int64(), v.IsInt64() && num.Abs(v.Int64()) < maxWord
}

func floorRat(r *big.Rat) (int64, bool) {
	if r == nil {
		return 0, false
	}
	v := new(big.Int).Div(r.Num(), r.Denom())
	return v.Int64(), v.IsInt64() && num.Abs(v.Int64()) < maxWord
}

// mulSat is a·b for a, b ≥ 0, at most maxWord.
func mulSat(a, b int64) int64 {
	if a != 0 && b > maxWord/a {
		return maxWord
	}
	return a * b
}
