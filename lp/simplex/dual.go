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

// tolerance returns the tolerance of bound b of variable v, in the units of the
// model or as scaled, whichever is stricter, but never less than what rounding
// allows.
func (s *Solver) tolerance(v int32, b float64) float64 {
	return max(s.relax*feasTol*max(min(1, s.unit[v]), math.Abs(b)), s.noise)
}

// infeasibility returns how far variable v lies outside its working bounds,
// negative below, 0 within the tolerance.
func (s *Solver) infeasibility(v int32) float64 {
	x := s.x[v]
	if e := x - s.lo[v]; e < 0 && -e > s.tolerance(v, s.lo[v]) {
		return e
	}
	if e := x - s.up[v]; e > 0 && e > s.tolerance(v, s.up[v]) {
		return e
	}
	return 0
}

// limit stores the bounds of the variable in position p, relaxed by their
// tolerances, where note finds them without a detour.
func (s *Solver) limit(p int32) {
	v := s.head[p]
	s.least[p] = s.lo[v] - s.tolerance(v, s.lo[v])
	s.most[p] = s.up[v] + s.tolerance(v, s.up[v])
	s.note(p, s.x[v])
}

// note records the infeasibility of position p, whose value is x.
func (s *Solver) note(p int32, x float64) {
	e := 0.0
	if x < s.least[p] {
		e = x - s.least[p] - feasTol
	} else if x > s.most[p] {
		e = x - s.most[p] + feasTol
	}
	s.inf[p] = e * e
}

// limitAll calls limit for all positions.
func (s *Solver) limitAll() {
	for p := range s.head {
		s.limit(int32(p))
	}
}

// primalFeasible reports whether all basic variables are within their bounds.
func (s *Solver) primalFeasible() bool {
	for _, v := range s.head {
		if s.infeasibility(v) != 0 {
			return false
		}
	}
	return true
}

// dualTolerance returns the tolerance of the reduced cost of v, in the units of
// the model or as scaled, whichever is stricter.
func (s *Solver) dualTolerance(v int32) float64 {
	if u := s.unit[v]; u > 1 {
		return s.dualTol / u
	}
	return s.dualTol
}

// wrongSign reports whether the reduced cost of active variable v is
// infeasible by more than share of the tolerance.
func (s *Solver) wrongSign(v int32, share float64) bool {
	tol := share * s.dualTolerance(v)
	switch s.stat[v] {
	case atLower:
		return s.d[v] < -tol
	case atUpper:
		return s.d[v] > tol
	}
	return math.Abs(s.d[v]) > tol
}

// dual runs the dual simplex until the basis is primal feasible: dual steepest
// edge pricing (Forrest and Goldfarb 1992), long steps through the breakpoints
// of boxed variables, and perturbed costs (Koberstein 2005). Costs are as in
// the model when it returns.
func (s *Solver) dual() outcome {
	s.initWeights()
	s.mark = math.Inf(-1)
	s.makeDualFeasible()
	s.perturbCosts()
	s.limitAll()
	out := s.dualLoop()
	if s.perturbed {
		copy(s.cost, s.bcost)
		s.perturbed, s.haveD = false, false
	}
	if out == done || out == stopped && s.stop != lp.Cutoff {
		s.refresh()
	}
	return out
}

// initWeights makes the edge weights positive. Unknown norms of rows that have
// just been added are computed. If nothing is known all weights are 1, from where
// the norms are learnt again; with a target, where runs are short and the primal
// simplex forgets the norms each time, the run goes by reference weights instead.
func (s *Solver) initWeights() {
	if !s.haveDSE {
		for p := range s.dse {
			s.dse[p] = 1
		}
		s.haveDSE = s.limits.Target == nil
		return
	}
	for p := range s.dse {
		if s.dse[p] == 0 {
			s.rho.set(int32(p), 1)
			s.fac.btran(&s.rho, kindUnit, false)
			s.dse[p] = max(norm2(&s.rho), 1e-4)
			s.rho.clear()
		}
	}
}

func norm2(v *vec) float64 {
	w := 0.0
	for _, i := range v.idx {
		w += v.x[i] * v.x[i]
	}
	return w
}

// makeDualFeasible moves boxed variables with a reduced cost of the wrong sign
// to their other bound and shifts the cost of the other such variables.
func (s *Solver) makeDualFeasible() {
	moved := false
	for _, v := range s.active {
		if !s.wrongSign(v, 1) {
			continue
		}
		if s.boxed(v) {
			s.flipBound(v, &s.rhs)
			moved = true
		} else {
			s.cost[v] -= s.d[v]
			s.d[v] = 0
			s.perturbed = true
		}
	}
	if moved {
		s.applyFlips(&s.rhs)
	}
}

