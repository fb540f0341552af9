package bench

import (
	"encoding/csv"
	"io"
	"math/big"
	"strconv"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/table"
)

var cellHeader = []string{
	"table", "cells", "defence", "cost", "match", "dimension", "candidates", "matching", "cell", "value", "sensitive",
	"feasible_lo", "feasible_hi", "outer_lo", "outer_hi", "inner_lo", "inner_hi", "verdict",
}

// WriteCells writes one CSV line for every withheld cell of every attack: the table and its cell, the feasible
// interval, the proved outer and the found inner effective interval (equal unless a limit stopped the attack), and the
// verdict.
func (r *ExperimentResult) WriteCells(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(cellHeader); err != nil {
		return err
	}
	return c.WriteAll(r.cells)
}

// lines returns the lines of a table.
func (r *trial) lines() (lines [][]string) {
	for i := range r.offices {
		o := &r.offices[i]
		for _, a := range o.attacked {
			res := a.result
			matching := ""
			if res.Counted {
				matching = res.Matching.String()
			}
			for k := range res.Cells {
				c := &res.Cells[k]
				line := []string{
					r.name, strconv.Itoa(r.inner), string(o.defence), o.cost, a.match, strconv.Itoa(res.Dim), string(digits(res.Candidates)), matching,
					o.table.CellName(c.Index), strconv.FormatInt(o.table.Value[c.Index], 10), strconv.FormatBool(o.table.Status[c.Index] == table.Sensitive),
				}
				for _, end := range []*big.Rat{c.Lo, c.Hi} {
					text := ""
					if end != nil {
						text = table.FormatRat(end, 0)
					}
					line = append(line, text)
				}
				line = append(line, ends(c.Outer)...)
				line = append(line, ends(c.Inner)...)
				lines = append(lines, append(line, c.Verdict.String()))
			}
		}
	}
	return lines
}

// ends returns both ends of r as text, empty if infinite.
func ends(r attack.Range) []string {
	switch {
	case r.Empty:
		return []string{"", ""}
	case r.Hi == table.PosInf:
		return []string{strconv.FormatInt(r.Lo, 10), ""}
	}
	return []string{strconv.FormatInt(r.Lo, 10), strconv.FormatInt(r.Hi, 10)}
}
