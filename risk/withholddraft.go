package risk

import (
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
)

// maxMerged is the most groups that merge begins with.
const maxMerged = 1000

// drafts are ways to find groups that reach the goal; one may find none.
func (w *withholding) drafts() []func() ([]*starGroup, error) {
	if w.plain() {
		return []func() ([]*starGroup, error){func() ([]*starGroup, error) { return w.greedy(false) }, func() ([]*starGroup, error) { return w.greedy(true) }}
	}
	return []func() ([]*starGroup, error){w.coarsen, w.merge}
}

// greedy makes groups of k of what agrees outside ever dearer sets of columns. With borrow classes of more than k records lend some where that costs
// less than another value of the others.
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

// coarsen makes groups of what agrees outside ever dearer sets of columns and reaches the goal.
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

// group is all records of classes.
func (w *withholding) group(list []int) *starGroup {
	x := &starGroup{member: map[int]uint64{}}
	for g, n := range w.all(list) {
		x.member[g] = n
		x.size += n
	}
	x.set = w.differ(x)
	return x
}

// gather puts the records that are left into the group where they cost least and reach the goal. Where there is none for those that agree in what may not be withheld, they take up groups until
// they reach it.
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

// join takes the records of another group up into x.
func (w *withholding) join(x, other *starGroup) {
	for g, n := range other.member {
		x.member[g] += n
	}
	x.size += other.size
	x.set = w.differ(x)
	w.see(x)
}

// cheapest is the group that costs least together with another, −1 for none; with reach they reach the goal together. All have been seen (see), and with reach
// each of the groups reaches it by itself. The goal is asked last, of those alone that would be taken.
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

// see notes of a group one of its classes and the columns in which its classes differ, so that those in which it differs from another are known without going through
// both: where two groups have one value each in a column, any two of their classes tell whether it is the same.
func (w *withholding) see(x *starGroup) {
	x.one, x.span = -1, w.differ(x)
	for g := range x.member {
		x.one = g
		break
	}
}

// merge joins groups that miss the goal with those that make it cheapest, from classes of equal quasi-identifiers on.
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
