package table

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

func judge(t *testing.T, rules string, f Facts) Verdict {
	t.Helper()
	r := must.Get(ParseRules(rules))(t)
	return must.Get(r.Judge(&f))(t)
}

// cell makes facts of plain contributions.
func cell(decimals int, top ...int64) Facts {
	f := Facts{Decimals: decimals, XDecimals: decimals}
	for _, x := range top {
		f.Value += x
		f.Records.Top = append(f.Records.Top, Contribution{X: x, W: 1})
	}
	f.X = big.NewInt(f.Value)
	f.Records.N = int64(len(top))
	f.Weight = f.Records.N
	return f
}

func TestJudge(t *testing.T) {
	asked := cell(0, 60, 30, 10)
	asked.Records.Ask = true
	asked.Records.Top[0].Request = 2
	small := cell(0, 60, 30, 10)
	small.Records.Ask = true
	zero := cell(0, 0, 0)
	heavy := cell(0, 50, 20) // weights 1.5 and 2
	heavy.WeightDecimals, heavy.Weight = 1, 35
	heavy.Records.Top[0].W, heavy.Records.Top[1].W = 15, 20
	heavy.X, heavy.Value = big.NewInt(50*15+20*20), 115
	missing := cell(0, 100)
	missing.Missing = true
	negative := cell(0, 90, 30)
	negative.X, negative.Value = big.NewInt(60), 60 // 90 − 30
	held := cell(0, 50, 50, 50)
	held.Holdings = Group{N: 1, Top: []Contribution{{X: 150, W: 1}}}
	for _, tc := range []struct {
		name, rules string
		f           Facts
		reason      Reason
		lpl, upl    string
	}{
		{"safe", "NK(1,85)|P(10,1)|FREQ(3,10)", cell(0, 40, 30, 30), NoReason, "0", "0"},
		{"dominance", "NK(1,80)", cell(0, 90, 10), ByDominance, "12.5", "12.5"}, // 90/0.8 − 100
		{"dominance at k", "NK(1,90)", cell(0, 90, 10), NoReason, "0", "0"},     // not above
		{"rounded up", "NK(1,75)", cell(0, 100), ByDominance, "33.334", "33.334"},
		{"p %", "P(10,1)", cell(0, 90, 10, 5), ByPercent, "4", "4"}, // 9 + 100 − 105
		{"p % at the limit", "P(10,1)", cell(0, 100, 30, 10), NoReason, "0", "0"},
		{"pq", "P(20,40,1)", cell(0, 100, 30, 10), ByPercent, "40", "40"},
		{"coalition", "P(10,2)", cell(0, 100, 30, 5, 5), ByPercent, "5", "5"},
		{"first rule names, largest protects", "NK(1,80)|P(50,1)", cell(0, 90, 10), ByDominance, "45", "45"},
		{"frequency", "FREQ(3,30)", cell(2, 500, 501), ByFrequency, "3.003", "3.003"},
		{"frequency without range", "FREQ(3)", cell(2, 500, 501), ByFrequency, "0", "0"},
		{"frequency beside p %", "P(1,1)|FREQ(3,90)", cell(0, 90, 10), ByPercent, "1", "1"},
		{"floor", "FREQ(3,0)", cell(2, 500), ByFrequency, "0.01", "0.01"},
		{"request by share", "REQ(70,50,3,15)", asked, ByRequest, "15", "15"},
		{"request below its share", "REQ(50,70,3,15)", asked, NoReason, "0", "0"},
		{"request by number", "REQ(70,70,4,15)", small, ByRequest, "15", "15"},
		{"request before frequency", "REQ(70,50,3,15)|FREQ(9,99)", asked, ByRequest, "15", "15"},
		{"zero", "ZERO(20)", zero, ByZero, "0", "20"},
		{"zero is safe by default", "P(10,1)|NK(1,50)", zero, NoReason, "0", "0"},
		{"empty", "ZERO(20)|FREQ(3,30)|P(10,1)", cell(0), NoReason, "0", "0"},
		// two places hold 50 and half of 50 and half of 20: 50·1 + 50·0.5 + 20·0.5
		{"weighted", "NK(2,70)|WGT(1)", heavy, ByDominance, "6.429", "6.429"}, // 85/0.7 − 115
		{"weights count", "FREQ(4,10)|WGT(1)", heavy, ByFrequency, "11.5", "11.5"},
		{"weights suffice", "FREQ(3,10)|WGT(1)", heavy, NoReason, "0", "0"},
		{"missing is looked at", "P(10,1)", missing, ByPercent, "10", "10"},
		{"missing is safe", "P(10,1)|MIS(1)", missing, NoReason, "0", "0"},
		{"|x| against the net total", "P(10,1)", negative, ByPercent, "60", "69"}, // 9 + 120 − 60, LPL ≤ value
		{"holding", "NK(0,0)|NK(0,0)|NK(1,90)", held, ByDominance, "16.667", "16.667"},
		{"holding frequency", "FREQ(0,0)|FREQ(3,20)", held, ByFrequency, "30", "30"},
		{"records beside holdings", "NK(1,90)", held, NoReason, "0", "0"},
	} {
		v := judge(t, tc.rules, tc.f)
		if v.Reason != tc.reason || v.LPL.String() != tc.lpl || v.UPL.String() != tc.upl {
			t.Errorf("%s: %v [%s, %s], want %v [%s, %s]", tc.name, v.Reason, v.LPL, v.UPL, tc.reason, tc.lpl, tc.upl)
		}
	}
}

