package table

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
)

func TestParseLevel(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want Level
		err  string
	}{
		{"8", Level{Decimal{8, 0}, false}, ""},
		{" 0.5 ", Level{Decimal{5, 1}, false}, ""},
		{"15%", Level{Decimal{15, 0}, true}, ""},
		{"12.5 %", Level{Decimal{125, 1}, true}, ""},
		{"%", Level{}, `"%": want a number or a percentage like 15%`},
		{"-1", Level{}, `"-1": protection levels must be ≥ 0`},
		{"x", Level{}, `"x": want a number or a percentage like 15%`},
	} {
		l, err := ParseLevel(tc.in)
		if l != tc.want || (err == nil) != (tc.err == "") || err != nil && err.Error() != tc.err {
			t.Errorf("ParseLevel(%q) = %v, %v", tc.in, l, err)
		}
	}
}

func level(t testing.TB, s string) *Level {
	t.Helper()
	l := must.Get(ParseLevel(s))(t)
	return &l
}

// Levels are exactly the percentage or the number asked for, in as few decimals
// as that needs, and do not touch what is there.
func TestSetLevelsIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "cells")
		scale := rapid.IntRange(0, 2).Draw(t, "decimals")
		var recs []Record
		var leaves []string
		for i := range n {
			leaves = append(leaves, fmt.Sprint(i))
			r := Record{Codes: leaves[i:], Value: Num(rapid.Int64Range(-5000, 5000).Draw(t, "value"), scale),
				Lower: Number{Set: true, Inf: -1}, Status: Status(rapid.IntRange(0, 1).Draw(t, "status"))}
			if rapid.Bool().Draw(t, "own") {
				r.LPL = Num(7, 0)
			}
			recs = append(recs, r)
		}
		d, err := FlatDimension("R", "T", leaves)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := Build("t", []Dimension{d}, recs, false)
		if err != nil {
			t.Fatal(err)
		}
		draw := func(name string) *Level {
			l := Level{Decimal{rapid.Int64Range(1, 300).Draw(t, name), rapid.IntRange(0, 2).Draw(t, "scale")}, rapid.Bool().Draw(t, "percent")}
			for l.Scale > 0 && l.Unscaled%10 == 0 {
				l.Unscaled, l.Scale = l.Unscaled/10, l.Scale-1
			}
			return &l
		}
		levels := Levels{LPL: draw("lpl"), Width: draw("spl")}
		before := tab.Decimals
		if err := tab.SetLevels(levels); err != nil {
			t.Fatal(err)
		}
		for i := range tab.Len() {
			if tab.Status[i] != Sensitive {
				if tab.Width[i] != 0 || tab.UPL[i] != 0 {
					t.Fatalf("cell %d is not sensitive", i)
				}
				continue
			}
			unit := func(v int64) *big.Rat { return big.NewRat(v, Pow10(tab.Decimals)) }
			value := new(big.Rat).Abs(unit(tab.Value[i]))
			want := func(l *Level) *big.Rat {
				w := big.NewRat(l.Unscaled, Pow10(l.Scale))
				if l.Percent {
					w.Mul(w, value)
					w.Quo(w, big.NewRat(100, 1))
					if floor := big.NewRat(1, Pow10(before)); w.Cmp(floor) < 0 {
						w = floor
					}
				}
				return w
			}
			lpl := want(levels.LPL)
			if levels.LPL.Percent && lpl.Cmp(value) > 0 {
				lpl = value
			}
			if i < n && recs[i].LPL.Set {
				lpl = big.NewRat(7, 1)
			}
			if unit(tab.LPL[i]).Cmp(lpl) != 0 || unit(tab.Width[i]).Cmp(want(levels.Width)) != 0 || tab.UPL[i] != 0 {
				t.Fatalf("cell %d: levels %v and %v, want %v and %v", i, unit(tab.LPL[i]), unit(tab.Width[i]), lpl, want(levels.Width))
			}
		}
		if tab.Decimals < before || !tab.Rel.Holds(tab.Value) {
			t.Fatal("rescaled wrongly")
		}
	})
}

// Of a sensitive cell without value only an absolute width can be asked, whatever
// decimals it needs, and of one that protects others nothing.
func TestSetLevelsOfUnknownCells(t *testing.T) {
	recs := []Record{{Codes: []string{"a"}}, {Codes: []string{"b"}, Status: Sensitive}, rec("T", 9)}
	tab := build(t, []Dimension{flat(t, "R", "a", "b")}, recs...)
	must.Do(t, tab.SetLevels(Levels{LPL: level(t, "3"), UPL: level(t, "15%"), Width: level(t, "0.5")}))
	if got, want := fmt.Sprint(tab.Decimals, tab.Width, tab.LPL, tab.UPL), "1 [0 5 0] [0 0 0] [0 0 0]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := tab.SetLevels(Levels{Width: level(t, "10%")}); err != nil || tab.Width[1] != 5 {
		t.Errorf("%v, %v", err, tab.Width)
	}
}

