package risk

import (
	"context"
	"math/big"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// What ARX's tests say of the adult data with its hierarchies (aacd487f, TestUtilityMetrics, TestAnonymization,
// TestAnonymizationTCloseness): Σ f² of nodes, and the best nodes of measures that only fall with coarser values,
// which must be minimal ones.
func TestARXLattice(t *testing.T) {
	t.Parallel()
	dir := microdata(t, "arx_adult")
	qi := []string{"sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class", "occupation"}
	var hs []*Hierarchy
	for _, name := range qi {
		h := must.Get(ReadHierarchy(filepath.Join(dir, "adult_hierarchy_"+name+".csv"), Layout{}))(t)
		hs = append(hs, h)
	}
	lattice := func(n int) *Lattice {
		s := scanSensitive(t, filepath.Join(dir, "adult.csv"), qi[:n], qi[n:]...)
		if n < len(qi) {
			must.Do(t, s.Hierarchical(0, hs[n]))
		}
		return must.Get(NewLattice(t.Context(), s, Missing{}, hs[:n]))(t)
	}
	eight := lattice(8)
	if eight.size != 4320 {
		t.Errorf("%d nodes, want 4320", eight.size)
	}
	for _, x := range []struct {
		levels []int
		dm     string
	}{
		{[]int{0, 0, 0, 0, 0, 0, 0, 0}, "485542"},
		{[]int{0, 1, 0, 0, 1, 0, 0, 1}, "4544210"},
		{[]int{1, 0, 0, 1, 3, 2, 2, 1}, "8524648"},
		{[]int{1, 1, 0, 1, 0, 2, 0, 0}, "4426432"},
		{[]int{1, 0, 1, 1, 3, 2, 2, 0}, "8461812"},
		{[]int{1, 4, 1, 1, 2, 2, 0, 0}, "96950278"},
		{[]int{0, 4, 1, 1, 1, 2, 2, 1}, "101990664"},
		{[]int{1, 4, 1, 2, 2, 2, 1, 0}, "215306610"},
		{[]int{0, 4, 1, 2, 1, 2, 2, 1}, "180221352"},
		{[]int{1, 4, 0, 2, 3, 1, 2, 1}, "646582034"},
		{[]int{0, 4, 1, 2, 3, 2, 2, 1}, "511031924"},
		{[]int{1, 4, 1, 2, 3, 2, 2, 1}, "909746244"},
	} {
		g := must.Get(eight.At(t.Context(), x.levels, Goal{}))(t)
		if g.Discernibility.String() != x.dm {
			t.Errorf("%v: Σ f² = %s, ARX %s", x.levels, g.Discernibility, x.dm)
		}
	}
	best := func(l *Lattice, goal Goal, want []int, least bool) {
		t.Helper()
		r := must.Get(l.Search(context.Background(), goal, nil))(t)
		k := slices.IndexFunc(r.Minimal, func(g *Generalisation) bool { return slices.Equal(g.Levels, want) })
		if k < 0 {
			t.Fatalf("%+v: %v, which ARX finds best, is not minimal", goal, want)
		}
		for _, g := range r.Minimal {
			if least && g.Discernibility.Cmp(r.Minimal[k].Discernibility) < 0 {
				t.Errorf("%+v: Σ f² of %v is less than that of ARX's best", goal, g.Levels)
			}
		}
	}
	fifth := big.NewRat(1, 5)
	best(eight, Goal{K: 5}, []int{1, 1, 1, 1, 3, 2, 2, 1}, false)
	best(eight, Goal{K: 5, T: fifth}, []int{1, 4, 1, 1, 3, 2, 2, 1}, true)
	best(eight, Goal{K: 100, T: fifth}, []int{1, 4, 1, 1, 3, 2, 2, 1}, true)
	best(eight, Goal{K: 5, T: fifth, Distances: []Distance{ByTree}}, []int{0, 4, 1, 1, 3, 2, 2, 1}, false)
	best(eight, Goal{E: 5}, []int{1, 1, 1, 1, 3, 2, 2, 1}, false)
	nine := lattice(9)
	best(nine, Goal{K: 5}, []int{1, 2, 1, 1, 3, 2, 2, 1, 1}, false)
	best(nine, Goal{K: 100}, []int{0, 4, 1, 1, 3, 2, 2, 1, 1}, false)
}
