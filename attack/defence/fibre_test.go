package defence

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// most is the size of a fibre up to which all of it is gone through.
const most = 400

// candidates calls each with every table that an intruder who knows what the
// publication of pattern tells and the public bounds cannot exclude, or, where
// there are more than most, with some of them spread over the fibre (whole is then
// false). Tables are as t otherwise, with the statuses of t.
func candidates(t *testing.T, tb *table.Table, p *public, pattern []bool, each func(y *table.Table)) (whole bool) {
	t.Helper()
	ctx := context.Background()
	var cells []int32
	for i, w := range pattern {
		if w {
			cells = append(cells, int32(i))
		}
	}
	f := must.Get(nullspace.New(tb.Rel, cells, tb.Value, p.Lower, p.Upper))(t)
	n, exact := must.Two(f.Count(ctx, big.NewInt(100*most)))(t)
	stride := int64(1)
	if whole = exact && n.Int64() <= most; !whole {
		stride = max(1, n.Int64()/40)
	}
	at := int64(0)
	for y := range f.Points(ctx) {
		if at++; at%stride == 0 || at == 1 {
			c := tb.Clone()
			for k, i := range cells {
				c.Value[i] = y[k]
			}
			each(c)
		}
		if at == 100*most {
			break
		}
	}
	if at == 0 {
		t.Fatal("the true table is not a candidate")
	}
	return whole
}

// sample returns a small table of one of several shapes and the options to protect it
// with. Quantised withholds so much that only fibres of small values, small widths
// and short classes are gone through within reason; one in eight tables is one of
// the experiment all the same.
func sample(t *testing.T, kind Kind, seed uint64) (*table.Table, *Options) {
	opt := &Options{Kind: kind, Below: 5, Width: 8}
	if kind == Quantised {
		if seed%8 != 0 {
			opt.Below, opt.Width, opt.Step = 2, 1+int64(seed/8%2), int64(seed/16%2)*5
		}
	} else if seed%6 >= 3 {
		opt.Below, opt.Width = 3, 3+int64(seed%2)
	}
	draw := n1510(seed)
	if opt.Below < 5 {
		draw = smaller(seed)
	}
	n := 3 + int(seed/6%3)
	dims := [][]table.Dimension{
		{flat(t, 0, 3), flat(t, 1, 3)},
		{flat(t, 0, 4), flat(t, 1, 4)},
		{flat(t, 0, n), flat(t, 1, n)},
		{flat(t, 0, 3), flat(t, 1, 4)},
		{flat(t, 0, 2), flat(t, 1, 3), flat(t, 2, 3)},
		{tree(t, 0, 2), flat(t, 1, 3)},
	}[seed%6]
	tb := counts(t, dims, opt.Below, opt.Width, draw)
	if seed%5 == 0 {
		opt.Weights = drawn(tb.Len(), 1, int(seed))
	}
	return tb, opt
}

// smaller draws values of about a third of n1510's.
func smaller(seed uint64) func() int64 {
	draw := n1510(seed)
	return func() int64 { return draw() / 3 }
}

// publicly returns the options completed and what of the table everybody knows.
func publicly(t *testing.T, tb *table.Table, opt *Options) (*Options, *public) {
	t.Helper()
	o := must.Get(opt.complete(tb))(t)
	p := must.Get(o.public(tb))(t)
	return o, p
}

// TestEffectiveIsFeasible runs the defence on every table of the fibre of what it
// published: all lead to the same pattern, so the effective interval of every
// cell is the feasible one.
func TestEffectiveIsFeasible(t *testing.T) {
	ctx := context.Background()
	for _, kind := range []Kind{Simulatable, Quantised} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			whole, checked, impossible, want := 0, 0, 0, heavy.Draws(210)
			if testing.Short() {
				want = 40
			}
			for seed := uint64(1); whole < want; seed++ {
				if seed > 3000 {
					t.Fatalf("only %d fibres small enough", whole)
				}
				tb, opt := sample(t, kind, seed)
				s := suppressed(t, tb, opt)
				if s == nil {
					impossible++
					continue
				}
				_, p := publicly(t, tb, opt)
				lo, hi := slices.Repeat([]int64{math.MaxInt64}, tb.Len()), make([]int64, tb.Len())
				all := candidates(t, tb, p, s.Pattern, func(y *table.Table) {
					checked++
					for i, v := range y.Value {
						lo[i], hi[i] = min(lo[i], v), max(hi[i], v)
					}
					if kind == Quantised { // the rule says of y which cells are sensitive
						y = marked(t, y, opt.Below, opt.Width)
					}
					r, err := Suppress(ctx, y, opt)
					if err != nil {
						t.Fatalf("seed %d: %v: %v", seed, y.Value, err)
					}
					if !slices.Equal(r.Pattern, s.Pattern) {
						t.Fatalf("seed %d: %v leads to another pattern than %v", seed, y.Value, tb.Value)
					}
				})
				if !all {
					continue
				}
				whole++
				// In networks integer and real intervals agree, so widths show in whole tables.
				for i, w := range p.Width {
					if w >= 0 && s.Engine == "network" && hi[i]-lo[i] < w {
						t.Errorf("seed %d: cell %s is in [%d, %d]", seed, tb.CellName(i), lo[i], hi[i])
					}
				}
			}
			t.Logf("%d fibres gone through, %d runs, %d tables unprotectable", whole, checked, impossible)
		})
	}
}

