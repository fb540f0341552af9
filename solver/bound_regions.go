package solver

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/table"
)

// RegionBound returns a lower bound on the cost that Suppress minimises: first from single relations, then from the
// intruder's problem in regions of the table (see families; in a table without variables, the surroundings of each
// cell), each with the relations of its region alone. A vector in the row space of some relations is in that of M, so
// the cuts are valid and have certificates like any others, and programs of a few hundred cells give thousands of cuts
// in the time of one over all relations. Cost: programs of the size of regions, several for each level in each round,
// and the relaxation. It stops when the bound hardly rises any more, or with ctx; then it returns the bound so far and
// an error that wraps ctx.Err(). Of o it uses LP, Workers and Certificate, as SingleRowBound does. better, if not nil,
// is called with every higher bound, before the certificate proves it.
func RegionBound(ctx context.Context, t *table.Table, o *Options, better func(bound int64)) (bound int64, proof *certificate.Certificate, err error) {
	return relationBound(ctx, t, o, better, func(l *singleRow) error {
		workers := 1
		if o != nil {
			workers = max(1, o.Workers)
		}
		return l.regions(ctx, workers)
	})
}

// regions separates by one family after another: first within each subtree, if there are any, then in the whole table.
func (l *singleRow) regions(ctx context.Context, workers int) error {
	of := families(l.p.t, nil)
	if len(of) == 0 {
		return l.near(ctx, workers)
	}
	if !l.p.off.subtrees {
		if err := l.subtrees(ctx, workers); err != nil {
			return err
		}
	}
	r := newRegional(l, of, workers, 0)
	defer r.close()
	return l.turns(r.ways(), func(n int) error { return r.separate(ctx, n) })
}

// A regional is a relaxation with the engines that separate its optimum by regions.
type regional struct {
	*singleRow
	families []*family
	shards   [][]*shard // by family; opened at first use
	cutters  []*cutter
	ask      *subproblem
	above    float64 // how far regions first ask beyond the optimum, towards withholding everything
	inner    []float64
}

func newRegional(l *singleRow, of []*family, workers int, above float64) *regional {
	r := &regional{singleRow: l, families: of, shards: make([][]*shard, len(of)), above: above, inner: make([]float64, len(l.p.cand)),
		ask: &subproblem{p: l.p, workers: workers, weight: make([]float64, l.p.n)}, cutters: make([]*cutter, min(regionShards, 1+regionScratch/max(1, l.p.n)))}
	for c := range r.cutters {
		r.cutters[c] = newCutter(l.p)
	}
	return r
}

// close frees the engines.
func (r *regional) close() {
	for n, list := range r.shards {
		for _, sh := range list {
			sh.close()
		}
		r.shards[n] = nil
	}
}

// ways is the number of ways to separate: one for each family, and zero-half cuts.
func (r *regional) ways() int { return len(r.families) + 1 }

// separate adds the cuts of way n until the bound hardly rises any more.
func (r *regional) separate(ctx context.Context, n int) error {
	if n == len(r.families) {
		return r.halves(ctx)
	}
	if r.shards[n] == nil {
		r.shards[n] = r.families[n].shards(r.p, r.cutters, r.backend)
	}
	return r.by(ctx, func(ctx context.Context) ([]*cut, error) { return r.family(ctx, r.shards[n]) })
}

// family separates the optimum x of the relaxation by a family's engines. With above > 0 it first separates a point
// slightly above x everywhere, where every cell in a dual has its price, and then x itself if no cut found is violated
// by x.
func (r *regional) family(ctx context.Context, shards []*shard) ([]*cut, error) {
	if r.above == 0 {
		return r.ask.ask(ctx, shards, r.m.x, false)
	}
	for c, v := range r.m.x {
		r.inner[c] = v + float64(r.above*(1-v))
	}
	found, err := r.ask.ask(ctx, shards, r.inner, false)
	if err != nil || slices.ContainsFunc(found, func(c *cut) bool { return c.violation(r.m.x) > minViolation }) {
		return found, err
	}
	more, err := r.ask.ask(ctx, shards, r.m.x, false)
	return append(found, more...), err
}

// halves adds zero-half cuts from the rows found so far in all regions together.
func (l *singleRow) halves(ctx context.Context) error {
	if l.p.off.zeroHalf {
		return nil
	}
	return l.by(ctx, func(context.Context) ([]*cut, error) {
		rows, columns := 0, 0
		for _, c := range l.m.cuts {
			if c.half() {
				rows++
			}
		}
		for _, v := range l.m.x {
			if min(v, 1-v) > fracTol {
				columns++
			}
		}
		if rows*rows/64*columns > halfWork {
			return nil, nil
		}
		return l.m.zeroHalf(l.p), nil
	})
}

// near separates by the relations near each cell, in tables small enough to have a program for each cell.
func (l *singleRow) near(ctx context.Context, workers int) error {
	if l.p.sys.IsNetwork() || len(l.p.levels) == 0 || len(l.p.levels) > maxNear {
		return nil
	}
	ask, err := newSubproblem(l.p, l.backend, workers, shardCount)
	if err != nil {
		return err
	}
	defer ask.close()
	ask.sizes = regionSizes
	return l.turns(len(regionSizes), func(n int) error {
		return l.by(ctx, func(ctx context.Context) ([]*cut, error) { return ask.nearby(ctx, l.m.x, n) })
	})
}

// turns uses n ways to separate one after another, and repeats while a whole turn raises the bound.
func (l *singleRow) turns(n int, separate func(n int) error) error {
	for {
		before := l.m.value
		for k := range n {
			if err := separate(k); err != nil {
				return err
			}
		}
		if l.m.value-before < turnShare*max(1, l.m.value) {
			return nil
		}
	}
}

// by adds the cuts that ask returns, round by round, until the bound hardly rises any more.
func (l *singleRow) by(ctx context.Context, ask func(ctx context.Context) ([]*cut, error)) error {
	more := func(ctx context.Context) ([]*cut, error) {
		if err := l.m.purge(); err != nil {
			return nil, err
		}
		found, err := ask(ctx)
		if err != nil {
			return nil, err
		}
		list := make([]scored, 0, len(found))
		for _, c := range found {
			if c, _ = l.pool.add(c); c.row < 0 {
				if v := c.violation(l.m.x); v > minViolation {
					list = append(list, score(c, v))
				}
			}
		}
		return append(choose(list, regionCuts), l.pool.violated(regionCuts)...), nil
	}
	cuts, err := l.violated(ctx, more)
	if err != nil {
		return err
	}
	return l.rounds(ctx, cuts, regionRounds, regionShare, more)
}
