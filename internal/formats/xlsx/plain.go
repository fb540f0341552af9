package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A plain workbook has sheets of numbers and texts, with four styles and the default one, which are indices
// into cellXfs (ECMA-376, part 1, 18.8.10).
const (
	noStyle = iota
	headStyle
	textStyle
	primaryStyle
	secondaryStyle
)

// The colours of withheld cells can be told apart with colour blindness, and are light enough to read text on.
const (
	primaryFill   = "F4B183"
	secondaryFill = "BDD7EE"
)

const declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

const (
	sheetSpace    = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationSpace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace  = "http://schemas.openxmlformats.org/package/2006/"
	contentType   = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

const plainStyles = declaration + `<styleSheet xmlns="` + sheetSpace + `">` +
	`<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>` +
	`<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>` +
	`<fill><patternFill patternType="solid"><fgColor rgb="FF` + primaryFill + `"/></patternFill></fill>` +
	`<fill><patternFill patternType="solid"><fgColor rgb="FF` + secondaryFill + `"/></patternFill></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="0" fontId="0" fillId="2" borderId="0" xfId="0" applyFill="1"/>` +
	`<xf numFmtId="0" fontId="0" fillId="3" borderId="0" xfId="0" applyFill="1"/></cellXfs>` +
	`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

// A plainCell is a number as it is written, or a text.
type plainCell struct {
	text   string
	number bool
	style  int
}

// A plainSheet has rows of cells; its first row and first columns stay in sight when scrolling.
type plainSheet struct {
	name  string
	codes int
	rows  [][]plainCell
}

// maxCellText is the largest number of characters of a text in a cell.
const maxCellText = 32767

// add adds the next row.
func (s *plainSheet) add(cells []plainCell) error {
	if s.rows = append(s.rows, cells); len(s.rows) > ooxml.MaxRows || len(cells) > ooxml.MaxColumns {
		return i18n.Errorf("a sheet has at most %d rows of %d cells; write CSV", ooxml.MaxRows, ooxml.MaxColumns)
	}
	for _, x := range cells {
		if !x.number && utf8.RuneCountInString(x.text) > maxCellText {
			return i18n.Errorf("%.20s…: a cell of a sheet has at most %d characters; write CSV", x.text, maxCellText)
		}
	}
	return nil
}

// row writes a row. Empty cells are left out.
func (s *plainSheet) row(w *bytes.Buffer, n int) {
	fmt.Fprintf(w, `<row r="%d">`, n+1)
	for c, x := range s.rows[n] {
		if x.text == "" && x.style == noStyle {
			continue
		}
		w.WriteString(`<c r="`)
		w.WriteString(ooxml.CellName(n+1, c+1))
		if x.style != noStyle {
			fmt.Fprintf(w, `" s="%d`, x.style)
		}
		switch {
		case x.text == "":
			w.WriteString(`"/>`)
		case x.number:
			w.WriteString(`"><v>`)
			w.WriteString(x.text)
			w.WriteString(`</v></c>`)
		default:
			w.WriteString(`" t="inlineStr"><is><t xml:space="preserve">`)
			w.WriteString(ooxml.Escape(escapeControls(x.text)))
			w.WriteString(`</t></is></c>`)
		}
	}
	w.WriteString(`</row>`)
}

// escapeControls writes characters that XML does not allow in the form _x0001_, and escapes texts that look
// like that form, so that they are not taken for it (see unescape).
func escapeControls(s string) string {
	if !strings.Contains(s, "_x") && strings.IndexFunc(s, unfit) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case unfit(r):
			fmt.Fprintf(&b, "_x%04X_", r)
		case strings.HasPrefix(s[i:], "_x"):
			b.WriteString("_x005F_")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unfit reports whether XML 1.0 does not allow r (production 2, Char).
func unfit(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}

func (s *plainSheet) write(w io.Writer) error {
	at := ooxml.CellName(2, s.codes+1)
	_, err := fmt.Fprintf(w, declaration+`<worksheet xmlns="%s"><sheetViews><sheetView workbookViewId="0"><pane xSplit="%d" ySplit="1" topLeftCell="%s" activePane="bottomRight" state="frozen"/>`+
		`</sheetView></sheetViews><cols><col min="1" max="%d" width="16" customWidth="1"/></cols><sheetData>`, sheetSpace, s.codes, at, s.codes)
	if err != nil {
		return err
	}
	var row bytes.Buffer
	for n := range s.rows {
		s.row(&row, n)
		if _, err := row.WriteTo(w); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, `</sheetData></worksheet>`)
	return err
}

// writePlain writes a workbook with the sheets. The same sheets give the same bytes: the parts have a fixed
// order and no dates.
func writePlain(w io.Writer, sheets []*plainSheet) error {
	var types, book, relations strings.Builder
	for k, s := range sheets {
		n := strconv.Itoa(k + 1)
		types.WriteString(`<Override PartName="/xl/worksheets/sheet` + n + `.xml" ContentType="` + contentType + `worksheet+xml"/>`)
		book.WriteString(`<sheet name="` + ooxml.Escape(s.name) + `" sheetId="` + n + `" r:id="rId` + n + `"/>`)
		relations.WriteString(`<Relationship Id="rId` + n + `" Type="` + relationSpace + `/worksheet" Target="worksheets/sheet` + n + `.xml"/>`)
	}
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	parts := []struct {
		name  string
		write func(io.Writer) error
	}{
		{"[Content_Types].xml", text(declaration + `<Types xmlns="` + packageSpace + `content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` + contentType + `sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + contentType + `styles+xml"/>` + types.String() + `</Types>`)},
		{"_rels/.rels", text(declaration + `<Relationships xmlns="` + packageSpace + `relationships"><Relationship Id="rId1" Type="` + relationSpace +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`)},
		{"xl/workbook.xml", text(declaration + `<workbook xmlns="` + sheetSpace + `" xmlns:r="` + relationSpace + `"><sheets>` + book.String() + `</sheets></workbook>`)},
		{"xl/_rels/workbook.xml.rels", text(declaration + `<Relationships xmlns="` + packageSpace + `relationships">` + relations.String() +
			`<Relationship Id="rId` + strconv.Itoa(len(sheets)+1) + `" Type="` + relationSpace + `/styles" Target="styles.xml"/></Relationships>`)},
		{"xl/styles.xml", text(plainStyles)},
	}
	for k, s := range sheets {
		parts = append(parts, struct {
			name  string
			write func(io.Writer) error
		}{"xl/worksheets/sheet" + strconv.Itoa(k+1) + ".xml", s.write})
	}
	z := zip.NewWriter(w)
	for _, p := range parts {
		part, err := z.Create(p.name)
		if err == nil {
			err = p.write(part)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}
