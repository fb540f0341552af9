package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// layout writes a new workbook with the rows of the one that was read. Nothing else
// of that is taken over: charts, hidden sheets, comments and cached results may tell
// what is withheld.
type layout struct{ inner *tableio.Input }

// Column implements tableio.Layout.
func (l *layout) Column(_ int, field string) string { return field }

// Write implements tableio.Layout.
func (l *layout) Write(w io.Writer, in *tableio.Input, withheld []bool) error {
	inner := *l.inner
	inner.Uniform, inner.Style = in.Uniform, in.Style
	t := inner.Table
	st := slices.Clone(t.Status) // as published
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
	if err := tableio.Write(&text, &inner, pattern); err != nil {
		return err
	}
	rows, err := split(&text, rune(inner.Dialect.Separator))
	if err != nil {
		return err
	}
	cross := inner.Format == tableio.CrossTab
	if !cross && !inner.HasStatus { // it has a sheet of its own
		for n := range rows {
			rows[n] = rows[n][:len(rows[n])-1]
		}
	}
	return write(w, t, st, rows, cross, in.Style, withheld)
}

// split reads what package tableio wrote.
func split(text io.Reader, separator rune) ([][]string, error) {
	r := csv.NewReader(text)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
	if separator == 0 {
		r.Comma = ','
	}
	return r.ReadAll()
}

