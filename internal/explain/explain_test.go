package explain

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// cheapest is the least cost of a protected pattern that publishes cell k, −1 if there is none, by trying all patterns.
func cheapest(t *testing.T, base *table.Table, k int) int64 {
	t.Helper()
	var free []int
	start := make([]bool, base.Len())
	for i, s := range base.Status {
		switch {
		case s == table.Sensitive || s == table.Withheld:
			start[i] = true
		case s == table.Safe && i != k:
			free = append(free, i)
		}
	}
	best := int64(-1)
	for set := range 1 << len(free) {
		withheld, cost := slices.Clone(start), int64(0)
		for b, i := range free {
			if set>>b&1 != 0 {
				withheld[i] = true
				cost += base.Cost[i]
			}
		}
		if best >= 0 && cost >= best {
			continue
		}
		rep := must.Get(interval.Audit(context.Background(), base, withheld, nil))(t)
		if rep.Protected {
			best = cost
		}
	}
	return best
}

// For small tables of counts: what a cell guards is what an audit finds unprotected without it, the price is the difference of the
// optima, and changes are runs of their own.
func TestExplain(t *testing.T) {
	t.Parallel()
	guards, guarded, prices, none, changes := 0, 0, 0, 0, 0
	for n := range 14 {
		rng := rand.New(rand.NewPCG(uint64(n), 8))
		inner := make([][]int64, 3)
		for r := range inner {
			inner[r] = make([]int64, 3)
			for c := range inner[r] {
				inner[r][c] = 1 + rng.Int64N(20)
			}
		}
		tab := tabletest.CrossTab(t, inner)
		p := protect.Policy{Below: 5, Width: &table.Level{Decimal: table.Decimal{Unscaled: 6}}, Cost: protect.Cost{Kind: "count"}}
		in := protect.Input{Table: tab, CrossTab: true}
		first, err := protect.Run(context.Background(), []protect.Input{{Table: tab.Clone(), CrossTab: true}}, p, nil)
		var no *protect.NoPatternError
		if errors.As(err, &no) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for k := range tab.Len() {
			before := fmt.Sprint(tab.Status, tab.Cost, tab.Value)
			opt := &Options{Changes: -1}
			if k == 0 {
				opt.Changes = 0
			}
			e := must.Get(Run(context.Background(), in, tab.CellName(k), p, opt))(t)
			if fmt.Sprint(tab.Status, tab.Cost, tab.Value) != before {
				t.Fatal("the table has been changed")
			}
			base := e.Base.Table
			pattern := e.Base.Solution.Pattern
			if !slices.Equal(pattern, first.Solution.Pattern) {
				t.Fatalf("table %d: another pattern than that of the run", n)
			}
			secondary := pattern[k] && base.Status[k] != table.Sensitive
			if secondary {
				without := slices.Clone(pattern)
				without[k] = false
				rep := must.Get(interval.Audit(context.Background(), base, without, nil))(t)
				var want, got []int
				for _, c := range rep.Cells {
					if !c.Protected {
						want = append(want, c.Index)
					}
				}
				for _, g := range e.Guards {
					got = append(got, g.Cell.Index)
					if len(g.Combinations) == 0 {
						t.Errorf("table %d: nothing says how cell %d follows", n, g.Cell.Index)
					}
				}
				if !slices.Equal(got, want) || len(want) == 0 {
					t.Errorf("table %d: cell %d guards %v, want %v", n, k, got, want)
				}
				guards += len(got)
				switch best := cheapest(t, base, k); {
				case best < 0:
					none++
					if e.Publish.found() {
						t.Errorf("table %d: cell %d cannot be published, but is", n, k)
					}
				default:
					prices++
					least, most := e.Price()
					if least != most || least != best-e.Base.Solution.Cost || e.Publish.Solution.Pattern[k] {
						t.Errorf("table %d: publishing cell %d costs %d to %d, want %d", n, k, least, most, best-e.Base.Solution.Cost)
					}
				}
			} else if e.Guards != nil || e.Publish != nil {
				t.Errorf("table %d: cell %d, which is not withheld for others, guards %v", n, k, e.Guards)
			}
			for _, i := range e.GuardedBy {
				guarded++
				if base.Status[i] != table.Safe || !pattern[i] || base.Status[k] != table.Sensitive {
					t.Errorf("table %d: cell %d is said to be guarded by %d", n, k, i)
				}
			}
			for _, c := range e.Changes {
				changes++
				if rep, err := interval.Audit(context.Background(), c.Outcome.Table, c.Outcome.Solution.Pattern, nil); err != nil || !rep.Protected {
					t.Errorf("table %d: the pattern of %v is not protected: %v", n, c, err)
				}
				if c.Kind != Margin && c.Freed != e.Base.Withheld()-c.Outcome.Withheld() {
					t.Errorf("table %d: %v frees %d", n, c.Kind, c.Freed)
				}
			}
			if !slices.IsSortedFunc(e.Changes, func(a, b Change) int { return b.Freed - a.Freed }) {
				t.Errorf("table %d: changes are not in order", n)
			}
		}
	}
	if guards < 10 || guarded < 10 || prices < 10 || changes < 20 {
		t.Errorf("%d guards, %d guarded, %d prices, %d without, %d changes: too few", guards, guarded, prices, none, changes)
	}
}

