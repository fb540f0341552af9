package bench

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/answer"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/simplex"
)

// tinyLP are cases of every kind that take milliseconds.
func tinyLP() []*LPCase {
	return lpCases([]string{"3x3", "2x2.2"}, []string{"4x4-mag-1"}, []string{"2x2x2-mag0.2-1"}, []string{"3x3-n1510-1"})
}

// A bent solver is a right one whose answers bend changes.
type bent struct {
	lp.Solver
	bend func(r *lp.Result)
}

func (b *bent) Solve(ctx context.Context) (*lp.Result, error) {
	r, err := b.Solver.Solve(ctx)
	if err == nil {
		b.bend(r)
	}
	return r, err
}

func (b *bent) DeleteRows(drop []bool) error { return b.Solver.(lp.RowDeleter).DeleteRows(drop) }

// lend makes a bent solver a back end for the time of a test.
func lend(t *testing.T, label string, bend func(r *lp.Result)) string {
	name, end := lp.Lend(label, func() (lp.Solver, error) {
		s, err := lp.Open("simplex")
		return &bent{s, bend}, err
	})
	t.Cleanup(end)
	return name
}

func runLP(t *testing.T, cases []*LPCase, o *LPOptions) *LPReport {
	t.Helper()
	return must.Get(RunLP(t.Context(), cases, o))(t)
}

// Two back ends that share nothing agree on every kind, in every pass.
func TestRunLP(t *testing.T) {
	cases := tinyLP()
	r := runLP(t, cases, &LPOptions{Backends: []string{"gonum", "simplex", "gonum"}, Repeat: 2, Limit: time.Minute})
	if len(r.Results) != 2*len(cases) || len(r.Backends) != 2 || r.Base != "simplex" || r.Done != 2 {
		t.Fatalf("%d results of %d cases, back ends %v, base %s, %d repetitions", len(r.Results), len(cases), r.Backends, r.Base, r.Done)
	}
	for _, x := range r.Results {
		if x.Skipped != "" || x.Differ != 0 || x.Unanswered != 0 || x.Checked < 2*x.Solves*x.Passes {
			t.Errorf("%s, %s: %+v", x.Case, x.LP, x)
		}
		if len(x.Runs) != 2 || !(*x.Seconds > 0) || *x.Q1 > *x.Seconds || *x.Q3 < *x.Seconds || x.Ratio == nil {
			t.Errorf("%s, %s: times %v, ratio %v", x.Case, x.LP, x.Runs, x.Ratio)
		}
		if x.LP == "simplex" && *x.Ratio != 1 {
			t.Errorf("%s: ratio of simplex to itself %g", x.Case, *x.Ratio)
		}
		if total := x.Runs[0] * float64(x.Solves*x.Passes); x.Passes > 1 && total < lpSample.Seconds()/4 {
			t.Errorf("%s, %s: a sample of %g s", x.Case, x.LP, total)
		}
	}
	if n := r.Checked(); r.Differ() != 0 || n < 100 {
		t.Errorf("%d answers, %d differ", n, r.Differ())
	}
	if want := []string{"cold", "objective", "bounds", "master", "sequence", "suppress"}; !slices.Equal(r.Kinds(), want) {
		t.Errorf("kinds %v, want %v", r.Kinds(), want)
	}
	if len(r.Means) != 12 || r.Means[0].Of != 2 || r.Means[0].Cases != 2 || r.Means[0].Ratio == nil {
		t.Errorf("means %+v", r.Means)
	}
}

// Wrong optima, wrong verdicts and missing ones are told apart and reported.
func TestWrongBackendDisagrees(t *testing.T) {
	calls := 0
	value := lend(t, "value", func(r *lp.Result) {
		if calls++; calls%2 == 0 {
			r.Value += 1e-5 * max(1, math.Abs(r.Value))
		}
	})
	verdict := lend(t, "verdict", func(r *lp.Result) { r.Status = lp.Infeasible })
	silent := lend(t, "silent", func(r *lp.Result) { r.Status = lp.Unknown })
	near := lend(t, "near", func(r *lp.Result) { r.Value += 1e-8 * max(1, math.Abs(r.Value)) })
	cases := slices.DeleteFunc(tinyLP(), func(c *LPCase) bool { return c.Kind == "suppress" })
	r := runLP(t, cases, &LPOptions{Backends: []string{value, verdict, silent, near}, Repeat: 1})
	for _, x := range r.Results {
		ok := false
		switch x.LP {
		case value:
			ok = x.Differ > 0 && x.Differ < x.Checked && x.Worst > 9e-6 && x.Worst < 2e-5 && strings.Contains(x.Difference, ", not ")
		case verdict:
			ok = x.Differ == x.Checked && strings.HasPrefix(x.Difference, "solve 1: infeasible, not optimal")
		case silent:
			ok = x.Differ == 0 && x.Unanswered == x.Checked
		case near:
			ok = x.Differ == 0 && x.Worst > 0 && x.Worst < 2e-8
		}
		if !ok || x.Checked == 0 {
			t.Errorf("%s, %s: %d checked, %d differ, %d unanswered, worst %g: %q", x.Case, x.LP, x.Checked, x.Differ, x.Unanswered, x.Worst, x.Difference)
		}
	}
	if r.Differ() == 0 {
		t.Error("the report has no differences")
	}
}

