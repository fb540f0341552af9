package simplex

import (
	"context"
	"math"
	"time"

	"github.com/hitoku/hitoku/lp"
)

// maxRounds is the number of times a solve may change between the primal and
// the dual simplex before it starts again from the slack basis.
const maxRounds = 30

// maxRelax is how much a solve that is stuck may relax the primal tolerance.
const maxRelax = 100

// Solve runs until it reaches a verdict, ctx ends or a limit is hit.
func (s *Solver) Solve(ctx context.Context) (*lp.Result, error) {
	if !s.loaded {
		return nil, lp.ErrNotLoaded
	}
	s.ctx, s.iters = ctx, 0
	s.deadline = time.Time{}
	if s.limits.Time > 0 {
		s.deadline = time.Now().Add(s.limits.Time)
	}
	s.res = lp.Result{}
	r := &s.res
	r.Status = s.run()
	s.ctx = nil
	r.Iterations = s.iters
	switch r.Status {
	case lp.Optimal:
		r.Value, r.Primal, r.Dual, r.Reduced = s.value(), s.outX, s.outY, s.outD
	case lp.Reached:
		r.Value, r.Primal = s.value(), s.outX
	case lp.Cutoff:
		r.Dual, r.Reduced = s.outY, s.outD
	case lp.Infeasible:
		if len(s.outF) == s.m {
			r.Farkas = s.outF
		}
	case lp.Unbounded:
		r.Ray = s.outR
	}
	r.Raw = r.Status.String()
	return r, nil
}

// run is Solve without the result.
func (s *Solver) run() lp.Status {
	if s.late() {
		return s.stop
	}
	if s.crossed > 0 {
		return s.crossedVerdict()
	}
	s.relax, s.missed = 1, false
	s.hurry = s.limits.Cutoff != nil && s.limits.Patience > 0
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
		switch {
		case !s.primalFeasible():
			out = s.dual()
			after = true
			if out == done && !s.primalFeasible() {
				// Too little for a proof of infeasibility, more than the
				// tolerance: what is left are rounding errors.
				s.relax = min(10*s.relax, maxRelax)
			}
		case !s.dualFeasible():
			out = s.primal(after)
			if out == handOver {
				s.hurry = false
				out = s.dual()
				after = true
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
			s.missed = true
		case stopped:
			return s.stop
		case trouble:
			round += maxRounds / 3
			s.factorise()
			s.haveX, s.haveD = false, false
			s.refresh()
		}
	}
}

// patience is the number of iterations after which a run of one method is taken
// for one that cycles.
func (s *Solver) patience() int { return 10000 + 20*(s.n+s.m) }

// dualFeasible reports whether all reduced costs have the right sign.
func (s *Solver) dualFeasible() bool {
	for _, v := range s.active {
		if s.wrongSign(v, 1) {
			return false
		}
	}
	return true
}

// late reports whether ctx has ended or the time is up.
func (s *Solver) late() bool {
	if s.ctx.Err() != nil {
		s.stop = lp.Cancelled
		return true
	}
	if !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		s.stop = lp.TimeLimit
		return true
	}
	return false
}

// value returns cᵀx.
func (s *Solver) value() float64 {
	z := 0.0
	for _, j := range s.priced {
		z += s.bcost[j] * s.x[j]
	}
	return z
}

// verify checks the basic solution against the model itself, not against the
// factors: the residual of Ax = s, and the sign of reduced costs computed from
// fresh duals. On success the output is ready; otherwise it leaves values
// recomputed from fresh factors, to go on with. A lenient verify accepts duals
// that are wrong by more than the tolerance.
func (s *Solver) verify(lenient bool) bool {
	primal := s.primalResidual()
	if primal && s.duals() || primal && lenient {
		s.output()
		return true
	}
	if s.fac.updates > 0 {
		s.factorise()
	}
	s.haveX, s.haveD = false, false
	s.refresh()
	return false
}

