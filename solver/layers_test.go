package solver

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// response draws another response over the cells of t: its own values, bounds, costs
// and sensitive cells, with right-hand sides that fit.
func response(rng *rand.Rand, t *table.Table) *table.Table {
	c := t.Clone()
	rel := *c.Rel
	rel.RHS = make([]int64, c.Rel.Len())
	c.Rel = &rel
	for i := range c.Len() {
		c.Value[i] = rng.Int64N(30)
		c.Lower[i], c.Upper[i] = 0, table.PosInf
		if rng.IntN(3) == 0 {
			c.Lower[i], c.Upper[i] = c.Value[i]/2, 2*c.Value[i]+rng.Int64N(3)
		}
		c.LPL[i], c.UPL[i], c.Width[i] = 0, 0, 0
		if c.Status[i] == table.Sensitive {
			c.Status[i] = table.Safe
		}
		c.Cost[i] = rng.Int64N(5)
	}
	for j := range rel.Len() {
		v, _ := c.Rel.Residual(j, c.Value)
		rel.RHS[j] = v.Int64()
	}
	for _, i := range rng.Perm(c.Len())[:rng.IntN(3)] {
		if c.Value[i] > 0 && c.Status[i] != table.Published {
			c.Status[i] = table.Sensitive
			c.LPL[i], c.UPL[i], c.Width[i] = rng.Int64N(min(c.Value[i]-c.Lower[i], 3)+1), rng.Int64N(3), rng.Int64N(4)
			if c.Upper[i] != table.PosInf {
				c.UPL[i] = min(c.UPL[i], c.Upper[i]-c.Value[i])
			}
		}
	}
	return c
}

// masks tries all masks over the layers of s, in order of cost, then lexicographically,
// and returns the cost of the first under which every layer by itself is protected;
// −1 if there is none.
func masks(s *table.Table, layers []*table.Table) (best []bool, cost int64) {
	n := s.Len() / s.Layers
	mask := &table.Table{Value: s.Value[:n], Status: slices.Clone(s.Status[:n]), Cost: make([]int64, n), Rel: table.NewRelations(n)}
	for i := range n {
		if mask.Status[i] == table.Sensitive {
			mask.Status[i] = table.Withheld
		}
		for k := i; k < s.Len(); k += n {
			mask.Cost[i] += s.Cost[k]
		}
	}
	best, cost = bruteForceBy(mask, func(set []bool) bool {
		for _, l := range layers {
			if !protected(l, set) {
				return false
			}
		}
		return true
	})
	if best == nil {
		return nil, -1
	}
	return best, cost
}

// layersOf cuts s into its layers, statuses and all.
func layersOf(s *table.Table) (layers []*table.Table) {
	n, rows := s.Len()/s.Layers, s.Rel.Len()/s.Layers
	for r := range s.Layers {
		cut := func(v []int64) []int64 { return v[r*n : r*n+n] }
		l := &table.Table{Value: cut(s.Value), Cost: cut(s.Cost), Status: s.Status[r*n : r*n+n], LPL: cut(s.LPL), UPL: cut(s.UPL), Width: cut(s.Width),
			Lower: cut(s.Lower), Upper: cut(s.Upper), Strict: s.Strict, Rel: table.NewRelations(n)}
		for j := range rows {
			cell, coef := s.Rel.Row(j)
			l.Rel.Add(cell, coef, s.Rel.RHS[r*rows+j])
		}
		layers = append(layers, l)
	}
	return layers
}

func stacked(tb testing.TB, tables ...*table.Table) *table.Table {
	tb.Helper()
	return must.Get(table.Stack("stack", []string{"a", "b", "c"}[:len(tables)], tables))(tb)
}

// masked solves s; −1 means unprotectable.
func masked(tb testing.TB, s *table.Table, o Options) (*Solution, int64) {
	tb.Helper()
	sol, err := Suppress(tb.Context(), s, &o)
	var u *UnprotectableError
	switch {
	case errors.As(err, &u):
		return nil, -1
	case err != nil:
		tb.Fatal(err)
	case sol.Status != Optimal || sol.Bound != sol.Cost:
		tb.Fatalf("%s, cost %d, bound %d", sol.Status, sol.Cost, sol.Bound)
	}
	n := s.Len() / max(1, s.Layers)
	for i, x := range sol.Pattern {
		if x != sol.Pattern[i%n] {
			tb.Fatalf("cell %d is withheld in one layer only", i)
		}
	}
	must.Do(tb, certificate.Protects(s, sol.Pattern, sol.Witnesses))
	return sol, sol.Cost
}

