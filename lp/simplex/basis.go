package simplex

import (
	"fmt"
	"math"

	"github.com/hitoku/hitoku/lp"
)

// rest returns the status of a nonbasic variable under its working bounds that
// is closest to the status st, and its value. A free variable stays where it is,
// which may be between finite bounds.
func (s *solver) rest(v int32, st status) (status, float64) {
	lo, up := s.point.lo[v], s.point.up[v]
	if x := s.point.x[v]; st == free && lo < x && x < up {
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
func (s *solver) setActive(v int32, on bool) {
	p := s.basis.place[v]
	if on == (p >= 0) {
		return
	}
	if on {
		s.basis.place[v] = int32(len(s.basis.active))
		s.basis.active = append(s.basis.active, v)
		if int(v) < s.n {
			s.model.mat.activate(v)
		}
		return
	}
	last := s.basis.active[len(s.basis.active)-1]
	s.basis.active[p], s.basis.place[last] = last, p
	s.basis.active = s.basis.active[:len(s.basis.active)-1]
	s.basis.place[v] = -1
	if int(v) < s.n {
		s.model.mat.deactivate(v)
	}
}

// relist rebuilds the list of active variables and the active parts of all
// rows from stat and the working bounds. Cost O(n + entries).
func (s *solver) relist() {
	s.basis.active = s.basis.active[:0]
	for v := range s.basis.stat {
		s.basis.place[v] = -1
		if s.basis.stat[v] != basic && s.point.lo[v] != s.point.up[v] {
			s.basis.place[v] = int32(len(s.basis.active))
			s.basis.active = append(s.basis.active, int32(v))
		}
	}
	s.reactivate(0)
}

// reactivate rebuilds the active parts of the rows from first on.
func (s *solver) reactivate(first int) {
	for i := first; i < s.m; i++ {
		b, e := s.model.mat.rbeg[i], s.model.mat.rbeg[i+1]
		s.model.mat.ract[i] = 0
		for t := b; t < e; t++ {
			if s.basis.place[s.model.mat.ridx[t]] >= 0 {
				s.model.mat.swap(t, b+s.model.mat.ract[i])
				s.model.mat.ract[i]++
			}
		}
	}
}

// unperturbed restores the bounds and costs of the model.
func (s *solver) unperturbed() {
	copy(s.point.lo, s.model.blo)
	copy(s.point.up, s.model.bup)
	copy(s.point.cost, s.model.bcost)
	s.point.perturbed, s.point.loosened = false, false
}

// slackBasis makes all logicals basic and all columns nonbasic.
func (s *solver) slackBasis() {
	s.unperturbed()
	for v := range s.basis.stat {
		if v >= s.n {
			s.basis.stat[v] = basic
			continue
		}
		st := atLower
		if s.point.cost[v] < 0 {
			st = atUpper
		}
		s.basis.stat[v], s.point.x[v] = s.rest(int32(v), st)
		s.basis.pos[v] = -1
	}
	s.begin()
	s.pricing.haveDSE = true
	for i := range s.m {
		s.pricing.weight[s.n+i] = 1
	}
}

// begin starts from stat and discards everything else known.
func (s *solver) begin() {
	for _, v := range s.point.dirty {
		s.point.isDirty[v] = false
	}
	s.point.dirty = s.point.dirty[:0]
	s.basis.haveBasis, s.basis.haveHead, s.basis.haveFac = true, false, false
	s.point.haveX, s.point.haveD, s.pricing.haveDSE = false, false, false
	s.relist()
}

// saveWeights stores the dual edge weights by variable.
func (s *solver) saveWeights() {
	if s.basis.haveHead {
		for p, v := range s.basis.head {
			s.pricing.weight[v] = s.pricing.dse[p]
		}
	}
}

// factorise computes fresh factors of the basis and repairs it if it is
// singular: dependent variables leave it for their nearer bound, logicals take
// their place.
func (s *solver) factorise() {
	s.saveWeights()
	cand := s.pricing.cands[:0]
	if s.basis.haveHead {
		cand = append(cand, s.basis.head...)
	} else {
		for v, st := range s.basis.stat {
			if st == basic {
				cand = append(cand, int32(v))
			}
		}
	}
	s.pricing.cands = cand
	s.pricing.leftover = s.basis.fac.build(&s.model.mat, cand, s.basis.head, s.pricing.leftover[:0])
	for _, v := range s.pricing.leftover {
		st := atLower
		if s.point.up[v]-s.point.x[v] < s.point.x[v]-s.point.lo[v] {
			st = atUpper
		}
		s.basis.stat[v], s.point.x[v] = s.rest(v, st)
		s.basis.pos[v] = -1
		s.setActive(v, s.point.lo[v] != s.point.up[v])
		s.point.haveX, s.point.haveD = false, false
	}
	for p, v := range s.basis.head {
		if s.basis.stat[v] != basic {
			s.basis.stat[v] = basic
			s.setActive(v, false)
			s.pricing.weight[v] = 1
			s.point.haveX, s.point.haveD = false, false
		}
		s.basis.pos[v] = int32(p)
		s.pricing.dse[p] = s.pricing.weight[v]
	}
	s.basis.haveHead, s.basis.haveFac = true, true
}

// prepare brings basis, factors, primal and dual values up to date with the
// model.
func (s *solver) prepare() {
	if s.basis.recosted {
		s.setCostScale()
	}
	switch {
	case !s.basis.haveBasis:
		s.slackBasis()
	case s.basis.recosted && !s.basis.given && s.model.beside == 0 && s.limits.Target != nil && !s.there():
		s.origin()
	case s.changedBeyondUse():
		s.slackBasis()
	}
	s.basis.given, s.basis.recosted = false, false
	if !s.basis.haveFac {
		s.absorb()
		s.factorise()
	} else {
		s.absorb()
	}
	s.refresh()
}

// there reports whether the last point is feasible and meets the target.
func (s *solver) there() bool {
	return s.point.haveX && len(s.point.dirty) == 0 && s.value() <= *s.limits.Target && s.primalFeasible()
}

// origin takes over changed bounds and moves all variables to 0, which must be within the bounds: with any basis that
// is a feasible point, from which a new objective needs fewer detours than from the last optimum. Nonbasic variables
// that are then off their bounds are free. Cost O(n + m).
func (s *solver) origin() {
	for _, v := range s.point.dirty {
		s.point.isDirty[v] = false
		s.point.lo[v], s.point.up[v] = s.model.blo[v], s.model.bup[v]
		if s.basis.stat[v] != basic {
			on := s.point.lo[v] != s.point.up[v]
			if on && s.basis.place[v] < 0 {
				s.point.haveD = false
			}
			s.setActive(v, on)
		}
	}
	s.point.dirty = s.point.dirty[:0]
	clear(s.point.x)
	for v, st := range s.basis.stat {
		switch {
		case st == basic:
		case s.point.lo[v] == 0:
			s.basis.stat[v] = atLower
		case s.point.up[v] == 0:
			s.basis.stat[v] = atUpper
		default:
			s.basis.stat[v] = free
		}
	}
	s.point.haveX = true
}

// changedBeyondUse reports whether so many columns have become fixed or unfixed, and must move as a result, that a
// fresh start is quicker: more than half as many as are not fixed now. A basis set by the caller is kept.
func (s *solver) changedBeyondUse() bool {
	if s.basis.given {
		return false
	}
	moved := 0
	for _, v := range s.point.dirty {
		lo, up, x := s.model.blo[v], s.model.bup[v], s.point.x[v]
		if int(v) < s.n && (lo == up) != (s.point.lo[v] == s.point.up[v]) && x != lo && x != up &&
			(lo == up || s.basis.stat[v] != basic) {
			moved++
		}
	}
	if moved < 3 {
		return false
	}
	loose := 0
	for j, lo := range s.model.blo[:s.n] {
		if lo != s.model.bup[j] {
			loose++
		}
	}
	return 2*moved > loose
}

// refresh computes primal and dual values that are not known.
func (s *solver) refresh() {
	if !s.point.haveX {
		s.computeX()
	}
	if !s.point.haveD {
		s.computeD()
	}
}

// setCostScale measures the costs and lists the columns with nonzero cost.
func (s *solver) setCostScale() {
	s.model.priced = s.model.priced[:0]
	least, most := math.Inf(1), 0.0
	for j, c := range s.model.bcost[:s.n] {
		if c != 0 {
			s.model.priced = append(s.model.priced, int32(j))
			c = math.Abs(c) * s.model.unit[j]
			least, most = min(least, c), max(most, c)
		}
	}
	if most == 0 {
		least, most = 1, 1
	}
	s.model.costScale, s.course.dualTol = most, feasTol*most
	s.model.costLeast = max(least, 1e-2*most)
}

// absorb takes over changed bounds. While the primal values are known, they
// follow by one solve with the columns that move.
func (s *solver) absorb() {
	moved := false
	for _, v := range s.point.dirty {
		s.point.isDirty[v] = false
		s.point.lo[v], s.point.up[v] = s.model.blo[v], s.model.bup[v]
		if s.basis.stat[v] == basic {
			continue
		}
		st, x := s.rest(v, s.basis.stat[v])
		s.basis.stat[v] = st
		if x != s.point.x[v] {
			if s.point.haveX && s.basis.haveFac {
				s.moveRHS(&s.scratch.rhs, v, x-s.point.x[v])
				moved = true
			} else {
				s.point.haveX = false
			}
			s.point.x[v] = x
		}
		on := s.point.lo[v] != s.point.up[v]
		if on && s.basis.place[v] < 0 {
			s.point.haveD = false // reduced costs of fixed variables are not kept
		}
		s.setActive(v, on)
	}
	s.point.dirty = s.point.dirty[:0]
	if moved {
		s.moveBasic()
	}
}

// moveBasic moves the basic variables by the change of the right-hand side collected in rhs.
func (s *solver) moveBasic() {
	s.basis.fac.ftran(&s.scratch.rhs, kindFlip, false)
	for _, p := range s.scratch.rhs.idx {
		s.point.x[s.basis.head[p]] += s.scratch.rhs.x[p]
	}
	s.scratch.rhs.clear()
}

// moveRHS adds to v what −B x_B gains if nonbasic variable j moves by dx.
func (s *solver) moveRHS(v *vec, j int32, dx float64) {
	if int(j) >= s.n {
		s.add(v, j-int32(s.n), dx)
		return
	}
	idx, val := s.model.mat.col(j)
	for k, i := range idx {
		s.add(v, i, -dx*val[k])
	}
}

// add adds a to entry i of v. It is inlined; a may be a product in the caller.
func (s *solver) add(v *vec, i int32, a float64) {
	old := v.x[i]
	if old == 0 {
		v.idx = append(v.idx, i)
	}
	if v.x[i] = old + float64(a); v.x[i] == 0 {
		v.x[i] = ghost
	}
}

// computeX solves B x_B = −N x_N.
func (s *solver) computeX() {
	s.scratch.rhs.clear()
	r := s.scratch.rhs.x
	size := 0.0
	for j := range int32(s.n) {
		if x := s.point.x[j]; s.basis.stat[j] != basic && x != 0 {
			size = max(size, math.Abs(x))
			idx, val := s.model.mat.col(j)
			for k, i := range idx {
				r[i] -= float64(x * val[k])
			}
		}
	}
	for i := range s.m {
		if v := s.n + i; s.basis.stat[v] != basic {
			r[i] += s.point.x[v]
			size = max(size, math.Abs(s.point.x[v]))
		}
	}
	s.course.noise = 1e-15 * size
	s.scratch.rhs.gather()
	s.basis.fac.ftran(&s.scratch.rhs, kindFlip, false)
	for p, v := range s.basis.head {
		s.point.x[v] = s.scratch.rhs.x[p]
	}
	s.scratch.rhs.clear()
	s.point.haveX = true
}

// computeY solves Bᵀy = c_B.
func (s *solver) computeY() *vec {
	s.scratch.rhs.clear()
	for p, v := range s.basis.head {
		if c := s.point.cost[v]; c != 0 {
			s.scratch.rhs.set(int32(p), c)
		}
	}
	s.basis.fac.btran(&s.scratch.rhs, kindFlip, false)
	return &s.scratch.rhs
}

// computeD computes the reduced costs of the active variables.
func (s *solver) computeD() {
	s.basis.fac.steps += s.n + s.m
	y := s.computeY()
	n := int32(s.n)
	for _, v := range s.basis.active {
		s.point.d[v] = s.point.cost[v]
	}
	for _, i := range y.idx {
		a := y.x[i]
		s.point.d[n+i] += a
		b := s.model.mat.rbeg[i]
		e := b + s.model.mat.ract[i]
		val := s.model.mat.rval[b:e]
		for t, j := range s.model.mat.ridx[b:e] {
			s.point.d[j] -= float64(a * val[t])
		}
	}
	y.clear()
	s.point.haveD = true
}

// exchange makes q basic in position p and moves the variable there to its
// lower or upper bound.
func (s *solver) exchange(p, q int32, leaving status) {
	v := s.basis.head[p]
	s.basis.head[p] = q
	s.basis.stat[q], s.basis.pos[q] = basic, p
	s.setActive(q, false)
	s.basis.pos[v] = -1
	s.basis.stat[v], s.point.x[v] = s.rest(v, leaving)
	s.setActive(v, s.point.lo[v] != s.point.up[v])
}

// Basis copies the current basis into b.
func (s *solver) Basis(b *lp.Basis) error {
	if !s.model.loaded {
		return lp.ErrNotLoaded
	}
	if !s.basis.haveBasis {
		s.slackBasis()
	}
	b.Col = append(b.Col[:0], s.basis.stat[:s.n]...)
	b.Row = append(b.Row[:0], s.basis.stat[s.n:]...)
	b.Norms = b.Norms[:0]
	if s.pricing.haveDSE {
		s.saveWeights()
		b.Norms = append(b.Norms, s.pricing.weight...)
	}
	return nil
}

// SetBasis starts the next Solve from b.
func (s *solver) SetBasis(b *lp.Basis) error {
	if !s.model.loaded {
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
	s.basis.given = true
	if s.basis.haveBasis && s.sameBasics(at) {
		// Factors and weights remain; only nonbasic variables may move.
		for v, st := range s.basis.stat {
			if st == basic {
				continue
			}
			if st = at(int32(v)); st == free {
				s.point.haveX = s.point.haveX && s.point.x[v] == 0
				s.point.x[v] = 0
			}
			st, x := s.rest(int32(v), st)
			s.point.haveX = s.point.haveX && x == s.point.x[v]
			s.basis.stat[v], s.point.x[v] = st, x
		}
		return nil
	}
	s.unperturbed()
	for v := range int32(s.n + s.m) {
		st := at(v)
		s.basis.pos[v] = -1
		s.basis.stat[v] = st
		if st == free {
			s.point.x[v] = 0
		}
		if st != basic {
			s.basis.stat[v], s.point.x[v] = s.rest(v, st)
		}
	}
	s.begin()
	if len(b.Norms) == len(b.Col)+len(b.Row) {
		clear(s.pricing.weight[copy(s.pricing.weight, b.Norms):]) // new rows: to be computed
		s.pricing.haveDSE = true
	}
	return nil
}

// sameBasics reports whether the statuses at name the current basic variables.
func (s *solver) sameBasics(at func(int32) status) bool {
	for v, st := range s.basis.stat {
		if (st == basic) != (at(int32(v)) == basic) {
			return false
		}
	}
	return true
}
