package bench

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/table"
)

// normal has the distribution function Φ: of n draws, the share below each point is
// within 4.5 standard errors.
func TestNormal(t *testing.T) {
	const n = 200_000
	rng := tableSource(1, nil, 0)
	var draws []float64
	sum, squares := 0.0, 0.0
	for range n {
		x := normal(rng)
		draws = append(draws, x)
		sum, squares = sum+x, squares+x*x
	}
	slices.Sort(draws)
	for x := -4.0; x <= 4; x += 0.25 {
		want := 0.5 * math.Erfc(-x/math.Sqrt2)
		k, _ := slices.BinarySearch(draws, x)
		got := float64(k) / n
		if tolerance := 4.5 * math.Sqrt(want*(1-want)/n); math.Abs(got-want) > tolerance {
			t.Errorf("share below %g: %g, want %g ± %g", x, got, want, tolerance)
		}
	}
	if m := sum / n; math.Abs(m) > 4.5/math.Sqrt(n) {
		t.Errorf("mean %g", m)
	}
	if v := squares / n; math.Abs(v-1) > 4.5*math.Sqrt(2.0/n) {
		t.Errorf("variance %g", v)
	}
}

// The first draws are fixed: a change would give every experiment other tables.
func TestDraw(t *testing.T) {
	e := DefaultExperiment()
	d := must.Get(e.drawer(e.Shapes[0]))(t)
	tab := must.Get(d.draw(tableSource(1, d.shape, 2), 2))(t)
	var inner []int64
	leaves := tab.Leaves()
	for i, v := range tab.Value {
		if !tab.IsMargin(i, leaves) {
			inner = append(inner, v)
			if want := v >= 1 && v < 5; (tab.Status[i] == table.Sensitive) != want {
				t.Errorf("cell %s = %d has status %s", tab.CellName(i), v, tab.Status[i])
			}
		} else if tab.Status[i] != table.Published {
			t.Errorf("margin %s has status %s", tab.CellName(i), tab.Status[i])
		}
	}
	if d := cmp.Diff([]int64{23, 0, 7, 5, 18, 14, 6, 19, 28, 16, 2, 34, 8, 26, 25, 14}, inner); d != "" {
		t.Errorf("third table (-want +got):\n%s", d)
	}
}

// Tables of different seeds, shapes and indices are drawn from different sources.
func TestTableSource(t *testing.T) {
	seen := map[uint64]string{}
	for _, seed := range []uint64{0, 1, 2} {
		for _, s := range []string{"4x4", "4x6", "6x4", "2.2x4", "2x2x4", "3x3x3"} {
			shape := must.Get(ParseShape(s))(t)
			for index := range 100 {
				x := tableSource(seed, shape, index).Uint64()
				if old, dup := seen[x]; dup {
					t.Fatalf("%s, seed %d, index %d begins as %s", s, seed, index, old)
				}
				seen[x] = s
			}
		}
	}
}

func TestConvention(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Conventions() {
		if seen[c.String()] {
			t.Errorf("two conventions are called %s", c)
		}
		seen[c.String()] = true
	}
	if c := DefaultExperiment().Convention; c != (Convention{Negative: "abs", Round: "floor"}) {
		t.Errorf("the default is %s", c)
	}
	// Shares of counts 0 and 1 … 4 by the normal distribution function.
	Φ := func(x float64) float64 { return 0.5 * math.Erfc(-(x-15)/10/math.Sqrt2) }
	want := map[string][2]float64{
		"abs-floor":    {Φ(1) - Φ(-1), Φ(5) - Φ(1) + Φ(-1) - Φ(-5)},
		"abs-round":    {Φ(.5) - Φ(-.5), Φ(4.5) - Φ(.5) + Φ(-.5) - Φ(-4.5)},
		"clip-floor":   {Φ(1), Φ(5) - Φ(1)},
		"clip-round":   {Φ(.5), Φ(4.5) - Φ(.5)},
		"redraw-floor": {(Φ(1) - Φ(0)) / (1 - Φ(0)), (Φ(5) - Φ(1)) / (1 - Φ(0))},
		"redraw-round": {(Φ(.5) - Φ(0)) / (1 - Φ(0)), (Φ(4.5) - Φ(.5)) / (1 - Φ(0))},
	}
	const n = 50_000
	for _, c := range Conventions()[:6] {
		rng := tableSource(7, nil, 0)
		zero, small := 0, 0
		for range n {
			switch v := c.count(rng, 15, 10); {
			case v < 0:
				t.Fatalf("%s: count %d", c, v)
			case v == 0:
				zero++
			case v < 5:
				small++
			}
		}
		for k, got := range []int{zero, small} {
			p := want[c.String()][k]
			if math.Abs(float64(got)/n-p) > 4.5*math.Sqrt(p*(1-p)/n) {
				t.Errorf("%s: share %d of counts %g, want %g", c, k, float64(got)/n, p)
			}
		}
	}
}

