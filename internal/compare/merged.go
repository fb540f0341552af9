package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// vanished is the message for original values that must have gone under the names of others.
const vanished = "no released value stands for %d records of the original that are neither masked nor left out, so others stand for more than themselves"

// merge finds which released values stand for others, too: a class may be named by its first or last value, as 84600
// for 846.., or 85 for all ages from there. sets are the sets of the released values, and ok says which of them were
// read. The evidence is the numbers of records: records of the original whose value no released one stands for must be
// somewhere, masked, left out, or under the name of another value. taken are the released values that turn out to stand
// for more than was read. What may be missing by chance, as in a synthetic file, is no evidence: in a file drawn from
// the original, a value of c records is missing with chance e^−c, and has exactly c records again with chance
// c^c·e^−c/c!.
func (r *reader) merge(sets []set, ok []bool) (taken []int, err error) {
	covered := make([]bool, len(r.domain.ids))
	var labels []int // released values that stand for themselves
	masked, alike := 0, 0
	for n, id := range r.ids {
		switch place, had := r.at[id]; {
		case !ok[n] && r.same(r.texts[n]):
			labels = append(labels, n)
		case !ok[n]:
			return nil, nil // reported by the caller
		case sets[n].all:
			masked += r.count[n]
		default:
			r.each(sets[n], func(o uint32) { covered[r.at[o]] = true })
			if len(sets[n].list) == 1 && had && sets[n].list[0] == id {
				labels = append(labels, n)
				if r.count[n] == r.domain.count[place] {
					alike++
				}
			}
		}
	}
	lost := 0
	for p, c := range r.domain.count {
		if !covered[p] {
			lost += c
		}
	}
	unread := slices.Contains(ok, false)
	nowhere := lost - masked - max(0, r.original.N-r.release.N)
	chance := r.gained(labels)
	if nowhere > 0 {
		chance = min(chance, r.drawn(nowhere, alike, masked == 0 && r.original.N == r.release.N))
	}
	if !unread && (lost == 0 || chance > math.Log(0.001)) || len(labels) == 0 {
		return nil, nil
	}
	best := math.Inf(1)
	var to []int
	for _, up := range []bool{false, true} {
		if at, apart := r.under(labels, covered, up); apart < best {
			best, to = apart, at
		}
	}
	if to == nil && !unread {
		to = r.other(labels, covered)
	}
	switch {
	case to != nil:
	case unread:
		return nil, nil
	default:
		return nil, r.release.fault(r.k, r.first[labels[0]], i18n.T(vanished, max(1, nowhere)))
	}
	for p, n := range to {
		if n < 0 {
			continue
		}
		ok[n] = true
		if !slices.Contains(sets[n].list, r.domain.ids[p]) {
			sets[n].list = append(slices.Clip(sets[n].list), r.domain.ids[p])
		}
		if !slices.Contains(taken, n) {
			taken = append(taken, n)
		}
	}
	return taken, nil
}

// drawn returns about the log of the chance that a file drawn from the original lacks the values of this many records
// or, with whole, that as many values have exactly as many records as in the original.
func (r *reader) drawn(missing, alike int, whole bool) float64 {
	var counts []float64
	for _, c := range r.domain.count {
		if c > 0 {
			counts = append(counts, float64(c))
		}
	}
	chance := tail(counts, float64(missing), func(c float64) (weight, chance float64) { return c, math.Exp(-c) })
	if whole {
		chance += tail(counts, float64(alike), func(c float64) (weight, chance float64) {
			lgamma, _ := math.Lgamma(c + 1)
			return 1, math.Exp(float64(c*math.Log(c)) - c - lgamma)
		})
	}
	return chance
}

// gained returns about the log of the chance that, in a file drawn from the original, some value has as many records
// beyond its own as the label that gained most.
func (r *reader) gained(labels []int) float64 {
	least := 0.0
	for _, n := range labels {
		p, ok := r.at[r.ids[n]]
		if !ok || r.domain.count[p] == 0 {
			continue
		}
		want, have := float64(r.domain.count[p])*float64(r.release.N)/float64(r.original.N), float64(r.count[n])
		if have > want {
			least = min(least, have-want+float64(have*math.Log(want/have))+math.Log(float64(len(labels))))
		}
	}
	return least
}