// primalResidual reports whether Ax = s holds up to the tolerance, relative to
// the terms of each row, and x is feasible. A residual larger than need be is
// first reduced by one step of iterative refinement.
func (s *Solver) primalResidual() bool {
	worst := s.residual()
	if worst > 1e-3*feasTol {
		s.fac.ftran(&s.rhs, kindFlip, false)
		for _, p := range s.rhs.idx {
			s.x[s.head[p]] += s.rhs.x[p]
		}
		s.rhs.clear()
		worst = s.residual() // updated factors may be too poor for this
	}
	s.rhs.clear()
	return worst <= feasTol && s.primalFeasible()
}

// residual stores s − Ax in rhs and returns its largest entry relative to the
// terms of the row.
func (s *Solver) residual() float64 {
	worst := 0.0
	for i := range s.m {
		x := s.x[s.n+i]
		r, size := -x, max(min(1, s.unit[s.n+i]), math.Abs(x))
		idx, val := s.mat.row(i)
		for k, j := range idx {
			if x := s.x[j]; x != 0 {
				a := val[k] * x
				r += a
				size = max(size, math.Abs(a))
			}
		}
		if r != 0 {
			s.rhs.set(int32(i), -r)
			worst = max(worst, math.Abs(r)/size)
		}
	}
	return worst
}

// duals computes y and all reduced costs, scaled, into outY and outD and
// reports whether their signs are right. Like the primal residual, that of
// Bᵀy = c_B is refined once if need be.
func (s *Solver) duals() bool {
	n := s.n
	s.outY, s.outD = resized(s.outY[:0], s.m), resized(s.outD, n)
	copy(s.outD, s.cost[:n])
	s.addDuals(s.computeY())
	worst := 0.0
	for p, v := range s.head {
		r := 0.0
		if int(v) < n {
			r = s.outD[v]
		} else {
			r = s.outY[int(v)-n]
		}
		if r != 0 {
			s.rhs.set(int32(p), r)
			worst = max(worst, math.Abs(r)*s.unit[v])
		}
	}
	if worst > 1e-3*s.dualTol {
		s.fac.btran(&s.rhs, kindFlip, false)
		s.addDuals(&s.rhs)
	}
	s.rhs.clear()
	ok := true
	for j, st := range s.stat[:n] {
		ok = s.settle(&s.outD[j], int32(j), st) && ok
	}
	for i, st := range s.stat[n:] {
		ok = s.settle(&s.outY[i], int32(n+i), st) && ok
	}
	return ok
}

// addDuals adds v to outY, subtracts Aᵀv from outD and clears v.
func (s *Solver) addDuals(v *vec) {
	y, d := s.outY, s.outD
	for _, i := range v.idx {
		a := v.x[i]
		y[i] += a
		idx, val := s.mat.row(int(i))
		for t, j := range idx {
			d[j] -= a * val[t]
		}
	}
	v.clear()
}

// settle reports whether the reduced cost of v fits its status, and sets it to
// 0 where it is but rounding.
func (s *Solver) settle(d *float64, v int32, st status) bool {
	tol := 10 * s.dualTolerance(v)
	switch {
	case st == basic || st == free:
		if math.Abs(*d) > tol {
			return false
		}
		if math.Abs(*d) < 1e-3*tol {
			*d = 0
		}
	case s.lo[v] == s.up[v]:
	case st == atLower:
		return *d >= -tol
	case st == atUpper:
		return *d <= tol
	}
	return true
}

// output unscales the solution.
func (s *Solver) output() {
	s.outputPrimal()
	s.unscaleDuals()
}

// outputPrimal unscales the primal part alone.
func (s *Solver) outputPrimal() {
	s.outX = append(s.outX[:0], s.x[:s.n]...)
	if s.scale.on {
		for j, c := range s.scale.c {
			s.outX[j] *= c
		}
	}
}

// unscaleDuals unscales outY and outD.
func (s *Solver) unscaleDuals() {
	for i, r := range s.scale.r {
		s.outY[i] *= r
	}
	if s.scale.on {
		for j, c := range s.scale.c {
			s.outD[j] /= c
		}
	}
}
