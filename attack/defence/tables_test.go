package defence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	_ "github.com/hitoku/hitoku/lp/gonum"
	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/table"
)

// flat returns a dimension of n codes below a total.
func flat(t testing.TB, d, n int) table.Dimension {
	t.Helper()
	codes := make([]string, n)
	for c := range codes {
		codes[c] = fmt.Sprintf("%c%d", 'A'+d, c+1)
	}
	return must.Get(table.FlatDimension(fmt.Sprintf("D%d", d+1), "Total", codes))(t)
}

// tree returns a dimension of two groups of n codes each.
func tree(t testing.TB, d, n int) table.Dimension {
	t.Helper()
	var edges []table.Edge
	for g := range 2 {
		group := fmt.Sprintf("%c%d", 'A'+d, g+1)
		edges = append(edges, table.Edge{Code: group, Parent: "Total"})
		for c := range n {
			edges = append(edges, table.Edge{Code: fmt.Sprintf("%s%d", group, c+1), Parent: group})
		}
	}
	return must.Get(table.NewDimension(fmt.Sprintf("D%d", d+1), "Total", edges))(t)
}

// counts returns the table of the values that draw gives its internal cells: margins
// published, cells with 1 ≤ value < below sensitive, width their SPL, costs 1.
func counts(t testing.TB, dims []table.Dimension, below, width int64, draw func() int64) *table.Table {
	t.Helper()
	var records []table.Record
	var fill func(codes []string)
	fill = func(codes []string) {
		if len(codes) == len(dims) {
			records = append(records, table.Record{Codes: append([]string(nil), codes...), Value: table.Num(draw(), 0)})
			return
		}
		dim := &dims[len(codes)]
		for c, leaf := range dim.Leaves() {
			if leaf {
				fill(append(codes, dim.Codes[c]))
			}
		}
	}
	fill(nil)
	tb := must.Get(table.Build("t", dims, records, true))(t)
	tb.PublishMargins()
	if _, _, err := tb.MinimumFrequency(below, false); err != nil {
		t.Fatal(err)
	}
	w := table.Level{Decimal: table.Decimal{Unscaled: width}}
	must.Do(t, tb.SetLevels(table.Levels{Width: &w}))
	must.Do(t, tb.SetCost(table.CostKind{Kind: "count"}))
	return tb
}

// n1510 draws ⌊|N(15, 10)|⌋ as in the experiment on matching attacks.
func n1510(seed uint64) func() int64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	return func() int64 { return int64(math.Abs(15 + 10*rng.NormFloat64())) }
}

// square returns a table of the experiment.
func square(t testing.TB, n int, seed uint64) *table.Table {
	t.Helper()
	return counts(t, []table.Dimension{flat(t, 0, n), flat(t, 1, n)}, 5, 8, n1510(seed))
}

// cube returns one in three dimensions.
func cube(t testing.TB, a, b, c int, seed uint64) *table.Table {
	t.Helper()
	return counts(t, []table.Dimension{flat(t, 0, a), flat(t, 1, b), flat(t, 2, c)}, 5, 8, n1510(seed))
}