// boxed reports whether both bounds of v are finite.
func (s *Solver) boxed(v int32) bool {
	return !math.IsInf(s.lo[v], -1) && !math.IsInf(s.up[v], 1)
}

// flipBound moves boxed variable v to the bound that its reduced cost, which has the
// wrong sign now, wants and adds what B x_B gains to rhs.
func (s *Solver) flipBound(v int32, rhs *vec) {
	old := s.x[v]
	if s.d[v] < 0 {
		s.stat[v], s.x[v] = atUpper, s.up[v]
	} else {
		s.stat[v], s.x[v] = atLower, s.lo[v]
	}
	s.moveRHS(rhs, v, s.x[v]-old)
}

// applyFlips adds B⁻¹rhs to the basic variables and clears rhs.
func (s *Solver) applyFlips(rhs *vec) {
	s.fac.ftran(rhs, kindFlip, false)
	for _, p := range rhs.idx {
		v := s.head[p]
		s.x[v] += rhs.x[p]
		s.note(p, s.x[v])
	}
	rhs.clear()
}

// noise01 maps a variable to a fixed pseudo-random number in [0, 1).
func noise01(v int32) float64 {
	h := uint64(v)*0x9e3779b97f4a7c15 + 0xd1b54a32d192ed03
	h ^= h >> 32
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 29
	return float64(h>>11) / (1 << 53)
}

// perturbation is the size of perturbations relative to the cost.
const perturbation = 2e-6

// perturbCosts moves the cost of every active variable a little away from the
// bound its reduced cost allows, so that ties between breakpoints, of which
// programs with few costs are full, become rare.
func (s *Solver) perturbCosts() {
	for _, v := range s.active {
		xi := perturbation * (math.Abs(s.bcost[v]) + s.costLeast/s.unit[v]) * (1 + noise01(v))
		switch s.stat[v] {
		case atUpper:
			xi = -xi
		case free:
			continue
		}
		s.cost[v] += xi
		s.d[v] += xi
	}
	s.perturbed = len(s.active) > 0 || s.perturbed
}

// dualLoop iterates from a dual feasible basis.
func (s *Solver) dualLoop() outcome {
	checkedFresh := false
	rejected := 0
	last := s.iters + s.patience()
	for {
		if s.fac.worn() || !s.haveFac {
			s.renew()
		}
		if s.interrupted() || s.iters%16 == 0 && s.beyondCutoff() {
			return stopped
		}
		if s.iters > last {
			return trouble
		}
		p := s.leavingRow()
		if p < 0 {
			return done
		}
		v := s.head[p]
		delta := s.infeasibility(v)
		if delta == 0 { // rounding at the edge of the tolerance
			s.inf[p] = 0
			continue
		}
		s.rho.clear()
		s.rho.set(p, 1)
		s.fac.btran(&s.rho, kindUnit, true)
		w := s.dse[p]
		if s.haveDSE {
			w = norm2(&s.rho)
			if s.dse[p] < 0.25*w {
				// The weight was far too small: choose again with the right one.
				s.dse[p] = w
				continue
			}
			s.dse[p] = w
		}
		s.price()
		q, t := s.dualRatio(delta)
		if q < 0 {
			if s.fac.updates > 0 && !checkedFresh {
				checkedFresh = true
				s.renew()
				continue
			}
			if s.farkas(delta) {
				return infeasible
			}
			// No certificate: the infeasibility may be mere noise.
			s.inf[p] = 0
			rejected++
			if rejected > 50 {
				return trouble
			}
			continue
		}
		checkedFresh = false
		s.enter(&s.col, q)
		s.fac.ftran(&s.col, kindColumn, true)
		aq, ar := s.col.x[p], s.alpha.x[q]
		if math.Abs(aq-ar) > 1e-7*(1+math.Abs(aq)) || math.Abs(aq) < 1e-5 {
			if s.fac.updates > 0 {
				s.renew()
				continue
			}
			if math.Abs(aq) < alphaTol || math.Abs(aq-ar) > 1e-3*math.Abs(aq) {
				s.inf[p] = 0 // try another row first
				rejected++
				if rejected > 50 {
					return trouble
				}
				continue
			}
		}
		s.iters++
		// Reduced costs, with flips of what the step passes.
		theta := t
		if delta < 0 {
			theta = -t
		}
		s.dualStep(q, theta)
		s.d[v] = -theta
		s.d[q] = 0
		leaving := atLower
		if delta > 0 {
			leaving = atUpper
		}
		if len(s.flip.idx) > 0 {
			s.applyFlips(&s.flip)
			delta = s.exactInfeasibility(v, delta)
		}
		if s.haveDSE {
			s.updateWeights(p, aq, w)
		} else {
			s.updateReference(p, aq, w)
		}
		// Primal step.
		step := delta / aq
		for _, i := range s.col.idx {
			u := s.head[i]
			s.x[u] -= step * s.col.x[i]
			s.note(i, s.x[u])
		}
		s.x[q] += step
		ok := s.fac.replace(p, aq)
		s.exchange(p, q, leaving)
		s.limit(p)
		if !ok {
			s.haveFac = false
		}
	}
}

