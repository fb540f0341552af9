package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

// cellCuts returns the cuts that a search of tab with many workers finds cell by cell.
func cellCuts(t *testing.T, tab *table.Table, workers int) (*problem, []*cut) {
	p := newProblem(tab, oracle.NewSystem(tab.Rel))
	s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: workers}, time.Now()))(t)
	defer s.close()
	s.slow, s.sep.sizes = true, [...]int{2, 4}
	must.Do(t, s.cellByCell(t.Context()))
	return p, s.pool.cuts
}

// Every pattern that trying all finds protected keeps the cuts found cell by cell, and these do not depend on the number of workers.
func TestCellByCell(t *testing.T) {
	t.Parallel()
	cuts, patterns := 0, 0
	for seed := range heavy.Draws(uint64(200)) {
		rng := rand.New(rand.NewPCG(seed, 91))
		tab := randomTable(rng, shapes[int(seed)%len(shapes)], 8, int(seed)/len(shapes))
		p, found := cellCuts(t, tab, 1)
		_, other := cellCuts(t, tab, 3)
		if !slices.EqualFunc(found, other, func(a, b *cut) bool { return a.hash == b.hash && a.rhs == b.rhs }) {
			t.Errorf("seed %d: other cuts with three workers", seed)
		}
		if cuts += len(found); len(found) == 0 || len(p.cand) > 10 {
			continue
		}
		set, x := make([]bool, len(p.cand)), make([]float64, len(p.cand))
		for mask := range 1 << len(p.cand) {
			for c := range set {
				set[c], x[c] = mask>>c&1 == 1, float64(mask>>c&1)
			}
			if !protected(tab, p.pattern(set)) {
				continue
			}
			patterns++
			for _, c := range found {
				if v := c.violation(x); v > 1e-9 {
					t.Fatalf("seed %d: the protected pattern %b violates a %s cut by %g", seed, mask, c.family, v)
				}
			}
		}
	}
	t.Logf("%d cuts, %d patterns", cuts, patterns)
	if cuts < heavy.Draws(100) || patterns < heavy.Draws(500) {
		t.Errorf("%d cuts, %d patterns; the test sees too little", cuts, patterns)
	}
}

// In a table with deep trees they raise the bound of single relations at once.
func TestCellByCellHierarchies(t *testing.T) {
	t.Parallel()
	in := must.Get(formats.Read(shared.Path(t, "instances/csplib/hier13.jj.gz"), formats.Options{}))(t)
	w := must.Get(decompose(t.Context(), in.Table, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
	defer w.close()
	s := w.searches[0]
	must.Do(t, s.singleRows(t.Context()))
	before := s.m.value
	must.Do(t, s.cellByCell(t.Context()))
	s.pool.evaluate(s.m.x)
	must.Do(t, s.m.add(s.pool.violated(cutsPerRound)))
	must.Get(s.m.solve(t.Context(), math.Inf(1)))(t)
	if t.Logf("bound %g → %g", before, s.m.value); s.m.value < 1.1*before {
		t.Errorf("bound %g → %g", before, s.m.value)
	}
}
