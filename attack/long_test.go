package attack

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// asLong is Run in the arithmetic of numbers whose sums and levels do not fit 64 bits, whatever the numbers are.
func asLong(t *testing.T, tab *table.Table, withheld []bool, opt *Options) *Result {
	t.Helper()
	x, err := newSetting(t.Context(), Published(tab, withheld).Table(), withheld, opt)
	if err != nil {
		t.Fatal(err)
	}
	x.wide = slices.Repeat([]bool{true}, len(x.rhs))
	if x.levels, err = levelsOf(x.office, x.base, x.cells); err != nil {
		t.Fatal(err)
	}
	x.down = x.base.Strict
	x.extents = extentsOf(&x.possible, x.q*x.fine)
	r, err := x.decideAll(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLongLevels compares percentages of numbers of 15 digits, which ask for a few units and a fraction of one, with the whole levels that they amount to
// on networks: in the whole attack, and in what the solver is asked for a candidate.
func TestLongLevels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(12, 7))
	done, better := 0, 0
	for n := 0; done < heavy.Draws(60); n++ {
		strict := n%3 == 0
		tab := drawShape(t, [][]int{{4, 4}, {5, 3}, {4, 5}}[n%3], n%3 == 1, func() int64 { return 1e15 + rng.Int64N(10) })
		tab.PublishMargins()
		tab.Counts = false
		for i, v := range tab.Value {
			tab.Lower[i], tab.Upper[i] = v-rng.Int64N(5), v+rng.Int64N(5)
			if tab.Status[i] == table.Safe && rng.IntN(6) == 0 {
				tab.Status[i] = table.Sensitive
			}
		}
		percent := func(hundredths int64) *table.Level {
			return &table.Level{Decimal: table.Decimal{Unscaled: hundredths, Scale: 15}, Percent: true}
		}
		fraction := func() int64 { return 100*rng.Int64N(3) + 10 + rng.Int64N(80) }
		o := &Options{Office: Office{Strict: strict, Match: Match(rng.IntN(2))}, Count: CountAll, Workers: 1}
		whole := tab.Clone()
		width, lpl, upl := fraction()+100, fraction(), fraction()
		switch rng.IntN(3) {
		case 0:
			o.Levels.Width = percent(width)
		case 1:
			o.Levels.LPL, o.Levels.UPL = percent(lpl), percent(upl)
		default:
			o.Levels = table.Levels{Width: percent(width), LPL: percent(lpl), UPL: percent(upl)}
		}
		for i, st := range tab.Status {
			if st != table.Sensitive {
				continue
			}
			if o.Levels.Width != nil {
				if whole.Width[i] = width/100 + 1; strict { // more than 2.7 is at least 3, more than 2
					whole.Width[i]--
				}
			}
			if o.Levels.LPL != nil {
				whole.LPL[i], whole.UPL[i] = lpl/100+1, upl/100+1
			}
		}
		own := whole.Clone()
		own.Strict = strict
		must.Do(t, own.SetCost(table.CostKind{Kind: "count"}))
		s, err := solver.Suppress(t.Context(), own, &solver.Options{Canonical: true, Workers: 1})
		if err != nil || !slices.Contains(s.Pattern, true) {
			continue
		}
		if rng.IntN(2) == 0 { // a pattern that need not be a cheapest one
			for i, st := range tab.Status {
				s.Pattern[i] = s.Pattern[i] || st != table.Published && rng.IntN(8) == 0
			}
		}
		given := *o
		given.Levels = table.Levels{}
		want, err := Run(t.Context(), Published(whole, s.Pattern), &given)
		if err != nil {
			t.Fatal(err)
		}
		if want.Candidates.Cmp(big.NewInt(300)) > 0 {
			continue
		}
		got, err := Run(t.Context(), Published(tab, s.Pattern), o)
		if err != nil {
			t.Fatal(err)
		}
		done++
		if got.Matching.Cmp(want.Matching) != 0 || !got.Complete {
			t.Fatalf("%+v: %v match, want %v", o.Office, got.Matching, want.Matching)
		}
		got.Judge(tab)
		want.Judge(whole)
		for k, c := range got.Cells {
			if w := want.Cells[k]; c.Outer != w.Outer || c.Verdict != w.Verdict {
				t.Errorf("%s: %+v, want %+v", tab.CellName(c.Index), c, w)
			}
		}
		better += asked(t, got.x, o)
	}
	t.Logf("%d tables; the solver found %d patterns better than the one published", done, better)
	if better == 0 {
		t.Error("no pattern is better")
	}
}

