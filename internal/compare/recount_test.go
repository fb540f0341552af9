package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRecount has weights drawn for files so small that all ways are counted: chances are those of all permutations, where Bethe's approximation is sure of what is open.
func TestRecount(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 35))
		n := 2 + rng.IntN(5)
		p := &weighing{from: []int32{0}}
		w := make([][]float64, n)
		attacked := make([]bool, n)
		for g := range int32(n) {
			p.persons, p.records = append(p.persons, group{records: []int32{g}}), append(p.records, group{records: []int32{g}})
			for r := range int32(n) {
				x := rng.Float64()
				w[g] = append(w[g], x)
				p.record, p.weight = append(p.record, r), append(p.weight, x)
			}
			p.from = append(p.from, int32(len(p.record)))
			attacked[g] = true
		}
		if err := p.settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		sums, all := make([]float64, n*n), 0.0
		order := make([]int, n)
		var ways func(g, taken int, v float64)
		ways = func(g, taken int, v float64) {
			if g == n {
				all += v
				for g, r := range order {
					sums[g*n+r] += v
				}
				return
			}
			for r := range n {
				if taken>>r&1 == 0 {
					order[g] = r
					ways(g+1, taken|1<<r, v*w[g][r])
				}
			}
		}
		ways(0, 0, 1)
		most := 0.0
		for _, v := range sums {
			most = max(most, v/all)
		}
		low, high := p.largest(attacked, true)
		if math.Abs(low-most) > 1e-9 || high != low {
			t.Errorf("%d: the largest chance of %d persons is %g to %g, want %g", seed, n, low, high, most)
		}
	}
}
