package protect

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// drawnPairs draws a table of counts in three rows and columns with totals, and pairs that its values keep.
func drawnPairs(t *testing.T, rng *rand.Rand) (*table.Table, [][2]int) {
	t.Helper()
	var text strings.Builder
	text.WriteString("A,B,value\n")
	for a := range 3 {
		for b := range 3 {
			fmt.Fprintf(&text, "a%d,b%d,%d\n", a, b, 1+rng.IntN(12))
		}
	}
	tab := read(t, "drawn", "", text.String())
	var pairs [][2]int
	for len(pairs) < 4 {
		if i, j := rng.IntN(tab.Len()), rng.IntN(tab.Len()); i != j && tab.Value[i] <= tab.Value[j] {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return tab, pairs
}

// A pattern protects from readers who know pairs, and none that does is cheaper: of all that a small table has.
func TestPairs(t *testing.T) {
	t.Parallel()
	tried, changed := 0, 0
	for n := range 60 {
		rng := rand.New(rand.NewPCG(33, uint64(n)))
		tab, pairs := drawnPairs(t, rng)
		p := Policy{Rules: must.Get(table.ParseRules("FREQ(3,0)"))(t), Width: &table.Level{Decimal: table.Decimal{Unscaled: 4}}, Margins: Margins{Kind: "publish"}}
		tab.Freq = tab.Value
		alone, err := Run(t.Context(), []Input{{Table: tab.Clone()}}, p, nil)
		if err != nil || alone.Nothing() {
			continue
		}
		res, err := Run(t.Context(), []Input{{Table: tab.Clone(), AtMost: pairs}}, p, nil)
		best := leastCost(t, alone.Table, pairs)
		switch {
		case is[*NoPatternError](err):
			if best >= 0 {
				t.Errorf("%d: %v, but a pattern costs %d", n, err, best)
			}
		case err != nil:
			t.Fatalf("%d: %v", n, err)
		case res.Verdict != interval.Protected || res.Solution.Status != "optimal" || res.Solution.Cost != best || len(res.Solution.Pattern) != tab.Len():
			t.Errorf("%d: verdict %s, status %s, cost %d, %d cells; the cheapest pattern costs %d", n, res.Verdict, res.Solution.Status, res.Solution.Cost, len(res.Solution.Pattern), best)
		}
		if tried++; best != alone.Solution.Cost {
			changed++
		}
	}
	if tried < 20 || changed < 5 {
		t.Errorf("%d tables tried, in %d of which the pairs change the pattern", tried, changed)
	}
}

// leastCost tries all patterns of a marked table and returns the least cost of one that protects from readers who know
// pairs, −1 if none does.
func leastCost(t *testing.T, tab *table.Table, pairs [][2]int) int64 {
	t.Helper()
	least := int64(-1)
	var free []int
	w := protection.AtMost(tab, pairs)
	hidden := make([]bool, w.Len())
	for i := range hidden {
		if hidden[i] = i >= tab.Len() || tab.Status[i] == table.Sensitive; !hidden[i] && tab.Status[i] == table.Safe {
			free = append(free, i)
		}
	}
	var sensitive []int
	for i, st := range tab.Status {
		if st == table.Sensitive {
			sensitive = append(sensitive, i)
		}
	}
	for set := range 1 << len(free) {
		cost := int64(0)
		for k, i := range free {
			if hidden[i] = set>>k&1 == 1; hidden[i] {
				cost += tab.Cost[i]
			}
		}
		if least >= 0 && cost >= least {
			continue
		}
		if must.Get(interval.Audit(t.Context(), w, hidden, &interval.Options{Cells: sensitive}))(t).Protected {
			least = cost
		}
	}
	return least
}

// Whatever is asked for besides, and however the pattern is found, it protects from readers who know pairs, and is one
// of the cells of the table.
func TestPairsBeside(t *testing.T) {
	t.Parallel()
	below := func(p Policy) Policy {
		p.Rules, p.Width = must.Get(table.ParseRules("FREQ(3,0)"))(t), &table.Level{Decimal: table.Decimal{Unscaled: 4}}
		return p
	}
	single := guard.SingletonRule{Single: true}
	for _, way := range []struct {
		name   string
		policy Policy
		opt    Options
	}{
		{name: "quick", policy: Policy{Effort: "quick"}},
		{name: "modular", policy: Policy{Method: "modular"}},
		{name: "canonical", policy: Policy{Canonical: true}},
		{name: "weighted margins", policy: Policy{Margins: Margins{Kind: "weight", Weight: table.Decimal{Unscaled: 2}}}},
		{name: "insiders", policy: Policy{Insiders: true}},
		{name: "singletons", policy: Policy{Singletons: &single}},
		{name: "unions", policy: Policy{Unions: 2}},
		{name: "rounded"},
		{name: "responses"},
		{name: "published", policy: Policy{Published: []string{"x"}}},
		{name: "certificate", opt: Options{Certificate: true}},
		{name: "a limit", policy: Policy{TimeLimit: 1}},
	} {
		changed := 0
		for n := range 25 {
			tab, pairs := drawnPairs(t, rand.New(rand.NewPCG(34, uint64(n))))
			tab.Freq = slices.Clone(tab.Value)
			if way.name == "rounded" {
				must.Do(t, tab.Rescale(1))
				tab.Rounding = slices.Repeat([]int64{1}, tab.Len())
			}
			inputs := func(pairs [][2]int) []Input {
				all := []Input{{Table: tab.Clone(), AtMost: pairs}}
				if way.name == "responses" {
					other := tab.Clone()
					for i := range other.Value {
						other.Value[i] *= 3
					}
					all[0].Response = "x"
					all = append(all, Input{Table: other, Response: "y", AtMost: pairs[:len(pairs)/2]})
				}
				return all
			}
			opt := way.opt
			opt.Ledger = func(*Policy) (*ledger.Set, error) {
				return &ledger.Set{Releases: []*ledger.Release{{File: "cut", At: map[string]string{"B": "Total"}, Table: marginOf(t, tab)}}}, nil
			}
			alone, err := Run(t.Context(), inputs(nil), below(way.policy), &opt)
			if err != nil || alone.Nothing() {
				continue
			}
			res, err := Run(t.Context(), inputs(pairs), below(way.policy), &opt)
			if is[*NoPatternError](err) {
				continue
			}
			if err != nil {
				t.Fatalf("%s, %d: %v", way.name, n, err)
			}
			whole, all := res.whole(), res.Solution.Pattern
			if res.Earlier != nil {
				all = res.Earlier.Pattern
			}
			if res.Verdict != interval.Protected || len(res.Solution.Pattern) != res.Table.Len() || len(all) != whole.Len() || len(res.Patterns[0]) != tab.Len() {
				t.Errorf("%s, %d: verdict %s, %d cells of %d", way.name, n, res.Verdict, len(res.Solution.Pattern), res.Table.Len())
				continue
			}
			var cells []int
			for i, st := range whole.Status {
				if st == table.Sensitive {
					cells = append(cells, i)
				}
			}
			if way.name == "responses" {
				for _, p := range pairs[:len(pairs)/2] {
					pairs = append(pairs, [2]int{p[0] + tab.Len(), p[1] + tab.Len()})
				}
			}
			if err := Within(t.Context(), whole, all, cells, pairs, whole.CellName, interval.Options{}); err != nil {
				t.Errorf("%s, %d: %v", way.name, n, err)
			}
			if !slices.Equal(res.Solution.Pattern, alone.Solution.Pattern) {
				changed++
			}
			if way.opt.Certificate && n%5 == 0 {
				if err := Certify(t.Context(), inputs(pairs), below(way.policy), &opt, func(of *table.Table) error { return proves(t, res.Solution, of) }); err != nil {
					t.Errorf("%d: %v", n, err)
				}
			}
		}
		if changed < 2 {
			t.Errorf("%s: pairs change the pattern of %d tables", way.name, changed)
		}
	}
}

// marginOf is the table of the totals over B of a drawn table.
func marginOf(t *testing.T, tab *table.Table) *table.Table {
	t.Helper()
	margin := "A,value\n"
	for i := range tab.Len() {
		if c := tab.CellCodes(i); c[1] == "Total" {
			margin += fmt.Sprintf("%s,%d\n", c[0], tab.Value[i])
		}
	}
	return read(t, "cut", "", margin)
}

// proves verifies the certificate of a solution as one of the table of.
func proves(t *testing.T, s *solver.Solution, of *table.Table) error {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, s.Certificate.Write(&b))
	rep, err := certificate.Verify(t.Context(), &b, of)
	if err == nil && (rep.Cost != s.Cost || rep.Bound != s.Bound) {
		err = fmt.Errorf("the certificate is of cost %d, bound %d", rep.Cost, rep.Bound)
	}
	return err
}

// sortedList is a list of n rows, sorted by value, with a total; every second one in the mean is sensitive.
func sortedList(t *testing.T, n int) Input {
	t.Helper()
	rng := rand.New(rand.NewPCG(35, uint64(n)))
	values := make([]int64, n)
	for i := range values {
		values[i] = 1 + int64(math.Exp(4.5+float64(1.2*rng.NormFloat64())))
	}
	slices.Sort(values)
	var text strings.Builder
	text.WriteString("A,value,status\n")
	for i, v := range values {
		fmt.Fprintf(&text, "a%04d,%d,%s\n", i, v, [2]string{"s", "u"}[rng.IntN(2)])
	}
	in := Input{Table: read(t, "sorted", "", text.String())}
	for i := range n - 1 {
		in.AtMost = append(in.AtMost, [2]int{i, i + 1})
	}
	return in
}

// Lists sorted by value are protected from readers of the order in little work, and at a time limit by far fewer cells
// than all. Limits are of work, so this does not depend on the machine.
func TestPairsSorted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows   int
		limit  time.Duration
		status solver.Status
	}{{200, 2 * time.Second, solver.Optimal}, {375, 2 * time.Second, solver.Feasible}} {
		in := sortedList(t, c.rows)
		p := Policy{Width: &table.Level{Decimal: table.Decimal{Unscaled: 10}, Percent: true}, Margins: Margins{Kind: "publish"}, TimeLimit: c.limit}
		res, err := Run(t.Context(), []Input{in}, p, &Options{Workers: 1})
		must.Do(t, err)
		hidden := 0
		for _, w := range res.Solution.Pattern {
			if w {
				hidden++
			}
		}
		if res.Verdict != interval.Protected || res.Solution.Status != c.status || hidden > c.rows*9/10 {
			t.Errorf("%d rows: %s, %s, %d withheld, after %s", c.rows, res.Verdict, res.Solution.Status, hidden, c.limit)
		}
		var cells []int
		for i, st := range res.Table.Status {
			if st == table.Sensitive {
				cells = append(cells, i)
			}
		}
		if c.rows < 300 {
			must.Do(t, Within(t.Context(), res.Table, res.Solution.Pattern, cells, in.AtMost, res.Table.CellName, interval.Options{}))
		}
	}
}

