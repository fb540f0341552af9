package risk

import (
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
)

// maxMerged is the largest number of groups from which merge starts.
const maxMerged = 1000

// drafts returns ways to find groups that reach the goal; each may find none.
func (w *withholding) drafts() []func() ([]*starGroup, error) {
	if w.plain() {
		return []func() ([]*starGroup, error){func() ([]*starGroup, error) { return w.greedy(false) }, func() ([]*starGroup, error) { return w.greedy(true) }}
	}
	return []func() ([]*starGroup, error){w.coarsen, w.merge}
}

// greedy makes groups of k from classes that agree outside dearer and dearer sets of columns. With borrow, classes of
// more than k records lend some to others where that costs less than withholding another of their values.
func (w *withholding) greedy(borrow bool) ([]*starGroup, error) {
	var groups []*starGroup
	left, spare := map[int]uint64{}, map[int]uint64{}
	lender := map[int]*starGroup{}
	for _, g := range w.order {
		if w.f[g] >= w.k {
			lender[g] = &starGroup{member: map[int]uint64{g: w.f[g]}, size: w.f[g]}
			groups = append(groups, lender[g])
			spare[g] = w.f[g] - w.k
		} else {
			left[g] = w.f[g]
		}
	}
	for _, set := range w.sets {
		if len(left) == 0 {
			return groups, nil
		}
		if err := w.ctx.Err(); err != nil {
			return nil, parallel.Ended(w.ctx, err)
		}
		list := slices.DeleteFunc(slices.Clone(w.order), func(g int) bool { return left[g] == 0 && spare[g] == 0 })
		number, n := w.project(set, list)
		short, lent := make([]uint64, n), make([]uint64, n)
		for i, g := range list {
			short[number[i]] += left[g]
			lent[number[i]] += spare[g]
		}
		at := make([]*starGroup, n)
		size := uint64(bits.OnesCount64(set))
		for i, g := range list {
			b := number[i]
			cheap := borrow && short[b] > 0 && short[b]+lent[b] >= w.k && w.k*size <= short[b]*(size+1)
			if short[b] < w.k && !cheap && !(set == w.sets[len(w.sets)-1] && short[b] > 0 && short[b]+lent[b] >= w.k) {
				continue
			}
			if at[b] == nil {
				at[b] = &starGroup{set: set, member: map[int]uint64{}}
				groups = append(groups, at[b])
			}
			take := left[g]
			if need := w.k - min(w.k, short[b]); spare[g] > 0 && need > 0 {
				take = min(spare[g], need)
				short[b] += take
				spare[g] -= take
				lender[g].member[g] -= take
				lender[g].size -= take
			}
			if take > 0 {
				at[b].member[g] += take
				at[b].size += take
			}
			delete(left, g)
		}
	}
	return w.gather(groups, left), nil
}

// coarsen makes groups of what agrees outside dearer and dearer sets of columns and reaches the goal.
func (w *withholding) coarsen() ([]*starGroup, error) {
	var groups []*starGroup
	list, placed := slices.Clone(w.order), make([]bool, len(w.f))
	for _, set := range w.sets {
		if len(list) == 0 {
			return groups, nil
		}
		if err := w.ctx.Err(); err != nil {
			return nil, parallel.Ended(w.ctx, err)
		}
		number, n := w.project(set, list)
		before := len(groups)
		for _, members := range w.lists(number, n, list) {
			if !w.meets(w.all(members)) {
				continue
			}
			groups = append(groups, w.group(members))
			for _, g := range members {
				placed[g] = true
			}
		}
		if len(groups) > before {
			list = slices.DeleteFunc(list, func(g int) bool { return placed[g] })
		}
	}
	left := map[int]uint64{}
	for _, g := range list {
		left[g] = w.f[g]
	}
	return w.gather(groups, left), nil
}

// group returns the group of all records of the given classes.
func (w *withholding) group(list []int) *starGroup {
	x := &starGroup{member: map[int]uint64{}}
	for g, n := range w.all(list) {
		x.member[g] = n
		x.size += n
	}
	x.set = w.differ(x)
	return x
}

// gather adds each remaining record to the group where it costs least and the goal is reached. If there is no such
// group for records that agree in the columns that must not be withheld, they absorb groups until they reach the goal.
func (w *withholding) gather(groups []*starGroup, left map[int]uint64) []*starGroup {
	for _, x := range groups {
		w.see(x)
	}
	list := slices.DeleteFunc(slices.Clone(w.order), func(g int) bool { return left[g] == 0 })
	number, n := w.project(w.sets[len(w.sets)-1], list)
	for _, members := range w.lists(number, n, list) {
		rest := &starGroup{member: map[int]uint64{}}
		for _, g := range members {
			rest.member[g] = left[g]
			rest.size += left[g]
		}
		w.see(rest)
		for done := false; !done; {
			i := w.cheapest(groups, rest, true)
			if done = i >= 0; !done {
				i = w.cheapest(groups, rest, false)
			}
			x := groups[i]
			w.join(x, rest)
			if done = done || w.meets(eachOf(x)); !done {
				groups, rest = slices.Delete(groups, i, i+1), x
			}
		}
	}
	return groups
}

// join moves the records of another group into x.
func (w *withholding) join(x, other *starGroup) {
	for g, n := range other.member {
		x.member[g] += n
	}
	x.size += other.size
	x.set = w.differ(x)
	w.see(x)
}

// cheapest returns the index of the group that costs least when joined with another, −1 for none; with reach, the two
// must reach the goal together. see must have been called for all groups and, with reach, each of groups must reach the
// goal by itself. The goal is tested last, and only for groups that would be chosen.
func (w *withholding) cheapest(groups []*starGroup, with *starGroup, reach bool) int {
	best, least := -1, uint64(0)
	reach = reach && !w.grows()
	for i, x := range groups {
		if x == with {
			continue
		}
		set := x.span | with.span
		if x.one >= 0 && with.one >= 0 {
			set |= w.apart(x.one, with.one)
		}
		if set&w.kept != 0 {
			continue
		}
		cost := w.lost(x, set) + w.lost(with, set) - w.lost(x, x.set)
		if (best < 0 || cost < least) && (!reach || w.meets(eachOf(x, with))) {
			best, least = i, cost
		}
	}
	return best
}

// see stores for a group one of its classes and the columns in which its classes differ, so that the columns in which
// it differs from another group follow without going through both: if two groups each have a single value in a column,
// any two of their classes tell whether the values are equal.
func (w *withholding) see(x *starGroup) {
	x.one, x.span = -1, w.differ(x)
	for g := range x.member {
		x.one = g
		break
	}
}

// merge starts from classes with equal quasi-identifiers and joins each group that misses the goal with the group where
// that is cheapest.
func (w *withholding) merge() ([]*starGroup, error) {
	var groups []*starGroup
	number, n := w.project(0, w.order)
	if n > maxMerged {
		return nil, nil
	}
	for _, list := range w.lists(number, n, w.order) {
		groups = append(groups, w.group(list))
		w.see(groups[len(groups)-1])
	}
	for i := 0; i < len(groups); {
		x := groups[i]
		if w.meets(eachOf(x)) {
			i++
			continue
		}
		if err := w.ctx.Err(); err != nil {
			return nil, parallel.Ended(w.ctx, err)
		}
		j := w.cheapest(groups, x, false)
		w.join(x, groups[j])
		groups = slices.Delete(groups, j, j+1)
		if j < i {
			i--
		}
	}
	return groups, nil
}
