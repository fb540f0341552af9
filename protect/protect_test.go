package protect

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// read reads a tidy table, of which response is read.
func read(t *testing.T, name, response, text string) *table.Table {
	t.Helper()
	o := formats.Options{}
	if response != "" {
		o.Responses, o.Response = []string{"turnover", "wages"}, response
	}
	in := must.Get(formats.ReadFrom(strings.NewReader(text), name+".csv", o))(t)
	return in.Table
}

const counts = `A,B,freq
a1,b1,20
a1,b2,3
a1,b3,17
a2,b1,19
a2,b2,11
a2,b3,40
a3,b1,23
a3,b2,14
a3,b3,18
`

const firms = `A,B,freq,turnover,wages
a1,b1,9,200,90
a1,b2,2,30,11
a1,b3,8,170,81
a2,b1,7,190,70
a2,b2,6,110,64
a2,b3,12,400,99
a3,b1,8,230,85
a3,b2,0,0,0
a3,b3,7,180,68
`

// names are those of the cells of a pattern.
func names(t *table.Table, pattern []bool) string {
	var all []string
	for i, in := range pattern {
		if in {
			all = append(all, t.CellName(i))
		}
	}
	return strings.Join(all, " ")
}

func mustRun(t *testing.T, inputs []Input, p Policy, opt *Options) *Result {
	t.Helper()
	r := must.Get(Run(t.Context(), inputs, p, opt))(t)
	if r.Verdict != interval.Protected {
		t.Fatalf("verdict %q", r.Verdict)
	}
	return r
}

// The pattern of a run is audited, of the size asked for, and the canonical one whoever searches for it.
func TestRun(t *testing.T) {
	t.Parallel()
	p := Policy{Below: 5, Width: level("8"), Margins: margins("publish"), Canonical: true}
	r := mustRun(t, []Input{{Table: read(t, "counts", "", counts)}}, p, nil)
	a, err := interval.Audit(t.Context(), r.Table, r.Patterns[0], nil)
	if err != nil || !a.Protected || r.Solution.Status != solver.Optimal || !r.Complete {
		t.Errorf("audit %+v, %v; status %s, complete %v", a, err, r.Solution.Status, r.Complete)
	}
	if i := slices.Index(r.Table.Status, table.Sensitive); r.Table.CellName(i) != "a1/b2" || r.Table.Width[i] != 8 || !r.Patterns[0][i] {
		t.Errorf("sensitive %s with width %d", r.Table.CellName(i), r.Table.Width[i])
	}
	again := mustRun(t, []Input{{Table: read(t, "counts", "", counts)}}, p, &Options{Workers: 3})
	if !slices.Equal(again.Patterns[0], r.Patterns[0]) {
		t.Errorf("%s, then %s", names(r.Table, r.Patterns[0]), names(again.Table, again.Patterns[0]))
	}
}

// Cross-tabs publish their margins unless the policy says otherwise, other tables may withhold them.
func TestMargins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		margins   string
		crossTab  bool
		published bool
	}{{"", true, true}, {"", false, false}, {"withhold", true, false}, {"publish", false, true}, {"weight:2", true, false}} {
		s := must.Get(Prepare([]Input{{Table: read(t, "counts", "", counts), CrossTab: c.crossTab}}, Policy{Margins: margins(c.margins)}, nil))(t)
		leaves := s.Table.Leaves()
		for i, st := range s.Table.Status {
			if want := c.published && s.Table.IsMargin(i, leaves); (st == table.Published) != want {
				t.Errorf("%+v: cell %s is %s", c, s.Table.CellName(i), st)
			}
		}
	}
	// A margin of degree k costs F^k times as much; the result tells the cost without.
	plain := read(t, "counts", "", counts)
	r := mustRun(t, []Input{{Table: read(t, "counts", "", counts)}}, Policy{Below: 5, Width: level("8"), Cost: cost("value"), Margins: margins("weight:2.5")}, nil)
	leaves := plain.Leaves()
	for i := range plain.Len() {
		want := plain.Value[i] * table.Pow10(r.Table.CostDecimals)
		for d := range plain.Dims {
			if !leaves[d][plain.Coord[i*len(plain.Dims)+d]] {
				want = want * 5 / 2
			}
		}
		if r.Table.Cost[i] != want {
			t.Errorf("cell %s costs %d, want %d", plain.CellName(i), r.Table.Cost[i], want)
		}
	}
	cost := int64(0)
	for i, in := range r.Patterns[0] {
		if in && r.Table.Status[i] == table.Safe {
			cost += plain.Value[i] * table.Pow10(r.Table.CostDecimals)
		}
	}
	if !r.Margins.Cost.IsInt() || r.Margins.Cost.Num().Int64() != cost || r.Margins.Factor.String() != "2.5" {
		t.Errorf("margins %+v, want cost %d", r.Margins, cost)
	}
}

