package attack

import (
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// A condition is y_p ≥ v, or y_p ≤ v if most.
type condition struct {
	p    int32
	most bool
	v    int64
}

// A region collects conditions, satisfied by a candidate y, that together imply a verdict for the tables of a box,
// whose corners l and u it narrows accordingly.
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

// asks demands that the percentages of position p amount to no more than they do in y.
func (r *region) asks(p int32) {
	v := num.Abs(r.y[p])
	r.least(p, -v)
	r.most(p, v)
}

// notSensitive demands that position p is not sensitive, as it is not in y.
func (r *region) notSensitive(p int32) {
	if a, b := r.x.office.sensitiveRange(); r.y[p] > b {
		r.least(p, b+1)
	} else {
		r.most(p, a-1)
	}
}

// refute finds conditions, satisfied by y, under which k, which covers the sensitive cells of y and is better than S
// there, refutes a candidate. It returns false if the known moves of k do not refute y.
func (r *region) refute(k *refutingPattern) bool {
	x := r.x
	r.requireBetter(k)
	for p := range int32(x.s) {
		if x.sensitive(p, r.y[p]) && !r.protect(k, p) {
			return false
		}
	}
	for p := range int32(x.s) {
		if k.in.has(p) && x.maybe(p, r.l[p], r.u[p]) && !x.sensitive(p, r.y[p]) && !x.protects(k, p, r.l, r.u) {
			r.notSensitive(p)
		}
	}
	return true
}

// requireBetter demands that the cells of S outside k are not sensitive and dear enough for k to be better.
func (r *region) requireBetter(k *refutingPattern) {
	x := r.x
	for _, p := range k.drop {
		if x.maybe(p, r.l[p], r.u[p]) {
			r.notSensitive(p)
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
func (r *region) protect(k *refutingPattern, p int32) bool {
	x, y := r.x, r.y
	if x.protects(k, p, r.l, r.u) {
		return true
	}
	if !x.protects(k, p, y, y) {
		return false
	}
	if x.level[p].fix[0] < 0 || x.level[p].fix[1] < 0 || x.level[p].fix[2] < 0 {
		r.asks(p)
	}
	spl, lpl, upl := x.needs(p, r.l[p], r.u[p])
	// Use what the corner allows, and split the rest.
	cu, cd, _, _ := x.reachBy(k, p, r.l, r.u)
	up, down, a, b := x.reachBy(k, p, y, y)
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
	// Rounding prevented it: demand all the slack that y has.
	if a >= 0 {
		r.reach(k.moves[a], p, up, true)
	}
	if b >= 0 {
		r.reach(k.moves[b], p, down, false)
	}
	return x.protects(k, p, r.l, r.u)
}

// reach demands that m can take position p up (else down) by the amount, in units of 1/(grain·q).
func (r *region) reach(m *move, p int32, amount int64, up bool) {
	x := r.x
	zp := m.z[slices.Index(m.p, p)]
	sign := int64(1)
	if (zp < 0) == up {
		sign = -1
	}
	step := num.CeilDiv(amount, num.Abs(zp)) // in units of 1/(grain·q)
	for t, i := range m.p {
		z := sign * m.z[t]
		slack := num.CeilDiv(mulSat(step, num.Abs(z)), x.grain*x.q)
		if z < 0 {
			if x.lb[i] >= -maxWord {
				r.least(i, min(x.lb[i]+slack, r.y[i]))
			}
		} else if x.ub[i] <= maxWord {
			r.most(i, max(x.ub[i]-slack, r.y[i]))
		}
	}
}
