package xlsx

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/unpack"
)

// An archive is an open workbook with what all its sheets share. The cells of a sheet are read one by one.
type archive struct {
	p      *ooxml.Package
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
	text  int64 // bytes of the cells' texts, a shared string counted at each use
	cells int   // cells of the rectangles of sheets, including empty ones
	words int   // number of shared strings
}

func newRest(size int64) rest {
	cells := maxCells(size)
	return rest{size: size, text: unpack.Text(size), cells: cells, words: cells}
}

// A largeError is returned for a workbook that exceeds its budget.
type largeError struct{ what i18n.Text }

func (e *largeError) Error() string { return e.Message().String() }

func (e *largeError) Message() i18n.Text {
	return i18n.T("%s; save the sheet as CSV, if it is meant to hold as much%s", e.what, budget.Remedy())
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

// maxText is how many bytes a text may have; Excel allows 32,767 characters.
const maxText = 1 << 18

// errLong is returned for a text beyond the limit.
var errLong = i18n.New("a text longer than 256 KiB")

// openWorkbook reads the list of sheets, the shared strings and the styles.
func openWorkbook(raw []byte) (*archive, error) {
	p, err := ooxml.Open(raw)
	if err != nil {
		return nil, err
	}
	b := &archive{p: p, left: newRest(int64(len(raw)))}
	main := "xl/workbook.xml"
	top, err := p.Relations("")
	if err != nil {
		return nil, err
	}
	for _, r := range top {
		if r.Type == "officeDocument" {
			main = r.Target
		}
	}
	book, err := p.Parse(main)
	if err != nil {
		return nil, large(err)
	}
	of, err := p.Relations(main)
	if err != nil {
		return nil, large(err)
	}
	target := map[string]string{} // the part of each worksheet
	for _, r := range of {
		if r.Type == "worksheet" {
			target[r.ID] = r.Target
		}
	}
	for _, s := range book.Kid("sheets").Find("sheet") {
		b.sheets = append(b.sheets, sheet{s.Get("name"), target[s.Get("id")], s.Get("state")})
	}
	if len(b.sheets) == 0 {
		return nil, i18n.New("it has no sheets")
	}
	for _, d := range book.Kid("definedNames").Find("definedName") {
		b.named = append(b.named, DefinedName{Name: d.Get("name"), Refers: d.String()})
	}
	for _, r := range of {
		switch {
		case !p.Has(r.Target):
		case r.Type == "sharedStrings":
			err = b.readWords(r.Target)
		case r.Type == "styles":
			err = b.readStyles(r.Target)
		}
		if err != nil {
			return nil, large(err)
		}
	}
	return b, nil
}

// large turns the error that a workbook unpacks to too much into one that says what to do.
func large(err error) error {
	if e, is := errors.AsType[*unpack.TooLargeError](err); is {
		return &largeError{i18n.T("%s", e)}
	}
	return err
}

// A reader takes the pieces of a part: the starts and ends of elements, and texts.
type reader struct {
	start func(ooxml.Token) error
	end   func(local string) error
	text  func(string) error
}

// read passes the pieces of a part to to, until the end or an error.
func (b *archive) read(part string, to reader) error {
	raw, err := b.p.Read(part)
	if err != nil {
		return large(err)
	}
	l, err := ooxml.NewLexer(raw)
	if err != nil {
		return err
	}
	for {
		t, err := l.Next()
		if err != nil {
			return err
		}
		switch t.Kind {
		case ooxml.EOF:
			return nil
		case ooxml.Start:
			if err = to.start(t); err == nil && t.Empty {
				err = to.end(ooxml.Local(t.Name))
			}
		case ooxml.End:
			err = to.end(ooxml.Local(t.Name))
		case ooxml.Chars:
			if !utf8.ValidString(t.Text) || strings.ContainsFunc(t.Text, unfit) {
				return errDamaged
			}
			err = to.text(t.Text)
		}
		if err != nil {
			return err
		}
	}
}

// readWords reads the shared strings: for each the text of all its runs, without the notes on the pronunciation
// of Japanese words.
func (b *archive) readWords(part string) error {
	var word strings.Builder
	text, raised, reading := false, false, 0
	err := b.read(part, reader{func(t ooxml.Token) error {
		switch ooxml.Local(t.Name) {
		case "si":
			word.Reset()
		case "r":
			raised = false
		case "vertAlign":
			raised = attributeOf(t, "val") == "superscript"
		case "rPh":
			reading++
		case "t":
			text = reading == 0
		}
		return nil
	}, func(local string) error {
		switch local {
		case "si":
			b.words = append(b.words, unescape(word.String()))
			return b.left.takeWord()
		case "r":
			raised = false
		case "rPh":
			reading--
		case "t":
			text = false
		}
		return nil
	}, func(s string) error {
		if text {
			word.WriteString(shownAs(s, raised))
		}
		if word.Len() > maxText {
			return errLong
		}
		return nil
	}})
	if err != nil {
		return i18n.Errorf("part %s: %w", part, err)
	}
	return nil
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
	root, err := b.p.Parse(part)
	if err != nil {
		return err
	}
	bad := false
	number := func(n *ooxml.Node, attribute string) int {
		v, err := strconv.Atoi(strings.TrimSpace(cmp.Or(n.Get(attribute), "0")))
		bad = bad || err != nil
		return v
	}
	custom, code := map[int]bool{}, map[int]string{3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%"}
	for _, f := range root.Kid("numFmts").Find("numFmt") {
		id := number(f, "numFmtId")
		custom[id], code[id] = dateCode(f.Get("formatCode")), f.Get("formatCode")
	}
	fonts := root.Kid("fonts").Find("font")
	for _, c := range root.Kid("cellXfs").Find("xf") {
		n, font := number(c, "numFmtId"), number(c, "fontId")
		date := n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58 || custom[n]
		b.date = append(b.date, date)
		look := Style{Format: code[n], Date: date}
		if font >= 0 && font < len(fonts) {
			f := fonts[font].Kid("b")
			look.Bold = f != nil && f.Get("val") != "0" && f.Get("val") != "false"
		}
		if align := c.Kid("alignment"); align != nil {
			look.Indent, look.Align = number(align, "indent"), align.Get("horizontal")
		}
		b.looks = append(b.looks, look)
	}
	if bad {
		return i18n.Errorf("part %s: %w", part, errDamaged)
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
