package xlsx

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// sheetOf is a workbook whose only sheet, called t, has these rows.
func sheetOf(t *testing.T, rows, words string) []byte {
	t.Helper()
	return replace(t, workbook(t, nil, [][]any{{"t"}, {"R", "value"}}), func(name string, part []byte) []byte {
		switch name {
		case "xl/worksheets/sheet1.xml":
			return []byte(`<worksheet xmlns="x"><sheetData>` + rows + `</sheetData></worksheet>`)
		case "xl/sharedStrings.xml":
			return []byte("<sst>" + words + "</sst>")
		}
		return part
	})
}

// What other programs write: runs of text, readings beside Japanese words, escaped characters,
// places left out, rows left out, truth values, text of formulas.
func TestSheets(t *testing.T) {
	words := `<si><r><t>re</t></r><r><rPr/><t>gion</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>a_x002D_b_x5F_</t></si>`
	raw := sheetOf(t, `<row><c t="s"><v>0</v></c><c t="str"><f>"value"</f><v>value</v></c></row>`+
		`<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4"><v>1.50</v></c></row>`+
		`<row r="5"><c r="A5" t="s"><v>2</v></c><c r="B5"><v>2</v></c><c r="C5"/></row>`+
		`<row r="6"><c r="A6" t="b"><v>1</v></c><c r="B6"><f>1+2</f><v>3</v></c></row>`+
		`<row r="7"><c r="A7" t="inlineStr"><is><t>大阪</t><rPh><t>オオサカ</t></rPh></is></c><c r="B7"><v>4.0000000000000001E0</v></c></row>`, words)
	in := must.Get(ReadFrom(bytes.NewReader(raw), "t.xlsx", formats.Options{}))(t)
	var got []string
	for i := range in.Table.Len() {
		got = append(got, in.Table.CellName(i)+"="+table.FormatDecimal(in.Table.Value[i], in.Table.Decimals))
	}
	if want := "東京=1.5 a-b_x5F_=2 TRUE=3 大阪=4 Total=10.5"; strings.Join(got, " ") != want || in.Table.Dims[0].Name != "region" {
		t.Errorf("%s: %v, want %s", in.Table.Dims[0].Name, got, want)
	}
}

func TestDamagedSheets(t *testing.T) {
	for rows, want := range map[string]string{
		`<row r="1"><c r="A1" t="s"><v>7</v></c></row>`:                   "t.xlsx:1: t: a damaged sheet: a cell without a valid place or text",
		`<row r="1"><c r="A2"><v>7</v></c></row>`:                         "t.xlsx:1: t: a damaged sheet: a cell without a valid place or text",
		`<row r="2"/><row r="1"/>`:                                        "t.xlsx:2: t: a damaged sheet: a cell without a valid place or text",
		`<row r="1"><c r="B1"/><c r="A1"/></row>`:                         "t.xlsx:1: t: a damaged sheet: a cell without a valid place or text",
		`<row r="9999999"/>`:                                              "t.xlsx:1: t: a damaged sheet: a cell without a valid place or text",
		`<c/>`:                                                            "t.xlsx:1: t: a damaged sheet: a cell without a valid place or text",
		`<row><c t="d"><v>2024-01-05</v></c></row>`:                       "t.xlsx:1: cell A1: a date, which Excel may have made of a code; format the cell as text and write the code anew",
		`<row><c t="inlineStr"><is><t>R</t></is></c></row><row r="2"><c `: "t.xlsx:2: t: a damaged sheet: damaged XML at byte 92: an attribute without a value",
	} {
		if _, err := ReadFrom(bytes.NewReader(sheetOf(t, rows, "")), "t.xlsx", formats.Options{}); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", rows, err, want)
		}
	}
	cut := replace(t, sheetOf(t, "<row><c><v>1</v></c></row>", ""), func(name string, part []byte) []byte {
		return bytes.TrimSuffix(part, []byte("</sheetData></worksheet>"))
	})
	if _, err := ReadFrom(bytes.NewReader(cut), "t.xlsx", formats.Options{}); err == nil || err.Error() != "t.xlsx:1: t: a damaged sheet: damaged XML at byte 58: it ends within sheetData" {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"xl/workbook.xml":            "t.xlsx: not a workbook that can be opened: part xl/workbook.xml: damaged XML at byte 0: no element",
		"xl/_rels/workbook.xml.rels": "t.xlsx: not a workbook that can be opened: part xl/_rels/workbook.xml.rels: damaged XML at byte 0: no element",
		"xl/styles.xml":              "t.xlsx: not a workbook that can be opened: part xl/styles.xml: damaged XML at byte 0: no element",
	} {
		raw := replace(t, workbook(t, nil, [][]any{{"t"}, {"R", "value"}}), func(n string, part []byte) []byte {
			if n == name {
				return nil
			}
			return part
		})
		if _, err := ReadFrom(bytes.NewReader(raw), "t.xlsx", formats.Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// The end of a line is \n whatever the file has, but a character that is written as a reference stays.
func TestLineEnds(t *testing.T) {
	raw := sheetOf(t, "<row><c t=\"str\"><v>a\r\nb\rc&#13;d</v></c></row>", "")
	if w := must.Get(Open(bytes.NewReader(raw), "t.xlsx"))(t); w.Sheets[0].Cells[0].Text != "a\nb\nc\rd" {
		t.Errorf("%q", w.Sheets[0].Cells[0].Text)
	}
	for _, s := range []string{"\x01", "\xff"} {
		raw := sheetOf(t, "<row><c t=\"str\"><v>"+s+"</v></c></row>", "")
		if _, err := Open(bytes.NewReader(raw), "t.xlsx"); err == nil {
			t.Errorf("%q is a text", s)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, s := range []string{"A1", "Z9", "AA10", "XFD1048576", "AZ3"} {
		if c, r, err := place(s); err != nil || placeName(c, r) != s {
			t.Errorf("%s: %d %d %v", s, c, r, err)
		}
	}
	for _, s := range []string{"", "1", "A", "a1", "A1B"} {
		if _, _, err := place(s); err == nil {
			t.Errorf("%q is a place", s)
		}
	}
}
