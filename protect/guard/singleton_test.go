package guard

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/test/answer"
	"github.com/hitoku/hitoku/internal/test/insee"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

func needPublished(t *testing.T, name string) string {
	t.Helper()
	return shared.Path(t, "data", "tauargus", name)
}

// simple2d is the table by size and region under P(15,1), from its microdata.
func simple2d(t *testing.T) *table.Table {
	t.Helper()
	m := must.Get(argus.ReadMetadata(needPublished(t, "simple2d/Tau_TestW.rda"), argus.Microdata, ""))(t)
	source := must.Get(tabulate.FromMetadata(m, ""))(t)
	rules := must.Get(table.ParseRules("P(15,1)"))(t)
	tab := must.Get(tabulate.New(source, []tabulate.Spec{{Dims: []string{"Size", "Region"}, Response: "Var2", Rules: rules, Top: 2}}, 1))(t)
	must.Do(t, tab.ReadFile(t.Context(), needPublished(t, "simple2d/tau_testW.asc")))
	out := must.Get(tab.Tables())(t)
	s := must.Get(out[0].Table())(t)
	must.Do(t, s.SetCost(table.CostKind{Kind: "value"}))
	return s
}

func secondary(tab *table.Table, pattern []bool) (names []string) {
	for i, in := range pattern {
		if in && tab.Status[i] == table.Safe {
			codes := strings.Split(tab.CellName(i), "/")
			for k := range codes {
				codes[k] = strings.TrimSpace(codes[k])
			}
			names = append(names, strings.Join(codes, "/"))
		}
	}
	slices.Sort(names)
	return names
}

// publishTotals keeps the cells at the total of a dimension published.
func publishTotals(tab *table.Table) {
	dims := len(tab.Dims)
	for i, st := range tab.Status {
		if st == table.Safe && slices.Contains(tab.Coord[i*dims:(i+1)*dims], 0) {
			tab.Status[i] = table.Published
		}
	}
}

// The optima of simple2d: without the rule, with it, and with it while all totals stay
// published, which is the pattern that τ-ARGUS published, cell by cell.
func TestSingletonsSimple2D(t *testing.T) {
	text := must.Get(os.ReadFile(needPublished(t, "simple2d/Simple2D.txt")))(t)
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if f := strings.Split(strings.TrimSpace(line), ","); f[len(f)-1] == "11" {
			names = append(names, strings.TrimSpace(strings.Trim(f[0], `"`))+"/"+strings.TrimSpace(strings.Trim(f[1], `"`)))
		}
	}
	slices.Sort(names)
	if len(names) != 12 {
		t.Fatalf("%d secondary cells published, want 12", len(names))
	}
	both := SingletonRule{Single: true, Multiple: true}
	for _, tc := range []struct {
		rule   SingletonRule
		totals bool
		sums   int
		cost   string
		names  []string
	}{
		{SingletonRule{}, false, 0, "521926", nil},
		{both, false, 6, "1092477", nil},
		{both, true, 6, "2524351", names},
	} {
		tab := simple2d(t)
		if tc.totals {
			publishTotals(tab)
		}
		s, sums := must.Two(tc.rule.Suppress(t.Context(), tab, nil, solver.Suppress))(t)
		if got := table.FormatDecimal(s.Cost, tab.CostDecimals); got != tc.cost || s.Status != solver.Optimal || sums != tc.sums {
			t.Errorf("%+v: cost %s %s, %d sums, want %s optimal, %d", tc.rule, got, s.Status, sums, tc.cost, tc.sums)
		}
		if got := secondary(tab, s.Pattern); tc.names != nil && !slices.Equal(got, tc.names) {
			t.Errorf("withheld %v, want %v", got, tc.names)
		}
		rep, err := interval.Audit(t.Context(), tab, s.Pattern, nil)
		if err != nil || !rep.Protected {
			t.Errorf("%+v: not protected: %v", tc.rule, err)
		}
	}
}

