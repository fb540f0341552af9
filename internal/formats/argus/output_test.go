package argus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/tabletest"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

const sampleRDA = `<SEPARATOR> ";"
Ind
<RECODEABLE>
Reg
<RECODEABLE>
Turn
<NUMERIC>
<DECIMALS> 2
FreqVar
<FREQUENCY>
Turn_Shadow
<NUMERIC> <SHADOW>
Turn_Cost
<NUMERIC> <COSTVAR>
Top1
<MAXSCORE>
Top2
<MAXSCORE>
StatusVar
<STATUS>
LowerProtLevel
<NUMERIC> <LOWERPL>
UpperProtLevel
<NUMERIC> <UPPERPL>
`

// A: N is unsafe by dominance, S secondary; C: N safe, S empty.
const sampleTab = `"Total";"Total";118,50;9;118,50;118,50;40,00;30,00;S;0,00;0,00
"Total";"N";90,50;6;90,50;90,50;40,00;30,00;P;0,00;0,00
"Total";"S";28,00;3;28,00;28,00;20,00;5,00;S;0,00;0,00
"A";"Total";78,00;5;78,00;78,00;40,00;20,00;S;0,00;0,00
"A";"N";50,00;2;50,00;50,00;40,00;10,00;U;5,00;5,00
"A";"S";28,00;3;28,00;28,00;20,00;5,00;M;0,00;0,00
"C";"Total";40,50;4;40,50;40,50;30,00;10,00;S;0,00;0,00
"C";"N";40,50;4;40,50;40,50;30,00;10,00;S;0,00;0,00
"C";"S";0,00;0;0,00;0,00;0,00;0,00;E;0,00;0,00
`

func tabOf(t *testing.T, rda, text string, o Options) *Table {
	t.Helper()
	return must.Get(ReadTableFrom(strings.NewReader(text), "t.tab", metadata(t, rda, Tabular), o))(t)
}

