package attack

import (
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/table"
)

// RoundedOptions tune Rounded. A zero Cost in Office means weights of 1. With CountAll all candidates are visited,
// however many there are; otherwise at most two million.
type RoundedOptions struct {
	Options
	Base  int64 // b, in units of 10^−Decimals
	Small bool  // rounding.Small was used instead of rounding.Round
}

// Rounded is Run for a publication that withholds nothing but rounds all values to multiples of Base by rounding.Round
// with Protect, or by rounding.Small. Candidates are the tables a of whole numbers of units that satisfy the relations,
// the bounds and |y − a| < Base, or what rounding.SmallRange leaves. A candidate matches if y is a best rounding of it
// that meets the levels the office asks for (Any), or the one that the search returns (Exact). Without Below the
// statuses are public.
//
// Every candidate is visited and rounded, so this is for small tables. A limit leaves the cells with their feasible
// intervals as Outer.
func Rounded(ctx context.Context, published *table.Publication, opt *RoundedOptions) (*Result, error) {
	if opt == nil {
		opt = new(RoundedOptions)
	}
	start, t := time.Now(), published.Table()
	a, err := newRounded(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	limited, stop := parallel.Limited(ctx, start, opt.TimeLimit)
	defer stop()
	r := &Result{Dim: a.x.fib.Dim(), Matching: new(big.Int), x: a.x}
	limit := big.NewInt(autoLimit)
	if opt.Count == CountAll {
		limit = nil
	}
	if n, exact, err := a.x.fib.Count(limited, limit); err == nil && exact {
		r.Candidates = n
	}
	if err := a.x.sweep(limited, r, &opt.Options, a.x.t, start, 1024, func(y []int64) (bool, error) { return a.matches(limited, y, r) }); err != nil {
		return nil, err
	}
	return r, r.ended(ctx)
}

// rounded is the state of one call of Rounded.
type rounded struct {
	x   *setting
	y   []int64 // the published values, by cell
	opt *RoundedOptions
}

func newRounded(ctx context.Context, t *table.Table, opt *RoundedOptions) (*rounded, error) {
	if opt.Below > 0 && !t.Counts {
		return nil, i18n.Errorf("attack: table %s: the rule below %d is one on counts; in a table of amounts statuses are public", t.Name, opt.Below)
	}
	open, err := Behind(t, opt.Base, opt.Small)
	if err != nil {
		return nil, err
	}
	all := slices.Repeat([]bool{true}, t.Len())
	x, err := newSetting(ctx, open, all, &opt.Options)
	if err != nil {
		return nil, parallel.Ended(ctx, err)
	}
	return &rounded{x, t.Value, opt}, nil
}

// Behind returns what a reader of the rounded table t has: no value is known, but each lies near its rounded value.
func Behind(t *table.Table, base int64, small bool) (*table.Table, error) {
	if err := rounding.Whole(t); err != nil {
		return nil, err
	}
	if small {
		return rounding.PublishedSmall(t, base)
	}
	return rounding.Published(t, base, rounding.Nearby(base, 0))
}

// matches reports whether the office would publish y for the candidate.
func (a *rounded) matches(ctx context.Context, candidate []int64, r *Result) (bool, error) {
	sensitive := false
	for p, v := range candidate {
		if a.x.sensitive(int32(p), v) && !a.opt.Small {
			if sensitive = true; !a.x.guarded(int32(p), v) {
				return false, nil
			}
		}
	}
	c, err := a.opt.table(a.x.base, a.x.cells, candidate)
	if err != nil {
		return false, err
	}
	o := &rounding.Options{Base: a.opt.Base, LP: a.opt.LP}
	if k := a.opt.Cost.Kind; k != "" && k != "count" {
		o.Weights = c.Cost
	}
	mine := a.distance(c.Value, o.Weights)
	do := rounding.Round
	if a.opt.Small {
		do = rounding.Small
	}
	// Here y meets its levels: if it is as near as the best rounding without levels, it is a best one with them,
	// too.
	if a.opt.Match == Any || !sensitive {
		r.Solves++
		best, err := do(ctx, c, o)
		switch {
		case err != nil:
			return false, err
		case a.opt.Match == Any && best.Distance == mine:
			return true, nil
		case !sensitive:
			return a.opt.Match == Exact && slices.Equal(best.Value, a.y), nil
		}
	}
	o.Protect = true
	r.Solves++
	best, err := do(ctx, c, o)
	switch {
	case err != nil:
		return false, err
	case a.opt.Match == Exact:
		return slices.Equal(best.Value, a.y), nil
	}
	return best.Distance == mine, nil
}

// distance returns Σ w|y − v|, with weights of 1 if w is nil.
func (a *rounded) distance(v, w []int64) int64 {
	var d int64
	for i, y := range a.y {
		by := num.Abs(y - v[i])
		if w != nil {
			by *= w[i]
		}
		d += by
	}
	return d
}
