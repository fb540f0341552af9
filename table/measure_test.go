package table

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
)

// drawFacts draws a cell whose contributions are all listed, two decimals, of which some contributors may have consented.
func drawFacts(t *rapid.T, waivers bool) (f Facts, x []int64, waived []bool) {
	n := rapid.IntRange(1, 6).Draw(t, "contributors")
	for range n {
		x = append(x, rapid.Int64Range(0, 1000).Draw(t, "x"))
		waived = append(waived, waivers && rapid.Bool().Draw(t, "waived"))
	}
	sum := int64(0)
	g := Group{N: int64(n)}
	for k, v := range x {
		sum += v
		g.Top = append(g.Top, Contribution{X: v, W: 1})
		if waived[k] {
			g.Waived++
		} else {
			g.Target = max(g.Target, v)
		}
	}
	slices.SortFunc(g.Top, func(a, b Contribution) int { return int(b.X - a.X) })
	return Facts{Value: sum, Decimals: 2, X: big.NewInt(sum), XDecimals: 2, Weight: int64(n), Records: g, Holdings: g}, x, waived
}

// With the weights of p %, pq and dominance a linear measure hits the same cells, with the same levels.
func TestMeasureIsRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, _, _ := drawFacts(t, rapid.Bool().Draw(t, "waivers"))
		p, n, k := rapid.Int64Range(1, 100).Draw(t, "p"), rapid.IntRange(1, 3).Draw(t, "n"), rapid.Int64Range(1, 99).Draw(t, "k")
		for rule, measure := range map[string]string{
			fmt.Sprintf("P(%d,%d)", p, n):     "LIN(" + Decimal{p, 2}.String() + strings.Repeat(",0", n) + ",-1)",
			fmt.Sprintf("P(%d,50,%d)", 25, n): "LIN(0.5" + strings.Repeat(",0", n) + ",-1)",
			fmt.Sprintf("NK(%d,%d)", n, k):    "LIN(" + strings.Repeat(Decimal{100 - k, 2}.String()+",", n) + Decimal{-k, 2}.String() + ")",
		} {
			a, err := ParseRules(rule)
			if err != nil {
				t.Fatal(err)
			}
			b, err := ParseRules(measure)
			if err != nil {
				t.Fatal(measure, err)
			}
			if again, err := ParseRules(b.String()); err != nil || again.String() != b.String() {
				t.Fatalf("%s is written %s: %v", measure, b, err)
			}
			v, err := a.Judge(&f)
			if err != nil {
				t.Fatal(err)
			}
			w, err := b.Judge(&f)
			if err != nil {
				t.Fatal(err)
			}
			if (v.Reason == NoReason) != (w.Reason == NoReason) || v.LPL != w.LPL || v.UPL != w.UPL {
				t.Fatalf("%s: %v, %s: %v for %+v", rule, v, measure, w, f.Records)
			}
		}
	})
}

func TestMeasureWeights(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"LIN(1)":         "want 2 to 101 weights, the last for all contributions that are left",
		"LIN(0,-1)":      "want the first weight above 0 and the last below 0",
		"LIN(1,0)":       "want the first weight above 0 and the last below 0",
		"LIN(1,-1,0,-1)": "want weights that do not grow, for else safe cells could add up to a sensitive one",
	} {
		if _, err := ParseRules(text); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// The rules with waivers are those of the Handbook, section 4.2.2: s is the largest contributor who has not consented and r the
// largest but s; a cell is sensitive if X − x_s − x_r < p/100·x_s, and if x_s + x_r > k/100·X.
func TestWaiversHandbook(t *testing.T) {
	t.Parallel()
	hits, spared := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f, x, waived := drawFacts(t, true)
		p, k := rapid.Int64Range(1, 100).Draw(t, "p"), rapid.Int64Range(50, 99).Draw(t, "k")
		s, r := -1, -1
		for i := range x {
			if !waived[i] && (s < 0 || x[i] > x[s]) {
				s = i
			}
		}
		for i := range x {
			if i != s && (r < 0 || x[i] > x[r]) {
				r = i
			}
		}
		xs, xr := int64(0), int64(0)
		if s >= 0 {
			xs = x[s]
		}
		if r >= 0 {
			xr = x[r]
		}
		for rule, want := range map[string]bool{
			fmt.Sprintf("P(%d,1)", p):  s >= 0 && 100*(f.Value-xs-xr) < p*xs,
			fmt.Sprintf("NK(2,%d)", k): s >= 0 && 100*(xs+xr) > k*f.Value,
			"FREQ(3,10)":               s >= 0 && len(x) < 3,
		} {
			rules, err := ParseRules(rule)
			if err != nil {
				t.Fatal(err)
			}
			v, err := rules.Judge(&f)
			if err != nil {
				t.Fatal(err)
			}
			if (v.Reason != NoReason) != want {
				t.Fatalf("%s of %v, consented %v: %s, want %t", rule, x, waived, v.Reason, want)
			}
			plain := f
			plain.Records.Waived = 0
			all, err := rules.Judge(&plain)
			if err != nil {
				t.Fatal(err)
			}
			if want {
				hits++
				if all.Reason == NoReason {
					t.Fatalf("%s of %v: sensitive with waivers %v, but not without", rule, x, waived)
				}
			} else if all.Reason != NoReason {
				spared++
			}
		}
	})
	if hits == 0 || spared == 0 {
		t.Errorf("%d cells sensitive, %d not for waivers: the test tells nothing", hits, spared)
	}
}

// Contributions of 100, −90 and 5 are 195 in absolute value: p % with p = 10 lacks 200 − 195, and of the net total 15 it lacks 185.
func TestAbsoluteTotal(t *testing.T) {
	t.Parallel()
	f := Facts{Value: 15, X: big.NewInt(15), Absolute: big.NewInt(195), Records: Group{N: 3, Top: []Contribution{{X: 100, W: 1}, {X: 90, W: 1}, {X: 5, W: 1}}}}
	for rules, want := range map[string][2]int64{"P(10,1)": {15, 185}, "P(10,1)|ABS(1)": {5, 5}, "P(5,1)|ABS(1)": {0, 0}, "NK(2,97)|ABS(1)": {1, 1}, "NK(2,98)|ABS(1)": {0, 0}} {
		r := must.Get(ParseRules(rules))(t)
		if r.String() != rules {
			t.Errorf("%s is written %s", rules, r)
		}
		v := must.Get(r.Judge(&f))(t)
		low, _ := v.LPL.At(0)
		high, ok := v.UPL.At(0)
		if !ok { // 190·100/97 − 195 is 0.876…
			low, high = 1, 1
		}
		if [2]int64{low, high} != want {
			t.Errorf("%s: levels %s and %s, want %v", rules, v.LPL, v.UPL, want)
		}
	}
}
