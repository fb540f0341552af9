package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
)

// Everything the heuristics hand out is protected, each improvement is cheaper than
// the one before, and a second run finds the same.
func TestImprove(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thorough")
	}
	improved, cleaned := 0, 0
	for seed := range heavy.Draws(uint64(90)) {
		rng := rand.New(rand.NewPCG(seed, 31))
		tab := randomTable(rng, shapes[int(seed)%len(shapes)], 15+rng.IntN(25), int(seed)/len(shapes))
		run := func(workers int) (costs []int64) {
			p := newProblem(tab, oracle.NewSystem(tab.Rel))
			s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: workers, Seed: 5}, time.Now()))(t)
			defer s.close()
			set, stuck := must.Two(s.b.build(t.Context(), nil))(t)
			if stuck >= 0 {
				return nil
			}
			check := func(what string, set []bool) {
				if !protected(tab, p.pattern(set)) {
					t.Fatalf("seed %d: the pattern %s is not protected", seed, what)
				}
				costs = append(costs, p.price(set))
			}
			check("built", set)
			for _, budget := range []float64{0, 20, 1e5} { // stopped at once, on the way, not at all
				must.Do(t, s.b.clean(t.Context(), set, budget))
				check("cleaned", set)
			}
			if costs[len(costs)-1] < costs[0] {
				cleaned++
			}
			last := p.price(set)
			for range 3 {
				must.Do(t, newImprover(s.b, 5).improve(t.Context(), set, 3e3, func(out []bool) error {
					check("improved", out)
					if c := p.price(out); c >= last {
						t.Fatalf("seed %d: cost %d after %d", seed, c, last)
					}
					last, set = p.price(out), out
					improved++
					return nil
				}))
			}
			return costs
		}
		if a, b := run(1), run(3); !slices.Equal(a, b) {
			t.Fatalf("seed %d: costs %v with one worker, %v with three", seed, a, b)
		}
	}
	if improved < heavy.Draws(20) || cleaned < heavy.Draws(20) {
		t.Errorf("%d improvements, %d clean-ups with effect; the test sees too little", improved, cleaned)
	}
}
