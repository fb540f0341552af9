package attack

import (
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Against all patterns of small tables: where the result lays nothing open it is a cheapest pattern of those that lay nothing
// open, as every combination that was added is one that these protect; where such a pattern exists it is found.
func TestGuardLevelsBruteForce(t *testing.T) {
	smallTables(t, 6, func(tab *table.Table, plain *solver.Solution) int64 {
		least := cheapest(t, tab, plain.Cost, func(pattern []bool) bool {
			rep, err := Insiders(t.Context(), tab, pattern, nil)
			if err != nil {
				t.Fatal(err)
			}
			return len(rep.Findings) == 0
		})
		g, err := GuardLevels(t.Context(), tab, tab, plain, &solver.Options{}, nil, Searches{Find: solver.Suppress})
		if err != nil {
			t.Fatal(err)
		}
		if _, open := g.Open(); (open == 0) != (least >= 0) || open == 0 && g.Cost != least {
			t.Errorf("%d cells open at cost %d; the least cost without any is %d (−1: none)", open, g.Cost, least)
		}
		return g.Cost
	})
}

// In larger tables the result is protected, and never more open than the first pattern, also where sums of the rule for
// singletons are in the table.
func TestGuardLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	less := 0
	for range 6 {
		tab := guardTable(t, r, 6, 7)
		tab.Freq = tab.Value
		rule := SingletonRule{Single: true, Multiple: true, MinFreq: 3, Modular: true}
		first, _, err := rule.Suppress(t.Context(), tab, &solver.Options{}, solver.Suppress)
		if err != nil {
			t.Fatal(err)
		}
		u, _, err := rule.Apply(tab)
		if err != nil {
			t.Fatal(err)
		}
		g, err := GuardLevels(t.Context(), tab, u, first, &solver.Options{}, nil, Searches{Find: solver.Suppress})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := g.Audit(t.Context(), tab, nil); err != nil || v != interval.Protected || len(g.Pattern) != tab.Len() {
			t.Errorf("%v %v, %d marks for %d cells", v, err, len(g.Pattern), tab.Len())
		}
		was, err := Insiders(t.Context(), tab, first.Pattern, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := (&Guarded{Solution: first, Report: was}).openness(nil)
		if before.less(g.openness(nil)) {
			t.Errorf("%v, was %v", g.openness(nil), before)
		}
		if g.openness(nil).less(before) {
			less++
		}
	}
	if less == 0 {
		t.Error("nothing was to be guarded")
	}
}
