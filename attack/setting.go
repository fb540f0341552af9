package attack

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/table"
)

// A setting is one attack prepared. Withheld cells are numbered by position
// p = 0 … s−1, in table order.
type setting struct {
	office *Office
	t      *table.Table // as given
	base   *table.Table // as the procedure starts, with the costs of published cells
	sys    *oracle.System
	n, s   int
	cells  []int32 // per position: the cell of the table
	pos    []int32 // per cell, −1: published
	own    bitset  // S
	mine   []bool  // S, by cell
	free   []bool  // per cell: may be withheld
	unit   int64   // unit of cost "value": 10^Decimals

	positionRelations
	feasibleIntervals
	needed
	cost func(i int32, v int64) int64
}

// positionRelations are the relations over positions, row j: Σ coef·y_p = rhs over ptr[j] ≤ t < ptr[j+1].
type positionRelations struct {
	ptr  []int32
	at   []int32
	coef []int64
	rhs  []int64
	rows [][]int32 // per position: the relations of the cell
}

// feasibleIntervals are per position what the office's intruder and the attacker take for possible.
type feasibleIntervals struct {
	lb, ub         []int64    // bounds of the office's intruder
	feasLo, feasHi []*big.Rat // intervals behind S for the office's intruder
	lo, hi         []*big.Rat // the same for the attacker, who may know more
	extents        []extent
	root           box // what the attacker takes for possible at the outset
	fib            *nullspace.Fibre
}

// needed are the levels that sensitive cells need.
type needed struct {
	q     int64   // levels are in units of 1/q
	level []level // per position
	reach int64   // levels are at most this, in units of values
}

// A level is what a sensitive cell needs: spl, lpl, upl in units of 1/q, or
// percentages of |v| in the same units; a negative constant means percentage.
type level struct {
	fix [3]int64 // Width, LPL, UPL, −1: by rate
	per [3]int64
}

// maxWord bounds every number: sums of a few of them fit 64 bits.
const maxWord = 1 << 61

func newSetting(ctx context.Context, t *table.Table, withheld []bool, opt *Options) (*setting, error) {
	o := &opt.Office
	if t.Rounded() {
		return nil, i18n.Errorf("table %s: %w", t.Name, errRounded)
	}
	base, err := o.base(t, withheld)
	if err != nil {
		return nil, err
	}
	x := &setting{office: o, t: t, base: base, n: t.Len(), unit: table.Pow10(t.Decimals), mine: slices.Clone(withheld), sys: oracle.NewSystem(t.Rel)}
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
			return nil, i18n.Errorf("%w: %s", ErrPublished, t.CellName(i))
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
	if x.positionRelations, err = overPositions(t, base, x.pos, x.s); err != nil {
		return nil, err
	}
	if x.needed, err = levelsOf(o, t, x.cells); err != nil {
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
			return nil, i18n.Errorf("%w: %s", ErrUnbounded, t.CellName(int(i)))
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
		return nil, i18n.Errorf("attack: levels up to %d units are too large", x.reach)
	}
	return x, nil
}

// errImpossible is returned where F is empty over the reals.
var errImpossible = i18n.New("attack: no table agrees with what is published and known")

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
			return i18n.Errorf("attack: possible values of a relation's cells add up to %.2g units, want at most %.2g", sum, float64(maxWord))
		}
	}
	return nil
}

// overPositions restricts the relations of t to s positions, pos by cell, with the values of base on the right-hand sides.
func overPositions(t, base *table.Table, pos []int32, s int) (r positionRelations, err error) {
	rel := t.Rel
	r.ptr = []int32{0}
	r.rows = make([][]int32, s)
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		sum := big.NewInt(rel.RHS[j])
		for e, i := range cell {
			if p := pos[i]; p >= 0 {
				r.at, r.coef = append(r.at, p), append(r.coef, int64(coef[e]))
				r.rows[p] = append(r.rows[p], int32(len(r.rhs)))
			} else {
				sum.Sub(sum, new(big.Int).Mul(big.NewInt(int64(coef[e])), big.NewInt(base.Value[i])))
			}
		}
		if len(r.at) == int(r.ptr[len(r.ptr)-1]) {
			continue
		}
		if !sum.IsInt64() {
			return r, i18n.Errorf("attack: %s: numbers too large", t.RelationName(j))
		}
		r.ptr, r.rhs = append(r.ptr, int32(len(r.at))), append(r.rhs, sum.Int64())
	}
	return r, nil
}

// levelsOf returns the levels that the office asks for at cells.
func levelsOf(office *Office, t *table.Table, cells []int32) (n needed, err error) {
	l := [3]*table.Level{office.Levels.Width, office.Levels.LPL, office.Levels.UPL}
	n.q = 1
	for _, v := range l {
		if v != nil && v.Percent {
			n.q = max(n.q, table.Pow10(2+v.Scale))
		}
	}
	n.level = make([]level, len(cells))
	for p, i := range cells {
		for k, given := range [3]int64{t.Width[i], t.LPL[i], t.UPL[i]} {
			lev := &n.level[p]
			switch v := l[k]; {
			case given != 0 || v == nil:
				if given > maxWord/n.q {
					return n, i18n.Errorf("attack: cell %s: level too large", t.CellName(int(i)))
				}
				lev.fix[k] = given * n.q
			case v.Percent:
				lev.fix[k] = -1
				lev.per[k] = v.Unscaled * (n.q / table.Pow10(2+v.Scale))
			default:
				a, ok := v.At(t.Decimals)
				if !ok || a > maxWord/n.q {
					return n, i18n.Errorf("attack: level %s: want at most %d decimals, as the values have", v.Decimal, t.Decimals)
				}
				lev.fix[k] = a * n.q
			}
		}
	}
	return n, nil
}

// need returns the largest level k (0 Width, 1 LPL, 2 UPL) of position p for values
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
		return i18n.Errorf("attack: costs %s are not supported, want count, value, freq or given", kind.Kind)
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
		return i18n.Errorf("attack: the costs of a candidate can add up to %s, want at most 18 digits; scale them down", sum)
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
			return i18n.Errorf("attack: cell %s: its interval is too wide for its level in percent", x.t.CellName(int(x.cells[p])))
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
