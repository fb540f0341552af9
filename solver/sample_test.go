package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// Patterns drawn about any point are protected, and the same for the same seed.
func TestSample(t *testing.T) {
	t.Parallel()
	drawn := map[int64]bool{}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 37))
		tab := randomTable(rng, shapes[int(seed)%len(shapes)], 15+rng.IntN(25), int(seed)/len(shapes))
		run := func() (costs []int64) {
			p := newProblem(tab, oracle.NewSystem(tab.Rel))
			s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1, Seed: 5}, time.Now()))(t)
			defer s.close()
			x, best := make([]float64, len(p.cand)), make([]bool, len(p.cand))
			for c := range x {
				x[c], best[c] = float64(c%5)/4, c%3 == 0
			}
			for range 6 {
				set, stuck := must.Two(s.b.build(t.Context(), s.sampling().guide(x, best)))(t)
				if stuck >= 0 {
					return nil
				}
				if !protected(tab, p.pattern(set)) {
					t.Fatalf("seed %d: the pattern drawn is not protected", seed)
				}
				costs = append(costs, p.price(set))
			}
			return costs
		}
		a := run()
		if b := run(); !slices.Equal(a, b) {
			t.Fatalf("seed %d: costs %v, then %v", seed, a, b)
		}
		if len(slices.Compact(a)) > 1 {
			drawn[int64(seed)] = true
		}
	}
	if len(drawn) < 8 {
		t.Errorf("draws differ in %d tables only", len(drawn))
	}
}

// In a table with deep trees the search draws patterns as soon as separation has done some work, and they beat what the
// builder and the improver come to.
func TestSampleDeep(t *testing.T) {
	t.Parallel()
	in := must.Get(formats.Read(shared.Path(t, "instances/csplib/hie1372d.jj.gz"), formats.Options{}))(t)
	cost := func(off techniques) int64 {
		w := must.Get(decompose(t.Context(), in.Table, &Options{LP: "simplex", Workers: 1, off: off}, time.Now()))(t)
		defer w.close()
		s := w.searches[0]
		must.Do(t, s.firstPattern(t.Context()))
		x, rng := make([]float64, len(s.p.cand)), rand.New(rand.NewPCG(1, 41))
		for range 20 {
			for c := range x {
				x[c] = 0.1 * rng.Float64()
			}
			must.Get(s.sep.round(t.Context(), x, true))(t)
			must.Do(t, s.sample(t.Context(), x))
		}
		return s.upper
	}
	if a, b := cost(techniques{}), cost(techniques{sample: true}); a >= b {
		t.Errorf("cost %d with draws, %d without", a, b)
	}
}
