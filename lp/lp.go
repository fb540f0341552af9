// Package lp poses linear programs to interchangeable back ends, which solve
//
//	minimise    cᵀx
//	subject to  rlo ≤ Ax ≤ rup     m rows
//	            lo  ≤  x ≤ up      n columns
//
// Infinite bounds are ±math.Inf(1). The package knows no tables: it fixes the
// form of the program, the meaning of every answer and the sign of every dual,
// and each back end (a sub-package) corrects what its library does otherwise.
//
// # Signs
//
// Dual[i] is ∂(optimum)/∂(active bound of row i): it is ≥ 0 where the row
// sits at rlo, ≤ 0 where it sits at rup, 0 where it is slack. The reduced cost
// of column j is d_j = c_j − Σ_i Dual[i]·A[i][j], ≥ 0 at lo and ≤ 0 at up, so
//
//	cᵀx = Σ_i Dual[i]·(active bound of row i) + Σ_j d_j·x_j .
//
// A Farkas ray y of an infeasible program satisfies
//
//	Σ_{y_i>0} y_i·rlo_i + Σ_{y_i<0} y_i·rup_i  >  max { (Aᵀy)ᵀx : lo ≤ x ≤ up } .
//
// A row with rlo > rup needs no ray and may have none: Farkas is then nil or any
// vector.
//
// A ray d of an unbounded program satisfies cᵀd < 0, is 0 or points inwards at
// every finite bound of a column, and Ad is 0 or points inwards at every finite
// bound of a row.
package lp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// A Row is one row of A in sparse form with its bounds. Idx holds distinct
// column indices in any order; an empty row is legal.
type Row struct {
	Lo, Up float64
	Idx    []int32
	Val    []float64
}

// A Problem is a linear program by rows. len(Cost) = len(Lo) = len(Up) = n.
type Problem struct {
	Cost   []float64 // c
	Lo, Up []float64 // bounds of the columns
	Rows   []Row
}

// NumCols returns n.
func (p *Problem) NumCols() int { return len(p.Cost) }

// Check reports the first mismatched shape, duplicate or out-of-range column
// index, NaN, infinite coefficient or cost, or misplaced infinity (Lo = +∞,
// Up = −∞) as a *ModelError. Crossed bounds (lo > up) are not an error: such
// a program is infeasible. Cost O(n + entries).
func (p *Problem) Check() error {
	n := len(p.Cost)
	if len(p.Lo) != n || len(p.Up) != n {
		return &ModelError{Row: -1, Col: -1, What: fmt.Sprintf("%d costs but %d lower and %d upper bounds", n, len(p.Lo), len(p.Up))}
	}
	for j := range n {
		if math.IsNaN(p.Cost[j]) || math.IsInf(p.Cost[j], 0) {
			return &ModelError{Row: -1, Col: j, What: fmt.Sprintf("cost %g, want a finite number", p.Cost[j])}
		}
		if err := CheckBounds(p.Lo[j], p.Up[j]); err != nil {
			return &ModelError{Row: -1, Col: j, What: err.Error()}
		}
	}
	seen := make([]int, n)
	for i := range p.Rows {
		if err := p.Rows[i].check(i, n, seen, i+1); err != nil {
			return err
		}
	}
	return nil
}

// CheckRows does for rows about to be added what Problem.Check does for a
// whole program; first is the index of rows[0], n the number of columns.
func CheckRows(rows []Row, first, n int) error {
	seen := make([]int, n)
	for i := range rows {
		if err := rows[i].check(first+i, n, seen, i+1); err != nil {
			return err
		}
	}
	return nil
}

func (r *Row) check(i, n int, seen []int, mark int) error {
	if len(r.Idx) != len(r.Val) {
		return &ModelError{Row: i, Col: -1, What: fmt.Sprintf("%d indices but %d values", len(r.Idx), len(r.Val))}
	}
	if err := CheckBounds(r.Lo, r.Up); err != nil {
		return &ModelError{Row: i, Col: -1, What: err.Error()}
	}
	for k, j := range r.Idx {
		if j < 0 || int(j) >= n {
			return &ModelError{Row: i, Col: int(j), What: fmt.Sprintf("column index out of range [0, %d)", n)}
		}
		if seen[j] == mark {
			return &ModelError{Row: i, Col: int(j), What: "column named twice in one row"}
		}
		seen[j] = mark
		if v := r.Val[k]; math.IsNaN(v) || math.IsInf(v, 0) {
			return &ModelError{Row: i, Col: int(j), What: fmt.Sprintf("coefficient %g, want a finite number", v)}
		}
	}
	return nil
}

// CheckBounds reports NaN and misplaced infinities.
func CheckBounds(lo, up float64) error {
	if math.IsNaN(lo) || math.IsNaN(up) || math.IsInf(lo, 1) || math.IsInf(up, -1) {
		return fmt.Errorf("bounds [%g, %g], want numbers, lower < +Inf and upper > -Inf", lo, up)
	}
	return nil
}

// A ModelError names the row or column (−1: none) where a program is malformed.
type ModelError struct {
	Row, Col int
	What     string
}

func (e *ModelError) Error() string {
	switch {
	case e.Row >= 0 && e.Col >= 0:
		return fmt.Sprintf("lp: row %d, column %d: %s", e.Row, e.Col, e.What)
	case e.Row >= 0:
		return fmt.Sprintf("lp: row %d: %s", e.Row, e.What)
	case e.Col >= 0:
		return fmt.Sprintf("lp: column %d: %s", e.Col, e.What)
	}
	return "lp: " + e.What
}

