package modular

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// productShapes are tables of two to four variables, with and without trees.
func productShapes(t *testing.T) [][]table.Dimension {
	return [][]table.Dimension{
		{tree(t, "A", 4), tree(t, "B", 5)},
		{tree(t, "A", 3, 3), tree(t, "B", 4)},
		{tree(t, "A", 3), tree(t, "B", 3), tree(t, "C", 4)},
		{tree(t, "A", 2, 3), tree(t, "B", 3, 2), tree(t, "C", 3)},
		{tree(t, "A", 2, 2, 2), tree(t, "B", 2), tree(t, "C", 2), tree(t, "D", 3)},
	}
}

// Every product keeps all relations and capacities and moves its cell by what was asked, in whole numbers; and
// cells that must stay published stand still.
func TestProductsMove(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	asked, found := 0, 0
	for _, dims := range productShapes(t) {
		for range 20 {
			tab := draw(t, rng, dims...)
			m := newRun(tab, newClasses(tab.Rel), &solver.Options{})
			if m.products == nil {
				t.Fatal("no products for a table of variables")
			}
			for range 60 {
				k, sign := int32(rng.IntN(tab.Len())), int64(1-2*rng.IntN(2))
				amount := 1 + rng.Int64N(12)
				m.x[rng.IntN(tab.Len())] = true // prices differ
				asked++
				v := m.products.move(k, sign, amount)
				if v == nil {
					continue
				}
				found++
				y := make([]int64, tab.Len())
				for n, i := range v.cells {
					y[i] = int64(v.q.Z[n])
					if float64(y[i]) != v.q.Z[n] || y[i] > m.up[i] || -y[i] > m.dn[i] || tab.Status[i] == table.Published {
						t.Fatalf("cell %s moves by %g within [−%d, %d], status %s", tab.CellName(int(i)), v.q.Z[n], m.dn[i], m.up[i], tab.Status[i])
					}
				}
				if y[k] != sign*amount {
					t.Fatalf("cell %s moves by %d, want %d", tab.CellName(int(k)), y[k], sign*amount)
				}
				for j := range tab.Rel.Len() {
					sum := int64(0)
					cell, coef := tab.Rel.Row(j)
					for n, i := range cell {
						sum += int64(coef[n]) * y[i]
					}
					if sum != 0 {
						t.Fatalf("relation %s is off by %d", tab.RelationName(j), sum)
					}
				}
				if !v.q.Exact() {
					t.Fatal("a product is not exact")
				}
				for _, i := range m.products.z {
					if i != 0 {
						t.Fatal("the sum is not forgotten")
					}
				}
			}
		}
	}
	if found*2 < asked {
		t.Errorf("%d of %d movements found", found, asked)
	}
}

// The first pattern is protected, no cheaper than the optimum, and found wherever there is one; the exact search
// from there ends at the optimum.
func TestFirstPattern(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n, dims := range productShapes(t) {
		for range 6 {
			tab := draw(t, rng, dims...)
			m := newRun(tab, newClasses(tab.Rel), &solver.Options{})
			err := m.first(context.Background())
			opt := &solver.Options{}
			if tab.Len() > 80 { // only whether there is a pattern
				opt.Gap = 0.999999
			}
			best, exact := solver.Suppress(context.Background(), tab, opt)
			var u *solver.UnprotectableError
			var e *exposedError
			if errors.As(err, &e) != errors.As(exact, &u) {
				t.Fatalf("shape %d: first says %v, the exact search %v", n, err, exact)
			}
			if e != nil {
				m.close()
				continue
			}
			if err != nil || exact != nil {
				t.Fatal(err, exact)
			}
			sol, err := m.feasible()
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range protection.Levels(tab) {
				if !sol.Pattern[l.K] {
					t.Fatalf("sensitive cell %s is published", tab.CellName(int(l.K)))
				}
			}
			if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil || sol.Cost < best.Bound {
				t.Fatalf("shape %d: cost %d, but no pattern costs less than %d: %v", n, sol.Cost, best.Bound, err)
			}
			m.close()
		}
	}
}

// Whole has the optimum of the exact search, and with a limit that leaves no time for it the first pattern.
func TestWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("thorough only")
	}
	rng := rand.New(rand.NewPCG(9, 10))
	tab := draw(t, rng, tree(t, "A", 20), tree(t, "B", 20), tree(t, "C", 9))
	if tab.Len() < firstCells {
		t.Fatalf("%d cells", tab.Len())
	}
	sol, err := Whole(context.Background(), tab, &solver.Options{TimeLimit: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	if sol.Engine == Engine || sol.FirstSeconds <= 0 || sol.Bound > sol.Cost {
		t.Errorf("%+v", sol)
	}
	if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil {
		t.Error(err)
	}
}
