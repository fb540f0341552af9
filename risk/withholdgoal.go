package risk

import (
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A groupGoal decides which sets of records may form a group. If two groups satisfy it, so does their union: sizes and
// numbers of values grow, entropy is concave, and distances to a fixed distribution are convex. A missing value does
// not count among different values, and for entropies and distances counts as whichever is worse: a value like others,
// or none. So groups that end up with the same values, and records that agree in what must not be withheld, need no
// test of their own.
type groupGoal struct {
	goal       Goal
	k          uint64 // least number of records in a group
	attributes []attribute
	distance   []*yardstick
	missing    [][]uint32   // by attribute: the values that mark a missing one
	among      []*yardstick // like distance, among records with a value
	entity     attribute    // ids, nil if there are none
	noID       []uint32
}

// An attribute calls add with the values of n records of class g.
type attribute func(g int, n uint64, add func(id uint32, n uint64))

// aim prepares the goal.
func (w *withholding) aim(p Withholding, markers []string) error {
	if err := p.Goal.check(); err != nil {
		return err
	}
	w.goal, w.k = p.Goal, max(1, p.K)
	column := func(k int) attribute {
		return func(g int, n uint64, add func(uint32, uint64)) { add(w.c.t.tuple(g)[k], n) }
	}
	last := w.c.t.w
	if p.Entity {
		last--
		w.entity, w.noID = column(last), w.c.columns.ids(last, markers)
	}
	for k := w.m; k < last; k++ {
		w.attributes = append(w.attributes, column(k))
	}
	switch {
	case len(w.attributes) == 0 && (p.L > 0 || p.E > 0 || p.T != nil):
		return i18n.New("risk: l and t want a sensitive attribute")
	case p.Left != nil:
		return i18n.New("risk: no record is left out where values are withheld")
	case slices.ContainsFunc(p.Distances, func(d Distance) bool { return d != Equal && d != Ordered }):
		return i18n.New("risk: want the equal or the ordered distance")
	}
	for k := range w.attributes {
		w.missing = append(w.missing, w.c.columns.ids(w.m+k, markers))
	}
	return w.measures(w.c.columns, w.m, nil, w.all(w.order))
}

// measures prepares the distances of the attributes, whose columns start at first, from the distributions over all
// records.
func (w *groupGoal) measures(c *Columns, first int, trees []*Hierarchy, all iter.Seq2[int, uint64]) error {
	d := w.goal.Distances
	if d != nil && len(d) != len(w.attributes) {
		return i18n.Errorf("risk: %d distances, want %d", len(d), len(w.attributes))
	}
	for a, x := range w.attributes {
		if w.goal.T == nil {
			break
		}
		distance, tree := Equal, (*Hierarchy)(nil)
		if d != nil {
			distance = d[a]
		}
		if trees != nil {
			tree = trees[a]
		}
		total := map[uint32]uint64{}
		for _, v := range w.counts(x, all) {
			total[v.id] = v.n
		}
		y, err := c.yardstick(first+a, distance, tree, total)
		if err != nil {
			return err
		}
		w.distance = append(w.distance, y)
		if len(w.missing[a]) > 0 {
			for _, id := range w.missing[a] {
				delete(total, id)
			}
			if y, err = c.yardstick(first+a, distance, tree, total); err != nil {
				return err
			}
		}
		w.among = append(w.among, y)
	}
	return nil
}

// present returns the counts of values that are not missing, and their sum.
func present(counts []valueCount, missing []uint32) (rest []valueCount, sum uint64) {
	rest = counts
	if len(missing) > 0 {
		rest = slices.DeleteFunc(slices.Clone(counts), func(c valueCount) bool { return slices.Contains(missing, c.id) })
	}
	for _, c := range rest {
		sum += c.n
	}
	return rest, sum
}

// grows reports whether the goal only concerns numbers of records, entities and values: a group that reaches it still
// does after any records are added.
func (w *groupGoal) grows() bool { return w.plain() || w.goal.E <= 1 && w.goal.T == nil }

// plain reports whether only a number of records is required.
func (w *groupGoal) plain() bool {
	return w.entity == nil && (len(w.attributes) == 0 || w.goal.L < 2 && w.goal.E <= 1 && w.goal.T == nil)
}

// all iterates over all records of the given classes.
func (w *withholding) all(list []int) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		for _, g := range list {
			if !yield(g, w.f[g]) {
				return
			}
		}
	}
}

// eachOf iterates over the records of groups.
func eachOf(groups ...*starGroup) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		for _, x := range groups {
			for g, n := range x.member {
				if !yield(g, n) {
					return
				}
			}
		}
	}
}

