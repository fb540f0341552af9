// Package rounding rounds tables so that they still add up (controlled rounding).
//
// With a the cells, M a = r their relations and b the base, a zero-restricted rounding is a table y of multiples of b
// with
//
//	M y = r,   y_i = a_i where a_i is a multiple of b, else y_i = b⌊a_i/b⌋ or b⌈a_i/b⌉ ,
//
// and the best is the one with the least Σ w_i |y_i − a_i| (Cox, Journal of the American Statistical Association 82,
// 1987; Salazar, Lowthian, Young, Merola, Bond and Brown, Privacy in Statistical Databases 2004, LNCS 3050). Tables of
// two ways with at most one hierarchy are networks and always have one, found by a minimum-cost flow; others are
// searched by branch and cut or, if they are large, rounded slab by slab. If there is none, which may happen from three
// ways on, y_i may lie up to K multiples beyond. What a reader then learns about a is computed as for any publication
// ([Learned]).
package rounding

import (
	"context"
	"time"

	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Engines.
const (
	Network   = "network"
	Search    = "search"
	Partition = "partition"
)

// Progress tells how far a search has come: the nodes visited and the bounds on the distance, in the search's own
// units.
type Progress = integer.Progress

// Options tune Round. Base is required; otherwise the zero value is ready to use.
type Options struct {
	Base    int64   // b, in units of 10^−Decimals
	Unit    int64   // the values and Base are known to be multiples of it; 0: 1
	Steps   int     // K: how many multiples beyond the two nearest a cell may go if fewer do not suffice
	Weights []int64 // w ≥ 0; nil: 1 each
	// Protect requires that sensitive cells keep their levels against readers who know Base, Steps and the relations.
	Protect bool
	// Partitioned rounds slab by slab without searching for the optimum.
	Partitioned bool
	LP          string        // back end of the search; "": simplex
	TimeLimit   time.Duration // 0: no limit
	Nodes       int           // limit of the search; 0: none
	Progress    func(Progress)
}

// A Result is the outcome of Round. Distances are Σ w|y − a|, in units of 10^−Decimals.
type Result struct {
	// Status: no rounding with as few steps has a smaller distance (Optimal); a limit ended the search or the rounding
	// was partitioned (Feasible); none exists within Steps (Infeasible); or none was found before a limit (None).
	Status   solver.Status
	Engine   string
	Value    []int64 // y; nil if there is none
	Steps    int     // the largest number of multiples that a cell of y lies beyond its two nearest
	Distance int64
	Bound    int64 // lower bound on the distance of every rounding with at most Allowed steps
	Allowed  int   // steps that the search finally allowed
	// Fewer tells about roundings with fewer steps than Allowed (zero-restricted ones if that is 1): Infeasible if it
	// is proved that there are none, None if that is unknown, "" if Allowed is 0.
	Fewer solver.Status
	Nodes int
	Cuts  int // cuts for protection levels
	// Open are the sensitive cells whose levels y does not keep: none if Protect is set and Value is present.
	Open    []int
	Seconds float64
}

var (
	// errBase is wrapped if a base cannot be used.
	errBase = i18n.New("want a base above 1 unit of the last decimal")
	// errMissing is wrapped if a value is unknown.
	errMissing = i18n.New("a table with cells without values cannot be rounded")
	// errInexact is wrapped if values are rounded already and do not add up exactly.
	errInexact = i18n.New("values are rounded already; their relations do not hold exactly")
)

// Round finds the best rounding of t. If ctx or a limit ends it, Result has the best so far with a valid bound, without
// an error. Levels of sensitive cells count only with Protect. Cost: a minimum-cost flow for networks, otherwise a
// search that takes exponential time at worst; slab by slab, O(slabs²) minimum-cost flows for each sweep.
func Round(ctx context.Context, t *table.Table, opt *Options) (*Result, error) {
	if opt == nil {
		opt = new(Options)
	}
	return timed(ctx, t, opt, func(ctx context.Context) (*Result, error) { return round(ctx, t, opt) })
}

// timed runs do, which rounds t, within the limit of opt, after checking that t can be rounded.
func timed(ctx context.Context, t *table.Table, opt *Options, do func(context.Context) (*Result, error)) (*Result, error) {
	start := time.Now()
	if err := check(t, opt); err != nil {
		return nil, err
	}
	ctx = work.Metered(ctx)
	ctx, stop := work.Limited(ctx, work.Now(ctx), opt.TimeLimit)
	defer stop()
	res, err := do(ctx)
	if err != nil {
		return nil, err
	}
	res.Seconds = time.Since(start).Seconds()
	return res, nil
}

// round tries more and more steps.
func round(ctx context.Context, t *table.Table, opt *Options) (*Result, error) {
	s := newNet(t.Rel)
	res := &Result{Status: solver.Infeasible}
	for k := 0; k <= opt.Steps; k++ {
		l, err := nearest(t, opt, k)
		if err != nil {
			return nil, err
		}
		fewer := res.Status
		if res, err = l.solve(ctx, t, s, opt); err != nil {
			return nil, err
		}
		if res.Allowed = k; k > 0 {
			res.Fewer = fewer
		}
		if res.Value != nil || ctx.Err() != nil {
			break
		}
	}
	if res.Value != nil && !t.Rel.Holds(res.Value) {
		return nil, i18n.Errorf("table %s: the rounding found does not add up; please report this", t.Name)
	}
	return res, nil
}

// check reports why t cannot be rounded.
func check(t *table.Table, opt *Options) error {
	if opt.Base < 2 || opt.Base <= opt.Unit || opt.Unit > 0 && opt.Base%opt.Unit != 0 {
		return i18n.Errorf("base %s: %w", table.FormatDecimal(opt.Base, t.Decimals), errBase)
	}
	if opt.Weights != nil && len(opt.Weights) != t.Len() {
		return i18n.Errorf("table %s: %d weights for %d cells", t.Name, len(opt.Weights), t.Len())
	}
	return Whole(t)
}

// Whole returns an error if values of t are missing or rounded, or do not add up.
func Whole(t *table.Table) error {
	for i := range t.Len() {
		if !t.Known(i) {
			return i18n.Errorf("table %s: cell %s: %w", t.Name, t.CellName(i), errMissing)
		}
	}
	if t.Rounded() {
		return i18n.Errorf("table %s: %w", t.Name, errInexact)
	}
	if bad := t.CheckAdditive(1); len(bad) > 0 {
		return i18n.Errorf("table %s: %w", t.Name, bad[0])
	}
	return nil
}

// solve finds the best point of l.
func (l *lattice) solve(ctx context.Context, t *table.Table, s *net, opt *Options) (*Result, error) {
	guard := newGuard(t, opt, l)
	defer guard.close()
	if s != nil {
		z, err := l.flow(ctx, s)
		switch {
		case err != nil:
			return nil, err
		case z == nil && ctx.Err() != nil:
			return &Result{Status: solver.None, Engine: Network, Bound: l.least()}, nil
		case z == nil:
			return &Result{Status: solver.Infeasible, Engine: Network}, nil
		}
		open, err := guard.open(ctx, l.table(z))
		switch {
		case err != nil && ctx.Err() != nil: // whether z protects is unknown
			return &Result{Status: solver.None, Engine: Network, Bound: l.least()}, nil
		case err != nil:
			return nil, err
		}
		if len(open) == 0 {
			d := l.distance(z)
			return l.result(&Result{Status: solver.Optimal, Engine: Network, Bound: d}, z), nil
		}
	}
	z, open, err := l.slabs(ctx, t, guard)
	if err != nil {
		return nil, err
	}
	if opt.Partitioned {
		r := &Result{Status: solver.None, Engine: Partition, Bound: l.least()}
		if z == nil {
			return r, nil
		}
		r.Status, r.Open = solver.Feasible, open
		return l.result(r, z), nil
	}
	return l.search(ctx, opt, guard, z)
}

// result stores z in r.
func (l *lattice) result(r *Result, z []int64) *Result {
	r.Value, r.Distance = l.table(z), l.distance(z)
	for i, v := range z {
		over := max(l.floor[i]-v, v-l.floor[i]-1, 0)
		if l.rest[i] == 0 {
			over = num.Abs(v - l.floor[i])
		}
		r.Steps = max(r.Steps, int(over))
	}
	if r.Distance == r.Bound {
		r.Status = solver.Optimal
	}
	return r
}
