// Package tabletest draws the tables with which tests of several packages begin.
package tabletest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// CrossTab builds a two-way table of counts from its inner cells, with computed margins.
func CrossTab(t testing.TB, inner [][]int64) *table.Table {
	t.Helper()
	var rows, cols []string
	for r := range inner {
		rows = append(rows, fmt.Sprintf("r%d", r+1))
	}
	for c := range inner[0] {
		cols = append(cols, fmt.Sprintf("c%d", c+1))
	}
	a, _ := table.FlatDimension("row", "T", rows)
	b, _ := table.FlatDimension("col", "T", cols)
	var recs []table.Record
	for r := range inner {
		for c, v := range inner[r] {
			recs = append(recs, table.Record{Codes: []string{rows[r], cols[c]}, Value: table.Num(v, 0)})
		}
	}
	return must.Get(table.Build("test", []table.Dimension{a, b}, recs, true))(t)
}

// Counts is CrossTab with published margins.
func Counts(t testing.TB, inner [][]int64) *table.Table {
	t.Helper()
	tab := CrossTab(t, inner)
	tab.PublishMargins()
	return tab
}

// Drawn is CrossTab with values drawn by draw, row by row.
func Drawn(t testing.TB, rows, cols int, draw func() int64) *table.Table {
	t.Helper()
	inner := sets.List(rows, func(int) []int64 { return sets.List(cols, func(_ int) int64 { return draw() }) })
	return CrossTab(t, inner)
}

// Ones draws a two-way table of counts with many ones; cells below 3 are sensitive, and the published margins
// tell much.
func Ones(t testing.TB, rng *rand.Rand, rows, cols int) *table.Table {
	t.Helper()
	tab := Drawn(t, rows, cols, func() int64 { return []int64{1, 1, 2, 5, 9, 14, 20}[rng.IntN(7)] })
	tab.PublishMargins()
	if _, _, err := tab.MinimumFrequency(3, false); err != nil {
		t.Fatal(err)
	}
	must.Do(t, tab.SetCost(table.CostKind{Kind: "value"}))
	must.Do(t, tab.SetLevels(table.Levels{Width: &table.Level{Decimal: table.Decimal{Unscaled: 2}}}))
	return tab
}

// Cells calls do with the codes of each inner cell in order; do may keep them.
func Cells(dims []table.Dimension, do func(codes []string)) {
	codes := make([]string, len(dims))
	var fill func(d int)
	fill = func(d int) {
		if d == len(dims) {
			do(slices.Clone(codes))
			return
		}
		leaf := dims[d].Leaves()
		for c, code := range dims[d].Codes {
			if leaf[c] {
				codes[d] = code
				fill(d + 1)
			}
		}
	}
	fill(0)
}

// Random draws a table of one of several shapes with random bounds.
func Random(rng *rand.Rand, kind int) *table.Table {
	flat := func(k int) table.Dimension {
		codes := sets.List(k, func(i int) string { return string(rune('a' + i)) })
		d, _ := table.FlatDimension("d", "T", codes)
		return d
	}
	tree := func(parents ...string) table.Dimension {
		e := sets.List(len(parents), func(i int) table.Edge { return table.Edge{Code: string(rune('a' + i)), Parent: parents[i]} })
		d, err := table.NewDimension("h", "T", e)
		if err != nil {
			panic(err)
		}
		return d
	}
	var dims []table.Dimension
	switch kind % 7 {
	case 0:
		dims = []table.Dimension{flat(4), flat(5)}
	case 1:
		dims = []table.Dimension{tree("T", "T", "a", "a", "b", "b", "c", "c"), flat(3)}
	case 2:
		dims = []table.Dimension{flat(2), tree("T", "T", "T", "a", "a", "b")}
	case 3:
		dims = []table.Dimension{flat(3), flat(3), flat(3)}
	case 4:
		dims = []table.Dimension{tree("T", "T", "a", "a", "b", "b"), tree("T", "a", "a", "T")}
	case 5:
		dims = []table.Dimension{tree("T", "T", "a", "a", "a")}
	case 6:
		dims = []table.Dimension{flat(2), flat(3), flat(2), flat(2)}
	}
	var recs []table.Record
	Cells(dims, func(codes []string) {
		recs = append(recs, table.Record{Codes: codes, Value: table.Num(rng.Int64N(30), 0)})
	})
	tab, err := table.Build("random", dims, recs, true)
	if err != nil {
		panic(err)
	}
	if rng.IntN(2) == 0 {
		for i := range tab.Len() {
			if rng.IntN(2) == 0 {
				tab.Upper[i] = tab.Value[i] + rng.Int64N(20)
			}
			if rng.IntN(3) == 0 {
				tab.Lower[i] = tab.Value[i] - rng.Int64N(tab.Value[i]+1)
			}
		}
	}
	return tab
}

// Pattern draws which of n cells are withheld.
func Pattern(rng *rand.Rand, n int) []bool {
	w := make([]bool, n)
	p := 0.15 + float64(0.6*rng.Float64())
	for i := range w {
		w[i] = rng.Float64() < p
	}
	return w
}

// Dimension draws a tree of two to eight of the codes below Total.
func Dimension(t *rapid.T, name string, codes []string) table.Dimension {
	codes = rapid.SliceOfNDistinct(rapid.SampledFrom(codes), 2, 8, rapid.ID).Draw(t, "codes of "+name)
	edges := make([]table.Edge, len(codes))
	for i, c := range codes {
		parent := rapid.IntRange(-1, i-1).Draw(t, "parent")
		edges[i] = table.Edge{Code: c, Parent: "Total", Line: i}
		if parent >= 0 {
			edges[i].Parent = codes[parent]
		}
	}
	d, err := table.NewDimension(name, "Total", edges)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
