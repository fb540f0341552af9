package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/tabletest"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

var codes = []string{"a,b", `"q"`, "x;y", "01", "1e5", "NA", "製造業", "a b", "-", "ａ", "3-4", "\\", "é", "<&>", "=A1", "2024", "\t"}

// What is written for the office reads back with statuses, codes as text; what is
// published has no withheld value.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		tab := tabletest.Table(t, codes[:len(codes)-1], true)
		o := tabletest.Trees(t, dir, tab)
		var b bytes.Buffer
		if err := Write(&b, tab, formats.Style{Flag: true}); err != nil {
			t.Fatal(err)
		}
		first := bytes.Clone(b.Bytes())
		in, err := ReadFrom(&b, "t.xlsx", o)
		if err != nil {
			t.Fatalf("%v\n%v", err, sheets(first))
		}
		if d := cmp.Diff(tabletest.Cells(tab, true), tabletest.Cells(in.Table, true)); d != "" {
			t.Fatalf("table changed (-written +read)\n%s\n%v", d, sheets(first))
		}
		b.Reset()
		if err := formats.Write(&b, in, nil); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(sheets(first), sheets(b.Bytes())); d != "" {
			t.Fatalf("written again\n%s", d)
		}
		pattern := make([]bool, in.Table.Len())
		for i, st := range in.Table.Status {
			pattern[i] = st == table.Sensitive || st == table.Withheld || st == table.Safe && rapid.Bool().Draw(t, "withheld")
		}
		in.Uniform = rapid.Bool().Draw(t, "uniform")
		in.Style.Symbol = rapid.SampledFrom([]string{"", "X"}).Draw(t, "symbol")
		b.Reset()
		if err := formats.Write(&b, in, pattern); err != nil {
			t.Fatal(err)
		}
		checkPublished(t, b.Bytes(), in, o, pattern)
	})
}

func checkPublished(t interface{ Fatalf(string, ...any) }, raw []byte, in *formats.Input, o formats.Options, pattern []bool) {
	pub, err := ReadFrom(bytes.NewReader(raw), "t.xlsx", o)
	if err != nil {
		t.Fatalf("%v\n%v", err, sheets(raw))
	}
	for i, x := range pattern {
		if pub.Table.Known(i) == x {
			t.Fatalf("cell %s: withheld %v, read back %v\n%v", in.Table.CellName(i), x, pub.Table.Known(i), sheets(raw))
		}
		told := x && in.Table.Status[i] == table.Sensitive && !in.Uniform
		if (pub.Table.Status[i] == table.Sensitive) != told {
			t.Fatalf("cell %s: status %s\n%v", in.Table.CellName(i), pub.Table.Status[i], sheets(raw))
		}
	}
}

// sheets returns the texts of a workbook.
func sheets(raw []byte) map[string][][]string {
	f, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		return map[string][][]string{"error": {{err.Error()}}}
	}
	defer f.Close()
	m := map[string][][]string{}
	for _, s := range f.GetSheetList() {
		m[s], _ = f.GetRows(s)
	}
	return m
}

// workbook makes a file of sheets, named by every first element, of rows.
func workbook(t *testing.T, change func(*excelize.File), all ...[][]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	for n, sheet := range all {
		name := sheet[0][0].(string)
		if n == 0 {
			f.SetSheetName("Sheet1", name)
		} else if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for r, row := range sheet[1:] {
			at, _ := excelize.CoordinatesToCellName(1, r+1)
			must.Do(t, f.SetSheetRow(name, at, &row))
		}
	}
	if change != nil {
		change(f)
	}
	var b bytes.Buffer
	must.Do(t, f.Write(&b))
	return b.Bytes()
}

var cross = [][]any{{"表"}, {"産業\\規模", "小", "大", "Total"}, {"01", 1, 11, 12}, {"02", 8, "-", 8}, {"Total", 9, 11, 20}}

