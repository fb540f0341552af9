package formats

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// cornerNames splits the corner cell "row\column" of a cross-tab.
func cornerNames(corner string) (row, column string) {
	row, column, _ = strings.Cut(strings.ReplaceAll(corner, "＼", `\`), `\`)
	row, column = strings.TrimSpace(row), strings.TrimSpace(column)
	row = cmp.Or(row, "row")
	column = cmp.Or(column, "column")
	return row, column
}

// readCrossTab reads a two-way table whose first line and first column are codes.
func readCrossTab(in *Input, s *rows, o *Options) error {
	for _, given := range []struct {
		set  bool
		what i18n.Text
	}{{len(o.Columns) > 0, i18n.T("fields are assigned to columns")}, {o.CostColumn != "", i18n.T("costs are taken from a column")}, {len(o.Dims) > 0, i18n.T("dimensions are named")}} {
		if given.set {
			return &Error{File: in.File, Want: i18n.T("%s, but this is a cross-tab; want a tidy file with a column value or freq", given.what)}
		}
	}
	if len(s.header) < 2 {
		return unlaid(s.fault(0, "", i18n.T("one column only; want a cross-tab with codes in the first line and column, or a tidy file with a column value or freq")))
	}
	row, column := cornerNames(s.header[0].text)
	codes, err := newCodes(in.File, []string{row, column}, o)
	if err != nil {
		return err
	}
	src := &crossSource{header: s.header, rows: rows{sep: s.sep, header: s.header}, head: s.text}
	in.source = src
	width := len(s.header) - 1
	columns := make([]string, width)
	for c, f := range s.header[1:] {
		if m := misspelt(f.text); m != "" && o.From == "" {
			return s.fault(f.col, Show(f.text), i18n.T("read as a code of a cross-tab; if it is the field %s of a tidy file, say so (--column %s=%s); else say what the file is (--from crosstab), or read it as an office lays it out (--from layout)", m, m, f.text))
		}
		if f.text == "" {
			return unlaid(s.fault(f.col, "", i18n.T("column %s has no code", strconv.Itoa(c+2))))
		}
		if first, dup := codes[1].index[f.text]; dup {
			return unlaid(s.fault(f.col, Show(f.text), i18n.T("code given twice, first in column %d", first+2)))
		}
		columns[c] = codes[1].add(f.text, s.line)
	}
	n := newNumbers(s, o)
	cells := crossCells{codes: columns, o: o}
	for fields, err := range s.all(&cells.n, width) {
		if err != nil {
			return err
		}
		code := fields[0].text
		if code == "" {
			return unlaid(s.at(s.header[0].text, "", i18n.T("empty, want the code of this row")))
		}
		if first, dup := codes[0].index[code]; dup {
			return unlaid(s.at(s.header[0].text, code, i18n.T("code given twice, first on line %d", codes[0].line[first])))
		}
		cells.row(codes[0].add(code, s.line), s.line)
		for c, f := range fields[1:] {
			var rec table.Record
			parse := n.parse
			if !o.Magnitude {
				parse = func(column, text string) (table.Number, error) {
					return n.count(column, text, i18n.T("; say --magnitude if these are amounts"))
				}
			}
			err = n.cell(&rec, columns[c], f.text, parse)
			if err != nil {
				var e *Error
				if cells.n < width && !strings.ContainsAny(f.text, "0123456789") && errors.As(err, &e) {
					e.Want = i18n.T("%s; a cross-tab has numbers in all but its first line and column, and a tidy file a column value or freq (--column value=NAME)", e.Want)
				}
				return unlaid(err)
			}
			cells.add(&rec)
		}
		src.text = append(src.text, s.text)
	}
	dims, err := dimensions(in.File, cells.n, n, codes)
	if err != nil {
		return err
	}
	if err := in.build(dims, cells.n, cells.at, !o.Magnitude, o.Rounded); err != nil {
		return err
	}
	return checkFlat(in.File, dims, cells.n, cells.at, o)
}

// crossCells holds the cells of a cross-tab row by row, in a tenth of the space that records take.
type crossCells struct {
	n     int
	rows  []crossRow
	codes []string // codes of the columns
	o     *Options
	rec   table.Record // returned by at
}

// A crossRow is a row of a cross-tab.
type crossRow struct {
	code   string
	line   int
	value  []table.Number
	status []table.Status
	bounds map[int][2]table.Number // bounds of the cells that are intervals
}

func (x *crossCells) row(code string, line int) {
	width := len(x.codes)
	x.rows = append(x.rows, crossRow{code: code, line: line, value: make([]table.Number, 0, width), status: make([]table.Status, 0, width)})
}

// add adds a cell to the last row. In a cross-tab a cell has a value, a status and bounds only.
func (x *crossCells) add(rec *table.Record) {
	r := &x.rows[len(x.rows)-1]
	if rec.Lower.Set || rec.Upper.Set {
		if r.bounds == nil {
			r.bounds = map[int][2]table.Number{}
		}
		r.bounds[len(r.value)] = [2]table.Number{rec.Lower, rec.Upper}
	}
	r.value, r.status = append(r.value, rec.Value), append(r.status, rec.Status)
	x.n++
}

// at returns cell i as a record, which is valid until the next call.
func (x *crossCells) at(i int) *table.Record {
	r, c := &x.rows[i/len(x.codes)], i%len(x.codes)
	codes := append(x.rec.Codes[:0], r.code, x.codes[c])
	x.rec = table.Record{Line: r.line, Codes: codes, Value: r.value[c], Status: r.status[c]}
	if b, ok := r.bounds[c]; ok {
		x.rec.Lower, x.rec.Upper = b[0], b[1]
	}
	x.o.defaultBounds(&x.rec)
	return &x.rec
}

// crossSource keeps the lines of a cross-tab.
type crossSource struct {
	header []field
	rows   rows // splits the lines again when they are written
	head   string
	text   []string
}

// column implements source.
func (src *crossSource) column(record int, field string) string {
	if field == "" {
		return ""
	}
	return src.header[1+record%(len(src.header)-1)].text
}

// An unlaidError marks the error of a file that is not laid out as a cross-tab, such as a table in an office's
// own layout.
type unlaidError struct{}

func (unlaidError) Error() string { return "no plain cross-tab" }

// NoCrossTab distinguishes it from other errors.
func (unlaidError) NoCrossTab() {}

func unlaid(err error) error {
	if e, ok := err.(*Error); ok && e.Err == nil {
		e.Err = unlaidError{}
	}
	return err
}