// The verdict does not change when the unit of the amounts does.
func TestJudgeScales(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		x := make([]int64, n)
		for i := range x {
			top := int64(1000)
			if i > 0 {
				top = x[i-1]
			}
			x[i] = rapid.Int64Range(0, top).Draw(t, "x")
		}
		r := &Rules{
			Dominance: []Dominance{{rapid.IntRange(1, 3).Draw(t, "dn"), Decimal{rapid.Int64Range(1, 100).Draw(t, "k"), 0}, false}},
			PQ:        []PQ{{Decimal{rapid.Int64Range(1, 100).Draw(t, "p"), 0}, Decimal{100, 0}, rapid.IntRange(1, 3).Draw(t, "pn"), false}},
		}
		a := cell(0, x...)
		for i := range x {
			x[i] *= 100
		}
		b := cell(2, x...)
		va, errA := r.Judge(&a)
		vb, errB := r.Judge(&b)
		if errA != nil || errB != nil || va.Reason != vb.Reason {
			t.Fatalf("%v %v; %v %v", va, errA, vb, errB)
		}
		// Rounded up: the coarser level is the larger, by less than a unit.
		d := new(big.Rat).Sub(rat(va.UPL), rat(vb.UPL))
		if va.Reason != NoReason && va.UPL != (Decimal{1, 0}) && (d.Sign() < 0 || d.Cmp(big.NewRat(1, 1000)) >= 0) {
			t.Fatalf("levels %s and %s", va.UPL, vb.UPL)
		}
	})
}

