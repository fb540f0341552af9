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
		r := must.Get(NewSystem(tab.Rel).NewRouter(engine, "", up, dn, nil))(t)
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

// Free cells of one relation are slacks of rows: there is a route where there is one with them as columns, it keeps the
// relations and the capacities, and it names these cells.
func TestRoutesFree(t *testing.T) {
	found, moved := 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 54))
		tab := tabletest.Random(rng, int(seed))
		n := tab.Len()
		rel := table.NewRelations(n + 4)
		for j := range tab.Rel.Len() {
			cell, coef := tab.Rel.Row(j)
			rel.Add(cell, coef, 0)
		}
		for k := range 4 { // z_i + c·remainder = z_j
			at := rng.Perm(n)
			rel.Add([]int32{int32(at[0]), int32(at[1]), int32(n + k)}, []int32{1, -1, int32(1 - 2*(k%2))}, 0)
		}
		n += 4
		up, dn, price, free := make([]float64, n), make([]float64, n), make([]float64, n), make([]bool, n)
		for i := range n {
			if up[i], dn[i], price[i] = float64(rng.IntN(6)), float64(rng.IntN(6)), rng.Float64(); i >= n-4 {
				up[i], price[i], free[i] = inf, 0, true
			}
		}
		sys := NewSystem(rel)
		full, with := must.Get(newLPRouter(sys, "", up, dn, nil))(t), must.Get(newLPRouter(sys, "", up, dn, free))(t)
		for k := range n - 4 {
			_, _, want, err := full.Route(t.Context(), k, 1-2*(k%2), 2, price)
			must.Do(t, err)
			cells, z, ok, err := with.Route(t.Context(), k, 1-2*(k%2), 2, price)
			must.Do(t, err)
			if ok != want {
				t.Fatalf("seed %d, cell %d: a route %v, want %v", seed, k, ok, want)
			}
			all := make([]float64, n)
			for t, i := range cells {
				all[i] = z[t]
			}
			for i, v := range all {
				if v > up[i]+1e-6 || v < -dn[i]-1e-6 {
					t.Errorf("seed %d, cell %d moves cell %d by %g", seed, k, i, v)
				}
				if v != 0 && free[i] {
					moved++
				}
			}
			for j := range rel.Len() {
				sum := 0.0
				cell, coef := rel.Row(j)
				for t, i := range cell {
					sum += float64(float64(coef[t]) * all[i])
				}
				if math.Abs(sum) > 1e-6 {
					t.Errorf("seed %d, cell %d: relation %d misses by %g", seed, k, j, sum)
				}
			}
			if ok {
				found++
			}
		}
		full.Close()
		with.Close()
	}
	if found < 100 || moved < 50 {
		t.Errorf("%d routes that move %d free cells say little", found, moved)
	}
}
