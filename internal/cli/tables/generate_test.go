package tables

import (
	"testing"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A cut has the cells of the whole at its code.
func TestCutAt(t *testing.T) {
	t.Parallel()
	shape := must.Get(bench.ParseShape("6x3.2"))(t)
	for _, family := range bench.Families() {
		spec := bench.Spec{Family: family, Shape: shape, Seed: 7, Change: 0.3}
		now := must.Get(spec.Table())(t)
		cut := must.Get(cutAt(now, "V1", "A2"))(t)
		at := map[string]int{}
		for i := range now.Len() {
			at[now.CellName(i)] = i
		}
		for c := range cut.Len() {
			i, ok := at["A2/"+cut.CellName(c)]
			if !ok || cut.Value[c] != now.Value[i] || cut.Status[c] != now.Status[i] || cut.LPL[c] != now.LPL[i] || cut.Width[c] != now.Width[i] || cut.Upper[c] != now.Upper[i] {
				t.Errorf("%s: cell %s of the cut is not that of the table", family, cut.CellName(c))
			}
		}
		if _, err := cutAt(now, "V1", "A9"); err == nil {
			t.Error("a cut at a code that there is not")
		}
	}
}