func TestMinimumFrequency(t *testing.T) {
	dims := []Dimension{flat(t, "R", "a", "b", "c", "d", "e")}
	recs := []Record{rec("a", 0), rec("b", 1), rec("c", 4), rec("d", 5), rec("e", 2)}
	recs[4].Status = Published
	for _, tc := range []struct {
		n       int64
		zeros   bool
		marked  int
		skipped []int
		status  string
	}{
		{5, false, 2, []int{4}, "[s u u s z s]"},
		{5, true, 3, []int{4}, "[u u u s z s]"},
		{1, false, 0, nil, "[s s s s z s]"},
		{1, true, 1, nil, "[u s s s z s]"},
	} {
		tab := build(t, dims, recs...)
		marked, skipped, err := tab.MinimumFrequency(tc.n, tc.zeros)
		if err != nil || marked != tc.marked || !slices.Equal(skipped, tc.skipped) || fmt.Sprint(tab.Status) != tc.status {
			t.Errorf("n = %d, zeros %v: %d marked, %v skipped, %v, %v", tc.n, tc.zeros, marked, skipped, tab.Status, err)
		}
	}
	amounts := build(t, dims, recs...)
	amounts.Counts = false
	if _, _, err := amounts.MinimumFrequency(5, false); err == nil {
		t.Error("amounts have no frequencies")
	}
	amounts.Freq = []int64{-1, 1, 9, 9, 9, 9}
	if marked, _, err := amounts.MinimumFrequency(5, true); err != nil || marked != 1 {
		t.Errorf("%d marked, %v", marked, err)
	}
	published := build(t, []Dimension{flat(t, "R", "a", "b")}, Record{Codes: []string{"a"}}, rec("b", 3), rec("T", 9))
	if marked, _, err := published.MinimumFrequency(5, true); err != nil || marked != 1 || published.Status[0] != Withheld {
		t.Errorf("%d marked, %v, %v", marked, published.Status, err)
	}
}

// TestUncounted: a cell of unknown contributors does not pass for one of many, unless it is 0, marked or decided.
func TestUncounted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value  int64
		status Status
		fails  bool
	}{{103, Safe, true}, {0, Safe, false}, {103, Published, false}, {103, Sensitive, false}} {
		tab := &Table{Value: []int64{c.value, 5}, Status: []Status{c.status, Safe}, Freq: []int64{-1, 4}}
		if _, _, err := tab.MinimumFrequency(3, false); (err != nil) != c.fails {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestPublishMargins(t *testing.T) {
	tab := build(t, []Dimension{flat(t, "R", "r"), flat(t, "C", "a")}, rec("r/a", 1), Record{Codes: []string{"T", "a"}, Value: Num(1, 0), Status: Sensitive})
	tab.PublishMargins()
	if got := fmt.Sprint(cellNames(tab), tab.Status); got != "[r/a=1 T/a=1 r/T=1 T/T=1] [s u z z]" {
		t.Error(got)
	}
}

func TestSetBounds(t *testing.T) {
	tab := build(t, []Dimension{flat(t, "R", "a", "b")}, rec("a", 10), rec("b", 20))
	must.Do(t, tab.SetBounds(&Decimal{-5, 1}, &Decimal{30, 0}))
	if got := fmt.Sprint(tab.Decimals, tab.Lower, tab.Upper); got != "1 [-5 -5 -5] [300 300 300]" {
		t.Error(got)
	}
	if err := tab.SetBounds(nil, &Decimal{29, 0}); err == nil {
		t.Error("a bound below a value was taken")
	}
	if err := tab.SetBounds(&Decimal{-maxMagnitude, 0}, nil); err == nil {
		t.Error("a bound out of range was taken")
	}
}

func TestParseCost(t *testing.T) {
	for _, s := range []string{"count", "value", "freq", "given", "power:0", "power:0.5", "power:1"} {
		if _, err := ParseCost(s); err != nil {
			t.Error(err)
		}
	}
	for _, s := range []string{"", "power", "power:2", "power:-1", "power:NaN", "Value"} {
		if _, err := ParseCost(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

func TestSetCost(t *testing.T) {
	recs := []Record{{Codes: []string{"a"}, Value: Num(5, 1), Freq: Num(0, 0)}, {Codes: []string{"b"}, Value: Num(-160, 1), Freq: Num(3, 0), Lower: Num(-99, 0)},
		{Codes: []string{"c"}}, {Codes: []string{"T"}, Value: Num(100, 0), Freq: Num(9, 0)}}
	tab := must.Get(Build("t", []Dimension{flat(t, "R", "a", "b", "c")}, recs, false))(t)
	for _, tc := range []struct{ cost, want string }{
		{"given", "1 [10 160 10 1000]"},
		{"count", "0 [1 1 1 1]"},
		{"value", "1 [10 160 10 1000]"},
		{"freq", "0 [1 3 1 9]"},
		{"power:0.5", "6 [1000000 4000000 1000000 10000000]"},
		{"power:1", "6 [1000000 16000000 1000000 100000000]"},
		{"power:0", "6 [693147 2833213 1000000 4615121]"},
	} {
		k := must.Get(ParseCost(tc.cost))(t)
		must.Do(t, tab.SetCost(k))
		if got := fmt.Sprint(tab.CostDecimals, tab.Cost); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.cost, got, tc.want)
		}
	}
	tab.Freq = nil
	if err := tab.SetCost(CostKind{Kind: "freq"}); err == nil {
		t.Error("no frequencies, no error")
	}
	if err := tab.SetCost(CostKind{Kind: "gold"}); err == nil {
		t.Error("unknown kind, no error")
	}
	// Six decimals of these would leave an int64.
	large := build(t, []Dimension{flat(t, "R", "a", "b")}, rec("a", 5e17), rec("b", 7))
	must.Do(t, large.SetCost(CostKind{"power", 1}))
	if got := fmt.Sprint(large.CostDecimals, large.Cost); got != "0 [500000000000000000 7 500000000000000000]" {
		t.Errorf("costs of large values: %s", got)
	}
}
