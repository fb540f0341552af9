package compare

import (
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// A metric is Gower's distance between records: the sum over columns of |x−y|/range for numbers, with the range of both
// files together, and of 0 or 1 for categories. A missing number is at distance 1 from any number and at 0 from a
// missing one.
//
// Source: Gower, A general coefficient of similarity and some of its properties (Biometrics 1971), as in anonymeter,
// except that there two missing numbers are at distance 1.
type metric struct {
	scale []float64 // 1/range by column
}

// newMetric returns the metric with the ranges of all files together.
func newMetric(files ...*Records) *metric {
	m := &metric{scale: make([]float64, len(files[0].X))}
	for k := range m.scale {
		low, high := math.Inf(1), math.Inf(-1)
		for _, f := range files {
			for _, x := range f.X[k] {
				if !math.IsNaN(x) {
					low, high = min(low, x), max(high, x)
				}
			}
		}
		if high > low {
			m.scale[k] = 1 / (high - low)
		}
	}
	return m
}

// column returns the distance in one column.
func (m *metric) column(a, b *Records, k int, i, j int32) float64 {
	x := a.X[k]
	if x == nil || a.meanings != nil || b.meanings != nil {
		if same(a, b, k, i, j) {
			return 0
		}
	}
	switch {
	case x == nil:
		return 1
	case missing(x, i) || missing(b.X[k], j):
		if missing(x, i) && missing(b.X[k], j) {
			return 0
		}
		return 1
	default:
		return math.Abs(x[i]-b.X[k][j]) * m.scale[k]
	}
}

// slack is the difference below which distances count as equal, because of rounding.
const slack = 1e-12

// A group is a set of records that are alike.
type group struct{ records []int32 }

// groups returns the groups of equal records of r, in the order of their first records.
func groups(r *Records) []group {
	at := map[string]int{}
	var all []group
	var key []byte
	for i := range int32(r.N) {
		key = key[:0]
		for k := range r.ID {
			u := uint64(r.ID[k][i])
			if x := r.X[k]; x != nil {
				v := x[i]
				if v == 0 || math.IsNaN(v) {
					v = math.Abs(v) // one zero and one NaN
				}
				u = math.Float64bits(v)
			}
			for range 8 {
				key = append(key, byte(u))
				u >>= 8
			}
		}
		g, ok := at[string(key)]
		if !ok {
			g = len(all)
			at[string(key)] = g
			all = append(all, group{})
		}
		all[g].records = append(all[g].records, i)
	}
	return all
}

// A neighbour holds the records nearest to a record.
type neighbour struct {
	distance float64
	records  []int32 // all at that distance, in ascending order
}

// nearest finds, for each of some records of a, the nearest records of b. Cost: the number of records times the number
// of different records of b.
func (m *metric) nearest(ctx context.Context, a, b *Records, records []int32) ([]neighbour, error) {
	all := groups(b)
	among := m.among(a, b, firsts(all))
	found := make([]neighbour, len(records))
	err := parallel.Do(ctx, len(records), 0, func(ctx context.Context, n int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := among.from(records[n])
		best := math.Inf(1)
		var ties []int
		for g := range all {
			d := from.distance(g, best+slack)
			switch {
			case d < best-slack:
				best, ties = d, append(ties[:0], g)
			case d <= best+slack:
				ties = append(ties, g)
			}
		}
		found[n].distance = best
		for _, g := range ties {
			found[n].records = append(found[n].records, all[g].records...)
		}
		slices.Sort(found[n].records)
		return nil
	})
	return found, err
}

// closest returns the distance of the k-th nearest record of b, where d has the distances of all.
func closest(d []float64, k int) float64 {
	var heap []float64 // at most k, sorted
	for _, d := range d {
		if len(heap) == k && d >= heap[k-1]-slack {
			continue
		}
		at := len(heap)
		for at > 0 && heap[at-1] > d+slack {
			at--
		}
		if heap = slices.Insert(heap, at, d); len(heap) > k {
			heap = heap[:k]
		}
	}
	return heap[len(heap)-1]
}

// A neighbourhood is the k records nearest to one: those certainly in it, and drawn ones of those at the distance of
// the last.
type neighbourhood struct {
	in, ties []int32 // in ascending order
	drawn    int
}

// around finds the k records nearest to record i, or all if there are no more.
func (x *among) around(i int32, k int) neighbourhood {
	from := x.from(i)
	different := sets.List(len(x.records), func(g int) float64 { return from.distance(g, math.Inf(1)) })
	d := sets.Pick(different, x.of)
	last := closest(d, k)
	var near neighbourhood
	for j, d := range d {
		switch {
		case d < last-slack:
			near.in = append(near.in, int32(j))
		case d <= last+slack:
			near.ties = append(near.ties, int32(j))
		}
	}
	near.drawn = min(k, len(d)) - len(near.in)
	return near
}
