package formats

import (
	"io"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A use says when a written tidy file may show a column.
type use uint8

const (
	useAlways use = iota // codes, and columns with the same text on every line
	useOpen              // value and freq: shown unless the cell is withheld
	useOffice            // never in a published file
	useStatus            // status
	useBy                // the responses by which the cell is sensitive
	useLower             // the lower end of the interval that is published in place of a value
	useUpper
)

// uses decides for every column. Costs, levels and largest contributions stay in the office, since the largest
// contribution to a margin can be that to a withheld cell. So do bounds and columns that were not read, because
// nobody knows what they tell, unless they have the same text on every line or go with the codes of a
// dimension.
func (src *tidySource) uses(published bool) ([]use, error) {
	of := make([]use, len(src.header))
	status := src.statusColumn()
	if !published {
		if c := status; c >= 0 {
			of[c] = useStatus
		}
		return of, nil
	}
	constant, err := src.constant()
	if err != nil {
		return nil, err
	}
	for c := range of {
		if !constant[c] {
			of[c] = useOffice
		}
	}
	for f, c := range src.at {
		if f != "lower" && f != "upper" {
			of[c] = useOffice
		}
	}
	// These come last, as one column may serve both as value and as cost.
	for _, f := range []string{"value", "freq"} {
		if c := src.fieldColumn(f); c >= 0 {
			of[c] = useOpen
		}
	}
	for _, c := range src.office {
		of[c] = useOffice
	}
	if len(src.layers) > 0 {
		if c := src.fieldColumn("freq"); c >= 0 {
			of[c] = useAlways // unless it is a response, see below
		}
		for _, c := range src.layers {
			of[c] = useOpen
		}
		if src.by >= 0 {
			of[src.by] = useBy
		}
	}
	if c := status; c >= 0 {
		of[c] = useStatus
	}
	var unread []int
	for c := range of {
		named := fieldOf(src.header[c].text) != "" || slices.Contains(src.layers, c) || slices.Contains(src.office, c)
		for _, at := range src.at {
			named = named || at == c
		}
		if of[c] == useOffice && !named && !slices.Contains(src.dims, c) {
			unread = append(unread, c)
		}
	}
	if src.beside, err = src.companions(unread); err != nil {
		return nil, err
	}
	for c := range src.beside {
		of[c] = useAlways
	}
	for _, c := range src.dims {
		of[c] = useAlways
	}
	return of, nil
}

// ends marks the columns lower and upper, if there are any, as the ends of intervals, and returns those that
// are missing.
func (src *tidySource) ends(of []use) (missing []string) {
	for _, e := range []struct {
		field string
		use   use
	}{{"lower", useLower}, {"upper", useUpper}} {
		if c := src.fieldColumn(e.field); c >= 0 {
			of[c] = e.use
		} else {
			missing = append(missing, e.field)
		}
	}
	return missing
}

// constant marks the columns with the same text on every line, if there are at least two lines.
func (src *tidySource) constant() ([]bool, error) {
	same := make([]bool, len(src.header))
	if src.lines() < 2 {
		return same, nil
	}
	if src.stream != nil {
		return src.stream.same, nil
	}
	for c := range same {
		same[c] = true
	}
	first := make([]string, len(same))
	err := src.each(func(i int, row []field) bool {
		for c, f := range row {
			if i == 0 {
				first[c] = f.text
			}
			same[c] = same[c] && f.text == first[c]
		}
		return true
	})
	return same, err
}

// write implements source.
func (src *tidySource) write(w *textWriter, in *Input, withheld []bool) error {
	src.rows.Lines = &Lines{file: in.File}
	of, err := src.uses(withheld != nil)
	if err != nil {
		return err
	}
	row, err := src.rows.again(nil, src.head)
	if err != nil {
		return err
	}
	for _, f := range row {
		w.raw(f.raw)
	}
	kind, appended := src.status, src.statusColumn() < 0
	if c, ok := src.common["status"]; ok {
		kind = kindOf(src.header[c].text)
	}
	if appended {
		names := sets.Each(src.header, func(f field) string { return f.text })
		var name string
		name, kind = freeStatus(names)
		w.text(name)
	}
	by := in.Mask != nil && src.by < 0 && !in.Uniform
	if by {
		w.text(byColumn)
	}
	var ends []string
	if in.Intervals {
		ends = src.ends(of)
	}
	for _, name := range ends {
		w.text(name)
	}
	end := func(i int, out bool, field string) string {
		if !out || !in.Intervals {
			return ""
		}
		lower, upper := Interval(in, i)
		if field == "lower" {
			return lower
		}
		return upper
	}
	w.end()
	err = src.each(func(line int, row []field) bool {
		i, st := line, table.Published
		if src.stream != nil {
			i = src.stream.cell(line)
		}
		out := i >= 0 && withheld != nil && withheld[i]
		if i >= 0 {
			st = in.Table.Status[i]
		}
		for c, f := range row {
			switch {
			case of[c] == useStatus:
				w.raw(kind.format(st, out, in.Uniform, &row[c]))
			case of[c] == useBy:
				w.text(in.by(i))
			case of[c] == useLower:
				w.raw(end(i, out, "lower"))
			case of[c] == useUpper:
				w.raw(end(i, out, "upper"))
			case of[c] == useOffice:
				w.raw("")
			case of[c] == useOpen && out:
				w.raw(src.blank(c, in))
			default:
				w.raw(f.raw)
			}
		}
		if appended {
			w.raw(kind.format(st, out, in.Uniform, nil))
		}
		if by {
			w.text(in.by(i))
		}
		for _, name := range ends {
			w.raw(end(i, out, name))
		}
		w.end()
		return w.err == nil
	})
	if err != nil || src.stream != nil {
		return err
	}
	for i := len(src.text); i < in.Table.Len(); i++ {
		src.margin(w, in, i, withheld != nil && withheld[i], of, kind, by)
	}
	return nil
}

// blank returns what column c contains for a withheld cell.
func (src *tidySource) blank(c int, in *Input) string {
	if c == src.at["value"] || slices.Contains(src.layers, c) {
		return in.Dialect.Mark
	}
	return ""
}

// margin writes the line of a computed cell.
func (src *tidySource) margin(w *textWriter, in *Input, i int, out bool, of []use, kind *statusKind, by bool) {
	t, k := in.Table, len(in.Table.Dims)
	cells := make([]string, len(src.header))
	number := func(field string, v int64, scale int) {
		if c := src.fieldColumn(field); c >= 0 && of[c] != useOffice {
			cells[c] = table.FormatDecimal(v, scale)
		}
	}
	if !in.Intervals {
		number("lower", t.Lower[i], t.Decimals)
		number("upper", t.Upper[i], t.Decimals)
	} else if out {
		for k, text := range ends(Interval(in, i)) {
			if c := src.fieldColumn([2]string{"lower", "upper"}[k]); c >= 0 {
				cells[c] = text
			}
		}
	}
	number("cost", t.Cost[i], t.CostDecimals)
	if out {
		if c := src.fieldColumn("freq"); c >= 0 && of[c] == useOpen {
			cells[c] = ""
		} else if t.Freq != nil && t.Freq[i] >= 0 {
			number("freq", t.Freq[i], 0)
		}
		cells[src.at["value"]] = in.Dialect.Mark
	} else {
		if t.Freq != nil && t.Freq[i] >= 0 {
			number("freq", t.Freq[i], 0)
		}
		number("value", t.Value[i], t.Decimals)
	}
	for r, c := range src.layers {
		switch {
		case out || in.Mask == nil && c != src.at["value"]: // a column that only Table has
			cells[c] = in.Dialect.Mark
		case in.Mask != nil:
			l := in.Mask.Tables[r]
			cells[c] = table.FormatDecimal(l.Value[i], l.Decimals)
		}
	}
	dim := map[int]bool{}
	for d, c := range src.dims {
		dim[c] = true
		cells[c] = t.Dims[d].Codes[t.Coord[i*k+d]]
	}
	for c, b := range src.beside {
		dim[c] = true
		cells[c] = b.of[t.Dims[b.dim].Codes[t.Coord[i*k+b.dim]]]
	}
	status := kind.format(t.Status[i], out, in.Uniform, nil)
	if c := src.statusColumn(); c >= 0 {
		cells[c] = status
	}
	if src.by >= 0 {
		cells[src.by] = in.by(i)
	}
	for c, s := range cells {
		if dim[c] {
			w.text(s)
		} else {
			w.number(s)
		}
	}
	if src.statusColumn() < 0 {
		w.text(status)
	}
	if by {
		w.text(in.by(i))
	}
	for k, name := range [2]string{"lower", "upper"} {
		if !in.Intervals || src.fieldColumn(name) >= 0 {
			continue
		}
		if out {
			w.raw(ends(Interval(in, i))[k])
		} else {
			w.raw("")
		}
	}
	w.end()
}

func ends(lower, upper string) [2]string { return [2]string{lower, upper} }

// WriteTidy writes t as a tidy CSV file that reads back as t: the dimensions, then value (freq alone for a
// table of counts), and those of freq, cost, status, reason, levels, bounds and largest contributions that are
// not at their defaults. Values that are not known are blank; all known values are written, withheld or not.
func WriteTidy(w io.Writer, t *table.Table) error {
	if len(t.Dims) == 0 {
		return i18n.Errorf("table %s: no dimensions; a table of relations alone is written as JJ", t.Name)
	}
	type column struct {
		name string
		cell func(i int) string
	}
	var columns []column
	num := func(v []int64, scale int, unset int64) func(int) string {
		return func(i int) string {
			if v[i] == unset {
				return ""
			}
			return table.FormatDecimal(v[i], scale)
		}
	}
	add := func(name string, v []int64, scale int, unset int64) {
		for i := range v {
			if v[i] != unset {
				columns = append(columns, column{name, num(v, scale, unset)})
				return
			}
		}
	}
	value := column{"value", func(i int) string {
		if !t.Known(i) {
			return ""
		}
		return table.FormatDecimal(t.Value[i], t.Decimals)
	}}
	if t.Counts && t.Freq == nil {
		value.name = "freq"
	}
	columns = append(columns, value)
	add("freq", t.Freq, 0, -1)
	for i, c := range t.Cost {
		if c != valueCost(t, i) {
			columns = append(columns, column{"cost", func(i int) string { return table.FormatDecimal(t.Cost[i], t.CostDecimals) }})
			break
		}
	}
	for _, st := range t.Status {
		if st != table.Safe {
			names := sets.Each(t.Dims, func(d table.Dimension) string { return d.Name })
			name, kind := freeStatus(names)
			columns = append(columns, column{name, func(i int) string { return kind.format(t.Status[i], false, false, nil) }})
			break
		}
	}
	for _, r := range t.Reason {
		if r != table.NoReason {
			columns = append(columns, column{"reason", func(i int) string { return t.Reason[i].String() }})
			break
		}
	}
	add("lpl", t.LPL, t.Decimals, 0)
	add("upl", t.UPL, t.Decimals, 0)
	add("spl", t.Width, t.Decimals, 0)
	add("lower", t.Lower, t.Decimals, 0)
	add("upper", t.Upper, t.Decimals, table.PosInf)
	for r, v := range t.Max {
		columns = append(columns, column{"max" + strconv.Itoa(r+1), func(i int) string { return table.FormatDecimal(v[i], t.Decimals) }})
	}
	if c := t.Contributors; c != nil {
		for r, who := range c.Who {
			columns = append(columns, column{"who" + strconv.Itoa(r+1), func(i int) string {
				if who[i] < 0 {
					return ""
				}
				return c.Names[who[i]]
			}})
		}
		add("absolute", c.Absolute, t.Decimals, table.NegInf)
		add("waived", c.Waived, 0, 0)
		add("unwaived", c.Target, t.Decimals, 0)
	}
	tw := newTextWriter(w, t.Name, Dialect{})
	for _, d := range t.Dims {
		tw.text(d.Name)
	}
	for _, c := range columns {
		tw.text(c.name)
	}
	tw.end()
	k := len(t.Dims)
	for i := range t.Len() {
		for d := range k {
			tw.text(t.Dims[d].Codes[t.Coord[i*k+d]])
		}
		for _, c := range columns {
			tw.text(c.cell(i))
		}
		tw.end()
	}
	return tw.close()
}

// valueCost returns the cost max(1, |a_i|) that a reader gives to a cell without one, in units of the table's
// costs; −1 if these cannot express it.
func valueCost(t *table.Table, i int) int64 {
	v := table.Decimal{Unscaled: 1}
	if t.Known(i) {
		if a := max(t.Value[i], -t.Value[i]); a > table.Pow10(t.Decimals) {
			v = table.Decimal{Unscaled: a, Scale: t.Decimals}
		}
	}
	if u, ok := v.At(t.CostDecimals); ok {
		return u
	}
	return -1
}
