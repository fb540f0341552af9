package interval

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// A smallest hitting set is as small as the smallest of all sets that hit, where there is work enough to find one.
func TestSmallestHitting(t *testing.T) {
	t.Parallel()
	found, none, gave := 0, 0, 0
	for n := range 2000 {
		rng := rand.New(rand.NewPCG(uint64(n), 7))
		const elements = 8
		sets := make([][]int32, 1+rng.IntN(7))
		masks := make([]uint, len(sets))
		for s := range sets {
			for masks[s] == 0 {
				sets[s] = nil
				for i := range int32(elements) {
					if rng.IntN(3) == 0 {
						sets[s], masks[s] = append(sets[s], i), masks[s]|1<<i
					}
				}
			}
		}
		least := elements
		for set := uint(0); set < 1<<elements; set++ {
			hits := true
			for _, m := range masks {
				hits = hits && set&m != 0
			}
			if hits {
				least = min(least, bits.OnesCount(set))
			}
		}
		limit, work := 1+rng.IntN(elements), 1+rng.IntN(150)
		best, ok := smallestHitting(sets, limit, &work)
		if !ok {
			if gave++; work > 0 {
				t.Fatalf("given up with %d sets left to look at", work)
			}
			continue
		}
		if best == nil {
			if none++; least < limit {
				t.Fatalf("%v: no set of fewer than %d, but there is one of %d", sets, limit, least)
			}
			continue
		}
		if found++; len(best) != least {
			t.Fatalf("%v: %v, want %d elements", sets, best, least)
		}
		got := uint(0)
		for k, i := range best {
			if k > 0 && best[k-1] >= i {
				t.Fatalf("%v is not ascending", best)
			}
			got |= 1 << i
		}
		for s, m := range masks {
			if got&m == 0 {
				t.Fatalf("%v meets not %v", best, sets[s])
			}
		}
	}
	if found < 100 || none < 100 || gave < 100 {
		t.Errorf("%d found, %d without, %d given up: too few", found, none, gave)
	}
}