// A cross-tab stays one; its statuses stand in a matrix of the same shape.
func TestCrossTab(t *testing.T) {
	raw := workbook(t, nil, cross, [][]any{{"Status"}, {"", "小", "大"}, {"01", "u", nil}, {"02", "", "s"}})
	in := must.Get(ReadFrom(bytes.NewReader(raw), "t.xlsx", formats.Options{}))(t)
	if in.Layout != formats.CrossTab || !in.Table.Counts || in.Table.Status[0] != table.Sensitive {
		t.Errorf("layout %s, counts %v, status %s", in.Layout, in.Table.Counts, in.Table.Status[0])
	}
	in.Table.Status[4] = table.Published // the dash
	pattern := []bool{true, true, false, true, false, false, true, true, false}
	for name, want := range map[string]map[string][][]string{
		"mask": {"values": {{"産業\\規模", "小", "大", "Total"}, {"01", "X", "X", "12"}, {"02", "X", "-", "8"}, {"Total", "X", "X", "20"}},
			"status": {{"産業\\規模", "小", "大", "Total"}, {"01", "u", "m", "s"}, {"02", "m", "z", "s"}, {"Total", "m", "m", "s"}}},
		"flag": {"values": {{"産業\\規模", "小", "大", "Total"}, {"01", "1", "11", "12"}, {"02", "8", "-", "8"}, {"Total", "9", "11", "20"}},
			"status": {{"産業\\規模", "小", "大", "Total"}, {"01", "u", "m", "s"}, {"02", "m", "z", "s"}, {"Total", "m", "m", "s"}}},
	} {
		in.Style = formats.Style{Symbol: "X", Flag: name == "flag"}
		var b, again bytes.Buffer
		must.Do(t, formats.Write(&b, in, pattern))
		if d := cmp.Diff(want, sheets(b.Bytes())); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
		if err := formats.Write(&again, in, pattern); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%s: written twice, two different files (%v)", name, err)
		}
		if name == "mask" {
			checkPublished(t, b.Bytes(), in, formats.Options{}, pattern)
		}
	}
}

// Codes stay text, and numbers are those that Excel shows.
func TestTypes(t *testing.T) {
	raw := workbook(t, nil, [][]any{{"t"}, {"R", "value", "note"}, {"01", 0.1, "007"}, {"1E5", 0.2, "1E5"}, {"3-4", 0.0001, nil}, {2024, 12345678901234, "3-4"}, {"x", "1.50", "a"}})
	raw = bytes.Clone(raw)
	in := must.Get(ReadFrom(bytes.NewReader(raw), "t.xlsx", formats.Options{Dims: []string{"R"}}))(t)
	var got []string
	for i := range in.Table.Len() {
		got = append(got, in.Table.CellName(i)+"="+table.FormatDecimal(in.Table.Value[i], in.Table.Decimals))
	}
	if d := cmp.Diff([]string{"01=0.1", "1E5=0.2", "3-4=0.0001", "2024=12345678901234", "x=1.5", "Total=12345678901235.8001"}, got); d != "" {
		t.Error(d)
	}
	for _, tc := range []struct{ raw, want string }{
		{"0.10000000000000001", "0.1"}, {"1.1000000000000001", "1.1"}, {"0.30000000000000004", "0.3"}, {"1E5", "100000"}, {"1.0000000000000001E-5", "0.00001"},
		{"123456789012345678", "123456789012345678"}, {"-2.5", "-2.5"}, {"100", "100"},
	} {
		var v float64
		fmt.Sscan(tc.raw, &v)
		if got := decimal(tc.raw, v); got != tc.want {
			t.Errorf("%s is shown as %s, want %s", tc.raw, got, tc.want)
		}
	}
	// Written, they are text where they were.
	var b bytes.Buffer
	in.Table.Status[0] = table.Sensitive
	if err := formats.Write(&b, in, nil); err == nil || err.Error() != "table t: 12345678901235.8001: Excel keeps 15 digits of a number; write CSV" {
		t.Errorf("many digits: %v", err)
	}
	if number, _ := isNumber("007"); number {
		t.Error("007 is written as a number")
	}
}