func TestParseRules(t *testing.T) {
	for _, s := range []string{
		"P(10,1)|FREQ(3,30)|ZERO(20)|MAN(20)|MIS(1)", "NK(1,85)|FREQ(3,10)", "NK(0,0)|NK(0,0)|NK(2,80.5)",
		"NK(3,75)|P(10,40,2)|REQ(20,30,3,10)|WGT(1)", "FREQ(3)", "FREQ(0,0)|FREQ(3,10)", "REQ(0,0,0,0)|REQ(20,30,3,10)", "",
		"P(15,1)|P(0,0)|P(20,2)", "RESP(3,30)", "FREQ(2)|RESP(3)|WGT(1)", "RESP(3)|FREQ(0,0)|FREQ(2,5)",
	} {
		r, err := ParseRules(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
		} else if got := r.String(); got != s {
			t.Errorf("%s: written as %s", s, got)
		}
	}
	if r, err := ParseRules(" freq(5,20) | p(20,5)|"); err != nil || r.String() != "P(20,5)|FREQ(5,20)" {
		t.Errorf("%v, %v", r, err)
	}
	for s, want := range map[string]string{
		"P10":                     `rule "P10": want NAME(number,…), like P(10,1)`,
		"P(x,1)":                  `rule "P(x,1)": "x": want a decimal number`,
		"Q(1)":                    `rule "Q(1)": want NK, P, LIN, FREQ, RESP, ZERO, REQ, MAN, MIS, WGT or ABS`,
		"NK(1.5,80)":              `rule "NK(1.5,80)": want NK(n,k)`,
		"NK(1,180)":               `dominance rule NK(1,180): want 1 to 100 contributors and 0 < k ≤ 100`,
		"P(0,1)":                  `p-percent rule P(0,100,1): want 0 < p ≤ q and 1 to 99 intruders`,
		"P(50,40,1)":              `p-percent rule P(50,40,1): want 0 < p ≤ q and 1 to 99 intruders`,
		"FREQ(-1,3)":              `minimum-frequency rule FREQ(-1): want at least 1 contributor and a range ≥ 0`,
		"FREQ(1)|FREQ(2)|FREQ(3)": `rule "FREQ(3)": want at most two rules FREQ: by record, by holding`,
		"MIS(2)":                  `rule "MIS(2)": want MIS(0) or MIS(1)`,
	} {
		if _, err := ParseRules(s); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", s, err, want)
		}
	}
}

