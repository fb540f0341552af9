package simplex

import (
	"context"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/lp"
)

// maxRounds is the number of times a solve may switch between the primal and the dual simplex before it restarts from
// the slack basis.
const maxRounds = 30

// maxRelax is how much a solve that is stuck may relax the primal tolerance.
const maxRelax = 100

// Solve runs until it reaches a verdict, ctx ends or a limit is hit.
func (s *solver) Solve(ctx context.Context) (*lp.Result, error) {
	if !s.model.loaded {
		return nil, lp.ErrNotLoaded
	}
	s.course.ctx, s.course.iters = ctx, 0
	s.course.deadline = time.Time{}
	if s.limits.Time > 0 {
		s.course.deadline = time.Now().Add(s.limits.Time)
	}
	s.out.res = lp.Result{}
	r := &s.out.res
	s.basis.fac.steps += 3 * (s.n + s.m)
	r.Status = s.run()
	s.spend()
	s.course.ctx = nil
	r.Iterations = s.course.iters
	switch r.Status {
	case lp.Optimal:
		r.Value, r.Primal, r.Dual, r.Reduced = s.value(), s.out.x, s.out.y, s.out.d
	case lp.Reached:
		r.Value, r.Primal = s.value(), s.out.x
	case lp.Cutoff:
		r.Dual, r.Reduced = s.out.y, s.out.d
	case lp.IterationLimit:
		if s.course.dual {
			s.duals()
			s.unscaleDuals()
			r.Dual, r.Reduced = s.out.y, s.out.d
		}
	case lp.Infeasible:
		if len(s.out.f) == s.m {
			r.Farkas = s.out.f
		}
	case lp.Unbounded:
		r.Ray = s.out.r
	}
	r.Raw = r.Status.String()
	return r, nil
}

// run is Solve without the result.
func (s *solver) run() lp.Status {
	if s.late() {
		return s.course.stop
	}
	if s.model.crossed > 0 {
		return s.crossedVerdict()
	}
	s.course.relax, s.course.missed = 1, false
	s.course.hurry = s.limits.Cutoff != nil && s.limits.Patience > 0
	s.prepare()
	restarted, after := false, false
	for round := 0; ; round++ {
		if round >= maxRounds {
			if restarted {
				return lp.Unknown
			}
			restarted, round = true, 0
			s.slackBasis()
			s.prepare()
		}
		var out outcome
		dual := false // the dual simplex ran last
		switch {
		case !s.primalFeasible():
			dual = true
			out = s.dual()
			after = true
			if out == done && !s.primalFeasible() {
				// Too little to prove infeasibility but more than the tolerance: what is left are rounding errors.
				s.course.relax = min(10*s.course.relax, maxRelax)
			}
		case !s.dualFeasible():
			out = s.primal(after)
			if out == handOver {
				s.course.hurry = false
				out = s.dual()
				after, dual = true, true
			}
		case s.verify(round > maxRounds/2):
			return lp.Optimal
		}
		switch out {
		case infeasible:
			return lp.Infeasible
		case unbounded:
			return lp.Unbounded
		case reached:
			// Costs may have been shifted and bounds loosened on the way.
			if s.value() <= *s.limits.Target && s.primalResidual() {
				s.outputPrimal()
				return lp.Reached
			}
			s.course.missed = true
		case stopped:
			s.course.dual = dual
			return s.course.stop
		case trouble:
			round += maxRounds / 3
			s.factorise()
			s.point.haveX, s.point.haveD = false, false
			s.refresh()
		}
	}
}

// patience returns the number of iterations after which a run of one method counts as cycling.
func (s *solver) patience() int { return 10000 + 20*(s.n+s.m) }

// dualFeasible reports whether all reduced costs have the right sign.
func (s *solver) dualFeasible() bool {
	for _, v := range s.basis.active {
		if s.wrongSign(v, 1) {
			return false
		}
	}
	return true
}

// stepTime is the approximate time of one step of factor.steps: see bench/results/work.csv.
const stepTime = 4 * time.Nanosecond

// spend tells ctx of the steps taken since the last call.
func (s *solver) spend() {
	work.Spend(s.course.ctx, time.Duration(s.basis.fac.steps)*stepTime)
	s.basis.fac.steps = 0
}

// late reports whether ctx has ended or the time is up.
func (s *solver) late() bool {
	s.spend()
	if s.course.ctx.Err() != nil {
		s.course.stop = lp.Cancelled
		return true
	}
	if !s.course.deadline.IsZero() && !time.Now().Before(s.course.deadline) {
		s.course.stop = lp.TimeLimit
		return true
	}
	return false
}

// value returns cᵀx.
func (s *solver) value() float64 {
	z := 0.0
	for _, j := range s.model.priced {
		z += float64(s.model.bcost[j] * s.point.x[j])
	}
	return z
}

