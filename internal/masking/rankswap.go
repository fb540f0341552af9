package masking

import (
	"math/rand/v2"
)

// RankSwap draws which of n records, numbered by rank, exchange their values: partner[i] is the rank whose value rank i
// gets. From the lowest rank on, each rank without a partner gets one of the ranks without one up to window ranks above
// it, each equally likely, or itself if there is none.
//
// Source: Moore, Controlled data-swapping techniques for masking public use microdata sets (1996). sdcMicro and μ-ARGUS
// draw a rank and go on to the next free one, which favours ranks next to taken ones. Cost: linear in the records.
func RankSwap(n, window int, rng *rand.Rand) (partner []int) {
	partner, place := make([]int, n), make([]int, n)
	var free []int // ranks above i in the window without a partner, in any order
	take := func(r int) {
		last := free[len(free)-1]
		free[place[r]], place[last] = last, place[r]
		free = free[:len(free)-1]
		place[r] = -1
	}
	next := 0
	for i := range n {
		for ; next < n && next <= i+window; next++ {
			place[next] = len(free)
			free = append(free, next)
		}
		if place[i] < 0 {
			continue
		}
		take(i)
		if partner[i] = i; len(free) > 0 {
			j := free[rng.IntN(len(free))]
			take(j)
			partner[i], partner[j] = j, i
		}
	}
	return partner
}
