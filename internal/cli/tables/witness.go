package tables

import (
	"encoding/csv"
	"io"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// writeWitnesses writes one line for each end of each interval: the cell, the side (lower or upper) and a table y, with
// one column per cell, that agrees with every published number and whose value for the cell is that end. If an end is
// infinite, y lies far out. Checking a line takes only additions.
func writeWitnesses(w io.Writer, t naming, rep *interval.Report) error {
	out := csv.NewWriter(w)
	header := []string{"cell", "side"}
	for i := range t.Len() {
		header = append(header, t.name(i))
	}
	if err := out.Write(header); err != nil {
		return err
	}
	line := make([]string, len(header))
	for k := range rep.Cells {
		c := &rep.Cells[k]
		for _, s := range []struct {
			side string
			y    *interval.Witness
		}{{"lower", c.LoWitness}, {"upper", c.HiWitness}} {
			if s.y == nil {
				continue
			}
			line[0], line[1] = t.name(c.Index), s.side
			for i := range t.Len() {
				line[2+i] = table.FormatRat(s.y.At(i), t.Decimals)
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
