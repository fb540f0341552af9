package sets

import "slices"

// Upto returns the numbers 0 … n−1.
func Upto[N int | int32](n N) []N {
	all := make([]N, n)
	for i := range all {
		all[i] = N(i)
	}
	return all
}

// Mask returns a mask of length n in which the given places are set.
func Mask[I int | int32](n int, places []I) []bool {
	marked := make([]bool, n)
	for _, i := range places {
		marked[i] = true
	}
	return marked
}

// Marked returns the places that are set in a mask, ascending.
func Marked[I int | int32](mask []bool) (places []I) {
	for i, in := range mask {
		if in {
			places = append(places, I(i))
		}
	}
	return places
}

// Times returns how often x is in a list.
func Times[T comparable](list []T, x T) (n int) {
	for _, y := range list {
		if y == x {
			n++
		}
	}
	return n
}

// List returns a list of n entries, each computed from its place.
func List[N int | int32, T any](n N, entry func(place N) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = entry(N(i))
	}
	return list
}

// Extend appends x to an optional column: nil stays nil.
func Extend[T any](column *[]T, x T) {
	if *column != nil {
		*column = append(*column, x)
	}
}

// Pick returns the entries of list at the given places, in the order of these.
func Pick[T any, I int | int32 | uint32](list []T, places []I) []T {
	picked := make([]T, len(places))
	for n, i := range places {
		picked[n] = list[i]
	}
	return picked
}

// Of returns the set of the entries of a list.
func Of[T comparable](list []T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, x := range list {
		set[x] = true
	}
	return set
}

// Places maps each entry of a list to its place, the last one if it occurs more than once.
func Places[I int | int32, T comparable](list []T) map[T]I {
	at := make(map[T]I, len(list))
	for i, x := range list {
		at[x] = I(i)
	}
	return at
}

// Each converts a list entry by entry; nil becomes nil.
func Each[T, U any](list []T, convert func(T) U) []U {
	if list == nil {
		return nil
	}
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = convert(x)
	}
	return out
}

// Grouped sorts entries into buckets; those of bucket b are list[from[b]:from[b+1]], in the order in which they
// were put. It calls each twice, which must put the same entries both times.
func Grouped[T any](buckets int, each func(put func(bucket int32, x T))) (from []int32, list []T) {
	from = make([]int32, buckets+1)
	each(func(b int32, _ T) { from[b+1]++ })
	for b := range buckets {
		from[b+1] += from[b]
	}
	list = make([]T, from[buckets])
	next := slices.Clone(from[:buckets])
	each(func(b int32, x T) {
		list[next[b]] = x
		next[b]++
	})
	return from, list
}

// Where returns the entries for which holds is true, in order; nil if there are none.
func Where[T any](list []T, holds func(T) bool) (some []T) {
	for _, x := range list {
		if holds(x) {
			some = append(some, x)
		}
	}
	return some
}

// Count returns for how many entries holds is true.
func Count[T any](list []T, holds func(T) bool) (n int) {
	for _, x := range list {
		if holds(x) {
			n++
		}
	}
	return n
}
