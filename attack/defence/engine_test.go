package defence

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// open prepares the engine for a table as Simulatable does.
func open(t *testing.T, tb *table.Table) *engine {
	t.Helper()
	o := must.Get((&Options{Kind: Simulatable}).complete(tb))(t)
	p := must.Get(o.public(tb))(t)
	e := must.Get(newEngine(context.Background(), p, func(i int) int64 { return tb.Value[i] }))(t)
	t.Cleanup(e.close)
	return e
}

// bounds returns the interval of cell k of the engine where the cells of fixed have
// the values there, by another way than the engine's; ok is false where no table has.
func bounds(t *testing.T, e *engine, fixed map[int32]int64, k int32) (lo, hi *big.Rat, ok bool) {
	t.Helper()
	var cells []int32
	value := make([]int64, len(e.cells))
	at := -1
	for c := range e.cells {
		if v, in := fixed[int32(c)]; in {
			value[c] = v
			continue
		}
		if int32(c) == k {
			at = len(cells)
		}
		cells = append(cells, int32(c))
	}
	f := must.Get(nullspace.New(e.rel, cells, value, e.lower, e.upper))(t)
	return f.Bounds(at)
}

// TestMayIsAllValues compares the engine's decision about a cell with going through
// all values the cell could have, on the way of a run: with widths that other code
// computes, and with their concavity.
func TestMayIsAllValues(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	yes, no, narrow := 0, 0, 0
	for seed := uint64(1); seed <= heavy.Draws(uint64(60)); seed++ {
		tb, _ := sample(t, Simulatable, seed)
		if seed%3 == 0 {
			for i, v := range tb.Value { // bounds of the intruder's own
				tb.Upper[i] = max(2*v, 12)
			}
		}
		e := open(t, tb)
		fixed := map[int32]int64{}
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, at := range rng.Perm(len(e.cells)) {
			c := int32(at)
			if e.p.Keep[e.cells[c]] || len(e.need) == 0 {
				continue
			}
			got := must.Get(e.may(ctx, c))(t)
			want := true
			lo, hi, ok := bounds(t, e, fixed, c)
			if !ok {
				t.Fatalf("seed %d: no table", seed)
			}
			for _, k := range e.need {
				var w []*big.Rat
				for v := ceil(lo); new(big.Rat).SetInt64(v).Cmp(hi) <= 0; v++ {
					fixed[c] = v
					l, h, ok := bounds(t, e, fixed, k)
					delete(fixed, c)
					if !ok {
						continue // a relation over integers only
					}
					w = append(w, new(big.Rat).Sub(h, l))
					want = want && w[len(w)-1].Cmp(new(big.Rat).SetInt64(e.p.Width[e.cells[k]])) >= 0
				}
				for v := 1; v+1 < len(w); v++ {
					if sum := new(big.Rat).Add(w[v-1], w[v+1]); sum.Cmp(new(big.Rat).Add(w[v], w[v])) > 0 {
						t.Fatalf("seed %d: widths %v are not concave", seed, w)
					}
				}
			}
			switch {
			case got && !want, !got && want && e.sys.IsNetwork():
				t.Fatalf("seed %d, cell %s: released %v, want %v", seed, tb.CellName(int(e.cells[c])), got, want)
			case !got && want:
				narrow++ // an end between two integers
			}
			if !got {
				no++
				continue
			}
			yes++
			v := tb.Value[e.cells[c]]
			must.Do(t, e.release(ctx, c, v))
			fixed[c] = v
			for b, u := range fixed {
				if e.base.num[b] != u*e.base.den {
					t.Fatalf("seed %d: the base is not at a released value", seed)
				}
			}
		}
	}
	t.Logf("%d released, %d not, of which %d by ends that no count has", yes, no, narrow)
	if yes < heavy.Draws(100) || no < heavy.Draws(100) {
		t.Error("too few decisions of either kind")
	}
}

func ceil(r *big.Rat) int64 {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if m.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64()
}

