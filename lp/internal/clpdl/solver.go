//go:build clpdl && (linux || darwin)

package clpdl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
	"github.com/hitoku/hitoku/lp/internal/coin"
	"github.com/hitoku/hitoku/lp/internal/model"
)

func init() { lp.Register("clpdl", Open) }

// Open returns a new, empty solver, or a *LibraryError.
func Open() (lp.Solver, error) {
	c, err := open()
	if err != nil {
		return nil, err
	}
	return newSolver(c, coin.Slice), nil
}

type solver struct {
	model.Model
	slice int
	main  loaded
}

func newSolver(c *library, slice int) *solver { return &solver{slice: slice, main: loaded{c: c}} }

func (s *solver) Capabilities() lp.Capabilities {
	return lp.Capabilities{
		Name: "clpdl", Version: strings.TrimSpace(s.main.c.version()),
		WarmBounds: true, WarmCost: true, WarmRows: true, Farkas: true, Ray: true,
		Cutoff: true, Interrupt: true, Basis: true, DeleteRows: true,
	}
}

func (s *solver) Close() error {
	s.Unload()
	s.main.drop()
	return nil
}

func (s *solver) Load(p *lp.Problem) error {
	s.main.drop()
	return s.Model.Load(p)
}

func (s *solver) SetColBounds(j int, lo, up float64) error {
	err := s.Model.SetColBounds(j, lo, up)
	s.main.bounds = s.main.bounds || err == nil
	return err
}

func (s *solver) SetRowBounds(i int, lo, up float64) error {
	err := s.Model.SetRowBounds(i, lo, up)
	s.main.rowBounds = s.main.rowBounds || err == nil
	return err
}

func (s *solver) SetCost(j int, c float64) error {
	err := s.Model.SetCost(j, c)
	s.main.cost = s.main.cost || err == nil
	return err
}

func (s *solver) AddRows(rows ...lp.Row) (int, error) {
	return s.Model.Append(rows, s.main.append)
}

func (s *solver) DeleteRows(drop []bool) error {
	err := s.Model.DeleteRows(drop)
	if err == nil {
		s.main.remove(drop)
	}
	return err
}

// hold makes sure that Clp has the program.
func (s *solver) hold() error {
	if s.Problem() == nil {
		return lp.ErrNotLoaded
	}
	if s.main.m == nil {
		s.main.load(s.Problem())
	}
	return nil
}

func (s *solver) Basis(b *lp.Basis) error {
	if err := s.hold(); err != nil {
		return err
	}
	s.main.basis(b)
	return nil
}

func (s *solver) SetBasis(b *lp.Basis) error {
	if err := s.hold(); err != nil {
		return err
	}
	if len(b.Col)+len(b.Row) == 0 {
		s.main.solved = false
		return nil
	}
	s.main.setBasis(s.Problem(), b)
	return nil
}

func (s *solver) Solve(ctx context.Context) (*lp.Result, error) {
	p := s.Problem()
	if p == nil {
		return nil, lp.ErrNotLoaded
	}
	r := &run{Run: model.Start(ctx, s.Limits, math.MaxInt32), slice: s.slice, cutoff: s.Limits.Cutoff}
	res, err := r.solve(p, &s.main)
	res = model.Answer(res, err)
	res.Iterations = r.count
	return res, nil
}

// A run is one call of Solve.
type run struct {
	model.Run
	slice  int
	cutoff *float64
	count  int // iterations so far
}

// solve returns the verdict on p with its certificate.
func (r *run) solve(p *lp.Problem, l *loaded) (*lp.Result, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if res := model.Crossed(p); res != nil {
		return res, nil
	}
	if res := unfit(p); res != nil {
		return res, nil
	}
	var failure error
	for _, m := range r.methods(l) {
		cutoff := math.Inf(1)
		if r.cutoff != nil && m.Dual {
			cutoff = *r.cutoff
		}
		code, err := l.solve(p, &r.Run, m, r.slice, min(cutoff, math.MaxFloat64), &r.count)
		if err != nil {
			return nil, err
		}
		var res *lp.Result
		switch {
		case code == coin.Infeasible && !math.IsInf(cutoff, 1) && l.c.secondary(l.m) == secondaryCutoff:
			res, failure = r.atCutoff(p, l)
		case code == coin.Optimal:
			res = l.optimum(p)
			failure = certify.Optimal(p, res, coin.Tol)
		case code == coin.Infeasible:
			res, failure = r.infeasible(p, l)
		case code == coin.Unbounded:
			res, failure = r.unbounded(p, l)
		default:
			failure = fmt.Errorf("clp: %s: code %d", m.Name, code)
		}
		if failure == nil {
			return res, nil
		}
		if errors.As(failure, new(model.Stopped)) {
			return nil, failure
		}
	}
	l.drop() // its state is unknown
	return nil, failure
}

// methods returns the ways to solve what l holds, the warm one first.
func (r *run) methods(l *loaded) []coin.Method {
	if l.m == nil || !l.solved {
		return coin.Cold[:]
	}
	primal := l.cost && !l.bounds && !l.rowBounds && !l.grown
	return append([]coin.Method{{Name: "warm", Warm: true, Dual: !primal, PrimalTolerance: 1e-9}}, coin.Cold[:]...)
}

// atCutoff checks that the duals prove that the optimum is at least the cutoff.
func (r *run) atCutoff(p *lp.Problem, l *loaded) (*lp.Result, error) {
	y := l.duals()
	bound, err := certify.DualBound(p, y, coin.Tol)
	if err != nil {
		return nil, err
	}
	if bound < *r.cutoff {
		return nil, fmt.Errorf("clp: stopped at a cutoff of %g with a bound of %g", *r.cutoff, bound)
	}
	return &lp.Result{Status: lp.Cutoff, Dual: y, Reduced: certify.Reduced(p, y), Raw: "cutoff"}, nil
}

// infeasible proves that p is infeasible, by Clp's own ray if that is valid.
func (r *run) infeasible(p *lp.Problem, l *loaded) (*lp.Result, error) {
	if y := l.ray(l.c.infeasibleRay, l.rows); y != nil {
		for range 2 {
			if certify.Farkas(p, y, coin.Tol) == nil {
				return &lp.Result{Status: lp.Infeasible, Farkas: y, Raw: "infeasible"}, nil
			}
			for i := range y {
				y[i] = -y[i]
			}
		}
	}
	// Clp's tolerance on duals is absolute, so they are weighted.
	return certify.ProveInfeasible(p, 1000, coin.Tol, r.auxiliary)
}

// unbounded proves that p is unbounded, or finds it infeasible.
func (r *run) unbounded(p *lp.Problem, l *loaded) (*lp.Result, error) {
	verdict := func(q *lp.Problem) (*lp.Result, error) {
		other := loaded{c: l.c}
		defer other.drop()
		free := *r
		free.cutoff = nil
		defer func() { r.Iterations, r.count = free.Iterations, free.count }()
		return free.solve(q, &other)
	}
	return certify.ProveUnbounded(p, coin.Tol, r.auxiliary, verdict)
}

// auxiliary solves a program that has an optimum.
func (r *run) auxiliary(p *lp.Problem) (*lp.Result, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	c, err := open()
	if err != nil {
		return nil, err
	}
	l := loaded{c: c}
	defer l.drop()
	return coin.Certified(p, func(m coin.Method) (int, error) {
		return l.solve(p, &r.Run, m, r.slice, math.MaxFloat64, &r.count)
	}, l.optimum)
}
