package solver

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/all"
	"github.com/hitoku/hitoku/table"
)

// draw draws a random table of a random shape.
func draw(t *rapid.T) *table.Table {
	seed := rapid.Uint64().Draw(t, "seed")
	s := rapid.SampledFrom(shapes).Draw(t, "shape")
	free := rapid.IntRange(3, 30).Draw(t, "free")
	kind := rapid.IntRange(0, 2).Draw(t, "kind")
	return randomTable(rand.New(rand.NewPCG(seed, 7)), s, free, kind)
}

// cost solves t; −1 means unprotectable.
func cost(t *rapid.T, tab *table.Table, o Options) int64 {
	t.Helper()
	s, err := Suppress(t.Context(), tab, &o)
	var u *UnprotectableError
	if errors.As(err, &u) {
		return -1
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.Status != Optimal || s.Bound != s.Cost {
		t.Fatalf("status %s, cost %d, bound %d", s.Status, s.Cost, s.Bound)
	}
	if err := certificate.Protects(tab, s.Pattern, s.Witnesses); err != nil {
		t.Fatal(err)
	}
	if !protected(tab, s.Pattern) {
		t.Fatal("the oracle finds the pattern unprotected")
	}
	return s.Cost
}

// cheaper reports whether cost b is lower than cost a, unprotectable being highest.
func cheaper(b, a int64) bool { return b >= 0 && (a < 0 || b < a) }

func TestMetamorphic(t *testing.T) {
	properties := map[string]func(t *rapid.T, tab *table.Table, base int64){
		"relabelling cells leaves the cost": func(t *rapid.T, tab *table.Table, base int64) {
			perm := rapid.Permutation(indices(tab.Len())).Draw(t, "perm")
			if got := cost(t, permute(tab, perm), Options{}); got != base {
				t.Fatalf("cost %d, relabelled %d", base, got)
			}
		},
		"scaling leaves the cost": func(t *rapid.T, tab *table.Table, base int64) {
			if tab.Strict && base >= 0 {
				return // "> Width" in units is not the same after scaling fractions
			}
			f := int64(rapid.IntRange(2, 1000).Draw(t, "factor"))
			c := tab.Clone()
			for _, col := range [][]int64{c.Value, c.LPL, c.UPL, c.Width, c.Lower, c.Upper, c.Rel.RHS} {
				for i, v := range col {
					if v != table.PosInf && v != table.NegInf {
						col[i] = f * v
					}
				}
			}
			if got := costQuiet(t, c); got != base {
				t.Fatalf("cost %d, scaled by %d %d", base, f, got)
			}
		},
		"a redundant relation leaves the cost": func(t *rapid.T, tab *table.Table, base int64) {
			c := tab.Clone()
			r := table.NewRelations(c.Len())
			for j := range c.Rel.Len() {
				cell, coef := c.Rel.Row(j)
				r.Add(cell, coef, c.Rel.RHS[j])
			}
			a := rapid.IntRange(0, r.Len()-1).Draw(t, "first")
			b := rapid.IntRange(0, r.Len()-1).Draw(t, "second")
			sum := map[int32]int32{}
			for _, j := range []int{a, b} {
				cell, coef := r.Row(j)
				for s, i := range cell {
					sum[i] += coef[s]
				}
			}
			var cell, coef []int32
			for i := range int32(c.Len()) {
				if v := sum[i]; v != 0 {
					cell, coef = append(cell, i), append(coef, v)
				}
			}
			r.Add(cell, coef, r.RHS[a]+r.RHS[b])
			c.Rel = r
			if got := cost(t, c, Options{}); got != base {
				t.Fatalf("cost %d, with a redundant relation %d", base, got)
			}
		},
		"a chain in place of a cell leaves the cost": func(t *rapid.T, tab *table.Table, base int64) {
			i := rapid.IntRange(0, tab.Len()-1).Draw(t, "cell")
			seed := rapid.Uint64().Draw(t, "split")
			if got := cost(t, chained(tab, i, rand.New(rand.NewPCG(seed, 3))), Options{}); got != base {
				t.Fatalf("cost %d, with a chain %d", base, got)
			}
		},
		"tables glued at published cells cost what they cost apart": func(t *rapid.T, tab *table.Table, base int64) {
			other := draw(t)
			other.Strict = tab.Strict
			second := cost(t, other, Options{})
			want := base + second
			if base < 0 || second < 0 {
				want = -1
			}
			if got := cost(t, glued(tab, other), Options{}); got != want {
				t.Fatalf("cost %d and %d apart, %d together", base, second, got)
			}
		},
		"another back end leaves the cost": func(t *rapid.T, tab *table.Table, base int64) {
			name := rapid.SampledFrom(lp.Backends()).Draw(t, "back end")
			if name == "gonum" && !forGonum(tab) {
				return
			}
			if got := cost(t, tab, Options{LP: name}); got != base {
				t.Fatalf("cost %d, with %s %d", base, name, got)
			}
		},
		"raising a level never lowers it": func(t *rapid.T, tab *table.Table, base int64) {
			c := tab.Clone()
			k := slices.Index(c.Status, table.Sensitive)
			col := rapid.SampledFrom([][]int64{c.LPL, c.UPL, c.Width}).Draw(t, "level")
			col[k] += int64(rapid.IntRange(1, 5).Draw(t, "by"))
			if got := cost(t, c, Options{}); cheaper(got, base) {
				t.Fatalf("cost %d, with a raised level %d", base, got)
			}
		},
		"forbidding a cell never lowers it": func(t *rapid.T, tab *table.Table, base int64) {
			c := tab.Clone()
			for _, i := range rapid.Permutation(indices(c.Len())).Draw(t, "order") {
				if c.Status[i] == table.Safe {
					c.Status[i] = table.Published
					break
				}
			}
			if got := cost(t, c, Options{}); cheaper(got, base) {
				t.Fatalf("cost %d, with a cell forbidden %d", base, got)
			}
		},
		"dropping a sensitive cell never raises it": func(t *rapid.T, tab *table.Table, base int64) {
			c := tab.Clone()
			k := slices.Index(c.Status, table.Sensitive)
			c.Status[k] = table.Withheld // still withheld, no longer to be protected
			if got := cost(t, c, Options{}); cheaper(base, got) {
				t.Fatalf("cost %d, without a sensitive cell %d", base, got)
			}
		},
	}
	for name, check := range properties {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				tab := draw(t)
				check(t, tab, cost(t, tab, Options{}))
			})
		})
	}
}

