package solver

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A worker that takes up a node stands at the optimum of its parent, whether it branched
// there itself and has moved on or has never seen a cut.
func TestResume(t *testing.T) {
	t.Parallel()
	branchings := 0
	for seed := range uint64(30) {
		tab := randomTable(rand.New(rand.NewPCG(seed, 31)), shape{"3d", [][]table.Edge{flat(3), flat(3), flat(4)}}, 1<<20, int(seed)%3)
		p := newProblem(tab, intruder.NewSystem(tab.Rel))
		p.off.covers = true // few cuts, so that there is a tree
		s, err := newSearch(p, &Options{LP: "simplex", Workers: 1}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		tr := &tree{search: s, main: true, fixed: make([]int8, len(p.cand))}
		for c := range tr.fixed {
			tr.fixed[c] = -1
		}
		first := &worker{tree: tr, search: s, tallies: map[string]tally{}, m: s.m, pool: s.pool, sep: s.sep, pseudo: newPseudocosts(len(p.cand)), upper: math.MaxInt64}
		s.workers = []*worker{first}
		left, right, err := first.process(t.Context(), &node{})
		if err != nil {
			t.Fatal(err)
		}
		if left == nil || left.start == nil {
			continue
		}
		branchings++
		// The first worker moves on.
		first.dive = left
		if err := first.begin(); err != nil {
			t.Fatal(err)
		}
		if _, err := first.m.solve(t.Context(), math.Inf(1)); err != nil {
			t.Fatal(err)
		}
		first.at = nil
		m, err := newMaster(p, "simplex")
		if err != nil {
			t.Fatal(err)
		}
		defer m.close()
		other := &worker{tree: tr, search: s, m: m, pool: newPool(len(p.cand))}
		for name, w := range map[string]*worker{"first": first, "other": other} {
			n := *right
			w.dive = &n
			if err := w.begin(); err != nil {
				t.Fatal(err)
			}
			c := right.path[0].c
			if w.m.lo[c] != w.m.up[c] {
				t.Errorf("seed %d, %s: column %d branched on is free", seed, name, c)
			}
			w.m.bound(c, 0, 1)
			w.m.solver.SetLimits(lp.Limits{})
			r, err := w.m.solver.Solve(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if v := r.Value / w.m.scale; r.Iterations > 0 || math.Abs(v-right.parent) > 1e-5*max(1, right.parent) {
				t.Errorf("seed %d, %s: value %g after %d iterations, the parent had %g", seed, name, v, r.Iterations, right.parent)
			}
		}
	}
	if branchings < 3 {
		t.Errorf("%d tables branched", branchings)
	}
}