// exactInfeasibility returns the distance of v to the bound it violated by
// delta, whatever the tolerance.
func (s *Solver) exactInfeasibility(v int32, delta float64) float64 {
	if delta < 0 {
		return s.x[v] - s.lo[v]
	}
	return s.x[v] - s.up[v]
}

// renew factorises anew and recomputes all values under the working costs.
func (s *Solver) renew() {
	s.factorise()
	s.computeX()
	s.computeD()
	for _, v := range s.active {
		if s.wrongSign(v, 1) {
			if s.boxed(v) {
				s.flipBound(v, &s.flip)
			} else {
				s.cost[v] -= s.d[v]
				s.d[v] = 0
				s.perturbed = true
			}
		}
	}
	if len(s.flip.idx) > 0 {
		s.applyFlips(&s.flip)
	}
	s.limitAll()
}

// leavingRow returns the position with the largest infeasibility in the norm
// of the dual edges, −1 if there is none.
func (s *Solver) leavingRow() int32 {
	best, row := 0.0, int32(-1)
	dse := s.dse[:len(s.inf)]
	for p, e := range s.inf {
		if e > best*dse[p] {
			best, row = e/dse[p], int32(p)
		}
	}
	return row
}

// enter sets v to column q of (A, −I).
func (s *Solver) enter(v *vec, q int32) {
	v.clear()
	if int(q) >= s.n {
		v.set(q-int32(s.n), -1)
		return
	}
	idx, val := s.mat.col(q)
	for k, i := range idx {
		v.x[i] = val[k]
	}
	v.idx = append(v.idx, idx...)
}

// clearAlpha makes alpha zero.
func (s *Solver) clearAlpha() {
	if s.alphaFull {
		clear(s.alpha.x)
		s.alpha.idx = s.alpha.idx[:0]
		s.alphaFull = false
	}
	s.alpha.clear()
}

// price computes alpha, the entries of ρᵀ(A, −I) in the active columns. Cost:
// the active entries of the rows where ρ ≠ 0.
func (s *Solver) price() {
	s.clearAlpha()
	a, n := s.alpha.x, int32(s.n)
	work := 0
	for _, i := range s.rho.idx {
		work += int(s.mat.ract[i])
	}
	if 3*work > len(s.active) {
		// Dense result: no bookkeeping, but a look through the active
		// variables afterwards.
		s.alphaFull = true
		for _, i := range s.rho.idx {
			r := s.rho.x[i]
			b := s.mat.rbeg[i]
			e := b + s.mat.ract[i]
			val := s.mat.rval[b:e]
			for t, j := range s.mat.ridx[b:e] {
				a[j] += r * val[t]
			}
			a[n+i] = -r
		}
		idx, k := s.alpha.idx[:len(s.active)], 0
		for _, j := range s.active {
			idx[k] = j
			if math.Abs(a[j]) > dropTol {
				k++
			}
		}
		s.alpha.idx = idx[:k]
		return
	}
	idx := s.alpha.idx
	for _, i := range s.rho.idx {
		r := s.rho.x[i]
		if s.place[n+i] >= 0 {
			a[n+i] = -r
			idx = append(idx, n+i)
		}
		b := s.mat.rbeg[i]
		e := b + s.mat.ract[i]
		val := s.mat.rval[b:e]
		for t, j := range s.mat.ridx[b:e] {
			old := a[j]
			if old == 0 {
				idx = append(idx, j)
			}
			v := old + r*val[t]
			if v < dropTol && v > -dropTol {
				v = ghost
			}
			a[j] = v
		}
	}
	s.alpha.idx = idx
}