// asked compares the two searches for a better pattern on all candidates for which the pattern published is protected, and returns how often there was one.
func asked(t *testing.T, x *setting, o *Options) (better int) {
	t.Helper()
	w := must.Get(newSearch(t.Context(), x, o, true).newWorker())(t)
	for y := range x.fib.Points(t.Context()) {
		open := false
		for p, v := range y {
			open = open || x.sensitive(int32(p), v) && !x.guarded(int32(p), v)
		}
		if open {
			continue
		}
		found, _ := w.h.ask(y, y, y, 1<<30)
		k := must.Get(w.solve(y))(t)
		if found != (k != nil) {
			t.Fatalf("%v: better %v, the solver says %v", y, found, k != nil)
		}
		if found {
			better++
		}
	}
	return better
}

// Levels of up to 18 digits are held to, and what is refused is said.
func TestTooLong(t *testing.T) {
	t.Parallel()
	digits := int64(900_000_000_000_000_000)
	for _, c := range []struct {
		lower, upper, level int64
		percent             bool
		want                string
	}{
		{0, digits, digits, false, ""},
		{0, digits, 100, true, ""},
		{0, digits, 300, true, "attack: cell a0/b0: its level can be 1350000000000000000, want at most 18 digits"},
		{table.NegInf, table.PosInf, 1, false, "attack: a withheld cell has no finite interval: a0/b0"},
	} {
		tab := drawShape(t, []int{2, 2}, false, func() int64 { return digits / 4 })
		tab.PublishMargins()
		tab.Counts = false
		withheld := make([]bool, tab.Len())
		for i, st := range tab.Status {
			if withheld[i] = st == table.Safe; withheld[i] {
				tab.Status[i], tab.Lower[i], tab.Upper[i] = table.Sensitive, c.lower, c.upper
			}
		}
		o := &Options{Office: Office{Levels: table.Levels{Width: &table.Level{Decimal: table.Decimal{Unscaled: c.level}, Percent: c.percent}}}, Count: CountNone}
		_, err := newSetting(t.Context(), Published(tab, withheld).Table(), withheld, o)
		if was := ""; err != nil {
			was = err.Error()
			if was != c.want {
				t.Errorf("%+v: %s", c, was)
			}
		} else if c.want != "" {
			t.Errorf("%+v: no error", c)
		}
	}
}

// need is the exact level, rounded to the units of the search.
func TestNeed(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 30))
	for range 2000 {
		n := &levels{q: 1, fine: table.Pow10(2 + rng.IntN(16)), down: rng.IntN(2) == 0, level: make([]level, 1)}
		k, v := rng.IntN(3), rng.Int64N(table.Pow10(1+rng.IntN(18)))
		n.level[0].fix[k], n.level[0].per[k] = -1, 1+rng.Int64N(table.Pow10(1+rng.IntN(17)))
		if rng.IntN(2) == 0 {
			v = -v
		}
		level := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(n.level[0].per[k]), big.NewInt(num.Abs(v))), big.NewInt(n.fine))
		if level.Cmp(num.One) < 0 {
			level.Set(num.One)
		}
		if most := num.Whole(num.Abs(v)); k == 1 && level.Cmp(most) > 0 {
			level.Set(most)
		}
		if got := new(big.Rat).SetFrac(n.exactly(0, k, v).Big(), big.NewInt(n.fine)); got.Cmp(level) != 0 {
			t.Fatalf("%d%% of %d: %v, want %v", n.level[0].per[k], v, got, level)
		}
		want := ceil(level)
		if k == 0 && n.down {
			want = num.Floor(level)
		}
		if want.Cmp(big.NewInt(maxWord)) > 0 {
			want.SetInt64(maxWord)
		}
		if got := n.need(0, k, v, v); got != want.Int64() {
			t.Fatalf("%d of 1/%d of %d: %d, want %d", n.level[0].per[k], n.fine, v, got, want)
		}
	}
}