// The printed rows are consistent in themselves.
func TestPrinted(t *testing.T) {
	share := []float64{.46, .69, .83, .83}
	for k, p := range printed {
		sum := 0
		for _, n := range p.widths {
			sum += n
		}
		if sum != p.unsafe {
			t.Errorf("%s: widths sum to %d, want %d", p.shape, sum, p.unsafe)
		}
		if got := float64(p.unsafe) / float64(p.primary); math.Abs(got-share[k]) > .005 {
			t.Errorf("%s: share %g, printed %g", p.shape, got, share[k])
		}
	}
	e := DefaultExperiment()
	if e.printedFor("4x4", "count", false) == nil || e.printedFor("8x8", "count", false) != nil || e.printedFor("4x4", "value", false) != nil || e.printedFor("4x4", "count", true) != nil {
		t.Error("printed figures stand where they do not belong, or not where they do")
	}
	for name, change := range map[string]func(*Experiment){
		"mean": func(e *Experiment) { e.Mean = 14 }, "sd": func(e *Experiment) { e.SD = 9 },
		"below": func(e *Experiment) { e.Below = 4 }, "width": func(e *Experiment) { e.Width = 10 },
	} {
		e := DefaultExperiment()
		change(e)
		if e.printedFor("4x4", "count", false) != nil {
			t.Errorf("printed figures stand beside another %s", name)
		}
	}
}

// handMade returns three tables with 2, 1 and no sensitive cells and one whose
// office was stopped.
func handMade(t *testing.T) []*trial {
	t.Helper()
	one := &table.Table{Status: []table.Status{table.Sensitive, table.Sensitive, table.Safe, table.Published}, Value: []int64{3, 2, 9, 9}}
	two := &table.Table{Status: []table.Status{table.Safe, table.Safe, table.Sensitive, table.Published}, Value: []int64{3, 2, 4, 9}}
	r := func(lo, hi int64) attack.Range { return attack.Range{Lo: lo, Hi: hi} }
	rat := func(a, b int64) *big.Rat { return big.NewRat(a, b) }
	return []*trial{
		{index: 0, inner: 16, empty: 2, offices: []office{{defence: NoDefence, cost: "count", seconds: 1, table: one, pattern: []bool{true, true, true, false}, attacked: []attacked{{"any", &attack.Result{
			Dim: 1, Candidates: big.NewInt(10), Matching: big.NewInt(4), Counted: true, Complete: true, Seconds: 2,
			Cells: []attack.Cell{
				{Index: 0, Lo: rat(0, 1), Hi: rat(9, 1), Outer: r(1, 4), Inner: r(1, 4), Verdict: attack.Unsafe},
				{Index: 1, Lo: rat(1, 2), Hi: rat(19, 2), Outer: r(1, 9), Inner: r(1, 9), Verdict: attack.Safe},
				{Index: 2, Lo: rat(0, 1), Hi: rat(9, 1), Outer: r(5, 9), Inner: r(5, 9), Verdict: attack.Safe},
			}}}}}}},
		{index: 1, inner: 16, unprotectable: 1, offices: []office{{defence: NoDefence, cost: "count", seconds: 1, table: two, pattern: []bool{false, true, true, false}, attacked: []attacked{{"any", &attack.Result{
			Dim: 3, Candidates: big.NewInt(1000), Matching: big.NewInt(1), Counted: false, Complete: false, Seconds: 3,
			Cells: []attack.Cell{
				{Index: 1, Lo: rat(0, 1), Outer: r(0, 12), Inner: r(2, 2), Verdict: attack.Safe},
				{Index: 2, Lo: rat(0, 1), Outer: r(0, 12), Inner: r(4, 4), Verdict: attack.Unknown},
			}}}}}}},
		{index: 2, inner: 16, offices: []office{{defence: NoDefence, cost: "count", table: two, pattern: make([]bool, 4)}}},
		{index: 3, inner: 16, offices: []office{{defence: NoDefence, cost: "count", table: two, stopped: true}}},
		nil,
	}
}

