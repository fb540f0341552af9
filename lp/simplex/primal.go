package simplex

import "math"

// maxKept is the number of primal iterations for which the dual edge weights are kept, at the cost of one more solve
// each.
const maxKept = 20

// maxHurry is the number of primal iterations after which the dual simplex takes over if duals that prove a cutoff
// would suffice: it has such duals long before it has a feasible point, the primal simplex only at the optimum.
const maxHurry = 20

// maxLoosened is the number of times a run perturbs bounds to leave a vertex.
const maxLoosened = 5

// primal runs the primal simplex from a primal feasible basis until it is dual
// feasible: devex pricing and a ratio test with tolerances (Harris, Pivot selection methods of the
// devex LP code, Mathematical Programming 5, 1973), weights as in Forrest and Goldfarb (Steepest-edge
// simplex algorithms for linear programming, Mathematical Programming 57, 1992).
// Bounds are as in the model when it returns, so that the basis may be slightly
// infeasible. After a dual simplex in the same solve only few iterations are to
// be expected, through which the dual edge weights are kept for the next one.
func (s *solver) primal(after bool) outcome {
	if !after {
		s.pricing.haveDSE = false
	}
	out := s.primalLoop()
	if s.point.loosened {
		s.tighten()
	}
	return out
}

// tighten restores the bounds of the model.
func (s *solver) tighten() {
	copy(s.point.lo, s.model.blo)
	copy(s.point.up, s.model.bup)
	s.point.loosened = false
	for v, st := range s.basis.stat {
		if st == basic {
			continue
		}
		if st, x := s.rest(int32(v), st); x != s.point.x[v] {
			s.basis.stat[v], s.point.x[v] = st, x
			s.point.haveX = false
		}
		s.setActive(int32(v), s.point.lo[v] != s.point.up[v])
	}
	s.refresh()
}

// primalLoop iterates from a primal feasible basis.
func (s *solver) primalLoop() outcome {
	for _, v := range s.basis.active {
		s.pricing.devex[v] = 1
	}
	stalled, loosened, rejected, kept := 0, 0, 0, 0
	fresh := false
	last := s.course.iters + s.patience()
	value, first := s.value(), s.course.iters
	for {
		if out, ended := s.primalEnds(value, first, last); ended {
			return out
		}
		q := s.entering()
		if q < 0 {
			return done
		}
		s.enter(&s.scratch.col, q)
		s.basis.fac.ftran(&s.scratch.col, kindColumn, true)
		sigma := 1.0
		if s.point.d[q] > 0 {
			sigma = -1
		}
		d := s.columnCost(q)
		if math.Abs(d-s.point.d[q]) > 1e-7*(s.model.costScale+math.Abs(d)) && s.basis.fac.updates > 0 {
			s.basis.haveFac = false
			continue
		}
		s.point.d[q] = d
		if !s.wrongSign(q, 1) {
			continue
		}
		p, t := s.primalRatio(sigma, alphaTol)
		own := s.slack(q, sigma)
		if p < 0 && math.IsInf(own, 1) {
			if s.basis.fac.updates > 0 && !fresh {
				fresh = true
				s.basis.haveFac = false
				continue
			}
			// In badly scaled programs an entry this small may still block.
			p, t = s.primalRatio(sigma, 0.01*alphaTol)
			if p < 0 && s.ray(q, sigma) {
				return unbounded
			}
		}
		if p < 0 && math.IsInf(own, 1) {
			// Not a ray after all: leave this column alone for now.
			s.point.d[q] = 0
			if rejected++; rejected > 50 {
				return trouble
			}
			continue
		}
		fresh = false
		if p < 0 || own <= t {
			s.course.iters++
			value += float64(d * sigma * own)
			s.crossOver(q, sigma, own)
			continue
		}
		aq := s.scratch.col.x[p]
		s.scratch.rho.clear()
		s.scratch.rho.set(p, 1)
		s.basis.fac.btran(&s.scratch.rho, kindUnit, true)
		s.price()
		if ar := s.scratch.alpha.x[q]; math.Abs(aq-ar) > 1e-7*(1+math.Abs(aq)) {
			if s.basis.fac.updates > 0 {
				s.basis.haveFac = false
				continue
			}
			s.point.d[q] = 0
			if rejected++; rejected > 50 {
				return trouble
			}
			continue
		}
		s.course.iters++
		if s.pricing.haveDSE {
			if kept++; kept > maxKept {
				s.pricing.haveDSE = false
			} else {
				s.updateWeights(p, aq, norm2(&s.scratch.rho))
			}
		}
		if t <= 1e-12 {
			if stalled++; stalled > 30+s.m/4 && loosened < maxLoosened {
				s.loosen()
				stalled = 0
				loosened++
				continue
			}
		} else {
			stalled = 0
		}
		value += float64(d * sigma * t)
		s.primalStep(p, q, sigma, t)
	}
}

// primalEnds reports whether primalLoop ends before its next iteration for a reason other than optimality; first is the
// iteration at which it began, last the one at which its patience ends. It renews the factors when due.
func (s *solver) primalEnds(value float64, first, last int) (outcome, bool) {
	if s.limits.Target != nil && value <= *s.limits.Target && !s.course.missed {
		return reached, true
	}
	if s.basis.fac.worn() || !s.basis.haveFac {
		s.factorise()
		s.computeX()
		s.computeD()
		if !s.primalFeasible() {
			return done, true // the caller handles it
		}
	}
	switch {
	case s.interrupted():
		return stopped, true
	case s.course.hurry && s.course.iters-first >= maxHurry:
		return handOver, true
	case s.course.iters > last:
		return trouble, true
	}
	return done, false
}

