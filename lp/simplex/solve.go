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
		case !s.dualFeasible():
			out = s.primal(after)
		case s.verify():
			return lp.Optimal
		}
		switch out {
		case infeasible:
			return lp.Infeasible
		case unbounded:
			return lp.Unbounded
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

// dualFeasible reports whether all reduced costs have the right sign.
func (s *Solver) dualFeasible() bool {
	for _, v := range s.active {
		if s.wrongSign(v, s.dualTol) {
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
	for j, c := range s.bcost[:s.n] {
		if c != 0 {
			z += c * s.x[j]
		}
	}
	return z
}

// verify checks the basic solution against the model itself, not against the
// factors: the residual of Ax = s, and the sign of reduced costs computed from
// fresh duals. On success the output is ready; otherwise it leaves values
// recomputed from fresh factors.
func (s *Solver) verify() bool {
	res, big := 0.0, 1.0
	for i := range s.m {
		x := s.x[s.n+i]
		res = max(res, math.Abs(s.activity(i)-x))
		big = max(big, math.Abs(x))
	}
	ok := res <= max(feasTol*big, s.noise)
	if ok {
		ok = s.duals()
	}
	if ok || s.fac.updates == 0 {
		if !ok {
			s.duals()
		}
		s.output()
		return true
	}
	s.factorise()
	s.haveX, s.haveD = false, false
	s.refresh()
	return false
}

// duals computes y and all reduced costs, scaled, into outY and outD and
// reports whether their signs are right.
func (s *Solver) duals() bool {
	n := s.n
	s.outY, s.outD = resized(s.outY, s.m), resized(s.outD, n)
	y, d := s.outY, s.outD
	clear(y)
	copy(d, s.cost[:n])
	v := s.computeY()
	for _, i := range v.idx {
		a := v.x[i]
		y[i] = a
		idx, val := s.mat.row(int(i))
		for t, j := range idx {
			d[j] -= a * val[t]
		}
	}
	v.clear()
	ok := true
	tol := 10 * s.dualTol
	for j, st := range s.stat[:n] {
		switch st {
		case basic:
			if math.Abs(d[j]) > tol {
				ok = false
			}
			d[j] = 0
		case free:
			if math.Abs(d[j]) > tol {
				ok = false
			}
		case atLower:
			if d[j] < -tol && s.lo[j] != s.up[j] {
				ok = false
			}
		case atUpper:
			if d[j] > tol && s.lo[j] != s.up[j] {
				ok = false
			}
		}
	}
	for i, st := range s.stat[n:] {
		v := n + i
		switch st {
		case basic:
			y[i] = 0
		case free:
			if math.Abs(y[i]) > tol {
				ok = false
			}
		case atLower:
			if y[i] < -tol && s.lo[v] != s.up[v] {
				ok = false
			}
		case atUpper:
			if y[i] > tol && s.lo[v] != s.up[v] {
				ok = false
			}
		}
	}
	return ok
}

// output unscales the solution.
func (s *Solver) output() {
	s.outX = append(s.outX[:0], s.x[:s.n]...)
	s.unscaleDuals()
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
