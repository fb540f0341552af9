package solver

import (
	"context"
	"errors"
	"math"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/parallel"
)

// Cell by cell: where the relaxation converges slowly it begins with cuts of the problems of single sensitive cells. The problem of one cell asks for a level
// of that cell alone; its relaxation is small, and needs some dozens of cuts, for which the root, which is shown a few cuts of all cells a round, takes hundreds of rounds.
// The relations near the cell answer. A dual that cuts is followed by others at once: the columns of its cut get weight 1, as if they were withheld, and the same
// question is asked again from the basis at hand (nested cuts: Koch and Martin, Solving Steiner tree problems in graphs to optimality, Networks 32, 1998).
// What is tight at the end goes to the pool, from which the root takes what it violates. Any dual gives a valid
// cut, so all of this only chooses which. It takes 1 to 2 CPU s. At the root, with the pattern kept, bound after 10 and 20 CPU s: hier13 4.276, 4.404 million → 4.367, 4.487,
// hier133e 4.656, 4.674 → 4.712, 4.729; hier16 after 8 4.512 → after 7 4.548; in the end it, two5in6 and ninenew gain a thousandth or none.
const (
	// cellsPerShard is the number of cells of each shard, those of the largest levels.
	cellsPerShard = 10
	// cellRounds is how often each is solved, nestedCuts how often it is asked about in between at most. In hier13, for 20 cells and the cuts put straight into the master, bound after 20 CPU s (4.339 without):
	// one cut a solve of all relations 4.269, six 4.322; of near ones, with a quarter of the work, six 4.394, twenty 4.456, with a tenth and six 4.433. As it is
	// now, after 15 CPU s 4.398: with near relations of the second size 4.375, with two rounds of 50 cuts 4.412, with 12 rounds 4.414 (hier133e 4.723 → 4.727), which take longer where there is nothing to gain.
	cellRounds, nestedCuts = 5, 20
)

// cellByCell fills the pool so, at the root of the same tables as nearCuts.
func (s *search) cellByCell(ctx context.Context) error {
	p := s.p
	if !s.slow || p.off.cellByCell || p.off.near || !s.sep.hasNear(0) {
		return nil
	}
	shards := s.sep.nearShards(0)
	found := make([][]*cut, len(shards))
	err := parallel.Do(ctx, len(shards), s.opt.Workers, func(ctx context.Context, i int) error {
		sh := shards[i]
		last, cells := int32(-1), 0
		for t := len(sh.levels) - 1; t >= 0 && cells < cellsPerShard; t-- {
			l := p.levels[sh.levels[t]]
			if l.K == last { // its other level has the same cuts mirrored
				continue
			}
			last, cells = l.K, cells+1
			tight, err := s.oneCell(ctx, sh, l)
			if err != nil {
				return err
			}
			found[i] = append(found[i], tight...)
		}
		return nil
	})
	for _, list := range found {
		for _, c := range list {
			s.pool.add(c)
		}
	}
	return err
}

// oneCell solves the relaxation of the problem of level l and returns copies of the cuts that are tight in the end.
func (s *search) oneCell(ctx context.Context, sh *shard, l protectionLevel) (tight []*cut, err error) {
	p := s.p
	m, err := newMaster(p, s.opt.LP)
	if err != nil {
		return nil, err
	}
	defer m.close()
	if s.costLimit != 0 {
		m.recost(p, s.costLimit)
	}
	pool := newPool(len(p.cand))
	for _, c := range s.pool.cuts {
		if c.from != nil && c.from.k == l.K {
			pool.add(c.copy())
		}
	}
	add := pool.cuts
	y, weight := make([]float64, len(m.x)), make([]float64, p.n)
	sh.in.Truncate(p.truncation(l.RHS))
	for range cellRounds {
		if err := m.add(add); err != nil {
			return nil, err
		}
		infeasible, err := m.solve(ctx, math.Inf(1))
		if infeasible || errors.Is(err, errLost) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		pool.evaluate(m.x)
		for c, v := range m.x {
			y[c] = min(1, v+innerε)
		}
		if err := sh.nested(ctx, p, l, m.x, y, weight); err != nil {
			return nil, err
		}
		add = nil
		for _, c := range sh.cuts {
			if c, isNew := pool.add(c); isNew {
				add = append(add, c)
			}
		}
		if len(add) == 0 {
			break
		}
	}
	for _, c := range pool.cuts {
		if c.gain > -slackTol {
			tight = append(tight, c.copy())
		}
	}
	return tight, nil
}

// nested fills sh.cuts with cuts of level l violated at x: of the duals at y, then at y with 1 for the columns of the cuts before. It changes y and weight.
func (sh *shard) nested(ctx context.Context, p *problem, l protectionLevel, x, y, weight []float64) error {
	sh.cuts = sh.cuts[:0]
	for range nestedCuts {
		p.weights(y, weight)
		sh.in.SetCapacities(p.up, p.dn, weight)
		before := len(sh.cuts)
		if _, err := sh.separate(ctx, p, l, x); err != nil && !errors.Is(err, intruder.ErrNumbers) {
			return err
		}
		if len(sh.cuts) == before {
			break
		}
		for _, c := range sh.cuts[before:] {
			for _, j := range c.idx {
				y[j] = 1
			}
		}
	}
	return nil
}