// forGonum reports whether the dense back end can be asked: small tables, and costs
// that do not spread over more decades than its absolute tolerances stand.
func forGonum(tab *table.Table) bool { return tab.Len() <= 30 && slices.Max(tab.Cost) <= 1e6 }

// costQuiet is cost without the oracle, whose infinity is small.
func costQuiet(t *rapid.T, tab *table.Table) int64 {
	s, err := Suppress(t.Context(), tab, nil)
	var u *UnprotectableError
	if errors.As(err, &u) {
		return -1
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Cost
}

func indices(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// chained returns t with a new cell equal to cell i, which takes part of its cost
// and its place in some of its relations.
func chained(t *table.Table, i int, rng *rand.Rand) *table.Table {
	n := t.Len()
	c := t.Clone()
	c.Dims, c.Coord = nil, nil
	status, share := c.Status[i], int64(0)
	switch {
	case status == table.Safe:
		share = rng.Int64N(c.Cost[i] + 1)
		c.Cost[i] -= share
	case status == table.Sensitive:
		if status = table.Safe; rng.IntN(2) == 0 {
			status = table.Withheld
		}
	}
	lower, upper := int64(table.NegInf), int64(table.PosInf)
	if rng.IntN(2) == 0 {
		lower, upper = c.Lower[i], c.Upper[i]
		c.Lower[i], c.Upper[i] = table.NegInf, table.PosInf
	}
	c.Value, c.Cost, c.Status = append(c.Value, c.Value[i]), append(c.Cost, share), append(c.Status, status)
	c.LPL, c.UPL, c.Width = append(c.LPL, 0), append(c.UPL, 0), append(c.Width, 0)
	c.Lower, c.Upper = append(c.Lower, lower), append(c.Upper, upper)
	c.Rel = table.NewRelations(n + 1)
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		cell = slices.Clone(cell)
		if at := slices.Index(cell, int32(i)); at >= 0 && rng.IntN(2) == 0 {
			cell[at] = int32(n)
		}
		c.Rel.Add(cell, coef, t.Rel.RHS[j])
	}
	c.Rel.Add([]int32{int32(i), int32(n)}, []int32{-1, 1}, 0)
	return c
}

// glued returns a and b as one table. A published cell of each, if there is one,
// forms a relation with one of the other.
func glued(a, b *table.Table) *table.Table {
	c := a.Clone()
	c.Dims, c.Coord = nil, nil
	n := int32(a.Len())
	c.Value, c.Cost, c.Status = append(c.Value, b.Value...), append(c.Cost, b.Cost...), append(c.Status, b.Status...)
	c.LPL, c.UPL, c.Width = append(c.LPL, b.LPL...), append(c.UPL, b.UPL...), append(c.Width, b.Width...)
	c.Lower, c.Upper = append(c.Lower, b.Lower...), append(c.Upper, b.Upper...)
	c.Rel = table.NewRelations(c.Len())
	for j := range a.Rel.Len() {
		cell, coef := a.Rel.Row(j)
		c.Rel.Add(cell, coef, a.Rel.RHS[j])
	}
	for j := range b.Rel.Len() {
		cell, coef := b.Rel.Row(j)
		moved := make([]int32, len(cell))
		for s, i := range cell {
			moved[s] = n + i
		}
		c.Rel.Add(moved, coef, b.Rel.RHS[j])
	}
	if i, k := slices.Index(a.Status, table.Published), slices.Index(b.Status, table.Published); i >= 0 && k >= 0 {
		c.Rel.Add([]int32{int32(i), n + int32(k)}, []int32{1, 1}, a.Value[i]+b.Value[k])
	}
	return c
}

// permute moves cell i of t to place perm[i], without dimensions.
func permute(t *table.Table, perm []int) *table.Table {
	c := t.Clone()
	c.Dims, c.Coord = nil, nil
	move := func(dst, src []int64) {
		for i, v := range src {
			dst[perm[i]] = v
		}
	}
	move(c.Value, t.Value)
	move(c.Cost, t.Cost)
	move(c.LPL, t.LPL)
	move(c.UPL, t.UPL)
	move(c.Width, t.Width)
	move(c.Lower, t.Lower)
	move(c.Upper, t.Upper)
	for i, st := range t.Status {
		c.Status[perm[i]] = st
	}
	c.Rel = table.NewRelations(t.Len())
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		moved := make([]int32, len(cell))
		for s, i := range cell {
			moved[s] = int32(perm[i])
		}
		c.Rel.Add(moved, coef, t.Rel.RHS[j])
	}
	return c
}

