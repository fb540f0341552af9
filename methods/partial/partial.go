// Package partial publishes intervals in place of marks: partial cell suppression (部分秘匿; Fischetti and
// Salazar, Partial cell suppression: a new methodology for statistical disclosure control, Statistics and
// Computing 13, 2003).
//
// For each cell i that may be withheld it chooses how far an interval [a_i − y⁻_i, a_i + y⁺_i] around the
// value reaches, 0 ≤ y⁻ ≤ L, 0 ≤ y⁺ ≤ U, so that whoever knows the intervals and the relations finds every
// sensitive cell's feasibility interval as wide as its levels ask:
//
//	min Σ w_i (y⁻_i + y⁺_i)   s.t.  Σ d_i⁺ y⁺_i + d_i⁻ y⁻_i ≥ UPL_k   for every k and every d = e_k − Mᵀγ,
//
// likewise for LPL_k with y⁺ and y⁻ exchanged, and their sum for SPL_k. The one idea is that this is the
// problem of package solver with y in place of U x: a linear program, whose cuts are the same duals of the
// intruder's problem, not cut down to the level, so that it is solved to its optimum where the marks of a table are out of reach.
//
// Floating point finds y and the multipliers of the bound; the bound is summed again in whole numbers, and y is
// accepted when a witness in exact arithmetic shows every level. The package opens no file.
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
	// TimeLimit ends the search after work that takes one processor about so long (internal/work); 0 means none. Where it comes before the linear program is solved
	// the intervals are protected all the same, with the bound there is: the cheapest made by then, at fixed amounts of work, so that those of a larger limit are never dearer before
	// their ends are drawn, or those that a pattern of marks needs. Such a pattern is looked for beyond the limit where there is none yet, whatever it costs.
	TimeLimit time.Duration
	Gap       float64 // stops the search once (cost − bound)/cost is at most this
	Ends      Ends
	// Secret decides, with the table and its values, what is drawn where ends are not plain, which is refused where it is 0.
	Secret [32]byte
	// MaxWidth is the largest width of an interval in units of 10^−Decimals, by cell, table.PosInf for none; nil: none.
	MaxWidth []int64
	Marked   []int // sensitive cells that keep a mark, as those do that ask for no width above 0
	Absolute bool  // weights are w_i = cost_i a unit of the value, not a width as large as the value
	// Marks is the search for a pattern of marks on which intervals fall back; nil means solver.Suppress. It keeps to First and TimeLimit of its options.
	Marks func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)
	// Progress, if set, is called after each round.
	Progress func(Progress)
	// fractions lets strict widths be exceeded by less than a unit, as relations with coefficients may leave no more room.
	fractions bool
	// pause is the work of the search after which a limit has intervals made of what is there; 0 means firstPause.
	pause time.Duration
}

// A Progress tells how far a search has come. Cost is of the best intervals known, 0 for none.
type Progress struct {
	Round, Cuts  int
	Bound, Cost  float64
	Unmet        int // levels that the last round found missed
	Seconds      float64
	SolveSeconds float64 // time within the master's solves
}

// A Solution is intervals that protect a table. Costs are in units of 10^−CostDecimals of the table.
type Solution struct {
	// Status is Optimal where no intervals cost less than Bound, and those before their ends were rounded cost at most one part in 10⁶
	// more, else Feasible: the intervals protect.
	Status       solver.Status
	Lower, Upper []int64 // published interval of each cell: Lower ≤ a ≤ Upper, equal where the value is published; table.NegInf, PosInf: no end
	Pattern      []bool  // the cells of which no value is published
	// Witnesses show that the intervals protect: certificate.Protects accepts them for the table with the bounds Lower and Upper.
	Witnesses []*certificate.Witness
	Cost      *big.Rat // cost of the intervals
	Optimum   *big.Rat // cost of the intervals before their ends were rounded, with proof that they protect
	Rounded   *big.Rat // cost once rounded outward, before superfluous parts were taken back
	Bound     *big.Rat // proved: no intervals that protect cost less
	// Told is the number of sensitive cells of which who knows how ends are drawn can perhaps tell more than their levels allow, as bounds or largest widths are in
	// the way. With plain ends nothing of that kind is looked for.
	Told      int
	Drawn     bool // ends were drawn, which Cost has paid for beyond Rounded
	Intervals int  // cells with an interval
	Rounds    int
	Cuts      int
	Seconds   float64
	LP        string
	Engine    string // engine of the intruder
}

// Gap returns (c − Bound)/c with c the smaller of Cost and Optimum, 0 where it is 0: rounding adds to the optimum, and what is taken back after it can be more.
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

// ErrTooNarrow is wrapped where no intervals within the largest widths protect a cell.
var ErrTooNarrow = i18n.New("no intervals within the largest width protect the table")

// gapSolved is the gap below which the linear program counts as solved.
const gapSolved = 1e-6

// Suppress chooses intervals for the cells of t: sensitive ones and those that may be withheld. Cells that must stay published keep their value,
// cells withheld already have none. It fails with *solver.UnprotectableError where no intervals protect a cell, with ErrTooNarrow
// where only MaxWidth is in the way. Tables with layers or rounded values are refused. opt may be nil. Where ctx ends the call nothing is returned.
//
// Cost: a linear program of twice as many columns as cells may be withheld, each round of which solves the intruder's problem for every level.
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
		case errors.As(err, &impossible) && t.Strict && !o.fractions: // perhaps only by whole units
			o.fractions = true
		case errors.As(err, &impossible) || named(o.LP) == named(""):
			return sol, err
		default: // the default back end can do what the chosen one could not
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
	// Rounding outward takes less than a unit a side: widths less by that leave ends that are within them. What was proved holds of the wider ones.
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
