// Package xlsx reads and writes tables as Excel workbooks, with a sheet of values, either a cross-tab or one
// line for each cell, and a sheet of statuses.
//
// A sheet is converted to the text of an equivalent CSV file and read as that. What Excel may have changed on
// its own (dates, merged cells, formulas without a result) is refused. A workbook is written from scratch, with
// nothing of the old one, because charts, hidden sheets and stored results may tell what is withheld.
//
// docs/formats.md says what is read and written. Faults of a file are *formats.Error.
package xlsx

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/ods"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// XLSX is the name of the format in formats.Options.From.
const XLSX formats.Format = "xlsx"

// ODS is the name of the format of OpenDocument spreadsheets, which are read by converting them to a workbook.
const ODS formats.Format = "ods"

// The names of the sheets.
const (
	valuesSheet   = "values"
	statusesSheet = "status"
)

// ErrSheets is in the error for a workbook for which it is not clear which sheet to read.
var ErrSheets = i18n.New("several sheets")

// ErrResult is in the error for a workbook with a formula that has no stored result and cannot be calculated
// here.
var ErrResult = i18n.New("a formula without its result")

// Limits of a workbook.
const (
	maxRows = 1 << 20
)

// book is an open workbook with its name for messages.
type book struct {
	*archive
	file   string
	raw    []byte
	format formats.Format

	unstored bool // some formula has no stored result
}

// ReadFrom reads a workbook from r; name stands for it in messages, in which lines are rows of the sheet. The
// sheet of values is read as CSV, with all options of tidy files and cross-tabs.
func ReadFrom(r io.Reader, name string, o formats.Options) (in *formats.Input, err error) {
	defer func() { // parts of a workbook can be damaged in many places
		if p := recover(); p != nil {
			in, err = nil, &formats.Error{File: name, Want: i18n.T("a damaged workbook; open and save it again")}
		}
	}()
	b, err := open(r, name)
	if err != nil {
		return nil, err
	}
	sheet, err := b.values(o.Sheet)
	if err != nil {
		return nil, err
	}
	text, err := b.text(sheet)
	if b.unstored { // read it with calculated results
		var w *Workbook
		if w, err = Open(bytes.NewReader(b.raw), name); err != nil {
			return nil, err
		}
		if b, err = open(bytes.NewReader(w.Stored), name); err != nil {
			return nil, err
		}
		b.unstored = true
		text, err = b.text(sheet)
	}
	if err != nil {
		return nil, err
	}
	o.Encoding = "utf-8"
	if o.From == string(XLSX) || o.From == string(ODS) {
		o.From = ""
	}
	inner, err := formats.ReadFrom(bytes.NewReader(text), name, o)
	if err != nil {
		return nil, err
	}
	l := &layout{inner: inner, format: b.format}
	in = formats.Foreign(inner, b.format, l)
	if i := slices.IndexFunc(b.names(), isStatus); i >= 0 && !inner.HasStatus && b.names()[i] != sheet {
		if err := b.statuses(b.names()[i], in); err != nil {
			return nil, err
		}
		in.HasStatus = true
	} else {
		l.original = &original{name, b.raw, sheet, text, b.unstored}
	}
	return in, nil
}

// open opens the workbook in r.
func open(r io.Reader, name string) (*book, error) {
	raw, err := budget.ReadAll(r, budget.Whole)
	if err != nil {
		return nil, formats.InFile(name, err)
	}
	fail := func(want i18n.Text) (*book, error) { return nil, &formats.Error{File: name, Want: want} }
	switch {
	case len(raw) == 0:
		return fail(i18n.T("the file is empty, want an XLSX workbook"))
	case !formats.Unread(raw).IsZero():
		return fail(formats.Unread(raw))
	case !bytes.HasPrefix(raw, []byte("PK\x03\x04")):
		return fail(i18n.T("not an XLSX workbook"))
	}
	plain, format, err := bookOf(raw)
	if err != nil {
		return fail(i18n.T("not a workbook that can be opened: %s", err))
	}
	w, err := openWorkbook(plain)
	if err != nil {
		return fail(i18n.T("not a workbook that can be opened: %s", err))
	}
	return &book{archive: w, file: name, raw: raw, format: format}, nil
}

// bookOf returns the workbook in raw; if raw is an OpenDocument file, it returns one with the same content.
func bookOf(raw []byte) ([]byte, formats.Format, error) {
	if !ods.Is(raw) {
		return raw, XLSX, nil
	}
	f, err := ods.Open(raw)
	if err != nil {
		return nil, ODS, err
	}
	return f.Book, ODS, nil
}

func isStatus(name string) bool { return strings.EqualFold(name, statusesSheet) }

// names returns the names of the sheets.
func (b *book) names() []string {
	return sets.Each(b.sheets, func(s sheet) string { return s.name })
}