// drawLayers draws two or three responses over one table.
func drawLayers(i int) []*table.Table {
	rng := rand.New(rand.NewPCG(uint64(i), 99))
	first := randomTable(rng, shapes[i%len(shapes)], 8+rng.IntN(3), i/len(shapes))
	list := []*table.Table{first, response(rng, first)}
	if rng.IntN(2) == 0 {
		list = append(list, response(rng, first))
	}
	return list
}

// The optimal mask is what trying all masks finds, the canonical one cell by cell.
func TestLayersBruteForce(t *testing.T) {
	t.Parallel()
	solved, dearer, tables := 0, 0, 320
	if testing.Short() {
		tables = 120
	}
	for i := range tables {
		s := stacked(t, drawLayers(i)...)
		layers := layersOf(s)
		best, want := masks(s, layers)
		sol, got := masked(t, s, Options{Canonical: i%2 == 0})
		if got != want {
			t.Fatalf("table %d: cost %d, of all masks %d", i, got, want)
		}
		if want < 0 {
			continue
		}
		solved++
		if i%2 == 0 && !slices.Equal(sol.Pattern[:len(best)], best) {
			t.Errorf("table %d: mask %v, the canonical one is %v", i, sol.Pattern[:len(best)], best)
		}
		// Each response alone, at the mask's costs, is no dearer.
		for r, l := range layers {
			c := l.Clone()
			for k := range c.Cost {
				c.Cost[k] = 0
				for q := range layers {
					c.Cost[k] += layers[q].Cost[k]
				}
			}
			_, alone := masked(t, c, Options{})
			if alone < 0 || alone > got {
				t.Errorf("table %d: response %d alone costs %d, the common mask %d", i, r, alone, got)
			}
			if alone < got {
				dearer++
			}
		}
	}
	if solved < tables/4 || dearer < tables/4 {
		t.Errorf("%d tables solved, %d responses alone cheaper: too few to mean much", solved, dearer)
	}
}

// A response twice is the response once, whatever the options.
func TestLayersTwice(t *testing.T) {
	for i := range 60 {
		tab := randomTable(rand.New(rand.NewPCG(uint64(i), 5)), shapes[i%len(shapes)], 30, i/len(shapes))
		one, want := masked(t, tab, Options{Canonical: true})
		free := tab.Clone()
		for k := range free.Cost {
			free.Cost[k] = 0
		}
		two, got := masked(t, stacked(t, tab, free), Options{Canonical: true, Workers: 1 + i%3})
		if got != want {
			t.Errorf("table %d: cost %d, twice %d", i, want, got)
		} else if want >= 0 && !slices.Equal(one.Pattern, two.Pattern[:tab.Len()]) {
			t.Errorf("table %d: the canonical pattern changed", i)
		}
		if _, got = masked(t, stacked(t, tab), Options{}); got != want {
			t.Errorf("table %d: cost %d, as the only layer %d", i, want, got)
		}
	}
}

// Certificates of masks verify and prove what the search without one finds.
func TestLayersCertificates(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thorough")
	}
	survived := 0
	for i := range 160 {
		s := stacked(t, drawLayers(i)...)
		_, want := masks(s, layersOf(s))
		sol, file := certified(t, s, Options{Workers: 1})
		switch {
		case sol == nil && want >= 0:
			t.Errorf("table %d: cost %d, certified to be unprotectable", i, want)
		case sol == nil:
		case sol.Cost != want || sol.Bound != want:
			t.Errorf("table %d: cost %d, certified %d with bound %d", i, want, sol.Cost, sol.Bound)
		default:
			kept, _ := tamper(t, rand.New(rand.NewPCG(uint64(i), 8)), s, sol, file, want)
			survived += kept
		}
	}
	if survived < 20 {
		t.Errorf("%d changed certificates confirmed: the test says little", survived)
	}
}

// No technique changes the cost of a mask.
func TestLayersTechniques(t *testing.T) {
	t.Parallel()
	for i := range heavy.Draws(48) {
		rng := rand.New(rand.NewPCG(uint64(i), 17))
		first := randomTable(rng, shapes[i%len(shapes)], 40, i/len(shapes))
		s := stacked(t, first, response(rng, first))
		_, want := masked(t, s, Options{})
		for f := range reflect.TypeFor[techniques]().NumField() {
			var off techniques
			*field(&off, f) = true
			if _, got := masked(t, s, Options{off: off}); got != want {
				t.Errorf("table %d: cost %d, without technique %d %d", i, want, f, got)
			}
		}
	}
}