// The canonical pattern is the same for every back end and number of workers, and
// without Canonical the pattern still does not depend on the workers.
func TestCanonical(t *testing.T) {
	t.Parallel()
	differ, tables := 0, heavy.Draws(120)
	if testing.Short() {
		tables = 30
	}
	for i := range tables {
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		s := shapes[i%len(shapes)]
		tab := randomTable(rng, s, 6+rng.IntN(30), i)
		var want, plain []bool
		for _, name := range lp.Backends() {
			if name == "gonum" && (i == 45 || i == 77 || !forGonum(tab)) { // those two take it 15 s and 2 s
				continue
			}
			for _, workers := range []int{1, 2, 4} {
				if name == "gonum" && workers > 1 {
					continue
				}
				got, err := Suppress(t.Context(), tab, &Options{LP: name, Workers: workers, Canonical: true})
				var u *UnprotectableError
				if errors.As(err, &u) {
					break
				}
				if err != nil {
					t.Fatalf("table %d, %s, %d workers: %v", i, name, workers, err)
				}
				if want == nil {
					want = got.Pattern
				} else if !slices.Equal(got.Pattern, want) {
					t.Errorf("table %d (%s): canonical pattern differs with %s and %d workers", i, s.name, name, workers)
				}
			}
		}
		if want == nil {
			continue
		}
		for _, workers := range []int{1, 2, 4} {
			got := must.Get(Suppress(t.Context(), tab, &Options{Workers: workers}))(t)
			if plain == nil {
				plain = got.Pattern
			} else if !slices.Equal(got.Pattern, plain) {
				t.Errorf("table %d (%s): the pattern depends on the workers", i, s.name)
			}
		}
		if !slices.Equal(plain, want) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("no table has a tie: canonical patterns were not put to the test")
	}
}