// Every message, word for word.
func TestBadInput(t *testing.T) {
	small := [][]any{{"t"}, {"R", "value"}, {"a", 1}, {"b", 2}}
	dated := func(format int) func(*excelize.File) {
		return func(f *excelize.File) {
			id, _ := f.NewStyle(&excelize.Style{NumFmt: format})
			f.SetCellStyle("t", "A2", "A2", id)
			f.SetCellValue("t", "A2", 45000)
		}
	}
	for _, tc := range []struct {
		name string
		raw  []byte
		o    formats.Options
		want string
	}{
		{name: "empty", want: "t.xlsx: the file is empty, want an XLSX workbook"},
		{name: "CSV", raw: []byte("R,value\n"), want: "t.xlsx: not an XLSX workbook"},
		{name: "old", raw: []byte("\xd0\xcf\x11\xe0"), want: "t.xlsx: an old .xls workbook, or one with a password; save it as .xlsx without one"},
		{name: "zip", raw: []byte("PK\x03\x04...."), want: "t.xlsx: not a workbook that can be opened: zip: not a valid zip file"},
		{name: "empty sheet", raw: workbook(t, nil, [][]any{{"t"}}), want: "t.xlsx: the file is empty, want a header line"},
		{name: "several sheets", raw: workbook(t, nil, small, [][]any{{"u"}}), want: "t.xlsx: 2 sheets and none called values; say --sheet; they are t, u"},
		{name: "no such sheet", raw: workbook(t, nil, small), o: formats.Options{Sheet: "x"}, want: "t.xlsx: x: no such sheet; the sheets are t"},
		{name: "number", raw: workbook(t, nil, append(small[:3:3], []any{"b", "many"})), want: `t.xlsx:3: column "value": many: want a decimal number`},
		{name: "error", raw: workbook(t, nil, append(small[:3:3], []any{"b", "#REF!"})), want: `t.xlsx:3: column "value": #REF!: want a decimal number`},
		{name: "long row", raw: workbook(t, nil, append(small[:3:3], []any{"b", 2, "x"})), want: "t.xlsx:3: 3 fields: want 2, as in the header"},
		{name: "formula", raw: workbook(t, func(f *excelize.File) {
			f.SetCellFormula("t", "B3", "1+1")
			f.SetCellValue("t", "B3", nil)
			f.SetCellFormula("t", "B3", "OFFSET(A1,1,1)")
		}, small), want: "t.xlsx: t!B3: the formula =OFFSET(A1,1,1) has no stored result, and is not calculated here: it is more than sums, differences, products, quotients, rounding and comparisons; open the workbook in a spreadsheet program and save it"},
		{name: "merged", raw: workbook(t, func(f *excelize.File) { f.MergeCell("t", "A2", "A3") }, small), want: "t.xlsx:2: A2:A3: merged cells; want one datum a cell"},
		{name: "line break", raw: workbook(t, nil, append(small[:3:3], []any{"b\nc", 2})), want: "t.xlsx:3: cell A3: a line break within a cell"},
		{name: "date", raw: workbook(t, dated(14), small), want: "t.xlsx:2: cell A2: a date, which Excel may have made of a code; format the cell as text and write the code anew"},
		{name: "Japanese date", raw: workbook(t, dated(31), small), want: "t.xlsx:2: cell A2: a date, which Excel may have made of a code; format the cell as text and write the code anew"},
		{name: "status of no cell", raw: workbook(t, nil, small, [][]any{{"status"}, {"R", "status"}, {"c", "u"}}), want: `t.xlsx:2: column "status": c: sheet status: no such cell among the values`},
		{name: "status", raw: workbook(t, nil, small, [][]any{{"status"}, {"R", "status"}, {"b", "?"}}), want: `t.xlsx:2: column "status": ?: sheet status: want s, u, z or m (or S, U, P, M, E of τ-ARGUS; F, C, N, D of SDMX, all of its codes in a column CONF_STATUS or OBS_STATUS)`},
		{name: "statuses", raw: workbook(t, nil, small, [][]any{{"status"}, {"R"}, {"b", "?"}}), want: "t.xlsx:1: sheet status: want the columns of the dimensions and status"},
		{name: "no statuses", raw: workbook(t, nil, small, [][]any{{"status"}}), want: "t.xlsx: sheet status: empty, want statuses"},
		{name: "not additive", raw: workbook(t, nil, append(small, []any{"Total", 4})), want: "t.xlsx:4: Total = sum over R: the parts add up to 3, the margin is 4"},
	} {
		_, err := ReadFrom(bytes.NewReader(tc.raw), "t.xlsx", tc.o)
		if err == nil {
			t.Errorf("%s: no error", tc.name)
		} else if got := err.Error(); got != tc.want {
			t.Errorf("%s\ngot  %s\nwant %s", tc.name, got, tc.want)
		}
	}
	if _, err := formats.ReadPath("no.xlsx", formats.Options{}, ReadFrom); err == nil || err.Error() != "no.xlsx: no such file or directory" {
		t.Errorf("missing file: %v", err)
	}
	many := workbook(t, nil, append(small, []any{"c", strings.Repeat("9", 17)}))
	in := must.Get(ReadFrom(bytes.NewReader(many), "t.xlsx", formats.Options{}))(t)
	if err := formats.Write(&bytes.Buffer{}, in, nil); err == nil || err.Error() != "table t: 99999999999999999: Excel keeps 15 digits of a number; write CSV" {
		t.Errorf("17 digits: %v", err)
	}
}

