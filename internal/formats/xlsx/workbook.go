package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/unpack"
)

// An archive is an open workbook that is read part by part. Sheets are streamed and never held in memory; a
// library that can also change sheets would have to hold them.
type archive struct {
	parts  map[string]*zip.File
	left   rest
	sheets []sheet
	words  []string // the shared strings
	date   []bool   // for each cell style, whether it shows dates or times
	looks  []Style  // the formatting of each cell style
	named  []DefinedName
}

// A sheet is a tab of the workbook; part is empty if it is not a worksheet.
type sheet struct{ name, part, state string }

// A rest is how much may still be read of a workbook, counted over all its parts.
type rest struct {
	size  int64 // size of the file
	bytes int64 // unpacked bytes
	text  int64 // bytes of the cells' texts, a shared string counted at each use
	cells int   // cells of the rectangles of sheets, including empty ones
	words int   // number of shared strings
}

func newRest(size int64) rest {
	cells := maxCells(size)
	return rest{size: size, bytes: unpack.Text(size), text: unpack.Text(size), cells: cells, words: cells}
}

// A largeError is returned for a workbook that exceeds its budget.
type largeError struct{ what i18n.Text }

func (e *largeError) Error() string { return e.Message().String() }

func (e *largeError) Message() i18n.Text {
	return i18n.T("%s; save the sheet as CSV, if it is meant to hold as much%s", e.what, budget.Remedy())
}

func (b *rest) takeBytes(n int) error {
	if b.bytes -= int64(n); b.bytes < 0 {
		return &largeError{i18n.T("%s", (&unpack.TooLargeError{Size: b.size}))}
	}
	return nil
}

// takeRow counts a row of so many cells, with n bytes of text in the file, against the budget.
func (b *rest) takeRow(cells, n int) error {
	if b.cells -= cells; b.cells < 0 {
		return &largeError{i18n.T("a sheet of more than %d cells, counted with those left out, in a file of %d bytes", maxCells(b.size), b.size)}
	}
	if b.text -= int64(n); b.text < 0 {
		return &largeError{i18n.T("a sheet of more than %d bytes of text in a file of %d bytes", unpack.Text(b.size), b.size)}
	}
	return nil
}

func (b *rest) takeWord() error {
	if b.words--; b.words < 0 {
		return &largeError{i18n.T("more than %d shared strings in a file of %d bytes", maxCells(b.size), b.size)}
	}
	return nil
}

// maxCells returns how many cells a workbook of that size may have.
func maxCells(size int64) int { return min(int(budget.Cells.Max()), unpack.Cells(size, 1)) }

const (
	maxText  = 1 << 18  // bytes of a text; Excel allows 32,767 characters
	maxToken = 1 << 20  // bytes of a tag or text, before character references are resolved
	maxSmall = 32 << 20 // bytes of a part with lists of sheets, relationships or styles
)

// errLong is returned for a tag or text beyond the limits.
var errLong = i18n.New("a text longer than 256 KiB")

