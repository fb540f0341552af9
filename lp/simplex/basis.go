package simplex

import (
	"fmt"
	"math"

	"github.com/hitoku/hitoku/lp"
)

// rest returns the status of a nonbasic variable under its working bounds that
// is closest to the status st, and its value. A free variable stays where it is,
// which may be between finite bounds.
func (s *Solver) rest(v int32, st status) (status, float64) {
	lo, up := s.lo[v], s.up[v]
	if x := s.x[v]; st == free && lo < x && x < up {
		return free, x
	}
	if st == atUpper && !math.IsInf(up, 1) && lo != up {
		return atUpper, up
	}
	if !math.IsInf(lo, -1) {
		return atLower, lo
	}
	if !math.IsInf(up, 1) {
		return atUpper, up
	}
	return free, 0
}

// setActive keeps the list of active variables.
func (s *Solver) setActive(v int32, on bool) {
	p := s.place[v]
	if on == (p >= 0) {
		return
	}
	if on {
		s.place[v] = int32(len(s.active))
		s.active = append(s.active, v)
		if int(v) < s.n {
			s.mat.activate(v)
		}
		return
	}
	last := s.active[len(s.active)-1]
	s.active[p], s.place[last] = last, p
	s.active = s.active[:len(s.active)-1]
	s.place[v] = -1
	if int(v) < s.n {
		s.mat.deactivate(v)
	}
}

// relist rebuilds the list of active variables and the active parts of all
// rows from stat and the working bounds. Cost O(n + entries).
func (s *Solver) relist() {
	s.active = s.active[:0]
	for v := range s.stat {
		s.place[v] = -1
		if s.stat[v] != basic && s.lo[v] != s.up[v] {
			s.place[v] = int32(len(s.active))
			s.active = append(s.active, int32(v))
		}
	}
	s.reactivate(0)
}

// reactivate rebuilds the active parts of the rows from first on.
func (s *Solver) reactivate(first int) {
	for i := first; i < s.m; i++ {
		b, e := s.mat.rbeg[i], s.mat.rbeg[i+1]
		s.mat.ract[i] = 0
		for t := b; t < e; t++ {
			if s.place[s.mat.ridx[t]] >= 0 {
				s.mat.swap(t, b+s.mat.ract[i])
				s.mat.ract[i]++
			}
		}
	}
}

// slackBasis makes all logicals basic and all columns nonbasic.
func (s *Solver) slackBasis() {
	copy(s.lo, s.blo)
	copy(s.up, s.bup)
	copy(s.cost, s.bcost)
	s.perturbed, s.loosened = false, false
	for v := range s.stat {
		if v >= s.n {
			s.stat[v] = basic
			continue
		}
		st := atLower
		if s.cost[v] < 0 {
			st = atUpper
		}
		s.stat[v], s.x[v] = s.rest(int32(v), st)
		s.pos[v] = -1
	}
	s.begin()
	s.haveDSE = true
	for i := range s.m {
		s.weight[s.n+i] = 1
	}
}

// begin starts from stat, whatever was known before.
func (s *Solver) begin() {
	for _, v := range s.dirty {
		s.isDirty[v] = false
	}
	s.dirty = s.dirty[:0]
	s.haveBasis, s.haveHead, s.haveFac = true, false, false
	s.haveX, s.haveD, s.haveDSE = false, false, false
	s.relist()
}

// saveWeights stores the dual edge weights by variable.
func (s *Solver) saveWeights() {
	if s.haveHead {
		for p, v := range s.head {
			s.weight[v] = s.dse[p]
		}
	}
}

// factorise computes fresh factors of the basis and repairs it if it is
// singular: dependent variables leave it for their nearer bound, logicals take
// their place.
func (s *Solver) factorise() {
	s.saveWeights()
	cand := s.cands[:0]
	if s.haveHead {
		cand = append(cand, s.head...)
	} else {
		for v, st := range s.stat {
			if st == basic {
				cand = append(cand, int32(v))
			}
		}
	}
	s.cands = cand
	s.leftover = s.fac.build(&s.mat, cand, s.head, s.leftover[:0])
	for _, v := range s.leftover {
		st := atLower
		if s.up[v]-s.x[v] < s.x[v]-s.lo[v] {
			st = atUpper
		}
		s.stat[v], s.x[v] = s.rest(v, st)
		s.pos[v] = -1
		s.setActive(v, s.lo[v] != s.up[v])
		s.haveX, s.haveD = false, false
	}
	for p, v := range s.head {
		if s.stat[v] != basic {
			s.stat[v] = basic
			s.setActive(v, false)
			s.weight[v] = 1
			s.haveX, s.haveD = false, false
		}
		s.pos[v] = int32(p)
		s.dse[p] = s.weight[v]
	}
	s.haveHead, s.haveFac = true, true
}

