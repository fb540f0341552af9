package attack

import (
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/table"
)

// TestWorkedExample is that of the source: 10 candidates (14, 9, 9, 0) + k(1, −1, −1, 1).
func TestWorkedExample(t *testing.T) {
	tab := tabletest.Counts(t, [][]int64{{15, 15, 12, 10}, {19, 14, 13, 9}, {8, 8, 11, 14}, {9, 9, 26, 0}})
	withheld := make([]bool, tab.Len())
	for i := range withheld {
		switch tab.CellName(i) {
		case "r2/c2", "r2/c4", "r4/c2", "r4/c4":
			withheld[i] = true
		}
	}
	r := must.Get(Run(t.Context(), Published(tab, withheld), &Options{Office: Office{Below: 5, Levels: table.Levels{Width: &table.Level{Decimal: table.Decimal{Unscaled: 8}}}}}))(t)
	if r.Dim != 1 || r.Candidates.Int64() != 10 {
		t.Errorf("dimension %d, %v candidates, want 1 and 10", r.Dim, r.Candidates)
	}
	t.Logf("%+v", r)
}
