package px

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/tabletest"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

var codes = []string{"a,b", "x;y", "01", "1e5", "NA", "製造業", "a b", "-", "ａ", "@at", "r/s", "\\", "é", "#", "=", "(", "..", "1"}

// What is written for the office reads back with its statuses, and needs no help.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := tabletest.Table(t, codes, true)
		in := tabletest.Office(t, tab,
			func(w io.Writer) error { return Write(w, tab, formats.Style{Flag: true}) },
			func(r io.Reader) (*formats.Input, error) { return ReadFrom(r, "t.px", formats.Options{}) })
		in.Style.Symbol = rapid.SampledFrom([]string{"", "...", "x"}).Draw(t, "symbol")
		if rapid.Bool().Draw(t, "reasons") {
			in.Style.Tell = true
		}
		tabletest.Publish(t, in, in.Style.Tell, func(r io.Reader) (*formats.Input, error) {
			return ReadFrom(r, "t.px", formats.Options{Magnitude: !tab.Counts})
		})
	})
}

const small = `CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="utf-8";
LANGUAGE="en";
LANGUAGES="en","fi";
DECIMALS=0;
SHOWDECIMALS=0;
MATRIX="T1";
SUBJECT-AREA="Business"; SUBJECT-CODE="BS";
TITLE="Turnover by "
"industry and size";
CONTENTS="Turnover"; UNITS="1000 euro";
STUB="industry","year";
HEADING="size";
VALUES("industry")="All industries","Ägare","B";
VALUES[fi]("industry")="Kaikki","A","B";
VALUES("year")="2024";
TIMEVAL("year")=TLIST(A1),"2024";
CODES("industry")="T","A","B";
VALUES("size")="Total","small","large"; CODES("size")="T","S","L";
ELIMINATION("industry")="All industries";
NOTE="Cells marked .. are suppressed; see # below.";
DATA=
118 50 68
78 48 30
40 "-";38
	;
`

func read(t *testing.T, text string, o formats.Options) *formats.Input {
	t.Helper()
	return must.Get(ReadFrom(strings.NewReader(text), "t.px", o))(t)
}

func names(t *table.Table) string {
	var b strings.Builder
	for i := range t.Len() {
		v := "?"
		if t.Known(i) {
			v = table.FormatDecimal(t.Value[i], t.Decimals)
		}
		b.WriteString(t.CellName(i) + "=" + v + t.Status[i].String() + " ")
	}
	return b.String()
}

func TestRead(t *testing.T) {
	fixed := strings.Replace(small, `40 "-";38`, `40 "-",40`, 1)
	fixed = strings.Replace(fixed, "78 48 30", "78 50 28", 1)
	in := read(t, fixed, formats.Options{})
	want := "T/T=118s T/S=50s T/L=68s A/T=78s A/S=50s A/L=28s B/T=40s B/S=0z B/L=40s "
	if got := names(in.Table); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !in.Table.Counts {
		t.Error("DECIMALS=0 is not read as counts")
	}
	if read(t, fixed, formats.Options{Magnitude: true}).Table.Counts {
		t.Error("--magnitude is read as counts")
	}
	// Line ends and byte order mark stay.
	crlf := "\ufeff" + strings.ReplaceAll(fixed, "\n", "\r\n")
	in = read(t, crlf, formats.Options{})
	in.Table.Status[1], in.HasStatus = table.Sensitive, true
	var b bytes.Buffer
	must.Do(t, formats.Write(&b, in, nil))
	if s := b.String(); !strings.HasPrefix(s, "\ufeffCHARSET") || strings.Count(s, "\n") != strings.Count(s, "\r\n") || !strings.Contains(s, "=\"C\";\r\nDATA=") {
		t.Errorf("written back\n%q", s)
	}
	// In Windows-1252 and Shift_JIS the same, and written back in that.
	for _, enc := range []string{"windows-1252", "shift_jis", "iso-8859-1"} {
		text := strings.Replace(fixed, `CODEPAGE="utf-8"`, `CODEPAGE="`+enc+`"`, 1)
		raw := []byte(strings.ReplaceAll(text, "Ä", "\xc4"))
		if enc == "shift_jis" {
			raw = []byte(strings.ReplaceAll(text, "Ä", "\x8e\xd2"))
		}
		in := must.Get(ReadFrom(bytes.NewReader(raw), "t.px", formats.Options{}))(t)
		if got := names(in.Table); got != want {
			t.Errorf("%s: %s", enc, got)
		}
		var b bytes.Buffer
		if err := formats.Write(&b, in, nil); err != nil || !bytes.Equal(b.Bytes(), raw) {
			t.Errorf("%s: %v, written back\n%q", enc, err, b.String())
		}
	}
}