// Write writes t as a workbook: a sheet of values with one line a cell and all that a
// tidy file has, and a sheet of statuses. With style.Flag the values of withheld cells
// are kept, else the file is one to publish, of values and contributors alone.
func Write(w io.Writer, t *table.Table, style tableio.Style) error {
	shown := t
	if !style.Flag {
		shown = t.Clone()
		shown.Max = nil
		if shown.Missing == nil {
			shown.Missing = make([]bool, t.Len())
		}
		for i, st := range t.Status {
			shown.LPL[i], shown.UPL[i], shown.SPL[i] = 0, 0, 0
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
	if err := tableio.WriteTidy(&text, shown); err != nil {
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
	return write(w, t, t.Status, rows, false, style, nil)
}

// The fills of withheld cells: of colours that those who see few tell apart, and
// light enough to read on.
const (
	primaryFill   = "F4B183"
	secondaryFill = "BDD7EE"
)

// write makes the workbook. rows are the values with their header; those of tidy
// tables stand in the order of the cells.
func write(w io.Writer, t *table.Table, st []table.Status, rows [][]string, cross bool, style tableio.Style, withheld []bool) error {
	f := excelize.NewFile()
	defer f.Close()
	if err := f.SetSheetName("Sheet1", Values); err != nil {
		return err
	}
	if _, err := f.NewSheet(Statuses); err != nil {
		return err
	}
	styles := [5]int{}
	for n, s := range []*excelize.Style{
		{NumFmt: 49, Font: &excelize.Font{Bold: true}}, {NumFmt: 49}, nil,
		{Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{primaryFill}}},
		{Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{secondaryFill}}},
	} {
		if s == nil {
			continue
		}
		id, err := f.NewStyle(s)
		if err != nil {
			return err
		}
		styles[n] = id
	}
	head, text, plain := styles[0], styles[1], styles[2]
	k := len(t.Dims)
	cell := map[string]int{}
	if cross {
		for i := range t.Len() {
			cell[key(t, i)] = i
		}
	}
	header := rows[0]
	isDim := make([]bool, len(header))
	value := -1
	for c, h := range header {
		isDim[c] = cross && c == 0 || !cross && slices.ContainsFunc(t.Dims, func(d table.Dimension) bool { return d.Name == strings.TrimSpace(h) })
		if !cross && (strings.EqualFold(h, "value") || value < 0 && strings.EqualFold(h, "freq")) {
			value = c
		}
	}
	letters := make([][]string, 0, len(rows))
	if cross {
		letters = append(letters, header)
	} else {
		var names []string
		for d := range t.Dims {
			names = append(names, t.Dims[d].Name)
		}
		letters = append(letters, append(names, "status", "CONF_STATUS"))
	}
	fill := func(i int) int {
		switch {
		case i < 0:
		case st[i] == table.Sensitive:
			return styles[3]
		case st[i] == table.Withheld:
			return styles[4]
		}
		return plain
	}
	sw, err := f.NewStreamWriter(Values)
	if err != nil {
		return err
	}
	if err := frame(sw, isDim); err != nil {
		return err
	}
	for n, row := range rows {
		out := make([]any, len(row))
		letter := make([]string, 0, len(row))
		for c, s := range row {
			i := -1
			switch {
			case n == 0:
			case cross && c > 0:
				var ok bool
				if i, ok = cell[strings.TrimSpace(row[0])+"\x00"+strings.TrimSpace(header[c])]; !ok {
					i = -1
				}
			case !cross && c == value && n-1 < t.Len():
				i = n - 1
			}
			switch {
			case n == 0:
				out[c] = excelize.Cell{StyleID: head, Value: s}
			case c < len(isDim) && isDim[c]:
				out[c] = excelize.Cell{StyleID: text, Value: s}
			default:
				v, err := datum(s)
				if err != nil {
					return fmt.Errorf("table %s: %w", t.Name, err)
				}
				out[c] = excelize.Cell{StyleID: fill(i), Value: v}
			}
			if cross && n > 0 {
				switch {
				case c == 0:
					letter = append(letter, s)
				case i < 0:
					letter = append(letter, "")
				default:
					letter = append(letter, st[i].String())
				}
			}
		}
		at, _ := excelize.CoordinatesToCellName(1, n+1)
		if err := sw.SetRow(at, out); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		if cross && n > 0 {
			letters = append(letters, letter)
		}
	}
	if err := sw.Flush(); err != nil {
		return err
	}
	if !cross {
		for i := range t.Len() {
			row := strings.Split(key(t, i), "\x00")[:k]
			code := style.Code(st[i], t.ReasonOf(i), withheld != nil && withheld[i], st[i] == table.Withheld, "")
			letters = append(letters, append(row, st[i].String(), code))
		}
	}
	if sw, err = f.NewStreamWriter(Statuses); err != nil {
		return err
	}
	if err := frame(sw, isDim); err != nil {
		return err
	}
	for n, row := range letters {
		out := make([]any, len(row))
		for c, s := range row {
			id := text
			if n == 0 {
				id = head
			}
			out[c] = excelize.Cell{StyleID: id, Value: s}
		}
		at, _ := excelize.CoordinatesToCellName(1, n+1)
		if err := sw.SetRow(at, out); err != nil {
			return err
		}
	}
	if err := sw.Flush(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		return err
	}
	return rezip(w, b.Bytes())
}

// rezip writes the parts of a workbook in the order of their names, as excelize
// writes them in any: the same table gives the same bytes.
func rezip(w io.Writer, raw []byte) error {
	r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return err
	}
	slices.SortFunc(r.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	z := zip.NewWriter(w)
	for _, part := range r.File {
		from, err := part.Open()
		if err != nil {
			return err
		}
		to, err := z.Create(part.Name)
		if err != nil {
			return err
		}
		if _, err := io.Copy(to, from); err != nil {
			return err
		}
		if err := from.Close(); err != nil {
			return err
		}
	}
	return z.Close()
}

// frame keeps the header and the codes in sight.
func frame(sw *excelize.StreamWriter, isDim []bool) error {
	codes := max(1, slices.Index(append(slices.Clone(isDim), false), false))
	at, err := excelize.CoordinatesToCellName(codes+1, 2)
	if err != nil {
		return err
	}
	if err := sw.SetColWidth(1, codes, 16); err != nil {
		return err
	}
	return sw.SetPanes(&excelize.Panes{Freeze: true, XSplit: codes, YSplit: 1, TopLeftCell: at, ActivePane: "bottomRight"})
}

var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)([.,][0-9]+)?$`)

// datum is a number where s is written as one, nothing where it is empty, else text:
// 01 and 1E5 may be codes. Numbers of more than 15 digits would be rounded by Excel.
func datum(s string) (any, error) {
	if s == "" || !plainNumber.MatchString(s) {
		if s == "" {
			return nil, nil
		}
		return s, nil
	}
	d, err := table.ParseDecimal(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	plain := d.String()
	if digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(plain), "0"); len(digits) > 15 {
		return nil, fmt.Errorf("%s: Excel keeps 15 digits of a number; write CSV", plain)
	}
	if d.Scale == 0 {
		return d.Unscaled, nil
	}
	return strconv.ParseFloat(plain, 64)
}