func TestConnected(t *testing.T) {
	pairs := [][2]int{{5, 6}, {4, 5}, {0, 1}, {1, 2}, {7, 8}, {3, 4}, {2, 9}}
	if got := connected(pairs, [][2]int{{3, 4}}); !slices.Equal(got, [][2]int{{5, 6}, {4, 5}, {3, 4}}) {
		t.Errorf("connected with 3, 4: %v", got)
	}
	if got := connected(pairs, [][2]int{{2, 9}}); !slices.Equal(got, [][2]int{{0, 1}, {1, 2}, {2, 9}}) {
		t.Errorf("connected with 2, 9: %v", got)
	}
}

// Intervals protect from readers who know pairs, as no mark must be withheld for them beforehand.
func TestPairsPartial(t *testing.T) {
	t.Parallel()
	changed := 0
	for n := range 25 {
		for _, ends := range []Ends{{Plain: true}, {}} {
			p := Policy{Partial: true, Ends: ends, Rules: must.Get(table.ParseRules("FREQ(3,0)"))(t), Width: &table.Level{Decimal: table.Decimal{Unscaled: 4}}}
			tab, pairs := drawnPairs(t, rand.New(rand.NewPCG(36, uint64(n))))
			tab.Freq = slices.Clone(tab.Value)
			opt := &Options{Secret: func() ([32]byte, error) { return [32]byte{1, byte(n)}, nil }}
			alone, err := Run(t.Context(), []Input{{Table: tab.Clone()}}, p, opt)
			if err != nil || alone.Nothing() {
				continue
			}
			res, err := Run(t.Context(), []Input{{Table: tab.Clone(), AtMost: pairs}}, p, opt)
			if is[*NoPatternError](err) {
				continue
			}
			must.Do(t, err)
			s := res.Partial
			if res.Verdict != interval.Protected || len(s.Lower) != tab.Len() || len(s.Pattern) != tab.Len() || len(res.Solution.Pattern) != tab.Len() {
				t.Fatalf("%d: verdict %s, %d ends of %d cells", n, res.Verdict, len(s.Lower), tab.Len())
			}
			if s.Told == 0 {
				narrowest(t, n, res, pairs)
			}
			if !slices.Equal(s.Lower, alone.Partial.Lower) || !slices.Equal(s.Upper, alone.Partial.Upper) {
				changed++
			}
		}
	}
	if changed < 5 {
		t.Errorf("pairs change the intervals of %d tables", changed)
	}
}

