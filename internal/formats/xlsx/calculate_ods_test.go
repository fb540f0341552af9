package xlsx

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
)

// uncalculatedODS is the cross-tab of uncalculated as a spreadsheet of OpenDocument, in which rows, as XML, may stand below it.
func uncalculatedODS(t *testing.T, more string) []byte {
	t.Helper()
	s := &plainSheet{name: "Sheet1"}
	for _, row := range [][]string{{"region", "S", "L", "Total"}, {"A", "2", "10", "=SUM([.B2:.C2])"}, {"B", "20", "30", "=[.B3]+[$Sheet1.C3]"}, {"Total", "=SUM([.B2:.B3])", "=SUM([.C2:.C3])", "=SUM([.D2:.D3])"}} {
		var cells []plainCell
		for _, x := range row {
			cells = append(cells, plainCell{text: x, number: x[0] >= '0' && x[0] <= '9'})
		}
		s.rows = append(s.rows, cells)
	}
	var b bytes.Buffer
	must.Do(t, writeODS(&b, []*plainSheet{s}))
	return contentOf(t, b.Bytes(), func(xml string) string {
		for at, formula := range map[string]string{"SUM([.B2:.C2])": ` office:value-type="float"`, "[.B3]+[$Sheet1.C3]": ` office:value-type="percentage" office:value=""`, "SUM([.B2:.B3])": "", "SUM([.C2:.C3])": "", "SUM([.D2:.D3])": ""} {
			xml = strings.Replace(xml, ` office:value-type="string"><text:p>=`+at+`</text:p>`, ` table:formula="of:=`+at+`"`+formula+`>`, 1)
		}
		return strings.Replace(xml, `</table:table>`, more+`</table:table>`, 1)
	})
}

// contentOf changes content.xml of a spreadsheet.
func contentOf(t *testing.T, raw []byte, change func(string) string) []byte {
	t.Helper()
	return replace(t, raw, func(name string, part []byte) []byte {
		if name != "content.xml" {
			return part
		}
		return []byte(change(string(part)))
	})
}

// Formulas of OpenDocument that no program has calculated have their results in what is read, plain or as a workbook, and in the copy; what stands beside them stays.
func TestUncalculatedODS(t *testing.T) {
	raw := uncalculatedODS(t, `<table:table-row><table:table-cell table:number-columns-repeated="5"/><table:table-cell table:formula="of:=ROUND([.B2]/[.D2]*100;1)"><office:annotation><text:p>of all</text:p></office:annotation></table:table-cell>`+
		`<table:table-cell table:formula="of:=IF([.B3]=0;&quot;–&quot;;&quot;yes&quot;)" table:number-columns-repeated="2"><text:p/></table:table-cell></table:table-row>`)
	w := must.Get(Open(bytes.NewReader(raw), "t.ods"))(t)
	again := must.Get(Open(bytes.NewReader(w.Stored), "t.ods"))(t)
	for _, w := range []*Workbook{w, again} {
		var got []string
		for _, c := range w.Sheets[0].Cells {
			if c.Formula != "" {
				got = append(got, placeName(c.Column, c.Row)+" "+c.Text)
				if c.Number != (c.Text != "yes") {
					t.Errorf("%s: a number: %v", c.Text, c.Number)
				}
			}
		}
		if want := []string{"D2 12", "D3 50", "B4 22", "C4 40", "D4 62", "F5 16.7", "G5 yes", "H5 yes"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if again.Stored != nil {
		t.Error("results are stored, and calculated again")
	}
	contentOf(t, w.Stored, func(xml string) string {
		for _, want := range []string{
			`table:formula="of:=SUM([.B2:.C2])" office:value-type="float" office:value="12"><text:p>12</text:p></table:table-cell>`,
			`office:value-type="percentage" office:value="50"><text:p>50</text:p>`,
			`office:value="16.7"><office:annotation><text:p>of all</text:p></office:annotation><text:p>16.7</text:p>`,
			`table:number-columns-repeated="2" office:value-type="string"><text:p>yes</text:p>`,
		} {
			if !strings.Contains(xml, want) {
				t.Errorf("%s\nwithout %s", xml, want)
			}
		}
		return xml
	})
	in := must.Get(ReadFrom(bytes.NewReader(uncalculatedODS(t, "")), "t.ods", formats.Options{}))(t)
	pattern := make([]bool, in.Table.Len())
	for i := range pattern {
		pattern[i] = !strings.Contains(in.Table.CellName(i), "Total")
	}
	var out bytes.Buffer
	must.Do(t, formats.Write(&out, in, pattern))
	copied := must.Get(Open(bytes.NewReader(out.Bytes()), "t.ods"))(t)
	text := map[string]string{}
	for _, c := range copied.Sheets[0].Cells {
		at := placeName(c.Column, c.Row)
		if text[at] = c.Text; c.Formula != "" && at != "D4" {
			t.Errorf("%s is %q by %s", at, c.Text, c.Formula)
		}
	}
	for at, want := range map[string]string{"B2": "x", "D2": "12", "B4": "22", "D4": "62"} {
		if text[at] != want {
			t.Errorf("%s: %q, want %q", at, text[at], want)
		}
	}
}

// What is not calculated of OpenDocument is refused by its name, as Excel writes it.
func TestUncalculatedRefusedODS(t *testing.T) {
	for formula, want := range map[string]string{
		"of:=VLOOKUP([.A2];[.A2:.D4];2)": "=VLOOKUP(A2,A2:D4,2) has no stored result, and is not calculated here: it is more than sums, differences, products, quotients, rounding and comparisons",
		"of:=[.A5]+1":                    "=A5+1 has no stored result, and is not calculated here: it depends on itself",
		"of:=[.B2]/[.B9]":                "=B2/B9 has no stored result, and is not calculated here: it has no number for its result",
		"of:=[$Old.B2]":                  "='Old'!B2 has no stored result, and is not calculated here: there is no sheet Old",
		"basic:=B2":                      "=INDIRECT(unknown) has no stored result, and is not calculated here: it is more than sums, differences, products, quotients, rounding and comparisons",
	} {
		_, err := Open(bytes.NewReader(uncalculatedODS(t, `<table:table-row><table:table-cell table:formula="`+formula+`"/></table:table-row>`)), "t.ods")
		if want = "t.ods: Sheet1!A5: the formula " + want + "; open the workbook in a spreadsheet program and save it"; err == nil || err.Error() != want || !errors.Is(err, ErrResult) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
