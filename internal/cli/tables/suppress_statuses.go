package tables

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/hitoku/hitoku/internal/office"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// saveStatuses writes what the office wants to know of every cell, and nobody else may: its value, its status and what it
// would have cost to withhold. Nobody but the owner can read a new file.
func (s *suppression) saveStatuses(in *tableio.Input, res *protect.Result) error {
	if s.statuses != tableio.Stdout {
		switch f, err := os.OpenFile(s.statuses, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); { // whose permissions stay
		case err == nil:
			f.Close()
		case !errors.Is(err, fs.ErrExist):
			return tableio.OSError(s.statuses, err)
		}
	}
	return tableio.Save(s.statuses, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# %s\n", office.Only); err != nil {
			return err
		}
		return writeStatuses(w, in, res.Patterns[0], s.inputs.Responses)
	})
}

func writeStatuses(w io.Writer, in *tableio.Input, pattern []bool, responses []string) error {
	t := in.Table
	values, names := []*table.Table{t}, []string{"value"}
	if in.Mask != nil { // of several responses
		values, names = in.Mask.Tables, responses
	}
	address := in.Addresses()
	out := csv.NewWriter(w)
	var header []string
	for d := range t.Dims {
		header = append(header, t.Dims[d].Name)
	}
	if len(t.Dims) == 0 {
		header = append(header, "cell")
	}
	if address != nil {
		header = append(header, "address")
	}
	header = append(append(header, names...), "status")
	if in.Mask == nil {
		header = append(header, "cost")
	}
	out.Write(header)
	for i := range t.Len() {
		row := codesOf(t, i)
		if row == nil {
			row = []string{t.CellName(i)}
		}
		if address != nil {
			row = append(row, address(i))
		}
		for _, v := range values {
			text := ""
			if v.Known(i) {
				text = table.FormatDecimal(v.Value[i], v.Decimals)
			}
			row = append(row, text)
		}
		st := t.Status[i]
		if pattern[i] && st != table.Sensitive {
			st = table.Withheld
		}
		row = append(row, st.String())
		if in.Mask == nil {
			row = append(row, table.FormatDecimal(t.Cost[i], t.CostDecimals))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}
