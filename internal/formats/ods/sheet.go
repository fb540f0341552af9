package ods

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/unpack"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A sheet is a table of the spreadsheet.
type sheet struct {
	*ooxml.Node
	f      *File
	v      *voice
	name   string
	number int
	hidden bool

	columns  []column
	rows     []row   // rows with cells that are not empty
	spare    []field // memory for the cells of a row while it is read
	next     int     // number of the next row, from 1
	data     bytes.Buffer
	merged   strings.Builder
	comments strings.Builder
	rules    strings.Builder
}

// A column stands for one or more columns that are alike, up to number last.
type column struct {
	last   int
	style  string
	hidden bool
}

// A row is an element that stands for one or more rows that are alike.
type row struct {
	first, times int
	from, to     int
	cells        []field
	style        string
	hidden       bool
}

// A field is an element that stands for one or more adjacent cells of a row that are alike and not empty.
type field struct {
	first, times int
	from, to     int
	style        string
	kind         string // type of the value
	value        string
	formula      string
	errors       bool   // the value is an error
	array        [2]int // number of rows and columns that the formula fills
	span         [2]int // number of rows and columns that are merged
	text         string // its paragraphs
	told         bool   // it has a text as its value, apart from its paragraphs
	rich         bool   // it contains more than paragraphs
	bare         bool   // a copy drops its paragraphs, as they tell more than its value does
}

// read reads the sheet.
func (s *sheet) read() error {
	if s.Body == s.To { // the sheet is empty
		return nil
	}
	s.next = 1
	l := ooxml.LexerAt(s.f.raw, s.From)
	if _, err := l.Next(); err != nil {
		return err
	}
	var r *row
	for depth := 1; depth > 0; {
		t, err := l.Next()
		if err != nil {
			return err
		}
		switch t.Kind {
		case ooxml.Comment, ooxml.Other:
			s.f.remarks = append(s.f.remarks, place{content, t.From, t.To})
		case ooxml.End:
			depth--
			if r != nil && ooxml.Local(t.Name) == "table-row" {
				r.to = t.To
				if err := s.endRow(r); err != nil {
					return err
				}
				r = nil
			}
		case ooxml.Start:
			switch local := ooxml.Local(t.Name); {
			case local == "table-columns", local == "table-header-columns", local == "table-column-group", local == "table-rows", local == "table-header-rows", local == "table-row-group":
			case local == "table-column":
				s.column(t)
			case local == "table-row":
				if r != nil {
					return errDamaged
				}
				if r = s.startRow(t); t.Empty {
					s.next += r.times
					r = nil
				}
			case (local == "table-cell" || local == "covered-table-cell") && r != nil:
				if err := s.cell(l, t, r); err != nil {
					return err
				}
				continue
			case local == "table-cell" || local == "covered-table-cell" || r != nil:
				return errDamaged
			default:
				to, err := l.Skip(t)
				if err != nil {
					return err
				}
				n, err := ooxml.ParseIn(s.f.raw, t.From, to, &s.f.nodes)
				if err != nil {
					return err
				}
				s.v.sheet = s
				s.f.walk(s.v, n)
				s.v.sheet = nil
				continue
			}
			if !t.Empty {
				depth++
			}
		}
	}
	return nil
}

func get(t ooxml.Token, local string) string {
	for _, a := range t.Attrs {
		if ooxml.Local(a.Name) == local && !strings.HasPrefix(a.Name, "xmlns") {
			return a.Value
		}
	}
	return ""
}

// times reads a number of repetitions.
func times(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 1<<24)
}

func unseen(visibility string) bool { return visibility == "collapse" || visibility == "filter" }

func (s *sheet) column(t ooxml.Token) {
	last := 0
	if len(s.columns) > 0 {
		last = s.columns[len(s.columns)-1].last
	}
	s.columns = append(s.columns, column{min(last+times(get(t, "number-columns-repeated")), 1<<24), get(t, "default-cell-style-name"), unseen(get(t, "visibility"))})
}

func (s *sheet) startRow(t ooxml.Token) *row {
	return &row{cells: s.spare[:0], first: s.next, times: times(get(t, "number-rows-repeated")), from: t.From, to: t.To, style: get(t, "default-cell-style-name"), hidden: unseen(get(t, "visibility"))}
}

