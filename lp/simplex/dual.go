package simplex

import (
	"math"

	"github.com/hitoku/hitoku/lp"
)

// An outcome is how a run of one of the two methods ended.
type outcome uint8

const (
	done       outcome = iota // primal or dual feasible, as wanted
	infeasible                // Farkas ray in outF
	unbounded                 // ray in outR
	stopped                   // limit or cancellation, see Solver.stop
	reached                   // the value is at or below Limits.Target
	trouble                   // no progress possible with these numbers
	handOver                  // the primal simplex leaves the rest to the dual
)

// A candidate of a ratio test.
type candidate struct {
	j     int32   // variable of the dual, position of the primal ratio test
	alpha float64 // |entry of the tableau|
	ratio float64 // step at which its reduced cost is 0 or it is at a bound
}

// tolerance returns the tolerance on bound b of variable v, in the units of the model or scaled, whichever is stricter,
// but never below what rounding allows.
func (s *solver) tolerance(v int32, b float64) float64 {
	return max(s.course.relax*feasTol*max(min(1, s.model.unit[v]), math.Abs(b)), s.course.noise)
}

// infeasibility returns how far variable v lies outside its working bounds,
// negative below, 0 within the tolerance.
func (s *solver) infeasibility(v int32) float64 {
	x := s.point.x[v]
	if e := x - s.point.lo[v]; e < 0 && -e > s.tolerance(v, s.point.lo[v]) {
		return e
	}
	if e := x - s.point.up[v]; e > 0 && e > s.tolerance(v, s.point.up[v]) {
		return e
	}
	return 0
}

// limit stores the bounds of the variable in position p, relaxed by their tolerances, for fast access by note.
func (s *solver) limit(p int32) {
	v := s.basis.head[p]
	s.pricing.least[p] = s.point.lo[v] - s.tolerance(v, s.point.lo[v])
	s.pricing.most[p] = s.point.up[v] + s.tolerance(v, s.point.up[v])
	s.note(p, s.point.x[v])
}

// note records the infeasibility of position p, whose value is x.
func (s *solver) note(p int32, x float64) {
	e := 0.0
	if x < s.pricing.least[p] {
		e = x - s.pricing.least[p] - feasTol
	} else if x > s.pricing.most[p] {
		e = x - s.pricing.most[p] + feasTol
	}
	s.pricing.inf[p] = e * e
}

// limitAll calls limit for all positions.
func (s *solver) limitAll() {
	for p := range s.basis.head {
		s.limit(int32(p))
	}
}

// primalFeasible reports whether all basic variables are within their bounds.
func (s *solver) primalFeasible() bool {
	for _, v := range s.basis.head {
		if s.infeasibility(v) != 0 {
			return false
		}
	}
	return true
}

// dualTolerance returns the tolerance of the reduced cost of v, in the units of
// the model or as scaled, whichever is stricter.
func (s *solver) dualTolerance(v int32) float64 {
	if u := s.model.unit[v]; u > 1 {
		return s.course.dualTol / u
	}
	return s.course.dualTol
}

// wrongSign reports whether the reduced cost of active variable v is infeasible by more than the given share of the
// tolerance.
func (s *solver) wrongSign(v int32, share float64) bool {
	tol := share * s.dualTolerance(v)
	switch s.basis.stat[v] {
	case atLower:
		return s.point.d[v] < -tol
	case atUpper:
		return s.point.d[v] > tol
	}
	return math.Abs(s.point.d[v]) > tol
}

