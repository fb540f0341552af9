package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Chains begin by turns from all columns and from those that the cheapest of them and another one ended with; only a few ends are kept, none twice.
func TestChains(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	set := func(columns ...int) []bool {
		in := make([]bool, 12)
		for _, c := range columns {
			in[c] = true
		}
		return in
	}
	all := set(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	var s chains
	for n, c := range []struct {
		least int64
		set   []bool
		begun [][]bool // what the next may begin from
	}{
		{50, set(1, 2), [][]bool{all}},
		{50, set(1, 3), [][]bool{all}}, // one that costs the same is taken for the same
		{40, set(4), [][]bool{all}},
		{70, set(5, 6), [][]bool{set(4, 1, 2), set(4, 5, 6)}},
		{60, set(7), [][]bool{all}},
		{30, set(8), [][]bool{set(8, 4), set(8, 1, 2), set(8, 7), set(8, 5, 6)}},
		{90, set(9), [][]bool{all}},
		{80, set(10), [][]bool{set(8, 4), set(8, 1, 2), set(8, 7), set(8, 5, 6)}},
	} {
		begun, last := set(n), chain{least: 1000}
		last.note(c.least, c.set)
		noise := s.begin(begun, last, rng)
		if !slices.ContainsFunc(c.begun, func(want []bool) bool { return slices.Equal(begun, want) }) || (noise == varyAnew) != slices.Equal(begun, all) {
			t.Errorf("after chain %d another begins from %v with %g", n, begun, noise)
		}
	}
	if len(s.best) != varyEnds || s.best[0].least != 30 || s.best[varyEnds-1].least != 70 {
		t.Errorf("kept: %+v", s.best)
	}
	if s.begin(set(), chain{least: 1}, rng); s.best[0].least != 30 {
		t.Error("a chain without a pattern is kept")
	}
}
