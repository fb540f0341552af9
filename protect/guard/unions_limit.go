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
	// leastShare and mostShare bound the first share of work under a limit; perPair is the part of it for each pair of
	// cells, about what a first pattern with its unions takes. Smaller first shares would be wasted, as no search could
	// finish in them.
	leastShare, mostShare = 16 * time.Microsecond, 100 * time.Millisecond
	perPair               = 50 * time.Nanosecond
)

// unlimitedShare is the part of a limit in which the search runs as if there were none.
const unlimitedShare = 1.0 / 8

// unlimitedPart returns that part of limit.
func unlimitedPart(limit time.Duration) time.Duration {
	return time.Duration(unlimitedShare * float64(limit))
}

// unlimited runs search without a limit for at most unlimitedPart of the limit of opt; whole is false if that was not
// enough, and then found is useless. So a limit far above what the search needs changes nothing, not even which of
// several equally cheap patterns is found.
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

// firstUnionShare returns the work of the first run that within makes for t.
func firstUnionShare(t *table.Table) time.Duration {
	return min(max(leastShare, time.Duration(t.Len())*time.Duration(t.Len())*perPair), mostShare)
}

// within searches under a limit of work. It repeats the run with twice the share of work each time, from the best
// pattern and the unions found so far, until a run proves its pattern or the next would exceed the limit. The shares
// depend on the table and on the work done so far; the limit only decides how many runs there are. So a larger limit
// never returns a dearer pattern or fewer protected unions than a smaller one.
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

// betterThan reports whether f leaves fewer unions open than before, or as many at no higher cost.
func (f *UnionsFound) betterThan(before *UnionsFound) bool {
	return len(f.Open) < len(before.Open) || len(f.Open) == len(before.Open) && f.Cost <= before.Cost
}

// proved reports that more work could improve nothing by more than the gap.
func (f *UnionsFound) proved(gap float64) bool {
	return len(f.Open) == 0 && (f.Status == solver.Optimal || gap > 0 && f.Gap() <= gap)
}