// content reads a file that was written.
func content(t interface{ Fatal(...any) }, path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestOutputs(t *testing.T) {
	tab := tabOf(t, sampleRDA, sampleTab, Options{})
	tab.Table.Reason = make([]table.Reason, 9)
	tab.Table.Reason[4] = table.ByDominance
	rules := func(s string) *table.Rules {
		return must.Get(table.ParseRules(s))(t)
	}
	sbs := func(end string) string {
		return "Total,Total,118.50,9,V\nTotal,N,90.50,6,V\nTotal,S,28.00,3,V\nA,Total,78.00,5,V\nA,N,50.00,2," + end + "\nA,S,28.00,3,D\nC,Total,40.50,4,V\nC,N,40.50,4,V\n"
	}
	for _, tc := range []struct {
		name    string
		kind    int
		options string
		rules   *table.Rules
		want    string
	}{
		{"matrix", Matrix, "", nil, `,"Total","N","S"
"Total",118.50,90.50,28.00
"A",78.00,x,x
"C",40.50,40.50,-

`},
		{"matrix without quotes", Matrix, "QU-", nil, ",Total,N,S\nTotal,118.50,90.50,28.00\nA,78.00,x,x\nC,40.50,40.50,-\n\n"},
		{"pivot", Pivot, "AS+", nil, `"Ind","Reg","Turn","Status"
"Total","Total",118.50,1
"Total","N",90.50,10
"Total","S",28.00,1
"A","Total",78.00,1
"A","N",50.00,3
"A","S",28.00,11
"C","Total",40.50,1
"C","N",40.50,1
"C","S",-,14
`},
		{"code-value", CodeValue, "AS-SE+", nil, `"Total","Total",118.50
"Total","N",90.50
"Total","S",28.00
"A","Total",78.00
"A","N",x
"A","S",x
"C","Total",40.50
"C","N",40.50
`},
		{"code-value with names", CodeValue, "FL+QU-", nil, "Ind,Reg,Turn\nTotal,Total,118.50\nTotal,N,90.50\nTotal,S,28.00\nA,Total,78.00\nA,N,x\nA,S,x\nC,Total,40.50\nC,N,40.50\nC,S,-\n"},
		{"SBS", SBS, "", nil, `"Total","Total",118.50,9,V
"Total","N",90.50,6,V
"Total","S",28.00,3,V
"A","Total",78.00,5,V
"A","N",50.00,2,C,100.0
"A","S",28.00,3,D
"C","Total",40.50,4,V
"C","N",40.50,4,V
`},
		{"SBS with levels and p%", SBS, "HL+QU-", rules("P(10,1)"), "Total,0,Total,0,118.50,9,V\nTotal,0,N,0,90.50,6,V\nTotal,0,S,0,28.00,3,V\nA,0,Total,0,78.00,5,V\n" +
			"A,0,N,0,50.00,2,F,80.0,20.0\nA,0,S,0,28.00,3,D\nC,0,Total,0,40.50,4,V\nC,0,N,0,40.50,4,V\n"},
		{"SBS, the largest alone", SBS, "QU-", rules("NK(1,75)|FREQ(3,10)"), sbs("B,80.0")},
		{"SBS, two", SBS, "QU-", rules("NK(2,75)"), sbs("C,100.0")},
		{"SBS, three, of which two are shown", SBS, "QU-", rules("NK(3,75)"), sbs("C,100.0")},
		{"SBS, the larger of two rules", SBS, "QU-", rules("NK(1,75)|NK(2,85)"), sbs("C,100.0")},
		{"SBS, holdings before records", SBS, "QU-", rules("NK(2,85)|NK(0,0)|NK(1,75)"), sbs("B,80.0")},
		{"SBS, p% beside dominance", SBS, "QU-", rules("NK(1,75)|P(10,1)"), sbs("F,80.0,20.0")},
		{"SBS, no contributions kept", SBS, "QU-", rules("FREQ(3,10)|REQ(50,50,3,10)"), sbs("B,0.0")},
		{"intermediate", Intermediate, "", nil, sampleTab},
		{"intermediate, status only", Intermediate, "SO+SE+QU-", nil, `Total;Total;118,50;9;118,50;S;0,00;0,00
Total;N;90,50;6;90,50;P;0,00;0,00
Total;S;28,00;3;28,00;S;0,00;0,00
A;Total;78,00;5;78,00;S;0,00;0,00
A;N;50,00;2;50,00;U;5,00;5,00
A;S;28,00;3;28,00;M;0,00;0,00
C;Total;40,50;4;40,50;S;0,00;0,00
C;N;40,50;4;40,50;S;0,00;0,00
`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := must.Get(ParseOutput(tc.kind, tc.options))(t)
			path := filepath.Join(t.TempDir(), "out.txt")
			o := tab.WriteOptions()
			o.Rules = tc.rules
			must.Do(t, WriteOutput(path, tab.Table, nil, out, o))
			if d := cmp.Diff(tc.want, content(t, path)); d != "" {
				t.Error(d)
			}
		})
	}
}

