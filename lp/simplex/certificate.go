package simplex

import (
	"math"

	"github.com/hitoku/hitoku/lp"
)

// rayTol is the relative size below which an entry of a ray is treated as 0.
const rayTol = 1e-9

// farkas turns the row ρ of the inverse whose basic variable violates a bound by delta, which no nonbasic variable can
// repair, into a Farkas ray. It reports whether the ray proves infeasibility.
func (s *solver) farkas(delta float64) bool {
	sgn := 1.0
	if delta < 0 {
		sgn = -1
	}
	most := 0.0
	for _, i := range s.scratch.rho.idx {
		most = max(most, math.Abs(s.scratch.rho.x[i]))
	}
	s.out.f = resized(s.out.f[:0], s.m)
	for _, i := range s.scratch.rho.idx {
		if r := s.scratch.rho.x[i]; math.Abs(r) > 1e-13*most {
			s.out.f[i] = sgn * r / most
		}
	}
	if !s.proves(s.out.f) {
		s.out.f = s.out.f[:0]
		return false
	}
	for i, r := range s.model.scale.r {
		s.out.f[i] *= r
	}
	return true
}

// proves reports whether scaled y satisfies
//
//	Σ_{y_i>0} y_i·rlo_i + Σ_{y_i<0} y_i·rup_i  >  max { (Aᵀy)ᵀx : lo ≤ x ≤ up }.
//
// Multipliers of infinite row bounds are set to 0 first; coefficients of
// infinite column bounds must be negligible.
func (s *solver) proves(y []float64) bool {
	n := s.n
	g := resized(s.out.d[:0], n)
	s.out.d = g
	left, size := 0.0, 0.0
	for i, a := range y {
		if a == 0 {
			continue
		}
		b := s.model.blo[n+i]
		if a < 0 {
			b = s.model.bup[n+i]
		}
		if math.IsInf(b, 0) {
			y[i] = 0 // a rounding error; otherwise the proof fails without it
			continue
		}
		left += float64(a * b)
		size = max(size, math.Abs(a*b))
		idx, val := s.model.mat.row(i)
		for t, j := range idx {
			g[j] += float64(a * val[t])
		}
	}
	right := 0.0
	for j, a := range g {
		if a == 0 {
			continue
		}
		b := s.model.bup[j]
		if a < 0 {
			b = s.model.blo[j]
		}
		if math.IsInf(b, 0) {
			if math.Abs(a) > rayTol {
				return false
			}
			continue
		}
		right += float64(a * b)
		size = max(size, math.Abs(a*b))
	}
	return left-right > 1e-13*size && left-right > 1e-10
}

// crossedVerdict returns Infeasible for a program with lo > up somewhere. A crossed column is its own proof (the
// maximum over the empty box is −∞, y = 0); for a crossed row there may be none.
func (s *solver) crossedVerdict() lp.Status {
	s.out.f = s.out.f[:0]
	for j := range s.n {
		if s.model.blo[j] > s.model.bup[j] {
			s.out.f = resized(s.out.f, s.m)
			break
		}
	}
	return lp.Infeasible
}

// ray turns the direction in which entering variable q moves without limit
// into a ray and reports whether it is one.
func (s *solver) ray(q int32, sigma float64) bool {
	n := s.n
	s.out.r = resized(s.out.r[:0], n)
	r := s.out.r
	s.refineColumn(q)
	most := 1.0
	for _, i := range s.scratch.col.idx {
		most = max(most, math.Abs(s.scratch.col.x[i]))
	}
	ok := true
	put := func(v int32, a float64) {
		a /= most
		if a < 0 && !math.IsInf(s.model.blo[v], -1) || a > 0 && !math.IsInf(s.model.bup[v], 1) {
			ok = ok && math.Abs(a) <= rayTol
			return
		}
		if int(v) < n {
			r[v] = a
		}
	}
	put(q, sigma)
	for _, i := range s.scratch.col.idx {
		put(s.basis.head[i], -sigma*s.scratch.col.x[i])
	}
	z := 0.0
	for j, c := range s.model.bcost[:n] {
		z += float64(c * r[j])
	}
	if !ok || z >= 0 {
		return false
	}
	if s.model.scale.on {
		for j, c := range s.model.scale.c {
			r[j] *= c
		}
	}
	return true
}

// refineColumn improves col = B⁻¹a_q by one step of iterative refinement.
func (s *solver) refineColumn(q int32) {
	s.enter(&s.scratch.tau, q)
	for _, p := range s.scratch.col.idx {
		s.moveRHS(&s.scratch.tau, s.basis.head[p], s.scratch.col.x[p])
	}
	s.basis.fac.ftran(&s.scratch.tau, kindFlip, false)
	for _, p := range s.scratch.tau.idx {
		s.add(&s.scratch.col, p, s.scratch.tau.x[p])
	}
	s.scratch.tau.clear()
}

// beyondCutoff reports whether the dual bound has reached the cutoff. The
// objective of the perturbed program is only a hint; the bound that counts is
//
//	max over the box of −(c − Aᵀy)ᵀx − yᵀs, negated, with the model's costs,
//
// which holds for any y.
func (s *solver) beyondCutoff() bool {
	if s.limits.Cutoff == nil {
		return false
	}
	z := 0.0
	for j, c := range s.point.cost[:s.n] {
		z += float64(c * s.point.x[j])
	}
	if z < *s.limits.Cutoff {
		return false
	}
	if s.limits.Patience > 0 {
		if z > s.course.mark+float64(0.01*math.Abs(*s.limits.Cutoff)) {
			s.course.mark, s.course.markIter = z, s.course.iters
		}
		if s.course.iters-s.course.markIter < s.limits.Patience {
			return false
		}
	}
	s.point.cost, s.model.bcost = s.model.bcost, s.point.cost
	s.duals()
	s.point.cost, s.model.bcost = s.model.bcost, s.point.cost
	bound := 0.0
	for j, d := range s.out.d {
		bound += best(d, s.model.blo[j], s.model.bup[j], s.course.dualTol)
	}
	for i, y := range s.out.y {
		bound += best(y, s.model.blo[s.n+i], s.model.bup[s.n+i], s.course.dualTol)
	}
	if !(bound >= *s.limits.Cutoff) {
		return false
	}
	s.unscaleDuals()
	s.course.stop = lp.Cutoff
	return true
}

// best returns min d·x over lo ≤ x ≤ up, 0 where it is infinite by no more than
// the tolerance on d.
func best(d, lo, up, tol float64) float64 {
	x := lo
	if d < 0 {
		x = up
	}
	if d == 0 || math.IsInf(x, 0) && math.Abs(d) <= tol {
		return 0
	}
	return d * x
}
