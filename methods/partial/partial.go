// Package partial publishes intervals instead of marks: partial cell suppression (部分秘匿; Fischetti and Salazar, Partial
// cell suppression: a new methodology for statistical disclosure control, Statistics and Computing 13, 2003).
//
// For each cell i that may be withheld it chooses how far an interval [a_i − y⁻_i, a_i + y⁺_i] around the value
// extends, 0 ≤ y⁻ ≤ L, 0 ≤ y⁺ ≤ U, so that for anyone who knows the intervals and the relations, every sensitive cell's
// feasibility interval is as wide as its levels require:
//
//	min Σ w_i (y⁻_i + y⁺_i)   s.t.  Σ d_i⁺ y⁺_i + d_i⁻ y⁻_i ≥ UPL_k   for every k and every d = e_k − Mᵀγ,
//
// with y⁺ and y⁻ exchanged for LPL, and the sum of both for SPL_k. This is the problem of package solver with y in
// place of U x: a linear program whose cuts come from the same duals of the intruder's problem, but are not truncated
// to the level. So it can be solved to optimality for tables for which marks cannot.
//
// Floating point finds y and the multipliers of the bound. The bound is then summed again in whole numbers, and y is
// accepted once witnesses in exact arithmetic show every level. The package opens no file.
package partial

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Options tune Suppress. The zero value is ready to use.
type Options struct {
	LP      string // back end of package lp; empty means "simplex"
	Workers int    // goroutines; 0 means GOMAXPROCS. The result does not depend on it
	// TimeLimit ends the search after an amount of work that takes one processor about that long (internal/work); 0
	// means no limit. If it comes before the linear program is solved, the intervals still protect, with the bound
	// available: they are the cheapest made so far at fixed amounts of work (so a larger limit never gives dearer ones,
	// before ends are drawn), or those that a pattern of marks needs. If there is no such pattern yet, one is sought
	// beyond the limit, whatever its cost.
	TimeLimit time.Duration
	Gap       float64 // stops the search once (cost − bound)/cost is at most this
	Ends      Ends
	// Secret, with the table and its values, determines the draw if ends are not plain; then it must not be 0.
	Secret [32]byte
	// MaxWidth is the largest width of an interval by cell, in units of 10^−Decimals, table.PosInf for none; nil: no
	// limits.
	MaxWidth []int64
	Marked   []int // sensitive cells that keep a mark, such as those whose levels require no width above 0
	Absolute bool  // the cost of the cell is that of each unit of width, instead of that of a width as large as the value
	// Marks is the search for a pattern of marks on which intervals fall back; nil means solver.Suppress. It must
	// respect First and TimeLimit of its options.
	Marks func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)
	// Progress, if set, is called after each round.
	Progress func(Progress)
	// fractions lets strict widths be exceeded by less than a unit, as relations with coefficients may not leave more
	// room.
	fractions bool
	// pause is the work after which a limited search first makes intervals of what it has; 0 means firstPause.
	pause time.Duration
}

// A Progress tells how far a search has come. Cost is that of the best intervals known, 0 for none.
type Progress struct {
	Round, Cuts  int
	Bound, Cost  float64
	Unmet        int // number of levels that the last round found unmet
	Seconds      float64
	SolveSeconds float64 // time spent in the master's solves
}

// A Solution is a set of intervals that protects a table. Costs are in units of 10^−CostDecimals of the table.
type Solution struct {
	// Status is Optimal if no intervals cost less than Bound and those before rounding cost at most one part in 10⁶
	// more; otherwise Feasible: the intervals protect.
	Status solver.Status
	// The published interval of each cell: Lower ≤ a ≤ Upper, equal if the value is published; table.NegInf, PosInf:
	// infinite.
	Lower, Upper []int64
	Pattern      []bool // the cells whose value is not published
	// Witnesses show that the intervals protect: certificate.Protects accepts them for the table with the bounds Lower
	// and Upper.
	Witnesses []*certificate.Witness
	Cost      *big.Rat // cost of the intervals
	Optimum   *big.Rat // cost of the intervals before their ends were rounded, proved to protect
	Rounded   *big.Rat // cost once rounded outward, before superfluous parts were removed
	Bound     *big.Rat // proved: no protecting intervals cost less
	// Told is the number of sensitive cells about which someone who knows how ends are drawn may learn more than their
	// levels allow, because of bounds or largest widths. With plain ends this is not examined.
	Told      int
	Drawn     bool // ends were drawn; Cost includes this on top of Rounded
	Intervals int  // number of cells with an interval
	Rounds    int
	Cuts      int
	Seconds   float64
	LP        string
	Engine    string // the intruder's engine
}

