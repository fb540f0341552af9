package attack

import (
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/num"
)

// A killer is a pattern K that refutes candidates: those for which it is
// protected and better than S, that is cheaper, or under Exact as cheap and
// before S in the canonical order.
type killer struct {
	set   bitset  // K, by cell
	in    bitset  // K ∩ S, by position
	drop  []int32 // S \ K, positions
	price int64   // Σ w over K \ S
	tie   bool    // as cheap is enough
	moves []*move
	by    [][]moveAt // by position: the moves of its cell
}

// A move is a z ≠ 0 with M z = 0 and z_i = 0 off K. From a table y it can be made
// by any multiple t that keeps the bounds, so y_k can rise by z_k·t and fall by
// z_k·t', whatever y is.
type move struct {
	p       []int32 // positions
	z       []int64
	fwd     int64 // steps forwards and backwards that the published cells of K allow,
	bwd     int64 // in units of 1/(grain·q)
	support []cellMove
}

type cellMove struct {
	cell int32
	z    int64
}

type moveAt struct {
	m int32
	z int64
}

const (
	maxMoves = 64
	noLimit  = maxWord
)

// newKiller describes the pattern set.
func (x *setting) newKiller(set bitset) *killer {
	k := &killer{set: set, in: newBits(x.s), by: make([][]moveAt, x.s)}
	for i := range int32(x.n) {
		p := x.pos[i]
		switch {
		case p >= 0 && set.has(i):
			k.in.set(p)
		case p >= 0:
			k.drop = append(k.drop, p)
		case set.has(i):
			k.price += x.base.Cost[i]
		}
	}
	i := set.first(x.own)
	k.tie = x.office.Match == Exact && i >= 0 && !set.has(i)
	return k
}

// with returns k with another move; k is shared and stays as it is. ok is false
// where the move is known or there are enough.
func (k *killer) with(x *setting, z []cellMove) (*killer, bool) {
	if len(k.moves) >= maxMoves || len(z) == 0 {
		return k, false
	}
	m := x.newMove(z)
	for _, o := range k.moves {
		if slices.Equal(o.support, m.support) {
			return k, false
		}
	}
	c := *k
	c.moves = append(slices.Clip(k.moves), m)
	c.by = slices.Clone(k.by)
	for t, p := range m.p {
		c.by[p] = append(slices.Clip(k.by[p]), moveAt{int32(len(k.moves)), m.z[t]})
	}
	return &c, true
}

// newMove writes z, cells ascending, in lowest terms and with a positive first entry.
func (x *setting) newMove(z []cellMove) *move {
	g := int64(0)
	for _, e := range z {
		g = num.GCD(g, abs(e.z))
	}
	if z[0].z < 0 {
		g = -g
	}
	m := &move{fwd: noLimit, bwd: noLimit}
	for _, e := range z {
		e.z /= g
		m.support = append(m.support, e)
		if p := x.pos[e.cell]; p >= 0 {
			m.p, m.z = append(m.p, p), append(m.z, e.z)
			continue
		}
		v := x.base.Value[e.cell]
		m.fwd = min(m.fwd, x.steps(e.z, v, v, x.t.Lower[e.cell], x.t.Upper[e.cell]))
		m.bwd = min(m.bwd, x.steps(-e.z, v, v, x.t.Lower[e.cell], x.t.Upper[e.cell]))
	}
	return m
}

// Steps are counted in units of 1/(grain·q): a move whose entries divide grain is
// counted exactly, others are rounded down, which is on the safe side.
const grain = 12

// steps is how often a cell with bounds lb, ub and a value in [l, u] allows a move
// of z, in units of 1/(grain·q).
func (x *setting) steps(z, l, u, lb, ub int64) int64 {
	room, infinite := l-lb, lb < -maxWord
	if z > 0 {
		room, infinite = ub-u, ub > maxWord
	}
	if infinite {
		return noLimit
	}
	return mulSat(max(room, 0), grain*x.q) / abs(z)
}

// far returns how far m allows to go forwards and backwards for all tables of
// [l, u], in steps.
func (x *setting) far(m *move, l, u []int64) (fwd, bwd int64) {
	fwd, bwd = m.fwd, m.bwd
	for t, p := range m.p {
		z := m.z[t]
		fwd = min(fwd, x.steps(z, l[p], u[p], x.lb[p], x.ub[p]))
		bwd = min(bwd, x.steps(-z, l[p], u[p], x.lb[p], x.ub[p]))
	}
	return fwd, bwd
}

// span returns how far the moves of k take position p up and down for all tables
// of [l, u], in units of 1/(grain·q), and the moves that do.
func (x *setting) span(k *killer, p int32, l, u []int64) (up, down int64, upBy, downBy int32) {
	upBy, downBy = -1, -1
	for _, e := range k.by[p] {
		f, b := x.far(k.moves[e.m], l, u)
		z := e.z
		if z < 0 {
			f, b, z = b, f, -z
		}
		f, b = mulSat(f, z), mulSat(b, z)
		if f > up {
			up, upBy = f, e.m
		}
		if b > down {
			down, downBy = b, e.m
		}
	}
	return up, down, upBy, downBy
}

// needs returns the levels of position p for values in [l, u], in units of
// 1/(grain·q).
func (x *setting) needs(p int32, l, u int64) (spl, lpl, upl int64) {
	spl, lpl, upl = x.need(p, 0, l, u), x.need(p, 1, l, u), x.need(p, 2, l, u)
	spl, lpl, upl = mulSat(spl, grain), mulSat(lpl, grain), mulSat(upl, grain)
	if x.base.Strict {
		spl++
	}
	return
}

