package risk

import (
	"cmp"
	"maps"
	"slices"
)

// A SizeCount is a bar of a histogram of class sizes.
type SizeCount struct {
	Size    uint64
	Classes uint64
	Records uint64
}

// Histogram counts classes by their size.
type Histogram []SizeCount

// histogram makes a histogram of the sizes that occur, in ascending order.
func histogram(classes map[uint64]uint64) Histogram {
	h := Histogram{}
	for _, s := range slices.Sorted(maps.Keys(classes)) {
		h = append(h, SizeCount{s, classes[s], s * classes[s]})
	}
	return h
}

// A Bucket is a range of values and what falls into it.
type Bucket struct {
	Lower   uint64
	Upper   uint64
	Classes uint64
	Records uint64
}

// Buckets groups the sizes of h in the ranges 0, 1, 2, 3–4, 5–9, 10–19, 20–49, 50–99 and so on in steps of 2, 5 and 10,
// as data loss prevention services show them. Empty ranges are left out.
func (h Histogram) Buckets() []Bucket {
	var out []Bucket
	bounds := []uint64{0, 1, 2, 3, 5, 10, 20, 50} // where ranges begin
	i := 0
	for _, s := range h {
		for s.Size >= bounds[i+1] {
			if i++; i == len(bounds)-1 {
				bounds = append(bounds, 10*bounds[i-2])
			}
		}
		if len(out) == 0 || out[len(out)-1].Lower != bounds[i] {
			out = append(out, Bucket{Lower: bounds[i], Upper: bounds[i+1] - 1})
		}
		b := &out[len(out)-1]
		b.Classes += s.Classes
		b.Records += s.Records
	}
	return out
}

// A Share is a range [Lower, Upper) of probabilities and what falls into it; the last one, [1, 1], is certainty.
type Share struct {
	Lower   float64
	Upper   float64
	Classes uint64
	Records uint64
}

var shareBounds = []float64{0, 0.01, 0.05, 0.1, 0.2, 0.33, 0.5, 0.75, 1}

// shares counts probabilities, each for a class with a number of records.
type shares [9]Share

func (s *shares) add(p float64, records uint64) {
	i, found := slices.BinarySearch(shareBounds, p)
	if !found {
		i--
	}
	i = max(0, min(i, len(s)-1))
	s[i].Classes++
	s[i].Records += records
}

func (s *shares) list() []Share {
	out := []Share{}
	for i, b := range s {
		if b.Classes > 0 {
			b.Lower, b.Upper = shareBounds[i], shareBounds[min(i+1, len(s)-1)]
			out = append(out, b)
		}
	}
	return out
}

// worst returns the first n classes in keep by compare, which must be a total order of classes.
func worst(n, classes int, keep func(g int) bool, compare func(a, b int) int) []int {
	var w []int
	if n > 1000 { // sorting all is then cheaper than inserting one by one
		for g := range classes {
			if keep == nil || keep(g) {
				w = append(w, g)
			}
		}
		slices.SortFunc(w, compare)
		return w[:min(len(w), n)]
	}
	for g := range classes {
		if n == 0 || keep != nil && !keep(g) {
			continue
		}
		if len(w) == n && compare(g, w[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(w, g, compare)
		w = slices.Insert(w, at, g)
		w = w[:min(len(w), n)]
	}
	return w
}

// compareTuples orders classes by their values.
func (c *Classes) compareTuples(a, b int) int {
	x, y := c.t.tuple(a), c.t.tuple(b)
	for k := range x {
		if x[k] != y[k] {
			return cmp.Compare(c.columns.Value(k, x[k]), c.columns.Value(k, y[k]))
		}
	}
	return 0
}
