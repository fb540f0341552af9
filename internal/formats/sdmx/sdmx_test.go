package sdmx

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/tabletest"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

var codes = []string{"a,b", `"q"`, "x;y", "01", "1e5", "NA", "製造業", "a b", "-", "ａ", "a: b", "\\", "é", "A10"}

// What is written for the office reads back with its statuses; what is published has
// no withheld value, and tells statuses unless they are to be alike.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		tab := tabletest.Table(t, codes, true)
		o := tabletest.Trees(t, dir, tab)
		if tab.Counts {
			o.Columns = map[string]string{"freq": "OBS_VALUE"}
		}
		read := func(r io.Reader) (*formats.Input, error) { return ReadFrom(r, "t.csv", o) }
		in := tabletest.Office(t, tab, func(w io.Writer) error { return Write(w, tab, formats.Style{Flag: true}) }, read)
		in.Style.Symbol = rapid.SampledFrom([]string{"", "NaN"}).Draw(t, "symbol")
		tabletest.Publish(t, in, true, read)
	})
}

const office = `STRUCTURE,STRUCTURE_ID,ACTION,FREQ,NACE,SIZE,TIME_PERIOD,OBS_VALUE,N_ENT,OBS_STATUS,CONF_STATUS,UNIT_MULT,COMMENT
dataflow,ESTAT:SBS(1.0),I,A,B,_T,2024,78.5,10,A,F,3,
dataflow,ESTAT:SBS(1.0),I,A,B,S,2024,48.5,2,P,O,3,one big
dataflow,ESTAT:SBS(1.0),I,A,B,L,2024,30,8,A,,3,
dataflow,ESTAT:SBS(1.0),I,A,C,_T,2024,40,7,A,F,3,
dataflow,ESTAT:SBS(1.0),I,A,C,S,2024,40,7,A,F,3,
dataflow,ESTAT:SBS(1.0),I,A,C,L,2024,,,M,F,3,
`

