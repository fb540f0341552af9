package formats

import (
	"io"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// write implements source.
func (src *crossSource) write(w *textWriter, in *Input, withheld []bool) error {
	src.rows.Lines = &Lines{file: in.File}
	t := in.Table
	width := len(src.header) - 1
	given := width * len(src.text)
	rows := make(map[int32]bool, len(src.text))
	columns := make(map[int32]bool, width)
	for i := range given {
		rows[t.Coord[2*i]], columns[t.Coord[2*i+1]] = true, true
	}
	at := make(map[[2]int32]int, t.Len()-given) // computed cells by their codes
	var moreRows, moreColumns []int32
	for i := given; i < t.Len(); i++ {
		r, c := t.Coord[2*i], t.Coord[2*i+1]
		at[[2]int32{r, c}] = i
		if !rows[r] {
			rows[r] = true
			moreRows = append(moreRows, r)
		}
		if !columns[c] {
			columns[c] = true
			moreColumns = append(moreColumns, c)
		}
	}
	mark := func(i int) bool { return withheld != nil && withheld[i] || !t.Known(i) }
	blank := func(i int) string {
		if in.Intervals {
			lower, upper := Interval(in, i)
			return lower + IntervalDash + upper
		}
		return in.Dialect.Mark
	}
	computed := func(r, c int32) {
		if i := at[[2]int32{r, c}]; mark(i) {
			w.raw(blank(i))
		} else {
			w.number(table.FormatDecimal(t.Value[i], t.Decimals))
		}
	}
	row, err := src.rows.again(nil, src.head)
	if err != nil {
		return err
	}
	for _, f := range row {
		w.raw(f.raw)
	}
	for _, c := range moreColumns {
		w.text(t.Dims[1].Codes[c])
	}
	w.end()
	for n, line := range src.text {
		if row, err = src.rows.again(row[:0], line); err != nil {
			return err
		}
		w.raw(row[0].raw)
		for c, f := range row[1:] {
			if i := n*width + c; withheld != nil && withheld[i] {
				w.raw(blank(i))
			} else {
				w.raw(f.raw)
			}
		}
		for _, c := range moreColumns {
			computed(t.Coord[2*n*width], c)
		}
		w.end()
	}
	for _, r := range moreRows {
		w.text(t.Dims[0].Codes[r])
		for c := range width {
			computed(r, t.Coord[2*c+1])
		}
		for _, c := range moreColumns {
			computed(r, c)
		}
		w.end()
	}
	return nil
}

// WriteCrossTab writes the values of the two-way table t. Codes are in the order of the dimensions' trees, but
// totals come last, as in printed tables. Values that are not known are blank, empty cells 0. Statuses, costs,
// levels and bounds are not written.
func WriteCrossTab(w io.Writer, t *table.Table) error {
	if len(t.Dims) != 2 {
		return i18n.Errorf("table %s: %d dimensions, a cross-tab has 2", t.Name, len(t.Dims))
	}
	at := make(map[[2]int32]int, t.Len())
	var used [2]map[int32]bool
	for d := range used {
		used[d] = map[int32]bool{}
	}
	for i := range t.Len() {
		at[[2]int32{t.Coord[2*i], t.Coord[2*i+1]}] = i
		used[0][t.Coord[2*i]], used[1][t.Coord[2*i+1]] = true, true
	}
	var order [2][]int32
	for d := range order {
		for c := range t.Dims[d].Codes {
			if c > 0 && used[d][int32(c)] {
				order[d] = append(order[d], int32(c))
			}
		}
		if used[d][0] {
			order[d] = append(order[d], 0)
		}
	}
	tw := newTextWriter(w, t.Name, Dialect{})
	tw.text(t.Dims[0].Name + `\` + t.Dims[1].Name)
	for _, c := range order[1] {
		tw.text(t.Dims[1].Codes[c])
	}
	tw.end()
	for _, r := range order[0] {
		tw.text(t.Dims[0].Codes[r])
		for _, c := range order[1] {
			switch i, ok := at[[2]int32{r, c}]; {
			case !ok:
				tw.text("0")
			case !t.Known(i):
				tw.text("")
			default:
				tw.text(table.FormatDecimal(t.Value[i], t.Decimals))
			}
		}
		tw.end()
	}
	return tw.close()
}
