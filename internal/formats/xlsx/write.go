package xlsx

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// layout writes a cross-tab into a copy of the workbook that was read, if only withheld cells change. Other
// workbooks are written from scratch with nothing but their rows: a list, one with a sheet of statuses, and one
// whose values are kept beside flags. Charts, hidden sheets, comments and cached results may tell what is
// withheld.
type layout struct {
	inner    *formats.Input
	original *original      // nil: write from scratch
	format   formats.Format // XLSX or ODS
	changes  []fmt.Stringer // what the last copy changed
}

// Intervals implements formats.Intervaller: a cross-tab has intervals as text, a list in columns lower and
// upper.
func (l *layout) Intervals() error { return nil }

// Column implements formats.Layout.
func (l *layout) Column(_ int, field string) string { return field }

// Write implements formats.Layout.
func (l *layout) Write(w io.Writer, in *formats.Input, withheld []bool) error {
	inner := *l.inner
	inner.Uniform, inner.Style, inner.Intervals = in.Uniform, in.Style, in.Intervals
	t := inner.Table
	st := slices.Clone(t.Status) // the statuses to be published
	for i := range st {
		if withheld != nil && withheld[i] && (in.Uniform || st[i] != table.Sensitive) {
			st[i] = table.Withheld
		}
	}
	pattern := withheld
	if in.Style.Flag {
		pattern = nil
		flagged := *t
		flagged.Status = st
		inner.Table = &flagged
	}
	var text bytes.Buffer
	if err := formats.Write(&text, &inner, pattern); err != nil {
		return err
	}
	rows, err := split(&text, rune(inner.Dialect.Separator))
	if err != nil {
		return err
	}
	cross := inner.Format == formats.CrossTab
	if !cross && !inner.HasStatus { // the statuses have a sheet of their own
		c := len(rows[0]) - 1
		for rows[0][c] != "status" { // the column was added, perhaps before lower and upper
			c--
		}
		for n := range rows {
			rows[n] = slices.Delete(rows[n], c, c+1)
		}
	}
	l.changes = nil
	if cross {
		if ok, err := l.copy(w, in, rows); ok || err != nil {
			return err
		}
	}
	return write(w, l.format, t, st, rows, cross, in.Style, withheld)
}

// split reads the rows that package tableio has written.
func split(text io.Reader, separator rune) ([][]string, error) {
	r := csv.NewReader(text)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
	if separator == 0 {
		r.Comma = ','
	}
	return r.ReadAll()
}

// Write writes t as a workbook: a sheet of values with one line for each cell and the columns of a tidy file,
// and a sheet of statuses. With style.Flag the values of withheld cells are kept; otherwise the file is for
// publication and has values and contributors only.
func Write(w io.Writer, t *table.Table, style formats.Style) error {
	return writeAnew(w, XLSX, t, style)
}

// WriteODS is [Write] for an OpenDocument spreadsheet.
func WriteODS(w io.Writer, t *table.Table, style formats.Style) error {
	return writeAnew(w, ODS, t, style)
}

