package table

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLead: the largest who has not consented comes first, then the largest of all others, each once, whoever has consented.
func TestLead(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 1 + rng.IntN(5)
		f := &Facts{}
		var all []int64
		for range n {
			all = append(all, 1+rng.Int64N(6))
		}
		slices.SortFunc(all, func(a, b int64) int { return int(b - a) })
		g := &Group{N: int64(n)}
		target := -1
		for k, x := range all {
			g.Top = append(g.Top, Contribution{X: x, W: 1})
			if rng.IntN(2) == 0 {
				g.Waived++
			} else if target < 0 {
				target, g.Target = k, x
			}
		}
		lead, open := f.lead(g)
		if open != (target >= 0) {
			t.Fatalf("seed %d: open is %v", seed, open)
		}
		if !open {
			continue
		}
		for m := 1; m <= n+2; m++ {
			want, left := all[target], m-1
			for k, x := range all {
				if k != target && left > 0 {
					want, left = want+x, left-1
				}
			}
			if got := lead(m); got.Cmp(big.NewInt(want)) != 0 {
				t.Fatalf("seed %d: %d places of %v, of whom %d consented, the others from %d on: %s, want %d", seed, m, all, g.Waived, g.Target, got, want)
			}
		}
	}
}
