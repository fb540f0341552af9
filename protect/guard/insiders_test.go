package guard

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// exposes says whether an only contributor computes another's cell from the relations.
func exposes(t *testing.T, tab *table.Table, pattern []bool) bool {
	t.Helper()
	r := must.Get(insider.Run(t.Context(), tab, pattern, nil))(t)
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
		rep := must.Get(interval.Audit(t.Context(), tab, pattern, nil))(t)
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
		tab := tabletest.Ones(t, r, 3, 3)
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
// relations leave free moves by a unit, so that the cost of Insiders is the least of all
// protected patterns that expose nothing.
func TestInsidersBruteForce(t *testing.T) {
	smallTables(t, 4, func(tab *table.Table, plain *solver.Solution) int64 {
		least := cheapest(t, tab, plain.Cost, func(pattern []bool) bool { return !exposes(t, tab, pattern) })
		g, err := Insiders(t.Context(), tab, nil, nil)
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
func TestInsiders(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	sums := 0
	for range 6 {
		tab := tabletest.Ones(t, r, 6, 7)
		g := must.Get(Insiders(t.Context(), tab, nil, &insider.Options{Coalition: 2}))(t)
		rep := must.Get(interval.Audit(t.Context(), tab, g.Pattern, nil))(t)
		two := must.Get(insider.Run(t.Context(), tab, g.Pattern, &insider.Options{Coalition: 2}))(t)
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

// Combinations are cells of their own in tables of which bounds are given, too.
func TestInsidersGivenBounds(t *testing.T) {
	tab := tabletest.Ones(t, rand.New(rand.NewPCG(5, 1)), 3, 3)
	tab.Give(0, table.LowerSide|table.UpperSide)
	g := must.Get(Insiders(t.Context(), tab, nil, nil))(t)
	if g.Sums == 0 {
		t.Error("no combination had to be added")
	}
}

// A limit that is not reached changes nothing, not even which of several cheapest patterns is found.
func TestInsidersUnreached(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 12 {
		tab := tabletest.Ones(t, r, 8, 8)
		whole, err := Insiders(t.Context(), tab, nil, nil)
		if err != nil {
			continue // not to be protected
		}
		g, err := Insiders(t.Context(), tab, &solver.Options{TimeLimit: time.Hour}, nil)
		if err != nil || !slices.Equal(g.Pattern, whole.Pattern) {
			t.Errorf("cost %d, and another pattern that costs %d with an hour; %v", whole.Cost, g.Cost, err)
		}
	}
}

// A search that ends at its limit leaves a pattern that is complete, the same with any number of workers, no dearer than under a smaller limit, and hardly ever all
// cells; one that ends long before finds what it would without a limit.
func TestInsidersLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	guarded, early, all := 0, 0, 0
	for range 12 {
		tab := tabletest.Ones(t, r, 4, 4)
		whole, err := Insiders(t.Context(), tab, nil, nil)
		if err != nil {
			continue // not to be protected
		}
		least := int64(math.MaxInt64)
		for _, limit := range []time.Duration{1, 32 * time.Microsecond, 64 * time.Microsecond, 128 * time.Microsecond, 256 * time.Microsecond, 512 * time.Microsecond, time.Millisecond, time.Hour} {
			g := must.Get(Insiders(t.Context(), tab, &solver.Options{TimeLimit: limit, Workers: 1}, nil))(t)
			if again, err := Insiders(t.Context(), tab, &solver.Options{TimeLimit: limit, Workers: 3}, nil); err != nil || !slices.Equal(again.Pattern, g.Pattern) || again.Bound != g.Bound {
				t.Errorf("limit %v: cost %d with one worker, %d with three, %v", limit, g.Cost, again.Cost, err)
			}
			if g.Cost > least {
				t.Errorf("limit %v: cost %d, with less %d", limit, g.Cost, least)
			}
			least = g.Cost
			if limit < time.Millisecond {
				early++
				if !slices.Contains(g.Pattern, false) {
					all++
				}
			}
			rep := must.Get(interval.Audit(t.Context(), tab, g.Pattern, nil))(t)
			open := slices.ContainsFunc(g.Report.Findings, func(e insider.Exposure) bool { return e.Relations })
			if !rep.Protected || open || g.Bound > whole.Cost || g.Cost < whole.Cost {
				t.Errorf("limit %v: protected %v, laid open %v, cost %d, bound %d, without a limit %d", limit, rep.Protected, open, g.Cost, g.Bound, whole.Cost)
			}
			if limit == time.Hour && (!slices.Equal(g.Pattern, whole.Pattern) || g.Status != solver.Optimal) {
				t.Errorf("%s, cost %d, without a limit %d; another pattern", g.Status, g.Cost, whole.Cost)
			}
			if g.Sums > 0 {
				guarded++
			}
		}
	}
	if guarded == 0 || early < 16 {
		t.Error("nothing had to be guarded, or before a limit that comes early")
	}
	if all > 0 {
		t.Errorf("all cells are withheld in %d of %d tables with a limit that comes early", all, early)
	}
}