// protects says whether k shows the levels of position p met for all tables of [l, u].
func (x *setting) protects(k *killer, p int32, l, u []int64) bool {
	spl, lpl, upl := x.needs(p, l[p], u[p])
	up, down, _, _ := x.span(k, p, l, u)
	return up >= upl && down >= lpl && up+down >= spl
}

// cheaper says whether k costs less than S, or as much if that is enough, for all
// tables of [l, u].
func (x *setting) cheaper(k *killer, l, u []int64) bool {
	sum := int64(0)
	for _, p := range k.drop {
		sum += x.leastWeight(p, l[p], u[p])
	}
	return sum > k.price || sum == k.price && k.tie
}

// covers says whether k withholds all of these positions.
func (k *killer) covers(may bitset) bool {
	for w, v := range may {
		if v&^k.in[w] != 0 {
			return false
		}
	}
	return true
}

// kills says whether the moves of k, which covers may and is cheaper, show it protected
// for all tables of [l, u]; may are the positions that can be sensitive there.
func (x *setting) kills(k *killer, l, u []int64, may bitset) bool {
	for w, v := range may {
		for ; v != 0; v &= v - 1 {
			if !x.protects(k, int32(w<<6+bits.TrailingZeros64(v)), l, u) {
				return false
			}
		}
	}
	return true
}

// A condition is y_p ≥ v, or y_p ≤ v if most.
type condition struct {
	p    int32
	most bool
	v    int64
}

// A region collects conditions that a candidate y meets and that together imply a
// verdict, within a box: l, u are its corners.
type region struct {
	x    *setting
	l, u []int64
	y    []int64
	cond []condition
}

// least demands y_p ≥ v.
func (r *region) least(p int32, v int64) {
	if v > r.l[p] {
		r.l[p] = v
		r.cond = append(r.cond, condition{p, false, v})
	}
}

// most demands y_p ≤ v.
func (r *region) most(p int32, v int64) {
	if v < r.u[p] {
		r.u[p] = v
		r.cond = append(r.cond, condition{p, true, v})
	}
}

// quiet demands that position p is not sensitive, as it is in y.
func (r *region) quiet(p int32) {
	if a, b := r.x.office.span(); r.y[p] > b {
		r.least(p, b+1)
	} else {
		r.most(p, a-1)
	}
}

// refute finds conditions, met by y, under which k, which covers the sensitive cells
// of y and is better than S there, refutes a candidate. false: it does not refute
// y, as far as its moves show.
func (r *region) refute(k *killer) bool {
	x := r.x
	r.settle(k)
	for p := range int32(x.s) {
		if x.sensitive(p, r.y[p]) && !r.protect(k, p) {
			return false
		}
	}
	for p := range int32(x.s) {
		if k.in.has(p) && x.maybe(p, r.l[p], r.u[p]) && !x.sensitive(p, r.y[p]) && !x.protects(k, p, r.l, r.u) {
			r.quiet(p)
		}
	}
	return true
}

// settle demands that the cells of S without k are not sensitive and dear enough for k
// to be better.
func (r *region) settle(k *killer) {
	x := r.x
	for _, p := range k.drop {
		if x.maybe(p, r.l[p], r.u[p]) {
			r.quiet(p)
		}
	}
	for _, p := range k.drop {
		if x.cost == nil || x.cheaper(k, r.l, r.u) {
			return
		}
		if v := r.y[p]; v >= 0 {
			r.least(p, v)
		} else {
			r.most(p, v)
		}
	}
}

// protect demands what k needs to meet the levels of position p.
func (r *region) protect(k *killer, p int32) bool {
	x, y := r.x, r.y
	if x.protects(k, p, r.l, r.u) {
		return true
	}
	if !x.protects(k, p, y, y) {
		return false
	}
	if x.level[p].fix[0] < 0 || x.level[p].fix[1] < 0 || x.level[p].fix[2] < 0 {
		r.least(p, y[p])
		r.most(p, y[p])
	}
	spl, lpl, upl := x.needs(p, r.l[p], r.u[p])
	// With what the corner allows as much as possible, the rest shared out.
	cu, cd, _, _ := x.span(k, p, r.l, r.u)
	up, down, a, b := x.span(k, p, y, y)
	u := max(upl, min(up, max(cu, spl-down)))
	d := max(lpl, spl-u)
	if d > down {
		d = down
		u = max(upl, spl-d)
	}
	if u > cu {
		r.reach(k.moves[a], p, u, true)
	}
	if d > cd {
		r.reach(k.moves[b], p, d, false)
	}
	if x.protects(k, p, r.l, r.u) {
		return true
	}
	// Rounding was in the way: all the room of y.
	if a >= 0 {
		r.reach(k.moves[a], p, up, true)
	}
	if b >= 0 {
		r.reach(k.moves[b], p, down, false)
	}
	return x.protects(k, p, r.l, r.u)
}

// reach demands that m takes position p up (down) by the amount, in units of
// 1/(grain·q).
func (r *region) reach(m *move, p int32, amount int64, up bool) {
	x := r.x
	zp := m.z[slices.Index(m.p, p)]
	sign := int64(1)
	if (zp < 0) == up {
		sign = -1
	}
	step := ceilDiv(amount, abs(zp)) // units of 1/(grain·q)
	for t, i := range m.p {
		z := sign * m.z[t]
		room := ceilDiv(mulSat(step, abs(z)), grain*x.q)
		if z < 0 {
			if x.lb[i] >= -maxWord {
				r.least(i, min(x.lb[i]+room, r.y[i]))
			}
		} else if x.ub[i] <= maxWord {
			r.most(i, max(x.ub[i]-room, r.y[i]))
		}
	}
}