// Primary rules come before the minimum frequency, costs before single cells and levels, distances and
// weights after single cells.
func TestRuleOrder(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("freq", "value", "a3,b3,18", "a3,b3,18.5").Replace(counts)
	file := filepath.Join(t.TempDir(), "one.hst")
	must.Do(t, os.WriteFile(file, []byte("a1,b2,s\na3,b3,u\n"), 0o666))
	apriori := func(string, string, int) (*argus.Apriori, error) { return argus.ReadApriori(file, ",", 2, "") }
	var said []string
	opt := &Options{Apriori: apriori, Say: func(r Remark) { said = append(said, r.Text.Named(func(f string) string { return "--" + f }).String()) }}
	s, err := Prepare([]Input{{Table: read(t, "counts", "", text)}}, Policy{Rules: of("rules = 'MAN(20)'").Rules, Apriori: "one.hst", LPL: level("12.5%"), Cost: cost("distance:1,5")}, opt)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i := range s.Table.Len() {
		at[s.Table.CellName(i)] = i
	}
	if i := at["a3/b3"]; s.Table.Status[i] != table.Sensitive || table.FormatDecimal(s.Table.UPL[i], s.Table.Decimals) != "3.7" || s.Table.Cost[i] != 1 {
		t.Errorf("a3/b3: %s, UPL %d of %d decimals, cost %d", s.Table.Status[i], s.Table.UPL[i], s.Table.Decimals, s.Table.Cost[i])
	}
	if i := at["a1/b1"]; s.Table.Cost[i] != 10 { // 5 for two rows, 5 for two columns from a3/b3
		t.Errorf("a1/b1 costs %d", s.Table.Cost[i])
	}
	if len(said) != 1 || said[0] != "2 cells changed by one.hst" {
		t.Errorf("said %q", said)
	}

	// Levels in percent give the table decimals, but not its costs.
	s, err = Prepare([]Input{{Table: read(t, "counts", "", counts)}}, Policy{Below: 5, LPL: level("12.5%"), Cost: cost("value")}, nil)
	if err != nil || s.Table.Decimals != 3 || s.Table.CostDecimals != 0 {
		t.Errorf("%d decimals, costs %d; %v", s.Table.Decimals, s.Table.CostDecimals, err)
	}

	// What a rule hits but must be published is told, in the words of the caller.
	said = nil
	must.Get(Prepare([]Input{{Table: read(t, "counts", "", counts)}}, Policy{Below: 60, Width: level("1"), Margins: margins("publish")}, opt))(t)
	if len(said) != 1 || !strings.HasPrefix(said[0], "below 60 but published, as margins and cells of status z are: ") {
		t.Errorf("said %q", said)
	}
}

// Sensitive cells without any level are guarded against exact disclosure, if others have no widths and the
// policy does not leave them so.
func TestGuardExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p      Policy
		strict bool
		err    string
	}{
		{Policy{Below: 5}, true, ""},
		{Policy{Below: 5, LevelsAsGiven: true}, false, ""},
		{Policy{Below: 5, LPL: level("1")}, false, ""},
		{Policy{Below: 5, Width: level("0")}, true, ""},
	} {
		s, err := Prepare([]Input{{Table: read(t, "counts", "", counts)}}, c.p, nil)
		if err != nil || s.Table.Strict != c.strict {
			t.Errorf("%+v: strict %v, %v", c.p, s.Table.Strict, err)
		}
	}
}

