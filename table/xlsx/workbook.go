package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
)

// An archive is an open workbook, read part by part: a sheet is streamed and never held in
// memory, which a library that can also change sheets would have to do.
type archive struct {
	parts  map[string]*zip.File
	sheets []sheet
	words  []string // shared strings
	date   []bool   // by style of a cell
}

// A sheet is a tab of the workbook; no part where it is no sheet of cells.
type sheet struct{ name, part string }

// errTooLarge is a part that unpacks to more than maxUnzip bytes.
var errTooLarge = errors.New("it unpacks to more than 2 GiB")

// openWorkbook reads the list of sheets, the shared strings and the styles.
func openWorkbook(raw []byte) (*archive, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	b := &archive{parts: map[string]*zip.File{}}
	for _, f := range z.File {
		b.parts[strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/")] = f
	}
	var book struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	main := "xl/workbook.xml"
	top, err := b.relations("")
	if err != nil {
		return nil, err
	}
	for _, r := range top {
		if strings.HasSuffix(r.Type, "/officeDocument") {
			main = r.part("")
		}
	}
	if err := b.unmarshal(main, &book); err != nil {
		return nil, err
	}
	if len(book.Sheets) == 0 {
		return nil, errors.New("it has no sheets")
	}
	of, err := b.relations(main)
	if err != nil {
		return nil, err
	}
	for _, s := range book.Sheets {
		add := sheet{name: s.Name}
		for _, r := range of {
			if r.ID == s.ID && strings.HasSuffix(r.Type, "/worksheet") {
				add.part = r.part(main)
			}
		}
		b.sheets = append(b.sheets, add)
	}
	for _, r := range of {
		switch {
		case b.parts[r.part(main)] == nil:
		case strings.HasSuffix(r.Type, "/sharedStrings"):
			err = b.readWords(r.part(main))
		case strings.HasSuffix(r.Type, "/styles"):
			err = b.readStyles(r.part(main))
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

// A relation names a part that another uses.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// part is the name of the target, which part from names.
func (r *relation) part(from string) string {
	if target, ok := strings.CutPrefix(r.Target, "/"); ok {
		return path.Clean(target)
	}
	return path.Join(path.Dir(from), r.Target)
}

// relations returns those of a part, none without such.
func (b *archive) relations(part string) ([]relation, error) {
	name := path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	if part == "" {
		name = "_rels/.rels"
	}
	if b.parts[name] == nil {
		return nil, nil
	}
	var all struct {
		Of []relation `xml:"Relationship"`
	}
	err := b.unmarshal(name, &all)
	return all.Of, err
}

// open returns a reader of a part that ends with an error beyond maxUnzip bytes.
func (b *archive) open(part string) (io.ReadCloser, error) {
	f := b.parts[part]
	if f == nil {
		return nil, fmt.Errorf("it has no part %s", part)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("part %s: %w", part, err)
	}
	return &limited{r, maxUnzip}, nil
}

type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

func (b *archive) unmarshal(part string, to any) error {
	r, err := b.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := xml.NewDecoder(r).Decode(to); err != nil {
		return fmt.Errorf("part %s: %w", part, err)
	}
	return nil
}

// readWords reads the shared strings: the runs of each joined, without the readings that
// stand beside Japanese words.
func (b *archive) readWords(part string) error {
	r, err := b.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	var word strings.Builder
	text, reading := false, 0
	for {
		t, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("part %s: %w", part, err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "si":
				word.Reset()
			case "rPh":
				reading++
			case "t":
				text = reading == 0
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "si":
				b.words = append(b.words, unescape(word.String()))
			case "rPh":
				reading--
			case "t":
				text = false
			}
		case xml.CharData:
			if text {
				word.Write(t)
			}
		}
	}
}

// unescape replaces _x000D_ and the like, as which characters stand that XML cannot hold.
func unescape(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "_x")
		if i < 0 || len(s) < i+7 {
			return b.String() + s
		}
		if v, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil && s[i+6] == '_' {
			b.WriteString(s[:i])
			b.WriteRune(rune(v))
			s = s[i+7:]
		} else {
			b.WriteString(s[:i+2])
			s = s[i+2:]
		}
	}
}

// readStyles notes which styles show numbers as dates or times.
func (b *archive) readStyles(part string) error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := b.unmarshal(part, &styles); err != nil {
		return err
	}
	custom := map[int]string{}
	for _, f := range styles.Formats {
		custom[f.ID] = f.Code
	}
	for _, c := range styles.Cells {
		n := c.Format
		b.date = append(b.date, n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58 || dateCode(custom[n]))
	}
	return nil
}

