package lptest

import (
	"context"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
)

// An exactSolver is the rational tableau as a back end: right, and slow.
type exactSolver struct{ p *lp.Problem }

func openExact() (lp.Solver, error) { return new(exactSolver), nil }

func (s *exactSolver) Capabilities() lp.Capabilities {
	return lp.Capabilities{Name: "exact", Farkas: true, Ray: true, DeleteRows: true}
}

func (s *exactSolver) Close() error        { return nil }
func (s *exactSolver) SetLimits(lp.Limits) {}

func (s *exactSolver) Load(p *lp.Problem) error {
	s.p = nil
	if err := p.Check(); err != nil {
		return err
	}
	s.p = clone(p)
	return nil
}

func (s *exactSolver) SetColBounds(j int, lo, up float64) error {
	if s.p == nil {
		return lp.ErrNotLoaded
	}
	if j < 0 || j >= s.p.NumCols() || lp.CheckBounds(lo, up) != nil {
		return &lp.ModelError{Row: -1, Col: j, What: "refused"}
	}
	s.p.Lo[j], s.p.Up[j] = lo, up
	return nil
}

func (s *exactSolver) SetRowBounds(i int, lo, up float64) error {
	if s.p == nil {
		return lp.ErrNotLoaded
	}
	if i < 0 || i >= len(s.p.Rows) || lp.CheckBounds(lo, up) != nil {
		return &lp.ModelError{Row: i, Col: -1, What: "refused"}
	}
	s.p.Rows[i].Lo, s.p.Rows[i].Up = lo, up
	return nil
}

func (s *exactSolver) SetCost(j int, c float64) error {
	if s.p == nil {
		return lp.ErrNotLoaded
	}
	if j < 0 || j >= s.p.NumCols() || c-c != 0 {
		return &lp.ModelError{Row: -1, Col: j, What: "refused"}
	}
	s.p.Cost[j] = c
	return nil
}

func (s *exactSolver) AddRows(rows ...lp.Row) (int, error) {
	if s.p == nil {
		return 0, lp.ErrNotLoaded
	}
	first := len(s.p.Rows)
	if err := lp.CheckRows(rows, first, s.p.NumCols()); err != nil {
		return 0, err
	}
	for _, r := range rows {
		s.p.Rows = append(s.p.Rows, cloneRow(r))
	}
	return first, nil
}

func (s *exactSolver) DeleteRows(drop []bool) error {
	if s.p == nil {
		return lp.ErrNotLoaded
	}
	if len(drop) != len(s.p.Rows) {
		return &lp.ModelError{Row: -1, Col: -1, What: "refused"}
	}
	i := 0
	s.p.Rows = slices.DeleteFunc(s.p.Rows, func(lp.Row) bool { i++; return drop[i-1] })
	return nil
}

func (s *exactSolver) Solve(ctx context.Context) (*lp.Result, error) {
	if s.p == nil {
		return nil, lp.ErrNotLoaded
	}
	if ctx.Err() != nil {
		return &lp.Result{Status: lp.Cancelled}, nil
	}
	e := solveExact(s.p)
	r := &lp.Result{Status: e.status, Raw: "exact", Farkas: e.farkas, Ray: e.ray}
	if e.status == lp.Optimal {
		r.Value, r.Primal, r.Dual = e.value, e.x, e.y
		r.Reduced = certify.Reduced(s.p, e.y)
	}
	return r, nil
}

// small keeps the rational tableau to a few seconds.
var small = Config{Tol: 1e-9, MaxCols: 9, Cases: 20, Steps: 40}

// TestExact runs the suite on the judge itself: what it demands can be met.
func TestExact(t *testing.T) { Run(t, openExact, small) }