// values finds the sheet of values.
func (b *book) values(chosen string) (string, error) {
	all := b.names()
	if chosen != "" {
		if !slices.Contains(all, chosen) {
			return "", &formats.Error{File: b.file, Value: formats.Show(chosen), Want: i18n.T("no such sheet; the sheets are %s", formats.ShowList(all))}
		}
		return chosen, nil
	}
	var other []string
	for _, s := range all {
		if strings.EqualFold(s, valuesSheet) {
			return s, nil
		}
		if !isStatus(s) {
			other = append(other, s)
		}
	}
	if len(other) != 1 {
		return "", &formats.Error{File: b.file, Err: ErrSheets, Want: i18n.T("%d sheets and none called %s; say --sheet; they are %s", len(all), valuesSheet, formats.ShowList(all))}
	}
	return other[0], nil
}

// text returns a sheet as text: one line for each row, with every field in quotes, separated by tabs. It stops
// after a row that is longer than the first one, since no table has such rows.
func (b *book) text(sheet string) ([]byte, error) {
	var out bytes.Buffer
	width := 0
	err := b.rows(sheet, true, func(_ int, row []string) error {
		if len(row) == 0 {
			out.WriteByte('\n')
			return nil
		}
		width = cmp.Or(width, len(row))
		for c := range max(width, len(row)) {
			if c > 0 {
				out.WriteByte('\t')
			}
			out.WriteByte('"')
			if c < len(row) {
				out.WriteString(strings.ReplaceAll(row[c], `"`, `""`))
			}
			out.WriteByte('"')
		}
		out.WriteByte('\n')
		if len(row) > width {
			return io.EOF
		}
		return nil
	})
	return out.Bytes(), err
}

// rows calls do with the texts of every row of a sheet, without empty cells beyond the columns of its first
// row. Numbers are as Excel shows them, all else is as it is. row is valid until the next call; io.EOF from do
// ends it. strict refuses cells that are no data: dates, formulas without a value, line breaks and merged
// cells.
func (b *book) rows(name string, strict bool, do func(line int, row []string) error) error {
	part := ""
	for _, s := range b.sheets {
		if s.name == name {
			part = s.part
		}
	}
	if part == "" {
		return &formats.Error{File: b.file, Value: formats.Show(name), Want: i18n.T("not a sheet of cells")}
	}
	var row []string
	width, last := 0, 0
	merged, err := b.each(part, nil, func(line int, cells []cell) error {
		last = line
		for c := range cells {
			b.unstored = b.unstored || cells[c].formula && !cells[c].stored
		}
		for len(cells) > width && cells[len(cells)-1].text == "" { // formulas without a value
			cells = cells[:len(cells)-1]
		}
		width = cmp.Or(width, len(cells))
		if len(cells) > 0 {
			text := 0
			for c := range cells {
				text += len(cells[c].text)
			}
			if err := b.left.takeRow(max(width, len(cells)), text); err != nil {
				return err
			}
		}
		row = row[:0]
		for c := range cells {
			text, want := cells[c].shown()
			if !want.IsZero() && strict {
				return &formats.Error{File: b.file, Line: line, Value: "cell " + placeName(c+1, line), Want: want}
			}
			row = append(row, text)
		}
		return do(line, row)
	})
	var located *formats.Error
	var large *largeError
	switch {
	case err == nil:
	case errors.As(err, &located):
		return err
	case errors.As(err, &large):
		return &formats.Error{File: b.file, Line: last + 1, Value: formats.Show(name), Want: i18n.T("%s", err)}
	default:
		return &formats.Error{File: b.file, Line: last + 1, Value: formats.Show(name), Want: i18n.T("a damaged sheet: %s", err)}
	}
	if merged != "" && strict {
		first, _, _ := strings.Cut(merged, ":")
		_, line, _ := place(first)
		return &formats.Error{File: b.file, Line: line, Value: formats.Show(merged), Want: i18n.T("merged cells; want one datum a cell")}
	}
	return nil
}

// shown returns the text of a cell, or in want what is wrong with it.
func (c *cell) shown() (text string, want i18n.Text) {
	switch {
	case c.text == "" && c.formula:
		return "", i18n.T("a formula without its value; open and save the workbook")
	case strings.ContainsAny(c.text, "\n\r\x00"):
		return c.text, i18n.T("a line break within a cell")
	case c.date:
		return c.text, i18n.T("a date, which Excel may have made of a code; format the cell as text and write the code anew")
	case !c.number:
		return c.text, i18n.Text{}
	}
	v, err := strconv.ParseFloat(c.text, 64)
	if err != nil {
		return c.text, i18n.Text{}
	}
	return decimal(c.text, v), i18n.Text{}
}

