package tableio

import (
	"fmt"
	"io"
	"strconv"

	"github.com/hitoku/hitoku/table"
)

// write implements source.
func (src *tidySource) write(w *textWriter, in *Input, withheld []bool) error {
	src.rows.lines = &lines{file: in.File}
	statusColumn := src.fieldColumn("status")
	head, err := src.rows.split(nil, src.head)
	if err != nil {
		return err
	}
	for _, f := range head {
		w.raw(f.raw)
	}
	if statusColumn < 0 {
		w.text("status")
	}
	w.end()
	isDim := make([]bool, len(head))
	for _, c := range src.dims {
		isDim[c] = true
	}
	internal := make([]bool, len(head))
	if withheld != nil {
		if internal, err = src.internal(); err != nil {
			return err
		}
	}
	kind := src.status
	if kind == nil {
		kind = statusKinds[0]
	}
	var row []field
	for i, line := range src.text {
		if row, err = src.rows.split(row[:0], line); err != nil {
			return err
		}
		out := withheld != nil && withheld[i]
		for c, f := range row {
			switch {
			case c == statusColumn:
				w.text(kind.format(in.Table.Status[i], out, in.Uniform, f.text))
			case out && !isDim[c]:
				w.raw(src.blank(c, in))
			case internal[c]:
				w.raw("")
			default:
				w.raw(f.raw)
			}
		}
		if statusColumn < 0 {
			w.text(kind.format(in.Table.Status[i], out, in.Uniform, ""))
		}
		w.end()
	}
	for i := len(src.text); i < in.Table.Len(); i++ {
		src.margin(w, in, i, withheld != nil && withheld[i], internal, kind)
	}
	return nil
}

// internal marks the columns that a published file leaves blank: costs, levels,
// largest contributions, and bounds that differ from cell to cell.
func (src *tidySource) internal() ([]bool, error) {
	blank := make([]bool, len(src.header))
	for f, c := range src.at {
		blank[c] = f != "value" && f != "freq" && f != "status"
	}
	// One column may serve as value and cost.
	for _, f := range []string{"value", "freq", "status"} {
		if c := src.fieldColumn(f); c >= 0 {
			blank[c] = false
		}
	}
	var row []field
	var err error
	for _, f := range []string{"lower", "upper"} {
		c := src.fieldColumn(f)
		if c < 0 || !blank[c] {
			continue
		}
		first, same := "", true
		for i, line := range src.text {
			if row, err = src.rows.split(row[:0], line); err != nil {
				return nil, err
			}
			if i == 0 {
				first = row[c].text
			}
			if same = same && row[c].text == first; !same {
				break
			}
		}
		blank[c] = !same
	}
	return blank, nil
}

// blank is what a withheld cell has in column c.
func (src *tidySource) blank(c int, in *Input) string {
	if c == src.at["value"] {
		return in.Dialect.Mark
	}
	return ""
}

// margin writes the line of a computed cell.
func (src *tidySource) margin(w *textWriter, in *Input, i int, out bool, internal []bool, kind *statusKind) {
	t, k := in.Table, len(in.Table.Dims)
	cells := make([]string, len(src.header))
	if out {
		cells[src.at["value"]] = in.Dialect.Mark
	} else {
		number := func(field string, v int64, scale int) {
			if c := src.fieldColumn(field); c >= 0 && !internal[c] {
				cells[c] = table.FormatDecimal(v, scale)
			}
		}
		number("cost", t.Cost[i], t.CostDecimals)
		number("lower", t.Lower[i], t.Decimals)
		number("upper", t.Upper[i], t.Decimals)
		if t.Freq != nil && t.Freq[i] >= 0 {
			number("freq", t.Freq[i], 0)
		}
		number("value", t.Value[i], t.Decimals)
	}
	dim := map[int]bool{}
	for d, c := range src.dims {
		dim[c] = true
		cells[c] = t.Dims[d].Codes[t.Coord[i*k+d]]
	}
	status := kind.format(t.Status[i], out, in.Uniform, "")
	if c := src.fieldColumn("status"); c >= 0 {
		cells[c] = status
	}
	for c, s := range cells {
		if dim[c] {
			w.text(s)
		} else {
			w.number(s)
		}
	}
	if src.status == nil {
		w.text(status)
	}
	w.end()
}

// WriteTidy writes t as a tidy CSV file that reads back as t: the dimensions, then
// value (freq alone for a table of counts), and of freq, cost, status, the levels,
// the bounds and the largest contributions those that say something. Values that
// are not known are blank; all that are known are written, withheld or not.
func WriteTidy(w io.Writer, t *table.Table) error {
	if len(t.Dims) == 0 {
		return fmt.Errorf("table %s: no dimensions; a table of relations alone is written as JJ", t.Name)
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
			columns = append(columns, column{"status", func(i int) string { return t.Status[i].String() }})
			break
		}
	}
	add("lpl", t.LPL, t.Decimals, 0)
	add("upl", t.UPL, t.Decimals, 0)
	add("spl", t.SPL, t.Decimals, 0)
	add("lower", t.Lower, t.Decimals, 0)
	add("upper", t.Upper, t.Decimals, table.PosInf)
	for r, v := range t.Max {
		columns = append(columns, column{"max" + strconv.Itoa(r+1), func(i int) string { return table.FormatDecimal(v[i], t.Decimals) }})
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

// valueCost is the cost max(1, |a_i|) that a reader gives to a cell without one, in
// units of the table's costs; −1 where those cannot express it.
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
