package modular

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Who knows a cell of a pair finds the levels of the other met in the wider pattern, by an audit in which the known cell is
// published; all that was withheld stays so, and the witnesses hold.
func TestWiden(t *testing.T) {
	t.Parallel()
	served, added := 0, 0
	moverTables(t, rand.New(rand.NewPCG(3, 17)), func(tab *table.Table) {
		m := newRun(t.Context(), tab, newClasses(tab.Rel), &solver.Options{})
		defer m.close()
		if err := m.first(t.Context()); err != nil {
			return // not to be protected
		}
		s := m.solution(solver.Feasible)
		var all []int
		for i, in := range s.Pattern {
			if in {
				all = append(all, i)
			}
		}
		pairs := 0
		for n, k := range all {
			q := all[(n+1)%len(all)]
			if tab.Status[k] != table.Sensitive || q == k || pairs == 3 {
				continue
			}
			pairs++
			wide, left, err := Widen(t.Context(), tab, s, []Pair{{K: k, Known: []int{q}}}, &solver.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i, in := range s.Pattern {
				if in && !wide.Pattern[i] {
					t.Errorf("%s: %s is published", tab.Name, tab.CellName(i))
				}
			}
			if err := certificate.Protects(tab, wide.Pattern, wide.Witnesses); err != nil {
				t.Errorf("%s: %v", tab.Name, err)
			}
			if left > 0 {
				continue
			}
			known := slices.Clone(wide.Pattern)
			known[q] = false
			rep, err := interval.Audit(t.Context(), tab, known, &interval.Options{Cells: []int{k}})
			if err != nil {
				t.Fatal(err)
			}
			for c := range rep.Cells {
				if rep.Cells[c].Index == k && !rep.Cells[c].Protected {
					t.Errorf("%s: %s is open to who knows %s", tab.Name, tab.CellName(k), tab.CellName(q))
				}
			}
			served++
			if wide.Cost > s.Cost {
				added++
			}
		}
	})
	if served == 0 || added == 0 {
		t.Errorf("%d pairs served, %d by more cells", served, added)
	}
}
