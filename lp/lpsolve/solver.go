//go:build lpsolve && cgo

package lpsolve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/draffensperger/golp"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
	"github.com/hitoku/hitoku/lp/internal/model"
)

func init() { lp.Register("lpsolve", Open) }

// Open returns a new, empty solver.
func Open() (lp.Solver, error) { return new(solver), nil }

const (
	// tol is the tolerance of every certificate.
	tol = 1e-7
	// patience is the time a warm solve may take before it counts as stalled.
	patience = 2 * time.Second
)

// A stand is a back end that deletes rows, as the default one does.
type stand interface {
	lp.Solver
	lp.RowDeleter
}

type solver struct {
	model.Model
	main built
	// stand replaces lp_solve once that has not returned; nil before. It is told of every change of the model.
	stand stand
}

func (s *solver) Capabilities() lp.Capabilities {
	return lp.Capabilities{
		Name: "lpsolve", WarmBounds: true, WarmCost: true, WarmRows: true,
		Farkas: true, Ray: true, DeleteRows: true,
	}
}

func (s *solver) Close() error {
	s.Unload()
	s.main, s.stand = built{}, nil
	return nil
}

func (s *solver) Load(p *lp.Problem) error {
	s.main.drop()
	s.main, s.stand = built{}, nil
	return s.Model.Load(p)
}

func (s *solver) SetColBounds(j int, lo, up float64) error {
	err := s.Model.SetColBounds(j, lo, up)
	if err == nil {
		s.main.columnChanged(j)
		if s.stand != nil {
			err = s.stand.SetColBounds(j, lo, up)
		}
	}
	return err
}

func (s *solver) SetRowBounds(i int, lo, up float64) error {
	err := s.Model.SetRowBounds(i, lo, up)
	if err == nil {
		s.main.rowChanged(i)
		if s.stand != nil {
			err = s.stand.SetRowBounds(i, lo, up)
		}
	}
	return err
}

func (s *solver) SetCost(j int, c float64) error {
	err := s.Model.SetCost(j, c)
	if err == nil {
		s.main.costChanged = true
		if s.stand != nil {
			err = s.stand.SetCost(j, c)
		}
	}
	return err
}

func (s *solver) AddRows(rows ...lp.Row) (int, error) {
	first, err := s.Model.Append(rows, s.main.append)
	if err == nil && s.stand != nil {
		_, err = s.stand.AddRows(rows...)
	}
	return first, err
}

func (s *solver) DeleteRows(drop []bool) error {
	err := s.Model.DeleteRows(drop)
	if err == nil {
		s.main.drop()
		s.main.asColumn = nil
		if s.stand != nil {
			err = s.stand.DeleteRows(drop)
		}
	}
	return err
}

func (s *solver) Solve(ctx context.Context) (*lp.Result, error) {
	p := s.Problem()
	if p == nil {
		return nil, lp.ErrNotLoaded
	}
	defer s.Spend(ctx)
	r := &run{ctx: ctx}
	if s.Limits.Time > 0 {
		r.deadline = time.Now().Add(s.Limits.Time)
	}
	if d, ok := ctx.Deadline(); ok && (r.deadline.IsZero() || d.Before(r.deadline)) {
		r.deadline = d
	}
	if s.stand != nil || lost.Load() >= lostMost {
		return s.instead(ctx)
	}
	res, err := r.solve(p, &s.main)
	var stop stopped
	switch {
	case errors.Is(err, errLost):
		return s.instead(ctx)
	case errors.As(err, &stop):
		return &lp.Result{Status: lp.Status(stop), Raw: err.Error()}, nil
	case err != nil:
		return &lp.Result{Raw: err.Error()}, nil
	}
	return res, nil
}

// A run is one call of Solve.
type run struct {
	ctx      context.Context
	deadline time.Time // zero: none
}

// stopped is the status of a run that ended without a verdict.
type stopped lp.Status

func (s stopped) Error() string { return "stopped: " + lp.Status(s).String() }