// TestSecretsUnseen runs the engine on tables that differ in withheld values only, too
// large to go through their fibres: it asks for the values of released cells alone,
// once each, and ends the same.
func TestSecretsUnseen(t *testing.T) {
	ctx := context.Background()
	for seed := uint64(1); seed <= 12; seed++ {
		tb := square(t, 9, seed)
		switch seed % 3 {
		case 1:
			tb = cube(t, 3, 3, 4, seed)
		case 2:
			tb = counts(t, []table.Dimension{tree(t, 0, 3), flat(t, 1, 4)}, 5, 8, n1510(seed))
		}
		over := Kinds()[seed%2]
		o := must.Get((&Options{Kind: over, Below: 5, Width: 8}).complete(tb))(t)
		p := must.Get(o.public(tb))(t)
		run := func(value []int64) []bool {
			asked := make([]int, tb.Len())
			r, err := release(ctx, p, func(i int) int64 { asked[i]++; return value[i] }, nil)
			var u *exposed
			if errors.As(err, &u) {
				return nil
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range asked {
				want := 0
				if p.Open[i] && !r.withheld[i] {
					want = 1
				}
				if n != want {
					t.Fatalf("seed %d: asked %d times for cell %s, want %d", seed, n, tb.CellName(i), want)
				}
			}
			return r.withheld
		}
		x := run(tb.Value)
		if x == nil {
			continue
		}
		var cells []int32
		for i, w := range x {
			if w {
				cells = append(cells, int32(i))
			}
		}
		f := must.Get(nullspace.New(tb.Rel, cells, tb.Value, p.Lower, p.Upper))(t)
		kernel := f.Kernel()
		rng := rand.New(rand.NewPCG(seed, 2))
		y, moved := slices.Clone(tb.Value), 0
		for range 400 {
			z, sign := kernel[rng.IntN(len(kernel))], int64(1-2*rng.IntN(2))
			fits := true
			for t, c := range cells {
				v := y[c] + sign*z[t].Int64()
				fits = fits && v >= p.Lower[c] && v <= p.Upper[c]
			}
			if !fits {
				continue
			}
			for t, c := range cells {
				y[c] += sign * z[t].Int64()
			}
			if moved++; moved%20 == 1 && !slices.Equal(run(y), x) {
				t.Fatalf("seed %d: the pattern changes with withheld values", seed)
			}
		}
		t.Logf("seed %d: %d cells withheld, kernel %d, %d moves", seed, len(cells), len(kernel), moved)
	}
}

// TestStrict asks for more than the width that is there.
func TestStrict(t *testing.T) {
	ctx := context.Background()
	values := []int64{1, 7, 9, 3}
	at := 0
	tb := counts(t, []table.Dimension{flat(t, 0, 2), flat(t, 1, 2)}, 3, 8, func() int64 { at++; return values[at-1] })
	// 1 7 | 8    the first cell is in [0, 8], for 10 − y and 8 − y stay ≥ 0, 3 − 1 + y too
	// 9 3 | 12
	s, err := Suppress(ctx, tb, &Options{Kind: Simulatable})
	if err != nil || withheld(s.Pattern) != 4 {
		t.Fatalf("%v, %v; want all four cells withheld", s, err)
	}
	tb.Strict = true
	_, err = Suppress(ctx, tb, &Options{Kind: Simulatable})
	var u *solver.UnprotectableError
	if !errors.As(err, &u) {
		t.Fatalf("%v, want an UnprotectableError", err)
	}
	if want := "table t: no simulatable pattern protects cell A1/B1: with everything withheld that may be, what is public puts it in [0, 8], width must be more than 8"; u.Error() != want {
		t.Errorf("%q, want %q", u, want)
	}
}

// TestUnbounded has cells that nothing bounds on one side or both.
func TestUnbounded(t *testing.T) {
	ctx := context.Background()
	for _, sides := range []string{"lower", "upper", "both", "none"} {
		for seed := uint64(1); seed <= 6; seed++ {
			tb := square(t, 5, seed)
			if seed%2 == 0 {
				tb = cube(t, 3, 3, 3, seed)
			}
			for i := range tb.Value {
				if sides == "lower" || sides == "none" {
					tb.Upper[i] = table.PosInf
				} else {
					tb.Upper[i] = 2*tb.Value[i] + 9
				}
				tb.Lower[i] = 0
				if sides == "upper" || sides == "none" {
					tb.Lower[i] = table.NegInf
				}
			}
			s, err := Suppress(ctx, tb, &Options{Kind: Simulatable})
			if err != nil {
				t.Fatalf("%s, seed %d: %v", sides, seed, err)
			}
			rep, err := interval.Audit(ctx, tb, s.Pattern, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !rep.Protected {
				t.Errorf("%s, seed %d: not protected", sides, seed)
			}
			// Where nothing bounds anything, no release can do harm but by breaking
			// all ways round, so what is left is minimal: each cell is needed.
			if sides != "none" {
				continue
			}
			for i, st := range tb.Status {
				if st != table.Safe || !s.Pattern[i] {
					continue
				}
				s.Pattern[i] = false
				rep := must.Get(interval.Audit(ctx, tb, s.Pattern, nil))(t)
				if s.Pattern[i] = true; rep.Protected {
					t.Errorf("seed %d: cell %s is withheld for nothing", seed, tb.CellName(i))
				}
			}
		}
	}
}

// TestNothingToProtect releases what has nothing to do with cells to protect, but not
// what is withheld already.
func TestNothingToProtect(t *testing.T) {
	ctx := context.Background()
	tb := counts(t, []table.Dimension{flat(t, 0, 3), flat(t, 1, 3)}, 1, 8, n1510(1))
	s, err := Suppress(ctx, tb, &Options{Kind: Simulatable})
	if err != nil || withheld(s.Pattern) != 0 || s.Released != 9 {
		t.Fatalf("%+v, %v; want everything released", s, err)
	}
	inner := slices.Index(tb.Status, table.Safe)
	tb.Status[inner] = table.Withheld
	s, err = Suppress(ctx, tb, &Options{Kind: Simulatable})
	if err != nil || withheld(s.Pattern) != 1 || !s.Pattern[inner] || s.Cost != 0 {
		t.Fatalf("%+v, %v; want the withheld cell withheld", s, err)
	}
	for i := range tb.Status {
		tb.Status[i] = table.Published
	}
	s, err = Suppress(ctx, tb, &Options{Kind: Simulatable})
	if err != nil || withheld(s.Pattern) != 0 {
		t.Fatalf("%+v, %v; want everything published", s, err)
	}
}

// TestOpenMargins has margins that may be withheld. A cell has no upper end then until
// its totals are released, and a total that may be as little as what is known below
// it stays withheld.
func TestOpenMargins(t *testing.T) {
	ctx := context.Background()
	for _, kind := range []Kind{Simulatable, Quantised} {
		tb := square(t, 5, 2)
		leaves := tb.Leaves()
		for i, st := range tb.Status {
			if st == table.Published {
				tb.Status[i] = table.Safe
			}
		}
		s := must.Get(Suppress(ctx, tb, &Options{Kind: kind, Below: 5, Width: 8}))(t)
		margins := 0
		for i, w := range s.Pattern {
			if !w && tb.IsMargin(i, leaves) {
				margins++
			}
		}
		if margins == 0 || s.Released == margins {
			t.Errorf("%s: %d released, %d of them margins; want some of both kinds", kind, s.Released, margins)
		}
		for i, st := range tb.Status { // as the rule says, where margins count too
			if st == table.Safe && tb.Value[i] >= 1 && tb.Value[i] < 5 {
				t.Fatalf("cell %s is not sensitive", tb.CellName(i))
			}
		}
		rep := must.Get(interval.Audit(ctx, tb, s.Pattern, nil))(t)
		if !rep.Protected {
			t.Errorf("%s: not protected", kind)
		}
	}
}

func BenchmarkSimulatable(b *testing.B) {
	for _, n := range []int{7, 12, 50} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			tb := square(b, n, 1)
			for b.Loop() {
				s, err := Suppress(context.Background(), tb, &Options{Kind: Simulatable})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(s.Tests), "tests")
			}
		})
	}
}

// TestBackEnds runs another LP back end, which stops at other vertices: decisions are
// exact, so they do not depend on it.
func TestBackEnds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for seed := uint64(1); seed <= heavy.Draws(uint64(3)); seed++ {
		tb := cube(t, 3, 3, 3, seed)
		for _, kind := range []Kind{Simulatable, Quantised} {
			var first []bool
			for _, backend := range []string{"simplex", "gonum"} {
				s, err := Suppress(ctx, tb, &Options{Kind: kind, Below: 5, Width: 8, LP: backend})
				var u *solver.UnprotectableError
				switch {
				case errors.As(err, &u):
					s = &Solution{}
				case err != nil:
					t.Fatal(err)
				}
				if first == nil {
					first = s.Pattern
				} else if !slices.Equal(s.Pattern, first) {
					t.Errorf("seed %d, %s: %s decides otherwise", seed, kind, backend)
				}
			}
		}
	}
}
