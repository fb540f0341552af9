package compare

import (
	"context"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/sets"
)

// Links is the success of an attacker who has the original and looks for the records of a release in it.
type Links struct {
	Records int     // attacked records of the release, whose original is known
	Right   float64 // expected number of right links, with ties broken at random
	Certain int     // right links without ties
	Hits    int     // right links when each record has one guess, with ties drawn
	Guess   []int32 // by attacked record: the guessed record of the original
}

// link draws a guess for each record among its best matches.
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

// ByDistance performs distance-based record linkage: each of some records of the release is linked to the nearest
// record of the original, by the distance of [metric]. truth[i] is the record of the original from which record i of
// the release was made.
//
// Source: Domingo-Ferrer and Torra, Disclosure risk assessment in statistical data protection (J. Comp. Appl. Math.
// 2004). Cost: the records times those of the original.
func ByDistance(ctx context.Context, original, release *Records, records, truth []int32, rng *rand.Rand) (*Links, error) {
	found, err := newMetric(original, release).nearest(ctx, release, original, records)
	if err != nil {
		return nil, err
	}
	return link(records, truth, func(n int) []int32 { return found[n].records }, rng), nil
}

// Known returns the records whose original is known, truth[i] ≥ 0.
func Known(records, truth []int32) []int32 {
	return sets.Where(records, func(i int32) bool { return truth[i] >= 0 })
}

// Draw returns a random subset of the numbers below n, ascending, of the size given by most, with each subset equally
// likely; all of them if there are no more.
func Draw(n, most int, rng *rand.Rand) []int32 {
	var list []int32
	for i := range n {
		if left := n - i; rng.IntN(left) < most-len(list) {
			list = append(list, int32(i))
		}
	}
	return list
}
