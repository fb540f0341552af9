package solver

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/second"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// A search that separates by a few relations near each cell first proves the optimum that trying all patterns finds, and
// its certificate is confirmed.
func TestNear(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thorough")
	}
	tables, found := 0, 0
	for seed := range uint64(220) {
		rng := rand.New(rand.NewPCG(seed, 43))
		tab := randomTable(rng, shapes[int(seed)%len(shapes)], 10, int(seed)/len(shapes))
		best, cost := bruteForce(tab)
		if best == nil || cost == 0 {
			continue
		}
		for _, record := range []bool{false, true} {
			w := must.Get(decompose(t.Context(), tab, &Options{LP: "simplex", Workers: 2, Certificate: record, off: techniques{cellByCell: !record}}, time.Now()))(t)
			for _, s := range w.searches {
				s.deep, s.slow, s.sep.deep, s.sep.sizes = true, true, true, [...]int{2, 4}
			}
			err := w.solve(t.Context(), t.Context())
			sol := w.solution()
			if record && err == nil {
				err = w.certify(sol)
			}
			for _, s := range w.searches {
				for _, a := range s.workers {
					found += a.tallies["near"].found
				}
			}
			w.close()
			if err != nil || sol.Cost != cost || sol.Bound != cost {
				t.Fatalf("seed %d, certificate %v: cost %d, bound %d, %v, want %d", seed, record, sol.Cost, sol.Bound, err, cost)
			}
			if !record {
				continue
			}
			var b bytes.Buffer
			must.Do(t, sol.Certificate.Write(&b))
			if r, err := second.Verify(t, b.Bytes(), tab); err != nil || r.Bound != cost {
				t.Fatalf("seed %d: certificate: %v", seed, err)
			}
		}
		tables++
	}
	if tables < 20 || found < 15 {
		t.Errorf("%d tables, %d cuts by near relations; the test sees too little", tables, found)
	}
}

// Near relations find violated cuts where single ones are at their end.
func TestNearHierarchies(t *testing.T) {
	t.Parallel()
	in := must.Get(formats.Read(shared.Path(t, "instances/csplib/hier13.jj.gz"), formats.Options{}))(t)
	w := must.Get(decompose(t.Context(), in.Table, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
	defer w.close()
	s := w.searches[0]
	if !s.slow {
		t.Fatal("the table does not count as slow")
	}
	must.Do(t, s.singleRows(t.Context()))
	cuts := must.Get(s.sep.nearby(t.Context(), s.m.x, 0))(t)
	violated := 0
	for _, c := range cuts {
		if c.violation(s.m.x) > minViolation {
			violated++
		}
	}
	if violated < 10 {
		t.Errorf("%d violated cuts", violated)
	}
}