// The parts of a workbook are fuzzed, as mutated archives would fail their checksums.
func FuzzRead(f *testing.F) {
	var t testing.T
	raw := workbook(&t, nil, cross, [][]any{{"status"}, {"", "小"}, {"01", "u"}})
	const sheet, words = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
	part := func(name string) (text []byte) {
		replace(&t, raw, func(n string, b []byte) []byte {
			if n == name {
				text = b
			}
			return b
		})
		return text
	}
	f.Add(part(sheet), part(words))
	f.Add([]byte(`<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>R</t></is></c><c r="B1" t="str"><v>value</v></c></row>`+
		`<row r="3"><c r="A3" s="1"><v>1E2</v></c><c r="B3"><f>1+1</f><v>2.5</v></c></row></sheetData></worksheet>`), []byte("<sst/>"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		data := replace(t, raw, func(n string, old []byte) []byte {
			switch n {
			case sheet:
				return a
			case words:
				return b
			}
			return old
		})
		var in *formats.Input
		var err error
		// The free part is what cells left out may take.
		memtest.Bound(t, len(data), 512<<20, 4000, func() {
			in, err = ReadFrom(bytes.NewReader(data), "t.xlsx", formats.Options{Sheet: "表"})
		})
		if err != nil {
			return
		}
		pattern := make([]bool, in.Table.Len())
		for i, st := range in.Table.Status {
			pattern[i] = st == table.Sensitive || st == table.Withheld || st == table.Safe && i%3 == 0
		}
		var out bytes.Buffer
		if err := formats.Write(&out, in, pattern); err != nil {
			return // more digits than Excel keeps
		}
		pub, err := ReadFrom(bytes.NewReader(out.Bytes()), "t.xlsx", formats.Options{})
		if err != nil {
			t.Fatalf("%v\n%v", err, sheets(out.Bytes()))
		}
		for i, x := range pattern {
			if pub.Table.Known(i) == x {
				t.Fatalf("cell %s: withheld %v\n%v", in.Table.CellName(i), x, sheets(out.Bytes()))
			}
		}
	})
}

// replace rewrites the parts of a workbook.
func replace(t *testing.T, raw []byte, by func(name string, part []byte) []byte) []byte {
	r := must.Get(zip.NewReader(bytes.NewReader(raw), int64(len(raw))))(t)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range r.File {
		from := must.Get(part.Open())(t)
		old := must.Get(io.ReadAll(from))(t)
		to, err := z.CreateHeader(&zip.FileHeader{Name: part.Name, Method: zip.Store}) // quick
		if err != nil {
			t.Fatal(err)
		}
		to.Write(by(part.Name, old))
	}
	z.Close()
	return b.Bytes()
}

// An empty cell without a valid address, as a library writes it behind the last column, is none; one that holds something is a fault, which is told.
func TestCellNowhere(t *testing.T) {
	t.Parallel()
	for xml, good := range map[string]bool{`<c r="FALSE3" s="0"/>`: true, `<c r="FALSE3"><v>1</v></c>`: false, `<c r="FALSE3"><f>B3</f></c>`: false, `<c r="FALSE3" t="inlineStr"><is><t>a</t></is></c>`: false} {
		p := newPlanted(t)
		p.change(tablePart, `</c></row><row r="4">`, `</c>`+xml+`</row><row r="4">`)
		src := p.book()
		w, err := Open(bytes.NewReader(src), "t.xlsx")
		if (err == nil) != good {
			t.Fatalf("%s: %v", xml, err)
		}
		if !good {
			continue
		}
		if n := len(w.Sheets[0].Cells); n != 21 {
			t.Errorf("%d cells", n)
		}
		withheld, published := leakCells()
		var out bytes.Buffer
		if _, err := Copy(&out, "t.xlsx", src, withheld, CopyOptions{Mark: "X", Published: published}); err != nil {
			t.Error(err)
		}
		if _, err := Open(bytes.NewReader(out.Bytes()), "t.xlsx"); err != nil {
			t.Error(err)
		}
	}
}
