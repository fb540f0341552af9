package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/tabletest"
)

// Every cell of the vector behind a dual has a dual of its own, and a relation
// gives one for each of its cells.
func TestDualFor(t *testing.T) {
	made := 0
	for i := range 60 {
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		rel := tabletest.Random(rng, i).Rel
		s := NewSystem(rel)
		check := func(d *Dual) {
			fromMultipliers(t, rel, d)
			idx, v := d.Vector()
			for at, k := range idx {
				e := d.For(k)
				if e == nil || v[at] == 0 {
					t.Fatalf("table %d: no dual for cell %d of the vector", i, k)
				}
				fromMultipliers(t, rel, e)
				if len(e.Idx) != len(idx)-1 {
					t.Fatalf("table %d: dual of cell %d has %d entries, its vector %d", i, k, len(e.Idx), len(idx))
				}
				made++
			}
			for k := range int32(rel.N) {
				in := false
				for _, c := range idx {
					in = in || c == k
				}
				if !in && d.For(k) != nil {
					t.Fatalf("table %d: a dual for cell %d outside the vector", i, k)
				}
			}
		}
		for range 5 {
			g := make([]int64, rel.Len())
			for j := range g {
				g[j] = int64(rng.IntN(7) - 3)
			}
			check(newDual(rel, rng.IntN(rel.N), g, int64(1+rng.IntN(4)), make([]int64, rel.N)))
		}
		for j := range rel.Len() {
			cell, _ := rel.Row(j)
			for _, k := range cell {
				check(s.RelationDual(j, int(k)))
			}
		}
	}
	if made == 0 {
		t.Fatal("nothing was tested")
	}
}