// A search that ends with another status, cost or canonical pattern differs.
func TestSearchDiffers(t *testing.T) {
	tab := must.Get(drawnTable("4x4-n1510-1"))(t)
	w := must.Get(searched(tab))(t)
	for _, c := range []struct {
		words string
		spoil func(s *search)
	}{
		{"", func(*search) {}},
		{"optimal, not feasible", func(s *search) { s.want.Status = "feasible" }},
		{"cost ", func(s *search) { s.want.Cost++ }},
		{"another canonical pattern", func(s *search) { s.want.Pattern[0] = !s.want.Pattern[0] }},
	} {
		var got answers
		s := w.begin("simplex", &got).(*search)
		want := *s.want
		want.Pattern = slices.Clone(want.Pattern)
		s.want = &want
		c.spoil(s)
		must.Do(t, s.pass(t.Context()))
		if got.checked != 1 || (got.differ == 1) != (c.words != "") || !strings.HasPrefix(got.words, c.words) {
			t.Errorf("%+v, want %q", got, c.words)
		}
	}
}

// Back ends that this build lacks are listed with the words of lp; the others are
// measured. Names that nobody knows are errors.
func TestMissingBackend(t *testing.T) {
	r := &LPReport{}
	must.Do(t, r.open(nil))
	var have []string
	words := map[string]string{}
	for _, b := range r.Backends {
		if words[b.Name] = b.Missing; b.Missing == "" {
			have = append(have, b.Name)
		}
	}
	for _, name := range lp.Backends() {
		s, err := lp.Open(name)
		if err != nil {
			if words[name] != err.Error() {
				t.Errorf("%s: %q, want %q", name, words[name], err)
			}
			continue
		}
		s.Close()
		if !slices.Contains(have, name) {
			t.Errorf("%s is not among %v", name, have)
		}
	}
	if have[0] != "simplex" {
		t.Errorf("back ends %v, want simplex first", have)
	}
	for _, m := range lp.Missing() {
		if words[m.Name] != m.Error() || m.How == "" {
			t.Errorf("%s: %q, want %q", m.Name, words[m.Name], m)
		}
		if _, err := RunLP(t.Context(), tinyLP(), &LPOptions{Backends: []string{m.Name}}); err == nil || !strings.Contains(err.Error(), m.How) {
			t.Errorf("%s alone: %v", m.Name, err)
		}
	}
	if _, err := RunLP(t.Context(), tinyLP(), &LPOptions{Backends: []string{"simplex", "cplex"}}); err == nil || !strings.Contains(err.Error(), `"cplex"`) {
		t.Errorf("cplex: %v", err)
	}
}

// A back end over the limit is skipped in the case and in later ones of its kind; one
// that fails is skipped in the case only.
func TestSkipped(t *testing.T) {
	slow := lend(t, "slow", func(*lp.Result) { time.Sleep(2 * time.Millisecond) })
	name, end := lp.Lend("fixed", func() (lp.Solver, error) { // cannot delete rows
		s, err := lp.Open("simplex")
		return struct{ lp.Solver }{s}, err
	})
	defer end()
	cases := slices.DeleteFunc(tinyLP(), func(c *LPCase) bool { return c.Kind != "cold" })
	r := runLP(t, cases, &LPOptions{Backends: []string{slow, "simplex"}, Repeat: 1, Limit: time.Millisecond})
	want := []string{"over the limit of 1ms", "", "not tried after cold/3x3", ""}
	for k, x := range r.Results {
		if x.LP == "simplex" {
			continue // may be slow today
		}
		if x.Skipped != want[k] || x.Seconds != nil || x.Ratio != nil {
			t.Errorf("%s, %s: skipped %q, want %q", x.Case, x.LP, x.Skipped, want[k])
		}
	}
	drop := &lpScript{calls: []lpCall{{op: opOpen}, {op: opDrop}}, drops: [][]bool{{}}}
	c := &LPCase{Name: "a", Kind: "a", load: func() (*lpWork, error) {
		return &lpWork{solves: 1, begin: func(backend string, got *answers) lpSession {
			return &lpReplay{script: drop, open: func() (lp.Solver, error) { return lp.Open(backend) }, got: got}
		}}, nil
	}}
	r = runLP(t, []*LPCase{c, c}, &LPOptions{Backends: []string{name}, Repeat: 1})
	for _, x := range r.Results {
		if x.Skipped != "it cannot delete rows" {
			t.Errorf("skipped %q", x.Skipped)
		}
	}
}

