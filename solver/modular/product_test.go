package modular

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/work"
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

// moverTables draws tables of productShapes, in turn with and without the names of their variables.
func moverTables(t *testing.T, rng *rand.Rand, each func(tab *table.Table)) {
	for _, dims := range productShapes(t) {
		for n := range 20 {
			tab := draw(t, rng, dims...)
			if n%2 == 1 {
				tab = nameless(tab)
			}
			each(tab)
		}
	}
}

// nameless is tab as a JJ file has it: cells and relations.
func nameless(tab *table.Table) *table.Table {
	out := *tab
	out.Dims, out.Coord = nil, nil
	out.Rel = table.NewRelations(tab.Len())
	for j := range tab.Rel.Len() {
		cell, coef := tab.Rel.Row(j)
		out.Rel.Add(cell, coef, tab.Rel.RHS[j])
	}
	return &out
}

// checkMovement fails unless v keeps all relations and capacities in whole numbers and moves no cell that must stay published. It returns v by cell.
func checkMovement(t *testing.T, m *run, v *movement) []int64 {
	t.Helper()
	y := make([]int64, m.t.Len())
	for n, i := range v.cells {
		y[i] = int64(v.q.Z[n])
		if float64(y[i]) != v.q.Z[n] || y[i] > m.up[i] || -y[i] > m.dn[i] || m.t.Status[i] == table.Published {
			t.Fatalf("cell %d moves by %g within [−%d, %d], status %s", i, v.q.Z[n], m.dn[i], m.up[i], m.t.Status[i])
		}
	}
	for j := range m.t.Rel.Len() {
		sum := int64(0)
		cell, coef := m.t.Rel.Row(j)
		for n, i := range cell {
			sum += int64(coef[n]) * y[i]
		}
		if sum != 0 {
			t.Fatalf("relation %d is off by %d", j, sum)
		}
	}
	if !v.q.Exact() {
		t.Fatal("a movement is not exact")
	}
	for _, list := range scratch(m.mover) {
		if slices.ContainsFunc(list, func(z int64) bool { return z != 0 }) {
			t.Fatal("a sum is not forgotten")
		}
	}
	return y
}

// Every product and every walk keeps all relations and capacities and moves its cell by what was asked, in whole numbers; and
// cells that must stay published stand still.
func TestMovements(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	asked, found := map[bool]int{}, map[bool]int{}
	detours := map[bool]*[2]int{false: {}, true: {}}
	moverTables(t, rng, func(tab *table.Table) {
		m := newRun(work.Metered(t.Context()), tab, newClasses(tab.Rel), &solver.Options{})
		walked := tab.Dims == nil
		if walked && m.sys.IsNetwork() {
			if m.mover != nil {
				t.Fatalf("a network: %T", m.mover)
			}
			return
		}
		if _, ok := m.mover.(*walks); ok != walked {
			t.Fatalf("%d variables: %T", len(tab.Dims), m.mover)
		}
		for range 60 {
			k, sign := int32(rng.IntN(tab.Len())), int64(1-2*rng.IntN(2))
			amount := 1 + rng.Int64N(12)
			m.x[rng.IntN(tab.Len())] = true // prices differ
			asked[walked]++
			began := work.Now(m.clock)
			v := m.mover.move(k, sign, amount)
			if v == nil {
				continue
			}
			if took := work.Since(m.clock, began); !walked && took < time.Duration(len(v.cells))*productStep {
				t.Fatalf("a sum of products that moves %d cells is said to take %v", len(v.cells), took)
			}
			found[walked]++
			y := checkMovement(t, m, v)
			if y[k] != sign*amount {
				t.Fatalf("cell %d moves by %d, want %d", k, y[k], sign*amount)
			}
			around := v.cells[rng.IntN(len(v.cells))]
			if around == k {
				continue
			}
			detours[walked][0]++
			if w := m.mover.detour(v, around); w != nil {
				detours[walked][1]++
				if z := checkMovement(t, m, w); z[around] != 0 {
					t.Fatalf("cell %d moves by %d after a detour", around, z[around])
				}
			}
		}
	})
	for walked, n := range asked {
		if found[walked]*2 < n {
			t.Errorf("walked %t: %d of %d movements found", walked, found[walked], n)
		}
		if d := detours[walked]; d[1]*4 < d[0] {
			t.Errorf("walked %t: %d of %d detours found", walked, d[1], d[0])
		}
	}
}