// openWorkbook reads the list of sheets, the shared strings and the styles.
func openWorkbook(raw []byte) (*archive, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	b := &archive{parts: map[string]*zip.File{}, left: newRest(int64(len(raw)))}
	for _, f := range z.File {
		b.parts[strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/")] = f
	}
	var book struct {
		Sheets []struct {
			Name  string `xml:"name,attr"`
			ID    string `xml:"id,attr"`
			State string `xml:"state,attr"`
		} `xml:"sheets>sheet"`
		Named []DefinedName `xml:"definedNames>definedName"`
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
		return nil, i18n.New("it has no sheets")
	}
	of, err := b.relations(main)
	if err != nil {
		return nil, err
	}
	target := map[string]string{} // the part of each worksheet
	for _, r := range of {
		if strings.HasSuffix(r.Type, "/worksheet") {
			target[r.ID] = r.part(main)
		}
	}
	for _, s := range book.Sheets {
		b.sheets = append(b.sheets, sheet{s.Name, target[s.ID], s.State})
	}
	b.named = book.Named
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

// A relation is a reference from one part to another.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// part returns the name of its target, for a relation of the part from.
func (r *relation) part(from string) string {
	if target, ok := strings.CutPrefix(r.Target, "/"); ok {
		return path.Clean(target)
	}
	return path.Join(path.Dir(from), r.Target)
}

// relations returns those of a part, none if it has none.
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

// A part is a part open for reading. Reading fails when the budget or the part's own limit is exceeded, or
// within a tag or text longer than maxToken.
type part struct {
	io.ReadCloser
	left  *rest
	most  int64 // bytes that may still be read
	token int   // bytes read since the last token
}

// open opens a part that may unpack to at most most bytes.
func (b *archive) open(name string, most int64) (*part, error) {
	f := b.parts[name]
	if f == nil {
		return nil, i18n.Errorf("it has no part %s", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, i18n.Errorf("part %s: %w", name, err)
	}
	return &part{ReadCloser: r, left: &b.left, most: most}, nil
}

func (p *part) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.most -= int64(n)
	p.token += n
	switch {
	case p.most < 0:
		return 0, i18n.Errorf("it unpacks to more than %d MiB", maxSmall>>20)
	case p.token > maxToken && p.most > maxSmall:
		return 0, errLong
	}
	if err := p.left.takeBytes(n); err != nil {
		return 0, err
	}
	return n, err
}

// tokens returns a function that reads the next token.
func (p *part) tokens() func() (xml.Token, error) {
	d := xml.NewDecoder(p)
	return func() (xml.Token, error) {
		p.token = 0
		return d.RawToken()
	}
}

func (b *archive) unmarshal(name string, to any) error {
	r, err := b.open(name, maxSmall)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := xml.NewDecoder(r).Decode(to); err != nil {
		return i18n.Errorf("part %s: %w", name, err)
	}
	return nil
}

// readWords reads the shared strings: for each the text of all its runs, without the notes on the pronunciation
// of Japanese words.
func (b *archive) readWords(part string) error {
	r, err := b.open(part, math.MaxInt64)
	if err != nil {
		return err
	}
	defer r.Close()
	next := r.tokens()
	var word strings.Builder
	text, raised, reading := false, false, 0
	for {
		t, err := next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return i18n.Errorf("part %s: %w", part, err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "si":
				word.Reset()
			case "r":
				raised = false
			case "vertAlign":
				raised = attribute(t, "val") == "superscript"
			case "rPh":
				reading++
			case "t":
				text = reading == 0
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "si":
				if err := b.left.takeWord(); err != nil {
					return err
				}
				b.words = append(b.words, unescape(word.String()))
			case "r":
				raised = false
			case "rPh":
				reading--
			case "t":
				text = false
			}
		case xml.CharData:
			if text {
				word.WriteString(shownAs(string(t), raised))
			}
			if word.Len() > maxText {
				return i18n.Errorf("part %s: %w", part, errLong)
			}
		}
	}
}

var high = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "(", "⁽", ")", "⁾")

// shownAs returns the text of a run, in which digits and brackets of superscript text become superscript
// characters: with footnote 3, a 5 must not become 53.
func shownAs(s string, raised bool) string {
	if !raised {
		return s
	}
	return high.Replace(s)
}

// unescape resolves _x000D_ and the like, which stand for characters that XML does not allow.
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

// readStyles finds which styles show numbers as dates or times, and their formatting.
func (b *archive) readStyles(part string) error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Fonts []struct {
			Bold *struct {
				Value string `xml:"val,attr"`
			} `xml:"b"`
		} `xml:"fonts>font"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
			Font   int `xml:"fontId,attr"`
			Align  struct {
				Indent     int    `xml:"indent,attr"`
				Horizontal string `xml:"horizontal,attr"`
			} `xml:"alignment"`
		} `xml:"cellXfs>xf"`
	}
	if err := b.unmarshal(part, &styles); err != nil {
		return err
	}
	custom, code := map[int]bool{}, map[int]string{3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%"}
	for _, f := range styles.Formats {
		custom[f.ID], code[f.ID] = dateCode(f.Code), f.Code
	}
	for _, c := range styles.Cells {
		n := c.Format
		date := n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58 || custom[n]
		b.date = append(b.date, date)
		bold := false
		if c.Font >= 0 && c.Font < len(styles.Fonts) {
			f := styles.Fonts[c.Font].Bold
			bold = f != nil && f.Value != "0" && f.Value != "false"
		}
		b.looks = append(b.looks, Style{Indent: c.Align.Indent, Bold: bold, Format: code[n], Date: date, Align: c.Align.Horizontal})
	}
	return nil
}

// dateCode reports whether a number format shows years, months, days, hours or seconds.
func dateCode(code string) bool {
	quoted := false
	for _, r := range strings.ToLower(code) {
		switch {
		case r == '"' || r == '[' || r == ']': // [Red] and the like are not dates
			quoted = !quoted
		case !quoted && strings.ContainsRune("ymdhs年月日", r):
			return true
		}
	}
	return false
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

// place parses an address such as AB12.
func place(s string) (column, row int, err error) {
	row, column, ok := ooxml.Cell(s)
	if !ok {
		return 0, 0, errDamaged
	}
	return column, row, nil
}

// placeName is the inverse of place.
func placeName(column, row int) string { return ooxml.CellName(row, column) }