func statuses(t *table.Table) string {
	var b strings.Builder
	for i := range t.Len() {
		v := "?"
		if t.Known(i) {
			v = table.FormatDecimal(t.Value[i], t.Decimals)
		}
		b.WriteString(t.CellName(i) + "=" + v + t.Status[i].String() + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestRead(t *testing.T) {
	want := "B/_T=78.5s B/S=48.5u B/L=30s C/_T=40s C/S=40s C/L=0z Total/_T=118.5s Total/S=88.5s Total/L=30s"
	semicolon := strings.NewReplacer(",", ";", ".5", ",5").Replace(office)
	labels := strings.NewReplacer("NACE", "NACE: Industry", ",B,", ",B: Mining,", ",C,", ",C: Food: drink,", "CONF_STATUS", "CONF_STATUS: Confidentiality", ",O,", ",O: dominance,").Replace(office)
	v1 := strings.NewReplacer("STRUCTURE,STRUCTURE_ID,ACTION", "DATAFLOW", "dataflow,ESTAT:SBS(1.0),I", "ESTAT:SBS(1.0)").Replace(office)
	for name, text := range map[string]string{
		"2.0": office, "CR LF and BOM": "\ufeff" + strings.ReplaceAll(office, "\n", "\r\n"), "semicolons": semicolon,
		"brackets": strings.Replace(office, "STRUCTURE,", "STRUCTURE[;],", 1), "labels": labels, "1.0": v1,
		"order": strings.Replace(office, "STRUCTURE_ID,ACTION", "\"STRUCTURE_ID\",\"ACTION\"", 1),
	} {
		in, err := ReadFrom(strings.NewReader(text), "t.csv", formats.Options{Columns: map[string]string{"freq": "N_ENT"}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := statuses(in.Table); got != want || in.Table.Freq[1] != 2 || in.Table.ReasonOf(1) != table.ByDominance {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, want)
		}
		if !Recognises([]byte(text)) {
			t.Errorf("%s: not recognised", name)
		}
	}
	for _, text := range []string{"R,C,value\n", "STRUCTURES,a\n", "", "DATAFLOW"} {
		if Recognises([]byte(text)) {
			t.Errorf("%q is recognised", text)
		}
	}
}

// The masked and the flagged file, column by column.
func TestPublish(t *testing.T) {
	in := must.Get(ReadFrom(strings.NewReader(office), "t.csv", formats.Options{Columns: map[string]string{"freq": "N_ENT"}}))(t)
	pattern := []bool{false, true, true, false, false, false, false, true, true}
	for name, style := range map[string]formats.Style{"mask": {Secondary: "S"}, "flag": {Flag: true}} {
		in.Style = style
		var b bytes.Buffer
		must.Do(t, formats.Write(&b, in, pattern))
		tabletest.Golden(t, "testdata/"+name+".csv", b.Bytes())
	}
}

// Two periods: one is chosen, and only its lines are written.
func TestSelect(t *testing.T) {
	text := office + strings.ReplaceAll(office[strings.Index(office, "\n")+1:], "2024", "2023")
	in := must.Get(ReadFrom(strings.NewReader(text), "t.csv", formats.Options{Select: map[string]string{"TIME_PERIOD": "2023"}}))(t)
	var b bytes.Buffer
	must.Do(t, formats.Write(&b, in, nil))
	if n := strings.Count(b.String(), ",2023,"); n != in.Table.Len() || strings.Contains(b.String(), ",2024,") {
		t.Errorf("%d lines of 2023\n%s", n, b.String())
	}
}

// Every message, word for word.
func TestBadInput(t *testing.T) {
	const small = "STRUCTURE,STRUCTURE_ID,ACTION,R,TIME_PERIOD,OBS_VALUE,OBS_STATUS,CONF_STATUS\nd,X:Y(1),I,_T,2024,3,A,F\nd,X:Y(1),I,a,2024,1,A,F\nd,X:Y(1),I,b,2024,2,A,F\n"
	for _, tc := range []struct {
		name, from, to string // a change of small
		o              formats.Options
		want           string
	}{
		{name: "empty", from: small, to: "", want: "t.csv: the file is empty, want a header line"},
		{name: "UTF-16", from: small, to: "\xff\xfeS\x00,\x00", want: `t.csv:1: S,: want a header that begins with STRUCTURE (SDMX-CSV 2.0) or DATAFLOW (1.0) and a separator: comma, semicolon, tab or |`},
		{name: "other header", from: "STRUCTURE,", to: "R,", want: `t.csv:1: R,STRUCTURE_ID,ACTION,R,TIME_P… (64 bytes): want a header that begins with STRUCTURE (SDMX-CSV 2.0) or DATAFLOW (1.0) and a separator: comma, semicolon, tab or |`},
		{name: "header only", from: small, to: "STRUCTURE,R,OBS_VALUE\n", want: "t.csv: a header but no cells"},
		{name: "no dimension", from: small, to: "STRUCTURE,OBS_VALUE\nd,1\n", want: "t.csv:1: no dimension before OBS_VALUE; say --dims; the columns are STRUCTURE, OBS_VALUE"},
		{name: "no value", from: "OBS_VALUE", to: "VALUE", want: "t.csv:1: OBS_VALUE: no such column for the value; the columns are STRUCTURE, STRUCTURE_ID, ACTION, R, TIME_PERIOD, VALUE, OBS_STATUS, CONF_STATUS"},
		{name: "column twice", from: "TIME_PERIOD", to: "R", want: "t.csv:1: R: column name given twice, as columns 4 and 5"},
		{name: "column without name", from: "TIME_PERIOD", to: "", want: "t.csv:1: column 5 has no name"},
		{name: "field", from: "@", o: formats.Options{Columns: map[string]string{"status": "R"}}, want: "t.csv: --column status: SDMX-CSV has value, freq, cost, lpl, upl and spl at most; statuses are those of CONF_STATUS and OBS_STATUS"},
		{name: "fields", from: "2024,1,A,F", to: "2024,1,A", want: "t.csv:3: 7 fields: want 8, as in the header"},
		{name: "quote", from: "X:Y(1),I,a", to: "X:\"Y(1),I,a", want: "t.csv:3: a quote within a field that does not begin with one"},
		{name: "open quote", from: "X:Y(1),I,a", to: "\"X\"Y(1),I,a", want: "t.csv:3: text after a closing quote; want the separator, or two quotes for one inside"},
		{name: "not UTF-8", from: ",a,", to: ",\xe9,", want: "t.csv:3: field 4: not UTF-8, which SDMX-CSV is"},
		{name: "delete", from: "I,a", to: "D,a", want: `t.csv:3: column "ACTION": D: want I, A, R or M; a table has no lines that delete or only talk of others`},
		{name: "structure", from: "X:Y(1),I,a", to: "X:Z(1),I,a", want: `t.csv:3: column "STRUCTURE_ID": X:Z(1): another structure than X:Y(1) before; want one table a file`},
		{name: "empty code", from: "I,a", to: "I,", want: `t.csv:3: column "R": "": empty, want a code`},
		{name: "periods", from: "a,2024", to: "a,2023", want: `t.csv:3: column "TIME_PERIOD": 2023: one of 2 periods, which do not add up to a table; choose one with --select TIME_PERIOD=CODE`},
		{name: "select", from: "@", o: formats.Options{Select: map[string]string{"X": "1"}}, want: "t.csv:1: X: --select names no dimension of the file; they are R, TIME_PERIOD"},
		{name: "select nothing", from: "@", o: formats.Options{Select: map[string]string{"R": "1"}}, want: "t.csv: no line has the codes that --select names"},
		{name: "conf", from: "1,A,F", to: "1,A,E", want: `t.csv:3: column "CONF_STATUS": E: want an SDMX code: F free; C, N, A, O, T, G, M, X, P primary; D, S secondary`},
		{name: "obs", from: "1,A,F", to: "1,9,F", want: `t.csv:3: column "OBS_STATUS": 9: want an SDMX code of an observation with a value (A, B, D, E, F, G, I, J, N, P, S, U, V, W), M cannot exist, or Q suppressed`},
		{name: "missing", from: "1,A,F", to: ",O,F", want: `t.csv:3: column "OBS_STATUS": O: a missing observation; a table needs every value but those of confidential cells`},
		{name: "number", from: "1,A,F", to: "1 234,A,F", want: `t.csv:3: column "OBS_VALUE": "1 234": want a number without thousands separators; --thousands " " reads them`},
		{name: "comma", from: "1,A,F", to: "\"1,5\",A,F", want: `t.csv:3: column "OBS_VALUE": 1,5: want a decimal point; commas separate the columns of this file`},
		{name: "not additive", from: "1,A,F", to: "2,A,F", want: "t.csv:2: _T = sum over R: the parts add up to 4, the margin is 3"},
		{name: "freq", from: "1,A,F", to: "1.5,A,F", o: formats.Options{Columns: map[string]string{"freq": "OBS_VALUE"}}, want: `t.csv:3: column "OBS_VALUE": 1.5: frequencies must be whole numbers ≥ 0`},
		{name: "cell twice", from: "I,b", to: "I,a", want: "t.csv:4: a: cell given twice, first on line 3; if lines are single units and no cells, make the table with hitoku tabulate"},
	} {
		text := strings.Replace(small, tc.from, tc.to, 1)
		_, err := ReadFrom(strings.NewReader(text), "t.csv", tc.o)
		tabletest.Refused(t, tc.name, text, err, tc.want)
	}
	if _, err := formats.ReadPath("no.csv", formats.Options{}, ReadFrom); err == nil || err.Error() != "no.csv: no such file or directory" {
		t.Errorf("missing file: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(office))
	f.Add([]byte("DATAFLOW;R: Region;OBS_VALUE\nX;a: A;1,5\nX;b;\n"))
	f.Add([]byte("STRUCTURE|R|S|OBS_VALUE|OBS_STATUS\nX|a|_T|-|M\nX|_T|_T|0|A\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in *formats.Input
		var err error
		memtest.Bound(t, len(data), 32<<20, 4000, func() { in, err = ReadFrom(bytes.NewReader(data), "t.csv", formats.Options{}) })
		if err != nil {
			return
		}
		pattern := make([]bool, in.Table.Len())
		for i, st := range in.Table.Status {
			pattern[i] = st == table.Sensitive || st == table.Withheld || st == table.Safe && i%3 == 0
		}
		var b bytes.Buffer
		must.Do(t, formats.Write(&b, in, pattern))
		pub, err := ReadFrom(bytes.NewReader(b.Bytes()), "t.csv", formats.Options{})
		if err != nil {
			t.Fatalf("%v\n%q\nfrom\n%q", err, b.String(), data)
		}
		for i, x := range pattern {
			if x == pub.Table.Known(i) {
				t.Fatalf("cell %s: withheld %v\n%q\nfrom\n%q", in.Table.CellName(i), x, b.String(), data)
			}
		}
	})
}
