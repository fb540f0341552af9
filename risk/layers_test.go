package risk

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// skewed is a file of records whose values are the rarer the higher, with pairs of values and all as steps, and a sensitive value.
func skewed(t *testing.T, seed uint64, records, columns int) (*Sensitive, []*Hierarchy) {
	rng := rand.New(rand.NewPCG(seed, 35))
	var text strings.Builder
	for v := range 8 {
		fmt.Fprintf(&text, "%d;%d-;%d--;*\n", v, v/2, v/4)
	}
	var names []string
	var hs []*Hierarchy
	for k := range columns {
		h, err := parseHierarchy([]byte(text.String()), "", Layout{})
		check(t, err)
		names, hs = append(names, fmt.Sprint("q", k)), append(hs, h)
	}
	c, err := NewColumns(append(names, "s")...)
	check(t, err)
	s := NewSensitive(c, columns)
	for range records {
		var values []string
		for range columns {
			values = append(values, fmt.Sprint(min(rng.IntN(8), rng.IntN(8), rng.IntN(8))))
		}
		check(t, s.Add(1, append(values, fmt.Sprint(rng.IntN(4)))...))
	}
	return s, hs
}

// Layers lose less than parting alone, on the whole; a local recoding is never worse than by either, and reaches the goal however few classes may be looked at.
func TestLayers(t *testing.T) {
	t.Parallel()
	parted, both := 0.0, 0.0
	for seed := range uint64(10) {
		s, hs := skewed(t, seed, 300, 4)
		l, err := NewLattice(t.Context(), s, Missing{}, hs)
		check(t, err)
		coarsest := []int{3, 3, 3, 3}
		for _, goal := range []Goal{{K: 3}, {K: 5, L: 2}, {K: 4, T: big.NewRat(3, 5)}} {
			goal.Local = true
			start, err := l.measure(t.Context(), l.size-1, goal, nil)
			check(t, err)
			f, err := l.refinement(goal)
			check(t, err)
			levels, err := f.refine(t.Context(), start, false)
			check(t, err)
			alone, err := l.measure(t.Context(), l.size-1, goal, levels)
			check(t, err)
			r, err := l.At(t.Context(), coarsest, goal)
			check(t, err)
			if !r.Met || r.Loss > alone.Loss {
				t.Fatalf("seed %d, %+v: met %t, loss %g, by parting %g", seed, goal, r.Met, r.Loss, alone.Loss)
			}
			parted, both = parted+alone.Loss, both+r.Loss
			for _, f.work = range []int{0, 1, 1000, 20_000} {
				if levels, err = f.refine(t.Context(), start, true); err != nil || levels == nil {
					t.Fatalf("seed %d, work %d: %v, %v", seed, f.work, levels, err)
				}
				if r, err = l.measure(t.Context(), l.size-1, goal, levels); err != nil || !r.Met {
					t.Fatalf("seed %d, work %d: %+v misses the goal, %v", seed, f.work, r, err)
				}
			}
		}
	}
	if t.Logf("mean loss %.4f by parting alone, %.4f with layers", parted/30, both/30); both > 0.9*parted {
		t.Error("layers hardly gain anything")
	}
}

// Levels are thinned out by every second one, and the last one stays.
func TestThinner(t *testing.T) {
	t.Parallel()
	for _, x := range [][2][]int{{{0, 1}, {1}}, {{0, 1, 2}, {0, 2}}, {{0, 1, 2, 5}, {1, 5}}} {
		if got := thinner(x[0]); !slices.Equal(got, x[1]) {
			t.Errorf("%v: %v, want %v", x[0], got, x[1])
		}
	}
}
