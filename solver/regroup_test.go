package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A pattern solved anew for a group is protected and not dearer, whatever the group and the number of workers; for the group of
// all sensitive cells it is a cheapest one.
func TestRegroup(t *testing.T) {
	t.Parallel()
	improved, parts := 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 47))
		tab := randomTable(rng, moreShapes[int(seed)%len(moreShapes)], 15+rng.IntN(25), int(seed)/len(moreShapes))
		best, err := Suppress(t.Context(), tab, &Options{off: techniques{regroup: true}})
		if err != nil {
			continue // no pattern protects it
		}
		run := func(workers int) (costs []int64) {
			p := newProblem(tab, oracle.NewSystem(tab.Rel))
			s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: workers, Seed: 5}, time.Now()))(t)
			defer s.close()
			all := make([]bool, len(p.cand))
			for c := range all {
				all[c] = true
			}
			if _, err := s.offer(t.Context(), all); err != nil || s.best == nil {
				t.Fatal(err)
			}
			r := newRegrouper(p, 5)
			step := func(group []int32) {
				before := s.upper
				set := must.Get(s.solveGroup(t.Context(), r, group))(t)
				if set != nil {
					if p.price(set) >= before || !protected(tab, p.pattern(set)) {
						t.Fatalf("seed %d: cost %d after %d, or not protected", seed, p.price(set), before)
					}
					must.Get(s.offer(t.Context(), set))(t)
					if len(group) < len(r.cells) {
						improved++
					}
				}
				costs = append(costs, s.upper*p.unit)
			}
			for range 4 {
				if len(r.cells) > 1 {
					parts++
					step(r.group())
				}
			}
			step(r.cells)
			return costs
		}
		a, b := run(1), run(3)
		if !slices.Equal(a, b) {
			t.Fatalf("seed %d: costs %v with one worker, %v with three", seed, a, b)
		}
		if got := a[len(a)-1]; got != best.Cost {
			t.Errorf("seed %d: cost %d for all cells, the optimum is %d", seed, got, best.Cost)
		}
	}
	if improved < 20 {
		t.Errorf("%d of %d groups with effect; the test sees too little", improved, parts)
	}
}