func TestApplyRules(t *testing.T) {
	dim, err := FlatDimension("D", "T", []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	build := func() *Table {
		tab := must.Get(Build("t", []Dimension{dim}, []Record{
			{Codes: []string{"a"}, Value: Num(100, 0), Freq: Num(2, 0), Max: []Number{Num(90, 0), Num(10, 0)}},
			{Codes: []string{"b"}, Value: Num(100, 0), Freq: Num(4, 0), Max: []Number{Num(25, 0), Num(25, 0)}},
			{Codes: []string{"c"}, Value: Num(30, 0), Freq: Num(3, 0), Max: []Number{Num(10, 0), Num(10, 0)}, Status: Sensitive},
		}, false))(t)
		return tab
	}
	r, err := ParseRules("NK(1,80)|MAN(25)")
	if err != nil {
		t.Fatal(err)
	}
	tab := build()
	m, err := tab.ApplyRules(r)
	if err != nil {
		t.Fatal(err)
	}
	if m.By[ByDominance] != 1 || m.By[ByManual] != 1 || tab.ReasonOf(0) != ByDominance || tab.ReasonOf(2) != ByManual || tab.ReasonOf(1) != NoReason {
		t.Errorf("%+v, %v", m, tab.Reason)
	}
	if a, b := FormatDecimal(tab.UPL[0], tab.Decimals), FormatDecimal(tab.LPL[2], tab.Decimals); a != "12.5" || b != "7.5" {
		t.Errorf("levels %s, %s", a, b)
	}
	tab = build()
	tab.Status[0] = Published
	if m, err = tab.ApplyRules(r); err != nil || len(m.Skipped) != 1 || m.Skipped[0] != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	for rules, want := range map[string]string{
		"P(10,2)":      "table t: the rules look at the 3 largest contributions; want columns max1 … max3",
		"REQ(1,1,1,1)": "table t: the request rule needs microdata; apply it with hitoku tabulate",
	} {
		if r, err = ParseRules(rules); err != nil {
			t.Fatal(err)
		}
		if _, err = build().ApplyRules(r); err == nil || err.Error() != want {
			t.Errorf("%s: %v", rules, err)
		}
	}
}

// The published numbers of primary cells of INSEE's tables: A by frequency below 3,
// B by a largest contribution above 85 %.
func TestRulesINSEE(t *testing.T) {
	for name, want := range map[string][2]int{
		"turnover_act_size": {52, 25}, "turnover_act_cj": {35, 25}, "turnover_nuts_size": {55, 17}, "turnover_nuts_cj": {45, 20},
	} {
		var both Rules
		both.MinFreq = []MinFreq{{M: 3}}
		both.Dominance = []Dominance{{1, Decimal{85, 0}, false}}
		freq := Rules{MinFreq: both.MinFreq}
		var got [2]int
		num := func(s string) Decimal {
			return must.Get(ParseDecimal(s))(t)
		}
		for _, row := range shared.Rows(t, "data/tauargus/rtauargus", name+".csv") {
			k := len(row)
			tot, top := num(row[k-2]), num(row[k-1])
			v, _ := tot.At(6)
			x, _ := top.At(6)
			n, _ := num(row[k-3]).At(0)
			c := Facts{Value: v, Decimals: 6, XDecimals: 6, X: big.NewInt(v)}
			c.Records = Group{N: n, Top: []Contribution{{X: x, W: 1}}}
			a, err1 := freq.Judge(&c)
			b, err2 := both.Judge(&c)
			switch {
			case err1 != nil || err2 != nil:
				t.Fatal(err1, err2)
			case a.Reason == ByFrequency:
				got[0]++
			case b.Reason == ByDominance:
				got[1]++
			}
		}
		if got != want {
			t.Errorf("%s: %v primary cells, published %v", name, got, want)
		}
	}
}

func TestReason(t *testing.T) {
	for r := NoReason; r <= ByManual; r++ {
		if back, ok := ParseReason(strings.ToUpper(r.String())); !ok || back != r {
			t.Errorf("%v: %v, %v", r, back, ok)
		}
	}
	if _, ok := ParseReason("whim"); ok {
		t.Error("read an unknown reason")
	}
}

// The published status of every cell of the example in the manual of rtauargus: A
// by frequency, B by dominance; D (secondary) and V are safe. τ-ARGUS's range of 10 %.
func TestRulesExample(t *testing.T) {
	rows := shared.Rows(t, "data/tauargus/rtauargus/ex1_act_size.csv")
	dim := func(name string, codes ...string) Dimension {
		return must.Get(FlatDimension(name, "Total", codes))(t)
	}
	var records []Record
	num := func(s string) Number {
		d := must.Get(ParseDecimal(s))(t)
		return Number{Decimal: d, Set: true}
	}
	for _, r := range rows {
		records = append(records, Record{Codes: r[:2], Value: num(r[2]), Freq: num(r[3]), Max: []Number{num(r[4])}})
	}
	tab := must.Get(Build("ex1", []Dimension{dim("ACTIVITY", "01", "02", "06"), dim("SIZE", "tr1", "tr2")}, records, false))(t)
	r := must.Get(ParseRules("FREQ(3,10)|NK(1,85)"))(t)
	must.Get(tab.ApplyRules(r))(t)
	want := map[string]Reason{"A": ByFrequency, "B": ByDominance}
	for i, row := range rows {
		if got := tab.ReasonOf(i); got != want[row[5]] {
			t.Errorf("cell %s: %v, published %s", tab.CellName(i), got, row[5])
		}
	}
	// FREQ: 10 % of 30; NK: 100/85·38 − 40, rounded up to three decimals.
	if a, b := FormatDecimal(tab.UPL[4], tab.Decimals), FormatDecimal(tab.UPL[8], tab.Decimals); a != "3" || b != "4.706" {
		t.Errorf("levels %s and %s", a, b)
	}
}

// What ParseRules reads, String writes so that it reads the same again.
func FuzzParseRules(f *testing.F) {
	for _, s := range []string{"P(10,1)|FREQ(3,30)|ZERO(20)|MAN(20)|MIS(1)", "NK(0,0)|NK(0,0)|NK(2,80.5)|WGT(1)", "REQ(0,0,0,0)|REQ(20,30,3,10)|P(10,40,2)", "FREQ(3)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRules(s)
		if err != nil {
			return
		}
		again, err := ParseRules(r.String())
		if err != nil || again.String() != r.String() {
			t.Fatalf("%q reads as %q, which reads as %v, %v", s, r, again, err)
		}
		c := cell(2, 900, 90, 9)
		if _, err := r.Judge(&c); err != nil && !errors.Is(err, ErrOutOfRange) {
			t.Fatalf("%q: %v", s, err)
		}
	})
}
