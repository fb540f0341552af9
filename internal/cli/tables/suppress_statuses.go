package tables

import (
	"encoding/csv"
	"fmt"
	"io"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// saveStatuses writes what the office wants to know about every cell, and nobody else may know: its value, its status
// and what it would have cost to withhold. Only the owner can read a new file.
func (s *suppression) saveStatuses(files *flags.FileSet, res *protect.Result) error {
	return formats.Save(s.statuses, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# %s\n", private.Only); err != nil {
			return err
		}
		return WriteStatuses(w, files, res)
	})
}

// A told is a response of the tables, with the addresses of its cells.
type told struct {
	name    string
	in      *formats.Input
	address func(i int) string // nil if there are no addresses
}

// WriteStatuses writes the status of every cell with its name and its place.
func WriteStatuses(w io.Writer, files *flags.FileSet, res *protect.Result) error {
	in, pattern := files.Protected(res)[0], res.Patterns[0]
	t := in.Table
	all := []told{{"value", in, formats.Addresses(in)}}
	if len(files.Responses) > 0 {
		all = nil
		for r, name := range files.Responses {
			one := files.Read[r][0]
			all = append(all, told{name, one, formats.Addresses(one)})
		}
	}
	out := csv.NewWriter(w)
	header := sets.List(len(t.Dims), func(d int) string { return t.Dims[d].Name })
	if len(t.Dims) == 0 {
		header = append(header, "cell")
	}
	for _, one := range all {
		switch {
		case one.address == nil:
		case len(files.Responses) == 0:
			header = append(header, "address")
		default:
			header = append(header, one.name+" address")
		}
		header = append(header, one.name)
	}
	header = append(header, "status")
	if len(files.Responses) == 0 {
		header = append(header, "cost")
	}
	out.Write(header)
	for i := range t.Len() {
		row := CodesOf(t, i)
		if row == nil {
			row = []string{t.CellName(i)}
		}
		for _, one := range all {
			if one.address != nil {
				row = append(row, one.address(i))
			}
			text := ""
			if v := one.in.Table; v.Known(i) {
				text = table.FormatDecimal(v.Value[i], v.Decimals)
			}
			row = append(row, text)
		}
		st := t.Status[i]
		if pattern[i] && st != table.Sensitive {
			st = table.Withheld
		}
		row = append(row, st.String())
		if len(files.Responses) == 0 {
			row = append(row, table.FormatDecimal(t.Cost[i], t.CostDecimals))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}
