package compare

import (
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
)

// A metric is the distance of records after Gower: the sum over columns of |x−y|/range for numbers, the
// range that of both files together, and of 0 or 1 for categories. A missing number is at
// distance 1 of any other and at 0 of a missing one.
//
// Source: Gower, A general coefficient of similarity and some of its properties (Biometrics 1971), as
// anonymeter has it, but that two missing numbers are at distance 1 there.
type metric struct {
	scale []float64 // 1/range by column
}

// newMetric takes the ranges of the files together.
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

// column is the distance in one column.
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

// between is the distance of record i of a from record j of b, or something above most where it is
// above.
func (m *metric) between(a, b *Records, i, j int32, most float64) float64 {
	d := 0.0
	for k := range m.scale {
		if d += m.column(a, b, k, i, j); d > most {
			break
		}
	}
	return d
}

// slack makes distances equal that differ by rounding.
const slack = 1e-12

// A group is records that are alike.
type group struct{ records []int32 }

// groups are the different records of r, in the order of their first.
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
					v = math.Abs(v) // one zero, one of what is missing
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

// A neighbour is what is nearest to a record.
type neighbour struct {
	distance float64
	records  []int32 // all at that distance, in ascending order
}

// nearest finds for each of some records of a the records of b that are nearest. Cost: the number of records times that of
// different ones of b.
func (m *metric) nearest(ctx context.Context, a, b *Records, records []int32) ([]neighbour, error) {
	all := groups(b)
	found := make([]neighbour, len(records))
	err := parallel.Do(ctx, len(records), 0, func(ctx context.Context, n int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		best := math.Inf(1)
		var ties []int
		for g := range all {
			d := m.between(a, b, records[n], all[g].records[0], best+slack)
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

// closest finds the k records of b nearest to record i of a, ties by their number.
func (m *metric) closest(a, b *Records, i int32, k int) []int32 {
	type near struct {
		d float64
		j int32
	}
	var heap []near // sorted, at most k
	most := math.Inf(1)
	for j := range int32(b.N) {
		d := m.between(a, b, i, j, most)
		if len(heap) == k && d >= most-slack {
			continue
		}
		at := len(heap)
		for at > 0 && heap[at-1].d > d+slack {
			at--
		}
		heap = slices.Insert(heap, at, near{d, j})
		if len(heap) > k {
			heap = heap[:k]
		}
		if len(heap) == k {
			most = heap[k-1].d
		}
	}
	list := make([]int32, len(heap))
	for n, x := range heap {
		list[n] = x.j
	}
	return list
}

// A neighbourhood is the k records nearest to one: those in it for certain, and as many drawn of those at the distance of the last one.
type neighbourhood struct {
	in, ties []int32 // in ascending order
	drawn    int
}

// around finds the k records of b nearest to record i of a, or all where there are no more.
func (m *metric) around(a, b *Records, i int32, k int) neighbourhood {
	last := 0.0
	for _, j := range m.closest(a, b, i, k) {
		last = m.between(a, b, i, j, math.Inf(1)) // they are in their order
	}
	var x neighbourhood
	for j := range int32(b.N) {
		switch d := m.between(a, b, i, j, last+slack); {
		case d < last-slack:
			x.in = append(x.in, j)
		case d <= last+slack:
			x.ties = append(x.ties, j)
		}
	}
	x.drawn = min(k, b.N) - len(x.in)
	return x
}