// cell reads the cell that begins with t.
func (s *sheet) cell(l *ooxml.Lexer, t ooxml.Token, r *row) error {
	c := field{first: 1, times: 1, from: t.From, to: t.To}
	if n := len(r.cells); n > 0 {
		c.first = r.cells[n-1].first + r.cells[n-1].times
	}
	for _, a := range t.Attrs {
		switch ooxml.Local(a.Name) {
		case "number-columns-repeated":
			c.times = times(a.Value)
		case "style-name":
			c.style = a.Value
		case "value-type":
			c.errors = c.errors || a.Value == "error"
			if !strings.HasPrefix(a.Name, "calcext:") {
				c.kind = a.Value
			}
		case "value", "date-value", "time-value", "boolean-value":
			c.value = a.Value
		case "string-value":
			c.value, c.told = a.Value, true
		case "formula":
			c.formula = a.Value
		case "number-matrix-rows-spanned":
			c.array[0] = times(a.Value)
		case "number-matrix-columns-spanned":
			c.array[1] = times(a.Value)
		case "number-rows-spanned":
			c.span[0] = times(a.Value)
		case "number-columns-spanned":
			c.span[1] = times(a.Value)
		}
	}
	if !t.Empty {
		if err := s.inside(l, &c); err != nil {
			return err
		}
	}
	if s.f.elements--; s.f.elements < 0 {
		return s.f.large(i18n.T("a sheet of more than %d cells, counted with those left out, in a file of %d bytes", unpack.Cells(s.f.size, 2), s.f.size))
	}
	r.cells = append(r.cells, c)
	return nil
}

// inside reads the content of a cell.
func (s *sheet) inside(l *ooxml.Lexer, c *field) error {
	var text strings.Builder
	paragraphs, other := 0, 0 // other: depth within an element that is no paragraph
	for depth := 1; depth > 0; {
		t, err := l.Next()
		if err != nil {
			return err
		}
		switch t.Kind {
		case ooxml.Comment, ooxml.Other:
			s.f.remarks = append(s.f.remarks, place{content, t.From, t.To})
		case ooxml.Chars:
			if depth > 1 && other == 0 {
				text.WriteString(t.Text)
			}
		case ooxml.Start:
			local := ooxml.Local(t.Name)
			switch {
			case local == "table":
				return errNested
			case other > 0:
			case depth == 1 && local == "p":
				if paragraphs++; paragraphs > 1 {
					text.WriteByte('\n')
				}
			case depth == 1:
				c.rich = true
				if !t.Empty {
					other = depth
				}
			default:
				text.WriteString(blank(local, get(t, "c")))
				c.rich = c.rich || len(t.Attrs) > 0 && local != "s" && local != "span"
			}
			if !t.Empty {
				depth++
			}
		case ooxml.End:
			if depth--; depth == other {
				other = 0
			}
			c.to = t.To
		}
		if int64(text.Len()) > maxText {
			return errLong
		}
	}
	c.text = text.String()
	return nil
}

const maxText = 1 << 18

var errLong = i18n.New("a text longer than 256 KiB")

// blank returns the text that an element without text of its own stands for.
func blank(local, count string) string {
	switch local {
	case "s":
		return strings.Repeat(" ", min(times(count), 1000))
	case "tab":
		return "\t"
	case "line-break":
		return "\n"
	}
	return ""
}