// marked returns y with the sensitive cells that the rule finds in it.
func marked(t *testing.T, y *table.Table, below, width int64) *table.Table {
	t.Helper()
	y = y.Clone()
	for i, st := range y.Status {
		if st == table.Sensitive {
			y.Status[i], y.Width[i] = table.Safe, 0
		}
	}
	if _, _, err := y.MinimumFrequency(below, false); err != nil {
		t.Fatal(err)
	}
	w := table.Level{Decimal: table.Decimal{Unscaled: width}}
	must.Do(t, y.SetLevels(table.Levels{Width: &w}))
	return y
}

// TestFibreTellsOthersApart is the control of TestEffectiveIsFeasible: procedures that
// look at withheld values are caught by the same fibres.
func TestFibreTellsOthersApart(t *testing.T) {
	ctx := context.Background()
	audited := func(y *table.Table, pattern []bool) bool {
		rep := must.Get(interval.Audit(ctx, y, pattern, nil))(t)
		return rep.Protected
	}
	for name, procedure := range map[string]func(y *table.Table) []bool{
		"cheapest": func(y *table.Table) []bool {
			s, err := solver.Suppress(ctx, y, &solver.Options{Canonical: true})
			if err != nil {
				return nil
			}
			return s.Pattern
		},
		// The engine's rounds with the true value in place of all possible ones.
		"greedy": func(y *table.Table) []bool {
			x := make([]bool, y.Len())
			for i, st := range y.Status {
				x[i] = st != table.Published
			}
			for i, st := range y.Status {
				if st == table.Safe {
					x[i] = false
					x[i] = !audited(y, x)
				}
			}
			return x
		},
	} {
		caught, tables := 0, 0
		for seed := uint64(1); tables < 20; seed++ {
			tb, opt := sample(t, Simulatable, seed)
			x := procedure(tb)
			if x == nil || !audited(tb, x) {
				continue
			}
			_, p := publicly(t, tb, opt)
			tables++
			n, differ := 0, false
			candidates(t, tb, p, x, func(y *table.Table) {
				if n++; n <= 40 && !differ {
					differ = !slices.Equal(procedure(y), x)
				}
			})
			if differ {
				caught++
			}
		}
		t.Logf("%s: %d of %d tables told apart", name, caught, tables)
		if caught == 0 {
			t.Errorf("%s: looks at withheld values, but no fibre told", name)
		}
	}
}

// TestRandomSupport draws among orders: every table of the fibre gives the published
// pattern from the same orders, and its probability changes by a factor of at most
// e^(ε/2).
func TestRandomSupport(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const ε = 2.0
	fibres, varied := 0, 0
	for seed := uint64(1); fibres < heavy.Draws(40); seed++ {
		over := Kinds()[seed/7%2]
		tb, opt := sample(t, over, seed)
		opt.Kind, opt.Over, opt.Orders, opt.Epsilon, opt.PublicSeed, opt.Seed = Random, over, 6, ε, 3, key(seed)
		s := suppressed(t, tb, opt)
		if s == nil {
			continue
		}
		o, p := publicly(t, tb, opt)
		// from returns which orders lead to the published pattern, and its probability.
		from := func(y *table.Table) (is []bool, prob float64) {
			var sol Solution
			rs := must.Get(sol.patterns(ctx, p, o, func(i int) int64 { return y.Value[i] }))(t)
			total := 0.0
			is = make([]bool, len(rs))
			for j, c := range sol.Costs {
				w := math.Exp(-ε * float64(c) / float64(2*sol.Delta))
				total += w
				if is[j] = slices.Equal(rs[j].withheld, s.Pattern); is[j] {
					prob += w
				}
			}
			return is, prob / total
		}
		is, prob := from(tb)
		if !slices.Contains(is, true) {
			t.Fatalf("seed %d: no order leads to the published pattern", seed)
		}
		fibres++
		n := 0
		candidates(t, tb, p, s.Pattern, func(y *table.Table) {
			if n++; n > 100 {
				return
			}
			is2, prob2 := from(y)
			if !slices.Equal(is, is2) {
				t.Fatalf("seed %d: %v: orders %v lead to the pattern, published from %v", seed, y.Value, is2, is)
			}
			if q := prob2 / prob; q > math.Exp(ε/2)+1e-9 || q < math.Exp(-ε/2)-1e-9 {
				t.Fatalf("seed %d: probability %g of %g", seed, prob2, prob)
			} else if q != 1 {
				varied++
			}
		})
	}
	t.Logf("%d fibres; the probability varied for %d tables", fibres, varied)
	if varied == 0 {
		t.Error("the draw never depended on values: nothing was tested")
	}
}