// prepare brings basis, factors, primal and dual values up to date with the
// model.
func (s *Solver) prepare() {
	if s.recosted {
		s.setCostScale()
	}
	switch {
	case !s.haveBasis:
		s.slackBasis()
	case s.recosted && !s.given && s.beside == 0 && s.limits.Target != nil && !s.there():
		s.origin()
	case s.changedBeyondUse():
		s.slackBasis()
	}
	s.given, s.recosted = false, false
	if !s.haveFac {
		s.absorb()
		s.factorise()
	} else {
		s.absorb()
	}
	s.refresh()
}

// there reports whether the last point is feasible and meets the target.
func (s *Solver) there() bool {
	return s.haveX && len(s.dirty) == 0 && s.value() <= *s.limits.Target && s.primalFeasible()
}

// origin takes over changed bounds and moves all variables to 0, which must be
// within the bounds: with any basis that is a feasible point, where a new
// objective starts with fewer detours than at the optimum of the last one.
// Nonbasic variables that are off their bounds there are free. Cost O(n + m).
func (s *Solver) origin() {
	for _, v := range s.dirty {
		s.isDirty[v] = false
		s.lo[v], s.up[v] = s.blo[v], s.bup[v]
		if s.stat[v] != basic {
			on := s.lo[v] != s.up[v]
			if on && s.place[v] < 0 {
				s.haveD = false
			}
			s.setActive(v, on)
		}
	}
	s.dirty = s.dirty[:0]
	clear(s.x)
	for v, st := range s.stat {
		switch {
		case st == basic:
		case s.lo[v] == 0:
			s.stat[v] = atLower
		case s.up[v] == 0:
			s.stat[v] = atUpper
		default:
			s.stat[v] = free
		}
	}
	s.haveX = true
}

// changedBeyondUse reports whether so many columns have become fixed or have
// ceased to be, and must move for it, that a fresh start is quicker: more than
// half as many as are not fixed now. A basis that the caller has set stays.
func (s *Solver) changedBeyondUse() bool {
	if s.given {
		return false
	}
	moved := 0
	for _, v := range s.dirty {
		lo, up, x := s.blo[v], s.bup[v], s.x[v]
		if int(v) < s.n && (lo == up) != (s.lo[v] == s.up[v]) && x != lo && x != up &&
			(lo == up || s.stat[v] != basic) {
			moved++
		}
	}
	if moved < 3 {
		return false
	}
	loose := 0
	for j, lo := range s.blo[:s.n] {
		if lo != s.bup[j] {
			loose++
		}
	}
	return 2*moved > loose
}

// refresh computes primal and dual values where they are not known.
func (s *Solver) refresh() {
	if !s.haveX {
		s.computeX()
	}
	if !s.haveD {
		s.computeD()
	}
}

// setCostScale measures the costs and lists the columns that have one.
func (s *Solver) setCostScale() {
	s.priced = s.priced[:0]
	least, most := math.Inf(1), 0.0
	for j, c := range s.bcost[:s.n] {
		if c != 0 {
			s.priced = append(s.priced, int32(j))
			c = math.Abs(c) * s.unit[j]
			least, most = min(least, c), max(most, c)
		}
	}
	if most == 0 {
		least, most = 1, 1
	}
	s.costScale, s.dualTol = most, feasTol*most
	s.costLeast = max(least, 1e-2*most)
}

// absorb takes over changed bounds. While the primal values are known, they
// follow by one solve with the columns that move.
func (s *Solver) absorb() {
	moved := false
	for _, v := range s.dirty {
		s.isDirty[v] = false
		s.lo[v], s.up[v] = s.blo[v], s.bup[v]
		if s.stat[v] == basic {
			continue
		}
		st, x := s.rest(v, s.stat[v])
		s.stat[v] = st
		if x != s.x[v] {
			if s.haveX && s.haveFac {
				s.moveRHS(&s.rhs, v, x-s.x[v])
				moved = true
			} else {
				s.haveX = false
			}
			s.x[v] = x
		}
		on := s.lo[v] != s.up[v]
		if on && s.place[v] < 0 {
			s.haveD = false // reduced costs of fixed variables are not kept
		}
		s.setActive(v, on)
	}
	s.dirty = s.dirty[:0]
	if moved {
		s.fac.ftran(&s.rhs, kindFlip, false)
		for _, p := range s.rhs.idx {
			s.x[s.head[p]] += s.rhs.x[p]
		}
		s.rhs.clear()
	}
}

// moveRHS adds to v what −B x_B gains if nonbasic variable j moves by dx.
func (s *Solver) moveRHS(v *vec, j int32, dx float64) {
	if int(j) >= s.n {
		s.add(v, j-int32(s.n), dx)
		return
	}
	idx, val := s.mat.col(j)
	for k, i := range idx {
		s.add(v, i, -dx*val[k])
	}
}