// dual runs the dual simplex until the basis is primal feasible: dual steepest
// edge pricing (Forrest and Goldfarb, Steepest-edge simplex algorithms for linear programming,
// Mathematical Programming 57, 1992), long steps through the breakpoints
// of boxed variables, and perturbed costs (Koberstein, The dual simplex method, techniques for a fast
// and stable implementation, Paderborn 2005). Costs are as in
// the model when it returns.
func (s *solver) dual() outcome {
	s.initWeights()
	s.course.mark = math.Inf(-1)
	s.makeDualFeasible()
	s.perturbCosts()
	s.limitAll()
	out := s.dualLoop()
	if s.point.perturbed {
		copy(s.point.cost, s.model.bcost)
		s.point.perturbed, s.point.haveD = false, false
	}
	if out == done || out == stopped && s.course.stop != lp.Cutoff {
		s.refresh()
	}
	return out
}

// initWeights makes the edge weights positive. Unknown norms of newly added rows are computed. If nothing is known, all
// weights start at 1 and the norms are learnt; with a target, where runs are short and the primal simplex invalidates
// the norms each time, reference weights are used instead.
func (s *solver) initWeights() {
	if !s.pricing.haveDSE {
		for p := range s.pricing.dse {
			s.pricing.dse[p] = 1
		}
		s.pricing.haveDSE = s.limits.Target == nil
		return
	}
	for p := range s.pricing.dse {
		if s.pricing.dse[p] == 0 {
			s.scratch.rho.clear() // it belongs to the last row removed
			s.scratch.rho.set(int32(p), 1)
			s.basis.fac.btran(&s.scratch.rho, kindUnit, false)
			s.pricing.dse[p] = max(norm2(&s.scratch.rho), 1e-4)
		}
	}
}

func norm2(v *vec) float64 {
	w := 0.0
	for _, i := range v.idx {
		w += float64(v.x[i] * v.x[i])
	}
	return w
}

// makeDualFeasible moves boxed variables whose reduced cost has the wrong sign to their other bound, and shifts the
// cost of the other such variables.
func (s *solver) makeDualFeasible() {
	moved := false
	for _, v := range s.basis.active {
		if !s.wrongSign(v, 1) {
			continue
		}
		if s.boxed(v) {
			s.flipBound(v, &s.scratch.rhs)
			moved = true
		} else {
			s.point.cost[v] -= s.point.d[v]
			s.point.d[v] = 0
			s.point.perturbed = true
		}
	}
	if moved {
		s.applyFlips(&s.scratch.rhs)
	}
}

// boxed reports whether both bounds of v are finite.
func (s *solver) boxed(v int32) bool {
	return !math.IsInf(s.point.lo[v], -1) && !math.IsInf(s.point.up[v], 1)
}

// flipBound moves boxed variable v to the bound that its reduced cost, which now has the wrong sign, requires, and adds
// the resulting change of B x_B to rhs.
func (s *solver) flipBound(v int32, rhs *vec) {
	old := s.point.x[v]
	if s.point.d[v] < 0 {
		s.basis.stat[v], s.point.x[v] = atUpper, s.point.up[v]
	} else {
		s.basis.stat[v], s.point.x[v] = atLower, s.point.lo[v]
	}
	s.moveRHS(rhs, v, s.point.x[v]-old)
}

// applyFlips adds B⁻¹rhs to the basic variables and clears rhs.
func (s *solver) applyFlips(rhs *vec) {
	s.basis.fac.ftran(rhs, kindFlip, false)
	for _, p := range rhs.idx {
		v := s.basis.head[p]
		s.point.x[v] += rhs.x[p]
		s.note(p, s.point.x[v])
	}
	rhs.clear()
}

// noise01 maps a variable to a fixed pseudo-random number in [0, 1).
func noise01(v int32) float64 {
	h := uint64(v)*0x9e3779b97f4a7c15 + 0xd1b54a32d192ed03
	h ^= h >> 32
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 29
	return float64(float64(h>>11) / (1 << 53))
}

// perturbation is the size of perturbations relative to the cost.
const perturbation = 2e-6

