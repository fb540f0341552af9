package formats

import (
	"bytes"
	"io"

	"github.com/hitoku/hitoku/internal/firewall"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/table"
)

// SavePublished saves as Save does a file that write makes anew from in and that is to be published without the
// values of the cells that pattern withholds. The file gets its name only if package firewall finds none of
// those values in what write writes; else the error is a *firewall.Leak.
func SavePublished(in *Input, path string, pattern []bool, write func(io.Writer) error) error {
	r := (&Input{Table: in.Table, Mask: in.Mask, Behind: in.Behind, LeftAside: in.LeftAside}).release(pattern)
	return SaveReleased(path, r, write)
}

// SaveNew saves as Save does a file that write makes anew from in. If in.Behind has the true values of the
// table, it is checked as by SavePublished to show none of them.
func SaveNew(in *Input, path string, write func(io.Writer) error) error {
	if in.Behind == nil {
		return Save(path, write)
	}
	return SavePublished(in, path, make([]bool, in.Table.Len()), write)
}

// SaveReleased saves as Save does what write writes, if package firewall finds that it may be published of r.
func SaveReleased(path string, r *firewall.Release, write func(io.Writer) error) error {
	content, err := Released(path, r, write)
	if err != nil {
		return err
	}
	return SaveAs(private.Table, path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Released returns what write writes if it may be published under that name, else an error.
func Released(name string, r *firewall.Release, write func(io.Writer) error) ([]byte, error) {
	var content bytes.Buffer
	if err := write(&content); err != nil {
		return nil, err
	}
	if err := firewall.Check(name, content.Bytes(), r); err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

// release describes for package firewall what is to be published of in.
func (in *Input) release(pattern []bool) *firewall.Release {
	t := in.Table
	tables := []*table.Table{t}
	if in.Mask != nil {
		tables = in.Mask.Tables
	}
	r := &firewall.Release{Input: in.File, Texts: map[string]bool{}, Aside: in.LeftAside || in.Whole != nil}
	if c, ok := LayoutOf(in).(calculated); ok {
		r.Original = c.Calculated()
	}
	for d := range t.Dims {
		dim := &t.Dims[d]
		r.Codes = append(r.Codes, dim.Codes)
		r.Texts[dim.Name] = true
		for _, c := range dim.Codes {
			r.Texts[c] = true
			if l := dim.Labels[c]; l != "" {
				r.Texts[l] = true
			}
		}
	}
	r.Cells = func(yield func(firewall.Cell) bool) {
		for i := range t.Len() {
			c := firewall.Cell{Withheld: pattern[i], InFile: in.Line(i) > 0}
			if len(t.Dims) > 0 {
				c.Codes = t.CellCodes(i)
			}
			for _, of := range tables {
				if of.Known(i) {
					c.Values = append(c.Values, table.FormatDecimal(of.Value[i], of.Decimals))
				}
			}
			switch {
			case in.Behind != nil && in.Behind.Value[i] != t.Value[i]:
				c.Withheld, c.Ends, c.Values = true, c.Values, []string{table.FormatDecimal(in.Behind.Value[i], in.Behind.Decimals)}
			case pattern[i] && in.Intervals:
				lower, upper := Interval(in, i)
				c.Ends = []string{lower, upper}
			case !pattern[i] && t.Freq != nil && t.Freq[i] > 0:
				c.Values = append(c.Values, table.FormatDecimal(t.Freq[i], 0))
			}
			if !yield(c) {
				return
			}
		}
	}
	return r
}