// Every repetition goes through all cases, and through the back ends of a case in another
// order than the one before.
func TestInterleaved(t *testing.T) {
	var order []string // of one case in one repetition
	first := map[string]int{}
	var names []string
	for _, label := range []string{"a", "b", "c"} {
		name, end := lp.Lend(label, func() (lp.Solver, error) {
			if len(order) == 0 || order[len(order)-1] != label {
				order = append(order, label)
			}
			return lp.Open("simplex")
		})
		defer end()
		names = append(names, name)
	}
	var turns []string
	cases := slices.DeleteFunc(tinyLP(), func(c *LPCase) bool { return c.Kind != "cold" })
	next := func(rep int, name string) {
		if len(order) > 0 && turns != nil {
			if slices.Sort(order[1:]); len(order) != 3 {
				t.Errorf("%s: back ends %v, want each once", turns[len(turns)-1], order)
			}
			first[turns[len(turns)-1][len("1 "):]+" "+order[0]]++
		}
		if order = nil; rep > 0 {
			turns = append(turns, strconv.Itoa(rep)+" "+name)
		}
	}
	runLP(t, cases, &LPOptions{Backends: names, Repeat: 3, Progress: next})
	next(4, "")
	want := []string{"1 cold/3x3", "1 cold/2x2.2", "2 cold/3x3", "2 cold/2x2.2", "3 cold/3x3", "3 cold/2x2.2", "4 "}
	if !slices.Equal(turns, want) {
		t.Errorf("turns %q, want %q", turns, want)
	}
	for _, c := range cases {
		for _, label := range []string{"a", "b", "c"} {
			if n := first[c.Name+" "+label]; n != 1 {
				t.Errorf("%s begins %d times with %s, want once in three repetitions", c.Name, n, label)
			}
		}
	}
}

func TestInterruptedLP(t *testing.T) {
	for at := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := RunLP(ctx, tinyLP(), &LPOptions{Backends: []string{"simplex"}, Repeat: 5, Progress: func(rep int, name string) {
			if rep == at && strings.HasPrefix(name, "bounds/") {
				cancel()
			}
		}})
		if err != nil || r.Done != max(0, at-1) {
			t.Errorf("interrupted in round %d: %d repetitions done, %v", at, r.Done, err)
		}
		cancel()
	}
}