// perturbCosts moves the cost of every active variable slightly, in the direction that keeps its reduced cost feasible,
// so that ties between breakpoints, which abound in programs with few different costs, become rare.
func (s *solver) perturbCosts() {
	for _, v := range s.basis.active {
		xi := perturbation * (math.Abs(s.model.bcost[v]) + s.model.costLeast/s.model.unit[v]) * (1 + noise01(v))
		switch s.basis.stat[v] {
		case atUpper:
			xi = -xi
		case free:
			continue
		}
		s.point.cost[v] += xi
		s.point.d[v] += xi
	}
	s.point.perturbed = len(s.basis.active) > 0 || s.point.perturbed
}

// dualLoop iterates from a dual feasible basis.
func (s *solver) dualLoop() outcome {
	checkedFresh := false
	rejected := 0
	last := s.course.iters + s.patience()
	for {
		if s.basis.fac.worn() || !s.basis.haveFac {
			s.renew()
		}
		if s.interrupted() || s.course.iters%16 == 0 && s.beyondCutoff() {
			return stopped
		}
		if s.course.iters > last {
			return trouble
		}
		p := s.leavingRow()
		if p < 0 {
			return done
		}
		v := s.basis.head[p]
		delta := s.infeasibility(v)
		if delta == 0 { // within rounding of the tolerance
			s.pricing.inf[p] = 0
			continue
		}
		s.scratch.rho.clear()
		s.scratch.rho.set(p, 1)
		s.basis.fac.btran(&s.scratch.rho, kindUnit, true)
		w := s.pricing.dse[p]
		if s.pricing.haveDSE {
			w = norm2(&s.scratch.rho)
			if s.pricing.dse[p] < 0.25*w {
				// The weight was far too small: choose again with the right one.
				s.pricing.dse[p] = w
				continue
			}
			s.pricing.dse[p] = w
		}
		s.price()
		q, t := s.dualRatio(delta)
		if q < 0 {
			if s.basis.fac.updates > 0 && !checkedFresh {
				checkedFresh = true
				s.renew()
				continue
			}
			if s.farkas(delta) {
				return infeasible
			}
			// Without a certificate the infeasibility may be mere noise.
			s.pricing.inf[p] = 0
			rejected++
			if rejected > 50 {
				return trouble
			}
			continue
		}
		checkedFresh = false
		s.enter(&s.scratch.col, q)
		s.basis.fac.ftran(&s.scratch.col, kindColumn, true)
		aq, ar := s.scratch.col.x[p], s.scratch.alpha.x[q]
		if math.Abs(aq-ar) > 1e-7*(1+math.Abs(aq)) || math.Abs(aq) < 1e-5 {
			if s.basis.fac.updates > 0 {
				s.renew()
				continue
			}
			if math.Abs(aq) < alphaTol || math.Abs(aq-ar) > 1e-3*math.Abs(aq) {
				s.pricing.inf[p] = 0 // try another row first
				rejected++
				if rejected > 50 {
					return trouble
				}
				continue
			}
		}
		s.course.iters++
		s.dualPivot(p, q, delta, t, w)
	}
}

// dualPivot moves the duals by t, flips the bounds that the step passes, and exchanges position p, which violates a
// bound by delta and has weight w, for q. The column of q is in scratch.col, the row of p in scratch.alpha.
func (s *solver) dualPivot(p, q int32, delta, t, w float64) {
	v, aq := s.basis.head[p], s.scratch.col.x[p]
	theta, leaving := t, atLower
	if delta < 0 {
		theta = -t
	}
	s.dualStep(q, theta)
	s.point.d[v] = -theta
	s.point.d[q] = 0
	if delta > 0 {
		leaving = atUpper
	}
	if len(s.scratch.flip.idx) > 0 {
		s.applyFlips(&s.scratch.flip)
		delta = s.exactInfeasibility(v, delta)
	}
	if s.pricing.haveDSE {
		s.updateWeights(p, aq, w)
	} else {
		s.updateReference(p, aq, w)
	}
	// Primal step.
	step := delta / aq
	for _, i := range s.scratch.col.idx {
		u := s.basis.head[i]
		s.point.x[u] -= float64(step * s.scratch.col.x[i])
		s.note(i, s.point.x[u])
	}
	s.point.x[q] += step
	ok := s.basis.fac.replace(p, aq)
	s.exchange(p, q, leaving)
	s.limit(p)
	if !ok {
		s.basis.haveFac = false
	}
}

