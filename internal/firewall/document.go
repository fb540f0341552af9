package firewall

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A kind of file, as far as it matters for finding numbers.
type kind uint8

const (
	lines kind = iota // fields with separators
	cube              // PC-Axis
	tree              // JSON
	page              // HTML, SVG
	book              // zipped parts
)

// A document is a file taken apart.
type document struct {
	kind  kind
	text  string
	mark  byte    // the separator of the fields of lines
	parts []piece // texts of a workbook
}

// A piece is a text in a book and where it stands.
type piece struct {
	place i18n.Text
	text  string
	bare  bool // it is a number or a formula
	cell  bool // it stands in a cell of a sheet
}

// openText detects the kind of a text.
func openText(s string) *document {
	d := &document{text: s}
	switch start := strings.TrimSpace(s[:min(len(s), 1<<12)]); {
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["):
		d.kind = tree
	case strings.HasPrefix(start, "<"):
		d.kind = page
	case strings.Contains(s, "DATA=") && strings.Contains(s, "VALUES(") && strings.HasSuffix(strings.TrimRight(s, " \r\n\t\x1a"), ";"):
		d.kind = cube
		// the version of the format, which may look like a cell of value 2013
		d.text = strings.Replace(s, `AXIS-VERSION="2013"`, "", 1)
	default:
		d.mark = markOf(s)
	}
	return d
}

// markOf returns the separator of fields: the one that stands in most lines, and of two such the more frequent.
func markOf(s string) byte {
	best, on, of := byte(','), 0, 0
	for _, m := range []byte{';', '\t', '|', ','} {
		n, all := 0, strings.Count(s, string(m))
		if all == 0 {
			continue
		}
		for line := range strings.Lines(s) {
			if strings.IndexByte(line, m) >= 0 {
				n++
			}
		}
		if n > on || n == on && all > of {
			best, on, of = m, n, all
		}
	}
	return best
}

// eachLine calls f with the line number and the fields of every record, until it returns false. fields is only
// valid during the call.
func (d *document) eachLine(f func(line int, fields []string) bool) {
	s, line := d.text, 1
	var fields []string
	for s != "" {
		fields = fields[:0]
		start, n := line, 0
		for {
			var field string
			if s != "" && s[0] == '"' {
				end, quoted := 1, false
				for end < len(s) {
					if s[end] == '"' {
						if end+1 < len(s) && s[end+1] == '"' {
							quoted = true
							end += 2
							continue
						}
						break
					}
					end++
				}
				field = s[1:min(end, len(s))]
				line += strings.Count(field, "\n")
				if quoted {
					field = strings.ReplaceAll(field, `""`, `"`)
				}
				s = s[min(end+1, len(s)):]
				n = strings.IndexAny(s, string(d.mark)+"\n")
				if n < 0 {
					n = len(s)
				}
				field += strings.TrimRight(s[:n], "\r")
			} else {
				if n = strings.IndexAny(s, string(d.mark)+"\n"); n < 0 {
					n = len(s)
				}
				field = strings.TrimRight(s[:n], "\r")
			}
			fields = append(fields, strings.TrimSpace(field))
			s = s[n:]
			if s == "" {
				break
			}
			end := s[0] == '\n'
			s = s[1:]
			if end {
				line++
				break
			}
		}
		if !f(start, fields) {
			return
		}
	}
}

// eachNumber calls f with every number in the document and where it stands, except in texts that are known to
// hold no values. With cells, only the cells of the sheets of a book are looked at.
func (d *document) eachNumber(known map[string]bool, cells bool, f func(place func() i18n.Text, digits string)) {
	switch d.kind {
	case lines:
		d.eachLine(func(line int, fields []string) bool {
			for c, text := range fields {
				if !known[text] {
					numbers(text, false, func(n string) { f(func() i18n.Text { return i18n.T("line %d, field %d", line, c+1) }, n) })
				}
			}
			return true
		})
	case cube, tree:
		line, at := 1, 0
		for at < len(d.text) {
			quote := strings.IndexByte(d.text[at:], '"')
			if quote < 0 {
				quote = len(d.text) - at
			}
			data := func(s string) {
				for part := range strings.Lines(s) {
					here := line
					numbers(part, true, func(n string) { f(func() i18n.Text { return i18n.T("line %d", here) }, n) })
					if strings.HasSuffix(part, "\n") {
						line++
					}
				}
			}
			data(d.text[at : at+quote])
			if at += quote + 1; at >= len(d.text) {
				return
			}
			end := at
			for end < len(d.text) && d.text[end] != '"' {
				if d.text[end] == '\\' && d.kind == tree {
					end++
				}
				end++
			}
			end = min(end, len(d.text))
			if text := d.text[at:end]; !known[strings.TrimSpace(text)] {
				here := line
				numbers(text, false, func(n string) { f(func() i18n.Text { return i18n.T("line %d", here) }, n) })
			}
			line += strings.Count(d.text[at:end], "\n")
			at = end + 1
		}
	case page:
		eachText(d.text, func(line int, text string) {
			if !known[strings.TrimSpace(text)] {
				numbers(checksums().ReplaceAllString(text, " "), false, func(n string) { f(func() i18n.Text { return i18n.T("line %d", line) }, n) })
			}
		})
	case book:
		for _, p := range d.parts {
			if cells && !p.cell || known[strings.TrimSpace(p.text)] {
				continue
			}
			numbers(p.text, p.bare, func(n string) { f(func() i18n.Text { return p.place }, n) })
		}
	}
}

// openBook takes the texts out of the parts of a zipped file.
func openBook(b []byte) (*document, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	d := &document{kind: book}
	read := func(f *zip.File) ([]byte, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		b, err := io.ReadAll(io.LimitReader(r, maxPart+1))
		if err == nil && len(b) > maxPart {
			err = errLarge
		}
		return b, err
	}
	var shared []string
	used := map[int]bool{}
	for _, f := range z.File {
		if path.Base(f.Name) == "sharedStrings.xml" {
			b, err := read(f)
			if err != nil {
				return nil, err
			}
			if shared, err = strs(b); err != nil {
				return nil, i18n.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	for _, f := range z.File {
		switch ext := path.Ext(f.Name); {
		case path.Base(f.Name) == "sharedStrings.xml", ext != ".xml" && ext != ".vml":
			continue
		case strings.HasPrefix(path.Base(f.Name), "styles") || strings.HasPrefix(path.Base(f.Name), "theme"):
			continue
		}
		b, err := read(f)
		if err != nil {
			return nil, err
		}
		if err := d.part(f.Name, b, shared, used); err != nil {
			return nil, i18n.Errorf("%s: %w", f.Name, err)
		}
	}
	for k, s := range shared {
		if !used[k] {
			d.parts = append(d.parts, piece{place: i18n.T("sharedStrings.xml, which no cell names"), text: s})
		}
	}
	return d, nil
}

// strs returns the shared strings of a workbook.
func strs(b []byte) ([]string, error) {
	var all []string
	var text strings.Builder
	x := decoder(b)
	for {
		t, err := x.Token()
		if err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.StartElement:
			if t.Name.Local == "si" {
				text.Reset()
			}
		case xml.EndElement:
			if t.Name.Local == "si" {
				all = append(all, text.String())
			}
		}
	}
}

// apart are elements whose numbers are positions, sizes or the like.
var apart = map[string]bool{"col": true, "row": true, "colOff": true, "rowOff": true, "x": true, "y": true, "Row": true, "Column": true, "Anchor": true,
	"ptCount": true, "idx": true, "order": true, "TotalTime": true, "AppVersion": true, "created": true, "modified": true}

// part takes the texts out of one part.
func (d *document) part(name string, b []byte, shared []string, used map[int]bool) error {
	sheet := strings.HasPrefix(name, "xl/worksheets/") && path.Dir(name) == "xl/worksheets" || name == "content.xml"
	var within []string
	ref, typ := "", ""
	x := decoder(b)
	for {
		t, err := x.Token()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			within = append(within, t.Name.Local)
			if t.Name.Local == "c" {
				ref, typ = "", ""
			}
			for _, a := range t.Attr {
				switch {
				case t.Name.Local == "c" && a.Name.Local == "r":
					ref = a.Value
				case t.Name.Local == "c" && a.Name.Local == "t":
					typ = a.Value
				case a.Name.Local == "value" && sheet: // OpenDocument
					d.parts = append(d.parts, piece{place: i18n.T("%s", name), text: a.Value, bare: true})
				}
			}
		case xml.EndElement:
			within = within[:len(within)-1]
		case xml.CharData:
			at := ""
			if len(within) > 0 {
				at = within[len(within)-1]
			}
			text := string(t)
			if apart[at] || strings.TrimSpace(text) == "" {
				continue
			}
			p := piece{place: i18n.T("%s", name), text: text, cell: sheet && ref != "" && (at == "v" || at == "t")}
			if p.cell {
				p.place = i18n.T("%s %s", name, ref)
			}
			switch {
			case at == "v" && typ == "s" && sheet:
				k, err := strconv.Atoi(strings.TrimSpace(text))
				if err != nil || k < 0 || k >= len(shared) {
					return i18n.Errorf("%s: no such string", ref)
				}
				p.text, used[k] = shared[k], true
			case at == "v" && sheet && typ != "str":
				p.bare = true
			case at == "f":
				p.text, p.bare = literals(text), true
			}
			d.parts = append(d.parts, p)
		}
	}
}

// literals returns a formula with the digits of its cell references blotted out.
func literals(f string) string {
	b := []byte(f)
	for i, c := range b {
		if i > 0 && '0' <= c && c <= '9' && (b[i-1] == '$' || b[i-1] == '_' || 'A' <= b[i-1] && b[i-1] <= 'Z' || 'a' <= b[i-1] && b[i-1] <= 'z') {
			b[i] = '_'
		}
	}
	return string(b)
}

func decoder(b []byte) *xml.Decoder {
	x := xml.NewDecoder(bytes.NewReader(b))
	x.Strict = false
	x.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return x
}
