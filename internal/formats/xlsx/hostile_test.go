package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A piece is text of a part, so many times.
type piece struct {
	text  string
	times int
}

// parts makes a workbook of parts written by pieces; those not given are as small as
// they can be.
func parts(t testing.TB, given map[string][]piece) []byte {
	t.Helper()
	const main = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	all := map[string][]piece{
		"xl/workbook.xml": {{`<workbook><sheets><sheet name="values" id="r1"/><sheet name="status" id="r2"/></sheets></workbook>`, 1}},
		"xl/_rels/workbook.xml.rels": {{`<Relationships><Relationship Id="r1" Type="` + main + `worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="r2" Type="` + main + `worksheet" Target="worksheets/sheet2.xml"/>` +
			`<Relationship Id="r3" Type="` + main + `sharedStrings" Target="sharedStrings.xml"/>` +
			`<Relationship Id="r4" Type="` + main + `styles" Target="styles.xml"/></Relationships>`, 1}},
		"xl/sharedStrings.xml":     {{`<sst><si><t>a</t></si></sst>`, 1}},
		"xl/styles.xml":            {{`<styleSheet/>`, 1}},
		"xl/worksheets/sheet1.xml": {{`<worksheet><sheetData><row><c t="str"><v>R</v></c><c t="str"><v>value</v></c></row><row><c t="str"><v>a</v></c><c><v>1</v></c></row></sheetData></worksheet>`, 1}},
		"xl/worksheets/sheet2.xml": {{`<worksheet><sheetData><row><c t="str"><v>R</v></c><c t="str"><v>status</v></c></row></sheetData></worksheet>`, 1}},
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, p := range given {
		all[name] = p
	}
	for name, pieces := range all {
		w := must.Get(z.Create(name))(t)
		for _, p := range pieces {
			for range p.times {
				must.Get(io.WriteString(w, p.text))(t)
			}
		}
	}
	must.Do(t, z.Close())
	return b.Bytes()
}

const sheet1, sheet2 = "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"

// A few KB that stand for millions of cells or gigabytes of text are refused, or read, in
// little memory.
func TestHostile(t *testing.T) {
	in := func(rows ...piece) []piece {
		return append(append([]piece{{"<worksheet><sheetData>", 1}}, rows...), piece{"</sheetData></worksheet>", 1})
	}
	header := func(n int) piece {
		var b strings.Builder
		b.WriteString(`<row><c t="str"><v>R</v></c>`)
		for c := range n - 1 {
			fmt.Fprintf(&b, `<c t="str"><v>%d</v></c>`, c)
		}
		return piece{b.String() + "</row>", 1}
	}
	words := piece{`<row><c t="str"><v>R</v></c><c t="str"><v>value</v></c></row>`, 1}
	const raise = "; --read-limit 2 raises the limits of input"
	const large = "; save the sheet as CSV, if it is meant to hold as much" + raise
	for _, tc := range []struct {
		name  string
		given map[string][]piece
		want  string // at the end of the error, "" for none
	}{
		{"plain", nil, ""},
		{"cells left out", map[string][]piece{sheet1: in(header(maxColumns), piece{`<row><c><v>1</v></c></row>`, 20_000})}, large},
		{"last column", map[string][]piece{sheet1: in(words, piece{`<row><c/><c r="XFD1"/></row>`, 0}, piece{`<row><c t="str"><v>a</v></c><c/><c/></row>`, 1}, piece{`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`, 1})},
			"more than 100000 empty lines in a row"},
		{"last row", map[string][]piece{sheet1: in(words, piece{`<row r="1048576"><c t="str"><v>a</v></c><c><v>1</v></c></row>`, 1})}, "more than 100000 empty lines in a row"},
		{"one long word", map[string][]piece{"xl/sharedStrings.xml": {{"<sst><si><t>", 1}, {"x", 30_000}, {"</t></si></sst>", 1}},
			sheet1: in(words, piece{`<row><c t="s"><v>0</v></c><c><v>1</v></c></row>`, 20_000})}, large},
		{"many words", map[string][]piece{"xl/sharedStrings.xml": {{"<sst>", 1}, {"<si/>", 1_000_000}, {"</sst>", 1}}}, large},
		{"a word too long", map[string][]piece{"xl/sharedStrings.xml": {{"<sst><si>", 1}, {"<r><t>xxxxxxxx</t></r>", 100_000}, {"</si></sst>", 1}}}, "a text longer than 256 KiB"},
		{"a token too long", map[string][]piece{sheet1: in(words, piece{`<row a="`, 1}, piece{"xxxxxxxxxxxxxxxx", 200_000}, piece{`"/>`, 1})}, "a tag of more than 1048576 bytes" + raise},
		{"blanks", map[string][]piece{sheet1: in(words, piece{strings.Repeat("<c/>\n    ", 1<<15), 200})}, large},
		{"empty elements", map[string][]piece{sheet1: in(words, piece{strings.Repeat("<x/>    ", 1<<15), 200})}, large},
		{"depth", map[string][]piece{sheet1: in(words, piece{"<x>", 300_000})}, "more than 256 elements within each other" + raise},
		{"merged", map[string][]piece{sheet1: append(in(words, piece{`<row><c t="str"><v>a</v></c><c><v>1</v></c></row>`, 1}), piece{`<mergeCell ref="A2:B2"/>`, 200_000})}, "merged cells; want one datum a cell"},
		{"statuses left out", map[string][]piece{sheet2: in(header(maxColumns), piece{`<row><c t="str"><v>a</v></c></row>`, 20_000}),
			sheet1: in(header(3), piece{`<row><c t="str"><v>a</v></c><c><v>1</v></c><c><v>1</v></c></row>`, 1})}, large},
		{"formats", map[string][]piece{"xl/styles.xml": {{`<styleSheet><numFmts><numFmt numFmtId="200" formatCode="`, 1}, {"0", 500_000}, {`"/></numFmts><cellXfs>`, 1},
			{`<xf numFmtId="200"/>`, 60_000}, {"</cellXfs></styleSheet>", 1}}}, ""},
		{"relations", map[string][]piece{"xl/_rels/workbook.xml.rels": {{"<Relationships>", 1}, {`<Relationship Id="r1" Type="/sharedStrings" Target="sharedStrings.xml"/>`, 20_000}, {"</Relationships>", 1}},
			"xl/sharedStrings.xml": {{"<sst>", 1}, {"<si/>", 100_000}, {"</sst>", 1}}}, large},
		{"sheets", map[string][]piece{"xl/workbook.xml": {{`<workbook><sheets><sheet name="values" id="r1"/>`, 1}, {`<sheet name="x" id="y"/>`, 50_000}, {"</sheets></workbook>", 1}},
			"xl/_rels/workbook.xml.rels": {{`<Relationships>`, 1}, {`<Relationship Id="r" Type="/worksheet" Target="x"/>`, 50_000}, {`<Relationship Id="r1" Type="/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`, 1}}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			raw := parts(t, tc.given)
			memtest.Bound(t, len(raw), 384<<20, 4000, func() {
				_, err := ReadFrom(bytes.NewReader(raw), "t.xlsx", formats.Options{})
				switch {
				case err == nil && tc.want != "":
					t.Errorf("no error, want … %s", tc.want)
				case err != nil && (tc.want == "" || !strings.HasSuffix(err.Error(), tc.want)):
					t.Errorf("%v, want … %s", err, tc.want)
				}
				t.Logf("%d bytes: %v", len(raw), err)
			})
		})
	}
}