// The published file is the file with dots, and nothing else changed.
func TestPublish(t *testing.T) {
	text := strings.NewReplacer(`40 "-";38`, `40 "-";40`, "78 48 30", "78 50 28").Replace(small)
	in := read(t, text, formats.Options{})
	pattern := []bool{false, true, true, false, true, true, false, false, false}
	for name, tc := range map[string]struct {
		style formats.Style
		want  *strings.Replacer
	}{
		"default":   {formats.Style{}, strings.NewReplacer("118 50 68", `118 ".." ".."`, "78 50 28", `78 ".." ".."`)},
		"four dots": {formats.Style{Symbol: "...."}, strings.NewReplacer("118 50 68", `118 "...." "...."`, "78 50 28", `78 "...." "...."`)},
		"symbol":    {formats.Style{Symbol: "x"}, strings.NewReplacer("118 50 68", `118 ".." ".."`, "78 50 28", `78 ".." ".."`, "DATA=", "DATASYMBOL2=\"x\";\nDATA=")},
		"reasons": {formats.Style{Tell: true, Secondary: "S"}, strings.NewReplacer("118 50 68", `118 ".." ".."`, "78 50 28", `78 ".." ".."`, "DATA=",
			"NOTE=\"Marks next to cells are codes of SDMX CL_CONF_STATUS.\";\n"+
				"DATANOTECELL(\"All industries\",\"2024\",\"small\")=\"S\";\nDATANOTECELL(\"All industries\",\"2024\",\"large\")=\"S\";\n"+
				"DATANOTECELL(\"Ägare\",\"2024\",\"small\")=\"S\";\nDATANOTECELL(\"Ägare\",\"2024\",\"large\")=\"S\";\nDATA=")},
	} {
		in.Style = tc.style
		var b bytes.Buffer
		must.Do(t, formats.Write(&b, in, pattern))
		if d := cmp.Diff(tc.want.Replace(text), b.String()); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

const minimal = "STUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"Total\",\"a\";\nVALUES(\"c\")=\"Total\",\"b\";\nDATA=\n1 1\n1 1;\n"

func TestTrees(t *testing.T) {
	text := "HEADING=\"r\";VALUES(\"r\")=\"All\",\"North\",\"n1\",\"n2\",\"South\";CODES(\"r\")=\"T\",\"N\",\"1\",\"2\",\"S\";\n" +
		"HIERARCHIES(\"r\")=\"All\",\"T\":\"N\",\"N\":\"1\",\"N\":\"2\",\"All\":\"South\";\nDATA=\n7 3 1 2 4;\n"
	in := read(t, text, formats.Options{})
	if got, want := in.Table.RelationName(1).String(), "N = sum over r"; got != want || in.Table.Rel.Len() != 2 {
		t.Errorf("relation 1 is %q, want %q of 2", got, want)
	}
	// Sparse data, one period of several, dots of a house.
	text = "STUB=\"r\",\"t\";HEADING=\"c\";VALUES(\"r\")=\"Total\",\"a\",\"b\",\"z\";VALUES(\"t\")=\"2023\",\"2024\";TIMEVAL(\"t\")=TLIST(A1);\n" +
		"VALUES(\"c\")=\"Total\",\"d\",\"e\";KEYS(\"r\")=VALUES;KEYS(\"t\")=VALUES;DECIMALS=1;\n" +
		"DATA=\n\"Total\",\"2023\",1 1 0\n\"Total\",\"2024\",5.5 5.5 \".\"\n\"a\",\"2024\",2 2 \".\"\n\"b\",\"2024\",\"...\" \"...\" \".\"\n;"
	in = read(t, text, formats.Options{Select: map[string]string{"t": "2024"}, Nil: []string{"."}, Withheld: []string{"..."}})
	if got, want := names(in.Table), "Total/Total=5.5s Total/d=5.5s Total/e=0z a/Total=2s a/d=2s a/e=0z b/Total=?m b/d=?m b/e=0z "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var b bytes.Buffer
	must.Do(t, formats.Write(&b, in, nil))
	again := read(t, b.String(), formats.Options{})
	if d := cmp.Diff(tabletest.Cells(in.Table, true), tabletest.Cells(again.Table, true)); d != "" {
		t.Errorf("selected part changed\n%s", d)
	}
}

// Every message, word for word.
func TestBadInput(t *testing.T) {
	for _, tc := range []struct {
		name, from, to string // a change of minimal
		o              formats.Options
		want           string
	}{
		{name: "empty", from: minimal, to: " \n", want: "t.px: the file is empty, want PX statements"},
		{name: "UTF-16", from: minimal, to: "\xff\xfeS\x00", o: formats.Options{Encoding: "cp932"}, want: "t.px: starts with the byte order mark of UTF-16, but the encoding chosen is cp932"},
		{name: "NUL", from: "1 1;", to: "1 \x00;", want: "t.px:7: NUL byte: want text; a binary file, or UTF-16 without its byte order mark?"},
		{name: "invalid UTF-8", from: "STUB", to: "CODEPAGE=\"utf-8\";\nNOTE=\"\xe9\";\nSTUB", want: "t.px:2: byte 0xE9: not UTF-8; CODEPAGE names the encoding, and --encoding cp932 replaces it"},
		{name: "no encoding", from: "STUB", to: "NOTE=\"\xe9\";\nSTUB", want: "t.px: neither UTF-8, nor does CODEPAGE or CHARSET say what; say --encoding cp932 if it is that"},
		{name: "unknown encoding", from: "STUB", to: "CODEPAGE=\"klingon\";\nSTUB", want: "t.px: CODEPAGE klingon: not a known encoding; want utf-8, windows-1252, shift_jis, …"},
		{name: "no data", from: "DATA=\n1 1\n1 1;\n", to: "", want: "t.px:5: the file ends without DATA"},
		{name: "no keyword", from: "STUB=", to: ";;=", want: `t.px:1: ";;=\"r\";": want a keyword`},
		{name: "no equals", from: "STUB=", to: "STUB ", want: "t.px:1: STUB: want = behind the keyword"},
		{name: "open quote", from: "1 1;", to: "1 \"1;", want: `t.px:7: "\"1;": the quote opened here is not closed`},
		{name: "quote too many", from: "DATA", to: "CONTACT=\"A\"B\";\nNOTE=\"c\";DATA", want: `t.px:6: "\";DATA=": the quote opened here is not closed; the text that goes on over the end of line 5 may have a quote too many or too few`},
		{name: "no semicolon", from: minimal, to: "STUB=\"r\"\nHEADING", want: "t.px:1: STUB: the statement has no ; at its end"},
		{name: "bad arguments", from: "VALUES(\"r\")", to: "VALUES(r)", want: "t.px:3: VALUES: want texts in quotes between ( and )"},
		{name: "bad language", from: "VALUES(\"r\")", to: "VALUES[en\n(\"r\")", want: "t.px:3: VALUES: want ] behind the language"},
		{name: "no variables", from: "STUB=\"r\";\nHEADING=\"c\";\n", to: "", want: "t.px: no STUB and no HEADING, want one of them with variables"},
		{name: "variable twice", from: "HEADING=\"c\"", to: "HEADING=\"r\"", want: "t.px:2: HEADING: the variable r stands in STUB and HEADING twice"},
		{name: "unknown variable", from: "VALUES(\"r\")", to: "VALUES(\"R\")", want: `t.px:3: "VALUES(\"R\")": not a variable of STUB or HEADING; they are r, c`},
		{name: "no values", from: "VALUES(\"r\")=\"Total\",\"a\";\n", to: "", want: `t.px:1: "VALUES(\"r\")": missing or empty, want the values of every variable`},
		{name: "codes and values", from: "DATA", to: "CODES(\"r\")=\"T\";DATA", want: `t.px:3: "CODES(\"r\")": 1 codes for 2 values`},
		{name: "code twice", from: "\"Total\",\"a\"", to: "\"a\",\"a\"", want: `t.px:3: "VALUES(\"r\")": code a given twice, as values 1 and 2`},
		{name: "empty code", from: "\"Total\",\"a\"", to: "\"Total\",\" \"", want: `t.px:3: "VALUES(\"r\")": value 2 is empty, want a code`},
		{name: "keys of the heading", from: "DATA", to: "KEYS(\"c\")=CODES;DATA", want: `t.px:4: "KEYS(\"c\")": not a variable of the stub`},
		{name: "unknown keys", from: "DATA", to: "KEYS(\"r\")=YES;DATA", want: `t.px:5: "KEYS(\"r\")": want CODES or VALUES`},
		{name: "key of no row", from: "DATA", to: "KEYS(\"r\")=CODES;DATA", want: `t.px:6: column "r": 1: not a code of the variable; want the key of a row`},
		{name: "row twice", from: "DATA=\n1 1\n1 1", to: "KEYS(\"r\")=CODES;DATA=\na 1 1\na 1 1", want: "t.px:7: row given twice, first on line 6"},
		{name: "too few", from: "1 1;", to: "1;", want: "t.px:8: the data end at a/b; want 4 numbers, 2 a row"},
		{name: "too many", from: "1 1;", to: "1 1 2;", want: "t.px:7: 2: data behind the last of the 4 cells; do VALUES leave out one?"},
		{name: "word", from: "1 1;", to: "1 many;", want: `t.px:7: column "a/b": many: want a decimal number`},
		{name: "quoted number", from: "1 1;", to: "1 \"1\";", want: `t.px:7: column "a/b": 1: want a number without quotes`},
		{name: "dots of another house", from: "1 1;", to: "1 \"...\";", o: formats.Options{Withheld: []string{".."}}, want: `t.px:7: column "a/b": ...: want a number, or a mark for withheld values (..) or structural zeros (-, －, –)`},
		{name: "fraction", from: "1 1;", to: "1 1.5;", want: `t.px:7: column "a/b": 1.5: not whole, but the table has DECIMALS=0 and is taken for counts; say --magnitude if these are amounts`},
		{name: "negative", from: "1 1;", to: "1 -1;", want: `t.px:7: column "a/b": -1: negative, but the table has DECIMALS=0 and is taken for counts; say --magnitude if these are amounts`},
		{name: "not additive", from: "1 1;", to: "1 2;", want: "t.px:6: Total/b = sum over r: the parts add up to 2, the margin is 1, exactly 2 times; if the codes of r form a tree, say --hierarchy r=FILE"},
		{name: "other total", from: "\"Total\",\"a\"", to: "\"Sum\",\"a\"", want: `t.px:3: column "r": Sum: looks like a total, but no line has the total code Total; say --total Sum, or --total r=Total if it is an ordinary code`},
		{name: "periods", from: "DATA", to: "TIMEVAL(\"r\")=TLIST(A1);DATA", want: "t.px:3: r: holds 2 periods, which do not add up to a table; choose one with --select r=CODE, or say --from layout to read all; the codes are Total, a"},
		{name: "select", from: "@", o: formats.Options{Select: map[string]string{"x": "1"}}, want: "t.px: x: --select names no variable of the file; they are r, c"},
		{name: "select code", from: "@", o: formats.Options{Select: map[string]string{"r": "1"}}, want: "t.px:3: 1: --select: not a value of r; they are Total, a"},
		{name: "total of no variable", from: "@", o: formats.Options{Totals: map[string]string{"x": "1"}}, want: "t.px: x: a total code for a variable that the file does not have"},
		{name: "tree without root", from: "DATA", to: "HIERARCHIES(\"r\")=\"Total\":\"a\";DATA", want: `t.px:5: "HIERARCHIES(\"r\")": no root, want "root","parent":"child",…`},
		{name: "tree without a value", from: "DATA", to: "HIERARCHIES(\"r\")=\"Total\";DATA", want: `t.px:5: "HIERARCHIES(\"r\")": the value a stands in no pair`},
		{name: "two roots", from: "DATA", to: "HIERARCHIES(\"r\")=\"Total\",\"a\";DATA", want: `t.px:5: "HIERARCHIES(\"r\")": two roots, Total and a`},
		{name: "cycle", from: "DATA", to: "HIERARCHIES(\"r\")=\"Total\",\"a\":\"a\";DATA", want: "t.px:5: \"HIERARCHIES(\\\"r\\\")\": hierarchy of \"r\": code \"a\": cycle a → a"},
		{name: "status", from: "DATA", to: "NOTE=\"CL_CONF_STATUS\";DATANOTECELL(\"a\",\"b\")=\"secret\";DATA", want: "t.px:5: secret: want an SDMX code: F free; C, N, A, O, T, G, M, X, P primary; D, S secondary"},
		{name: "status of many", from: "DATA", to: "NOTE=\"CL_CONF_STATUS\";DATANOTECELL(\"*\",\"b\")=\"C\";DATA", want: "t.px:5: *: not a value of r; a mark that is a status names one cell"},
	} {
		text := strings.Replace(minimal, tc.from, tc.to, 1)
		_, err := ReadFrom(strings.NewReader(text), "t.px", tc.o)
		tabletest.Refused(t, tc.name, text, err, tc.want)
	}
	if _, err := formats.ReadPath("no.px", formats.Options{}, ReadFrom); err == nil || err.Error() != "no.px: no such file or directory" {
		t.Errorf("missing file: %v", err)
	}
}

func TestGolden(t *testing.T) {
	d := must.Get(table.NewDimension("地域", "Total", []table.Edge{{Code: "北", Parent: "Total"}, {Code: "1", Parent: "北"}, {Code: "2", Parent: "北"}, {Code: "南", Parent: "Total"}}))(t)
	e := must.Get(table.FlatDimension("size", "Total", []string{"S", "L"}))(t)
	var recs []table.Record
	for i, c := range [][]string{{"1", "S"}, {"1", "L"}, {"2", "L"}, {"南", "S"}} {
		recs = append(recs, table.Record{Line: i + 1, Codes: c, Value: table.Num(int64(7*i+15), 1), Status: []table.Status{table.Sensitive, table.Safe, table.Withheld, table.Safe}[i]})
	}
	tab := must.Get(table.Build("売上", []table.Dimension{d, e}, recs, false))(t)
	for name, style := range map[string]formats.Style{"flag": {Flag: true}, "mask": {Symbol: "X"}} {
		var b bytes.Buffer
		must.Do(t, Write(&b, tab, style))
		tabletest.Golden(t, "testdata/"+name+".px", b.Bytes())
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(minimal))
	f.Add([]byte(strings.Replace(minimal, `VALUES("c")="Total"`, `VALUES("c")="To\x1fal"`, 1))) // no column of totals
	f.Add([]byte(strings.Replace(minimal, "DATA=\n", "KEYS(\"r\")=CODES;HIERARCHIES(\"r\")=\"Total\",\"Total\":\"a\";DATA=Total ", 1)))
	f.Add([]byte(strings.Replace(minimal, "DATA=\n1 1", "NOTE=\"CL_CONF_STATUS\";DATANOTECELL(\"a\",\"b\")=\"C\";DATA=\n1 \"..\"", 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in *formats.Input
		var err error
		memtest.Bound(t, len(data), 32<<20, 4000, func() { in, err = ReadFrom(bytes.NewReader(data), "t.px", formats.Options{}) })
		if err != nil {
			return
		}
		pattern, computed := make([]bool, in.Table.Len()), false
		for i, st := range in.Table.Status {
			computed = computed || in.Line(i) == 0
			pattern[i] = st == table.Sensitive || st == table.Withheld || st == table.Safe && i%3 == 0
		}
		var b bytes.Buffer
		if err := formats.Write(&b, in, pattern); err != nil {
			return // the file's encoding may lack a mark
		}
		pub, err := ReadFrom(bytes.NewReader(b.Bytes()), "t.px", formats.Options{Magnitude: !in.Table.Counts})
		if err != nil && computed {
			return // a total that the file lacks cannot be computed of withheld cells
		}
		if err != nil {
			t.Fatalf("%v\n%q\nfrom\n%q", err, b.String(), data)
		}
		for i, x := range pattern[:min(len(pattern), pub.Table.Len())] {
			if x && pub.Table.Known(i) {
				if pub.Table.CellName(i) == in.Table.CellName(i) && i < len(in.Table.Status) && in.Line(i) > 0 {
					t.Fatalf("cell %s is still there\n%q", in.Table.CellName(i), b.String())
				}
			}
		}
	})
}

// Texts of values are labels of their codes, and are values again in a PX file written anew.
func TestLabels(t *testing.T) {
	const text = `CHARSET="ANSI";AXIS-VERSION="2013";CODEPAGE="utf-8";TITLE="t";DECIMALS=0;UNITS="number";STUB="area";HEADING="sex";
VALUES("area")="All","North","South";CODES("area")="T","01","02";ELIMINATION("area")="All";
VALUES("sex")="both","men","women";CODES("sex")="T","M","F";ELIMINATION("sex")="both";
DATA=10 6 4 5 3 2 5 3 2;
`
	in := must.Get(ReadFrom(strings.NewReader(text), "t.px", formats.Options{}))(t)
	var b bytes.Buffer
	must.Do(t, Write(&b, in.Table, formats.Style{Flag: true}))
	again := must.Get(ReadFrom(&b, "t.px", formats.Options{}))(t)
	for _, x := range []*formats.Input{in, again} {
		var shown []string
		for d := range x.Table.Dims {
			_, s := x.Table.Dims[d].Shown("")
			shown = append(shown, s...)
		}
		if got, want := strings.Join(shown, "|"), "01 North|02 South|T All|M men|F women|T both"; got != want {
			t.Errorf("shown %s, want %s", got, want)
		}
	}
}
