// Package masking forms the groups of microaggregation and draws the partners of rank swapping.
package masking

import (
	"cmp"
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// MDAV divides records, whose numbers x holds by column, into groups of k to 2k−1 similar ones, and returns the group
// of each. While at least 3k records are left, the one farthest from their mean forms a group with the k−1 nearest to
// it, and so does the one farthest from that record. If at least 2k are then left, the one farthest from their mean
// forms a group likewise, and the others are the last group. Of equally distant records the first is taken. The
// distance is Σ (x−y)²/s², where s² is the variance of a column.
//
// Source: Domingo-Ferrer and Mateo-Sanz, Practical data-oriented microaggregation for statistical disclosure control
// (TKDE 2002), as stated by Domingo-Ferrer and Torra, Ordinal, continuous and heterogeneous k-anonymity through
// microaggregation (2005), and as in sdcMicro's mdav. Cost: n²/k distances. Fewer than 2k records are one group. If ctx
// ends, the error wraps its error.
func MDAV(ctx context.Context, x [][]float64, k int) ([]int32, error) {
	m := &mdav{x: x, k: k}
	n := 0
	if len(x) > 0 {
		n = len(x[0])
	}
	m.group = make([]int32, n)
	m.d = make([]float64, n)
	for i := range int32(n) {
		m.left = append(m.left, i)
	}
	mean := m.mean()
	for c, column := range x {
		v := 0.0
		for _, y := range column {
			v += float64((y - mean[c]) * (y - mean[c]))
		}
		if v > 0 {
			v = float64(n) / v
		}
		m.weight = append(m.weight, v)
	}
	for len(m.left) >= 2*k {
		if err := ctx.Err(); err != nil {
			return nil, parallel.Ended(ctx, err)
		}
		more := len(m.left) >= 3*k
		first := m.farthest(m.mean())
		m.around(first)
		if more {
			m.around(m.farthest(m.record(first)))
		}
	}
	for _, i := range m.left {
		m.group[i] = m.groups
	}
	return m.group, nil
}

type mdav struct {
	x      [][]float64
	weight []float64
	k      int
	left   []int32 // records without a group, ascending
	group  []int32
	groups int32
	d      []float64 // distances, by record
}

// mean returns the mean of the records left.
func (m *mdav) mean() []float64 {
	mean := make([]float64, len(m.x))
	for c, column := range m.x {
		for _, i := range m.left {
			mean[c] += column[i]
		}
		mean[c] /= float64(len(m.left))
	}
	return mean
}

func (m *mdav) record(i int32) []float64 {
	return sets.Each(m.x, func(column []float64) float64 { return column[i] })
}

// measure computes the distances of the records left from a point.
func (m *mdav) measure(from []float64) {
	for _, i := range m.left {
		m.d[i] = 0
	}
	for c, column := range m.x {
		w, at := m.weight[c], from[c]
		for _, i := range m.left {
			y := column[i] - at
			m.d[i] += float64(w * float64(y*y))
		}
	}
}

// farthest returns the record left that is farthest from a point.
func (m *mdav) farthest(from []float64) int32 {
	m.measure(from)
	best := m.left[0]
	for _, i := range m.left {
		if m.d[i] > m.d[best] {
			best = i
		}
	}
	return best
}

// around groups a record with the k−1 nearest to it.
func (m *mdav) around(of int32) {
	m.measure(m.record(of))
	m.d[of] = -1
	near := make([]int32, 0, m.k+1) // nearest first
	for _, i := range m.left {
		if len(near) == m.k && m.d[i] >= m.d[near[m.k-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(near, i, func(a, b int32) int { return cmp.Or(cmp.Compare(m.d[a], m.d[b]), cmp.Compare(a, b)) })
		near = slices.Insert(near, at, i)
		near = near[:min(len(near), m.k)]
	}
	for _, i := range near {
		m.group[i] = m.groups
		m.d[i] = -2
	}
	m.groups++
	m.left = slices.DeleteFunc(m.left, func(i int32) bool { return m.d[i] == -2 })
}