// A pattern withholds safe cells in every type; layers and one dimension have shapes of
// their own.
func TestOutputShapes(t *testing.T) {
	one := tabOf(t, "<SEPARATOR> ,\nR\n<RECODEABLE>\nN\n<FREQUENCY>\n", "Total,6\na,1\nb,5\n", Options{})
	three := tabOf(t, "<SEPARATOR> ,\nP\n<RECODEABLE>\nQ\n<RECODEABLE>\nR\n<RECODEABLE>\nV\n<NUMERIC>\n", "p,q,r,1\np,q,s,2\n", Options{})
	for _, tc := range []struct {
		tab  *Table
		p    []bool
		kind int
		want string
	}{
		{one, []bool{false, true, true}, Matrix, ",\"Total\",\"a\",\"b\"\n,6,x,x\n"},
		{one, nil, SBS, "\"Total\",6,6,V\n\"a\",1,1,V\n\"b\",5,5,V\n"},
		{one, []bool{false, true, true}, JJ, "0\n3\n0 6 6 s 0 inf 0 0 0\n1 1 1 m 0 inf 0 0 0\n2 5 5 m 0 inf 0 0 0\n1\n0 3 : 0 (-1) 1 (1) 2 (1)\n"},
		{three, nil, Matrix, strings.ReplaceAll(`Var 1,"Total", Var 2,"Total"
,"Total","r","s"
!,3,1,2

Var 1,"Total", Var 2,"q"
`, "!", "")},
	} {
		path := filepath.Join(t.TempDir(), "out.txt")
		out := must.Get(ParseOutput(tc.kind, ""))(t)
		if tc.tab == three {
			tc.want = "Var 1,\"Total\",\n,\"Total\",\"r\",\"s\"\n\"Total\",3,1,2\n\"q\",3,1,2\n\nVar 1,\"p\",\n,\"Total\",\"r\",\"s\"\n\"Total\",3,1,2\n\"q\",3,1,2\n\n"
			tc.want = strings.ReplaceAll(tc.want, "\",\n", "\"\n")
		}
		must.Do(t, WriteOutput(path, tc.tab.Table, tc.p, out, tc.tab.WriteOptions()))
		if d := cmp.Diff(tc.want, content(t, path)); d != "" {
			t.Error(d)
		}
	}
}

func TestParseOutput(t *testing.T) {
	for _, tc := range []struct {
		kind int
		s    string
		want Output
		err  string
	}{
		{3, "AS+QU+", Output{Type: 3, AddStatus: true, Quote: true}, ""},
		{2, ` "as+ fl-"`, Output{Type: 2, AddStatus: true, Quote: true, FirstLine: true}, ""},
		{3, "3", Output{Type: 3, AddStatus: true, SuppressEmpty: true, Quote: true}, ""},
		{4, "1", Output{Type: 4, Levels: true, Quote: true}, ""},
		{5, "0", Output{Type: 5, StatusOnly: true, Quote: true}, ""},
		{5, "AR-HI-", Output{Type: 5, Quote: true}, ""},
		{5, "AR+HI+", Output{Type: 5, Quote: true, Audit: true, Holdings: true}, ""},
		{6, "TR+", Output{Type: 6, Quote: true, Trivial: true}, ""},
		{7, "AO+AC+SE+", Output{Type: 7, Quote: true, Original: true, Key: true, SuppressEmpty: true}, ""},
		{7, "AD+AO-", Output{Type: 7, Quote: true, Difference: true}, ""},
		{8, "", Output{}, "output type 8, want 1 (matrix), 2 (pivot), 3 (code-value), 4 (SBS), 5 (intermediate), 6 (JJ) or 7 (cell key method)"},
		{3, "AS", Output{Type: 3, Quote: true}, "options AS: want two letters and + or -, like AS+QU-"},
		{3, "XX+", Output{Type: 3, Quote: true}, "option XX: want AS, SE, FL, QU, HL, SO, AR, HI, TR, AO, AD or AC"},
		{5, "AC+", Output{}, "option AC+: of output type 7, which holds the noise of the cell key method"},
	} {
		got, err := ParseOutput(tc.kind, tc.s)
		if got != tc.want && tc.err == "" || (err == nil) != (tc.err == "") || err != nil && err.Error() != tc.err {
			t.Errorf("%d %q: %+v %v", tc.kind, tc.s, got, err)
		}
	}
}

