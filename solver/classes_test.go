package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
)

// The first pattern by classes and all variations of it are protected and cost what is said; variations get cheaper than it, and never cheaper than the
// cheapest of all. One that begins anew gives a protected pattern, too, whatever it costs.
func TestVary(t *testing.T) {
	t.Parallel()
	patterns, cheaper, small, begun := 0, 0, 0, 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 86))
		tab := randomTable(rng, moreShapes[int(seed)%len(moreShapes)], 15+rng.IntN(25), int(seed)/len(moreShapes))
		sol, err := Suppress(t.Context(), tab, &Options{LP: "simplex", Workers: 1})
		if err != nil {
			continue // some tables cannot be protected
		}
		p := newProblem(tab, oracle.NewSystem(tab.Rel))
		s, err := newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1, Seed: seed}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		s.slow = true
		ok, err := s.constructClasses(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		check := func(set []bool, cost int64) {
			t.Helper()
			if cost != p.price(set) || cost*p.unit < sol.Cost || !protected(tab, p.pattern(set)) {
				t.Fatalf("seed %d: a pattern costs %d, said to cost %d, the cheapest %d, protected: %v", seed, p.price(set), cost, sol.Cost/p.unit, protected(tab, p.pattern(set)))
			}
		}
		check(s.best, s.upper)
		first := s.upper
		for n := range 12 {
			d := s.sampling()
			again := (n == 6 || n == 9) && d.set != nil && s.upper >= d.least
			if again {
				d.chain.vain = varyVain
			}
			must.Do(t, s.vary(t.Context(), s.series))
			if d.set != nil {
				check(d.set, d.at)
			}
			if again && d.set != nil {
				if d.chain.least != d.at || d.chain.vain != 0 || d.chain.found != 1 || p.price(d.chain.set) != d.at {
					t.Errorf("seed %d: the chain %+v did not begin anew at %d", seed, d.chain, d.at)
				}
				begun++
			}
			check(s.best, s.upper)
		}
		patterns++
		if s.upper < first {
			cheaper++
		}
		if s.upper*p.unit == sol.Cost {
			small++
		}
	}
	t.Logf("%d patterns, %d got cheaper, %d are the cheapest, %d chains began anew", patterns, cheaper, small, begun)
	if patterns < 60 || cheaper < 4 || small < 30 || begun < 30 {
		t.Errorf("%d patterns, %d got cheaper, %d are the cheapest, %d chains began anew: the test sees too little", patterns, cheaper, small, begun)
	}
}

// A pattern cleaned by classes needs each of them, also those that only the duals of other levels told to be needed.
func TestNeededClasses(t *testing.T) {
	t.Parallel()
	classes, told := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 88))
		tab := randomTable(rng, moreShapes[int(seed)%len(moreShapes)], 15+rng.IntN(25), int(seed)/len(moreShapes))
		p := newProblem(tab, oracle.NewSystem(tab.Rel))
		s, err := newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1, Seed: seed}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		s.slow = true
		set := slices.Repeat([]bool{true}, len(p.cand))
		by, err := s.classes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if by == nil || !protected(tab, p.pattern(set)) {
			continue
		}
		must.Do(t, by.clean(t.Context(), set, rng))
		for q, vital := range by.vital {
			if vital && len(by.of[q]) > 0 {
				told++
			}
		}
		by.restrict(set)
		list, _ := by.order(set)
		for _, q := range list {
			t.Fatalf("seed %d: class of cell %d was not asked for", seed, q.cell)
		}
		clear(by.kept)
		list, _ = by.order(set)
		for _, q := range list {
			less := slices.Clone(set)
			for _, c := range by.of[q.q] {
				less[c] = false
			}
			if protected(tab, p.pattern(less)) {
				t.Errorf("seed %d: the class of cell %d is not needed", seed, q.cell)
			}
			classes++
		}
	}
	t.Logf("%d classes, %d of them told by duals", classes, told)
	if classes < 20 || told < 10 {
		t.Errorf("%d classes, %d of them told by duals: the test sees too little", classes, told)
	}
}