// narrowest audits what readers of intervals who know pairs learn.
func narrowest(t *testing.T, n int, res *Result, pairs [][2]int) {
	t.Helper()
	known := res.Table.Clone()
	for i, in := range res.Partial.Pattern {
		if in {
			known.Lower[i], known.Upper[i] = res.Partial.Lower[i], res.Partial.Upper[i]
		}
	}
	var cells []int
	for i, st := range known.Status {
		if st == table.Sensitive {
			cells = append(cells, i)
		}
	}
	if err := Within(t.Context(), known, res.Partial.Pattern, cells, pairs, known.CellName, interval.Options{}); err != nil {
		t.Errorf("%d: %v", n, err)
	}
}

// A defence takes pairs for public: every list of counts that agrees with what it publishes and with the pairs leads to
// the same pattern, and each sensitive cell has its width among them.
func TestPairsDefence(t *testing.T) {
	t.Parallel()
	changed, tried := 0, 0
	for n := range 25 {
		rng := rand.New(rand.NewPCG(37, uint64(n)))
		values := []int64{rng.Int64N(6), rng.Int64N(6), rng.Int64N(6), rng.Int64N(6), rng.Int64N(6)}
		slices.Sort(values)
		hidden := rng.Perm(5)[:1+n%2]
		pairs := [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}}
		run := func(values []int64, pairs [][2]int) (*Result, error) {
			text := "A,value\n"
			for i, v := range values {
				text += fmt.Sprintf("a%d,%d\n", i, v)
			}
			tab := read(t, "list", "", text)
			for _, i := range hidden {
				tab.Status[i], tab.Width[i] = table.Sensitive, 3
			}
			tab.Status[5] = table.Published
			return Run(t.Context(), []Input{{Table: tab, AtMost: pairs}}, Policy{Defence: "simulatable"}, &Options{Workers: 1})
		}
		res, err := run(values, pairs)
		alone, _ := run(values, nil)
		if !slices.Equal(alone.Solution.Pattern, res.Solution.Pattern) {
			changed++
		}
		if is[*NoPatternError](err) {
			continue
		}
		must.Do(t, err)
		tried++
		if res.Verdict != interval.Protected || len(res.Solution.Pattern) != res.Table.Len() {
			t.Fatalf("%d: verdict %s, %d cells", n, res.Verdict, len(res.Solution.Pattern))
		}
		least, largest := slices.Repeat([]int64{table.PosInf}, 5), make([]int64, 5)
		total := int64(0)
		for _, v := range values {
			total += v
		}
		var rec func(k int, v []int64)
		rec = func(k int, v []int64) {
			sum := int64(0)
			for _, x := range v[:k] {
				sum += x
			}
			switch {
			case sum > total:
			case k < 5 && !res.Solution.Pattern[k]:
				if v[k] = values[k]; k == 0 || v[k] >= v[k-1] {
					rec(k+1, v)
				}
			case k < 5:
				first := int64(0)
				if k > 0 {
					first = v[k-1]
				}
				for v[k] = first; v[k] <= total; v[k]++ {
					rec(k+1, v)
				}
			case sum == total:
				for i, x := range v {
					least[i], largest[i] = min(least[i], x), max(largest[i], x)
				}
				if other := must.Get(run(slices.Clone(v), pairs))(t); !slices.Equal(other.Solution.Pattern, res.Solution.Pattern) {
					t.Fatalf("%d: %v leads to %v, %v to %v", n, values, res.Solution.Pattern, v, other.Solution.Pattern)
				}
			}
		}
		rec(0, make([]int64, 5))
		for _, i := range hidden {
			if largest[i]-least[i] < 3 {
				t.Errorf("%d: cell %d of %v is between %d and %d", n, i, values, least[i], largest[i])
			}
		}
	}
	if tried < 10 || changed < 3 {
		t.Errorf("%d lists, %d of which change by pairs", tried, changed)
	}
}
