package adversary

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// writeSpreadsheet writes sheets as a program that saves OpenDocument does: equal cells and rows beside each other once, with how often they
// stand there; what each cell shows beside its value; a picture of the first sheet, and the log of changes.
func writeSpreadsheet(path string, sheets []*drawnSheet, comments [][3]string, names [][2]string) error {
	var styles, tables, named strings.Builder
	style := map[string]string{}
	styleOf := func(f drawnField) string {
		key := fmt.Sprint(f.format, f.indent)
		if f.format == "" && f.indent == 0 {
			return ""
		}
		if style[key] == "" {
			style[key] = fmt.Sprintf("ce%d", len(style)+1)
			data := ""
			if strings.Contains(f.format, "%") {
				data = ` style:data-style-name="P1"`
			}
			fmt.Fprintf(&styles, `<style:style style:name="%s" style:family="table-cell"%s><style:paragraph-properties fo:margin-left="%.3fcm"/></style:style>`, style[key], data, 0.353*float64(f.indent))
		}
		return ` table:style-name="` + style[key] + `"`
	}
	seen := map[string]bool{}
	for _, s := range sheets {
		if seen[s.name] {
			return errTwice
		}
		seen[s.name] = true
		fmt.Fprintf(&tables, `<table:table table:name="%s" table:style-name="ta%v">`, html.EscapeString(s.name), s.hidden)
		if s.hiddenColumn > 1 {
			fmt.Fprintf(&tables, `<table:table-column table:number-columns-repeated="%d"/>`, s.hiddenColumn-1)
		}
		if s.hiddenColumn > 0 {
			tables.WriteString(`<table:table-column table:visibility="collapse"/>`)
		}
		tables.WriteString(`<table:table-column table:number-columns-repeated="16384"/>`)
		last, times := "", 0
		flush := func() {
			if last != "" {
				fmt.Fprintf(&tables, `<table:table-row table:number-rows-repeated="%d">%s</table:table-row>`, times, last)
			}
		}
		for r, row := range s.grid {
			var line strings.Builder
			cell, n := "", 0
			put := func() {
				if n > 1 {
					cell = strings.Replace(cell, "<table:table-cell", fmt.Sprintf(`<table:table-cell table:number-columns-repeated="%d"`, n), 1)
				}
				line.WriteString(cell)
			}
			for c, f := range row {
				one := oneCell(f, styleOf(f))
				for _, m := range s.merged {
					switch {
					case m[0] == r && m[1] == c:
						one = strings.Replace(one, "<table:table-cell", fmt.Sprintf(`<table:table-cell table:number-columns-spanned="%d" table:number-rows-spanned="%d"`, m[3]-m[1]+1, m[2]-m[0]+1), 1)
					case m[0] <= r && r <= m[2] && m[1] <= c && c <= m[3]:
						one = strings.ReplaceAll(one, "table:table-cell", "table:covered-table-cell")
					}
				}
				ref, _ := excelize.CoordinatesToCellName(c+1, r+1)
				for _, x := range comments {
					if x[0] == s.name && x[1] == ref {
						at := strings.Index(one, ">") + 1
						note := `<office:annotation><dc:date>2024-01-01T00:00:00</dc:date><text:p>` + html.EscapeString(x[2]) + `</text:p></office:annotation>`
						if strings.HasSuffix(one, "/>") {
							one = one[:len(one)-2] + ">" + note + "</table:table-cell>"
						} else {
							one = one[:at] + note + one[at:]
						}
					}
				}
				if one == cell && f.formula == "" && !strings.Contains(one, "spanned") && !strings.Contains(one, "covered") && !strings.Contains(one, "annotation") {
					n++
					continue
				}
				put()
				cell, n = one, 1
			}
			put()
			text := line.String() + `<table:table-cell table:number-columns-repeated="16000"/>`
			if text == last && !strings.Contains(text, "formula") {
				times++
				continue
			}
			flush()
			last, times = text, 1
		}
		flush()
		tables.WriteString(`<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`)
	}
	for _, n := range names {
		fmt.Fprintf(&named, `<table:named-expression table:name="%s" table:expression="of:=%s"/>`, n[0], n[1])
	}
	log := ""
	for _, row := range sheets[0].grid { // an old value is one of today
		for _, f := range row {
			if f.number {
				log = `<table:tracked-changes><table:cell-content-change><table:previous><table:change-track-table-cell office:value-type="float" office:value="` + f.text + `"/></table:previous></table:cell-content-change></table:tracked-changes>`
			}
		}
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{
		{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"},
		{"content.xml", `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3">` +
			`<office:automatic-styles><number:percentage-style style:name="P1"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>` +
			`<style:style style:name="tatrue" style:family="table"><style:table-properties table:display="false"/></style:style>` + styles.String() + `</office:automatic-styles>` +
			`<office:body><office:spreadsheet>` + log + tables.String() + `<table:named-expressions>` + named.String() + `</table:named-expressions></office:spreadsheet></office:body></office:document-content>`},
		{"Thumbnails/thumbnail.png", "\x89PNG as it is seen"},
		{"META-INF/manifest.xml", `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="Thumbnails/thumbnail.png" manifest:media-type="image/png"/></manifest:manifest>`},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: part[0], Method: map[bool]uint16{true: zip.Store, false: zip.Deflate}[part[0] == "mimetype"]})
		if err == nil {
			_, err = io.WriteString(w, part[1])
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}

var cellRange = regexp.MustCompile(`\$?[A-Z]{1,2}\$?[1-9][0-9]*(:\$?[A-Z]{1,2}\$?[1-9][0-9]*)?`)

// oneCell is a cell of a spreadsheet.
func oneCell(f drawnField, style string) string {
	if f.text == "" {
		return `<table:table-cell` + style + `/>`
	}
	attributes, shown := ` office:value-type="string"`, f.text
	switch {
	case f.number && strings.Contains(f.format, "%"):
		v, _ := strconv.ParseFloat(f.text, 64)
		attributes, shown = ` office:value-type="percentage" office:value="`+f.text+`"`, strconv.FormatFloat(100*v, 'f', 1, 64)+"%"
	case f.number:
		attributes = ` office:value-type="float" office:value="` + f.text + `"`
	}
	if f.formula != "" {
		refs := cellRange.ReplaceAllStringFunc(f.formula, func(name string) string { return "[." + strings.ReplaceAll(name, ":", ":.") + "]" })
		if f.noValue {
			attributes, shown = "", ""
		}
		attributes = ` table:formula="of:=` + strings.ReplaceAll(refs, ",", ";") + `"` + attributes
	}
	text, leading := strings.TrimLeft(shown, " "), len(shown)-len(strings.TrimLeft(shown, " "))
	blanks := ""
	if leading > 0 {
		blanks = fmt.Sprintf(`<text:s text:c="%d"/>`, leading)
	}
	return `<table:table-cell` + style + attributes + `><text:p>` + blanks + html.EscapeString(text) + `</text:p></table:table-cell>`
}

// An odfNode is an element as the judge reads it.
type odfNode struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Kids    []odfNode  `xml:",any"`
	Text    string     `xml:",chardata"`
}

func (n *odfNode) get(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n *odfNode) count(name string) int { k, _ := strconv.Atoi(n.get(name)); return max(1, k) }

// hasNotes reports whether a cell of a row has a comment, or a value that it does not show.
func hasNotes(row *odfNode) bool {
	for k := range row.Kids {
		if len(row.Kids[k].Kids) > 0 || row.Kids[k].get("value") != "" {
			return true
		}
	}
	return false
}

// shown are all texts of an element.
func (n *odfNode) shown() string {
	s := n.Text
	for k := range n.Kids {
		if n.Kids[k].XMLName.Local != "annotation" {
			s += n.Kids[k].shown()
		}
	}
	return s
}

// spreadsheetSpots are the texts of a spreadsheet by their places.
func spreadsheetSpots(path string) (map[spot]string, error) {
	all := map[spot]string{}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	if z.File[0].Name != "mimetype" || z.File[0].Method != zip.Store {
		return nil, fmt.Errorf("%s: no mimetype first, stored", path)
	}
	f, err := z.Open("content.xml")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var root odfNode
	if err := xml.NewDecoder(f).Decode(&root); err != nil {
		return nil, err
	}
	var walk func(n *odfNode, sheet string)
	walk = func(n *odfNode, sheet string) {
		switch n.XMLName.Local {
		case "table":
			sheet = n.get("name")
			r := 0
			for k := range n.Kids {
				row := &n.Kids[k]
				if row.XMLName.Local != "table-row" {
					continue
				}
				if row.shown() == "" && !hasNotes(row) { // to the end of the sheet
					r += row.count("number-rows-repeated")
					continue
				}
				for range row.count("number-rows-repeated") {
					c := 0
					for j := range row.Kids {
						x := &row.Kids[j]
						text := x.get("value")
						if text == "" {
							text = x.shown()
						}
						for range x.count("number-columns-repeated") {
							if c++; text != "" {
								ref, _ := excelize.CoordinatesToCellName(c, r+1)
								all[spot{sheet, ref}] = text
							}
						}
						for a := range x.Kids {
							if x.Kids[a].XMLName.Local == "annotation" {
								ref, _ := excelize.CoordinatesToCellName(c, r+1)
								all[spot{sheet, "comment " + ref}] = x.Kids[a].shown()
							}
						}
					}
					r++
				}
			}
		case "named-expression":
			all[spot{"", n.get("name")}] = strings.TrimPrefix(n.get("expression"), "of:=")
		case "change-track-table-cell":
			return // of a copy that says nothing else of it, see TestLeaks
		}
		for k := range n.Kids {
			if n.Kids[k].XMLName.Local != "table-row" {
				walk(&n.Kids[k], sheet)
			}
		}
	}
	walk(&root, "")
	for _, f := range z.File {
		if strings.HasPrefix(f.Name, "Thumbnails/") {
			all[spot{"", f.Name}] = f.Name
		}
	}
	return all, nil
}

// asSpreadsheet writes what was drawn as a spreadsheet.
func (o *officeFile) asSpreadsheet(dir string) (string, error) {
	path := filepath.Join(dir, "office.ods")
	return path, writeSpreadsheet(path, o.sheets, o.comments, o.names)
}

// spreadsheetOf are lines as one sheet.
func spreadsheetOf(path string, rows [][]string) error {
	s := &drawnSheet{name: "Sheet1"}
	for i, row := range rows {
		for c, x := range row {
			n, err := strconv.Atoi(x)
			s.put(i, c, drawnField{text: x, number: err == nil && strconv.Itoa(n) == x})
		}
	}
	return writeSpreadsheet(path, []*drawnSheet{s}, nil, nil)
}
