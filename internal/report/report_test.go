package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/page"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
)

func results() []*bench.Result {
	return []*bench.Result{
		{Table: "batch6", Cells: 49, Status: "optimal", Seconds: 2, Audit: "protected", Batch: &document.BenchBatch{Tables: 5, Protected: 5, MedianMS: 0.25}},
		{Table: "表<1>", Cells: 441, Status: "optimal", Cost: "305", WithheldCost: "2478", Bound: "305", Gap: new(0.0), Seconds: 0.01,
			Machine: "A CPU", LP: "clp", Audit: "protected", RSSPeak: new(int64(3 << 20)), RSSScope: "process"},
		{Table: "b", Cells: 343, Status: "feasible", Cost: "30", Bound: "20", Gap: new(1.0 / 3), Seconds: 120, Audit: "protected"},
		{Table: "c", Cells: 343, Status: "none", Seconds: 120, Audit: "none"},
		{Table: "d", Cells: 9, Status: "optimal", Gap: new(0.0), Audit: "unprotected"},
	}
}

// experiment returns a result with and one without printed figures beside it.
func experiment() *bench.ExperimentResult {
	return &bench.ExperimentResult{Experiment: document.Experiment{
		Settings: document.ExperimentSettings{Words: "v < 5 & more", Tables: 3, Width: 8},
		Series: []*document.ExperimentSeries{{Cost: "count", Match: "any", Sizes: []*document.ExperimentSize{
			{
				Shape: "4x4", Cells: 16, Tables: 3, Redrawn: 7, Primary: 4, ExperimentVerdicts: document.ExperimentVerdicts{Unsafe: 1, Unknown: 1, Share: new(.25), ShareMost: new(.5)},
				Dimensions: []*document.ExperimentDimension{{Dimension: 1, Primary: 4, ExperimentVerdicts: document.ExperimentVerdicts{Unsafe: 1}, Printed: new(.83)}, {Dimension: 5}},
				Widths:     []int{0, 1, 0, 0, 0, 0, 0, 0}, Feasible: append(make([]int, 40), 3), Effective: []int{0, 1, 2},
				Source: &document.ExperimentPrinted{Tables: 50, Primary: 104, Unsafe: 48, Share: 48.0 / 104, Difference: new(-1.25), DifferenceMost: new(0.75), Widths: []int{6, 6, 7, 20, 1, 0, 4, 4}},
			},
			{Shape: "9x9", Cells: 81, Widths: make([]int, 8)},
		}}},
	}}
}

// pages returns every page under a name.
func allPages(t *testing.T) map[string]string {
	t.Helper()
	page := map[string]string{}
	write := func(name string, f func(w io.Writer) error) {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		page[name] = b.String()
	}
	other := results()[1:]
	other[0].Seconds, other[1].Seconds = 0.04, 0
	write("bench", func(w io.Writer) error { return Bench(w, "en", results()) })
	for _, lang := range Languages() {
		write("protection "+lang, func(w io.Writer) error { return Protect(w, protection(t, lang)) })
		write("full protection "+lang, func(w io.Writer) error { return Protect(w, full(t, lang)) })
		write("risk "+lang, func(w io.Writer) error { return Risks(w, risks(t, lang)) })
		write("long protection "+lang, func(w io.Writer) error { return Protect(w, longProtection(t, lang)) })
	}
	for _, lang := range Languages() {
		write("altered "+lang, func(w io.Writer) error { return WriteAltered(w, altered(lang)) })
	}
	write("lp", func(w io.Writer) error { return LP(w, "en", &lpReport().BenchLP) })
	write("lp of nothing", func(w io.Writer) error { return LP(w, "en", &document.BenchLP{}) })
	write("bench of nothing", func(w io.Writer) error { return Bench(w, "en", nil) })
	write("compare", func(w io.Writer) error { return Compare(w, "en", bench.Compare("old", results(), "new", other)) })
	write("batch", func(w io.Writer) error { return WriteBatch(w, batchPage()) })
	write("experiment", func(w io.Writer) error { return Experiment(w, "en", &experiment().Experiment) })
	write("experiment of nothing", func(w io.Writer) error { return Experiment(w, "en", &document.Experiment{}) })
	write("compare nothing", func(w io.Writer) error { return Compare(w, "en", bench.Compare("old", nil, "new", nil)) })
	return page
}

// A page loads nothing, runs nothing, and every element is closed.
func TestSelfContained(t *testing.T) {
	outside := regexp.MustCompile(`(?i)//|src\s*=|href|<script|<link|<iframe|<object|@import|url\(|\son\w+\s*=`)
	for name, text := range allPages(t) {
		// A link to a place of the same page loads nothing.
		if m := outside.FindString(strings.ReplaceAll(text, `<a href="#`, "<a ")); m != "" {
			t.Errorf("%s: refers to something outside: %q", name, m)
		}
		d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "<!DOCTYPE html>")))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
		for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "%!"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s contains %s", name, bad)
			}
		}
	}
}

