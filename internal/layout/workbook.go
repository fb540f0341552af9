package layout

import (
	"io"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/xlsx"
)

// Workbook reads an XLSX workbook or an ODS spreadsheet as a book; name stands for it in messages. Memory is
// bounded by the size of the file. Errors in the file are *formats.Error.
func Workbook(r io.Reader, name string) (*Book, error) {
	w, err := xlsx.Open(r, name)
	if err != nil {
		return nil, err
	}
	b := &Book{File: File{Name: name, Format: string(w.Format)}, stored: w.Stored}
	for _, n := range w.Named {
		b.Names = append(b.Names, Name{n.Name, n.Refers})
	}
	styles := map[*xlsx.Style]*Style{}
	for i := range w.Sheets {
		b.Grids = append(b.Grids, sheetGrid(&w.Sheets[i], styles))
	}
	return b, nil
}

func sheetGrid(s *xlsx.Sheet, styles map[*xlsx.Style]*Style) *Grid {
	g := &Grid{Sheet: s.Name}
	if s.State != "visible" {
		g.State = s.State
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		for len(g.Rows) < c.Row {
			g.Rows = append(g.Rows, nil)
		}
		row := g.Rows[c.Row-1]
		for len(row) < c.Column {
			row = append(row, Field{})
		}
		f := Field{Text: c.Text, Number: c.Number, Formula: c.Formula}
		if c.Style != nil {
			if styles[c.Style] == nil {
				styles[c.Style] = &Style{Indent: c.Style.Indent, Bold: c.Style.Bold, Format: c.Style.Format, Date: c.Style.Date, Align: c.Style.Align}
			}
			f.Style = styles[c.Style]
		}
		row[c.Column-1] = f
		g.Rows[c.Row-1] = row
	}
	for _, m := range s.Merged {
		if r, ok := parseRect(m); ok {
			g.Merged = append(g.Merged, r)
		}
	}
	for _, t := range s.Tables {
		if r, ok := parseRect(t.Ref); ok {
			g.Tables = append(g.Tables, NamedRect{t.Name, r})
		}
	}
	for _, r := range s.HiddenRows {
		if g.HiddenRows == nil {
			g.HiddenRows = map[int]bool{}
		}
		g.HiddenRows[r-1] = true
	}
	for _, c := range s.HiddenColumns {
		if g.HiddenColumns == nil {
			g.HiddenColumns = map[int]bool{}
		}
		g.HiddenColumns[c-1] = true
	}
	return g
}

// parseRect reads A1:B2 or A1, with or without $.
func parseRect(s string) (Rect, bool) {
	first, last, ok := strings.Cut(strings.ReplaceAll(s, "$", ""), ":")
	if !ok {
		last = first
	}
	top, left, ok := parseRef(first)
	bottom, right, ok2 := parseRef(last)
	if !ok || !ok2 || top > bottom || left > right {
		return Rect{}, false
	}
	return Rect{top, left, bottom, right}, true
}

// parseRef reads a reference like AB12 as a row and column counted from 0.
func parseRef(s string) (row, column int, ok bool) {
	k := 0
	for k < len(s) && k < 4 && s[k]|0x20 >= 'a' && s[k]|0x20 <= 'z' {
		column = column*26 + int(s[k]|0x20-'a') + 1
		k++
	}
	row, err := strconv.Atoi(s[k:])
	if err != nil || k == 0 || row < 1 || column > 1<<14 || row > 1<<20 {
		return 0, 0, false
	}
	return row - 1, column - 1, true
}