// The published output of simple2d, byte by byte.
func TestSimple2D(t *testing.T) {
	m := metadata(t, "Size 9 2 99\n<RECODEABLE>\nRegion 12 2 99\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> x\n<HIERLEADSTRING> @\n", Microdata)
	m.Variables[1].HierCodelist = sample(t, "simple2d", "region2.hrc")
	used := make([]usedCodes, 2)
	spelling := []map[string]string{{}, {}}
	var recs []table.Record
	why := map[string]table.Reason{"3": table.ByPercent}
	for n, row := range shared.Rows(t, "data/tauargus/simple2d/cells.csv") {
		rec := table.Record{Line: n + 2, Codes: make([]string, 2)}
		for d := range 2 {
			if used[d].at == nil {
				used[d].at = map[string]int{}
			}
			rec.Codes[d] = used[d].add(Code(row[d]), n+2)
			spelling[d][rec.Codes[d]] = strings.TrimRight(row[d], " ")
		}
		v := must.Get(table.ParseDecimal(row[2]))(t)
		rec.Value = table.Number{Decimal: v, Set: true}
		rec.Reason = why[row[6]]
		rec.Status = map[string]table.Status{"1": table.Safe, "3": table.Sensitive, "11": table.Withheld, "14": table.Published}[row[6]]
		recs = append(recs, rec)
	}
	dims := make([]table.Dimension, 2)
	for d := range dims {
		var err error
		if dims[d], err = m.Variables[d].dimension("cells.csv", used[d].codes, used[d].lines); err != nil {
			t.Fatal(err)
		}
	}
	tab := must.Get(table.Build("simple2d", dims, recs, false))(t)
	path := filepath.Join(t.TempDir(), "out.txt")
	out := must.Get(ParseOutput(CodeValue, "AS+QU+"))(t)
	must.Do(t, WriteOutput(path, tab, nil, out, WriteOptions{Spelling: spelling}))
	want := strings.ReplaceAll(content(t, sample(t, "simple2d", "Simple2D.txt")), "\r", "")
	if d := cmp.Diff(want, content(t, path)); d != "" {
		t.Error(d)
	}
}

// What is written is read again.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	codes := []string{"a", "b", "01", "é", "産業", "a b", "x-y", "@q", "#", "1,5", "Total2", "<X>", "//"}
	rapid.Check(t, func(t *rapid.T) {
		tab := tabletest.Table(t, codes, true)
		for i := range tab.Status {
			if tab.Status[i] == table.Sensitive {
				tab.LPL[i], tab.UPL[i] = rapid.Int64Range(0, 99).Draw(t, "lpl"), rapid.Int64Range(0, 99).Draw(t, "upl")
			}
		}
		path := filepath.Join(dir, "t.tab")
		o := WriteOptions{DecimalComma: rapid.Bool().Draw(t, "comma")}
		if err := WriteTable(path, tab, nil, o); err != nil {
			t.Fatal(err)
		}
		in, err := ReadTable(path, Options{})
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, content(t, path), content(t, MetadataOf(path)))
		}
		if d := cmp.Diff(tabletest.Cells(tab, true), tabletest.Cells(in.Table, true)); d != "" {
			t.Fatalf("%s\n%s", d, content(t, path))
		}
		got := in.Table
		if err := got.Rescale(max(got.Decimals, tab.Decimals)); err != nil {
			t.Fatal(err)
		}
		at := cellIndex(got)
		for i := range tab.Len() {
			c := make([]string, len(tab.Dims))
			for d := range c {
				c[d] = tab.Dims[d].Codes[tab.Coord[i*len(c)+d]]
			}
			j, ok := at[cellKey(c)]
			if !ok {
				t.Fatalf("no cell %v", c)
			}
			if got.LPL[j] != tab.LPL[i] || got.UPL[j] != tab.UPL[i] ||
				table.FormatDecimal(got.Cost[j], got.CostDecimals) != table.FormatDecimal(tab.Cost[i], tab.CostDecimals) {
				t.Fatalf("cell %v: levels %d, %d, cost %d became %d, %d, %d", c, tab.LPL[i], tab.UPL[i], tab.Cost[i], got.LPL[j], got.UPL[j], got.Cost[j])
			}
		}
		// And again, as it came.
		second := filepath.Join(dir, "u.tab")
		if err := formats.WriteFile(second, in.Input, nil); err != nil {
			t.Fatal(err)
		}
		again, err := ReadTable(second, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tabletest.Cells(in.Table, true), tabletest.Cells(again.Table, true)); d != "" {
			t.Fatal(d)
		}
	})
}