// ErrNotLoaded is returned by calls that need a model before Load.
var ErrNotLoaded = errors.New("lp: no model loaded")

// Status says why a Solve stopped.
type Status uint8

const (
	Unknown        Status = iota // no verdict, no limit: numerical trouble
	Optimal                      // Primal and Dual are optimal
	Infeasible                   // no feasible point; Farkas set if the back end can
	Unbounded                    // feasible and unbounded below; Ray set if the back end can
	IterationLimit               // Limits.Iterations reached
	TimeLimit                    // Limits.Time reached
	Cutoff                       // optimum proved ≥ Limits.Cutoff
	Reached                      // Primal is feasible with cᵀx ≤ Limits.Target
	Cancelled                    // ctx ended
)

var statusNames = [...]string{"unknown", "optimal", "infeasible", "unbounded", "iteration limit", "time limit", "cutoff", "reached", "cancelled"}

func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// A Result says why the run stopped and what it found. Its slices belong to the Solver and are valid until
// its next call; nil means not known.
type Result struct {
	Status     Status
	Value      float64   // cᵀx at Optimal and Reached
	Primal     []float64 // length n at Optimal and Reached
	Dual       []float64 // length m at Optimal, and if known at Cutoff (then dual feasible) and at IterationLimit (the last duals)
	Reduced    []float64 // length n, d = c − AᵀDual, where Dual is set
	Farkas     []float64 // length m at Infeasible
	Ray        []float64 // length n at Unbounded
	Iterations int       // simplex iterations of this call
	Raw        string    // the back end's own words, for logs
}

// A Solver holds one model and re-solves it after small changes. It is not
// safe for concurrent use; give each goroutine its own.
//
// Bounds with lo > up are accepted and make the program infeasible.
type Solver interface {
	// Load replaces the model by a copy of p. A malformed p is reported as a
	// *ModelError and leaves the solver without a model.
	Load(p *Problem) error
	// SetColBounds, SetRowBounds, SetCost and AddRows change the model and
	// keep whatever the back end can re-use (see Capabilities). They fail
	// with ErrNotLoaded, or a *ModelError that leaves the model as it was.
	SetColBounds(j int, lo, up float64) error
	SetRowBounds(i int, lo, up float64) error
	SetCost(j int, c float64) error
	AddRows(rows ...Row) (first int, err error) // index of the first new row
	// SetLimits sets the limits of all later calls of Solve.
	SetLimits(l Limits)
	// Solve runs until it reaches a verdict, ctx ends or a limit is hit.
	// Infeasible and unbounded are verdicts: err is non-nil only if the back
	// end failed and nothing is known.
	Solve(ctx context.Context) (*Result, error)
	Capabilities() Capabilities
	Close() error // frees memory outside the Go heap; safe to call twice
}

// Limits stop a Solve early. The zero value sets none.
type Limits struct {
	Iterations int           // 0: none; back ends that cannot count ignore it
	Time       time.Duration // 0: none
	// Cutoff stops a solve as soon as the optimum is proved to be ≥ *Cutoff (status Cutoff). Back ends without the
	// capability continue to the optimum.
	Cutoff *float64
	// Patience lets a solve continue, once it has proved the Cutoff, to find better duals: it stops when the bound has
	// risen by less than a hundredth of |*Cutoff| in that many iterations. 0: stop at once.
	Patience int
	// Target lets a solve stop as soon as it knows a feasible point with value ≤ *Target (status Reached). It may also
	// continue to the optimum, as back ends without the capability do.
	Target *float64
}

// Capabilities declare what a back end does itself. Whatever it lacks is done by building the model anew, so every
// Solver gives right answers; the fields tell what is fast and which certificates come with a verdict.
type Capabilities struct {
	Name       string // as in --lp
	Version    string // version of the library behind it, if known
	WarmBounds bool   // keeps its basis after SetColBounds and SetRowBounds
	WarmCost   bool   // keeps its basis after SetCost
	WarmRows   bool   // keeps its basis after AddRows
	Farkas     bool   // sets Result.Farkas
	Ray        bool   // sets Result.Ray
	Cutoff     bool   // honours Limits.Cutoff
	Target     bool   // uses Limits.Target
	Interrupt  bool   // ctx ends a running solve; otherwise it is checked before and after
	Basis      bool   // implements BasisKeeper
	DeleteRows bool   // implements RowDeleter
}

// A BasisStatus is the state of one column or row in a basis.
type BasisStatus int8

const (
	Basic BasisStatus = iota
	AtLower
	AtUpper
	Free // nonbasic at 0, off every bound
)

// A Basis holds the state of every column and row of a model.
type Basis struct {
	Col, Row []BasisStatus
	// Norms are the pricing norms of the basic columns and rows, columns first; empty if the back end has none.
	Norms []float64
}

// A BasisKeeper can save and restore its basis.
type BasisKeeper interface {
	// Basis copies the current basis into b, re-using its slices.
	Basis(b *Basis) error
	// SetBasis starts the next Solve from b. Rows beyond len(b.Row) are taken
	// as basic; a basis that is singular is repaired silently.
	SetBasis(b *Basis) error
}

// A RowDeleter can remove rows and keep the rest of its basis.
type RowDeleter interface {
	// DeleteRows removes the rows i with drop[i]; later rows move up.
	DeleteRows(drop []bool) error
}