// The first pattern is protected, no cheaper than the optimum, and found wherever there is one; the exact search
// from there ends at the optimum.
func TestFirstPattern(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n, dims := range productShapes(t) {
		for round := range heavy.Draws(8) {
			tab := draw(t, rng, dims...)
			if round%2 == 1 {
				tab = nameless(tab)
			}
			m := newRun(t.Context(), tab, newClasses(tab.Rel), &solver.Options{})
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

// Whole has, where a limit leaves little time for the exact search, a protected pattern of tables of two and three variables, with and
// without their names.
func TestWhole(t *testing.T) {
	if !heavy.On() {
		t.Skip("make heavy")
	}
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 10))
	for _, dims := range [][]table.Dimension{{tree(t, "A", 20), tree(t, "B", 20), tree(t, "C", 9)}, {tree(t, "A", 5, 4, 3), tree(t, "B", 5, 8)},
		{tree(t, "A", 5, 4), tree(t, "B", 5, 3), tree(t, "C", 4)}} {
		tab := draw(t, rng, dims...)
		if tab.Len() < firstFrom(tab) {
			t.Fatalf("%d cells", tab.Len())
		}
		for range 2 {
			sol, err := Whole(t.Context(), tab, &solver.Options{TimeLimit: 2 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if sol.Engine == Engine || sol.FirstSeconds <= 0 || sol.Bound > sol.Cost {
				t.Errorf("%+v", sol)
			}
			if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil {
				t.Error(err)
			}
			tab = nameless(tab)
		}
	}
}

// Tables of three variables and more, some with trees, have a pattern of their own from fewer cells on.
func TestTreed(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 18))
	for _, c := range []struct {
		dims  []table.Dimension
		treed bool
	}{
		{[]table.Dimension{tree(t, "A", 2, 2), tree(t, "B", 2), tree(t, "C", 2)}, true},
		{[]table.Dimension{tree(t, "A", 2), tree(t, "B", 2), tree(t, "C", 3, 2)}, true},
		{[]table.Dimension{tree(t, "A", 3), tree(t, "B", 2), tree(t, "C", 2)}, false},
		{[]table.Dimension{tree(t, "A", 2, 2), tree(t, "B", 2, 2)}, false},
	} {
		tab := draw(t, rng, c.dims...)
		if treed(tab) != c.treed || (firstFrom(tab) < firstCells) != c.treed {
			t.Errorf("%d variables, %v: treed %v, first patterns from %d cells on", len(tab.Dims), tab.Dims, treed(tab), firstFrom(tab))
		}
		if tab = nameless(tab); treed(tab) {
			t.Error("a table without variables is treed")
		}
	}
}

// Building a pattern anew leaves a protected one that is no dearer, whatever the programs are about and also where the time is up or the
// context ends, before it or on the way; on the whole it is cheaper.
func TestAgain(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(15, 16))
	before, after := int64(0), int64(0)
	for _, dims := range productShapes(t) {
		for round := range 12 {
			tab := draw(t, rng, dims...)
			m := newRun(t.Context(), tab, newClasses(tab.Rel), &solver.Options{})
			defer m.close()
			var e *exposedError
			if err := m.first(t.Context()); errors.As(err, &e) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			was := m.cost()
			switch round % 4 {
			case 1:
				m.deadline = m.start
			case 2:
				cancel()
			}
			if _, err := m.coarse(tab.Len() * (1 + round%3) / 3); err != nil {
				t.Fatal(err)
			}
			if err := m.again(ctx); err != nil {
				t.Fatal(err)
			}
			if m.cost() > was {
				t.Errorf("cost %d, was %d", m.cost(), was)
			}
			if _, err := m.feasible(); err != nil {
				t.Error(err)
			}
			before, after = before+was, after+m.cost()
		}
	}
	if after >= before {
		t.Errorf("cost %d in all, was %d", after, before)
	}
}

// scratch is what a mover leaves as it was.
func scratch(m mover) [][]int64 {
	switch m := m.(type) {
	case *products:
		return [][]int64{m.z}
	case *walks:
		return [][]int64{m.z, m.unit, m.off}
	}
	return nil
}