// dateCode reports whether a number format has years, months, days, hours or seconds.
func dateCode(code string) bool {
	quoted := false
	for _, r := range strings.ToLower(code) {
		switch {
		case r == '"' || r == '[' || r == ']': // [Red] and the like are no dates
			quoted = !quoted
		case !quoted && strings.ContainsRune("ymdhs年月日", r):
			return true
		}
	}
	return false
}

// A cell is what a sheet holds at one place.
type cell struct {
	text    string
	number  bool // not text, an error or a truth value
	date    bool
	formula bool
}

// maxColumns is Excel's limit.
const maxColumns = 1 << 14

// errDamaged is a sheet whose parts contradict each other.
var errDamaged = errors.New("a cell without a valid place or text")

// each calls do with every row of a sheet in order, empty ones included; row is from 1, and
// cells are valid until the next call. do ends it without an error by io.EOF. It
// returns the merged cells, as A1:B2, unless it was ended.
func (b *archive) each(part string, do func(row int, cells []cell) error) (merged []string, err error) {
	r, err := b.open(part)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	var cells []cell
	var text []byte
	row, column := 0, 0 // of the current ones
	kind, style := "", 0
	inText, inSheet, reading := false, false, 0
	emit := func(next int) error { // the row before, and empty ones up to next
		for ; row < next; row++ {
			if row > 0 {
				if err := do(row, cells); err != nil {
					return err
				}
			}
			cells = cells[:0]
		}
		return nil
	}
	for {
		t, err := d.RawToken()
		if err == io.EOF && inSheet {
			return nil, io.ErrUnexpectedEOF
		}
		if err == io.EOF {
			return merged, end(emit(row + 1))
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "sheetData":
				inSheet = true
			case "row":
				next := row + 1
				if s := attribute(t, "r"); s != "" {
					if next, err = strconv.Atoi(s); err != nil || next <= row || next > maxRows {
						return nil, errDamaged
					}
				}
				if err := emit(next); err != nil {
					return nil, end(err)
				}
				column = 0
			case "c":
				column++
				if s := attribute(t, "r"); s != "" {
					var at int
					if column, at, err = place(s); err != nil || at != row {
						return nil, errDamaged
					}
				}
				if column > maxColumns || column <= len(cells) || row == 0 {
					return nil, errDamaged
				}
				for len(cells) < column {
					cells = append(cells, cell{})
				}
				kind, style, text = attribute(t, "t"), 0, text[:0]
				if s := attribute(t, "s"); s != "" {
					if style, err = strconv.Atoi(s); err != nil {
						return nil, errDamaged
					}
				}
			case "f":
				if len(cells) > 0 && inSheet {
					cells[len(cells)-1].formula = true
				}
			case "v", "t":
				inText = inSheet && reading == 0
			case "rPh": // how to read a Japanese word
				reading++
			case "mergeCell":
				merged = append(merged, attribute(t, "ref"))
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "sheetData":
				inSheet = false
			case "v", "t":
				inText = false
			case "rPh":
				reading--
			case "c":
				if len(cells) == 0 {
					return nil, errDamaged
				}
				if err := b.finish(&cells[len(cells)-1], string(text), kind, style); err != nil {
					return nil, err
				}
			}
		case xml.CharData:
			if inText {
				text = append(text, t...)
			}
		}
	}
}

// end is the error of one that ends by io.EOF.
func end(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// finish gives a cell its text.
func (b *archive) finish(c *cell, text, kind string, style int) error {
	c.text = text
	switch kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 || n >= len(b.words) {
			return errDamaged
		}
		c.text = b.words[n]
	case "str", "inlineStr":
		c.text = unescape(text)
	case "b":
		c.text = map[string]string{"1": "TRUE", "0": "FALSE"}[text]
	case "d":
		c.date = true
	case "", "n":
		c.number = true
		c.date = text != "" && style >= 0 && style < len(b.date) && b.date[style]
	}
	return nil
}

// attribute returns an attribute without a name space.
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// place reads AB12.
func place(s string) (column, row int, err error) {
	k := 0
	for ; k < len(s) && s[k] >= 'A' && s[k] <= 'Z' && k < 4; k++ {
		column = column*26 + int(s[k]-'A') + 1
	}
	if row, err = strconv.Atoi(s[k:]); err != nil || k == 0 {
		return 0, 0, errDamaged
	}
	return column, row, nil
}

// placeName is the inverse of place.
func placeName(column, row int) string {
	var name []byte
	for ; column > 0; column = (column - 1) / 26 {
		name = append(name, 'A'+byte((column-1)%26))
	}
	slices.Reverse(name)
	return string(name) + strconv.Itoa(row)
}
