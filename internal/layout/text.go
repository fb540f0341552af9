package layout

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
)

// The encodings of text files in addition to those of package records.
const (
	utf8Mark = "utf-8-sig" // UTF-8 with its byte order mark
	utf16LE  = "utf-16le"
	utf16BE  = "utf-16be"
)

// A Text is a delimited text file taken apart: the bytes of every field are known, so that a few fields can be
// replaced while all else stays as it is.
type Text struct {
	File File
	Grid *Grid

	raw   []byte
	head  int      // length of the byte order mark in bytes
	unit  int      // bytes per unit: 2 in UTF-16
	units []byte   // a byte for each unit, 0x80 for what is not ASCII
	span  [][]span // of the fields of the grid
}

// A span is where a field stands, in units, with its quotes but without blanks around it.
type span struct{ from, to int32 }

// OpenText reads a text file, decompressing gzip. An empty encoding or separator is detected. The error is a
// *formats.Error or one of r itself.
func OpenText(r io.Reader, name, encoding, separator string) (*Text, error) {
	in, err := formats.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	raw, err := budget.ReadAll(in, budget.Whole)
	if err != nil {
		return nil, formats.InFile(name, err)
	}
	return newText(raw, name, encoding, separator)
}

// encodingNames are further names of encodings, for files in the layouts of offices only.
var encodingNames = map[string]string{utf8Mark: records.UTF8, "utf-16": utf16LE, "utf16": utf16LE}

func newText(raw []byte, name, encoding, separator string) (*Text, error) {
	t := &Text{File: File{Name: name, Format: "csv"}, raw: raw, unit: 1}
	if err := t.decode(encoding); err != nil {
		return nil, err
	}
	sep, err := t.separator(separator)
	if err != nil {
		return nil, err
	}
	if sep == '\t' {
		t.File.Format = "tsv"
	}
	t.File.Separator = string(rune(sep))
	return t, t.split(sep)
}

// decode finds the encoding and sets units.
func (t *Text) decode(encoding string) error {
	encoding = records.Named(encoding)
	if other, ok := encodingNames[encoding]; ok {
		encoding = other
	}
	fault := func(want i18n.Text) error { return &formats.Error{File: t.File.Name, Want: want} }
	switch {
	case bytes.HasPrefix(t.raw, records.Mark):
		if encoding != "" && encoding != records.UTF8 {
			return fault(i18n.T("starts with the byte order mark of UTF-8, but the encoding chosen is %s", encoding))
		}
		t.head, encoding = len(records.Mark), records.UTF8
	case bytes.HasPrefix(t.raw, []byte("\xff\xfe")):
		t.head, encoding = 2, utf16LE
	case bytes.HasPrefix(t.raw, []byte("\xfe\xff")):
		t.head, encoding = 2, utf16BE
	case encoding != "":
	case len(t.raw) > 3 && t.raw[1] == 0 && t.raw[3] == 0 && t.raw[0] != 0:
		encoding = utf16LE
	default:
		encoding = t.sniff()
	}
	text := t.raw[t.head:]
	t.File.Encoding = encoding
	if t.head == len(records.Mark) {
		t.File.Encoding = utf8Mark
	}
	switch encoding {
	case records.UTF8:
		if !utf8.Valid(text) {
			return fault(i18n.T("not UTF-8; want another --encoding"))
		}
		t.units = text
	case records.CP1252:
		t.units = text
	case records.CP932:
		t.units = slices.Clone(text)
		for i := 0; i+1 < len(text); i++ {
			if c := text[i]; c >= 0x81 && c <= 0x9f || c >= 0xe0 && c <= 0xfc {
				i++
				t.units[i] = 0x80
			}
		}
	case utf16LE, utf16BE:
		t.unit = 2
		if len(text)%2 != 0 {
			return fault(i18n.T("UTF-16 with half a character at its end"))
		}
		t.units = make([]byte, len(text)/2)
		for i := range t.units {
			c := uint16(text[2*i]) | uint16(text[2*i+1])<<8
			if encoding == utf16BE {
				c = c<<8 | c>>8
			}
			if t.units[i] = 0x80; c < 0x80 {
				t.units[i] = byte(c)
			}
		}
	default:
		return fault(i18n.T("no such encoding: %s; want utf-8, cp932, cp1252 or utf-16", formats.Show(encoding)))
	}
	if bytes.IndexByte(t.units, 0) >= 0 {
		return fault(i18n.T("a byte 0 in the text; want text, a workbook or a PX file"))
	}
	if bytes.IndexByte(t.units, '\n') < 0 && bytes.IndexByte(t.units, '\r') >= 0 { // old Macintosh line ends
		t.units = bytes.ReplaceAll(t.units, []byte("\r"), []byte("\n"))
	}
	return nil
}

