package guard

import (
	"context"
	"errors"
	"time"

	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

const (
	// leastShare and mostShare bound the first share of work under a limit, perPair is what it has of it for each pair of cells: about what a first pattern
	// takes whose unions are protected. With less the shares before one in which a search can end would be lost.
	leastShare, mostShare = 16 * time.Microsecond, 100 * time.Millisecond
	perPair               = 50 * time.Nanosecond
)

// unlimitedShare is what of a limit a search has that knows of none.
const unlimitedShare = 1.0 / 8

// unlimitedPart is that of a limit.
func unlimitedPart(limit time.Duration) time.Duration {
	return time.Duration(unlimitedShare * float64(limit))
}

// unlimited runs search as without a limit for unlimitedPart of that of opt; whole is false if that did not end it, and then what it found is of no use. So a limit that is
// many times what the search takes changes nothing, not even which of equally cheap patterns is found.
func unlimited[T any](ctx context.Context, opt *solver.Options, search func(context.Context, *solver.Options) (T, error)) (found T, err error, whole bool) {
	if opt.TimeLimit == 0 {
		found, err = search(ctx, opt)
		return found, err, true
	}
	own := *opt
	own.TimeLimit = 0
	within, stop := work.Limited(ctx, work.Now(ctx), max(1, unlimitedPart(opt.TimeLimit)))
	defer stop()
	found, err = search(within, &own)
	return found, err, within.Err() == nil
}

// firstUnionShare is the work of the first of the runs that within makes for t.
func firstUnionShare(t *table.Table) time.Duration {
	return min(max(leastShare, time.Duration(t.Len())*time.Duration(t.Len())*perPair), mostShare)
}

// within is search under a limit of work. It is run again and again with twice the share of work, from the best pattern so far and with the unions found, until a run
// proves its pattern or the next would go beyond the limit. The shares follow from the table and from what was spent, and the limit only says how many there are: so a larger
// limit returns no dearer a pattern, and no fewer unions protected, than a smaller one.
func (g *unionGuard) within(ctx context.Context, find search) (best *UnionsFound, err error) {
	opt, rounds := *g.opt, 0
	limit, begun := opt.TimeLimit-unlimitedPart(opt.TimeLimit), g.begun
	g.opt = &opt
	share := firstUnionShare(g.t)
	if opt.Punctual {
		share = min(share, limit)
	}
	for {
		opt.TimeLimit, g.begun = share, work.Now(ctx)
		g.found = &UnionsFound{Complete: true}
		f, stopped := g.search(ctx, find)
		rounds += f.Rounds
		none := f.Solution == nil || f.Pattern == nil
		if best == nil || !none && (best.Solution == nil || best.Pattern == nil || f.betterThan(best)) {
			best = f
		}
		spent := work.Since(ctx, begun)
		share = max(2*share, spent)
		if stopped != nil && !(none && errors.Is(stopped, solver.ErrNoSolution) && ctx.Err() == nil) || !none && f.proved(opt.Gap) || spent+share > limit {
			best.Rounds = rounds
			if best.Solution != nil && best.Pattern != nil {
				best.Bound = min(max(best.Bound, g.bound), best.Cost)
			}
			return best, stopped
		}
		if !none {
			opt.Start = best.Pattern
		}
	}
}

// betterThan says that f leaves fewer unions open than the pattern before, or as many and is no dearer.
func (f *UnionsFound) betterThan(before *UnionsFound) bool {
	return len(f.Open) < len(before.Open) || len(f.Open) == len(before.Open) && f.Cost <= before.Cost
}

// proved says that more work finds nothing better by more than the gap.
func (f *UnionsFound) proved(gap float64) bool {
	return len(f.Open) == 0 && (f.Status == solver.Optimal || gap > 0 && f.Gap() <= gap)
}