// endRow writes the cells of a row, each as often as it is repeated.
func (s *sheet) endRow(r *row) error {
	s.next += r.times
	s.spare = r.cells
	last := 0
	for k := range r.cells {
		c := &r.cells[k]
		if c.rich {
			if err := s.beside(r, c); err != nil {
				return err
			}
		}
		if c.span[0]*c.span[1] > 1 {
			s.merged.WriteString(`<mergeCell ref="` + ooxml.CellName(r.first, c.first) + ":" + ooxml.CellName(r.first+c.span[0]-1, c.first+c.span[1]-1) + `"/>`)
		}
		if c.value != "" || c.formula != "" || c.text != "" {
			last = k + 1
		}
	}
	if r.cells = r.cells[:last]; last == 0 {
		return nil
	}
	end := r.cells[last-1]
	if r.first+r.times-1 > ooxml.MaxRows || end.first+end.times-1 > ooxml.MaxColumns {
		return i18n.Errorf("row %d: a cell beyond row %d or column %d", r.first, ooxml.MaxRows, ooxml.MaxColumns)
	}
	r.cells = slices.Clone(slices.DeleteFunc(r.cells, func(c field) bool { return c.value == "" && c.formula == "" && c.text == "" }))
	texts := make([]string, len(r.cells))
	for k := range r.cells {
		c := &r.cells[k]
		var err error
		if texts[k], err = s.written(c); err != nil {
			return i18n.Errorf("cell %s: %w", ooxml.CellName(r.first, c.first), err)
		}
		c.value, c.text = "", ""
		for j := range c.times {
			if err := s.f.take(r.times, r.times*(len(texts[k])+len(c.formula))); err != nil {
				return i18n.Errorf("cell %s: %w", ooxml.CellName(r.first, c.first+j), err)
			}
		}
	}
	for i := range r.times {
		s.data.WriteString(`<row r="` + itoa(r.first+i) + `"`)
		if r.hidden {
			s.data.WriteString(` hidden="1"`)
		}
		s.data.WriteByte('>')
		for k := range r.cells {
			c := &r.cells[k]
			for j := range c.times {
				s.data.WriteString(`<c r="` + ooxml.CellName(r.first+i, c.first+j) + `" s="` + itoa(s.f.styles.of(s.styleOf(r, c, c.first+j))) + `"`)
				typed, rest, _ := strings.Cut(texts[k], ">")
				s.data.WriteString(typed + ">")
				if c.formula != "" {
					s.data.WriteString("<f")
					if c.array[0]*c.array[1] > 1 {
						s.data.WriteString(` t="array" ref="` + ooxml.CellName(r.first+i, c.first+j) + ":" + ooxml.CellName(r.first+i+c.array[0]-1, c.first+j+c.array[1]-1) + `"`)
					}
					s.data.WriteString(">" + ooxml.Escape(a1(c.formula)) + "</f>")
				}
				s.data.WriteString(rest + "</c>")
			}
		}
		s.data.WriteString(`</row>`)
	}
	s.rows = append(s.rows, *r)
	return nil
}

// styleOf returns the style of a cell: its own, or else that of its row or column.
func (s *sheet) styleOf(r *row, c *field, col int) string {
	n, _ := slices.BinarySearchFunc(s.columns, col, func(x column, col int) int { return cmp.Compare(x.last, col) })
	if n < len(s.columns) {
		return cmp.Or(c.style, r.style, s.columns[n].style)
	}
	return cmp.Or(c.style, r.style)
}

