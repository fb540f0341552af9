package attack

import (
	"fmt"
	"testing"

	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/table"
)

// crossTab is a two-way table of counts with published margins.
func crossTab(tb testing.TB, v [][]int64) *table.Table {
	tb.Helper()
	var rows, cols []string
	for i := range v {
		rows = append(rows, fmt.Sprintf("M%d", i+1))
	}
	for j := range v[0] {
		cols = append(cols, fmt.Sprintf("P%d", j+1))
	}
	a, err := table.FlatDimension("M", "Total", rows)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := table.FlatDimension("P", "Total", cols)
	if err != nil {
		tb.Fatal(err)
	}
	var rec []table.Record
	for i := range v {
		for j := range v[i] {
			rec = append(rec, table.Record{Codes: []string{rows[i], cols[j]}, Value: table.Num(v[i][j], 0)})
		}
	}
	t, err := table.Build("t", []table.Dimension{a, b}, rec, true)
	if err != nil {
		tb.Fatal(err)
	}
	t.PublishMargins()
	return t
}

// TestWorkedExample is that of the source: 10 candidates (14, 9, 9, 0) + k(1, −1, −1, 1).
func TestWorkedExample(t *testing.T) {
	tab := crossTab(t, [][]int64{{15, 15, 12, 10}, {19, 14, 13, 9}, {8, 8, 11, 14}, {9, 9, 26, 0}})
	withheld := make([]bool, tab.Len())
	for i := range withheld {
		switch tab.CellName(i) {
		case "M2/P2", "M2/P4", "M4/P2", "M4/P4":
			withheld[i] = true
		}
	}
	r, err := Run(t.Context(), tab, withheld, &Options{Office: Office{Below: 5, Levels: table.Levels{SPL: &table.Level{Decimal: table.Decimal{Unscaled: 8}}}}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Dim != 1 || r.Candidates.Int64() != 10 {
		t.Errorf("dimension %d, %v candidates, want 1 and 10", r.Dim, r.Candidates)
	}
	t.Logf("%+v", r)
}
