package ods

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/ooxml"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A piece is text of a part, so many times.
type piece struct {
	text  string
	times int
}

const (
	namespaces = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ` +
		`xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"`
	listed = `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>` +
		`<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`
	before = `<office:document-content ` + namespaces + `><office:automatic-styles/><office:body><office:spreadsheet>`
	after  = `</office:spreadsheet></office:body></office:document-content>`
	some   = `<table:table-row><table:table-cell office:value-type="string"><text:p>R</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>value</text:p></table:table-cell></table:table-row>` +
		`<table:table-row><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell></table:table-row>`
)

// spreadsheet makes a file of the pieces of its sheet and of other parts.
func spreadsheet(t testing.TB, sheet []piece, parts map[string][]piece) []byte {
	t.Helper()
	all := map[string][]piece{content: append(append([]piece{{before + `<table:table table:name="S">`, 1}}, sheet...), piece{`</table:table>` + after, 1})}
	for name, p := range parts {
		all[name] = p
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	put := func(name string, pieces ...piece) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: map[bool]uint16{true: zip.Store, false: zip.Deflate}[name == "mimetype"]})
		for _, p := range pieces {
			for range p.times {
				if err == nil {
					_, err = io.WriteString(w, p.text)
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put("mimetype", piece{"application/vnd.oasis.opendocument.spreadsheet", 1})
	put(manifest, piece{listed, 1})
	for _, name := range []string{content, "styles.xml", "meta.xml"} {
		if all[name] != nil {
			put(name, all[name]...)
		}
	}
	must.Do(t, z.Close())
	return b.Bytes()
}

// A few KB that stand for millions of cells or gigabytes of text are refused, or read, in little memory.
func TestHostile(t *testing.T) {
	const large = "save the sheet as CSV, if it is meant to hold as much; --read-limit 2 raises the limits of input"
	cell := func(attributes string) string {
		return `<table:table-cell office:value-type="float" office:value="1" ` + attributes + `><text:p>1</text:p></table:table-cell>`
	}
	row := func(attributes, cells string) string {
		return `<table:table-row ` + attributes + `>` + cells + `</table:table-row>`
	}
	for _, tc := range []struct {
		name  string
		sheet []piece
		parts map[string][]piece
		want  string // in the error, "" for none
	}{
		{"plain", []piece{{some, 1}}, nil, ""},
		{"columns repeated", []piece{{row("", cell(`table:number-columns-repeated="1000000000"`)), 1}}, nil, "a cell beyond row 1048576 or column 16384"},
		{"rows repeated", []piece{{row(`table:number-rows-repeated="1000000000"`, cell("")), 1}}, nil, "a cell beyond row 1048576 or column 16384"},
		{"repeats beyond numbers", []piece{{some, 1}, {row(`table:number-rows-repeated="99999999999999999999"`, cell(`table:number-columns-repeated="-1"`)), 1}}, nil, ""},
		{"a full row", []piece{{row("", cell(`table:number-columns-repeated="16384"`)), 1}}, nil, ""},
		{"all cells", []piece{{row(`table:number-rows-repeated="1048576"`, cell(`table:number-columns-repeated="16384"`)), 1}}, nil, large},
		{"many full rows", []piece{{row(`table:number-rows-repeated="100"`, cell(`table:number-columns-repeated="16000"`)), 100}}, nil, large},
		{"empty repeats", []piece{{some, 1}, {row(`table:number-rows-repeated="1000000000"`, `<table:table-cell table:number-columns-repeated="1000000000"/>`), 10_000}}, nil, ""},
		{"columns described", []piece{{`<table:table-column table:number-columns-repeated="1000000000"/>`, 100_000}, {some, 1}}, nil, ""},
		{"empty cells", []piece{{`<table:table-row>`, 1}, {`<table:table-cell/>`, 800_000}, {`</table:table-row>`, 1}}, nil, large},
		{"empty rows", []piece{{`<table:table-row/>`, 1_000_000}}, nil, ""},
		{"merged", []piece{{row("", cell(`table:number-columns-spanned="1000000000" table:number-rows-spanned="1000000000"`)), 100_000}}, nil, ""},
		{"depth", []piece{{`<table:table-row-group>`, 100_000}}, nil, "damaged XML"},
		{"depth in a cell", []piece{{`<table:table-row><table:table-cell>`, 1}, {"<text:p>", 100_000}}, nil, "damaged XML"},
		{"a table in a cell", []piece{{`<table:table-row><table:table-cell><table:table></table:table></table:table-cell></table:table-row>`, 1}}, nil, "a table within a cell"},
		{"a text too long", []piece{{`<table:table-row><table:table-cell office:value-type="string"><text:p>`, 1}, {"xxxxxxxx", 100_000}, {`</text:p></table:table-cell></table:table-row>`, 1}}, nil, "a text longer than 256 KiB"},
		{"blanks", []piece{{`<table:table-row><table:table-cell office:value-type="string"><text:p>`, 1}, {`<text:s text:c="1000000000"/>`, 10_000}, {`</text:p></table:table-cell></table:table-row>`, 1}}, nil, "a text longer than 256 KiB"},
		{"long texts repeated", []piece{{row(`table:number-rows-repeated="10000"`, `<table:table-cell table:number-columns-repeated="20" office:value-type="string"><text:p>`+strings.Repeat("x", 30_000)+`</text:p></table:table-cell>`), 1}}, nil, large},
		{"blanks between", []piece{{some, 1}, {strings.Repeat(" ", 1<<16), 1 << 10}}, nil, "unpack to more than"},
		{"sheets", []piece{{some + `</table:table><table:table table:name="S">`, 200_000}}, nil, large},
		{"styles", []piece{{some, 1}}, map[string][]piece{"styles.xml": {{"<office:document-styles " + namespaces + "><office:styles>", 1}, {`<style:style style:name="a" style:parent-style-name="a"/>`, 200_000}, {"</office:styles></office:document-styles>", 1}}}, ""},
		{"elements", []piece{{some, 1}}, map[string][]piece{"meta.xml": {{"<m>", 1}, {"<x/>", 1_000_000}, {"</m>", 1}}}, "elements"},
		{"shapes", []piece{{`<table:table-row><table:table-cell>`, 1}, {`<x/>`, 1_000_000}, {`</table:table-cell></table:table-row>`, 1}}, nil, "elements"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			raw := spreadsheet(t, tc.sheet, tc.parts)
			memtest.Bound(t, len(raw), 384<<20, 4000, func() {
				_, err := Open(raw)
				if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
					t.Errorf("%v, want … %s", err, tc.want)
				}
				t.Logf("%d bytes: %v", len(raw), err)
			})
		})
	}
}

