package solver

import "context"

// nearCuts asks for capacity and width cuts from the relations near each cell alone. It is used at the root of large
// tables with deep trees, before the programs over all relations, which take many times as long. A vector in the row
// space of some relations is in that of M, so the cut of such a dual has the same proof and certificate; the other
// relations would only strengthen it.
type nearCuts struct {
	size   int  // index in subproblem.sizes
	inside bool // use the point of in-out separation instead of the optimum
}

func (nearCuts) name() string { return "near" }
func (c nearCuts) applies(w *worker, v *visit) bool {
	s := w.search
	return v.root && w.tree.main && s.best != nil && s.slow && !s.p.off.near && s.sep.hasNear(c.size)
}

func (c nearCuts) separate(ctx context.Context, w *worker, _ *visit) ([]*cut, error) {
	x := w.m.x
	if c.inside && !w.search.p.off.inOut {
		x = w.inner(x)
	}
	return w.sep.nearby(ctx, x, c.size)
}

// hasNear reports whether this size means few of all relations.
func (s *subproblem) hasNear(size int) bool { return 2*s.sizes[size] < s.p.sys.Rel.Len() }

// nearby separates x by engines with a limited number of relations near each cell, see nearSizes.
func (s *subproblem) nearby(ctx context.Context, x []float64, size int) ([]*cut, error) {
	return s.ask(ctx, s.nearShards(size), x, false)
}

// nearShards returns the shards of these engines.
func (s *subproblem) nearShards(size int) []*shard {
	if s.near[size] == nil {
		for _, sh := range s.shards {
			s.near[size] = append(s.near[size], &shard{in: s.p.sys.NewNear(s.backend, s.sizes[size]), q: newCutter(s.p), levels: sh.levels, skip: make([]int8, len(sh.levels))})
		}
	}
	return s.near[size]
}
