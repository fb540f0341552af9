package lptest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
)

// work is a program with a known verdict that takes some iterations.
func (s *suite) work() *lp.Problem {
	rng := s.rng("work", 0)
	n := min(60, s.MaxCols)
	p := cover(rng, n, 2*n)
	for range n / 2 {
		p.Rows = append(p.Rows, capacityRow(rng, n))
	}
	return p
}

// stopped accepts a run that a limit may have ended: the limit's status, or an
// optimum that proves itself.
func (s *suite) stopped(p *lp.Problem, r *lp.Result, limit lp.Status) error {
	if r.Status == limit {
		return nil
	}
	if err := s.judge(instance{p: p, want: lp.Optimal, value: math.NaN()}, r); err != nil {
		return fmt.Errorf("neither %v nor: %w", limit, err)
	}
	return nil
}

// below checks that the duals y prove a bound, and that it does not exceed the optimum.
func (s *suite) below(p *lp.Problem, y []float64, optimum float64) error {
	bound, err := certify.DualBound(p, y, s.Tol)
	if err == nil && (bound > optimum+float64(10*s.Tol*(1+math.Abs(optimum))) || math.IsInf(bound, 0)) {
		err = fmt.Errorf("duals that prove %g, optimum %g", bound, optimum)
	}
	return err
}

// atWork calls do with a solver that holds the program of work.
func atWork(do func(s *suite, t *twin) error) func(*suite) error {
	return func(s *suite) error {
		t, err := s.twin(s.work())
		if err != nil {
			return err
		}
		defer t.sol.Close()
		return do(s, t)
	}
}

// iterationLimit counts the iterations of a cold solve, then allows a quarter of them, which is too few: the same
// solver must finish after the limit is lifted.
func (s *suite) iterationLimit() error {
	p := s.work()
	full, err := s.cold(p)
	if err != nil {
		return err
	}
	in := instance{p: p, want: lp.Optimal, value: full.Value}
	if err := s.judge(in, full); err != nil {
		return err
	}
	t, err := s.twin(p)
	if err != nil {
		return err
	}
	defer t.sol.Close()
	var f faults
	for _, limit := range []int{1, max(1, full.Iterations/4), 1 << 30} {
		if err := t.sol.Load(p); err != nil {
			return err
		}
		t.sol.SetLimits(lp.Limits{Iterations: limit})
		r, err := solve(t.sol)
		if err != nil {
			f.add(err, "limit %d", limit)
			continue
		}
		switch {
		case limit == 1<<30:
			err = s.judge(in, r)
		case full.Iterations >= 8 && r.Status != lp.IterationLimit:
			err = fmt.Errorf("status %v, but a solve takes %d iterations", r.Status, full.Iterations)
		default:
			err = s.stopped(p, r, lp.IterationLimit)
		}
		f.add(err, "limit %d", limit)
		if r.Status == lp.IterationLimit && r.Dual != nil {
			f.add(s.below(p, r.Dual, full.Value), "limit %d", limit)
		}
		t.sol.SetLimits(lp.Limits{})
		f.add(t.compareTo(in), "limit %d lifted", limit)
	}
	return f.err()
}

// compareTo solves and judges the answer.
func (t *twin) compareTo(in instance) error {
	_, err := t.s.verdict(t.sol, in)
	return err
}

func (s *suite) timeLimit(t *twin) error {
	p := t.p
	in := instance{p: p, want: lp.Optimal, value: math.NaN()}
	var f faults
	t.sol.SetLimits(lp.Limits{Time: time.Nanosecond})
	r, err := solve(t.sol)
	if err == nil {
		err = s.stopped(p, r, lp.TimeLimit)
	}
	f.add(err, "1 ns")
	t.sol.SetLimits(lp.Limits{Time: time.Hour})
	f.add(t.compareTo(in), "1 h")
	t.sol.SetLimits(lp.Limits{})
	f.add(t.compareTo(in), "limit lifted")
	return f.err()
}