// counts returns how often each value of an attribute occurs, in order of first occurrence.
func (w *groupGoal) counts(x attribute, members iter.Seq2[int, uint64]) (counts []valueCount) {
	const few = 16 // so few values that scanning is faster than a look-up
	var at map[uint32]int
	add := func(id uint32, n uint64) {
		k, ok := 0, false
		if at == nil {
			k = slices.IndexFunc(counts, func(c valueCount) bool { return c.id == id })
			ok = k >= 0
		} else {
			k, ok = at[id]
		}
		if !ok {
			k = len(counts)
			if k == few {
				at = map[uint32]int{}
				for i, c := range counts {
					at[c.id] = i
				}
			}
			if at != nil {
				at[id] = k
			}
			counts = append(counts, valueCount{id: id})
		}
		counts[k].n += n
	}
	for g, n := range members {
		x(g, n, add)
	}
	return counts
}

// enough reports whether there are at least k records, or records of k entities.
func (w *groupGoal) enough(members iter.Seq2[int, uint64]) (size uint64, ok bool) {
	for _, n := range members {
		size += n
	}
	if size < w.k || w.entity == nil {
		return size, size >= w.k
	}
	entities := uint64(0)
	for _, x := range w.counts(w.entity, members) {
		if slices.Contains(w.noID, x.id) {
			entities += x.n
		} else {
			entities++
		}
	}
	return size, entities >= w.k
}

// meets reports whether records reach the goal as a group.
func (w *groupGoal) meets(members iter.Seq2[int, uint64]) bool {
	size, ok := w.enough(members)
	if !ok || w.plain() {
		return ok
	}
	for a, x := range w.attributes {
		counts := w.counts(x, members)
		descending(counts)
		rest, n := present(counts, w.missing[a])
		if uint64(len(rest)) < w.goal.L || w.goal.E > 0 && !EntropyAtLeast(min(entropyL(counts, size), entropyL(rest, n)), w.goal.E) {
			return false
		}
		if w.goal.T != nil && (!w.distance[a].within(w.distance[a].distance(counts, size), size, w.goal.T) || n > 0 && !w.among[a].within(w.among[a].distance(rest, n), n, w.goal.T)) {
			return false
		}
	}
	return true
}

// could returns false if no subset of the classes' records can reach the goal: there are too few records or values, or
// even with freely chosen shares the values are too far from the distribution over all records.
func (w *withholding) could(list []int) bool {
	_, ok := w.enough(w.all(list))
	if !ok || w.plain() {
		return ok
	}
	for a, x := range w.attributes {
		counts := w.counts(x, w.all(list))
		rest, _ := present(counts, w.missing[a])
		if n := len(rest); uint64(n) < w.goal.L || !EntropyAtLeast(float64(n), w.goal.E) {
			return false
		}
		if w.goal.T != nil && !w.distance[a].within(w.distance[a].nearest(counts), 1, w.goal.T) {
			return false
		}
	}
	return true
}

// within reports whether a distance x of n records is at most t.
func (y *yardstick) within(x num.Uint128, n uint64, t *big.Rat) bool {
	most, _ := t.Float64()
	den := float64(n) * float64(y.records) * float64(y.steps)
	if f := double(x); math.Abs(f-float64(most*den)) > 1e-9*den {
		return f < float64(most*den)
	}
	left := x.Big()
	left.Mul(left, t.Denom())
	right := new(big.Int).SetUint64(n)
	right.Mul(right, new(big.Int).SetUint64(y.records))
	right.Mul(right, new(big.Int).SetUint64(y.steps))
	return left.Cmp(right.Mul(right, t.Num())) <= 0
}

// nearest returns the least distance from all records that records with these values, in any shares, can have, as an
// integer over N·steps: every other value is moved to the nearest of them.
func (y *yardstick) nearest(counts []valueCount) (x num.Uint128) {
	if y.d == Equal {
		rest := y.records
		for _, c := range counts {
			rest -= y.total[c.id]
		}
		return num.Mul128(rest, 1)
	}
	here := make([]bool, len(y.below))
	for _, c := range counts {
		here[y.rank[c.id]] = true
	}
	far := make([]uint64, len(here)) // ranks from each value to the nearest one present
	for _, up := range []bool{true, false} {
		d := uint64(len(here))
		for i := range here {
			if !up {
				i = len(here) - 1 - i
			}
			if d++; here[i] {
				d = 0
			}
			if up || d < far[i] {
				far[i] = d
			}
		}
	}
	before := uint64(0)
	for i, upTo := range y.below {
		x, _ = x.Add(num.Mul128(upTo-before, far[i]))
		before = upTo
	}
	return x
}
