// Package gonum adapts the simplex method of gonum.org/v1/gonum/optimize/convex/lp
// to package lp. It needs no C library, starts every solve anew and works on
// dense matrices: an independent second opinion on programs of up to some
// hundred columns and rows, not a tool for large ones.
//
// Gonum wants min cᵀz, Az = b, z ≥ 0 with A of full row rank and without zero
// columns, and answers with z alone. This package
//
//   - writes the program in that form (standard.go), leaves out fixed columns and
//     the equations that others imply, and finds contradicting equations itself;
//   - moves b by a small random combination of the columns of A, after which no
//     vertex is degenerate: gonum does not cycle, and the basis, which it does not
//     return, is the support of z;
//   - computes x and y from that basis and the true b and c;
//   - finds Farkas rays by a phase 1 of its own and rays by the program of
//     certify.RayProgram.
//
// No answer leaves before its certificate has been checked; one that fails is
// tried again under another perturbation. If all fail the status is Unknown.
//
// Gonum can be neither interrupted nor limited, and on programs with numbers near 10¹⁵ it cycles. It therefore runs in
// a goroutine that is abandoned when the context or Limits.Time ends, or after a minute, which counts as failure.
// Limits.Iterations and Limits.Cutoff are not honoured, and Result.Iterations is 0.
package gonum

import (
	"context"
	"time"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/model"
)

func init() { lp.Register("gonum", open) }

// open returns a new, empty solver.
func open() (lp.Solver, error) { return new(solver), nil }

// tol is the tolerance of every certificate.
const tol = 1e-9

type solver struct {
	model.Model
}

func (s *solver) Capabilities() lp.Capabilities {
	return lp.Capabilities{Name: "gonum", Version: "0.17.0", Farkas: true, Ray: true, DeleteRows: true}
}

func (s *solver) Close() error {
	s.Unload()
	return nil
}

func (s *solver) Solve(ctx context.Context) (*lp.Result, error) {
	p := s.Problem()
	if p == nil {
		return nil, lp.ErrNotLoaded
	}
	run := &run{ctx: ctx}
	if s.Limits.Time > 0 {
		run.deadline = time.Now().Add(s.Limits.Time)
	}
	defer s.Spend(ctx)
	return run.solve(p), nil
}
