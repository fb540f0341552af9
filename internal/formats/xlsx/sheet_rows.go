package xlsx

import (
	"io"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A cell is the content of a sheet at one place.
type cell struct {
	text    string
	number  bool // not a text, an error or a truth value
	date    bool
	formula bool
	stored  bool // the file has the result of the formula
	style   int
	says    string // the formula, without its =
	shared  string // number of the formula that it shares, empty if it has its own
}

// maxColumns is Excel's limit.
const maxColumns = 1 << 14

// errDamaged is returned for a sheet whose parts contradict each other.
var errDamaged = i18n.New("a cell without a valid place or text")

// each calls do with every row of a sheet in order, including empty ones. row counts from 1; cells end with one
// that is not empty, and are valid until the next call. do can end it without an error by returning io.EOF.
// Otherwise each returns the first merged cells, in the form A1:B2. Other facts of the sheet are stored in
// also, unless it is nil.
func (b *archive) each(part string, also *facts, do func(row int, cells []cell) error) (merged string, err error) {
	if also == nil {
		also = &facts{}
	}
	s := sheetReader{b: b, do: do, also: also}
	if err := b.read(part, reader{s.startElement, s.endElement, s.addText}); err != nil {
		return "", end(err)
	}
	return s.merged, end(s.rowsBefore(s.row + 1))
}

// A sheetReader is the state of each while it reads the XML of a sheet.
type sheetReader struct {
	b      *archive
	do     func(row int, cells []cell) error
	also   *facts
	merged string

	row, column     int    // current position
	cells           []cell // cells of the current row
	now             cell
	kind            string // attributes t and s of the current cell
	style           int
	text            []byte // text of the current cell
	inSheet, inCell bool
	lost            bool // the current cell has no valid address
	inText          bool
	inFormula       bool
	raised          bool // within superscript text
	reading         int  // depth within notes on the pronunciation of a Japanese word
}

// rowsBefore passes the last row that was read, and the empty rows after it up to next, to do.
func (s *sheetReader) rowsBefore(next int) error {
	for ; s.row < next; s.row++ {
		if s.row > 0 {
			if err := s.do(s.row, s.cells); err != nil {
				return err
			}
		}
		s.cells = s.cells[:0]
	}
	return nil
}

// addText takes a text, which belongs to a value or a formula or is of no use.
func (s *sheetReader) addText(text string) error {
	if s.inText {
		s.text = append(s.text, shownAs(text, s.raised)...)
	}
	if s.inFormula && s.also.formulas {
		s.now.says += text
	}
	if len(s.text) > maxText || len(s.now.says) > maxText {
		return errLong
	}
	return nil
}

func (s *sheetReader) startElement(t ooxml.Token) error {
	switch ooxml.Local(t.Name) {
	case "sheetData":
		s.inSheet = true
	case "row":
		if err := s.startRow(attributeOf(t, "r")); err != nil {
			return err
		}
		if isTrue(attributeOf(t, "hidden")) {
			s.also.hiddenRows = append(s.also.hiddenRows, s.row)
		}
	case "col":
		if !s.inSheet && isTrue(attributeOf(t, "hidden")) {
			s.also.hideColumns(attributeOf(t, "min"), attributeOf(t, "max"))
		}
	case "tablePart":
		for _, a := range t.Attrs {
			if ooxml.Local(a.Name) == "id" {
				s.also.tables = append(s.also.tables, a.Value)
			}
		}
	case "c":
		return s.startCell(t)
	case "f":
		s.now.formula, s.inFormula = true, s.inCell
		if attributeOf(t, "t") == "shared" {
			s.now.shared = attributeOf(t, "si")
		}
	case "v", "t":
		s.now.stored = true
		s.inText = s.inSheet && s.reading == 0
	case "r":
		s.raised = false
	case "vertAlign":
		s.raised = attributeOf(t, "val") == "superscript"
	case "rPh":
		s.reading++
	case "mergeCell":
		if s.merged == "" {
			s.merged = attributeOf(t, "ref")
		}
		if s.also.merged = append(s.also.merged, attributeOf(t, "ref")); budget.Merged.Passed(len(s.also.merged)) {
			return &largeError{i18n.T("a sheet of more than %d merged ranges", budget.Merged.Max())}
		}
	}
	return nil
}

// startRow moves to the row with that number, or to the next one if number is empty.
func (s *sheetReader) startRow(number string) error {
	next := s.row + 1
	if number != "" {
		var err error
		if next, err = strconv.Atoi(number); err != nil || next <= s.row || next > maxRows {
			return errDamaged
		}
	}
	s.column = 0
	return s.rowsBefore(next)
}

// nowhere reports whether the address of a cell is invalid. A certain library writes one for an empty cell
// beyond the last column.
func nowhere(at string) bool {
	_, _, ok := ooxml.Cell(at)
	return at != "" && !ok
}

func (s *sheetReader) startCell(t ooxml.Token) error {
	before := s.column
	s.column++
	at := attributeOf(t, "r")
	if s.lost = s.row > 0 && nowhere(at); s.lost { // this becomes an error if the cell is not empty
		s.now, s.inCell, s.column = cell{}, true, before
		s.kind, s.style, s.text = "", 0, s.text[:0]
		return nil
	}
	if at != "" {
		var row int
		var err error
		if s.column, row, err = place(at); err != nil || row != s.row {
			return errDamaged
		}
	}
	if s.column > maxColumns || s.column <= before || s.row == 0 {
		return errDamaged
	}
	s.now, s.inCell = cell{}, true
	s.kind, s.style, s.text = attributeOf(t, "t"), 0, s.text[:0]
	if style := attributeOf(t, "s"); style != "" {
		var err error
		if s.style, err = strconv.Atoi(style); err != nil {
			return errDamaged
		}
	}
	return nil
}

func (s *sheetReader) endElement(element string) error {
	switch element {
	case "sheetData":
		s.inSheet = false
	case "v", "t":
		s.inText = false
	case "f":
		s.inFormula = false
	case "r":
		s.raised = false
	case "rPh":
		s.reading--
	case "c":
		return s.endCell()
	}
	return nil
}

// endCell adds the current cell to its row, unless it is empty.
func (s *sheetReader) endCell() error {
	if !s.inCell {
		return errDamaged
	}
	s.inCell = false
	if s.lost {
		if s.now.formula || s.now.stored || len(s.text) > 0 {
			return errDamaged
		}
		return nil
	}
	if err := s.b.finish(&s.now, string(s.text), s.kind, s.style); err != nil {
		return err
	}
	if s.now.stored = s.now.text != "" || s.now.stored && !s.now.number; s.now.text == "" && !s.now.formula {
		return nil
	}
	for len(s.cells) < s.column-1 {
		s.cells = append(s.cells, cell{})
	}
	s.cells = append(s.cells, s.now)
	return nil
}

// facts are what a sheet contains apart from its cells; formulas asks for the texts of formulas, too.
type facts struct {
	formulas      bool
	merged        []string
	hiddenRows    []int
	hiddenColumns []int
	tables        []string // relationships to table objects
}

func isTrue(s string) bool { return s == "1" || s == "true" }

func (f *facts) hideColumns(first, last string) {
	a, err := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil {
		return
	}
	for c := max(a, 1); c <= b && c <= maxColumns; c++ {
		f.hiddenColumns = append(f.hiddenColumns, c)
	}
}

// end turns io.EOF, by which a caller stops reading, into nil.
func end(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// finish sets the text of a cell.
func (b *archive) finish(c *cell, text, kind string, style int) error {
	c.text, c.style = text, style
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
