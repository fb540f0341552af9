package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// afterRoot hands do searches that have just branched at the root, where few kinds of cuts
// are found, so that there are trees.
func afterRoot(t *testing.T, do func(seed uint64, first *worker, left, right *node)) {
	t.Helper()
	count := 0
	for seed := range heavy.Draws(uint64(30)) {
		tab := randomTable(rand.New(rand.NewPCG(seed, 31)), shape{"3d", [][]table.Edge{flat(3), flat(3), flat(4)}}, 1<<20, int(seed)%3)
		p := newProblem(tab, oracle.NewSystem(tab.Rel))
		p.off.covers = true
		s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
		tr := &tree{search: s, main: true, fixed: make([]int8, len(p.cand))}
		for c := range tr.fixed {
			tr.fixed[c] = -1
		}
		first := &worker{tree: tr, search: s, tallies: map[string]tally{}, m: s.m, pool: s.pool, sep: s.sep, pseudo: newPseudocosts(len(p.cand)), upper: math.MaxInt64}
		s.workers = []*worker{first}
		left, right := must.Two(first.process(t.Context(), &node{}))(t)
		if left != nil && left.start != nil {
			count++
			do(seed, first, left, right)
		}
		s.close()
	}
	if count < heavy.Draws(3) {
		t.Errorf("%d tables branched", count)
	}
}

// A worker that takes up a node stands at the optimum of its parent, whether it branched
// there itself and has moved on or has never seen a cut.
func TestResume(t *testing.T) {
	t.Parallel()
	afterRoot(t, func(seed uint64, first *worker, left, right *node) {
		first.dive = left
		must.Do(t, first.restore())
		must.Get(first.m.solve(t.Context(), math.Inf(1)))(t)
		first.at = nil // it moves on
		p := first.search.p
		m := must.Get(newMaster(p, "simplex"))(t)
		defer m.close()
		other := &worker{tree: first.tree, search: first.search, m: m, pool: newPool(len(p.cand))}
		for i, w := range []*worker{first, other} {
			n := *right
			w.dive = &n
			must.Do(t, w.restore())
			c := right.path[0].c
			if w.m.lo[c] != w.m.up[c] {
				t.Errorf("seed %d, worker %d: column %d branched on is free", seed, i, c)
			}
			w.m.bound(c, 0, 1)
			w.m.solver.SetLimits(lp.Limits{})
			r := must.Get(w.m.solver.Solve(t.Context()))(t)
			if v := r.Value / w.m.scale; r.Iterations > 0 || math.Abs(v-right.parent) > 1e-5*max(1, right.parent) {
				t.Errorf("seed %d, worker %d: value %g after %d iterations, the parent had %g", seed, i, v, r.Iterations, right.parent)
			}
		}
	})
}

// No pattern below a node that is cheaper than the incumbent has a column otherwise than
// fixed there.
func TestFixBelow(t *testing.T) {
	t.Parallel()
	fixed := 0
	afterRoot(t, func(seed uint64, w *worker, left, right *node) {
		for _, n := range []*node{left, right} {
			long := len(n.path)
			w.dive = n
			must.Do(t, w.restore())
			if _, _, err := w.process(t.Context(), n); err != nil {
				t.Fatal(err)
			}
			upper := min(w.upper, w.search.upper)
			for _, f := range n.path[long:] {
				fixed++
				s := must.Get(newSearch(t.Context(), w.search.p, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
				s.upper = upper
				base := append(slices.Clone(n.path[:long]), fix{f.c, !f.one})
				must.Get(s.run(t.Context(), base, true))(t)
				if s.upper < upper {
					t.Errorf("seed %d: %d with column %d at the other value than fixed, incumbent %d", seed, s.upper, f.c, upper)
				}
				s.close()
			}
		}
	})
	if fixed < heavy.Draws(10) {
		t.Errorf("%d columns were fixed", fixed)
	}
}
