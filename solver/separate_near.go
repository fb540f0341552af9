package solver

import "context"

// nearCuts asks for capacity and width cuts by the relations near each cell alone, at the root of large tables with
// deep trees and before the programs over all relations, which take many times as long. A vector of the row space of some
// relations is one of M, so that the cut of such a dual holds by the same proof and has the same certificate; what
// the other relations would add is only its strength. With them hier13's root is at 4.27 million after 14 CPU s, without at 3.95.
type nearCuts struct {
	size   int  // index in oracle.sizes
	inside bool // at the point of in-out separation, else at the optimum
}

// nearSizes are the numbers of relations looked at, the second where the first yield nothing.
var nearSizes = [...]int{400, 1200}

func (nearCuts) name() string { return "near" }
func (c nearCuts) applies(t *worker, v *visit) bool {
	s := t.search
	return v.root && t.tree.main && s.best != nil && s.slow && !s.p.off.near && s.sep.hasNear(c.size)
}

func (c nearCuts) separate(ctx context.Context, t *worker, _ *visit) ([]*cut, error) {
	x := t.m.x
	if c.inside && !t.search.p.off.inOut {
		x = t.inner(x)
	}
	return t.sep.nearby(ctx, x, c.size)
}

// hasNear reports whether so many relations are few beside all.
func (s *oracle) hasNear(size int) bool { return 2*s.sizes[size] < s.p.sys.Rel.Len() }

// nearby separates x by engines that look at so many relations near each cell.
func (s *oracle) nearby(ctx context.Context, x []float64, size int) ([]*cut, error) {
	return s.ask(ctx, s.nearShards(size), x, false)
}

// nearShards returns the shards whose engines look at so many relations near each cell.
func (s *oracle) nearShards(size int) []*shard {
	if s.near[size] == nil {
		for _, sh := range s.shards {
			s.near[size] = append(s.near[size], &shard{in: s.p.sys.NewNear(s.backend, s.sizes[size]), q: newCutter(s.p), levels: sh.levels, skip: make([]int8, len(sh.levels))})
		}
	}
	return s.near[size]
}