// Cases are the same every time, and recorded answers those of other solvers.
func TestLPScriptsRepeat(t *testing.T) {
	write := func() (all []*lpScript) {
		add := func(s *lpScript, err error) {
			t.Helper()
			if err != nil || s == nil || s.solves() == 0 {
				t.Fatal(s, err)
			}
			all = append(all, s)
		}
		flat := must.Get(drawnTable("4x3.2-fs-1"))(t)
		for _, kind := range []string{"cold", "objective", "bounds"} {
			add(newIntruderCase(flat).script(kind))
		}
		for _, name := range []string{"8x8-mag-1", "3x3x3-mag0.1-1"} {
			tab := must.Get(drawnTable(name))(t)
			add(record(tab, true))
			if name == "3x3x3-mag0.1-1" {
				add(record(tab, false))
			}
		}
		return all
	}
	first, second := write(), write()
	if d := cmp.Diff(first, second, cmp.AllowUnexported(lpScript{}, lpCall{}), cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
	// Two-way tables are networks: their intruder needs no linear program.
	tab := must.Get(drawnTable("8x8-mag-1"))(t)
	if s, err := record(tab, false); s != nil || err != nil {
		t.Errorf("intruder's programs of a network: %v, %v", s, err)
	}
	for k, s := range first[3:] {
		if n := s.solves(); n > recordedSolves {
			t.Errorf("script %d: %d solves recorded, want at most %d", k, n, recordedSolves)
		}
	}
}

// Objectives and bounds drawn are such that the reduced and the full program agree.
func TestIntruderPrograms(t *testing.T) {
	tab := must.Get(drawnTable("7x3.3-fs-2"))(t)
	c := newIntruderCase(tab)
	value := func(p *lp.Problem) float64 {
		r := answer.Of(t, simplex.New(), p)
		if r.Status != lp.Optimal {
			t.Fatal(r)
		}
		return r.Value
	}
	moves := 0
	for k, i := range c.withheld {
		for _, sign := range []float64{1, -1} {
			small, full := c.reduced(), c.full()
			small.Cost[k], full.Cost[i] = sign, sign
			a, b := value(small), value(full)
			if relative(a, b) > 1e-9 || a > sign*float64(tab.Value[i])+1e-9 {
				t.Errorf("cell %d: %g of the withheld cells, %g of all; value %d", i, a, b, tab.Value[i])
			}
			if a < sign*float64(tab.Value[i])-0.5 {
				moves++
			}
		}
	}
	if moves < 3 {
		t.Errorf("%d ends of intervals are not the value itself, want some", moves)
	}
}

func TestLargest(t *testing.T) {
	row := func(n int) lp.Row { return lp.Row{Idx: make([]int32, n), Val: make([]float64, n)} }
	s := &lpScript{
		programs: []*lp.Problem{{Cost: make([]float64, 7), Rows: []lp.Row{row(2), row(3)}}},
		rows:     [][]lp.Row{{row(4), row(5)}, {row(1)}}, drops: [][]bool{{false, true, false, true}},
		calls: []lpCall{{op: opLoad}, {op: opSolve}, {op: opAdd}, {op: opSolve}, {op: opDrop}, {op: opAdd, at: 1}, {op: opSolve}},
	}
	if got := s.largest(); got != (lpSize{7, 4, 14}) {
		t.Errorf("%+v", got)
	}
	s.calls = append(s.calls[:3:3], s.calls[4:]...)
	if got := s.largest(); got != (lpSize{7, 3, 7}) {
		t.Errorf("%+v", got)
	}
}

func TestLPStatistics(t *testing.T) {
	x := []float64{4, 1, 3, 2}
	for _, c := range []struct{ p, want float64 }{{0, 1}, {0.25, 1.75}, {0.5, 2.5}, {0.75, 3.25}, {1, 4}} {
		if got := quantile(x, c.p); got != c.want {
			t.Errorf("quantile %g: %g, want %g", c.p, got, c.want)
		}
	}
	// The machine is ten times slower in the second repetition: ratios stay.
	if r := pairedRatio([]float64{2, 20, 6, 9}, []float64{1, 10, 2}); r == nil || *r != 2 {
		t.Errorf("ratio %v", r)
	}
	if r := pairedRatio(nil, x); r != nil {
		t.Errorf("ratio of nothing %v", *r)
	}
	if m, n := geometricMean([]*float64{new(2.0), nil, new(8.0)}); n != 2 || math.Abs(*m-4) > 1e-12 {
		t.Errorf("mean %v of %d", m, n)
	}
}

func TestWriteLP(t *testing.T) {
	r := runLP(t, tinyLP()[:1], &LPOptions{Backends: []string{"simplex", "gonum"}, Repeat: 3, Version: "v<1>"})
	var b bytes.Buffer
	must.Do(t, WriteLP(&b, "json", r))
	var back LPReport
	must.Do(t, json.Unmarshal(b.Bytes(), &back))
	if d := cmp.Diff(r, &back, cmpopts.IgnoreUnexported(document.BenchLPCase{})); d != "" {
		t.Error(d)
	}
	b.Reset()
	must.Do(t, WriteLP(&b, "csv", r))
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(lines) != 3 {
		t.Fatal(lines, err)
	}
	at := func(line int, name string) string { return lines[line][slices.Index(lines[0], name)] }
	if at(1, "case") != "cold/3x3" || at(1, "lp") != "simplex" || at(2, "lp") != "gonum" || at(1, "ratio") != "1" || at(2, "version") != "v<1>" || len(strings.Fields(at(2, "runs"))) != 3 {
		t.Error(lines)
	}
	if err := WriteLP(failing{}, "csv", r); err == nil {
		t.Error("error of the writer lost")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }
