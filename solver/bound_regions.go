package solver

import (
	"context"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/table"
)

const (
	// A family of regions is done when its last regionRounds raised the bound by less than regionShare of it, and all are when
	// a turn of them raised it by less than turnShare.
	regionRounds, regionShare, turnShare = 8, 0.005, 0.005
	// regionCuts is the number of cuts of levels that enter the relaxation at once.
	regionCuts = 3000
	// regionShards is the number of streams into which the regions of a family are divided, where their scratch stays below
	// so many numbers.
	regionShards, regionScratch = 64, 4 << 20
	// halfWork bounds the elimination for zero-half cuts, rows²·columns/64, which nothing interrupts: to a few seconds.
	halfWork = 1e10
	// maxNear is the number of levels above which programs for each cell take too much memory.
	maxNear = 4000
)

// regionSizes are the numbers of relations near a cell that are asked in tables without variables.
var regionSizes = [len(nearSizes)]int{100, 400}

// RegionBound returns a lower bound for the costs of t as Suppress has them: by single relations first, then by the intruder's
// problems in regions of the table (see families; without variables, what lies near each cell), each of which knows the relations of its region alone. A vector of the
// row space of some relations is one of M, so their cuts hold, and have certificates as those of the whole do; programs of some hundred cells give
// thousands of them in the time that one over all relations takes. Cost: programs of the size of regions, several for each level in each round, and the
// relaxation. It ends at the end of ctx, with the bound so far and an error that wraps ctx.Err(), or when the bound stands nearly still. Of o it heeds LP, Workers and Certificate, as
// SingleRowBound does. better, if not nil, is told of every rise, with what is not yet shown by the certificate.
func RegionBound(ctx context.Context, t *table.Table, o *Options, better func(bound int64)) (bound int64, proof *certificate.Certificate, err error) {
	return relationBound(ctx, t, o, better, func(l *singleRow) error {
		workers := 1
		if o != nil {
			workers = max(1, o.Workers)
		}
		return l.regions(ctx, families(t), workers)
	})
}

// regions separates by families, in turn.
func (l *singleRow) regions(ctx context.Context, families []*family, workers int) error {
	if len(families) == 0 {
		return l.near(ctx, workers)
	}
	ask := &oracle{p: l.p, workers: workers, weight: make([]float64, l.p.n)}
	cutters := make([]*cutter, min(regionShards, 1+regionScratch/max(1, l.p.n)))
	for c := range cutters {
		cutters[c] = newCutter(l.p)
	}
	shards := make([][]*shard, len(families))
	defer func() {
		for _, list := range shards {
			for _, sh := range list {
				sh.close()
			}
		}
	}()
	return l.turns(len(families)+1, func(n int) error {
		if n == len(families) {
			return l.halves(ctx)
		}
		if shards[n] == nil {
			shards[n] = families[n].shards(l.p, cutters, l.backend)
		}
		return l.by(ctx, func(ctx context.Context) ([]*cut, error) { return ask.ask(ctx, shards[n], l.m.x, false) })
	})
}

// halves adds zero-half cuts of the rows found so far, of all regions together.
func (l *singleRow) halves(ctx context.Context) error {
	if l.p.off.zeroHalf {
		return nil
	}
	return l.by(ctx, func(context.Context) ([]*cut, error) {
		if n := len(l.m.cuts); n*n/64*len(l.m.x) > halfWork {
			return nil, nil
		}
		return l.m.zeroHalf(l.p), nil
	})
}

// near separates by the relations near each cell, in tables that are not too large for a program a cell.
func (l *singleRow) near(ctx context.Context, workers int) error {
	if l.p.sys.IsNetwork() || len(l.p.levels) == 0 || len(l.p.levels) > maxNear {
		return nil
	}
	ask, err := newOracle(l.p, l.backend, workers, shardCount)
	if err != nil {
		return err
	}
	defer ask.close()
	ask.sizes = regionSizes
	return l.turns(len(regionSizes), func(n int) error {
		return l.by(ctx, func(ctx context.Context) ([]*cut, error) { return ask.nearby(ctx, l.m.x, n) })
	})
}

// turns goes through n ways to separate while a turn of them raises the bound.
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

// by separates by ask, until the bound stands nearly still.
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
