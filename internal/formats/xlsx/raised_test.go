package xlsx

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/test/must"
)

// The raised sign of a footnote is a superscript in what is read, be it among the shared strings or within the cell, and the copy finds the number before it.
func TestRaisedSigns(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	for at, v := range map[string]any{"A1": "region", "B1": "n", "A2": "A", "A3": "B", "B3": 7} {
		must.Do(t, f.SetCellValue("Sheet1", at, v))
	}
	must.Do(t, f.SetCellRichText("Sheet1", "B2", []excelize.RichTextRun{{Text: "5"}, {Text: "3)", Font: &excelize.Font{VertAlign: "superscript"}}}))
	var shared bytes.Buffer
	must.Do(t, f.Write(&shared))
	inline := sheetOf(t, `<row r="1"><c r="A1" t="inlineStr"><is><t>region</t></is></c><c r="B1" t="inlineStr"><is><t>n</t></is></c></row>`+
		`<row r="2"><c r="A2" t="inlineStr"><is><t>A</t></is></c><c r="B2" t="inlineStr"><is><r><t>5</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>3)</t></r></is></c></row>`, "")
	for _, raw := range [][]byte{shared.Bytes(), inline} {
		w := must.Get(Open(bytes.NewReader(raw), "t.xlsx"))(t)
		k := slices.IndexFunc(w.Sheets[0].Cells, func(c Cell) bool { return c.Row == 2 && c.Column == 2 })
		if got := w.Sheets[0].Cells[k].Text; got != "5³⁾" {
			t.Fatalf("%q, want 5³⁾⁾", got)
		}
		var out bytes.Buffer
		at := Place{Sheet: w.Sheets[0].Name, Ref: "B2"}
		must.Get(Copy(&out, "t.xlsx", raw, []WithheldCell{{Place: at, Value: "5", Text: "5³⁾"}}, CopyOptions{Mark: "x"}))(t)
		if _, parts := contents(t, out.Bytes()); strings.Contains(strings.Join([]string{parts["xl/sharedStrings.xml"], parts["xl/worksheets/sheet1.xml"]}, ""), "superscript") {
			t.Error("the sign of the withheld number is left")
		}
	}
}
