// Package rounding rounds tables so that they still add up (controlled rounding).
//
// With a the cells, M a = r their relations and b the base, a zero-restricted rounding is a table y of multiples of b with
//
//	M y = r,   y_i = a_i where a_i is a multiple of b, else y_i = b⌊a_i/b⌋ or b⌈a_i/b⌉ ,
//
// the best is the one with the least Σ w_i |y_i − a_i| (Cox, Journal of the American Statistical Association 82, 1987; Salazar, Lowthian, Young, Merola,
// Bond and Brown, Privacy in Statistical Databases 2004, LNCS 3050). Tables of two ways with at most one hierarchy are networks and have one, found as a
// cheapest flow; others are searched by branch and cut, or rounded slab by slab where they are large. Where there is none, which three ways may
// bring about, y_i may lie up to K multiples beyond. What a reader then knows of a is computed as of any publication ([Learned]).
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

// Progress is how far a search has come: nodes looked at, and between what the distance lies, in the search's own units.
type Progress = integer.Progress

// Options tune Round. Base is needed; of the rest the zero value is ready to use.
type Options struct {
	Base    int64   // b, in units of 10^−Decimals
	Unit    int64   // values of the table, and Base, are known to be multiples of it; 0: 1
	Steps   int     // K: how many multiples beyond the two nearest a cell may go, if no fewer do
	Weights []int64 // w ≥ 0; nil: 1 each
	// Protect asks that the levels of sensitive cells are kept by what a reader knows of them, who knows Base, Steps and
	// the relations.
	Protect bool
	// Partitioned rounds slab by slab and does not search for the best.
	Partitioned bool
	LP          string        // back end of the search, "": simplex
	TimeLimit   time.Duration // 0: none
	Nodes       int           // limit of the search; 0: none
	Progress    func(Progress)
}

// A Result is what Round found. Distances are Σ w|y − a|, in units of 10^−Decimals.
type Result struct {
	// Status: no rounding of as few steps has a smaller distance (Optimal), a limit ended the search for a better one or it was
	// partitioned (Feasible), there is none within Steps (Infeasible), or none was found before a limit (None).
	Status   solver.Status
	Engine   string
	Value    []int64 // y; nil where there is none
	Steps    int     // the largest number of multiples that a cell of y lies beyond its two nearest
	Distance int64
	Bound    int64 // lower bound for the distance of every rounding of at most Allowed steps
	Allowed  int   // the steps that the search allowed in the end
	// Fewer says of roundings with fewer steps than Allowed (of zero-restricted ones if that is 1): Infeasible where it is proved that there are none, None where
	// that is not known, "" where Allowed is 0.
	Fewer solver.Status
	Nodes int
	Cuts  int // cuts from protection levels
	// Open are sensitive cells whose levels y does not keep: none where Protect was asked for and Value is there.
	Open    []int
	Seconds float64
}

var (
	// errBase is wrapped where a base cannot be used.
	errBase = i18n.New("want a base above 1 unit of the last decimal")
	// errMissing is wrapped where a value is not known.
	errMissing = i18n.New("a table with cells without values cannot be rounded")
	// errInexact is wrapped where values are rounded already and do not add up exactly.
	errInexact = i18n.New("values are rounded already; their relations do not hold exactly")
)

// Round finds the best rounding of t. Where ctx or a limit ends it, Result has the best until then and a bound that holds, without an error.
// Levels of sensitive cells count only with Protect. Cost: a cheapest flow for networks, else a search whose time is exponential
// at worst; slab by slab O(slabs²) cheapest flows a sweep.
func Round(ctx context.Context, t *table.Table, opt *Options) (*Result, error) {
	if opt == nil {
		opt = new(Options)
	}
	return timed(ctx, t, opt, func(ctx context.Context) (*Result, error) { return round(ctx, t, opt) })
}

// timed does what rounds t within the limit of opt, where it can be rounded.
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

// check reports what cannot be rounded.
func check(t *table.Table, opt *Options) error {
	if opt.Base < 2 || opt.Base <= opt.Unit || opt.Unit > 0 && opt.Base%opt.Unit != 0 {
		return i18n.Errorf("base %s: %w", table.FormatDecimal(opt.Base, t.Decimals), errBase)
	}
	if opt.Weights != nil && len(opt.Weights) != t.Len() {
		return i18n.Errorf("table %s: %d weights for %d cells", t.Name, len(opt.Weights), t.Len())
	}
	return Whole(t)
}

// Whole reports tables of which values are missing, rounded, or do not add up.
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
		case err != nil && ctx.Err() != nil: // whether it protects is not known
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

// result puts z into r.
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