// columnCost recomputes the reduced cost of q from its column in scratch.col.
func (s *solver) columnCost(q int32) float64 {
	d := s.point.cost[q]
	if len(s.model.priced) < len(s.scratch.col.idx) {
		for _, j := range s.model.priced {
			if s.basis.stat[j] == basic {
				d -= float64(s.point.cost[j] * s.scratch.col.x[s.basis.pos[j]])
			}
		}
		return d
	}
	for _, i := range s.scratch.col.idx {
		d -= float64(s.point.cost[s.basis.head[i]] * s.scratch.col.x[i])
	}
	return d
}

// slack returns how far q may move in direction sigma by its own bounds.
func (s *solver) slack(q int32, sigma float64) float64 {
	if sigma < 0 {
		return s.point.x[q] - s.point.lo[q]
	}
	return s.point.up[q] - s.point.x[q]
}

// crossOver moves q by own to its other bound, before any position blocks.
func (s *solver) crossOver(q int32, sigma, own float64) {
	for _, i := range s.scratch.col.idx {
		s.point.x[s.basis.head[i]] -= float64(own * sigma * s.scratch.col.x[i])
	}
	if sigma > 0 {
		s.basis.stat[q], s.point.x[q] = atUpper, s.point.up[q]
	} else {
		s.basis.stat[q], s.point.x[q] = atLower, s.point.lo[q]
	}
}

// primalStep moves q by t in direction sigma, where position p blocks, and exchanges
// them. The column of q is in scratch.col, the row of p in scratch.alpha.
func (s *solver) primalStep(p, q int32, sigma, t float64) {
	v, d, aq := s.basis.head[p], s.point.d[q], s.scratch.col.x[p]
	leaving := atLower
	if sigma*aq < 0 {
		leaving = atUpper
	}
	for _, i := range s.scratch.col.idx {
		if i != p {
			s.point.x[s.basis.head[i]] -= float64(t * sigma * s.scratch.col.x[i])
		}
	}
	s.point.x[q] += float64(t * sigma)
	// Reduced costs and reference weights.
	theta := d / aq
	wq := s.pricing.devex[q] / (aq * aq)
	for _, j := range s.scratch.alpha.idx {
		a := s.scratch.alpha.x[j]
		s.point.d[j] -= float64(theta * a)
		s.pricing.devex[j] = max(s.pricing.devex[j], a*a*wq)
	}
	s.point.d[q], s.point.d[v] = 0, -theta
	s.pricing.devex[v] = max(wq, 1)
	ok := s.basis.fac.replace(p, aq)
	s.exchange(p, q, leaving)
	if !ok {
		s.basis.haveFac = false
	}
}

// entering returns the active variable with the largest reduced cost of the
// wrong sign in the reference norm, −1 if there is none.
func (s *solver) entering() int32 {
	s.basis.fac.steps += len(s.basis.active)
	best, q := 0.0, int32(-1)
	tol := -s.course.dualTol * s.model.scale.finest()
	dirs := [4]float64{atLower: 1, atUpper: -1}
	for _, v := range s.basis.active {
		d, st := s.point.d[v], s.basis.stat[v]
		if d*dirs[st&3] >= tol && st != free || !s.wrongSign(v, 1) {
			continue
		}
		if w := s.pricing.devex[v]; d*d > best*w {
			best, q = d*d/w, v
		}
	}
	return q
}

// primalRatio returns the position that blocks first when the entering
// variable moves in direction sigma, and the step; −1 if none does. Harris:
// the bounds are relaxed by their tolerances, and of the positions that block
// before the relaxed step the largest pivot wins. Entries up to least do not block.
func (s *solver) primalRatio(sigma, least float64) (int32, float64) {
	limit := math.Inf(1)
	c := s.pricing.cand[:0]
	for _, i := range s.scratch.col.idx {
		a := sigma * s.scratch.col.x[i]
		if a > least {
			v := s.basis.head[i]
			if lo := s.point.lo[v]; !math.IsInf(lo, -1) {
				room := s.point.x[v] - lo
				limit = min(limit, (room+s.tolerance(v, lo))/a)
				c = append(c, candidate{i, a, room / a})
			}
		} else if a < -least {
			v := s.basis.head[i]
			if up := s.point.up[v]; !math.IsInf(up, 1) {
				room := up - s.point.x[v]
				limit = min(limit, (room+s.tolerance(v, up))/-a)
				c = append(c, candidate{i, -a, room / -a})
			}
		}
	}
	s.pricing.cand = c
	p, most, step := int32(-1), 0.0, 0.0
	for _, e := range c {
		if e.ratio <= limit && e.alpha > most {
			p, most, step = e.j, e.alpha, e.ratio
		}
	}
	return p, step
}

// loosen moves the finite bounds of the basic variables outwards by random
// amounts of the order of the tolerance, to break ties between steps of
// length 0.
func (s *solver) loosen() {
	for _, v := range s.basis.head {
		xi := 1e-7 * (1 + noise01(v))
		s.point.lo[v] -= float64(xi * max(1, math.Abs(s.point.lo[v])))
		s.point.up[v] += float64(xi * max(1, math.Abs(s.point.up[v])))
	}
	s.point.loosened = true
}