func TestWriteRefused(t *testing.T) {
	build := func(code string, rec table.Record) *table.Table {
		d := must.Get(table.FlatDimension("R", "Total", []string{code}))(t)
		rec.Codes = []string{code}
		total := table.Record{Codes: []string{"Total"}, Value: table.Num(1, 0)}
		return must.Get(table.Build("t", []table.Dimension{d}, []table.Record{rec, total}, false))(t)
	}
	one := table.Num(1, 0)
	for _, tc := range []struct {
		code string
		rec  table.Record
		o    WriteOptions
		want string
	}{
		{"a", table.Record{}, WriteOptions{}, "table t: cell a has no value, but τ-ARGUS tables hold all values"},
		{"a", table.Record{Value: one, Width: one}, WriteOptions{}, "table t: cell a has a width (spl), which τ-ARGUS tables have no place for; --lossy leaves it out"},
		{"a", table.Record{Value: one, Status: table.Sensitive, Reason: table.ByPercent}, WriteOptions{}, "table t: cell a has a reason (p-percent), which τ-ARGUS tables have no place for; --lossy leaves it out"},
		{"a", table.Record{Value: one, Status: table.Sensitive, Freq: table.Num(0, 0)}, WriteOptions{}, "table t: cell a has no contributors, but a value or a status of one that has; τ-ARGUS knows only empty cells without contributors"},
		{"a", table.Record{Value: one, Upper: one}, WriteOptions{}, "table t: cell a has bounds of its own, which τ-ARGUS tables have no place for; --lossy leaves them out"},
		{`a"b`, table.Record{Value: one}, WriteOptions{}, `table t: dimension R: the code "a\"b" holds a quote or line end, which τ-ARGUS cannot read`},
		{"a;b", table.Record{Value: one}, WriteOptions{}, "table t: dimension R: the code a;b holds the separator ;, which τ-ARGUS cannot read"},
		{"産", table.Record{Value: one}, WriteOptions{Encoding: "cp1252"}, `line 1: "\"産\";1;1;1;S;0;0": CP1252 has no such character; write UTF-8`},
		{"a", table.Record{Value: one}, WriteOptions{Encoding: "latin1"}, "encoding latin1: want utf-8, cp932 or cp1252"},
	} {
		path := filepath.Join(t.TempDir(), "t.tab")
		err := WriteTable(path, build(tc.code, tc.rec), nil, tc.o)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%v, want %s", err, tc.want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a table was written")
		}
	}
}

// Metadata that belong to something else are not replaced.
func TestCompanions(t *testing.T) {
	dir := t.TempDir()
	rda := put(t, dir, "t.rda", sampleRDA)
	tab := must.Get(ReadTable(put(t, dir, "t.tab", sampleTab), Options{}))(t)
	err := formats.WriteFile(filepath.Join(dir, "t.tab.gz"), tab.Input, nil)
	if want := rda + " exists already and would be replaced by that of t.tab.gz; choose another name, or remove it"; err == nil || err.Error() != want {
		t.Error(err)
	}
	put(t, dir, "t.csv", "")
	err = formats.WriteFile(filepath.Join(dir, "t.csv"), tab.Input, nil)
	if want := rda + " belongs to the input and would be replaced; choose another name"; err == nil || err.Error() != want {
		t.Error(err)
	}
	if content(t, rda) != sampleRDA || content(t, filepath.Join(dir, "t.csv")) != "" {
		t.Error("files were replaced")
	}
	out := filepath.Join(dir, "u.tab")
	for n := range 3 {
		if err := formats.WriteFile(out, tab.Input, nil); err != nil {
			t.Error(err)
		}
		if n == 1 { // as a run leaves them that was killed between metadata and table
			os.Remove(out)
		}
	}
}