// A sensitive cell without a level beside others with widths is named and protected, and the others keep the widths that they have; in place of intervals it keeps its mark.
func TestNoLevelBesideOthers(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 30))
		var b strings.Builder
		b.WriteString("A,B,value,status,lpl,upl,spl\n")
		var bare []string
		wide := false
		for i := range 3 {
			for j := range 4 {
				level := ",,,"
				switch rng.IntN(5) {
				case 0:
					bare = append(bare, fmt.Sprintf("a%d/b%d", i, j))
					level = "u,,,"
				case 1:
					level, wide = fmt.Sprintf("u,,,%d", 1+rng.IntN(6)), true
				}
				fmt.Fprintf(&b, "a%d,b%d,%d,%s\n", i, j, 5+rng.IntN(30), level)
			}
		}
		if len(bare) == 0 || !wide {
			continue
		}
		in := read(t, "drawn", "", b.String())
		asked := slices.Clone(in.Width)
		p := Policy{Partial: seed%2 == 0, Margins: margins("publish")}
		r := must.Get(Run(t.Context(), []Input{{Table: in}}, p, &Options{Secret: func() ([32]byte, error) { return [32]byte{1}, nil }}))(t)
		for _, name := range bare {
			if !slices.ContainsFunc(r.Remarks, func(m Remark) bool {
				return strings.Contains(m.String(), name) && strings.Contains(m.String(), "a width for all")
			}) {
				t.Errorf("seed %d: nothing names %s with what to do: %v", seed, name, r.Remarks)
			}
		}
		for i, st := range in.Status {
			if bounds := [2]int64{in.Lower[i], in.Upper[i]}; p.Partial && st == table.Sensitive && (bounds == [2]int64{0, table.PosInf}) != slices.Contains(bare, in.CellName(i)) {
				t.Errorf("seed %d: %s, without a level %v, is published as %v", seed, in.CellName(i), slices.Contains(bare, in.CellName(i)), bounds)
			}
		}
		rep := must.Get(interval.Audit(t.Context(), r.Table, r.Patterns[0], nil))(t)
		for _, c := range rep.Cells {
			want := asked[c.Index]
			if slices.Contains(bare, r.Table.CellName(c.Index)) {
				want = 1
			}
			if r.Table.Width[c.Index] != want || r.Table.Strict || !c.Protected {
				t.Errorf("seed %d: %s: from %v to %v, level %d, strict %v; want %d", seed, r.Table.CellName(c.Index), c.Lo, c.Hi, r.Table.Width[c.Index], r.Table.Strict, want)
			}
		}
	}
}

// Linked tables share cells: what one must withhold, the other withholds, and each has the statuses of all.
func TestLinked(t *testing.T) {
	t.Parallel()
	region := read(t, "region", "", "A,B,freq\na1,b1,3\na1,b2,30\na1,b3,17\na2,b1,19\na2,b2,11\na2,b3,40\n")
	size := read(t, "size", "", "A,C,freq\na1,c1,25\na1,c2,25\na2,c1,68\na2,c2,2\n")
	joined := ""
	opt := &Options{Joined: func(t *table.Table) error { joined = t.Name; return nil }}
	r := mustRun(t, []Input{{Table: region}, {Table: size}}, Policy{Below: 5, Width: level("4")}, opt)
	if joined != "region+size" || r.Table.Name != joined || len(r.Patterns) != 2 {
		t.Fatalf("joined %q, table %s, %d patterns", joined, r.Table.Name, len(r.Patterns))
	}
	for k, in := range []*table.Table{region, size} {
		for i, c := range r.Cells[k] {
			if r.Patterns[k][i] != r.Solution.Pattern[c] || in.Status[i] != r.Table.Status[c] || in.Value[i] != r.Table.Value[c] {
				t.Errorf("%s: cell %s", in.Name, in.CellName(i))
			}
		}
	}
	// The margin of a1 is one cell of both, and withheld by both or none.
	total := map[int32]int{}
	for k, in := range []*table.Table{region, size} {
		for i, c := range r.Cells[k] {
			if in.CellName(i) == "a1/Total" {
				total[c]++
			}
		}
	}
	if len(total) != 1 {
		t.Errorf("a1/Total is %v", total)
	}
	// An error of Joined ends the run, one of Link names the cell.
	no := errors.New("no")
	if _, err := Run(t.Context(), []Input{{Table: region}, {Table: size}}, Policy{}, &Options{Joined: func(*table.Table) error { return no }}); !errors.Is(err, no) {
		t.Errorf("error %v", err)
	}
	size.Value[0], size.Value[1] = 24, 26
	other := read(t, "other", "", "A,D,freq\na1,d1,51\na2,d1,70\n")
	var link *table.LinkError
	if _, err := Run(t.Context(), []Input{{Table: region}, {Table: other}}, Policy{}, nil); !errors.As(err, &link) {
		t.Errorf("error %v", err)
	}
}

