package series

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What duals tell to be needed is needed, and they tell most of what is.
func TestNeeded(t *testing.T) {
	t.Parallel()
	told, all := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		m, s := drawSpace(rng)
		n := s.n
		up, dn := make([]float64, n), make([]float64, n)
		for i := range n {
			up[i], dn[i] = float64(rng.IntN(20)), float64(rng.IntN(20))
			if rng.IntN(20) == 0 {
				up[i] = math.Inf(1)
			}
		}
		class := make([]int32, n)
		var p Program
		p.Set(s, class, s.Classes(class), up, dn)
		if rng.IntN(4) > 0 {
			p.Settle()
		}
		for range 4 {
			k, sign := int32(rng.IntN(n)), 1-2*rng.IntN(2)
			most := p.Reach(k, sign, math.Inf(1))
			if class[k] < 0 || math.IsInf(most, 1) {
				continue
			}
			limit := most * (0.3 + 0.7*rng.Float64())
			short := func(v float64) bool { return v < limit-1e-6 }
			needed := make([]bool, len(p.head))
			p.Needed(k, sign, short, needed)
			for q, yes := range needed {
				if int32(q) == class[k] {
					continue
				}
				without := maximum(t, m, up, dn, func(i int) bool { return class[i] != int32(q) }, int(k), sign)
				if yes && !short(without) {
					t.Fatalf("seed %d: without class %d cell %d reaches %g, which is not below %g", seed, q, k, without, limit)
				}
				if short(without) {
					all++
				}
				if yes {
					told++
				}
			}
		}
	}
	t.Logf("%d of %d", told, all)
	if all < 500 || told < all*7/10 {
		t.Errorf("duals tell %d of %d classes", told, all)
	}
}