// INSEE's table by activity and size, of which τ-ARGUS with OPT withholds 64 cells: the
// rule finds eight rows and costs nothing. By region and size it costs something.
func TestSingletonsTurnover(t *testing.T) {
	for _, tc := range []struct {
		name, dim, tree, cost string
		sums, cells           int
	}{
		{"act_size", "ACTIVITY", "activity.hrc", "49223640.1391", 8, 64},
		{"nuts_size", "NUTS", "nuts.hrc", "33272378.1594", 5, 78},
	} {
		tab := insee.Turnover(t, tc.name, tc.dim, tc.tree)
		s, sums := must.Two(SingletonRule{Single: true, Multiple: true, MinFreq: 3}.Suppress(t.Context(), tab, nil, solver.Suppress))(t)
		if got := table.FormatDecimal(s.Cost, tab.CostDecimals); got != tc.cost || sums != tc.sums || len(secondary(tab, s.Pattern)) != tc.cells {
			t.Errorf("%s: cost %s, %d sums, %d cells; want %s, %d, %d", tc.name, got, sums, len(secondary(tab, s.Pattern)), tc.cost, tc.sums, tc.cells)
		}
	}
}

// singleTable draws a two-way table of amounts with few contributors.
func singleTable(t *testing.T, r *rand.Rand) *table.Table {
	v := make([][]int64, 3)
	for i := range v {
		v[i] = make([]int64, 3)
		for j := range v[i] {
			v[i][j] = []int64{3, 4, 6, 9, 14, 20, 31}[r.IntN(7)]
		}
	}
	tab := tabletest.Counts(t, v)
	tab.Counts = false
	tab.Freq = make([]int64, tab.Len())
	at := map[string]int{}
	for i := range tab.Len() {
		at[tab.CellName(i)] = i
	}
	for j := range tab.Rel.Len() { // parts before totals: inner cells have no relation as total
		for i := range tab.Len() {
			if tab.Rel.Margin[j] == int32(i) {
				tab.Freq[i] = -1
			}
		}
	}
	for i, f := range tab.Freq {
		if f == 0 {
			tab.Freq[i] = 1 + r.Int64N(4)
		}
	}
	for range 3 {
		for j := range tab.Rel.Len() {
			cell, _ := tab.Rel.Row(j)
			sum := int64(0)
			for _, i := range cell {
				if i != tab.Rel.Margin[j] {
					if tab.Freq[i] < 0 {
						sum = math.MinInt64
						break
					}
					sum += tab.Freq[i]
				}
			}
			if sum > 0 {
				tab.Freq[tab.Rel.Margin[j]] = sum
			}
		}
	}
	for i, f := range tab.Freq {
		if tab.Status[i] == table.Safe && f < 3 {
			tab.Status[i] = table.Sensitive
		}
	}
	must.Do(t, tab.SetCost(table.CostKind{Kind: "value"}))
	two := &table.Level{Decimal: table.Decimal{Unscaled: 2}}
	must.Do(t, tab.SetLevels(table.Levels{LPL: two, UPL: two}))
	return tab
}

// together says whether the cells' sum can rise by a unit.
func together(t *testing.T, tab *table.Table, pattern []bool, cells []int32) bool {
	t.Helper()
	p := &lp.Problem{Cost: make([]float64, tab.Len())}
	for i, in := range pattern {
		lo, up := 0.0, 0.0
		if in {
			lo, up = -float64(tab.Value[i]), math.Inf(1)
		}
		p.Lo, p.Up = append(p.Lo, lo), append(p.Up, up)
	}
	for _, i := range cells {
		p.Cost[i] = -1
	}
	for j := range tab.Rel.Len() {
		cell, coef := tab.Rel.Row(j)
		row := lp.Row{Idx: cell}
		for _, c := range coef {
			row.Val = append(row.Val, float64(c))
		}
		p.Rows = append(p.Rows, row)
	}
	res := answer.Of(t, simplex.New(), p)
	return res.Status == lp.Unbounded || res.Status == lp.Optimal && res.Value < -1+1e-7
}

