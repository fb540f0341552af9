package solver

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// A chain is a sequence of variations (search.vary), each of a result of the one before.
type chain struct {
	least int64  // the least cost in it
	set   []bool // that costs it
	found int    // variations until that was found
	vain  int    // and since then
}

// note takes down a variation and what it costs.
func (c *chain) note(cost int64, set []bool) {
	c.vain++
	if cost < c.least {
		*c = chain{least: cost, set: slices.Clone(set), found: c.found + c.vain}
	}
}

// over reports whether to begin another chain: after as many variations in vain as it took to find the cheapest, within limits.
func (c *chain) over() bool { return c.vain >= min(max(varyFew, c.found), varyVain) }

// chains are the cheapest of those that have ended, and how many have.
type chains struct {
	best  []chain
	ended int
}

// begin ends the chain last and makes set the columns from which the next is reduced, with the noise for that: by turns all of them, and those
// that the cheapest chain or another one ended with. Two patterns agree in much, and what is common to them mostly belongs to still
// cheaper ones, so the second kind finds patterns that neither chain would come to by itself (as in tour merging: Cook and Seymour, INFORMS
// Journal on Computing 15, 2003).
func (s *chains) begin(set []bool, last chain, rng *rand.Rand) (noise float64) {
	s.ended++
	if same := func(c chain) bool { return c.least == last.least }; last.set != nil && !slices.ContainsFunc(s.best, same) {
		s.best = append(s.best, last)
		slices.SortFunc(s.best, func(a, b chain) int { return cmp.Compare(a.least, b.least) })
		s.best = s.best[:min(len(s.best), varyEnds)]
	}
	if s.ended%2 != 0 || len(s.best) < 2 {
		for c := range set {
			set[c] = true
		}
		return varyAnew
	}
	other := s.best[1+rng.IntN(len(s.best)-1)].set
	for c, in := range s.best[0].set {
		set[c] = in || other[c]
	}
	return varyBoth
}