func TestTally(t *testing.T) {
	e := DefaultExperiment()
	e.Shapes, e.Tables = e.Shapes[:1], 5
	r := e.tally(handMade(t), false)
	if r.Complete || len(r.Series) != 1 || len(r.Series[0].Sizes) != 1 {
		t.Fatalf("complete %v, %d series", r.Complete, len(r.Series))
	}
	got := r.Series[0].Sizes[0]
	third, two := 1.0/3, 2.0/3
	want := &document.ExperimentSize{
		Shape: "4x4", Cells: 16, Tables: 3, Stopped: 1, Unsolved: 1, Redrawn: 2, Impossible: 1, Primary: 3, Withheld: 5, Cheapest: new(5),
		ExperimentVerdicts: document.ExperimentVerdicts{Unsafe: 1, Unknown: 1, Share: &third, ShareMost: &two},
		// u − p·m is 1/3, −1/3 and 0; m is 2, 1, 0 with mean 1.
		ShareError: new(math.Sqrt(1.5*2.0/9) / 3), PrimaryMean: 1, PrimaryError: new(math.Sqrt(1.0 / 3)),
		Dimensions: []*document.ExperimentDimension{
			{Dimension: 1, Tables: 1, Primary: 2, ExperimentVerdicts: document.ExperimentVerdicts{Unsafe: 1, Share: new(.5), ShareMost: new(.5)}, Printed: new(.83)},
			{Dimension: 3, Tables: 1, Primary: 1, ExperimentVerdicts: document.ExperimentVerdicts{Unknown: 1, Share: new(0.0), ShareMost: new(1.0)}, Printed: new(.17)},
		},
		Widths:     []int{0, 0, 0, 1, 0, 0, 0, 0},
		Feasible:   []int{0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, // 9 − 1 of [1/2, 19/2] and 9; one is infinite
		Effective:  []int{0, 0, 0, 1, 0, 0, 0, 0, 1},
		Candidates: document.ExperimentCandidates{Median: "10", Max: "1000", Counted: 1, MedianShare: new(.4), Share: new(.4)},
		Seconds:    document.ExperimentSeconds{Office: 2, Attack: 5, Median: 2.5, Max: 3},
		Rate:       document.ExperimentRate{Median: new(5.0), Mean: new(5.0)},
		Source: &document.ExperimentPrinted{Tables: 50, Primary: 104, Unsafe: 48, Share: 48.0 / 104, Widths: []int{6, 6, 7, 20, 1, 0, 4, 4},
			Difference: new((1.0/3 - 48.0/104) / (math.Sqrt(1.5*2.0/9) / 3 * math.Sqrt(1+3.0/50))), DifferenceMost: new((2.0/3 - 48.0/104) / (math.Sqrt(1.5*2.0/9) / 3 * math.Sqrt(1+3.0/50))),
			PrimaryDifference: new((1 - 104.0/50) / math.Sqrt(1.0/3*(1+3.0/50)))},
	}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Errorf("tally (-want +got):\n%s", d)
	}
	if r.Series[0].Dimensions[0].Printed != nil {
		t.Error("the printed total stands beside one size")
	}
	var b bytes.Buffer
	must.Do(t, r.WriteCells(&b))
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(lines) != 6 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	if d := cmp.Diff([]string{"", "16", "none", "count", "any", "3", "1000", "", "1", "2", "false", "0", "", "0", "12", "2", "2", "safe"}, lines[4]); d != "" {
		t.Errorf("line (-want +got):\n%s", d)
	}
}