// number matches a number as files write it.
var number = lazy.Regexp(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// written returns the end of a cell's start tag in the book, with its type, and the element of its value.
func (s *sheet) written(c *field) (string, error) {
	text, value := ooxml.Escape(escape(c.text)), c.value
	if c.formula != "" && c.value == "" && c.text == "" && c.kind != "string" { // no program has calculated the formula
		return ">", nil
	}
	switch c.kind {
	case "float", "percentage", "currency":
		value = strings.TrimPrefix(value, "+")
		if !number().MatchString(value) {
			return "", i18n.Errorf("%.40s: want a number", c.value)
		}
		s.compare(c, value)
		return "><v>" + value + "</v>", nil
	case "date", "time":
		value, err := serial(c.kind, c.value)
		if err != nil {
			return "", err
		}
		s.compare(c, "")
		return "><v>" + value + "</v>", nil
	case "boolean":
		return ` t="b"><v>` + map[bool]string{true: "1", false: "0"}[value == "true"] + "</v>", nil
	}
	if c.errors {
		return ` t="e"><v>` + text + "</v>", nil
	}
	if c.told {
		if value != c.text {
			s.compare(c, "")
		}
		text = ooxml.Escape(escape(value))
	}
	if c.formula != "" {
		return ` t="str"><v>` + text + "</v>", nil
	}
	return ` t="inlineStr"><is><t xml:space="preserve">` + text + "</t></is>", nil
}

// groups removes the marks that programs show between the thousands of numbers.
var groups = strings.NewReplacer(",", "", " ", "", "\u00a0", "", "\u202f", "")

// compare adds the text that a cell shows to what is searched, unless it is the same as the value.
func (s *sheet) compare(c *field, value string) {
	if c.text == "" {
		return
	}
	shown, _ := ooxml.Canon(groups.Replace(strings.TrimPrefix(c.text, "-")))
	if held, _ := ooxml.Canon(value); shown == "" || shown != held {
		s.f.word(s.v, entry{text: c.text, shown: c}, false)
	}
}

// escape marks texts that look like Excel's escapes, so that they are not taken for such.
func escape(s string) string   { return strings.ReplaceAll(s, "_x", "_x005F_x") }
func unescape(s string) string { return strings.ReplaceAll(s, "_x005F_x", "_x") }

// period matches a time of day or a duration (XML Schema, part 2, duration).
var period = lazy.Regexp(`^(-?)P(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,8})H)?(?:([0-9]{1,8})M)?(?:([0-9]{1,8})(\.[0-9]+)?S)?)?$`)

// serial converts a date or time to a number of days, as Excel counts them.
func serial(kind, value string) (string, error) {
	days, seconds, sign := 0, 0.0, ""
	if kind == "time" {
		m := period().FindStringSubmatch(value)
		if m == nil {
			return "", i18n.Errorf("%.40s: want a time", value)
		}
		sign = m[1]
		days, _ = strconv.Atoi(m[2])
		for k, each := range []float64{3600, 60, 1} {
			n, _ := strconv.Atoi(m[3+k])
			seconds += float64(float64(n) * each)
		}
		fraction, _ := strconv.ParseFloat("0"+m[6], 64)
		seconds += fraction
	} else {
		date, clock, _ := strings.Cut(strings.TrimSuffix(value, "Z"), "T")
		t, err := time.Parse("2006-01-02", date)
		if err != nil {
			return "", i18n.Errorf("%.40s: want a date", value)
		}
		days = int(t.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)) / (24 * time.Hour))
		for k, part := range strings.Split(clock, ":") {
			x, _ := strconv.ParseFloat(part, 64)
			seconds += float64(x * []float64{3600, 60, 1, 0}[min(k, 3)])
		}
	}
	if seconds == 0 {
		return sign + itoa(days), nil
	}
	return sign + strconv.FormatFloat(float64(days)+seconds/86400, 'f', -1, 64), nil
}

// beside adds to the book what a cell has beside its text: a comment, shapes, links.
func (s *sheet) beside(r *row, c *field) error {
	n, err := ooxml.ParseIn(s.f.raw, c.from, c.to, &s.f.nodes)
	if err != nil {
		return err
	}
	for _, k := range n.Kids {
		switch k.Local() {
		case "p":
			s.f.attributes(s.v, k)
		case "annotation":
			s.comment(k, ooxml.CellName(r.first, c.first))
		default:
			s.f.walk(s.v, k)
		}
	}
	return nil
}

// comment adds a comment to the book.
func (s *sheet) comment(n *ooxml.Node, ref string) {
	id := s.f.enter(entry{cut: place{content, n.From, n.To}})
	s.comments.WriteString(`<comment id="` + itoa(id) + `" ref="` + ref + `"><text>`)
	for _, p := range n.Kids {
		if p.Local() == "p" || p.Local() == "list" {
			for _, t := range pieces(p) {
				s.f.run(&s.comments, content, t)
			}
			s.comments.WriteString("<r><t>\n</t></r>")
			s.f.attributes(s.v, p)
			continue
		}
		s.f.walk(s.v, p)
	}
	s.comments.WriteString(`</text></comment>`)
}

// write writes the sheet.
func (s *sheet) write(b *bytes.Buffer) {
	b.WriteString(`<worksheet><cols>`)
	for k, c := range s.columns {
		first := 1
		if k > 0 {
			first = s.columns[k-1].last + 1
		}
		if c.hidden && first <= ooxml.MaxColumns {
			b.WriteString(`<col min="` + itoa(first) + `" max="` + itoa(min(c.last, ooxml.MaxColumns)) + `" hidden="1"/>`)
		}
	}
	b.WriteString(`</cols><sheetData>`)
	s.data.WriteTo(b)
	b.WriteString(`</sheetData><mergeCells>` + s.merged.String() + `</mergeCells>` + s.rules.String() + `</worksheet>`)
}