// exactInfeasibility returns the distance of v to the bound it violated by
// delta, whatever the tolerance.
func (s *solver) exactInfeasibility(v int32, delta float64) float64 {
	if delta < 0 {
		return s.point.x[v] - s.point.lo[v]
	}
	return s.point.x[v] - s.point.up[v]
}

// renew computes fresh factors and all values for the working costs.
func (s *solver) renew() {
	s.factorise()
	s.computeX()
	s.computeD()
	for _, v := range s.basis.active {
		if s.wrongSign(v, 1) {
			if s.boxed(v) {
				s.flipBound(v, &s.scratch.flip)
			} else {
				s.point.cost[v] -= s.point.d[v]
				s.point.d[v] = 0
				s.point.perturbed = true
			}
		}
	}
	if len(s.scratch.flip.idx) > 0 {
		s.applyFlips(&s.scratch.flip)
	}
	s.limitAll()
}

// leavingRow returns the position with the largest infeasibility in the norm
// of the dual edges, −1 if there is none.
func (s *solver) leavingRow() int32 {
	s.basis.fac.steps += len(s.pricing.inf)
	best, row := 0.0, int32(-1)
	dse := s.pricing.dse[:len(s.pricing.inf)]
	for p, e := range s.pricing.inf {
		if e > best*dse[p] {
			best, row = e/dse[p], int32(p)
		}
	}
	return row
}

// enter sets v to column q of (A, −I).
func (s *solver) enter(v *vec, q int32) {
	v.clear()
	if int(q) >= s.n {
		v.set(q-int32(s.n), -1)
		return
	}
	idx, val := s.model.mat.col(q)
	for k, i := range idx {
		v.x[i] = val[k]
	}
	v.idx = append(v.idx, idx...)
}

// clearAlpha makes alpha zero.
func (s *solver) clearAlpha() {
	if s.scratch.alphaFull {
		clear(s.scratch.alpha.x)
		s.scratch.alpha.idx = s.scratch.alpha.idx[:0]
		s.scratch.alphaFull = false
	}
	s.scratch.alpha.clear()
}

// price computes alpha, the entries of ρᵀ(A, −I) in the active columns. Cost:
// the active entries of the rows where ρ ≠ 0.
func (s *solver) price() {
	s.clearAlpha()
	a, n := s.scratch.alpha.x, int32(s.n)
	work := 0
	for _, i := range s.scratch.rho.idx {
		work += int(s.model.mat.ract[i])
	}
	s.basis.fac.steps += work
	if 3*work > len(s.basis.active) {
		s.basis.fac.steps += len(s.basis.active)
		// Dense result: no list of nonzeros, but a pass over the active variables afterwards.
		s.scratch.alphaFull = true
		for _, i := range s.scratch.rho.idx {
			r := s.scratch.rho.x[i]
			b := s.model.mat.rbeg[i]
			e := b + s.model.mat.ract[i]
			val := s.model.mat.rval[b:e]
			for t, j := range s.model.mat.ridx[b:e] {
				a[j] += float64(r * val[t])
			}
			a[n+i] = -r
		}
		idx, k := s.scratch.alpha.idx[:len(s.basis.active)], 0
		for _, j := range s.basis.active {
			idx[k] = j
			if math.Abs(a[j]) > dropTol {
				k++
			}
		}
		s.scratch.alpha.idx = idx[:k]
		return
	}
	idx := s.scratch.alpha.idx
	for _, i := range s.scratch.rho.idx {
		r := s.scratch.rho.x[i]
		if s.basis.place[n+i] >= 0 {
			a[n+i] = -r
			idx = append(idx, n+i)
		}
		b := s.model.mat.rbeg[i]
		e := b + s.model.mat.ract[i]
		val := s.model.mat.rval[b:e]
		for t, j := range s.model.mat.ridx[b:e] {
			old := a[j]
			if old == 0 {
				idx = append(idx, j)
			}
			v := old + float64(r*val[t])
			if v < dropTol && v > -dropTol {
				v = ghost
			}
			a[j] = v
		}
	}
	s.scratch.alpha.idx = idx
}