// dualRatio chooses the entering variable for a leaving variable that violates
// a bound by delta, and the length of the dual step; −1 if the step is
// unlimited. The dual objective rises at the rate |delta|, less |alpha|·range
// for every boxed variable whose reduced cost changes sign; the step ends
// where the rate would become negative. Among the breakpoints that
// Harris' tolerance does not tell apart there, the largest pivot wins.
func (s *Solver) dualRatio(delta float64) (int32, float64) {
	sgn := 1.0
	if delta < 0 {
		sgn = -1
	}
	// Collect without branches to mispredict: about half are candidates.
	dirs := [4]float64{atLower: sgn, atUpper: -sgn}
	if cap(s.cand) < len(s.alpha.idx) {
		s.cand = make([]candidate, 2*len(s.alpha.idx))
	}
	c, n := s.cand[:len(s.alpha.idx)], 0
	for _, j := range s.alpha.idx {
		st := s.stat[j]
		a := s.alpha.x[j] * dirs[st&3]
		if st == free {
			a = math.Abs(s.alpha.x[j])
		}
		c[n].j, c[n].alpha = j, a
		if a > alphaTol {
			n++
		}
	}
	c = c[:n]
	s.cand = c
	if n == 0 {
		return -1, 0
	}
	for i := range c {
		c[i].ratio = 0
		if st := s.stat[c[i].j]; st != free {
			c[i].ratio = s.d[c[i].j] * dirs[st&3] * sgn / c[i].alpha
		}
	}
	// Quickselect for the breakpoint last at which the slope turns negative.
	slope := math.Abs(delta) - feasTol/2
	lo, hi := 0, len(c)
	last, found := 0.0, false
	for lo < hi {
		last = median(c[lo].ratio, c[(lo+hi)/2].ratio, c[hi-1].ratio)
		left, equal := 0.0, 0.0
		i, j, k := lo, lo, hi // parts < last, = last, not yet seen, > last
		for j < k {
			r := c[j].ratio
			if r > last {
				k--
				c[j], c[k] = c[k], c[j]
				continue
			}
			drop := c[j].alpha * s.way(c[j].j, sgn)
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
		return -1, 0 // the infeasibility outlasts all breakpoints
	}
	// Harris: of all breakpoints near last take the largest pivot.
	tol := s.dualTol
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

// way returns how far nonbasic variable j moves if the step passes its breakpoint:
// from one bound to the other, or from between them to the one its reduced cost
// wants then.
func (s *Solver) way(j int32, sgn float64) float64 {
	switch {
	case s.stat[j] != free:
		return s.up[j] - s.lo[j]
	case sgn*s.alpha.x[j] > 0:
		return s.up[j] - s.x[j]
	}
	return s.x[j] - s.lo[j]
}

func median(a, b, c float64) float64 {
	if a > b {
		a, b = b, a
	}
	return max(a, min(b, c))
}

// dualStep subtracts theta·alpha from the reduced costs. Boxed variables whose
// sign becomes wrong are flipped, into flip; for the others, which the ratio
// test lets pass by no more than its tolerance, nothing is done.
func (s *Solver) dualStep(q int32, theta float64) {
	if s.wrongSign(q, 0) || theta == 0 {
		// A step backwards: shift the cost instead.
		if s.d[q] != 0 {
			s.cost[q] -= s.d[q]
			s.d[q] = 0
			s.perturbed = true
		}
		return
	}
	tol := -s.dualTol
	dirs := [4]float64{atLower: 1, atUpper: -1}
	for _, j := range s.alpha.idx {
		d := s.d[j] - theta*s.alpha.x[j]
		s.d[j] = d
		if d *= dirs[s.stat[j]&3]; s.stat[j] == free {
			d = -math.Abs(s.d[j])
		}
		if d < tol && j != q {
			s.passed(j)
		}
	}
}

// passed repairs the sign of the reduced cost of j.
func (s *Solver) passed(j int32) {
	if !s.boxed(j) {
		s.cost[j] -= s.d[j]
		s.d[j] = 0
		s.perturbed = true
		return
	}
	s.flipBound(j, &s.flip)
}

// updateWeights brings the edge weights to the basis in which position p, with
// pivot a and norm w, is exchanged (Forrest and Goldfarb 1992).
func (s *Solver) updateWeights(p int32, a, w float64) {
	tau := &s.tau
	tau.clear()
	tau.idx = append(tau.idx, s.rho.idx...)
	for _, i := range tau.idx {
		tau.x[i] = s.rho.x[i]
	}
	s.fac.ftran(tau, kindWeight, false)
	for _, i := range s.col.idx {
		if i == p {
			continue
		}
		k := s.col.x[i] / a
		u := s.dse[i] + k*(k*w-2*tau.x[i])
		s.dse[i] = max(u, 1e-4, 1e-4*k*k*w)
	}
	s.dse[p] = max(w/(a*a), 1e-4)
}

// updateReference does the same to reference weights (devex, Forrest and Goldfarb
// 1992), which needs no solve.
func (s *Solver) updateReference(p int32, a, w float64) {
	for _, i := range s.col.idx {
		k := s.col.x[i] / a
		s.dse[i] = max(s.dse[i], k*k*w)
	}
	s.dse[p] = max(w/(a*a), 1)
}

// interrupted looks at the limits and, every few iterations, at ctx and clock.
func (s *Solver) interrupted() bool {
	if s.limits.Iterations > 0 && s.iters >= s.limits.Iterations {
		s.stop = lp.IterationLimit
		return true
	}
	if s.iters&3 != 0 {
		return false
	}
	return s.late()
}