// add adds a to entry i of v.
func (s *Solver) add(v *vec, i int32, a float64) {
	old := v.x[i]
	if old == 0 {
		v.idx = append(v.idx, i)
	}
	if v.x[i] = old + a; v.x[i] == 0 {
		v.x[i] = ghost
	}
}

// computeX solves B x_B = −N x_N.
func (s *Solver) computeX() {
	s.rhs.clear()
	r := s.rhs.x
	size := 0.0
	for j := range int32(s.n) {
		if x := s.x[j]; s.stat[j] != basic && x != 0 {
			size = max(size, math.Abs(x))
			idx, val := s.mat.col(j)
			for k, i := range idx {
				r[i] -= x * val[k]
			}
		}
	}
	for i := range s.m {
		if v := s.n + i; s.stat[v] != basic {
			r[i] += s.x[v]
			size = max(size, math.Abs(s.x[v]))
		}
	}
	s.noise = 1e-15 * size
	s.rhs.gather()
	s.fac.ftran(&s.rhs, kindFlip, false)
	for p, v := range s.head {
		s.x[v] = s.rhs.x[p]
	}
	s.rhs.clear()
	s.haveX = true
}

// computeY solves Bᵀy = c_B.
func (s *Solver) computeY() *vec {
	s.rhs.clear()
	for p, v := range s.head {
		if c := s.cost[v]; c != 0 {
			s.rhs.set(int32(p), c)
		}
	}
	s.fac.btran(&s.rhs, kindFlip, false)
	return &s.rhs
}

// computeD computes the reduced costs of the active variables.
func (s *Solver) computeD() {
	y := s.computeY()
	n := int32(s.n)
	for _, v := range s.active {
		s.d[v] = s.cost[v]
	}
	for _, i := range y.idx {
		a := y.x[i]
		s.d[n+i] += a
		b := s.mat.rbeg[i]
		e := b + s.mat.ract[i]
		val := s.mat.rval[b:e]
		for t, j := range s.mat.ridx[b:e] {
			s.d[j] -= a * val[t]
		}
	}
	y.clear()
	s.haveD = true
}

// exchange makes q basic in position p and moves the variable there to its
// lower or upper bound.
func (s *Solver) exchange(p, q int32, leaving status) {
	v := s.head[p]
	s.head[p] = q
	s.stat[q], s.pos[q] = basic, p
	s.setActive(q, false)
	s.pos[v] = -1
	s.stat[v], s.x[v] = s.rest(v, leaving)
	s.setActive(v, s.lo[v] != s.up[v])
}

// Basis copies the current basis into b.
func (s *Solver) Basis(b *lp.Basis) error {
	if !s.loaded {
		return lp.ErrNotLoaded
	}
	if !s.haveBasis {
		s.slackBasis()
	}
	b.Col = append(b.Col[:0], s.stat[:s.n]...)
	b.Row = append(b.Row[:0], s.stat[s.n:]...)
	return nil
}

// SetBasis starts the next Solve from b.
func (s *Solver) SetBasis(b *lp.Basis) error {
	if !s.loaded {
		return lp.ErrNotLoaded
	}
	if len(b.Col) != s.n || len(b.Row) > s.m {
		return &lp.ModelError{Row: -1, Col: -1, What: fmt.Sprintf("basis of %d columns and %d rows for a model of %d and %d", len(b.Col), len(b.Row), s.n, s.m)}
	}
	at := func(v int32) status {
		if int(v) < s.n {
			return b.Col[v]
		} else if i := int(v) - s.n; i < len(b.Row) {
			return b.Row[i]
		}
		return basic
	}
	s.given = true
	if s.haveBasis && s.sameBasics(at) {
		// Factors and weights remain; only nonbasic variables may move.
		for v, st := range s.stat {
			if st == basic {
				continue
			}
			if st = at(int32(v)); st == free {
				s.haveX = s.haveX && s.x[v] == 0
				s.x[v] = 0
			}
			st, x := s.rest(int32(v), st)
			s.haveX = s.haveX && x == s.x[v]
			s.stat[v], s.x[v] = st, x
		}
		return nil
	}
	copy(s.lo, s.blo)
	copy(s.up, s.bup)
	copy(s.cost, s.bcost)
	s.perturbed, s.loosened = false, false
	for v := range int32(s.n + s.m) {
		st := at(v)
		s.pos[v] = -1
		s.stat[v] = st
		if st == free {
			s.x[v] = 0
		}
		if st != basic {
			s.stat[v], s.x[v] = s.rest(v, st)
		}
	}
	s.begin()
	return nil
}

// sameBasics reports whether the statuses at name the current basic variables.
func (s *Solver) sameBasics(at func(int32) status) bool {
	for v, st := range s.stat {
		if (st == basic) != (at(int32(v)) == basic) {
			return false
		}
	}
	return true
}
