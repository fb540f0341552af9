package solver

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// drawStart draws a pattern: the optimum, all cells that may be withheld, the optimum
// with more cells or with one less, or any cells.
func drawStart(rng *rand.Rand, t *table.Table, optimum []bool) []bool {
	x := slices.Clone(optimum)
	kind := rng.IntN(6)
	for i, st := range t.Status {
		switch {
		case kind == 1:
			x[i] = st != table.Published
		case kind == 2 || kind == 3:
			x[i] = x[i] || st == table.Safe && rng.IntN(2*kind) == 0
		case kind == 4:
			x[i] = rng.IntN(2) == 0 // published cells, too, and without sensitive ones
		}
	}
	if kind == 5 {
		i := rng.IntN(len(x))
		x[i] = x[i] && t.Status[i] != table.Safe
	}
	return x
}

// valid returns x with what every pattern withholds and without what none may, and its cost.
func valid(t *table.Table, x []bool) (y []bool, cost int64) {
	y = make([]bool, len(x))
	for i, st := range t.Status {
		y[i] = x[i] && st == table.Safe || st == table.Sensitive || st == table.Withheld
		if y[i] && st == table.Safe {
			cost += t.Cost[i]
		}
	}
	return y, cost
}

// before says whether x is before y in the canonical order.
func before(x, y []bool) bool {
	for i := range x {
		if x[i] != y[i] {
			return !x[i]
		}
	}
	return false
}

// A start changes nothing but the way; First finds a better pattern if and only if there
// is one.
func TestStart(t *testing.T) {
	t.Parallel()
	ignored, confirmed, beaten := 0, 0, 0
	for i := range heavy.Draws(800) {
		rng := rand.New(rand.NewPCG(uint64(i), 77))
		s := shapes[i%len(shapes)]
		tab := randomTable(rng, s, 6+rng.IntN(20), i/len(shapes))
		want, err := Suppress(t.Context(), tab, &Options{Canonical: true})
		if u := (*UnprotectableError)(nil); errors.As(err, &u) {
			all := make([]bool, tab.Len())
			for i := range all {
				all[i] = true
			}
			if _, err := Suppress(t.Context(), tab, &Options{Start: all, First: true}); !errors.As(err, &u) {
				t.Fatalf("table %d (%s): %v, want unprotectable", i, s.name, err)
			}
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			start, cost := valid(tab, drawStart(rng, tab, want.Pattern))
			good := protected(tab, start)
			o := Options{Start: start, Canonical: rng.IntN(2) == 0, Workers: 1 + rng.IntN(3)}
			run := func() *Solution {
				t.Helper()
				if rng.IntN(8) == 0 {
					got, _ := certified(t, tab, o)
					return got
				}
				return must.Get(Suppress(t.Context(), tab, &o))(t)
			}
			if !good {
				o.Start = slices.Clone(start) // spoilt where it does not matter
				for i, st := range tab.Status {
					if st == table.Published || st == table.Sensitive {
						o.Start[i] = rng.IntN(2) == 0
					}
				}
			}
			check := func(got *Solution) {
				t.Helper()
				if err := certificate.Protects(tab, got.Pattern, got.Witnesses); err != nil {
					t.Fatalf("table %d (%s): %v", i, s.name, err)
				}
				if x, c := valid(tab, got.Pattern); c != got.Cost || !slices.Equal(x, got.Pattern) {
					t.Fatalf("table %d (%s): the pattern costs %d, said %d", i, s.name, c, got.Cost)
				}
				if got.Bound > want.Cost || got.Status == Optimal && got.Cost != want.Cost {
					t.Fatalf("table %d (%s): %s, cost %d, bound %d; want cost %d", i, s.name, got.Status, got.Cost, got.Bound, want.Cost)
				}
				if o.Canonical && got.Status == Optimal && !slices.Equal(got.Pattern, want.Pattern) {
					t.Fatalf("table %d (%s): not the canonical pattern", i, s.name)
				}
			}
			got := run()
			if check(got); got.Status != Optimal {
				t.Fatalf("table %d (%s): %s", i, s.name, got.Status)
			}
			o.First = true
			got = run()
			check(got)
			better := want.Cost < cost || o.Canonical && want.Cost == cost && before(want.Pattern, start)
			switch {
			case !good:
				ignored++
				if got.Status != Optimal {
					t.Fatalf("table %d (%s): %s from a start that is not protected", i, s.name, got.Status)
				}
			case better:
				beaten++
				if got.Cost > cost || got.Cost == cost && !(o.Canonical && before(got.Pattern, start)) {
					t.Fatalf("table %d (%s): cost %d, no better than the start at %d; want %d", i, s.name, got.Cost, cost, want.Cost)
				}
			default:
				confirmed++
				if got.Status != Optimal || got.Cost != cost {
					t.Fatalf("table %d (%s): %s, cost %d, from an optimum at %d", i, s.name, got.Status, got.Cost, cost)
				}
			}
		}
	}
	if ignored < heavy.Draws(100) || confirmed < heavy.Draws(100) || beaten < heavy.Draws(100) {
		t.Fatalf("%d starts ignored, %d confirmed, %d beaten: too few of one kind", ignored, confirmed, beaten)
	}
	t.Logf("%d starts ignored, %d confirmed, %d beaten", ignored, confirmed, beaten)
}

// The search with First is the same whatever the number of workers, and a start of
// another length is an error.
func TestStartDeterministic(t *testing.T) {
	stopped := 0
	for i := range 40 {
		rng := rand.New(rand.NewPCG(uint64(i), 78))
		tab := randomTable(rng, shapes[3+i%5], 60, i/5)
		start := make([]bool, tab.Len())
		for i := range start {
			start[i] = true
		}
		var last *Solution
		for _, workers := range []int{1, 4} {
			got, err := Suppress(t.Context(), tab, &Options{Start: start, First: true, Canonical: true, Workers: workers})
			if u := (*UnprotectableError)(nil); errors.As(err, &u) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if last != nil && (!slices.Equal(last.Pattern, got.Pattern) || last.Nodes != got.Nodes || last.Rounds != got.Rounds) {
				t.Fatalf("table %d: another course with %d workers", i, workers)
			}
			if last = got; got.Status == Feasible {
				stopped++
			}
		}
		if _, err := Suppress(t.Context(), tab, &Options{Start: start[1:]}); err == nil {
			t.Fatal("a start of the wrong length was taken")
		}
	}
	if stopped == 0 {
		t.Fatal("no search stopped at the first pattern")
	}
}