// sniff tells UTF-8, CP932 and CP1252 apart, as formats.NewLines does.
func (t *Text) sniff() string {
	enc, _ := records.Guess(t.raw)
	if enc == records.UTF8 && !utf8.Valid(t.raw) {
		return records.FindWestern(t.raw)
	}
	return enc
}

// text decodes the units from … to.
func (t *Text) text(from, to int) (string, bool) {
	b := t.raw[t.head+from*t.unit : t.head+to*t.unit]
	switch t.File.Encoding {
	case records.CP932, records.CP1252:
		return records.Decode(b, t.File.Encoding)
	case utf16LE, utf16BE:
		c := make([]uint16, len(b)/2)
		for i := range c {
			if c[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8; t.File.Encoding == utf16BE {
				c[i] = c[i]<<8 | c[i]>>8
			}
		}
		return string(utf16.Decode(c)), true
	}
	return string(b), true
}

// encode is the inverse of text.
func (t *Text) encode(s string) ([]byte, bool) {
	switch t.File.Encoding {
	case records.CP932, records.CP1252:
		return records.Encode([]byte(s), t.File.Encoding)
	case utf16LE, utf16BE:
		var b []byte
		for _, c := range utf16.Encode([]rune(s)) {
			if t.File.Encoding == utf16BE {
				c = c<<8 | c>>8
			}
			b = append(b, byte(c), byte(c>>8))
		}
		return b, true
	}
	return []byte(s), true
}

// separators may stand between fields; those rarer in running text come first.
const separators = "\t|;,"

// separator finds the separator: the one that gives the most lines the same number of fields. One that is rarer
// in running text wins already with half as many such lines.
func (t *Text) separator(given string) (byte, error) {
	switch given {
	case "":
	case "\\t", "tab":
		return '\t', nil
	default:
		if len(given) != 1 || given[0] < ' ' && given[0] != '\t' || given[0] >= utf8.RuneSelf || strings.Contains("\"'0123456789", given) {
			return 0, &formats.Error{File: t.File.Name, Value: formats.Show(given), Want: i18n.T("as a separator: want one sign, like , ; | or tab")}
		}
		return given[0], nil
	}
	best, most := byte(','), 0
	for k := range len(separators) {
		count := map[int]int{}
		at := 0
		for n := 0; at < len(t.units) && n < 100_000; n++ {
			fields, next := t.record(at, separators[k], nil)
			at = next
			count[fields]++
		}
		score, lines, agree := 0, 0, 0
		for fields, n := range count {
			lines += n
			if fields > 1 {
				score, agree = max(score, n*min(fields-1, 3)), max(agree, n)
			}
		}
		switch {
		case separators[k] == '\t' && 5*agree >= 4*lines:
			return '\t', nil
		case score > 2*most || most == 0 && score > 0:
			best, most = separators[k], score
		}
	}
	return best, nil
}

// record finds the fields of the record that begins at a unit, and where the next record begins. It calls each,
// unless nil, for every field.
func (t *Text) record(at int, sep byte, each func(from, to int, quoted bool)) (fields, next int) {
	u := t.units
	for {
		from := at
		for from < len(u) && u[from] == ' ' && sep != ' ' {
			from++
		}
		end, quoted := -1, false
		if from < len(u) && u[from] == '"' {
			end = t.closing(from, sep)
			quoted = end >= 0
		}
		if quoted {
			for at = end; at < len(u) && (u[at] == ' ' || u[at] == '\r'); at++ {
			}
		} else {
			for from, end = at, at; end < len(u) && u[end] != sep && u[end] != '\n'; end++ {
			}
			at = end
			for end > from && u[end-1] == '\r' {
				end--
			}
		}
		if fields++; each != nil {
			each(from, end, quoted)
		}
		if at >= len(u) {
			return fields, at
		}
		if at++; u[at-1] == '\n' {
			return fields, at
		}
	}
}

// closing returns the unit behind the quote that closes the one at a unit, or −1 if none does: then the quote is
// an ordinary character.
func (t *Text) closing(at int, sep byte) int {
	u := t.units
	lines := 0
	for i := at + 1; i < len(u); i++ {
		switch {
		case u[i] == '\n':
			if lines++; lines > 100 {
				return -1
			}
		case u[i] != '"':
		case i+1 < len(u) && u[i+1] == '"':
			i++
		default:
			j := i + 1
			for j < len(u) && (u[j] == ' ' || u[j] == '\r') {
				j++
			}
			if j == len(u) || u[j] == sep || u[j] == '\n' {
				return i + 1
			}
			return -1
		}
	}
	return -1
}

// split takes the text apart into fields.
func (t *Text) split(sep byte) error {
	g := &Grid{Lines: []int{}}
	t.Grid = g
	if len(t.units) > math.MaxInt32 {
		return &formats.Error{File: t.File.Name, Want: i18n.T("too long")}
	}
	units := len(t.units)
	if k := len(bytes.TrimRight(t.units, "\x1a")); k < units { // the end mark of old DOS files
		t.units = t.units[:k]
	}
	fields, line := 0, 1
	var bad error
	for at := 0; at < len(t.units) && bad == nil; {
		var row []Field
		var spans []span
		_, next := t.record(at, sep, func(from, to int, quoted bool) {
			if fields++; budget.Fields.Passed(fields) || bad != nil {
				if bad == nil {
					bad = &formats.Error{File: t.File.Name, Line: line, Want: i18n.T("more than %d fields%s", budget.Fields.Max(), budget.Remedy())}
				}
				return
			}
			text, ok := t.text(from, to)
			if !ok {
				bad = &formats.Error{File: t.File.Name, Line: line, Want: records.Not(t.File.Encoding)}
				return
			}
			if quoted {
				text = strings.ReplaceAll(text[1:len(text)-1], `""`, `"`)
			}
			row = append(row, Field{Text: text, Quoted: quoted})
			spans = append(spans, span{int32(from), int32(to)})
		})
		if len(row) == 1 && !row[0].Quoted && strings.TrimSpace(row[0].Text) == "" {
			row, spans = nil, nil
		}
		g.Rows, t.span, g.Lines = append(g.Rows, row), append(t.span, spans), append(g.Lines, line)
		line += bytes.Count(t.units[at:next], []byte("\n"))
		at = next
	}
	return bad
}

// Book returns the file as a book of one grid.
func (t *Text) Book() *Book { return &Book{File: t.File, Grids: []*Grid{t.Grid}} }

// replace returns the file with new texts for the fields given as line:field, and every other byte unchanged.
// Quotes and blanks around a field stay. It fails if a field does not exist or the file's encoding lacks a
// character.
func (t *Text) replace(texts map[string]string) ([]byte, error) {
	type change struct {
		span
		text []byte
	}
	var all []change
	left := len(texts)
	for r, row := range t.Grid.Rows {
		for c := range row {
			if left == 0 {
				break
			}
			s, ok := texts[t.Grid.ref(r, c)]
			if !ok {
				continue
			}
			left--
			at := t.span[r][c]
			if f := row[c]; f.Quoted || s != "" && (strings.ContainsAny(s, "\"\r\n") || strings.Contains(s, t.File.Separator)) {
				s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
			} else { // keep blanks around it
				for at.from < at.to && t.units[at.from] == ' ' {
					at.from++
				}
				for at.to > at.from && t.units[at.to-1] == ' ' {
					at.to--
				}
			}
			b, ok := t.encode(s)
			if !ok {
				return nil, &formats.Error{File: t.File.Name, Line: t.Grid.Lines[r], Value: formats.Show(s), Want: i18n.T("the file's encoding, %s, has no such mark; choose another with --symbol", t.File.Encoding)}
			}
			all = append(all, change{at, b})
		}
	}
	if left > 0 {
		return nil, &formats.Error{File: t.File.Name, Want: i18n.T("%d of the fields to replace do not stand in the file", left)}
	}
	out := make([]byte, 0, len(t.raw)+8*len(all))
	done := 0
	for _, c := range all {
		out = append(out, t.raw[done:t.head+int(c.from)*t.unit]...)
		out = append(out, c.text...)
		done = t.head + int(c.to)*t.unit
	}
	return append(out, t.raw[done:]...), nil
}
