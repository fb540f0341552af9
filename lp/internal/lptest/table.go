package lptest

import (
	"math"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/lp"
)

// A dim is one classification of a table: its codes, 0 … codes−1, and its
// sums, each a total followed by its parts.
type dim struct {
	codes int
	sums  [][]int
}

// flat returns k codes and their total.
func flat(k int) dim {
	return dim{codes: k + 1, sums: [][]int{sets.Upto(k + 1)}}
}

// tree returns a total of groups of codes.
func tree(groups, each int) dim {
	d := dim{codes: 1 + groups*(1+each)}
	top := []int{0}
	for g := range groups {
		head := 1 + g*(1+each)
		top = append(top, head)
		part := []int{head}
		for c := range each {
			part = append(part, head+1+c)
		}
		d.sums = append(d.sums, part)
	}
	d.sums = append(d.sums, top)
	return d
}

// A table is the relations My = 0 (total − Σ parts) over the product of
// classifications, with additive integer values a.
type table struct {
	a    []float64
	rows []lp.Row
}

// newTable draws the cells without parts from 0 … 49, one in five of them 0.
func newTable(rng *rand.Rand, dims ...dim) *table {
	n := 1
	stride := make([]int, len(dims))
	for k := len(dims) - 1; k >= 0; k-- {
		stride[k] = n
		n *= dims[k].codes
	}
	t := &table{a: make([]float64, n)}
	total := make([]bool, n)
	for k, d := range dims {
		for _, sum := range d.sums {
			for cell := range n {
				if cell/stride[k]%d.codes != sum[0] {
					continue
				}
				total[cell] = true
				row := lp.Row{Idx: []int32{int32(cell)}, Val: []float64{1}}
				for _, part := range sum[1:] {
					row.Idx = append(row.Idx, int32(cell+(part-sum[0])*stride[k]))
					row.Val = append(row.Val, -1)
				}
				t.rows = append(t.rows, row)
			}
		}
	}
	for cell := range n {
		if !total[cell] && rng.IntN(5) > 0 {
			t.a[cell] = float64(rng.IntN(50))
		}
	}
	// Each classification lists inner sums before outer ones, so that adding
	// up in the order of the relations sees only finished parts.
	for i := range t.rows {
		row := &t.rows[i]
		t.a[row.Idx[0]] = 0
		for _, j := range row.Idx[1:] {
			t.a[row.Idx[0]] += t.a[j]
		}
	}
	return t
}

// withhold draws a pattern: each cell with probability share, at least one.
func (t *table) withhold(rng *rand.Rand, share float64) []int {
	var s []int
	for j := range t.a {
		if rng.Float64() < share {
			s = append(s, j)
		}
	}
	if len(s) == 0 {
		s = append(s, rng.IntN(len(t.a)))
	}
	return s
}

// intruder returns the program of an intruder who knows all cells but the withheld ones, which he knows to be ≥ 0: all
// other columns are fixed.
func (t *table) intruder(withheld []int) *lp.Problem {
	p := &lp.Problem{
		Cost: make([]float64, len(t.a)),
		Lo:   append([]float64(nil), t.a...),
		Up:   append([]float64(nil), t.a...),
		Rows: t.rows,
	}
	for _, j := range withheld {
		p.Lo[j], p.Up[j] = 0, inf
	}
	return p
}

// tableInstance returns the intruder's program of a random table of at most n cells (two-way, three-way, or
// hierarchical if ways is 0), minimising or maximising one withheld cell or a combination of them. Some of the bounds
// [0, ∞) are replaced by bounds around the true value.
func tableInstance(rng *rand.Rand, n, ways int) instance {
	t := newTable(rng, tableDims(rng, n, ways)...)
	s := t.withhold(rng, 0.1+float64(0.4*rng.Float64()))
	p := t.intruder(s)
	for _, j := range s {
		switch rng.IntN(4) {
		case 0:
			p.Lo[j], p.Up[j] = math.Floor(t.a[j]/2), 2*t.a[j]
		case 1:
			p.Lo[j] = 0
			p.Up[j] = t.a[j] + float64(rng.IntN(20))
		}
	}
	if rng.IntN(4) > 0 {
		p.Cost[s[rng.IntN(len(s))]] = float64(1 - 2*rng.IntN(2))
	} else {
		for _, j := range s {
			p.Cost[j] = smallInt(rng, 3)
		}
	}
	in := instance{p: p, value: math.NaN()}
	if len(s) > 0 && rng.IntN(10) == 0 { // a published total off by one
		if j := int(t.rows[len(t.rows)-1].Idx[0]); p.Lo[j] == p.Up[j] {
			p.Lo[j]++
			p.Up[j]++
		}
	}
	return in
}

// tableDims draws classifications whose product has at most max(n, 4) codes.
func tableDims(rng *rand.Rand, n, ways int) []dim {
	draw := func() []dim {
		switch ways {
		case 0:
			dims := []dim{tree(1+rng.IntN(3), 1+rng.IntN(3))}
			if rng.IntN(2) == 0 {
				dims = append(dims, tree(1+rng.IntN(2), 1+rng.IntN(3)))
			} else if rng.IntN(2) == 0 {
				dims = append(dims, flat(1+rng.IntN(5)))
			}
			return dims
		case 2:
			return []dim{flat(1 + rng.IntN(9)), flat(1 + rng.IntN(9))}
		}
		return []dim{flat(1 + rng.IntN(4)), flat(1 + rng.IntN(4)), flat(1 + rng.IntN(4))}
	}
	for range 50 {
		dims := draw()
		cells := 1
		for _, d := range dims {
			cells *= d.codes
		}
		if cells <= n {
			return dims
		}
	}
	return []dim{flat(1), flat(1)}
}