// Results of tables in parallel are those of one after another, and fewer tables are
// a prefix of more.
func TestExperimentWorkers(t *testing.T) {
	run := func(workers, tables int) *ExperimentResult {
		e := DefaultExperiment()
		e.Shapes = [][]Branching{{{4}, {4}}, {{3}, {4}}}
		e.Tables, e.Workers, e.Costs = tables, workers, []string{"count", "value"}
		e.Matches = []attack.Match{attack.Any, attack.Exact}
		calls := 0
		e.Progress = func(done, total int) {
			if calls++; done != calls || total != 2*tables {
				t.Errorf("progress %d of %d at call %d", done, total, calls)
			}
		}
		r := must.Get(e.Run(t.Context()))(t)
		for _, s := range r.Series {
			for _, z := range s.Sizes {
				z.Seconds, z.Rate = document.ExperimentSeconds{}, document.ExperimentRate{}
			}
		}
		return r
	}
	one, four := run(1, 6), run(4, 6)
	if d := cmp.Diff(one, four, cmp.AllowUnexported(ExperimentResult{})); d != "" {
		t.Errorf("4 workers (-1 +4):\n%s", d)
	}
	if !one.Complete || len(one.Series) != 4 || one.Series[0].Sizes[0].Tables != 6 {
		t.Errorf("complete %v, %d series", one.Complete, len(one.Series))
	}
	few := run(2, 2)
	names := map[string]bool{}
	for _, l := range few.cells {
		names[l[0]] = true
	}
	rest := slices.DeleteFunc(slices.Clone(one.cells), func(l []string) bool { return !names[l[0]] })
	if d := cmp.Diff(rest, few.cells); d != "" || len(names) != 4 {
		t.Errorf("the first tables of more (-more +few):\n%s", d)
	}
}

// The defences withhold more, protect what they do not refuse, and keep to one
// pattern on every table at the ends of an interval.
func TestExperimentDefences(t *testing.T) {
	e := DefaultExperiment()
	e.Shapes = [][]Branching{{{4}, {4}}, {{2}, {2}, {3}}}
	e.Tables, e.Defences = 8, Defences()
	slices.Reverse(e.Defences)
	r := must.Get(e.Run(t.Context()))(t)
	if len(r.Series) != len(Defences()) {
		t.Fatalf("%d series, want %d", len(r.Series), len(Defences()))
	}
	for k, s := range r.Series {
		if s.Defence != string(e.Defences[k]) {
			t.Errorf("series %d is that of %s", k, s.Defence)
		}
		for _, z := range s.Sizes {
			if z.Tables+z.Refused != 8 || z.Unsolved+z.Stopped+z.Unknown > 0 {
				t.Errorf("%s %s: %d tables, %d refused, %d unsolved, %d stopped", s.Defence, z.Shape, z.Tables, z.Refused, z.Unsolved, z.Stopped)
			}
			if s.Defence == string(NoDefence) {
				if z.Rerun != 0 || *z.Cheapest != z.Withheld {
					t.Errorf("%s: rerun %d, cheapest %d of %d", z.Shape, z.Rerun, *z.Cheapest, z.Withheld)
				}
				continue
			}
			if z.Unsafe > 0 || z.Rerun != 2*z.Primary || *z.Cheapest > z.Withheld {
				t.Errorf("%s %s: %d of %d unsafe, %d rerun, %d withheld where %d suffice", s.Defence, z.Shape, z.Unsafe, z.Primary, z.Rerun, z.Withheld, *z.Cheapest)
			}
			if z.Shape == "4x4" && z.Tables == 0 {
				t.Errorf("%s protects no table", s.Defence)
			}
		}
	}
}

// A pattern that depends on withheld values is found out.
func TestDefenceRefuted(t *testing.T) {
	e := DefaultExperiment()
	d := must.Get(e.drawer(e.Shapes[0]))(t)
	for index := range 20 {
		tab := must.Get(d.draw(tableSource(1, d.shape, index), index))(t)
		if !hasSensitive(tab) {
			continue
		}
		o, err := d.publish(t.Context(), tab, "count")
		if err != nil || o == nil {
			t.Fatalf("%v, %v", o, err)
		}
		// The cheapest pattern passed off as that of a defence.
		o.defence, o.table = "simulatable", tab
		_, err = d.attackPublic(t.Context(), o, &defence.Solution{}, d.defenceOptions("simulatable", index))
		if err != nil && strings.Contains(err.Error(), "cannot lead to the pattern") {
			return
		}
	}
	t.Error("no cheapest pattern was told from that of the defence")
}

