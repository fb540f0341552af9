// Package xlsx reads and writes tables as Excel workbooks: one sheet of values, as a
// cross-tab or one line a cell, and one of statuses.
//
// docs/formats.md says what is read and written. Faults of a file are *tableio.Error.
package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// XLSX is the name of the format in tableio.Options.From.
const XLSX tableio.Format = "xlsx"

// The names of the sheets.
const (
	Values   = "values"
	Statuses = "status"
)

// Limits of a workbook.
const (
	maxFile  = 256 << 20 // bytes
	maxUnzip = 2 << 30   // bytes
	maxRows  = 1 << 20
)

// Read reads the file path.
func Read(path string, o tableio.Options) (*tableio.Input, error) {
	return tableio.ReadPath(path, o, ReadFrom)
}

// book is an open workbook.
type book struct {
	*excelize.File
	file   string
	isDate map[int]bool // by style
}

// ReadFrom reads a workbook from r; name stands for it in messages, where lines are
// the rows of the sheet. The sheet of values is read as CSV is, with all options that
// tidy files and cross-tabs have.
func ReadFrom(r io.Reader, name string, o tableio.Options) (in *tableio.Input, err error) {
	defer func() { // damaged parts of a workbook are found in many places
		if p := recover(); p != nil {
			in, err = nil, &tableio.Error{File: name, Want: "a damaged workbook; open and save it again"}
		}
	}()
	raw, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	fail := func(want string) (*tableio.Input, error) { return nil, &tableio.Error{File: name, Want: want} }
	switch {
	case len(raw) > maxFile:
		return fail(fmt.Sprintf("more than %d MiB", maxFile>>20))
	case len(raw) == 0:
		return fail("the file is empty, want an XLSX workbook")
	case bytes.HasPrefix(raw, []byte("\xd0\xcf\x11\xe0")):
		return fail("an old .xls workbook, or one with a password; save it as .xlsx without one")
	case !bytes.HasPrefix(raw, []byte("PK\x03\x04")):
		return fail("not an XLSX workbook")
	}
	f, err := excelize.OpenReader(bytes.NewReader(raw), excelize.Options{RawCellValue: true, UnzipSizeLimit: maxUnzip, UnzipXMLSizeLimit: maxUnzip})
	if err != nil {
		return fail("not a workbook that can be opened: " + err.Error())
	}
	defer f.Close()
	b := &book{File: f, file: name, isDate: map[int]bool{}}
	sheet, err := b.values(o.Sheet)
	if err != nil {
		return nil, err
	}
	text, err := b.text(sheet)
	if err != nil {
		return nil, err
	}
	o.Encoding = "utf-8"
	if o.From == string(XLSX) {
		o.From = ""
	}
	inner, err := tableio.ReadFrom(bytes.NewReader(text), name, o)
	if err != nil {
		return nil, err
	}
	l := &layout{inner: inner}
	in = inner.Foreign(XLSX, l)
	if i := slices.IndexFunc(b.GetSheetList(), isStatus); i >= 0 && !inner.HasStatus && b.GetSheetList()[i] != sheet {
		if err := b.statuses(b.GetSheetList()[i], in); err != nil {
			return nil, err
		}
		in.HasStatus = true
	}
	return in, nil
}

func isStatus(name string) bool { return strings.EqualFold(name, Statuses) }

// values finds the sheet of values.
func (b *book) values(chosen string) (string, error) {
	all := b.GetSheetList()
	if chosen != "" {
		if !slices.Contains(all, chosen) {
			return "", &tableio.Error{File: b.file, Value: tableio.Show(chosen), Want: "no such sheet; the sheets are " + tableio.ShowList(all)}
		}
		return chosen, nil
	}
	var other []string
	for _, s := range all {
		if strings.EqualFold(s, Values) {
			return s, nil
		}
		if !isStatus(s) {
			other = append(other, s)
		}
	}
	if len(other) != 1 {
		return "", &tableio.Error{File: b.file, Want: fmt.Sprintf("%d sheets and none called %s; say --sheet; they are %s", len(all), Values, tableio.ShowList(all))}
	}
	return other[0], nil
}

