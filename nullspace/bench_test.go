package nullspace

import (
	"fmt"
	"testing"

	"github.com/hitoku/hitoku/table"
)

// band is a two-way pattern of dimension d: a 2×(d+1) table, all cells withheld,
// rest 30 in every column.
func band(t testing.TB, d int) *Fibre {
	const m = 30
	cols := make([]int64, d+1)
	for j := range cols {
		cols[j] = m
	}
	half := int64(d+1) * m / 2
	rel := twoWay([]int64{half, int64(d+1)*m - half}, cols)
	return mustNew(t, rel, all(rel.N), make([]int64, rel.N), nil, nil)
}

// square is a two-way pattern of dimension (n−1)²: n×n, all margins m.
func square(t testing.TB, n int, m int64) *Fibre {
	r := make([]int64, n)
	for i := range r {
		r[i] = m
	}
	rel := twoWay(r, r)
	return mustNew(t, rel, all(rel.N), make([]int64, rel.N), nil, nil)
}

// cube is a k×k×k table with all its two-way margins m, all cells withheld:
// dimension (k−1)³.
func cube(t testing.TB, k int, m int64) (*Fibre, *table.Relations) {
	rel := table.NewRelations(k * k * k)
	for axis := range 3 {
		stride := []int{1, k, k * k}[axis]
		for a := range k * k {
			base := a % stride
			base += a / stride * stride * k
			var cell, coef []int32
			for x := range k {
				cell, coef = append(cell, int32(base+x*stride)), append(coef, 1)
			}
			rel.Add(cell, coef, m)
		}
	}
	return mustNew(t, rel, all(rel.N), make([]int64, rel.N), nil, nil), rel
}

func benchPoints(b *testing.B, f *Fibre) {
	if err := f.Check(bg); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	points := 0
	b.ResetTimer()
	for points < b.N {
		for range f.Points(bg) {
			if points++; points >= b.N {
				break
			}
		}
	}
	b.ReportMetric(float64(points)/b.Elapsed().Seconds(), "points/s")
}

func BenchmarkPoints(b *testing.B) {
	for d := 1; d <= 8; d++ {
		b.Run(fmt.Sprintf("band/dim=%d", d), func(b *testing.B) { benchPoints(b, band(b, d)) })
	}
	for n := 2; n <= 4; n++ {
		b.Run(fmt.Sprintf("square/dim=%d", (n-1)*(n-1)), func(b *testing.B) { benchPoints(b, square(b, n, 30)) })
	}
	b.Run("square/thin/dim=9", func(b *testing.B) { benchPoints(b, square(b, 4, 4)) })
	b.Run("square/thin/dim=16", func(b *testing.B) { benchPoints(b, square(b, 5, 3)) })
	b.Run("cube/dim=8", func(b *testing.B) {
		f, _ := cube(b, 3, 12)
		benchPoints(b, f)
	})
}

func BenchmarkCount(b *testing.B) {
	f := square(b, 4, 6)
	for b.Loop() {
		mustCount(b, f)
	}
}

// BenchmarkPrepare is what a fibre costs before its first point.
func BenchmarkPrepare(b *testing.B) {
	for _, c := range []struct {
		name string
		make func() *Fibre
	}{
		{"band/dim=2", func() *Fibre { return band(b, 2) }},
		{"band/dim=4", func() *Fibre { return band(b, 4) }},
		{"band/dim=8", func() *Fibre { return band(b, 8) }},
		{"square/dim=9", func() *Fibre { return square(b, 4, 30) }},
		{"square/dim=16", func() *Fibre { return square(b, 5, 30) }},
		{"cube/dim=8", func() *Fibre { f, _ := cube(b, 3, 12); return f }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := c.make().Check(bg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