// cutoff puts cutoffs around known optima. Status Cutoff must be true, and the
// duals that come with it must prove it; a back end without the capability must
// run on to its verdict.
func (s *suite) cutoff() error {
	var f faults
	seen := 0
	for k := range s.Cases {
		rng := s.rng("cutoff", k)
		in := families[k%6].make(rng, min(20, s.MaxCols))
		true0 := in.value
		switch in.want {
		case lp.Infeasible:
			true0 = inf
		case lp.Unbounded:
			true0 = -inf
		}
		base := in.value
		if in.want != lp.Optimal {
			base = 0
		}
		t, err := s.twin(in.p)
		if err != nil {
			return err
		}
		for _, at := range []float64{base - 5, base - 1, base + 1, base + 100, -1e9, 1e9} {
			c := at
			t.sol.SetLimits(lp.Limits{Cutoff: &c, Patience: k % 2 * 20})
			r, err := solve(t.sol)
			if err != nil {
				f.add(err, "case %d, cutoff %g", k, at)
				continue
			}
			if r.Status == lp.Cutoff {
				seen++
			}
			f.add(s.cut(in, r, at, true0), "case %d, optimum %g, cutoff %g", k, true0, at)
		}
		t.sol.SetLimits(lp.Limits{})
		f.add(t.compareTo(in), "case %d, cutoff lifted", k)
		f.add(t.sol.Close(), "Close")
	}
	if s.caps.Cutoff && seen == 0 && s.Cases >= 12 {
		f.add(errors.New("never stopped"), "cutoff declared")
	}
	return f.err()
}

func (s *suite) cut(in instance, r *lp.Result, at, optimum float64) error {
	if r.Status != lp.Cutoff {
		return s.judge(in, r)
	}
	slack := 10 * s.Tol * (1 + math.Abs(at))
	if !s.caps.Cutoff {
		return errors.New("cutoff without the capability")
	}
	if optimum < at-slack {
		return errors.New("cutoff although the optimum is below it")
	}
	if r.Dual == nil {
		return nil
	}
	bound, err := certify.DualBound(in.p, r.Dual, s.Tol)
	if err != nil {
		return fmt.Errorf("cutoff: %w", err)
	}
	if bound < at-float64(10*slack) {
		return fmt.Errorf("cutoff, but its duals prove only %g", bound)
	}
	return nil
}

// cancelledBefore passes a context that has already ended: no verdict, no error.
func (s *suite) cancelledBefore(t *twin) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := solveContext(ctx, t.sol)
	if err != nil {
		return err
	}
	if r.Status != lp.Cancelled {
		return fmt.Errorf("status %v, want %v", r.Status, lp.Cancelled)
	}
	return t.compareTo(instance{p: t.p, want: lp.Optimal, value: math.NaN()})
}

// cancelledDuring ends a context in the middle of a long solve. A back end that declares Interrupt must stop soon; any
// may also have finished in time.
func (s *suite) cancelledDuring() error {
	const patience = 2 * time.Second
	rng := s.rng("long", 0)
	k := 12
	for k > 2 && (k+1)*(k+1)*(k+1) > s.MaxCols {
		k--
	}
	tab := newTable(rng, flat(k), flat(k), flat(k))
	p := tab.intruder(tab.withhold(rng, 0.6))
	for j := range p.Cost {
		p.Cost[j] = float64(1 + rng.IntN(1000)) // bounded: lo ≥ 0
	}
	t, err := s.twin(p)
	if err != nil {
		return err
	}
	defer t.sol.Close()
	in := instance{p: p, want: lp.Optimal, value: math.NaN()}
	var f faults
	for _, after := range []time.Duration{100 * time.Microsecond, 3 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		start := time.Now()
		r, err := solveContext(ctx, t.sol)
		took := time.Since(start)
		cancel()
		if err == nil {
			err = s.stopped(p, r, lp.Cancelled)
		}
		f.add(err, "after %v", after)
		if s.caps.Interrupt && took > patience {
			f.add(fmt.Errorf("%v", took), "interrupt declared, asked after %v, stopped after", after)
		}
	}
	f.add(t.compareTo(in), "afterwards")
	return f.err()
}