// text returns a sheet as text: a line a row, every field in quotes, tabs between.
func (b *book) text(sheet string) ([]byte, error) {
	rows, err := b.rows(sheet)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	width := 0
	for _, row := range rows {
		if len(row) == 0 {
			out.WriteByte('\n')
			continue
		}
		if width == 0 {
			width = len(row)
		}
		for c := range max(width, len(row)) {
			s := ""
			if c < len(row) {
				s = row[c]
			}
			if c > 0 {
				out.WriteByte('\t')
			}
			out.WriteByte('"')
			out.WriteString(strings.ReplaceAll(s, `"`, `""`))
			out.WriteByte('"')
		}
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// rows returns the texts of a sheet: numbers as Excel shows them, all else as it is.
func (b *book) rows(sheet string) ([][]string, error) {
	rows, err := b.raw(sheet) // first: what follows holds the sheet in memory
	if err != nil {
		return nil, err
	}
	merged, err := b.GetMergeCells(sheet, true)
	if err != nil {
		return nil, &tableio.Error{File: b.file, Value: tableio.Show(sheet), Want: "a damaged sheet: " + err.Error()}
	}
	if len(merged) > 0 {
		_, row, _ := excelize.CellNameToCoordinates(merged[0].GetStartAxis())
		return nil, &tableio.Error{File: b.file, Line: row, Value: merged[0].GetStartAxis() + ":" + merged[0].GetEndAxis(), Want: "merged cells; want one datum a cell"}
	}
	width := 0
	for n, row := range rows {
		width = max(width, len(row))
		for c := range width {
			s := ""
			if c < len(row) {
				s = row[c]
			}
			t, err := b.cell(sheet, c+1, n+1, s)
			if err != nil {
				return nil, err
			}
			if c < len(row) {
				row[c] = t
			}
		}
	}
	return rows, nil
}

// raw returns the texts of a sheet as they are stored, without empty cells behind the
// columns of its first row.
func (b *book) raw(sheet string) ([][]string, error) {
	it, err := b.Rows(sheet)
	if err != nil {
		return nil, &tableio.Error{File: b.file, Value: tableio.Show(sheet), Want: "not a sheet of cells: " + err.Error()}
	}
	defer it.Close()
	var rows [][]string
	width := 0
	for it.Next() {
		row, err := it.Columns()
		if err != nil {
			return nil, &tableio.Error{File: b.file, Line: len(rows) + 1, Want: "a damaged row: " + err.Error()}
		}
		for len(row) > width && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		if width == 0 {
			width = len(row)
		}
		if len(rows) == maxRows {
			return nil, &tableio.Error{File: b.file, Want: "more rows than a sheet of Excel has"}
		}
		rows = append(rows, row)
	}
	return rows, it.Error()
}

// cell checks one cell and returns its text.
func (b *book) cell(sheet string, col, row int, s string) (string, error) {
	at, err := excelize.CoordinatesToCellName(col, row)
	if err != nil {
		return "", err
	}
	fail := func(want string) (string, error) {
		return "", &tableio.Error{File: b.file, Line: row, Value: "cell " + at, Want: want}
	}
	if s == "" {
		if formula, err := b.GetCellFormula(sheet, at); err == nil && formula != "" {
			return fail("a formula without its value; open and save the workbook")
		}
		return "", nil
	}
	if strings.ContainsAny(s, "\n\r\x00") {
		return fail("a line break within a cell")
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s, nil
	}
	kind, err := b.GetCellType(sheet, at)
	if err != nil || kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber && kind != excelize.CellTypeDate {
		return s, nil
	}
	style, err := b.GetCellStyle(sheet, at)
	if err != nil {
		return fail("a damaged style: " + err.Error())
	}
	if kind == excelize.CellTypeDate || b.date(style) {
		return fail("a date, which Excel may have made of a code; format the cell as text and write the code anew")
	}
	return decimal(s, v), nil
}

// decimal returns a number as Excel shows it, with 15 significant digits: in the file
// 0.1 may stand as 0.10000000000000001.
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

// date reports whether a style shows numbers as dates or times.
func (b *book) date(style int) bool {
	if d, ok := b.isDate[style]; ok {
		return d
	}
	d := false
	if s, err := b.GetStyle(style); err == nil && s != nil {
		n := s.NumFmt
		d = n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58
		if s.CustomNumFmt != nil {
			quoted := false
			for _, r := range strings.ToLower(*s.CustomNumFmt) {
				switch {
				case r == '"' || r == '[' || r == ']': // [Red] and the like are no dates
					quoted = !quoted
				case !quoted && strings.ContainsRune("ymdhs年月日", r):
					d = true
				}
			}
		}
	}
	b.isDate[style] = d
	return d
}

// statuses reads the sheet of statuses into the table: a matrix of the shape of a
// cross-tab, or lines with the codes and a column called status.
func (b *book) statuses(sheet string, in *tableio.Input) error {
	rows, err := b.raw(sheet)
	if err != nil {
		return err
	}
	t := in.Table
	fail := func(row int, field, value, want string) error {
		return &tableio.Error{File: b.file, Line: row, Field: field, Value: value, Want: "sheet " + sheet + ": " + want}
	}
	head := slices.IndexFunc(rows, func(r []string) bool { return len(r) > 0 })
	if head < 0 {
		return fail(0, "", "", "empty, want statuses")
	}
	cell := make(map[string]int, t.Len())
	for i := range t.Len() {
		cell[key(t, i)] = i
	}
	set := func(row int, codes []string, column, text string) error {
		st, want, ok := tableio.ParseStatus(column, text)
		i, known := cell[strings.Join(codes, "\x00")]
		switch {
		case !ok:
			return fail(row, column, tableio.Show(text), want)
		case !known:
			if text == "" {
				return nil
			}
			return fail(row, column, strings.Join(codes, "/"), "no such cell among the values")
		case !t.Known(i) && st != table.Sensitive: // has no value, so it is withheld
			st = table.Withheld
		}
		t.Status[i] = st
		return nil
	}
	header := rows[head]
	status := slices.IndexFunc(header, func(s string) bool { _, _, ok := tableio.ParseStatus(s, ""); return ok })
	at := make([]int, len(t.Dims))
	tidy := status >= 0
	for d := range t.Dims {
		at[d] = slices.Index(header, t.Dims[d].Name)
		tidy = tidy && at[d] >= 0
	}
	if !tidy && len(t.Dims) != 2 {
		return fail(head+1, "", "", "want the columns of the dimensions and status")
	}
	for n, row := range rows[head+1:] {
		line := head + 2 + n
		if len(row) == 0 {
			continue
		}
		if len(row) > len(header) {
			return fail(line, "", fmt.Sprintf("%d fields", len(row)), fmt.Sprintf("want %d, as in the header", len(header)))
		}
		row = append(row, make([]string, len(header)-len(row))...)
		if tidy {
			codes := make([]string, len(at))
			for d, c := range at {
				codes[d] = strings.TrimSpace(row[c])
			}
			if err := set(line, codes, header[status], strings.TrimSpace(row[status])); err != nil {
				return err
			}
			continue
		}
		for c := 1; c < len(header); c++ {
			if err := set(line, []string{strings.TrimSpace(row[0]), strings.TrimSpace(header[c])}, "status", strings.TrimSpace(row[c])); err != nil {
				return err
			}
		}
	}
	var bad *table.CellError
	if err := t.Validate(); errors.As(err, &bad) {
		return fail(0, bad.Column, bad.Cell, bad.Want)
	}
	return nil
}

// key joins the codes of a cell.
func key(t *table.Table, i int) string {
	k := len(t.Dims)
	codes := make([]string, k)
	for d := range k {
		codes[d] = t.Dims[d].Codes[t.Coord[i*k+d]]
	}
	return strings.Join(codes, "\x00")
}