// A result survives a time limit and an interrupt.
func TestExperimentLimits(t *testing.T) {
	e := DefaultExperiment()
	e.Shapes, e.Tables, e.TimeLimit = e.Shapes[:1], 2, time.Nanosecond
	r, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if z := r.Series[0].Sizes[0]; z.Unsolved+z.Tables != 2 || !r.Complete {
		t.Errorf("stopped offices: %+v", z)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e.TimeLimit = 0
	if r, err = e.Run(ctx); err != nil || r.Complete || r.Series[0].Sizes[0].Tables != 0 {
		t.Errorf("interrupted: %+v, %v", r, err)
	}
}

func TestExperimentErrors(t *testing.T) {
	for want, change := range map[string]func(*Experiment){
		"experiment: no shape of table":                                                           func(e *Experiment) { e.Shapes = nil },
		"experiment: 0 tables, want 1 or more":                                                    func(e *Experiment) { e.Tables = 0 },
		"experiment: mean -1, want a value in [0, 1e+12]":                                         func(e *Experiment) { e.Mean = -1 },
		"experiment: standard deviation NaN, want a value in [0, 1e+12]":                          func(e *Experiment) { e.SD = math.NaN() },
		"experiment: sensitive below 0, want 1 or more":                                           func(e *Experiment) { e.Below = 0 },
		"experiment: width 0, want 1 or more":                                                     func(e *Experiment) { e.Width = 0 },
		"experiment: no cost, no kind of match or no defence":                                     func(e *Experiment) { e.Matches = nil },
		`experiment: defence "moat", want none, simulatable, quantised, random, random-quantised`: func(e *Experiment) { e.Defences = []Defence{"moat"} },
		`experiment: cost "freq", want count or value`:                                            func(e *Experiment) { e.Costs = []string{"freq"} },
		"experiment: shape 4: want 2 to 5 variables":                                              func(e *Experiment) { e.Shapes = [][]Branching{{{4}}} },
		"experiment: cost count twice":                                                            func(e *Experiment) { e.Costs = []string{"count", "value", "count"} },
		"experiment: defence none twice":                                                          func(e *Experiment) { e.Defences = []Defence{NoDefence, NoDefence} },
		"experiment: shape 4x4 twice":                                                             func(e *Experiment) { e.Shapes = append(e.Shapes, e.Shapes[0]) },
		"experiment: shape 4000x4000 has more than 4194304 cells":                                 func(e *Experiment) { e.Shapes = [][]Branching{{{4000}, {4000}}} },
		"4x4-0: none of 10000 tables drawn has a sensitive cell and can be protected":             func(e *Experiment) { e.Below = 1 },
	} {
		e := DefaultExperiment()
		change(e)
		_, err := e.Run(t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// The document's keys, in their order, are a contract.
func TestExperimentJSON(t *testing.T) {
	e := DefaultExperiment()
	e.Shapes, e.Tables = e.Shapes[:1], 5
	b := must.Get(json.Marshal(e.tally(handMade(t), true)))(t)
	var keys []string
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		k, err := d.Token()
		if err != nil {
			break
		}
		if s, ok := k.(string); ok && bytes.Contains(b, []byte(`"`+s+`":`)) && !seen[s] {
			seen[s] = true
			keys = append(keys, s)
		}
	}
	want := strings.Fields(`schema settings shapes tables seed convention words mean sd below width empty lp time_limit version machine complete series
		defence cost match sizes shape cells stopped unsolved redrawn refused impossible primary withheld cheapest rerun unsafe unknown share share_most share_error primary_mean primary_error
		dimensions dimension printed widths unsettled feasible effective candidates median max counted median_share seconds office attack rate
		source difference difference_most primary_difference`)
	// "mean" of a rate stands above as that of the settings.
	if d := cmp.Diff(want, keys); d != "" {
		t.Errorf("keys (-want +got):\n%s", d)
	}
	var back ExperimentResult
	if err := json.Unmarshal(b, &back); err != nil {
		t.Errorf("the document does not read back: %v", err)
	}
}