// responses are the inputs of two responses of the same cells.
func responses(t *testing.T) []Input {
	return []Input{
		{Table: read(t, "firms", "turnover", firms), Response: "turnover"},
		{Table: read(t, "firms", "wages", firms), Response: "wages"},
	}
}

// One mask protects both responses: every layer of the pattern is the same, and each table is
// protected by it alone.
func TestMask(t *testing.T) {
	t.Parallel()
	inputs := responses(t)
	r := mustRun(t, inputs, Policy{Below: 3, Width: level("10%")}, nil)
	n := inputs[0].Table.Len()
	if !slices.Equal(r.Responses, []string{"turnover", "wages"}) || r.Table.Layers != 2 || len(r.By) != n {
		t.Fatalf("responses %q, %d layers, by %q", r.Responses, r.Table.Layers, r.By)
	}
	for k, in := range inputs {
		if !slices.Equal(r.Patterns[k], r.Solution.Pattern[:n]) || !slices.Equal(r.Patterns[k], r.Solution.Pattern[n:]) {
			t.Errorf("%s: %s", in.Response, names(in.Table, r.Patterns[k]))
		}
		a, err := interval.Audit(t.Context(), in.Table, r.Patterns[k], nil)
		if err != nil || !a.Protected {
			t.Errorf("%s: %v, %v", in.Response, a, err)
		}
	}
	if i := 1; r.By[i] != "turnover+wages" || r.Tables[0].CellName(i) != "a1/b2" {
		t.Errorf("%s by %q", r.Tables[0].CellName(i), r.By[i])
	}
	// The number of contributors stays published, so a cell without any does.
	if i := 7; r.Table.Status[i] != table.Published || inputs[0].Table.CellName(i) != "a3/b2" {
		t.Errorf("%s is %s", inputs[0].Table.CellName(i), r.Table.Status[i])
	}
	if inputs[0].Table.Name != "firms" || r.Table.Name != "firms" {
		t.Errorf("names %s, %s", inputs[0].Table.Name, r.Table.Name)
	}
	// A price of the cell is paid once, prices of the responses are added.
	for text, want := range map[string]int64{"count": 1, "freq": 9, "value": 290, "": 290} {
		s, err := Prepare(responses(t), Policy{Cost: cost(text)}, nil)
		if err != nil || s.Table.Cost[0]+s.Table.Cost[n] != want {
			t.Errorf("cost %q: %d and %d, want %d together; %v", text, s.Table.Cost[0], s.Table.Cost[n], want, err)
		}
	}
	uneven := append(responses(t), responses(t)[0])
	if _, err := Prepare(uneven, Policy{}, nil); err == nil {
		t.Error("three tables of two responses")
	}
}

// The method auto takes sub-tables for large tables of one response, unless something asks for the exact search.
func TestMethod(t *testing.T) {
	t.Parallel()
	small := read(t, "counts", "", counts)
	large := *small
	large.Value = make([]int64, autoCells+1)
	layers := large
	layers.Layers = 2
	for _, c := range []struct {
		p    Policy
		t    *table.Table
		want bool
	}{
		{Policy{}, small, false},
		{Policy{Method: "modular"}, small, true},
		{Policy{}, &large, true},
		{Policy{Method: "auto"}, &large, true},
		{Policy{Method: "exact"}, &large, false},
		{Policy{Canonical: true}, &large, false},
		{Policy{}, &layers, false},
	} {
		if large.Len() <= autoCells {
			t.Fatal("not large")
		}
		if got := c.p.modular(c.t); got != c.want {
			t.Errorf("%+v, %d cells: modular %v", c.p, c.t.Len(), got)
		}
	}
	p := Policy{Below: 5, Width: level("8"), Method: "modular"}
	if r := mustRun(t, []Input{{Table: small}}, p, nil); !r.Complete {
		t.Error("stopped")
	}
	for _, p.Method = range []string{"modular", "exact"} {
		if r := mustRun(t, []Input{{Table: read(t, "counts", "", counts)}}, p, &Options{Certificate: true}); r.Solution.Certificate == nil {
			t.Error("no certificate")
		}
	}
}