func TestBenchPage(t *testing.T) {
	page := allPages(t)["bench"]
	for _, want := range []string{
		"5 instances: 3 optimal, 1 feasible, 0 unprotectable, 1 without a pattern.",
		"Patterns of 1 instances failed their audit.",
		"表&lt;1&gt;", "<dd>A CPU</dd>", "process since it started", "2478", "33.33 %", "no pattern", `class="t bad"`,
		"batch6: 5 tables, 5 protected",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, "<circle"); n != 4 {
		t.Errorf("%d points, want 4: one for each instance that is no batch", n)
	}
	if n := strings.Count(page, "<rect"); n != 2 {
		t.Errorf("%d bars, want 2: one for each stopped search", n)
	}
}

// lpReport has two back ends on three cases, one of them skipped on one case, wrong on
// another, and a third that is missing.
func lpReport() *bench.LPReport {
	r := &bench.LPReport{BenchLP: document.BenchLP{Base: "simplex", Repeat: 10, Done: 9, Limit: 3, Machine: "A <CPU>",
		Backends: []document.BenchBackend{{Name: "simplex"}, {Name: "clp", Version: "1.17"}, {Name: "none", Missing: "build with <it>"}}}}
	for k, table := range []string{"4x4", "9x9", "4x2.2-mag-1"} {
		kind := []string{"cold", "cold", "master"}[k]
		for n, name := range []string{"simplex", "clp"} {
			x := &document.BenchLPCase{Case: kind + "/" + table, Table: table, Kind: kind, LP: name, Entries: 10 << k, Seconds: new(1e-5 * float64(1+n)), Q1: new(1e-6), Q3: new(1e-4), Ratio: new(1.0 + float64(n)), Checked: 7}
			if k == 1 && n == 1 {
				x.Differ, x.Difference = 2, "solve 1: 3, not 4"
			}
			if k == 2 && n == 1 {
				x.Skipped, x.Seconds, x.Ratio = "over the limit of 3s", nil, nil
			}
			r.Results = append(r.Results, x)
		}
	}
	for _, kind := range []string{"cold", "master"} {
		r.Means = append(r.Means, document.BenchLPMean{Kind: kind, LP: "simplex", Ratio: new(1.0), Cases: 1, Of: 1}, document.BenchLPMean{Kind: kind, LP: "clp", Cases: 0, Of: 1})
	}
	return r
}

func TestLPPage(t *testing.T) {
	page := allPages(t)["lp"]
	for _, want := range []string{
		"42 answers", "2 of them differ", "interrupted: 10 were asked for", "A &lt;CPU&gt;", "missing: build with &lt;it&gt;", "(0 of 1 cases)",
		`<td class="bad">2</td>`, "solve 1: 3, not 4", `stopped">over the limit of 3s`, "cold/9x9, clp: 20.0 µs",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, "<circle"); n != 5 {
		t.Errorf("%d points, want 5: one for each time", n)
	}
	if n := strings.Count(page, `<polyline class="c `); n != 2 {
		t.Errorf("%d lines, want 2: the flat tables of each back end", n)
	}
}