// Merged categories add up, and a cell of the table is where at says.
func TestMerged(t *testing.T) {
	t.Parallel()
	for n := range 30 {
		rng := rand.New(rand.NewPCG(uint64(n), 9))
		tab := tabletest.Random(rng, n)
		for d := range tab.Dims {
			leaf := tab.Dims[d].Leaves()
			for b := 2; b < len(leaf); b++ {
				a := b - 1
				if !leaf[a] || !leaf[b] || tab.Dims[d].Parent[a] != tab.Dims[d].Parent[b] {
					continue
				}
				small, at := must.Two(merged(tab, d, int32(a), int32(b)))(t)
				sum := make([]int64, small.Len())
				for i := range tab.Len() {
					sum[at(i)] += tab.Value[i]
					want := tab.CellCodes(i)
					if c := tab.Coord[i*len(tab.Dims)+d]; int(c) == a || int(c) == b {
						want[d] = tab.Dims[d].Codes[a] + "+" + tab.Dims[d].Codes[b]
					}
					if !slices.Equal(small.CellCodes(at(i)), want) {
						t.Fatalf("cell %s is at %s", tab.CellName(i), small.CellName(at(i)))
					}
				}
				var records []table.Record
				for i := range small.Len() {
					records = append(records, table.Record{Codes: small.CellCodes(i), Value: table.Num(small.Value[i], 0)})
				}
				built := must.Get(table.Build("built", small.Dims, records, true))(t)
				if got, want := rows(small), rows(built); !slices.Equal(got, want) {
					t.Fatalf("table %d: relations %v, want %v", n, got, want)
				}
				if !slices.Equal(sum, small.Value) || len(small.CheckAdditive(1)) > 0 || small.Validate() != nil {
					t.Fatalf("table %d: %v does not add up", n, small.Value)
				}
			}
		}
	}
}

// rows are the relations of a table, in an order.
func rows(t *table.Table) []string {
	var all []string
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		var terms []string
		for e, i := range cell {
			terms = append(terms, fmt.Sprint(coef[e], "·", i))
		}
		slices.Sort(terms)
		all = append(all, fmt.Sprint(terms, t.Rel.RHS[j], t.Rel.Dim[j], t.Rel.Margin[j]))
	}
	slices.Sort(all)
	return all
}

// Steps are milder, and there is none where nothing milder is left.
func TestMilder(t *testing.T) {
	t.Parallel()
	p, _ := must.Two(protect.Read(strings.NewReader(`
		below = 5
		width = 8
		lpl = "15%"
		upl = 0.01
		p-percent = ["10", "20,2"]
		dominance = ["1,80", "2,99.9"]
		min-freq = "3,30"
		pq = "5,90"
		zero = 1`), "p.toml"))(t)
	e := &Explanation{}
	var got []string
	for _, c := range e.milder(&runner{p: p}) {
		got = append(got, c.Field+" "+c.From+" → "+c.To)
		if err := c.policy.Check(); err != nil {
			t.Errorf("%s: %v", c.To, err)
		}
	}
	want := []string{"below 5 → 4", "min-freq 3,30 → 2,30", "width 8 → 6", "lpl 15% → 11%", "upl 0.01 → 0.0075", "zero 1 → 0.75",
		"dominance 1,80 → 1,85", "p-percent 10 → 7", "p-percent 20,2 → 15,2", "pq 5,90 → 3,90"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What readers know of pairs of cells goes into every run, also of a table with two categories put together, whose
// cells have other numbers.
func TestExplainPairs(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{12, 30, 41}, {25, 14, 33}, {31, 45, 12}, {3, 22, 17}, {2, 9, 16}})
	p := protect.Policy{Below: 5, Width: &table.Level{Decimal: table.Decimal{Unscaled: 6}}}
	at := map[string]int{}
	for i := range tab.Len() {
		at[tab.CellName(i)] = i
	}
	pairs := [][2]int{{at["r5/c1"], at["r4/c1"]}, {at["r5/c2"], at["r4/c2"]}, {at["r5/T"], at["r4/T"]}, {at["T/c1"], at["T/T"]}}
	in := protect.Input{Table: tab, AtMost: pairs}
	e := must.Get(Run(t.Context(), in, "r5/c1", p, nil))(t)
	if !slices.ContainsFunc(e.Changes, func(c Change) bool { return c.Cells < tab.Len() && c.Kind == Merge }) {
		t.Error("no categories are put together")
	}
}