// verify checks the basic solution against the model itself, not against the factors: the residual of Ax = s, and the
// sign of reduced costs computed from fresh duals. On success the output is ready; otherwise values are recomputed from
// fresh factors, to continue with. A lenient verify accepts duals that are wrong by more than the tolerance.
func (s *solver) verify(lenient bool) bool {
	primal := s.primalResidual()
	if primal && s.duals() || primal && lenient {
		s.output()
		return true
	}
	if s.basis.fac.updates > 0 {
		s.factorise()
	}
	s.point.haveX, s.point.haveD = false, false
	s.refresh()
	return false
}

// primalResidual reports whether Ax = s holds up to the tolerance, relative to the terms of each row, and x is
// feasible. If the residual is too large, one step of iterative refinement is tried first.
func (s *solver) primalResidual() bool {
	worst := s.residual()
	if worst > 1e-3*feasTol {
		s.moveBasic()
		worst = s.residual() // updated factors may be too poor for this
	}
	s.scratch.rhs.clear()
	return worst <= feasTol && s.primalFeasible()
}

// residual stores s − Ax in rhs and returns its largest entry relative to the
// terms of the row.
func (s *solver) residual() float64 {
	worst := 0.0
	for i := range s.m {
		x := s.point.x[s.n+i]
		r, size := -x, max(min(1, s.model.unit[s.n+i]), math.Abs(x))
		idx, val := s.model.mat.row(i)
		for k, j := range idx {
			if x := s.point.x[j]; x != 0 {
				a := float64(val[k] * x)
				r += a
				size = max(size, math.Abs(a))
			}
		}
		if r != 0 {
			s.scratch.rhs.set(int32(i), -r)
			worst = max(worst, math.Abs(r)/size)
		}
	}
	return worst
}

// duals computes y and all reduced costs, scaled, into outY and outD and reports whether their signs are right. Like
// the primal residual, that of Bᵀy = c_B is refined once if necessary.
func (s *solver) duals() bool {
	n := s.n
	s.out.y, s.out.d = resized(s.out.y[:0], s.m), resized(s.out.d, n)
	copy(s.out.d, s.point.cost[:n])
	s.addDuals(s.computeY())
	worst := 0.0
	for p, v := range s.basis.head {
		r := 0.0
		if int(v) < n {
			r = s.out.d[v]
		} else {
			r = s.out.y[int(v)-n]
		}
		if r != 0 {
			s.scratch.rhs.set(int32(p), r)
			worst = max(worst, math.Abs(r)*s.model.unit[v])
		}
	}
	if worst > 1e-3*s.course.dualTol {
		s.basis.fac.btran(&s.scratch.rhs, kindFlip, false)
		s.addDuals(&s.scratch.rhs)
	}
	s.scratch.rhs.clear()
	ok := true
	for j, st := range s.basis.stat[:n] {
		ok = s.settle(&s.out.d[j], int32(j), st) && ok
	}
	for i, st := range s.basis.stat[n:] {
		ok = s.settle(&s.out.y[i], int32(n+i), st) && ok
	}
	return ok
}

// addDuals adds v to outY, subtracts Aᵀv from outD and clears v.
func (s *solver) addDuals(v *vec) {
	y, d := s.out.y, s.out.d
	for _, i := range v.idx {
		a := v.x[i]
		y[i] += a
		idx, val := s.model.mat.row(int(i))
		for t, j := range idx {
			d[j] -= float64(a * val[t])
		}
	}
	v.clear()
}

// settle reports whether the reduced cost of v fits its status, and sets it to 0 if it is only a rounding error.
func (s *solver) settle(d *float64, v int32, st status) bool {
	tol := 10 * s.dualTolerance(v)
	switch {
	case st == basic || st == free:
		if math.Abs(*d) > tol {
			return false
		}
		if math.Abs(*d) < 1e-3*tol {
			*d = 0
		}
	case s.point.lo[v] == s.point.up[v]:
	case st == atLower:
		return *d >= -tol
	case st == atUpper:
		return *d <= tol
	}
	return true
}

// output unscales the solution.
func (s *solver) output() {
	s.outputPrimal()
	s.unscaleDuals()
}

// outputPrimal unscales the primal part alone.
func (s *solver) outputPrimal() {
	s.out.x = append(s.out.x[:0], s.point.x[:s.n]...)
	if s.model.scale.on {
		for j, c := range s.model.scale.c {
			s.out.x[j] *= c
		}
	}
}

// unscaleDuals unscales outY and outD.
func (s *solver) unscaleDuals() {
	for i, r := range s.model.scale.r {
		s.out.y[i] *= r
	}
	if s.model.scale.on {
		for j, c := range s.model.scale.c {
			s.out.d[j] /= c
		}
	}
}