// check returns a stopped error if the run must end. The deadline may be the
// context's, a moment before the context knows.
func (r *run) check() error {
	switch {
	case r.ctx.Err() != nil:
		return stopped(lp.Cancelled)
	case r.deadline.IsZero() || time.Now().Before(r.deadline):
		return nil
	}
	if d, ok := r.ctx.Deadline(); ok && !time.Now().Before(d) {
		return stopped(lp.Cancelled)
	}
	return stopped(lp.TimeLimit)
}

// solve returns the verdict on p: warm if b already holds a model, and from a new model if that fails.
func (r *run) solve(p *lp.Problem, b *built) (*lp.Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if res := model.Crossed(p); res != nil {
		return res, nil
	}
	var failure error
	for _, w := range ways {
		if w.warm && !b.solved {
			continue
		}
		if !w.warm {
			b.drop()
			b.build(p, w)
		}
		if y := b.unfit(p); y != nil {
			return &lp.Result{Status: lp.Infeasible, Farkas: y, Raw: "an empty row does not fit"}, nil
		}
		var res *lp.Result
		res, failure = r.attempt(p, b, w)
		if failure == nil {
			return res, nil
		}
		if errors.As(failure, new(stopped)) || errors.Is(failure, errLost) {
			break
		}
	}
	b.drop() // whatever state it is in
	return nil, failure
}

// A way is one way to solve a program. A new model that fails is built again
// with its columns and rows in reverse order, which changes lp_solve's ties, and
// then with its rows scaled beforehand.
type way struct{ warm, reverse, scaled bool }

var ways = [...]way{{warm: true}, {}, {reverse: true}, {scaled: true}, {reverse: true, scaled: true}}

func (r *run) attempt(p *lp.Problem, b *built, w way) (*lp.Result, error) {
	code, err := b.solve(r.ctx, p, r.timeout(w.warm))
	if stop := r.check(); stop != nil {
		return nil, stop
	}
	if err != nil {
		return nil, err
	}
	unbounded := func() (*lp.Result, error) {
		verdict := func(q *lp.Problem) (*lp.Result, error) { return r.solve(q, new(built)) }
		return certify.ProveUnbounded(p, tol, r.auxiliary, verdict)
	}
	switch code {
	case golp.OPTIMAL, golp.DEGENERATE:
		res := b.optimum(p)
		if err = certify.Optimal(p, res, tol); err == nil {
			return res, nil
		}
		// lp_solve overlooks unbounded columns without entries.
		if res, e := unbounded(); e == nil {
			return res, nil
		}
	case golp.INFEASIBLE: // its tolerance on duals is absolute, so they are weighted
		var res *lp.Result
		if res, err = certify.ProveInfeasible(p, 1000, tol, r.auxiliary); err == nil {
			return res, nil
		}
	case golp.UNBOUNDED:
		var res *lp.Result
		if res, err = unbounded(); err == nil {
			return res, nil
		}
	}
	if errors.As(err, new(stopped)) || errors.Is(err, errLost) {
		return nil, err
	}
	if err == nil {
		return nil, fmt.Errorf("lp_solve: %v", code)
	}
	return nil, fmt.Errorf("lp_solve: %v: %w", code, err)
}

// timeout returns the timeout of lp_solve, in seconds; 0 means none.
func (r *run) timeout(warm bool) int {
	left := time.Duration(0)
	if !r.deadline.IsZero() {
		left = max(time.Until(r.deadline), time.Second)
	}
	if warm && (left == 0 || left > patience) {
		left = patience
	}
	return int((left + time.Second - 1) / time.Second)
}

// auxiliary solves a program that has an optimum.
func (r *run) auxiliary(p *lp.Problem) (*lp.Result, error) {
	var failure error
	for _, w := range ways[1:] {
		if err := r.check(); err != nil {
			return nil, err
		}
		b := new(built)
		b.build(p, w)
		code, err := b.solve(r.ctx, p, r.timeout(false))
		if err != nil {
			return nil, err
		}
		if code != golp.OPTIMAL && code != golp.DEGENERATE {
			failure = fmt.Errorf("lp_solve: %v", code)
			continue
		}
		res := b.optimum(p)
		if failure = certify.Optimal(p, res, tol); failure == nil {
			b.drop()
			return res, nil
		}
	}
	return nil, failure
}
