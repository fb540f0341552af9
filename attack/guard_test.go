package attack

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// guardTable draws a two-way table of counts with many ones.
func guardTable(t *testing.T, r *rand.Rand, rows, cols int) *table.Table {
	v := make([][]int64, rows)
	for i := range v {
		v[i] = make([]int64, cols)
		for j := range v[i] {
			v[i][j] = []int64{1, 1, 2, 5, 9, 14, 20}[r.IntN(7)]
		}
	}
	tab := crossTab(t, v)
	if _, _, err := tab.MinimumFrequency(3, false); err != nil {
		t.Fatal(err)
	}
	if err := tab.SetCost(table.CostKind{Kind: "value"}); err != nil {
		t.Fatal(err)
	}
	if err := tab.SetLevels(table.Levels{SPL: &table.Level{Decimal: table.Decimal{Unscaled: 2}}}); err != nil {
		t.Fatal(err)
	}
	return tab
}

// exposes says whether an only contributor computes another's cell from the relations.
func exposes(t *testing.T, tab *table.Table, pattern []bool) bool {
	t.Helper()
	r, err := Insiders(t.Context(), tab, pattern, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Findings {
		if r.Findings[i].Relations {
			return true
		}
	}
	return false
}

// cheapest tries all patterns of a small table: the least cost, not below floor, of one that
// is protected and right, −1 if there is none.
func cheapest(t *testing.T, tab *table.Table, floor int64, right func(pattern []bool) bool) int64 {
	t.Helper()
	least := int64(-1)
	var free []int
	base := make([]bool, tab.Len())
	for i, st := range tab.Status {
		base[i] = st == table.Sensitive
		if st == table.Safe {
			free = append(free, i)
		}
	}
	for set := range 1 << len(free) {
		pattern, cost := slices.Clone(base), int64(0)
		for k, i := range free {
			if set>>k&1 != 0 {
				pattern[i] = true
				cost += tab.Cost[i]
			}
		}
		if cost < floor || least >= 0 && cost >= least || !right(pattern) {
			continue
		}
		rep, err := interval.Audit(t.Context(), tab, pattern, nil)
		if err != nil {
			t.Fatal(err)
		}
		if rep.Protected {
			least = cost
		}
	}
	return least
}

// smallTables draws tables of which all patterns can be tried, with a cheapest pattern of each; guarded guards one and
// returns what that costs, −1 where it cannot be done. Some have to cost more than the cheapest.
func smallTables(t *testing.T, seed uint64, guarded func(tab *table.Table, plain *solver.Solution) int64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, seed))
	dearer := 0
	for range 25 {
		tab := guardTable(t, r, 3, 3)
		plain, err := solver.Suppress(t.Context(), tab, nil)
		if err != nil {
			continue // not to be protected
		}
		if guarded(tab, plain) > plain.Cost {
			dearer++
		}
	}
	if dearer < 3 {
		t.Errorf("guarding cost something in %d tables only", dearer)
	}
}

// Against all patterns of small tables: where every cell is positive, whatever the
// relations leave free moves by a unit, so that Guard's cost is the least of all
// protected patterns that expose nothing.
func TestGuardBruteForce(t *testing.T) {
	smallTables(t, 4, func(tab *table.Table, plain *solver.Solution) int64 {
		least := cheapest(t, tab, plain.Cost, func(pattern []bool) bool { return !exposes(t, tab, pattern) })
		g, err := Guard(t.Context(), tab, nil, nil)
		switch {
		case least < 0:
			if err == nil {
				t.Errorf("a pattern of cost %d where none withstands insiders", g.Cost)
			}
			return -1
		case err != nil:
			t.Fatal(err)
		}
		if g.Cost != least || g.Bound != least || exposes(t, tab, g.Pattern) {
			t.Errorf("cost %d, bound %d, want %d; exposes: %v", g.Cost, g.Bound, least, exposes(t, tab, g.Pattern))
		}
		return g.Cost
	})
}

// Larger tables: nothing is exposed, and what is withheld is protected.
func TestGuard(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	sums := 0
	for range 6 {
		tab := guardTable(t, r, 6, 7)
		g, err := Guard(t.Context(), tab, nil, &InsiderOptions{Coalition: 2})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := interval.Audit(t.Context(), tab, g.Pattern, nil)
		if err != nil {
			t.Fatal(err)
		}
		two, err := Insiders(t.Context(), tab, g.Pattern, &InsiderOptions{Coalition: 2})
		if err != nil {
			t.Fatal(err)
		}
		for i := range two.Findings {
			if two.Findings[i].Relations {
				t.Errorf("%+v", two.Findings[i])
			}
		}
		if !rep.Protected || len(g.Pattern) != tab.Len() {
			t.Errorf("protected %v, %d marks for %d cells", rep.Protected, len(g.Pattern), tab.Len())
		}
		sums += g.Sums
	}
	if sums == 0 {
		t.Error("nothing had to be guarded")
	}
}
