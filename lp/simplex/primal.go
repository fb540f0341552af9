package simplex

import "math"

// maxKept is the number of primal iterations through which the dual edge
// weights, at the price of one more solve each, are kept.
const maxKept = 20

// maxHurry is the number of primal iterations after which the dual simplex takes
// over where duals that prove a cutoff would do: it has them long before it has a
// feasible point, the primal simplex only at the optimum.
const maxHurry = 20

// maxLoosened is the number of times a run perturbs bounds to leave a vertex.
const maxLoosened = 5

// primal runs the primal simplex from a primal feasible basis until it is dual
// feasible: devex pricing (Forrest and Goldfarb 1992) and Harris' ratio test.
// Bounds are as in the model when it returns, so that the basis may be slightly
// infeasible. After a dual simplex in the same solve only few iterations are to
// be expected, through which the dual edge weights are kept for the next one.
func (s *Solver) primal(after bool) outcome {
	if !after {
		s.haveDSE = false
	}
	out := s.primalLoop()
	if s.loosened {
		s.tighten()
	}
	return out
}

// tighten restores the bounds of the model.
func (s *Solver) tighten() {
	copy(s.lo, s.blo)
	copy(s.up, s.bup)
	s.loosened = false
	for v, st := range s.stat {
		if st == basic {
			continue
		}
		if st, x := s.rest(int32(v), st); x != s.x[v] {
			s.stat[v], s.x[v] = st, x
			s.haveX = false
		}
		s.setActive(int32(v), s.lo[v] != s.up[v])
	}
	s.refresh()
}

// primalLoop iterates from a primal feasible basis.
func (s *Solver) primalLoop() outcome {
	for _, v := range s.active {
		s.devex[v] = 1
	}
	stalled, loosened, rejected, kept := 0, 0, 0, 0
	fresh := false
	last := s.iters + s.patience()
	value, first := s.value(), s.iters
	for {
		if s.limits.Target != nil && value <= *s.limits.Target && !s.missed {
			return reached
		}
		if s.fac.worn() || !s.haveFac {
			s.factorise()
			s.computeX()
			s.computeD()
			if !s.primalFeasible() {
				return done // the caller sees to it
			}
		}
		if s.interrupted() {
			return stopped
		}
		if s.hurry && s.iters-first >= maxHurry {
			return handOver
		}
		if s.iters > last {
			return trouble
		}
		q := s.entering()
		if q < 0 {
			return done
		}
		s.enter(&s.col, q)
		s.fac.ftran(&s.col, kindColumn, true)
		sigma := 1.0
		if s.d[q] > 0 {
			sigma = -1
		}
		// The reduced cost once more, from the column itself.
		d := s.cost[q]
		if len(s.priced) < len(s.col.idx) {
			for _, j := range s.priced {
				if s.stat[j] == basic {
					d -= s.cost[j] * s.col.x[s.pos[j]]
				}
			}
		} else {
			for _, i := range s.col.idx {
				d -= s.cost[s.head[i]] * s.col.x[i]
			}
		}
		if math.Abs(d-s.d[q]) > 1e-7*(s.costScale+math.Abs(d)) && s.fac.updates > 0 {
			s.haveFac = false
			continue
		}
		s.d[q] = d
		if !s.wrongSign(q, 1) {
			continue
		}
		p, t := s.primalRatio(sigma, alphaTol)
		own := s.up[q] - s.x[q]
		if sigma < 0 {
			own = s.x[q] - s.lo[q]
		}
		if p < 0 && math.IsInf(own, 1) {
			if s.fac.updates > 0 && !fresh {
				fresh = true
				s.haveFac = false
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
			s.d[q] = 0
			if rejected++; rejected > 50 {
				return trouble
			}
			continue
		}
		fresh = false
		if p < 0 || own <= t {
			s.iters++
			value += d * sigma * own
			for _, i := range s.col.idx {
				s.x[s.head[i]] -= own * sigma * s.col.x[i]
			}
			if sigma > 0 {
				s.stat[q], s.x[q] = atUpper, s.up[q]
			} else {
				s.stat[q], s.x[q] = atLower, s.lo[q]
			}
			continue
		}
		v, aq := s.head[p], s.col.x[p]
		s.rho.clear()
		s.rho.set(p, 1)
		s.fac.btran(&s.rho, kindUnit, true)
		s.price()
		if ar := s.alpha.x[q]; math.Abs(aq-ar) > 1e-7*(1+math.Abs(aq)) {
			if s.fac.updates > 0 {
				s.haveFac = false
				continue
			}
			s.d[q] = 0
			if rejected++; rejected > 50 {
				return trouble
			}
			continue
		}
		s.iters++
		if s.haveDSE {
			if kept++; kept > maxKept {
				s.haveDSE = false
			} else {
				s.updateWeights(p, aq, norm2(&s.rho))
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
		leaving := atLower
		if sigma*aq < 0 {
			leaving = atUpper
		}
		for _, i := range s.col.idx {
			if i != p {
				s.x[s.head[i]] -= t * sigma * s.col.x[i]
			}
		}
		s.x[q] += t * sigma
		value += d * sigma * t
		// Reduced costs and reference weights.
		theta := d / aq
		wq := s.devex[q] / (aq * aq)
		for _, j := range s.alpha.idx {
			a := s.alpha.x[j]
			s.d[j] -= theta * a
			s.devex[j] = max(s.devex[j], a*a*wq)
		}
		s.d[q], s.d[v] = 0, -theta
		s.devex[v] = max(wq, 1)
		ok := s.fac.replace(p, aq)
		s.exchange(p, q, leaving)
		if !ok {
			s.haveFac = false
		}
	}
}

// entering returns the active variable with the largest reduced cost of the
// wrong sign in the reference norm, −1 if there is none.
func (s *Solver) entering() int32 {
	best, q := 0.0, int32(-1)
	tol := -s.dualTol * s.scale.finest()
	dirs := [4]float64{atLower: 1, atUpper: -1}
	for _, v := range s.active {
		d, st := s.d[v], s.stat[v]
		if d*dirs[st&3] >= tol && st != free || !s.wrongSign(v, 1) {
			continue
		}
		if w := s.devex[v]; d*d > best*w {
			best, q = d*d/w, v
		}
	}
	return q
}

// primalRatio returns the position that blocks first when the entering
// variable moves in direction sigma, and the step; −1 if none does. Harris:
// the bounds are relaxed by their tolerances, and of the positions that block
// before the relaxed step the largest pivot wins. Entries up to least do not block.
func (s *Solver) primalRatio(sigma, least float64) (int32, float64) {
	limit := math.Inf(1)
	c := s.cand[:0]
	for _, i := range s.col.idx {
		a := sigma * s.col.x[i]
		if a > least {
			v := s.head[i]
			if lo := s.lo[v]; !math.IsInf(lo, -1) {
				room := s.x[v] - lo
				limit = min(limit, (room+s.tolerance(v, lo))/a)
				c = append(c, candidate{i, a, room / a})
			}
		} else if a < -least {
			v := s.head[i]
			if up := s.up[v]; !math.IsInf(up, 1) {
				room := up - s.x[v]
				limit = min(limit, (room+s.tolerance(v, up))/-a)
				c = append(c, candidate{i, -a, room / -a})
			}
		}
	}
	s.cand = c
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
func (s *Solver) loosen() {
	for _, v := range s.head {
		xi := 1e-7 * (1 + noise01(v))
		s.lo[v] -= xi * max(1, math.Abs(s.lo[v]))
		s.up[v] += xi * max(1, math.Abs(s.up[v]))
	}
	s.loosened = true
}