// gathered returns about the log of the chance that known records, if their values had been changed into random ones,
// would all have got the released values that stand for others, too.
func (r *reader) gathered(taken []int) (chance float64) {
	for _, n := range taken {
		changed := 0
		for p, records := range r.pairs {
			if p[0] == r.ids[n] && p[1] != r.ids[n] {
				changed += records
			}
		}
		chance += float64(max(0, changed-1)) * math.Log(float64(r.count[n])/float64(r.release.N))
	}
	return chance
}

// tail bounds the log of the chance that a sum of independent weights, each present with its own chance, is at least x
// (Chernoff).
func tail(counts []float64, x float64, of func(c float64) (weight, chance float64)) float64 {
	least := 0.0
	for _, theta := range []float64{0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1, 1.5, 2, 3} {
		sum := -float64(theta * x)
		for _, c := range counts {
			w, p := of(c)
			if y := float64(theta * w); y < 30 {
				sum += math.Log1p(float64(p * math.Expm1(y)))
			} else {
				sum += max(0, math.Log(p)+y) + math.Ln2
			}
		}
		least = min(least, sum)
	}
	return least
}

// other puts all original values that no released one stands for under the only label that has more records than in the
// original; nil if there is not exactly one such label.
func (r *reader) other(labels []int, covered []bool) (to []int) {
	more := -1
	for _, n := range labels {
		if p, ok := r.at[r.ids[n]]; ok && r.count[n] > r.domain.count[p] {
			if more >= 0 {
				return nil
			}
			more = n
		}
	}
	if more < 0 {
		return nil
	}
	to = slices.Repeat([]int{-1}, len(covered))
	for p, ok := range covered {
		if !ok && r.domain.texts[p] != "" {
			to[p] = more
		}
	}
	return to
}

// same reports whether a text has the shape of all original values: the same length, with digits and letters in the
// same places.
func (r *reader) same(text string) bool {
	if r.numeric || !strings.ContainsAny(text, "0123456789") {
		return false
	}
	of := shape(text)
	return !slices.ContainsFunc(r.domain.texts, func(t string) bool { return t != "" && !anyOf(t) && shape(t) != of })
}

// under puts each original value that no other reading covers under the last label before it or, with up, under the
// first one after it: to holds by place the number of the released value, −1 if there is none. apart is how far the
// numbers of records are from what this implies; infinite if a label has more records than there are for it, or some
// value has no label.
func (r *reader) under(labels []int, covered []bool, up bool) (to []int, apart float64) {
	order := make([]int, 0, len(r.domain.ids)) // places, in the order of the values
	if order = append(order, r.numbers...); !r.numeric {
		for p := range r.domain.ids {
			order = append(order, p)
		}
	}
	before := func(n, p int) bool { // whether label n is at p, or before it (with up, after it)
		a, b := r.texts[n], r.domain.texts[p]
		if r.numeric {
			x, _ := number(a)
			y, _ := number(b)
			return x <= y != up || x == y
		}
		return a <= b != up || a == b
	}
	sorted := slices.Clone(labels)
	slices.SortFunc(sorted, func(a, b int) int {
		if r.numeric {
			x, _ := number(r.texts[a])
			y, _ := number(r.texts[b])
			return cmp.Compare(x, y)
		}
		return strings.Compare(r.texts[a], r.texts[b])
	})
	if up {
		slices.Reverse(order)
		slices.Reverse(sorted)
	}
	to = slices.Repeat([]int{-1}, len(r.domain.ids))
	expected := map[int]int{}
	for _, n := range labels {
		expected[n] = 0
	}
	next, now := 0, -1
	for _, p := range order {
		for next < len(sorted) && before(sorted[next], p) {
			now = sorted[next]
			next++
		}
		own := now >= 0 && r.texts[now] == r.domain.texts[p]
		if covered[p] && !own || r.domain.texts[p] == "" {
			continue
		}
		if now < 0 && r.domain.count[p] > 0 {
			return nil, math.Inf(1)
		}
		if now >= 0 {
			if !own {
				to[p] = now
			}
			expected[now] += r.domain.count[p]
		}
	}
	all, released := 0.0, 0.0
	for _, n := range labels {
		if r.count[n] > expected[n] {
			return nil, math.Inf(1)
		}
		all, released = all+float64(expected[n]), released+float64(r.count[n])
	}
	for _, n := range labels {
		want := float64(expected[n]) * released / all
		apart += float64((float64(r.count[n]) - want) * (float64(r.count[n]) - want) / want)
	}
	return to, apart
}
