package solver

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// Every separator is asked on some table, and finds cuts there.
func TestSeparators(t *testing.T) {
	t.Parallel()
	sum := map[string]tally{}
	for i := range 120 {
		rng := rand.New(rand.NewPCG(uint64(i), 83))
		tab := randomTable(rng, shapes[i%len(shapes)], 20+rng.IntN(30), i/len(shapes))
		w, err := decompose(t.Context(), tab, &Options{LP: "simplex", Workers: 1}, time.Now())
		if err == nil && i%4 == 3 { // as tables with deep trees are searched, which are larger
			for _, s := range w.searches {
				s.deep, s.slow, s.sep.deep, s.sep.sizes = true, true, true, [...]int{2, 4}
			}
		}
		if err == nil {
			err = w.solve(t.Context(), t.Context())
		}
		var u *UnprotectableError
		if err != nil && !errors.As(err, &u) {
			t.Fatal(err)
		}
		for _, s := range w.searches {
			for _, a := range s.workers {
				for name, n := range a.tallies {
					m := sum[name]
					sum[name] = tally{m.asked + n.asked, m.found + n.found}
				}
			}
		}
		w.close()
	}
	t.Log(sum)
	for _, line := range append(separators[:], afterwards[:]) {
		for _, s := range line {
			if n := sum[s.name()]; n.found == 0 {
				t.Errorf("%s: asked %d times, found nothing", s.name(), n.asked)
			}
		}
	}
}
