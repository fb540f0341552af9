package risk

import (
	"bufio"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
)

// A RecordColumn is a column of a list of records: Text is computed from a record's class and the further columns read.
type RecordColumn struct {
	Name string
	Text func(g int, more []string) string
}

// WriteRecords writes CSV with a line for each record of files, in order: the file if there are several, the line on
// which the record begins, the number of its class in order of appearance, and columns. more are further columns of the
// files, which are passed to Text. The files must be those that c has counted, read again.
func (c *Classes) WriteRecords(ctx context.Context, w io.Writer, files []string, l Layout, more []string, columns []RecordColumn) error {
	buffer := bufio.NewWriter(w)
	out := csv.NewWriter(buffer)
	head := []string{"line", "class"}
	if len(files) > 1 {
		head = slices.Insert(head, 0, "file")
	}
	for _, x := range columns {
		head = append(head, x.Name)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	names := append(slices.Clone(c.columns.names[:c.t.w]), more...)
	number, next := make([]int, c.t.n), 0
	values := make([]string, len(names))
	for _, path := range files {
		line := make([]string, len(head))
		err := eachRecord(ctx, path, l, names, nil, func(r *record) error {
			for k := range values {
				var err error
				if values[k], err = r.value(names, k); err != nil {
					return err
				}
			}
			g := c.Class(values[:c.t.w]...)
			if g < 0 {
				return errChanged
			}
			if number[g] == 0 {
				next++
				number[g] = next
			}
			line = line[:0]
			if len(files) > 1 {
				line = append(line, path)
			}
			line = append(line, strconv.Itoa(r.line), strconv.Itoa(number[g]))
			for _, x := range columns {
				line = append(line, x.Text(g, values[c.t.w:]))
			}
			return out.Write(line)
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return buffer.Flush()
}
