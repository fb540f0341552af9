//go:build clp && cgo

package clp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
	"github.com/hitoku/hitoku/lp/internal/coin"
	"github.com/hitoku/hitoku/lp/internal/model"
)

func init() { lp.Register("clp", Open) }

// Open returns a new, empty solver.
func Open() (lp.Solver, error) { return &solver{slice: coin.Slice}, nil }

type solver struct {
	model.Model
	slice int
	main  loaded // the program itself; auxiliary ones are loaded on the fly
}

func (s *solver) Capabilities() lp.Capabilities {
	return lp.Capabilities{Name: "clp", Farkas: true, Ray: true, Interrupt: true, DeleteRows: true}
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

func (s *solver) AddRows(rows ...lp.Row) (int, error) {
	s.main.drop()
	return s.Model.AddRows(rows...)
}

func (s *solver) DeleteRows(drop []bool) error {
	s.main.drop()
	return s.Model.DeleteRows(drop)
}

func (s *solver) Solve(ctx context.Context) (*lp.Result, error) {
	p := s.Problem()
	if p == nil {
		return nil, lp.ErrNotLoaded
	}
	defer s.Spend(ctx)
	r := &run{Run: model.Start(ctx, s.Limits, math.MaxInt32), slice: s.slice}
	res, err := r.solve(p, &s.main)
	return model.Answer(res, err), nil
}

// A run is one call of Solve.
type run struct {
	model.Run
	slice int
}

// solve returns the verdict on p with its certificate.
func (r *run) solve(p *lp.Problem, l *loaded) (*lp.Result, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if res := model.Crossed(p); res != nil {
		return res, nil
	}
	var failure error
	for _, m := range coin.Cold {
		if res := l.load(p); res != nil {
			return res, nil
		}
		st, err := l.solve(r, m)
		if err != nil {
			return nil, err
		}
		switch st {
		case coin.Optimal:
			res := l.optimum(p)
			if failure = certify.Optimal(p, res, coin.Tol); failure == nil {
				return res, nil
			}
		case coin.Infeasible:
			// Clp's tolerance on duals is absolute, so they are weighted.
			res, err := certify.ProveInfeasible(p, 1000, coin.Tol, r.auxiliary)
			if failure = err; err == nil {
				return res, nil
			}
		case coin.Unbounded:
			verdict := func(q *lp.Problem) (*lp.Result, error) { return r.solve(q, new(loaded)) }
			res, err := certify.ProveUnbounded(p, coin.Tol, r.auxiliary, verdict)
			if failure = err; err == nil {
				return res, nil
			}
		default:
			failure = fmt.Errorf("clp: %s: code %d", m.Name, st)
		}
		if errors.As(failure, new(model.Stopped)) {
			return nil, failure
		}
	}
	return nil, failure
}

// auxiliary solves a program that has an optimum.
func (r *run) auxiliary(p *lp.Problem) (*lp.Result, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	l := new(loaded)
	return coin.Certified(p, func(m coin.Method) (int, error) {
		if res := l.load(p); res != nil {
			return 0, errors.New(res.Raw)
		}
		return l.solve(r, m)
	}, l.optimum)
}
