package solver

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

// The bound by single relations never exceeds the optimum of small tables found by trying all
// patterns, and is often more than nothing; a search that begins so proves the optimum.
func TestSingleRows(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thorough")
	}
	defer func(n int) { singleRowsFrom = n }(singleRowsFrom)
	singleRowsFrom = 0
	rng := rand.New(rand.NewPCG(8, 15))
	tables, positive := 0, 0
	for range 150 {
		tab := randomTable(rng, shapes[rng.IntN(len(shapes))], 10, rng.IntN(5))
		best, cost := bruteForce(tab)
		if best == nil || cost == 0 {
			continue
		}
		bound, _ := must.Two(SingleRowBound(t.Context(), tab, nil))(t)
		if bound > cost {
			t.Errorf("%s: bound %d above the optimum %d", tab.Name, bound, cost)
		}
		if s, err := Suppress(t.Context(), tab, nil); err != nil || s.Cost != cost || s.Bound != cost {
			t.Errorf("%s: cost %d, bound %d, %v, want %d", tab.Name, s.Cost, s.Bound, err, cost)
		}
		tables++
		if bound > 0 {
			positive++
		}
	}
	if tables < 40 || 2*positive < tables {
		t.Errorf("bounds above 0 in %d tables of %d", positive, tables)
	}
}

// pizzas is INSEE's table of five flat variables with the sensitive cells of its authors: fewer than
// three contributors or a largest contribution above 85 % of a value that is not 0, signs
// as they are.
func pizzas(t *testing.T) *table.Table {
	t.Helper()
	ten := &table.Level{Decimal: table.Decimal{Unscaled: 10}, Percent: true}
	in := must.Get(formats.Read(shared.Path(t, "data/tauargus/rtauargus/datatest2.csv"), formats.Options{
		Columns: map[string]string{"value": "pizzas_tot", "freq": "nb_obs_rnd", "max1": "pizzas_max", "cost": "nb_obs"},
		Dims:    []string{"treff", "cj", "A10", "type_distrib", "nuts1"}, Lower: &table.Decimal{Unscaled: -1_000_000},
	}))(t)
	tab := in.Table
	few, dominated := 0, 0
	three := 3 * table.Pow10(tab.CostDecimals)
	for i := range tab.Len() {
		switch v := tab.Value[i]; {
		case tab.Cost[i] > 0 && tab.Cost[i] < three: // contributors, weighted, before they were rounded
			few++
		case v != 0 && 100*tab.Max[0][i] > 85*v:
			dominated++
		default:
			continue
		}
		tab.Status[i] = table.Sensitive
	}
	if few != 1027 || dominated != 311 {
		t.Errorf("%d cells with few contributors, %d dominated, want 1027 and 311", few, dominated)
	}
	must.Do(t, tab.SetLevels(table.Levels{LPL: ten, UPL: ten}))
	must.Do(t, tab.SetCost(table.CostKind{Kind: "value"}))
	return tab
}

// The table of five dimensions has its published sensitive cells and a bound of more than half
// of the costs of the patterns known.
func TestSingleRowsPizzas(t *testing.T) {
	tab := pizzas(t)
	bound, _, err := SingleRowBound(t.Context(), tab, nil)
	if want := int64(50_000_000) * table.Pow10(tab.CostDecimals); err != nil || bound < want {
		t.Errorf("bound %s, %v, want more than 50 millions", table.FormatDecimal(bound, tab.CostDecimals), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if bound, _, err := SingleRowBound(ctx, tab, nil); bound != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: bound %d, %v", bound, err)
	}
}
