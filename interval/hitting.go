package interval

import (
	"cmp"
	"slices"
)

// A hitting is a search for a smallest set that meets each of the given sets (a minimum hitting set).
type hitting struct {
	sets [][]int32 // each ascending
	best []int32
	work *int // number of sets that may still be examined
}

// smallestHitting returns a smallest set, ascending, that has an element of each of the sets; nil if every such set has
// at least limit elements. It subtracts the number of sets examined from work; ok is false if that runs out.
func smallestHitting(sets [][]int32, limit int, work *int) (best []int32, ok bool) {
	h := &hitting{sets: slices.Clone(sets), work: work}
	slices.SortStableFunc(h.sets, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
	h.best = make([]int32, limit)
	h.search(nil, nil)
	if *work <= 0 {
		return nil, false
	}
	if len(h.best) == limit {
		return nil, true
	}
	slices.Sort(h.best)
	return h.best, true
}

// search looks for hitting sets, smaller than the best so far, that contain in and nothing of out.
func (h *hitting) search(in, out []int32) {
	if *h.work -= 1 + len(h.sets); *h.work <= 0 {
		return
	}
	// Disjoint sets need an element each, which bounds the size; the search branches on one of them.
	var branch []int32
	var packed []int32
	need := 0
	for _, s := range h.sets {
		if slices.ContainsFunc(s, func(i int32) bool { return slices.Contains(in, i) }) {
			continue
		}
		left := make([]int32, 0, len(s))
		for _, i := range s {
			if !slices.Contains(out, i) {
				left = append(left, i)
			}
		}
		if len(left) == 0 {
			return
		}
		if branch == nil || len(left) < len(branch) {
			branch = left
		}
		if !slices.ContainsFunc(left, func(i int32) bool { return slices.Contains(packed, i) }) {
			packed = append(packed, left...)
			need++
		}
	}
	if len(in)+need >= len(h.best) {
		return
	}
	if branch == nil {
		h.best = slices.Clone(in)
		return
	}
	// Elements that meet the most sets come first.
	meets := make(map[int32]int, len(branch))
	for _, i := range branch {
		for _, s := range h.sets {
			if _, has := slices.BinarySearch(s, i); has {
				meets[i]++
			}
		}
	}
	slices.SortStableFunc(branch, func(a, b int32) int { return cmp.Compare(meets[b], meets[a]) })
	for n, i := range branch {
		h.search(append(slices.Clip(in), i), append(slices.Clip(out), branch[:n]...))
	}
}
