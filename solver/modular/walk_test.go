package modular

import (
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/solver"
)

// In a table of variables that does not name them the bundles are the sums of the tree, one for each group of
// siblings, and every relation is in that of its group.
func TestBundlesAreSumsOfTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, dims := range productShapes(t) {
		tab := draw(t, rng, dims...)
		b := newBundles(tab.Rel, tab.Rel.Columns())
		type group struct {
			dim    int8
			parent int32
		}
		groups := map[group]int32{}
		for j := range tab.Rel.Len() {
			d := tab.Rel.Dim[j]
			g := group{d, tab.Coord[int(tab.Rel.Margin[j])*len(dims)+int(d)]}
			if want, ok := groups[g]; ok && want != b.of[j] {
				t.Errorf("relation %s is in bundle %d, others of its group in %d", tab.RelationName(j), b.of[j], want)
			}
			groups[g] = b.of[j]
			if cell, _ := tab.Rel.Row(j); b.slots[b.of[j]] != int32(len(cell)) {
				t.Errorf("bundle of %s has %d places for %d cells", tab.RelationName(j), b.slots[b.of[j]], len(cell))
			}
		}
	}
}

// Walks protect nearly all levels of tables that are linked, lack their empty cells and name no variables, without a program.
func TestWalksProtectLinkedTables(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"two5in6", "ninenew"} {
		in, err := formats.Read(shared.Path(t, "instances/csplib/"+name+".jj.gz"), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := newRun(t.Context(), in.Table, newClasses(in.Table.Rel), &solver.Options{})
		defer m.close()
		if err := m.byProducts(t.Context()); err != nil {
			t.Fatal(err)
		}
		without := 0
		for _, w := range m.wit {
			if w == nil {
				without++
			}
		}
		if 50*without > len(m.levels) {
			t.Errorf("%s: %d of %d levels have no witness", name, without, len(m.levels))
		}
	}
}
