package solver

import (
	"context"
	"errors"
	"math"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
)

// cellByCell fills the pool with cuts from relaxations for single cells, each asking for the cheapest pattern that
// meets one level of one sensitive cell. It runs at the root of the tables that nearCuts applies to, where the
// relaxation converges slowly. The relaxation for one cell is small and needs a few dozen cuts; the root, which gets a
// few cuts for all cells in a round, would need hundreds of rounds to find them. Only relations near the cell are used.
// Each dual that gives a cut is followed by further ones: the columns of its cut get weight 1, as if they were
// withheld, and the same program is solved again from its last basis (nested cuts: Koch and Martin, Solving Steiner
// tree problems in graphs to optimality, Networks 32, 1998). Cuts that are tight at the end go to the pool, from which
// the root takes those that it violates. Every dual gives a valid cut, so this only chooses among valid cuts.
func (s *search) cellByCell(ctx context.Context) error {
	p := s.p
	if !s.slow || p.off.cellByCell || p.off.near || !s.sep.hasNear(0) {
		return nil
	}
	shards := s.sep.nearShards(0)
	found, next := make([][]*cut, len(shards)), make([]int, len(shards))
	for i, sh := range shards {
		next[i] = len(sh.levels) - 1
	}
	var err error
	// One cell of each shard at a time: all that runs at once may exceed a limit together, so it must be little.
	for n := 0; n < cellsPerShard && err == nil; n++ {
		err = parallel.Do(ctx, len(shards), s.opt.Workers, func(ctx context.Context, i int) error {
			sh := shards[i]
			if next[i] < 0 {
				return nil
			}
			l := p.levels[sh.levels[next[i]]]
			// The other level of the same cell has the same cuts, mirrored.
			for next[i] >= 0 && p.levels[sh.levels[next[i]]].K == l.K {
				next[i]--
			}
			tight, err := s.oneCell(ctx, sh, l)
			found[i] = append(found[i], tight...)
			return err
		})
	}
	for _, list := range found {
		for _, c := range list {
			s.pool.add(c)
		}
	}
	return err
}

// oneCell solves the relaxation for level l and returns copies of the cuts that are tight at the end.
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

// nested fills sh.cuts with cuts of level l that x violates: first from the duals at y, then repeatedly from the duals
// at y with 1 in the columns of the cuts before. It changes y and weight.
func (sh *shard) nested(ctx context.Context, p *problem, l protectionLevel, x, y, weight []float64) error {
	sh.cuts = sh.cuts[:0]
	for range nestedCuts {
		p.weights(y, weight)
		sh.in.SetCapacities(p.up, p.dn, weight)
		before := len(sh.cuts)
		if _, err := sh.separate(ctx, p, l, x); err != nil && !errors.Is(err, oracle.ErrNumbers) {
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
