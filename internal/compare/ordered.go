package compare

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// orderedPlaces is about how many places [Candidates.Ordered] looks at.
const orderedPlaces = 100_000

// Ordered reports whether the place of a record reveals more of column k than its released value: whether among the
// records with the same released value (and the same value of column within, unless that is negative) more than by
// chance may be the records that the original, sorted by k in either direction, has at their places. Persons with equal
// values are equally likely at each of their places. If released values of k overlap, nothing can be said. The bound is
// that of [Candidates.InOrder], corrected for the number of tests; it also holds for numbers from 0 to 1 in place of
// matches, and for sums over independent orders.
func (c *Candidates) Ordered(original, release *Records, k, within, tests int) bool {
	if original.N != release.N {
		return false
	}
	key := func(released, other uint32) uint64 { return uint64(released)<<32 | uint64(other) }
	lines, persons := map[uint64][]int32{}, map[uint64][]int32{}
	for i := range int32(original.N) {
		of := c.meanings[k].of(original.ID[k][i])
		if len(of) != 1 {
			return false
		}
		a, b := uint32(0), uint32(0)
		if within >= 0 {
			a, b = original.ID[within][i], release.ID[within][i]
		}
		persons[key(of[0], a)] = append(persons[key(of[0], a)], i)
		lines[key(release.ID[k][i], b)] = append(lines[key(release.ID[k][i], b)], i)
	}
	value := original.comparer(k)
	step := max(1, original.N/orderedPlaces)
	agree, expected := [2]float64{}, 0.0
	for _, at := range slices.Sorted(maps.Keys(persons)) { // in a fixed order, so that the sums are the same
		list, records := persons[at], lines[at]
		if len(records) != len(list) {
			return false
		}
		slices.SortStableFunc(list, func(i, j int32) int { return value(original.ID[k][i], original.ID[k][j]) })
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && value(original.ID[k][list[from]], original.ID[k][list[to]]) == 0 {
				to++
			}
			rows := [2]map[int]int{{}, {}} // the rows at these places when sorted upwards and downwards
			for p := from; p < to; p++ {
				rows[0][int(c.of[records[p]])]++
				rows[1][int(c.of[records[len(list)-1-p]])]++
			}
			for p := from; p < to; p += step {
				n, fits := 0, [2]int{}
				c.each(original, list[p], func(row int) {
					n += len(c.groups[row])
					fits[0] += rows[0][row]
					fits[1] += rows[1][row]
				})
				expected += float64(n) / float64(len(list))
				agree[0] += float64(fits[0]) / float64(to-from)
				agree[1] += float64(fits[1]) / float64(to-from)
			}
			from = to
		}
	}
	t := max(agree[0], agree[1]) - expected
	return t > 1e-6*expected && 4*math.Exp(-t*t/(4*expected+2*t))*float64(tests) < 0.01
}

// comparer returns a comparison of the values of column k, as numbers if all are.
func (r *Records) comparer(k int) func(a, b uint32) int {
	x, numeric := map[uint32]float64{}, true
	for _, id := range r.ID[k] {
		if _, ok := x[id]; !ok {
			v, err := number(r.values.Value(k, id))
			x[id], numeric = v, numeric && err == nil
		}
	}
	return func(a, b uint32) int {
		if numeric {
			return cmp.Compare(x[a], x[b])
		}
		return strings.Compare(r.values.Value(k, a), r.values.Value(k, b))
	}
}
