package modular

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// withSums adds to tab sums of two parts of some relations, at the place of the first, as sensitive cells; every second one takes the place of its cells there.
func withSums(rng *rand.Rand, tab *table.Table) *table.Table {
	u := *tab
	u.Coord, u.Value, u.Cost, u.Status = slices.Clone(tab.Coord), slices.Clone(tab.Value), slices.Clone(tab.Cost), slices.Clone(tab.Status)
	u.LPL, u.UPL, u.Width = slices.Clone(tab.LPL), slices.Clone(tab.UPL), slices.Clone(tab.Width)
	u.Lower, u.Upper, u.Freq, u.Max, u.Contributors = slices.Clone(tab.Lower), slices.Clone(tab.Upper), nil, nil, nil
	u.Reason, u.Rounding, u.Missing = nil, nil, nil
	rel := table.NewRelations(0)
	var sums [][]int32
	for j := range tab.Rel.Len() {
		cell, coef := tab.Rel.Row(j)
		side := tab.PartSign(j)
		var parts []int32
		for e, i := range cell {
			if coef[e] == side && tab.Status[i] != table.Published {
				parts = append(parts, i)
			}
		}
		if len(parts) < 3 || rng.IntN(2) == 0 {
			rel.Add(cell, coef, tab.Rel.RHS[j])
			continue
		}
		rng.Shuffle(len(parts), func(a, b int) { parts[a], parts[b] = parts[b], parts[a] })
		sum := parts[:2]
		k := len(tab.Dims)
		v := tab.Value[sum[0]] + tab.Value[sum[1]]
		n := int32(len(u.Value))
		u.Coord = append(u.Coord, tab.Coord[int(sum[0])*k:int(sum[0])*k+k]...)
		u.Value, u.Cost, u.Status = append(u.Value, v), append(u.Cost, 0), append(u.Status, table.Sensitive)
		u.LPL, u.UPL, u.Width = append(u.LPL, 0), append(u.UPL, 1+rng.Int64N(3)), append(u.Width, 0)
		u.Lower, u.Upper = append(u.Lower, table.NegInf), append(u.Upper, table.PosInf)
		sums = append(sums, append(sum, n))
		if len(sums)%2 == 0 {
			rel.Add(cell, coef, tab.Rel.RHS[j])
			continue
		}
		row, val := []int32{n}, []int32{side}
		for e, i := range cell {
			if !slices.Contains(sum, i) {
				row, val = append(row, i), append(val, coef[e])
			}
		}
		rel.Add(row, val, tab.Rel.RHS[j])
	}
	for _, s := range sums {
		rel.Add(s, []int32{1, 1, -1}, 0)
	}
	rel.N = len(u.Value)
	u.Rel = rel
	return &u
}

// Products of a table with sums beside its cells keep their relations, and move a sum by what was asked.
func TestSumMovements(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	asked, found := 0, 0
	moverTables(t, rng, func(tab *table.Table) {
		if tab.Dims == nil {
			return
		}
		u := withSums(rng, tab)
		if u.Len() == tab.Len() {
			return
		}
		m := newRun(t.Context(), u, newClasses(u.Rel), &solver.Options{})
		p, ok := m.mover.(*products)
		if !ok {
			t.Fatalf("%T", m.mover)
		}
		for range 40 {
			k, sign, amount := int32(rng.IntN(u.Len())), int64(1-2*rng.IntN(2)), 1+rng.Int64N(9)
			if rng.IntN(2) == 0 {
				k = int32(tab.Len() + rng.IntN(u.Len()-tab.Len()))
			}
			asked++
			v := p.move(k, sign, amount)
			if v == nil {
				continue
			}
			found++
			if y := checkMovement(t, m, v); y[k] != sign*amount {
				t.Fatalf("cell %d of %d moves by %d, want %d", k, tab.Len(), y[k], sign*amount)
			}
			around := v.cells[rng.IntN(len(v.cells))]
			if w := p.detour(v, around); w != nil && around != k {
				if z := checkMovement(t, m, w); z[around] != 0 {
					t.Fatalf("cell %d moves by %d after a detour", around, z[around])
				}
			}
		}
	})
	if found*3 < asked {
		t.Errorf("%d movements of %d asked for", found, asked)
	}
}

// Where a second cell at a place is no sum of cells, or must stay published, products know nothing of it.
func TestNoSums(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 8))
	tab := draw(t, rng, tree(t, "A", 4), tree(t, "B", 5))
	for i := range tab.Status {
		if tab.Status[i] == table.Published {
			tab.Status[i] = table.Safe
		}
	}
	u := withSums(rng, tab)
	if u.Len() == tab.Len() {
		t.Fatal("no sum")
	}
	if newRun(t.Context(), u, newClasses(u.Rel), &solver.Options{}).newProducts() == nil {
		t.Error("sums are not known")
	}
	u.Status[tab.Len()] = table.Published
	if p := newRun(t.Context(), u, newClasses(u.Rel), &solver.Options{}).newProducts(); p != nil {
		t.Error("a published sum is no matter")
	}
}
