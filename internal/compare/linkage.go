package compare

import (
	"context"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/sets"
)

// Links is how well an attacker who has the original finds the records of a release in it.
type Links struct {
	Records int     // of the release that were attacked, whose true original is known
	Right   float64 // links expected to be right, ties broken at random
	Certain int     // right links without a tie
	Hits    int     // right ones of a guess each, ties drawn
	Guess   []int32 // of each record attacked, the record of the original
}

// link draws a guess for each record among the best ones.
func link(records, truth []int32, best func(n int) []int32, rng *rand.Rand) *Links {
	l := &Links{Records: len(records)}
	for n, i := range records {
		ties := best(n)
		guess := ties[rng.IntN(len(ties))]
		l.Guess = append(l.Guess, guess)
		if guess == truth[i] {
			l.Hits++
		}
		for _, j := range ties {
			if j == truth[i] {
				l.Right += 1 / float64(len(ties))
				if len(ties) == 1 {
					l.Certain++
				}
			}
		}
	}
	return l
}

// ByDistance is distance-based record linkage (距離): each of some records of the release is linked to the
// record of the original that is nearest, by the distance of [metric]. truth[i] is the record of the
// original that record i of the release was made from.
//
// Source: Domingo-Ferrer and Torra, Disclosure risk assessment in statistical data protection (J. Comp. Appl.
// Math. 2004). Cost: records times those of the original.
func ByDistance(ctx context.Context, original, release *Records, records, truth []int32, rng *rand.Rand) (*Links, error) {
	found, err := newMetric(original, release).nearest(ctx, release, original, records)
	if err != nil {
		return nil, err
	}
	return link(records, truth, func(n int) []int32 { return found[n].records }, rng), nil
}

// Known returns those of records whose true original is known, truth[i] ≥ 0.
func Known(records, truth []int32) []int32 {
	return sets.Where(records, func(i int32) bool { return truth[i] >= 0 })
}

// Draw returns most of n numbers, in ascending order, each subset equally likely; all where there are no
// more.
func Draw(n, most int, rng *rand.Rand) []int32 {
	var list []int32
	for i := range n {
		if left := n - i; rng.IntN(left) < most-len(list) {
			list = append(list, int32(i))
		}
	}
	return list
}