// dualRatio chooses the entering variable for a leaving variable that violates a bound by delta, and the length of the
// dual step; −1 if the step is unlimited. The dual objective rises at the rate |delta|, minus |alpha|·range for every
// boxed variable whose reduced cost has changed sign; the step ends where the rate would become negative. Among the
// breakpoints that are equal there within Harris' tolerance, the largest pivot wins.
func (s *solver) dualRatio(delta float64) (int32, float64) {
	sgn := 1.0
	if delta < 0 {
		sgn = -1
	}
	// Collect without branches that are hard to predict: about half are candidates.
	dirs := [4]float64{atLower: sgn, atUpper: -sgn}
	if cap(s.pricing.cand) < len(s.scratch.alpha.idx) {
		s.pricing.cand = make([]candidate, 2*len(s.scratch.alpha.idx))
	}
	c, n := s.pricing.cand[:len(s.scratch.alpha.idx)], 0
	for _, j := range s.scratch.alpha.idx {
		st := s.basis.stat[j]
		a := s.scratch.alpha.x[j] * dirs[st&3]
		if st == free {
			a = math.Abs(s.scratch.alpha.x[j])
		}
		c[n].j, c[n].alpha = j, a
		if a > alphaTol {
			n++
		}
	}
	c = c[:n]
	s.pricing.cand = c
	s.basis.fac.steps += 2 * n
	if n == 0 {
		return -1, 0
	}
	for i := range c {
		c[i].ratio = 0
		if st := s.basis.stat[c[i].j]; st != free {
			c[i].ratio = s.point.d[c[i].j] * dirs[st&3] * sgn / c[i].alpha
		}
	}
	// Quickselect for the breakpoint last at which the slope turns negative.
	slope := math.Abs(delta) - feasTol/2
	lo, hi := 0, len(c)
	last, found := 0.0, false
	for lo < hi {
		last = median(c[lo].ratio, c[(lo+hi)/2].ratio, c[hi-1].ratio)
		left, equal := 0.0, 0.0
		i, j, k := lo, lo, hi // parts: < last, = last, not yet seen, > last
		for j < k {
			r := c[j].ratio
			if r > last {
				k--
				c[j], c[k] = c[k], c[j]
				continue
			}
			drop := float64(c[j].alpha * s.way(c[j].j, sgn))
			if r < last {
				left += drop
				c[i], c[j] = c[j], c[i]
				i++
			} else {
				equal += drop
			}
			j++
		}
		if slope < left {
			hi = i
			continue
		}
		if slope < left+equal {
			found = true
			break
		}
		slope -= left + equal
		lo = j
	}
	if !found {
		return -1, 0 // the infeasibility remains after all breakpoints
	}
	// Harris: of all breakpoints near last take the largest pivot.
	tol := s.course.dualTol
	limit := math.Inf(1)
	for i := range c {
		if c[i].ratio >= last {
			limit = min(limit, c[i].ratio+tol/c[i].alpha)
		}
	}
	best, most := -1, 0.0
	largest := 0.0
	for i := range c {
		largest = max(largest, c[i].alpha)
		if c[i].ratio <= limit && c[i].ratio+tol/c[i].alpha >= last && c[i].alpha > most {
			best, most = i, c[i].alpha
		}
	}
	if most < 1e-5*min(1, largest) {
		// A dangerous pivot: a shorter step may offer a better one.
		for i := range c {
			if c[i].ratio <= limit && c[i].alpha > most {
				best, most = i, c[i].alpha
			}
		}
	}
	return c[best].j, max(c[best].ratio, 0)
}

