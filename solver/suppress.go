package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"time"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// Suppress solves the cell suppression problem (表セル秘匿問題): it finds a cheapest set of
// cells to withhold from t so that every sensitive cell is protected against an intruder
// who knows the published cells, the additive relations and the bounds Lower ≤ y ≤ Upper.
//
// Let a ∈ ℤⁿ be the values, M a = b the relations, w ≥ 0 the costs and
// x ∈ {0,1}ⁿ the pattern (x_i = 1: cell i is withheld), x_k = 1 for sensitive
// cells and x_i = 0 for published ones. With
//
//	lo_k(x), hi_k(x) = min, max y_k  s.t.  M y = b,  a_i − L_i x_i ≤ y_i ≤ a_i + U_i x_i
//
// it solves, by branch and cut on x (Fischetti and Salazar, Management Science
// 47(7), 2001),
//
//	minimise    Σ w_i x_i
//	subject to  lo_k ≤ a_k − LPL_k,  hi_k ≥ a_k + UPL_k,  hi_k − lo_k ≥ SPL_k   all sensitive k
//
// (the last with > if t.Strict). It does not modify t. Every pattern returned has passed a check in integer or rational
// arithmetic: there is a witness table for every level.
//
// Stopped by a limit, it returns the best pattern with a valid bound; if it has none by then, or the back end gave up,
// it returns the pattern of Everything, found beyond the limit (but see Options.Punctual). If ctx ends, the error wraps
// ctx.Err(); without a pattern by then, it returns a Solution with Status None and ErrNoSolution. If no pattern
// protects the table, the error is an *UnprotectableError, with a Solution of Status Unprotectable.
//
// Bounds are summed in floating point from multipliers that prove them, less a margin of 1e-6 cost units and a relative
// 1e-12 (2⁻⁴⁸ where costs are large, with sums of twice the digits); with Options.Certificate in exact arithmetic.
func Suppress(ctx context.Context, t *table.Table, opt *Options) (*Solution, error) {
	if opt == nil {
		opt = &Options{}
	}
	o := *opt
	if o.LP == "" {
		o.LP = "simplex"
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if math.IsNaN(o.Gap) || o.Gap < 0 || o.Gap >= 1 {
		return nil, i18n.Errorf("solver: Options.Gap = %g, want a value in [0, 1)", o.Gap)
	}
	if o.TimeLimit < 0 {
		return nil, i18n.Errorf("solver: Options.TimeLimit = %v, want ≥ 0", o.TimeLimit)
	}
	if o.Start != nil && len(o.Start) != t.Len() {
		return nil, i18n.Errorf("solver: Options.Start has %d marks for %d cells", len(o.Start), t.Len())
	}
	if err := protection.Check(t); err != nil {
		return nil, err
	}
	if back, err := lp.Open(o.LP); err != nil {
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	} else if err = back.Close(); err != nil {
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	}
	start, caller := time.Now(), work.Metered(ctx)
	began := work.Now(caller)
	ctx, cancel := work.Limited(caller, began, o.TimeLimit)
	defer cancel()
	check := ctx
	switch {
	case o.Punctual || o.TimeLimit == 0:
	case o.Start != nil:
		// Checking goes on beyond the limit, as a search for a first pattern would: the pattern at hand is hardly ever
		// dearer.
		check = caller
	case t.Len() > firstSurely && oracle.NewSystem(t.Rel).IsNetwork():
		// Paths find a first pattern sooner than flows show that the pattern of Everything is protected.
		check = caller
	default:
		check, cancel = work.Limited(caller, began, o.TimeLimit+work.Grace)
		defer cancel()
	}
	w, err := decompose(check, t, &o, start)
	defer w.close()
	if err == nil {
		err = w.solve(ctx, check)
	}
	sol := w.solution()
	if o.Certificate {
		if err := w.certify(sol); err != nil {
			return nil, err
		}
	}
	var u *UnprotectableError
	switch {
	case errors.As(err, &u):
		sol.Status, sol.Pattern, sol.Witnesses, sol.Certificate = Unprotectable, nil, nil, nil
		if o.Certificate {
			if sol.Certificate, err = certificate.Unprotectable(t, u.why); err != nil {
				return nil, err
			}
		}
		return sol, u
	case sol.Pattern != nil && err != nil && ctx.Err() == nil:
		// The search cannot continue, but its pattern is protected and its bound holds.
	case sol.Pattern == nil && caller.Err() == nil && !(o.Punctual && ctx.Err() != nil):
		if o.TimeLimit > 0 {
			o.TimeLimit = max(time.Nanosecond, o.TimeLimit-work.Since(caller, began))
		}
		return settle(caller, t, &o, start, sol, err)
	case sol.Pattern == nil:
		return sol, parallel.Ended(caller, ErrNoSolution)
	case err != nil && caller.Err() != nil:
		return sol, parallel.Ended(caller, i18n.Errorf("table %s: %w", t.Name, context.Cause(caller)))
	}
	return sol, nil
}

// settle falls back on Everything if a search ended with err and without a pattern.
func settle(ctx context.Context, t *table.Table, o *Options, start time.Time, sol *Solution, err error) (*Solution, error) {
	all, failure := fallBack(ctx, t, o, start, sol)
	switch {
	case failure == nil || errors.As(failure, new(*UnprotectableError)):
		return all, failure
	case ctx.Err() != nil:
		return sol, parallel.Ended(ctx, ErrNoSolution)
	case err == nil:
		err = failure
	}
	return nil, i18n.Errorf("table %s: %w", t.Name, err)
}

// An exposedError says that cell k cannot be protected.
type exposedError struct{ k int32 }

func (e *exposedError) Error() string { return fmt.Sprintf("solver: cell %d cannot be protected", e.k) }

// unprotectable computes the widest interval of cell k for the error.
func unprotectable(ctx context.Context, t *table.Table, k int, backend string) error {
	p := newProblem(t, oracle.NewSystem(t.Rel))
	up, dn := make([]int64, p.n), make([]int64, p.n)
	for i := range p.n {
		if p.given[i] || p.col[i] >= 0 {
			up[i], dn[i] = p.iup[i], p.idn[i]
		}
	}
	e, err := p.sys.NewExact("", backend)
	if err != nil {
		return err
	}
	defer e.Close()
	e.SetCapacities(up, dn, 1<<61)
	out := &UnprotectableError{Table: t.Name, Cell: t.CellName(k), Value: t.Value[k],
		LPL: t.LPL[k], UPL: t.UPL[k], Width: t.Width[k], Decimals: t.Decimals, Strict: t.Strict}
	dist := [2]*big.Rat{}
	var duals [2][]*oracle.Dual
	for side, sign := range [2]int{1, -1} {
		end, err := e.Max(ctx, k, sign, 1<<60, true)
		if err != nil {
			return err
		}
		if duals[side] = e.Duals(k); end.Dual != nil {
			duals[side] = append([]*oracle.Dual{end.Dual}, duals[side]...)
		}
		if dist[side] = end.Bound; end.Endless {
			continue
		}
		if !end.Exact() {
			return i18n.Errorf("solver: the widest interval of cell %s: %w", t.CellName(k), oracle.ErrInexact)
		}
		v := new(big.Rat).SetInt64(t.Value[k])
		if sign > 0 {
			out.Hi = v.Add(v, end.Bound)
		} else {
			out.Lo = v.Sub(v, end.Bound)
		}
	}
	hi, lo := dist[0], dist[1]
	if hi == nil {
		hi = new(big.Rat).SetInt64(math.MaxInt64)
	}
	if lo == nil {
		lo = new(big.Rat).SetInt64(math.MaxInt64)
	}
	for _, l := range p.levels {
		if int(l.K) == k && !l.Holds(hi, lo) {
			out.why = reasons(l, duals)
			return out
		}
	}
	return i18n.Errorf("solver: no route found for cell %s although its widest interval meets its levels: %w", out.Cell, oracle.ErrInexact)
}
