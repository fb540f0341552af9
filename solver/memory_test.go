package solver

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/table"
)

// vary returns t with other values, statuses, levels and costs: a multiple of a table
// satisfies the same relations.
func vary(rng *rand.Rand, t *table.Table) *table.Table {
	c := t.Clone()
	f := 1 + rng.Int64N(3)
	for i := range c.Value {
		c.Value[i] *= f
		for _, b := range [2]*int64{&c.Lower[i], &c.Upper[i]} {
			if *b != table.NegInf && *b != table.PosInf {
				*b *= f
			}
		}
		switch {
		case rng.IntN(8) > 0:
		case c.Status[i] == table.Safe && c.Value[i] > 0:
			c.Status[i], c.Width[i] = table.Sensitive, 1+rng.Int64N(9)
		case c.Status[i] == table.Sensitive:
			c.Status[i] = table.Safe
		}
		if c.Status[i] == table.Sensitive && rng.IntN(2) == 0 {
			c.LPL[i], c.UPL[i] = min(c.LPL[i]+rng.Int64N(3), c.Value[i]), c.UPL[i]+rng.Int64N(3)
		}
		if rng.IntN(4) == 0 {
			c.Cost[i] = 1 + rng.Int64N(20)
		}
	}
	for j := range c.Rel.RHS {
		c.Rel.RHS[j] *= f
	}
	return c
}

// What a memory carries over changes the way only: costs, canonical patterns, the verdict
// on a start and certificates stay right, whichever tables came before.
func TestMemory(t *testing.T) {
	t.Parallel()
	solved, stopped := 0, 0
	var memory Memory // of all shapes
	for i := range heavy.Draws(80) {
		rng := rand.New(rand.NewPCG(uint64(i), 79))
		s := shapes[i%len(shapes)]
		base := randomTable(rng, s, 20+rng.IntN(30), i/len(shapes))
		var start []bool
		for n := range 8 {
			tab := vary(rng, base)
			plain, err := Suppress(t.Context(), tab, &Options{Canonical: true})
			if u := (*UnprotectableError)(nil); errors.As(err, &u) {
				if _, err = Suppress(t.Context(), tab, &Options{Memory: &memory}); !errors.As(err, &u) {
					t.Fatalf("table %d.%d (%s): %v, want unprotectable", i, n, s.name, err)
				}
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			o := Options{Memory: &memory, Canonical: rng.IntN(4) > 0, Workers: 1 + rng.IntN(4), Start: start, First: rng.IntN(3) > 0 && start != nil}
			var got *Solution
			if rng.IntN(6) == 0 {
				got, _ = certified(t, tab, o)
			} else if got, err = Suppress(t.Context(), tab, &o); err != nil {
				t.Fatal(err)
			}
			if err := certificate.Protects(tab, got.Pattern, got.Witnesses); err != nil {
				t.Fatalf("table %d.%d (%s): %v", i, n, s.name, err)
			}
			if got.Bound > plain.Cost || got.Cost < plain.Cost {
				t.Fatalf("table %d.%d (%s): cost %d, bound %d; want cost %d", i, n, s.name, got.Cost, got.Bound, plain.Cost)
			}
			if got.Status == Optimal {
				solved++
				if got.Cost != plain.Cost || o.Canonical && !slices.Equal(got.Pattern, plain.Pattern) {
					t.Fatalf("table %d.%d (%s): cost %d, want %d and the canonical pattern", i, n, s.name, got.Cost, plain.Cost)
				}
			} else {
				stopped++
				own, cost := valid(tab, start)
				if !o.First || got.Cost > cost || got.Cost == cost && !(o.Canonical && before(got.Pattern, own)) {
					t.Fatalf("table %d.%d (%s): %s, cost %d, from %d", i, n, s.name, got.Status, got.Cost, cost)
				}
			}
			if start = plain.Pattern; rng.IntN(2) == 0 {
				start = slices.Clone(start)
				for j := range start {
					start[j] = start[j] || rng.IntN(4) == 0
				}
			}
		}
	}
	if solved < heavy.Draws(200) || stopped < heavy.Draws(50) {
		t.Fatalf("%d optima, %d searches stopped: too few", solved, stopped)
	}
	t.Logf("%d optima, %d searches stopped", solved, stopped)
}

// A second run on the same table finds the cuts of the first at hand.
func TestMemorySaves(t *testing.T) {
	first, second := 0, 0
	for i := range 30 {
		tab := larger(1 + 5*i) // 3×3×3
		var memory Memory
		for n, sum := range [2]*int{&first, &second} {
			s, err := Suppress(t.Context(), tab, &Options{Memory: &memory})
			if u := (*UnprotectableError)(nil); errors.As(err, &u) {
				break
			} else if err != nil {
				t.Fatal(n, err)
			}
			*sum += s.Rounds
		}
	}
	t.Logf("%d rounds in the first run, %d in the second", first, second)
	if second*4 > first*3 {
		t.Fatalf("%d rounds in the first run, %d in the second: nothing is carried over", first, second)
	}
}

// Two sequences of runs that are alike take the same course.
func TestMemoryDeterministic(t *testing.T) {
	var last []int
	for _, workers := range []int{1, 4, 2} {
		var memory Memory
		var course []int
		rng := rand.New(rand.NewPCG(3, 80))
		for i := range 12 {
			base := randomTable(rng, shapes[3+i%5], 60, i)
			for range 4 {
				s, err := Suppress(t.Context(), vary(rng, base), &Options{Memory: &memory, Workers: workers})
				if u := (*UnprotectableError)(nil); errors.As(err, &u) {
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				course = append(course, s.Nodes, s.Rounds, int(s.Cost))
				for i, in := range s.Pattern {
					if in {
						course = append(course, i)
					}
				}
			}
		}
		if last != nil && !slices.Equal(last, course) {
			t.Fatalf("another course with %d workers", workers)
		}
		last = course
	}
}