// A spreadsheet is refused, or read as a workbook that can be opened, in memory that its size bounds.
func FuzzOpen(f *testing.F) {
	f.Add(some, "")
	f.Add(`<table:table-column table:number-columns-repeated="3" table:visibility="collapse"/><table:table-row table:number-rows-repeated="2"><table:table-cell table:formula="of:=[.B1]+1" office:value-type="float" office:value="2" table:number-columns-repeated="2"/>`+
		`<table:covered-table-cell/><table:table-cell table:number-columns-spanned="2" table:number-rows-spanned="2" office:value-type="date" office:date-value="2020-01-01T12:00:00"><text:p>1<text:s text:c="2"/><text:tab/>2</text:p></table:table-cell></table:table-row>`,
		`<office:document-styles `+namespaces+`><office:styles><style:style style:name="Default" style:family="table-cell"/><style:style style:name="a" style:parent-style-name="Default" style:family="table-cell"/></office:styles></office:document-styles>`)
	f.Add(`<table:table-header-rows><table:table-row><table:table-cell table:style-name="a" office:value-type="time" office:time-value="PT1H2M3.5S" calcext:value-type="error"><office:annotation><text:p>n</text:p></office:annotation><text:p>e</text:p></table:table-cell></table:table-row></table:table-header-rows>`, "")
	f.Fuzz(func(t *testing.T, sheet, styles string) {
		parts := map[string][]piece{}
		if styles != "" {
			parts["styles.xml"] = []piece{{styles, 1}}
		}
		raw := spreadsheet(t, []piece{{sheet, 1}}, parts)
		memtest.Bound(t, len(raw), 512<<20, 4000, func() {
			file, err := Open(raw)
			if err != nil {
				return
			}
			if _, err := ooxml.Open(file.Book); err != nil {
				t.Errorf("the book cannot be opened: %v", err)
			}
		})
	})
}

// TestLittleMemory takes a few pieces of memory for each cell.
func TestLittleMemory(t *testing.T) {
	const rows = 500
	file := spreadsheet(t, []piece{{some, rows}}, nil)
	if n := testing.AllocsPerRun(3, func() { must.Get(Open(file))(t) }) / (4 * rows); n > 14 {
		t.Errorf("%.1f pieces of memory for each cell", n)
	}
}
