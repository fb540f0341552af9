package attack

import (
	"github.com/hitoku/hitoku/internal/exact/num"
)

// A move of a pattern K is a z ≠ 0 with M z = 0 and z_i = 0 outside K. It can be applied to a table y with any multiple
// t that respects the bounds, so y_k can rise by z_k·t and fall by z_k·t' whatever y is.
type move struct {
	p       []int32 // positions
	z       []int64
	fwd     int64 // steps forwards and backwards that the cells of K outside S allow,
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

// newMove stores z, with cells ascending, in lowest terms and with a positive first entry.
func (x *setting) newMove(z []cellMove) *move {
	g := int64(0)
	for _, e := range z {
		g = num.GCD(g, num.Abs(e.z))
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

// steps returns how often an entry z can be applied at a cell with bounds lb, ub and a value in [l, u], in units of
// 1/(grain·q).
func (x *setting) steps(z, l, u, lb, ub int64) int64 {
	slack, infinite := l-lb, lb < -maxWord
	if z > 0 {
		slack, infinite = ub-u, ub > maxWord
	}
	if infinite {
		return noLimit
	}
	return mulSat(max(slack, 0), x.grain*x.q) / num.Abs(z)
}

// stepLengths returns how far m can go forwards and backwards in all tables of [l, u], in steps.
func (x *setting) stepLengths(m *move, l, u []int64) (fwd, bwd int64) {
	fwd, bwd = m.fwd, m.bwd
	for t, p := range m.p {
		z := m.z[t]
		fwd = min(fwd, x.steps(z, l[p], u[p], x.lb[p], x.ub[p]))
		bwd = min(bwd, x.steps(-z, l[p], u[p], x.lb[p], x.ub[p]))
	}
	return fwd, bwd
}

// reachBy returns how far the moves of k take position p up and down in all tables of [l, u], in units of 1/(grain·q),
// and the moves that reach farthest.
func (x *setting) reachBy(k *refutingPattern, p int32, l, u []int64) (up, down int64, upBy, downBy int32) {
	upBy, downBy = -1, -1
	for _, e := range k.by[p] {
		f, b := x.stepLengths(k.moves[e.m], l, u)
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
