package xlsx

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A Workbook is the content of all sheets of a file, with places, formulas and formatting, for readers that
// find out themselves where its tables are.
type Workbook struct {
	Format formats.Format // XLSX or ODS
	Sheets []Sheet
	Named  []DefinedName
	// Stored is the workbook with calculated results of those formulas for which the file has none; nil if it
	// has all. The cells of the Sheets have these results.
	Stored []byte
}

// A DefinedName is a name and what it refers to.
type DefinedName struct {
	Name   string
	Refers string
}

// A Sheet is a tab of a workbook. A tab that is not a worksheet has no cells.
type Sheet struct {
	Name   string
	State  string // "", "visible", "hidden" or "veryHidden"
	Cells  []Cell // cells with a text or a formula, by row and column
	Merged []string
	Tables []TableObject
	// HiddenRows and HiddenColumns are numbered from 1.
	HiddenRows, HiddenColumns []int
}

// A Cell is one cell of a sheet. Row and Column count from 1.
type Cell struct {
	Row, Column int
	Text        string // a number is as Excel shows it in full
	Number      bool   // not a text, an error or a truth value
	Formula     string // with its =; empty if there is none
	Style       *Style

	unstored, calculated bool // the file has no result of the formula; it has been calculated here
}

// A Style is the formatting of a cell, as far as it tells what the cell is.
type Style struct {
	Indent int
	Bold   bool
	Format string // number format, empty for the general format
	Date   bool   // the format shows dates or times
	Align  string // horizontal alignment
}

// A TableObject is a table that Excel itself knows within a sheet.
type TableObject struct {
	Name string
	Ref  string
}

// Open reads a whole workbook; name stands for it in messages. Memory is bounded in terms of the size of the
// file. Faults of the file are *formats.Error.
func Open(r io.Reader, name string) (w *Workbook, err error) {
	defer func() { // parts of a workbook can be damaged in many places
		if p := recover(); p != nil {
			w, err = nil, &formats.Error{File: name, Want: i18n.T("a damaged workbook; open and save it again")}
		}
	}()
	b, err := open(r, name)
	if err != nil {
		return nil, err
	}
	w = &Workbook{Format: b.format, Named: b.named}
	for _, s := range b.sheets {
		one := Sheet{Name: s.name, State: s.state}
		if s.part != "" {
			if err := b.fill(&one, s.part); err != nil {
				return nil, &formats.Error{File: name, Value: formats.Show(s.name), Want: i18n.T("%s", err)}
			}
		}
		w.Sheets = append(w.Sheets, one)
	}
	if w.Stored, err = w.calculate(b); err != nil {
		return nil, err
	}
	return w, nil
}

// fill reads the cells of a sheet.
func (b *book) fill(s *Sheet, part string) error {
	also := facts{formulas: true}
	shared := map[string]Cell{}
	before := 0
	_, err := b.each(part, &also, func(row int, cells []cell) error {
		size := 0
		for i := range cells {
			size += len(cells[i].text)
		}
		rows := row - before
		before = row
		if err := b.left.takeRow(len(cells)+rows/64, size); err != nil {
			return err
		}
		for i := range cells {
			c := &cells[i]
			if c.text == "" && !c.formula {
				continue
			}
			one := Cell{Row: row, Column: i + 1, Text: c.text, Number: c.number && c.text != ""}
			if one.Number {
				if v, err := strconv.ParseFloat(c.text, 64); err == nil {
					one.Text = decimal(c.text, v)
				}
			}
			if c.style >= 0 && c.style < len(b.looks) {
				one.Style = &b.looks[c.style]
			}
			if c.formula {
				one.Formula, one.unstored = "="+c.says, !c.stored
				if c.shared != "" && c.says != "" {
					shared[c.shared] = one
				} else if first, ok := shared[c.shared]; ok && c.shared != "" {
					one.Formula, _ = ooxml.ShiftText(first.Formula, one.Row-first.Row, one.Column-first.Column)
				}
			}
			s.Cells = append(s.Cells, one)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.Merged, s.HiddenRows, s.HiddenColumns = also.merged, also.hiddenRows, also.hiddenColumns
	of, err := b.p.Relations(part)
	if err != nil {
		return large(err)
	}
	for _, r := range of {
		if r.Type == "table" && b.p.Has(r.Target) {
			t, err := b.p.Parse(r.Target)
			if err != nil {
				return large(err)
			}
			s.Tables = append(s.Tables, TableObject{Name: t.Get("displayName"), Ref: t.Get("ref")})
		}
	}
	slices.SortFunc(s.Tables, func(a, b TableObject) int { return cmp.Compare(a.Ref, b.Ref) })
	return nil
}