// decimal returns a number as Excel shows it, with 15 significant digits; the file may have 0.10000000000000001
// for 0.1.
func decimal(s string, v float64) string {
	digits := 0
	for _, r := range strings.TrimLeft(s, "-0.") {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	if digits <= 15 && !strings.ContainsAny(s, "eExXpPnN") || !strings.ContainsAny(s, ".eExXpPnN") {
		return s
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 14, 64), 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// statuses reads the sheet of statuses into the table: either a matrix of the shape of a cross-tab, or lines
// with the codes and a column called status.
func (b *book) statuses(sheet string, in *formats.Input) error {
	t := in.Table
	fail := func(row int, field, value string, want i18n.Text) error {
		return &formats.Error{File: b.file, Line: row, Field: field, Value: value, Want: i18n.T("sheet %s: %s", sheet, want)}
	}
	find := newFinder(t)
	codes := make([]string, len(t.Dims))
	at := make([]int32, len(t.Dims)) // codes of the current cell
	said := make([]bool, t.Len())
	set := func(row int, column, text string) error {
		st, want, ok := formats.ParseStatus(column, text)
		i, known := find.cell(at)
		switch {
		case !ok:
			return fail(row, column, formats.Show(text), want)
		case !known:
			if text == "" {
				return nil
			}
			return fail(row, column, strings.Join(codes, "/"), i18n.T("no such cell among the values"))
		}
		// A cell without a value is withheld, whatever its status says.
		if said[i] = st == table.Sensitive || st == table.Withheld; !said[i] && !t.Known(i) {
			st = table.Withheld
		}
		t.Status[i] = st
		return nil
	}
	var header []string
	var matrix []int32 // the code of each column
	status, tidy := -1, false
	column := make([]int, len(t.Dims))
	err := b.rows(sheet, false, func(line int, row []string) error {
		switch {
		case len(row) == 0:
			return nil
		case header == nil:
			header = slices.Clone(row)
			status = slices.IndexFunc(header, func(s string) bool { _, _, ok := formats.ParseStatus(s, ""); return ok })
			tidy = status >= 0
			for d := range t.Dims {
				column[d] = slices.Index(header, t.Dims[d].Name)
				tidy = tidy && column[d] >= 0
			}
			if !tidy && len(t.Dims) != 2 {
				return fail(line, "", "", i18n.T("want the columns of the dimensions and status"))
			}
			for c := range header {
				if header[c] = strings.TrimSpace(header[c]); !tidy {
					matrix = append(matrix, find.code(1, header[c]))
				}
			}
			return nil
		case len(row) > len(header):
			return fail(line, "", fmt.Sprintf("%d fields", len(row)), i18n.T("want %d, as in the header", len(header)))
		}
		for len(row) < len(header) {
			row = append(row, "")
		}
		if tidy {
			for d, c := range column {
				codes[d] = strings.TrimSpace(row[c])
				at[d] = find.code(d, codes[d])
			}
			return set(line, header[status], strings.TrimSpace(row[status]))
		}
		codes[0] = strings.TrimSpace(row[0])
		at[0] = find.code(0, codes[0])
		for c := 1; c < len(header); c++ {
			codes[1], at[1] = header[c], matrix[c]
			if err := set(line, "status", strings.TrimSpace(row[c])); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case header == nil:
		return fail(0, "", "", i18n.T("empty, want statuses"))
	}
	in.Unsaid = false
	for i := range said {
		in.Unsaid = in.Unsaid || !t.Known(i) && !said[i]
	}
	var bad *table.CellError
	if err := t.Validate(); errors.As(err, &bad) {
		return fail(0, bad.Column, bad.Cell, bad.Want)
	}
	return nil
}

// A finder finds cells by their codes.
type finder struct {
	codes []map[string]int32
	index map[string]int // by the bytes of the coordinates
	key   []byte
}

func newFinder(t *table.Table) *finder {
	k := len(t.Dims)
	f := &finder{codes: make([]map[string]int32, k), index: make(map[string]int, t.Len())}
	for d := range t.Dims {
		f.codes[d] = sets.Places[int32](t.Dims[d].Codes)
	}
	for i := range t.Len() {
		f.index[string(f.keyOf(t.Coord[i*k:i*k+k]))] = i
	}
	return f
}

// code returns the number of a code, −1 if there is none.
func (f *finder) code(d int, code string) int32 {
	if c, ok := f.codes[d][code]; ok {
		return c
	}
	return -1
}

func (f *finder) keyOf(at []int32) []byte {
	f.key = f.key[:0]
	for _, c := range at {
		f.key = binary.LittleEndian.AppendUint32(f.key, uint32(c))
	}
	return f.key
}

func (f *finder) cell(at []int32) (i int, ok bool) {
	i, ok = f.index[string(f.keyOf(at))]
	return i, ok
}

// key joins the codes of a cell.
func key(t *table.Table, i int) string { return strings.Join(t.CellCodes(i), "\x00") }
