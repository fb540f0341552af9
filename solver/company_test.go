package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
)

// With cheap columns as company a clean-up, column by column or class by class, leaves a protected pattern without superfluous columns, shows protected
// patterns on the way, and is the clean-up as ever where it is switched off.
func TestCompany(t *testing.T) {
	t.Parallel()
	other, classes, shown := 0, 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 81))
		tab := randomTable(rng, shapes[int(seed)%len(shapes)], 15+rng.IntN(25), int(seed)/len(shapes))
		share := float64(seed%5) / 4
		cleaned := func(off techniques, slow bool, share float64) (cost int64, set []bool) {
			p := newProblem(tab, oracle.NewSystem(tab.Rel))
			p.off = off
			s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
			defer s.close()
			s.slow = slow
			set, stuck := must.Two(s.b.build(t.Context(), nil))(t)
			if stuck >= 0 {
				return -1, nil
			}
			must.Do(t, s.cleanUp(t.Context(), set, math.Inf(1), share))
			if !protected(tab, p.pattern(set)) {
				t.Fatalf("seed %d: the pattern cleaned is not protected", seed)
			}
			if s.best != nil {
				shown++
			}
			if s.best != nil && (!protected(tab, p.pattern(s.best)) || s.upper != p.price(s.best)) {
				t.Fatalf("seed %d: a pattern offered on the way costs %d, said to cost %d, protected: %v", seed, p.price(s.best), s.upper, protected(tab, p.pattern(s.best)))
			}
			for c, in := range slices.Clone(set) {
				if in {
					set[c] = false
					if protected(tab, p.pattern(set)) {
						t.Errorf("seed %d: column %d is superfluous", seed, c)
					}
					set[c] = true
				}
			}
			return p.price(set), set
		}
		plain, set := cleaned(techniques{}, false, share)
		if plain < 0 {
			continue
		}
		if _, off := cleaned(techniques{company: true}, true, share); !slices.Equal(off, set) {
			t.Errorf("seed %d: %v with company switched off, %v without", seed, off, set)
		}
		if with, _ := cleaned(techniques{series: true}, true, share); with != plain {
			other++
		}
		if by, _ := cleaned(techniques{}, true, share); by != plain {
			classes++
		}
	}
	if other < 10 || classes < 10 || shown == 0 {
		t.Errorf("%d patterns cost something else with company, %d by classes, %d were shown on the way; the test sees too little", other, classes, shown)
	}
}

// A clean-up stopped at once leaves what witnesses use of the pattern, without the company.
func TestCompanyStopped(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 83))
		tab := randomTable(rng, shapes[int(seed)%len(shapes)], 15+rng.IntN(25), int(seed)/len(shapes))
		p := newProblem(tab, oracle.NewSystem(tab.Rel))
		p.off.series = true
		s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
		defer s.close()
		s.slow = true
		set, stuck := must.Two(s.b.build(t.Context(), nil))(t)
		if stuck >= 0 {
			continue
		}
		want := s.b.used(set)
		must.Do(t, s.cleanUp(t.Context(), set, 0, 1))
		if !slices.Equal(set, want) || !protected(tab, p.pattern(set)) {
			t.Fatalf("seed %d: %v is left, witnesses use %v", seed, set, want)
		}
	}
}

// Four pools together keep no more than twice what one may.
func TestPoolsOfWorkers(t *testing.T) {
	t.Parallel()
	tab := randomTable(rand.New(rand.NewPCG(3, 85)), shapes[0], 20, 0)
	p := newProblem(tab, oracle.NewSystem(tab.Rel))
	s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
	defer s.close()
	first := &worker{search: s, tallies: map[string]tally{}, m: s.m, pool: s.pool, sep: s.sep, pseudo: newPseudocosts(len(p.cand))}
	s.workers, s.nodes = []*worker{first}, workersFrom
	tr := &tree{search: s}
	tr.open.Push(&node{})
	for range 2 {
		must.Do(t, tr.grow())
	}
	sum := 0
	for _, w := range s.workers {
		sum += w.pool.capacity
	}
	if len(s.workers) != workerCount || sum != 2*maxPool {
		t.Errorf("%d workers keep %d entries, want %d of %d", len(s.workers), sum, workerCount, 2*maxPool)
	}
}