const alone = `A,B,value,freq
a1,b1,20,1
a1,b2,30,1
a1,b3,17,8
a2,b1,19,7
a2,b2,11,6
a2,b3,40,9
a3,b1,23,8
a3,b2,14,9
a3,b3,18,7
`

// Two singletons of a row need a third cell; the tests can be named, and the m of the rule is that of the policy.
func TestSingletons(t *testing.T) {
	t.Parallel()
	p := Policy{Below: 2, UPL: level("1"), LPL: level("1"), Margins: margins("publish"), Cost: cost("value")}
	for rule, sums := range map[string]int{"": 0, "none": 0, "tauargus-opt": 1, "tauargus-mod": 1, "tauargus-mod:single": 1, "tauargus-mod:multiple": 0, "tauargus-opt:minfreq": 0, "tauargus-opt:minfreq=3": 1} {
		p.Singletons = of("singletons = '" + rule + "'").Singletons
		r := mustRun(t, []Input{{Table: read(t, "alone", "", alone)}}, p, nil)
		if rule == "" || rule == "none" {
			if r.Singletons != nil {
				t.Errorf("%q: %+v", rule, r.Singletons)
			}
			continue
		}
		if *r.Singletons != (Singletons{rule, sums}) || r.Patterns[0][2] != (sums > 0) {
			t.Errorf("%q: %+v, withheld %s", rule, r.Singletons, names(r.Table, r.Patterns[0]))
		}
	}
	p.Singletons = of("singletons = 'tauargus-opt'").Singletons
	p.Below = 0
	bare := read(t, "bare", "", "A,value,status\na1,20,u\na2,30,u\na3,17,s\n")
	if _, err := Run(t.Context(), []Input{{Table: bare, Source: "b.csv"}}, p, nil); err == nil || err.Error() != "b.csv: table bare: singletons needs the numbers of contributors, as in a column freq" {
		t.Errorf("error %v", err)
	}
	mod := of("below = 2\nmin-freq = '4,30'\nsingletons = 'tauargus-mod'")
	if r := mod.singletonRule(); r.MinFreq != 4 || !r.Modular || !r.Single {
		t.Errorf("%+v", r)
	}
}

// Insiders are guarded against, and told of.
func TestInsiders(t *testing.T) {
	t.Parallel()
	p := Policy{Below: 2, Width: level("1"), Margins: margins("publish"), Insiders: true, Coalition: 2}
	r := mustRun(t, []Input{{Table: read(t, "alone", "", alone)}}, p, nil)
	if r.Guarded == nil || r.Guarded.Report == nil || r.Guarded.Rounds < 1 {
		t.Errorf("guarded %+v", r.Guarded)
	}
}

// A defence decides without values; random asks for a secret, which is in no result.
func TestDefence(t *testing.T) {
	t.Parallel()
	p := Policy{Below: 5, Width: level("8"), Margins: margins("publish"), Defence: "random", DefenceSeed: 18446744073709551615, DefenceOrders: 3}
	if _, err := Run(t.Context(), []Input{{Table: read(t, "counts", "", counts)}}, p, nil); err == nil || !strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
	asked := 0
	var stages []Stage
	opt := &Options{
		Secret:   func() ([32]byte, error) { asked++; return [32]byte{1, 2, 3}, nil },
		Progress: func(p Progress) { stages = append(stages, p.Stage) },
		Weights:  func(file string) (*table.Table, error) { return read(t, file, "", counts), nil },
	}
	p.PublicWeights = "old"
	r := mustRun(t, []Input{{Table: read(t, "counts", "", counts)}}, p, opt)
	if asked != 1 || r.Defence == nil || len(r.Defence.Costs) != 3 || stages[0] != Defending || !r.Complete {
		t.Errorf("asked %d times, %+v, stages %v", asked, r.Defence, stages)
	}
	opt.Weights = func(file string) (*table.Table, error) {
		return read(t, file, "", "A,B,value\na1,b1,1\na1,b2,2\n"), nil
	}
	var f *FieldError
	if _, err := Run(t.Context(), []Input{{Table: read(t, "counts", "", counts)}}, p, opt); !errors.As(err, &f) || f.Field != "public-weights" {
		t.Errorf("error %v", err)
	}
}