func writeAnew(w io.Writer, format formats.Format, t *table.Table, style formats.Style) error {
	shown := t
	if !style.Flag {
		shown = t.Clone()
		shown.Max = nil
		if shown.Missing == nil {
			shown.Missing = make([]bool, t.Len())
		}
		for i, st := range t.Status {
			shown.LPL[i], shown.UPL[i], shown.Width[i] = 0, 0, 0
			shown.Lower[i], shown.Upper[i] = 0, table.PosInf
			if st == table.Sensitive || st == table.Withheld {
				shown.Missing[i] = true
				if shown.Freq != nil {
					shown.Freq[i] = -1
				}
			}
		}
		if err := shown.SetCost(table.CostKind{Kind: "value"}); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	if err := formats.WriteTidy(&text, shown); err != nil {
		return err
	}
	rows, err := split(&text, ',')
	if err != nil {
		return err
	}
	k := len(t.Dims)
	if c := slices.Index(rows[0][k:], "status"); c >= 0 {
		for n := range rows {
			rows[n] = slices.Delete(rows[n], k+c, k+c+1)
		}
	}
	return write(w, format, t, t.Status, rows, false, style, nil)
}

// write makes the workbook. rows are the values with their header; those of tidy tables are in the order of the
// cells.
func write(w io.Writer, format formats.Format, t *table.Table, st []table.Status, rows [][]string, cross bool, style formats.Style, withheld []bool) error {
	k := newSketch(t, st, rows, cross)
	values, err := k.sheet(valuesSheet, rows, k.valueCell)
	if err != nil {
		return err
	}
	var letters [][]string
	if cross {
		letters = k.lettersAcross()
	} else {
		letters = k.lettersDown(style, withheld)
	}
	statuses, err := k.sheet(statusesSheet, letters, k.textCell)
	if err != nil {
		return err
	}
	if format == ODS {
		return writeODS(w, []*plainSheet{values, statuses})
	}
	return writePlain(w, []*plainSheet{values, statuses})
}

// A sketch is what the sheets of a workbook have in common.
type sketch struct {
	t     *table.Table
	st    []table.Status
	rows  [][]string // the values with their header
	cross bool
	isDim []bool         // which columns contain codes
	value int            // column of the values in tidy rows
	cell  map[string]int // cells of a cross-tab by their codes
}

func newSketch(t *table.Table, st []table.Status, rows [][]string, cross bool) *sketch {
	k := &sketch{t: t, st: st, rows: rows, cross: cross, isDim: make([]bool, len(rows[0])), value: -1}
	for c, h := range rows[0] {
		k.isDim[c] = cross && c == 0 || !cross && slices.ContainsFunc(t.Dims, func(d table.Dimension) bool { return d.Name == strings.TrimSpace(h) })
		if !cross && (strings.EqualFold(h, "value") || k.value < 0 && strings.EqualFold(h, "freq")) {
			k.value = c
		}
	}
	if cross {
		k.cell = make(map[string]int, t.Len())
		for i := range t.Len() {
			k.cell[key(t, i)] = i
		}
	}
	return k
}

// at returns the cell whose value is in row n and column c of the values, −1 if there is none.
func (k *sketch) at(n, c int) int {
	switch {
	case n == 0:
	case k.cross && c > 0:
		if i, ok := k.cell[strings.TrimSpace(k.rows[n][0])+"\x00"+strings.TrimSpace(k.rows[0][c])]; ok {
			return i
		}
	case !k.cross && c == k.value && n-1 < k.t.Len():
		return n - 1
	}
	return -1
}

// valueCell returns text s of the sheet of values as a cell: codes are texts, numbers are coloured by their
// status.
func (k *sketch) valueCell(n, c int, s string) (plainCell, error) {
	if n == 0 || c < len(k.isDim) && k.isDim[c] {
		return k.textCell(n, c, s)
	}
	number, err := isNumber(s)
	if err != nil {
		return plainCell{}, err
	}
	out := plainCell{text: s, number: number}
	if number {
		out.text = strings.Replace(s, ",", ".", 1)
	}
	if i := k.at(n, c); i >= 0 {
		switch k.st[i] {
		case table.Sensitive:
			out.style = primaryStyle
		case table.Withheld:
			out.style = secondaryStyle
		}
	}
	return out, nil
}

// textCell returns a text as a cell, in bold for the header.
func (k *sketch) textCell(n, _ int, s string) (plainCell, error) {
	if n == 0 {
		return plainCell{text: s, style: headStyle}, nil
	}
	return plainCell{text: s, style: textStyle}, nil
}

// lettersAcross returns the statuses as letters, in the layout of the cross-tab.
func (k *sketch) lettersAcross() [][]string {
	all := [][]string{k.rows[0]}
	for n, row := range k.rows[1:] {
		letters := make([]string, len(row))
		for c := range row {
			if i := k.at(n+1, c); c == 0 {
				letters[c] = row[c]
			} else if i >= 0 {
				letters[c] = k.st[i].String()
			}
		}
		all = append(all, letters)
	}
	return all
}

// lettersDown returns one line for each cell: its codes, its status and its SDMX status.
func (k *sketch) lettersDown(style formats.Style, withheld []bool) [][]string {
	names := sets.List(len(k.t.Dims), func(d int) string { return k.t.Dims[d].Name })
	all := [][]string{append(names, "status", "CONF_STATUS")}
	for i, st := range k.st[:k.t.Len()] {
		row := strings.Split(key(k.t, i), "\x00")[:len(k.t.Dims)]
		code := formats.Code(&style, st, k.t.ReasonOf(i), withheld != nil && withheld[i], st == table.Withheld, "")
		all = append(all, append(row, st.String(), code))
	}
	return all
}

// sheet makes a sheet of rows, whose cells cell makes; the header and the codes stay in sight when scrolling.
func (k *sketch) sheet(name string, rows [][]string, cell func(n, c int, s string) (plainCell, error)) (*plainSheet, error) {
	sheet := &plainSheet{name: name, codes: max(1, slices.Index(append(slices.Clone(k.isDim), false), false))}
	for n, row := range rows {
		cells := make([]plainCell, len(row))
		for c, s := range row {
			var err error
			if cells[c], err = cell(n, c, s); err != nil {
				return nil, i18n.Errorf("table %s: %w", k.t.Name, err)
			}
		}
		if err := sheet.add(cells); err != nil {
			return nil, i18n.Errorf("table %s: %w", k.t.Name, err)
		}
	}
	return sheet, nil
}

var plainNumber = lazy.Regexp(`^-?(0|[1-9][0-9]*)([.,][0-9]+)?$`)

// isNumber reports whether s is written as a number; 01 and 1E5 may be codes. Excel would round a number of
// more than 15 digits, which is an error.
func isNumber(s string) (bool, error) {
	if !plainNumber().MatchString(s) {
		return false, nil
	}
	d, err := table.ParseDecimal(s)
	if err != nil {
		return false, i18n.Errorf("%s: %w", s, err)
	}
	plain := d.String()
	if digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(plain), "0"); len(digits) > 15 {
		return false, i18n.Errorf("%s: Excel keeps 15 digits of a number; write CSV", plain)
	}
	return true, nil
}