// Two dimensions of numbers of 18 digits have more lines of candidates than can be gone through; the attack answers all the same.
func TestLongUncounted(t *testing.T) {
	t.Parallel()
	value := int64(0)
	tab := drawShape(t, []int{2, 3}, false, func() int64 { value += 40_000_000_000_000_001; return value })
	tab.PublishMargins()
	tab.Counts = false
	withheld := make([]bool, tab.Len())
	for i, st := range tab.Status {
		withheld[i] = st == table.Safe
	}
	for i, st := range tab.Status {
		if st == table.Safe && tab.Coord[2*i] == tab.Coord[2*slices.Index(withheld, true)] { // one row
			tab.Status[i] = table.Sensitive
		}
	}
	o := &Options{Office: Office{Levels: table.Levels{LPL: &table.Level{Decimal: table.Decimal{Unscaled: 15}, Percent: true}}}}
	r := must.Get(Run(t.Context(), Published(tab, withheld), o))(t)
	r.Judge(tab)
	if !r.Complete || r.Candidates != nil || r.Counted || r.Dim != 2 {
		t.Errorf("%+v", r)
	}
	for _, c := range r.Cells {
		if v := tab.Value[c.Index]; c.Outer != c.Inner || v < c.Outer.Lo || v > c.Outer.Hi {
			t.Errorf("%s = %d: %+v", tab.CellName(c.Index), v, c)
		}
	}
}

// What exposed excludes with a value are sensitive values that the pattern does not guard, also where they are of both signs.
func TestExposed(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 16))
	wide := 0
	for range 3000 {
		x := &setting{office: &Office{}, base: &table.Table{Status: []table.Status{table.Sensitive}, Strict: rng.IntN(2) == 0}}
		x.cells, x.levels = []int32{0}, levels{q: 100, fine: 1, level: make([]level, 1)}
		for k := range 3 {
			if x.level[0].fix[k] = 100 * rng.Int64N(8); rng.IntN(2) == 0 {
				x.level[0].fix[k], x.level[0].per[k] = -1, rng.Int64N(180)
			}
		}
		l, u := rng.Int64N(40)-30, rng.Int64N(30)
		u = max(l, u)
		x.extents = []extent{{num.Int128Of(100 * (u - l)), num.Int128Of(100 * l), num.Int128Of(100 * u), true}}
		v := l + rng.Int64N(u-l+1)
		if x.guarded(0, v) {
			continue
		}
		r := &region{x: x, l: []int64{l}, u: []int64{u}, y: []int64{v}}
		r.exposed(0)
		if r.l[0] > v || r.u[0] < v {
			t.Fatalf("%d is not in %d … %d", v, r.l[0], r.u[0])
		}
		for w := r.l[0]; w <= r.u[0]; w++ {
			if x.guarded(0, w) {
				t.Fatalf("levels %+v in %d … %d: with %d are excluded %d … %d, but %d is guarded", x.level[0], l, u, v, r.l[0], r.u[0], w)
			}
		}
		if r.u[0] > r.l[0] {
			wide++
		}
	}
	if wide < 500 {
		t.Errorf("%d regions of more than one value", wide)
	}
}