func TestLikeness(t *testing.T) {
	for name, want := range map[string]string{"5x5": "2 flat ", "20x4.4": "2 tree ", "8x8x8-mag0.02-1": "3 flat mag", "4x4-n1510-1": "2 flat n"} {
		if got := likeness(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Names of curves that end at the same height stand apart and within the frame.
func TestSpreadLabels(t *testing.T) {
	lines := []curve{{LabelY: 100}, {LabelY: 99}, {LabelY: 98}, {LabelY: 20}}
	spreadLabels(lines, 10, 110)
	at := []float64{lines[3].LabelY, lines[2].LabelY, lines[1].LabelY, lines[0].LabelY}
	if want := []float64{20, 82, 96, 110}; !slices.Equal(at, want) {
		t.Errorf("names at %v, want %v", at, want)
	}
}

func TestComparePage(t *testing.T) {
	page := allPages(t)["compare"]
	for _, want := range []string{"4.000", "Only in old: batch6.", "geometric mean", `class="more"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestExperimentPage(t *testing.T) {
	page := allPages(t)["experiment"]
	for _, want := range []string{
		"v &lt; 5 &amp; more", "Interrupted", "25.00 %…50.00 %", "-1.2 s.e.…&#43;0.8 s.e.", "4x4: 7 drawn again for want of a sensitive cell",
		"<title>(a) 16 cells (4x4): unsafe cells by width</title>", "<title>(b) 81 cells (9x9): intervals of sensitive cells</title>",
		"<title>here, width of the effective interval 1: 25.0 %</title>", "<title>printed, width of the effective interval 3: 19.2 %</title>",
		"<title>printed, dimension of the null space 1: 83.0 %</title>", "<title>feasible, width 30&#43;: 100.0 %</title>",
		`aria-label="(a) 16 cells (4x4): unsafe cells by dimension; here 1: 25.0 %, 5: none; printed 1: 83.0 %, 5: none"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, "<svg"); n != 7 {
		t.Errorf("%d plots, want three a size and one of all", n)
	}
	if n := strings.Count(page, `class="mark"`); n != 1 {
		t.Errorf("%d marks of the width required, want 1: no interval of the other size reaches it", n)
	}
}

func TestScale(t *testing.T) {
	for most, want := range map[float64][2]float64{0: {1, 1}, 1: {.2, 1}, 6: {1, 6}, 19.2: {5, 20}, 83: {20, 100}, 100: {20, 100}, 0.04: {.01, .04}} {
		step, top := scale(most)
		if math.Abs(step-want[0]) > 1e-9 || math.Abs(top-want[1]) > 1e-9 {
			t.Errorf("scale(%g) = %g, %g, want %v", most, step, top, want)
		}
		if top < most || top > 6*step*(1+1e-9) {
			t.Errorf("scale(%g) = %g, %g", most, step, top)
		}
	}
}

func TestAxis(t *testing.T) {
	a := newAxis(10, []float64{0, 0.02, 700}, 100, 200)
	var labels []string
	for _, k := range a.ticks() {
		labels = append(labels, k.Label)
	}
	if d := cmp.Diff([]string{"0.01", "0.1", "1", "10", "100", "1000"}, labels); d != "" {
		t.Errorf("ticks (-want +got):\n%s", d)
	}
	for v, want := range map[float64]float64{0: 100, 0.01: 100, 1000: 200, 0.1: 120} {
		if got := a.at(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("%g at %g, want %g", v, got, want)
		}
	}
	if n := len(newAxis(10, []float64{1e-12, 1e12}, 0, 1).ticks()); n > maxTicks {
		t.Errorf("%d ticks, want at most %d", n, maxTicks)
	}
	if k := newAxis(2, []float64{1}, 0, 1).ticks(); len(k) != 2 {
		t.Errorf("ticks of one value: %v, want two", k)
	}
}

// Labels never meet, and none goes astray while there is room.
func TestPlaceLabels(t *testing.T) {
	points := []point{{X: 50, Y: 50, Label: "1"}, {X: 50, Y: 50, Label: "2"}, {X: 300, Y: 50, Label: "3"}}
	for range 9 {
		points = append(points, point{X: 50, Y: 51, Label: "44"})
	}
	placeLabels(points)
	shown := 0
	for i, p := range points {
		if p.Label == "" {
			continue
		}
		shown++
		for _, q := range points[:i] {
			if q.Label != "" && math.Abs(p.LabelY-q.LabelY) < labelHeight && p.LabelX < q.LabelX+digitWidth*float64(len(q.Label)) && q.LabelX < p.LabelX+digitWidth*float64(len(p.Label)) {
				t.Errorf("labels at (%g, %g) and (%g, %g) overlap", p.LabelX, p.LabelY, q.LabelX, q.LabelY)
			}
		}
	}
	if points[0].Label == "" || points[1].Label == "" || points[2].Label == "" || shown == len(points) {
		t.Errorf("%d of %d labels shown: %+v", shown, len(points), points)
	}
}

// TestTokens looks up every colour and size that the page and the reports use, and asks for each that there is; reports
// have none left to be looked up by who shows them.
func TestTokens(t *testing.T) {
	style := must.Get(page.Asset("style.css"))(t)
	of := regexp.MustCompile(`--([a-z0-9-]+)(:)?`)
	defined, used := map[string]bool{}, map[string]bool{}
	for _, m := range of.FindAllSubmatch(style, -1) {
		if len(m[2]) > 0 {
			defined[string(m[1])] = true
		} else {
			used[string(m[1])] = true
		}
	}
	names, _ := fs.Glob(files, "*")
	for _, name := range names {
		raw, _ := fs.ReadFile(files, name)
		for _, m := range regexp.MustCompile(`var\(--([a-z0-9-]+)\)`).FindAllSubmatch(raw, -1) {
			used[string(m[1])] = true
		}
		if text, err := styled(name); err != nil || strings.Contains(text, "var(--") {
			t.Errorf("%s: %v, or a token that there is not", name, err)
		}
	}
	if !maps.Equal(defined, used) {
		t.Errorf("tokens that there are %v, and that are used %v", slices.Sorted(maps.Keys(defined)), slices.Sorted(maps.Keys(used)))
	}
}