// A table that cannot be protected has a result that says so, and an error that tells why.
func TestNoPattern(t *testing.T) {
	t.Parallel()
	for _, p := range []Policy{{Below: 5, Width: level("800"), Margins: margins("publish")}, {Below: 5, Width: level("800"), Margins: margins("publish"), Defence: "simulatable"}} {
		r, err := Run(t.Context(), []Input{{Table: read(t, "counts", "", counts), Source: "c.csv"}}, p, nil)
		var none *NoPatternError
		if !errors.As(err, &none) || !strings.HasPrefix(err.Error(), "table counts: ") || r.Solution.Status != solver.Unprotectable || r.Patterns != nil || r.Verdict != "" {
			t.Errorf("%s: %v, %v, %q", p.Defence, err, r.Patterns, r.Verdict)
		}
	}
}

// The context ends a search with what it has: nothing before the first pattern, and an audit without a verdict.
func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Run(ctx, []Input{{Table: read(t, "counts", "", counts)}}, Policy{Below: 5, Width: level("8")}, nil)
	switch {
	case err == nil: // it had a pattern at once
		if r.Verdict != interval.Protected {
			t.Errorf("verdict %q", r.Verdict)
		}
	case r.Patterns != nil || r.Table == nil:
		t.Errorf("%v with patterns %v", err, r.Patterns)
	}

	// A defence is audited by intervals, which a first progress can end.
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	opt := &Options{Workers: 1, Progress: func(p Progress) {
		if p.Stage == Auditing && !p.Begin {
			cancel()
		}
	}}
	r, err = Run(ctx, []Input{{Table: read(t, "counts", "", counts)}}, Policy{Below: 5, Width: level("8"), Defence: "simulatable"}, opt)
	if !errors.Is(err, ErrAudit) || !errors.Is(err, context.Canceled) || r.Verdict != "" || r.Patterns == nil {
		t.Errorf("error %v, verdict %q, %d patterns", err, r.Verdict, len(r.Patterns))
	}
}

// Remarks come as they are made and are all in the result.
func TestRemarks(t *testing.T) {
	t.Parallel()
	var said []string
	r, err := Run(t.Context(), []Input{{Table: read(t, "counts", "", counts)}}, Policy{}, &Options{Say: func(r Remark) { said = append(said, r.String()) }})
	if err != nil || len(r.Remarks) != 1 || len(said) != 1 || said[0] != "counts: no cell is sensitive, so nothing needs to be withheld; below or a column status says which are" {
		t.Errorf("%v, remarks %v, said %q", err, r.Remarks, said)
	}
	if got := fmt.Sprint(r.Remarks[0]); got != said[0] {
		t.Errorf("printed %q", got)
	}
}

// What does not go together is refused by what a run is asked for, too: a certificate, several tables or responses.
func TestRunRefuses(t *testing.T) {
	t.Parallel()
	two := []Input{{Table: read(t, "a", "", counts)}, {Table: read(t, "b", "", counts)}}
	for _, c := range []struct {
		inputs []Input
		p      Policy
		opt    *Options
		field  string
	}{
		{two[:1], Policy{Insiders: true}, &Options{Certificate: true}, "insiders"},
		{two, Policy{}, &Options{Certificate: true}, "certificate"},
		{two, Policy{Defence: "simulatable"}, nil, "defence"},
		{responses(t), Policy{Insiders: true}, nil, "response"},
		{two[:1], Policy{Apriori: "one.hst"}, nil, "apriori"},
	} {
		r, err := Run(t.Context(), c.inputs, c.p, c.opt)
		var f *FieldError
		if r == nil || !errors.As(err, &f) || f.Field != c.field {
			t.Errorf("%+v: %v, want one about %s", c.p, err, c.field)
		}
	}
	for _, none := range [][]Input{nil, {{}}, append(two[:1:1], Input{})} {
		if _, err := Run(t.Context(), none, Policy{}, nil); err == nil {
			t.Error("no table, no error")
		}
	}
}