// sums lists by the definition, line by line of the cross-tab, what must be able to rise.
func sums(tab *table.Table, r SingletonRule) (list [][]int32) {
	last := len(tab.Dims[0].Codes)
	for d := range 2 {
		for fixed := range last {
			var u []int32
			var f []int
			for i := range tab.Len() {
				if int(tab.Coord[2*i+1-d]) == fixed && tab.Coord[2*i+d] != 0 && tab.Status[i] == table.Sensitive {
					u, f = append(u, int32(i)), append(f, int(tab.Freq[i]))
				}
			}
			total, ones := 0, 0
			var few []int32
			for k, n := range f {
				total += n
				if n == 1 {
					ones++
				}
				if n == 1 || n < int(r.MinFreq)-1 {
					few = append(few, u[k])
				}
			}
			switch {
			case r.Single && len(u) == 2 && ones == 2, r.Multiple && len(u) == 2 && ones == 1:
				list = append(list, u)
			case !r.Modular && len(u) > 0 && total < int(r.MinFreq):
				list = append(list, u)
			case r.Modular && total < int(r.MinFreq) && (len(few) > 2 || len(few) == 2 && ones > 0):
				list = append(list, few)
			}
		}
	}
	return list
}

// Against all patterns of small tables, with the rule's definition applied line by line and
// another program for the sums.
func TestSingletonsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	dearer, frequency := 0, 0
	for n := range 40 {
		tab := singleTable(t, r)
		rule := []SingletonRule{{Single: true}, {Multiple: true}, {Single: true, Multiple: true}, {MinFreq: 5}, {MinFreq: 6, Modular: true}, {Single: true, Multiple: true, MinFreq: 7, Modular: true}}[n%6]
		plain, err := solver.Suppress(t.Context(), tab, nil)
		if err != nil {
			continue
		}
		asked := sums(tab, rule)
		least := cheapest(t, tab, plain.Cost, func(pattern []bool) bool {
			return !slices.ContainsFunc(asked, func(c []int32) bool { return !together(t, tab, pattern, c) })
		})
		for name, find := range map[string]func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error){"exact": solver.Suppress, "modular": modular.Suppress} {
			s, _, err := rule.Suppress(t.Context(), tab, nil, find)
			switch {
			case least < 0:
				if u := (*solver.UnprotectableError)(nil); !errors.As(err, &u) {
					t.Errorf("table %d, %s: %v, want unprotectable", n, name, err)
				}
			case err != nil:
				t.Fatal(err)
			case s.Cost != least || s.Bound != least || len(s.Pattern) != tab.Len():
				t.Errorf("table %d, %s, %+v: cost %d, bound %d, want %d", n, name, rule, s.Cost, s.Bound, least)
			}
		}
		if least != plain.Cost {
			dearer++
			if rule.MinFreq > 0 {
				frequency++
			}
		}
	}
	if dearer < 8 || frequency < 2 {
		t.Errorf("the rule cost something in %d tables, of which %d by frequency, only", dearer, frequency)
	}
}

// A table without numbers of contributors is refused; the original is left as it was.
func TestSingletonsInput(t *testing.T) {
	tab := singleTable(t, rand.New(rand.NewPCG(2, 3)))
	cells, rels := tab.Len(), tab.Rel.Len()
	if _, _, err := (SingletonRule{Single: true, Multiple: true, MinFreq: 9}).Apply(tab); err != nil || tab.Len() != cells || tab.Rel.Len() != rels {
		t.Errorf("%v; %d cells of %d, %d relations of %d", err, tab.Len(), cells, tab.Rel.Len(), rels)
	}
	tab.Layers = 2
	if _, _, err := (SingletonRule{Single: true}).Apply(tab); err == nil || !strings.Contains(err.Error(), "common mask") {
		t.Errorf("two responses: %v", err)
	}
	tab.Layers, tab.Freq = 0, nil
	if _, _, err := (SingletonRule{Single: true}).Apply(tab); !errors.Is(err, ErrNoFreq) {
		t.Errorf("%v, want %v", err, ErrNoFreq)
	}
}

// In a table of counts the values are the numbers of contributors.
func TestSingletonCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sums := 0
	for range 30 {
		bare := tabletest.Ones(t, r, 4, 5)
		bare.Freq = nil
		told := bare.Clone()
		told.Freq = slices.Clone(bare.Value)
		rule := SingletonRule{Single: true, Multiple: true, MinFreq: 3}
		got := must.Get(rule.Sums(bare))(t)
		want, err := rule.Sums(told)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, want %v (%v)", got, want, err)
		}
		sums += len(got)
		if bare.Counts = false; sums > 0 {
			if _, err := rule.Sums(bare); !errors.Is(err, ErrNoFreq) {
				t.Errorf("amounts without numbers of contributors: %v", err)
			}
		}
	}
	if sums == 0 {
		t.Error("no sum is protected")
	}
}