// way returns how far nonbasic variable j moves if the step passes its breakpoint: from one bound to the other, or from
// between its bounds to the one that its reduced cost then requires.
func (s *solver) way(j int32, sgn float64) float64 {
	switch {
	case s.basis.stat[j] != free:
		return s.point.up[j] - s.point.lo[j]
	case sgn*s.scratch.alpha.x[j] > 0:
		return s.point.up[j] - s.point.x[j]
	}
	return s.point.x[j] - s.point.lo[j]
}

func median(a, b, c float64) float64 {
	if a > b {
		a, b = b, a
	}
	return max(a, min(b, c))
}

// dualStep subtracts theta·alpha from the reduced costs. Boxed variables whose sign becomes wrong are flipped, into
// flip; the others, which pass their breakpoint by at most the tolerance of the ratio test, are left as they are.
func (s *solver) dualStep(q int32, theta float64) {
	if s.wrongSign(q, 0) || theta == 0 {
		// A step backwards: shift the cost instead.
		if s.point.d[q] != 0 {
			s.point.cost[q] -= s.point.d[q]
			s.point.d[q] = 0
			s.point.perturbed = true
		}
		return
	}
	tol := -s.course.dualTol
	dirs := [4]float64{atLower: 1, atUpper: -1}
	for _, j := range s.scratch.alpha.idx {
		d := s.point.d[j] - float64(theta*s.scratch.alpha.x[j])
		s.point.d[j] = d
		if d *= dirs[s.basis.stat[j]&3]; s.basis.stat[j] == free {
			d = -math.Abs(s.point.d[j])
		}
		if d < tol && j != q {
			s.passed(j)
		}
	}
}

// passed repairs the sign of the reduced cost of j.
func (s *solver) passed(j int32) {
	if !s.boxed(j) {
		s.point.cost[j] -= s.point.d[j]
		s.point.d[j] = 0
		s.point.perturbed = true
		return
	}
	s.flipBound(j, &s.scratch.flip)
}

// updateWeights updates the edge weights to the basis in which position p, with pivot a and norm w, has been exchanged
// (Forrest and Goldfarb 1992).
func (s *solver) updateWeights(p int32, a, w float64) {
	tau := &s.scratch.tau
	tau.clear()
	tau.idx = append(tau.idx, s.scratch.rho.idx...)
	for _, i := range tau.idx {
		tau.x[i] = s.scratch.rho.x[i]
	}
	s.basis.fac.ftran(tau, kindWeight, false)
	for _, i := range s.scratch.col.idx {
		if i == p {
			continue
		}
		k := s.scratch.col.x[i] / a
		u := s.pricing.dse[i] + float64(k*(float64(k*w)-float64(2*tau.x[i])))
		s.pricing.dse[i] = max(u, 1e-4, 1e-4*k*k*w)
	}
	s.pricing.dse[p] = max(w/(a*a), 1e-4)
}

// updateReference updates reference weights instead (devex, Forrest and Goldfarb 1992), which needs no solve.
func (s *solver) updateReference(p int32, a, w float64) {
	for _, i := range s.scratch.col.idx {
		k := s.scratch.col.x[i] / a
		s.pricing.dse[i] = max(s.pricing.dse[i], k*k*w)
	}
	s.pricing.dse[p] = max(w/(a*a), 1)
}

// interrupted checks the limits and, every few iterations, ctx and the clock.
func (s *solver) interrupted() bool {
	if s.limits.Iterations > 0 && s.course.iters >= s.limits.Iterations {
		s.course.stop = lp.IterationLimit
		return true
	}
	if s.course.iters&3 != 0 {
		return false
	}
	return s.late()
}
