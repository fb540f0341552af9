package oracle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// below asks r for routes with the bounds +Inf, far above what the route found so costs, and below every price; it counts those
// found, and those that are not by the last.
func below(t *testing.T, rng *rand.Rand, r Router, price []float64, asked int) (found, cut int) {
	for range asked {
		k, amount := rng.IntN(len(price)), float64(1+rng.IntN(3))
		route := func(most float64) ([]int32, bool) {
			r.Below(most)
			cells, z, ok, err := r.Route(t.Context(), k, 1, amount, price)
			if err != nil {
				t.Fatal(err)
			}
			if at := slices.Index(cells, int32(k)); ok && math.Abs(z[at]-amount) > 1e-9 {
				t.Fatalf("cell %d moves by %g, want %g", k, z[at], amount)
			}
			return cells, ok
		}
		cells, ok := route(math.Inf(1))
		if !ok || len(cells) == 1 {
			continue
		}
		found++
		sum := 0.0
		for _, i := range cells {
			sum += price[i]
		}
		// Cells that move by a multiple of the amount are charged several times.
		if again, ok := route(1000 * sum); !ok || !slices.Equal(cells, again) {
			t.Fatalf("the route of cell %d below %g is %v %v, without a bound %v", k, 1000*sum, again, ok, cells)
		}
		if _, ok := route(0.01); !ok {
			cut++
		}
	}
	return found, cut
}

func TestRoutesBelow(t *testing.T) {
	found := 0
	open := func(rng *rand.Rand, tab *table.Table, engine string) (Router, []float64) {
		n := tab.Len()
		up, dn, price := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			up[i], dn[i], price[i] = float64(1+rng.IntN(9)), float64(1+rng.IntN(9)), 1+1000*rng.Float64()
		}
		r := must.Get(NewSystem(tab.Rel).NewRouter(engine, "", up, dn))(t)
		t.Cleanup(func() { r.Close() })
		return r, price
	}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 53))
		tab := tabletest.Random(rng, int(seed))
		for _, engine := range []string{"", "simplex"} {
			r, price := open(rng, tab, engine)
			n, _ := below(t, rng, r, price, 6)
			found += n
		}
	}
	if found < 200 {
		t.Errorf("%d routes say little", found)
	}

	// A cross-tab of 400 cells takes programs of many steps, so that they see the bound on the way.
	rng := rand.New(rand.NewPCG(1, 2))
	var inner [][]int64
	for range 19 {
		row := make([]int64, 19)
		for c := range row {
			row[c] = 1 + rng.Int64N(100)
		}
		inner = append(inner, row)
	}
	for _, engine := range []string{"", "simplex"} {
		r, price := open(rng, tabletest.CrossTab(t, inner), engine)
		if n, cut := below(t, rng, r, price, 20); n < 15 || cut < n/2 {
			t.Error(fmt.Sprintf("%q: %d of %d routes", engine, cut, n), "are known to cost more than they may")
		}
	}
}
