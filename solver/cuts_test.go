package solver

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// mid draws a table large enough for every family of cuts, with values and levels
// of many sizes.
func mid(rng *rand.Rand, kind int) *table.Table {
	deep := []table.Edge{{Code: "a", Parent: "T"}, {Code: "b", Parent: "T"}, {Code: "c", Parent: "T"}}
	for _, p := range []string{"a", "b", "c"} {
		for _, c := range []string{"1", "2", "3"} {
			deep = append(deep, table.Edge{Code: p + c, Parent: p})
		}
	}
	shapes := []shape{
		{"12x12", [][]table.Edge{flat(12), flat(12)}},
		{"hier", [][]table.Edge{deep, flat(16)}},
		{"hier2", [][]table.Edge{deep, twoLevels}},
		{"4x4x3", [][]table.Edge{flat(4), flat(4), flat(3)}},
		{"hier x 3x2", [][]table.Edge{twoLevels, flat(3), flat(2)}},
	}
	tab := randomTable(rng, shapes[kind%len(shapes)], 1<<20, 1)
	for i := range tab.Len() {
		tab.LPL[i], tab.UPL[i], tab.Width[i] = 0, 0, 0
		tab.Status[i] = table.Safe
	}
	leaves := tab.Leaves()
	for i := range tab.Len() {
		if v := tab.Value[i]; v > 0 && !tab.IsMargin(i, leaves) && rng.IntN(9) == 0 {
			tab.Status[i] = table.Sensitive
			tab.LPL[i], tab.UPL[i] = (v+5)/6, (v+5)/6
		}
	}
	return tab
}

// Every cut of one run holds for the optimum of another that came another way (its
// cells in another order), and both cost the same. Bridge-less cuts and what
// follows from them hold only for patterns without a superfluous cell; an
// optimum at positive costs is one.
func TestCutsHold(t *testing.T) {
	t.Parallel()
	families := map[string]int{}
	for i := range 40 {
		rng := rand.New(rand.NewPCG(uint64(i), 11))
		tab := mid(rng, i)
		must.Do(t, tab.SetCost(table.CostKind{Kind: "value"}))
		perm := rng.Perm(tab.Len())
		a, err := run(t, tab)
		var u *exposedError
		if errors.As(err, &u) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := run(t, permute(tab, perm))
		if err != nil {
			t.Fatal(err)
		}
		if !a.proved || !b.proved {
			continue
		}
		if a.upper != b.upper {
			t.Errorf("table %d: cost %d, relabelled %d", i, a.upper, b.upper)
		}
		// b's optimum in a's columns.
		x := make([]float64, len(a.p.cand))
		pattern := b.p.pattern(b.best)
		for c, cell := range a.p.cand {
			if pattern[perm[cell]] {
				x[c] = 1
			}
		}
		for _, c := range a.pool.cuts {
			families[c.family]++
			if v := c.violation(x); v > 1e-7 {
				t.Fatalf("table %d: a %s cut of %d columns is violated by %g at the optimum of the relabelled table", i, c.family, len(c.idx), v)
			}
		}
	}
	for _, f := range []string{capacityCut, mirrorCut, coverCut, bridgelessCut, zeroHalfCut, mirCut} {
		if families[f] == 0 {
			t.Errorf("no %s cut was put to the test", f)
		}
	}
}

// run solves tab and hands out the whole search.
func run(t *testing.T, tab *table.Table) (*search, error) {
	t.Helper()
	s := must.Get(newSearch(t.Context(), newProblem(tab, oracle.NewSystem(tab.Rel)), &Options{LP: "simplex", Workers: 2}, time.Now()))(t)
	t.Cleanup(s.close)
	if err := s.firstPattern(t.Context()); err != nil {
		return s, err
	}
	return s, s.solve(t.Context())
}

// What is derived from rows holds at every 0/1 point where the rows hold: random
// rows over few columns, covers and bridge-less ones among them, at random points.
func TestDerivedCutsHold(t *testing.T) {
	const n = 9
	derived := map[string]int{}
	for i := range 4000 {
		rng := rand.New(rand.NewPCG(uint64(i), 13))
		m := &master{x: make([]float64, n)}
		for j := range m.x {
			switch rng.IntN(4) {
			case 0:
				m.x[j] = 0.5
			case 1:
				m.x[j] = rng.Float64()
			case 2:
				m.x[j] = float64(rng.IntN(2))
			}
		}
		for range 2 + rng.IntN(8) {
			c := &cut{rhs: 1, family: capacityCut}
			kind := rng.IntN(4)
			for j := range int32(n) {
				if rng.IntN(2) == 0 {
					continue
				}
				v := 1.0
				switch kind {
				case 1:
					v = float64(1+rng.IntN(9)) / 9
				case 2:
					v = float64(1 + rng.IntN(3))
				}
				c.idx, c.val = append(c.idx, j), append(c.val, v)
			}
			if len(c.idx) == 0 {
				continue
			}
			switch kind {
			case 2:
				c.rhs = 3
			case 3: // bridge-less: one column against the others
				c.val[rng.IntN(len(c.val))] = -1
				c.rhs = 0
			}
			c.seal()
			c.gain = c.violation(m.x)
			m.cuts = append(m.cuts, c)
		}
		check := func(d *cut, from []*cut) {
			derived[d.family]++
			x := make([]float64, n)
		points:
			for mask := range 1 << n {
				for j := range x {
					x[j] = float64(mask >> j & 1)
				}
				for _, c := range from {
					if c.violation(x) > 1e-9 {
						continue points
					}
				}
				if v := d.violation(x); v > 1e-9 {
					t.Fatalf("case %d: %s cut %v·x%v ≥ %g fails by %g at %v, where all rows hold", i, d.family, d.val, d.idx, d.rhs, v, x)
				}
			}
		}
		for _, d := range m.covers(nil) {
			check(d, m.cuts)
		}
		rounded := append(m.zeroHalf(nil), m.mir(nil)...)
		for _, d := range rounded {
			check(d, m.cuts)
			d.gain = d.violation(m.x)
		}
		// Derived cuts become rows and are derived from in turn.
		second := &master{x: m.x, cuts: append(m.cuts[:len(m.cuts):len(m.cuts)], rounded...)}
		for _, d := range slices.Concat(second.covers(nil), second.zeroHalf(nil), second.mir(nil)) {
			check(d, m.cuts)
		}
	}
	if derived[coverCut] < 50 || derived[zeroHalfCut] < 50 || derived[mirCut] < 50 {
		t.Errorf("cuts put to the test: %v", derived)
	}
}