// Gap returns (c − Bound)/c with c the smaller of Cost and Optimum, 0 if c is 0: rounding adds to the optimum, and more
// than that may be removed afterwards.
func (s *Solution) Gap() float64 {
	c := s.Optimum
	if s.Cost != nil && (c == nil || s.Cost.Cmp(c) < 0) {
		c = s.Cost
	}
	if c == nil || c.Sign() <= 0 {
		return 0
	}
	d := new(big.Rat).Sub(c, s.Bound)
	g, _ := d.Quo(d, c).Float64()
	return max(0, g)
}

// ErrTooNarrow is wrapped if no intervals within the largest widths protect a cell.
var ErrTooNarrow = i18n.New("no intervals within the largest width protect the table")

// gapSolved is the gap below which the linear program counts as solved.
const gapSolved = 1e-6

// Suppress chooses intervals for the cells of t that are sensitive or may be withheld. Cells that must stay published
// keep their value, cells withheld already get no interval. It fails with *solver.UnprotectableError if no intervals
// protect a cell, with ErrTooNarrow if only MaxWidth prevents it. Tables with layers or rounded values are rejected.
// opt may be nil. If ctx ends the call, nothing is returned.
//
// Cost: a linear program with twice as many columns as there are cells that may be withheld, each round of which solves
// the intruder's problem for every level.
func Suppress(ctx context.Context, t *table.Table, opt *Options) (*Solution, error) {
	if opt == nil {
		opt = &Options{}
	}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if t.Layers > 1 || t.Rounded() {
		return nil, i18n.Errorf("table %s: intervals are published of one response with exact values only", t.Name)
	}
	for i := range t.Len() {
		if !t.Known(i) {
			return nil, i18n.Errorf("table %s: cell %s has no value", t.Name, t.CellName(i))
		}
	}
	if err := opt.Ends.check(); err != nil {
		return nil, err
	}
	if !opt.Ends.Plain && opt.Secret == [32]byte{} {
		return nil, i18n.New("partial: drawn ends need a secret, of Options.Secret")
	}
	ctx = work.Metered(ctx)
	began, o := work.Now(ctx), *opt
	for {
		sol, err := suppress(ctx, t, &o)
		var impossible *solver.UnprotectableError
		switch {
		case err == nil || sol != nil || ctx.Err() != nil || errors.Is(err, ErrTooNarrow):
			return sol, err
		case errors.As(err, &impossible) && t.Strict && !o.fractions: // perhaps whole units are the only obstacle
			o.fractions = true
		case errors.As(err, &impossible) || named(o.LP) == named(""):
			return sol, err
		default: // the default back end may succeed where the chosen one did not
			o.LP = ""
		}
		if opt.TimeLimit > 0 {
			o.TimeLimit = max(1, opt.TimeLimit-work.Since(ctx, began))
		}
	}
}

func suppress(ctx context.Context, t *table.Table, opt *Options) (*Solution, error) {
	began := work.Now(ctx)
	sol, err := once(ctx, t, opt)
	if !errors.Is(err, errEnds) {
		return sol, err
	}
	// Rounding outward adds less than a unit on each side: with widths smaller by that, rounded ends are within the
	// limits. What is proved also holds for the wider intervals.
	o := *opt
	if opt.TimeLimit > 0 {
		o.TimeLimit = max(1, opt.TimeLimit-work.Since(ctx, began))
	}
	o.MaxWidth = slices.Clone(opt.MaxWidth)
	for i, most := range o.MaxWidth {
		if most != table.PosInf {
			o.MaxWidth[i] = max(0, most-2)
		}
	}
	again, failure := once(ctx, t, &o)
	if again == nil || failure != nil && ctx.Err() == nil {
		return nil, i18n.Errorf("table %s: with ends of whole units within the largest width: %w", t.Name, solver.ErrNoSolution)
	}
	again.Status, again.Bound = solver.Feasible, sol.Bound
	if again.Gap() <= gapSolved {
		again.Status = solver.Optimal
	}
	return again, failure
}

func once(ctx context.Context, t *table.Table, opt *Options) (*Solution, error) {
	s, err := newSearch(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.run(ctx)
}
