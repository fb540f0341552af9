package formats

import (
	"bufio"
	"fmt"
	"io"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/table"
)

// Write writes in, in the format and dialect from which it was read. pattern, of length in.Table.Len(), marks
// the cells to withhold. It must include every sensitive and every withheld cell and none that must stay
// published, else nothing is written. A nil pattern writes the table as it is, with all known values.
//
// Tidy: the lines of the file with the column status brought up to date (appended if there is none), then a
// line for each computed margin. With a pattern, only codes, statuses, and value and freq of published cells
// are shown. All other columns are blank on every line, except unread columns and bounds that have the same
// text on every line; docs/formats.md says why.
//
// Cross-tab: the lines of the file with blanks for withheld cells, and the computed margins appended.
//
// JJ is a format for the office only and keeps all values; withheld cells that are not sensitive have status m.
//
// What is written with a pattern is first checked by package firewall, before w receives any of it; a
// *firewall.Leak says where a withheld value was found.
//
// The numbers of published cells are those of the file, character by character; changes made to in.Table after
// reading, other than to Status, are not written to CSV.
func Write(w io.Writer, in *Input, pattern []bool) error {
	if err := in.checkPattern(pattern); err != nil {
		return err
	}
	if err := in.checkIntervals(); err != nil {
		return err
	}
	switch {
	case in.save != nil:
		return i18n.Errorf("table %s: a %s table is written to files, not to a stream", in.Table.Name, in.Format)
	case in.source == nil:
		return writeJJ(w, in.Table, pattern)
	}
	if in.Style.Symbol != "" {
		styled := *in
		styled.Dialect.Mark = in.Style.Symbol
		in = &styled
	}
	if pattern == nil || in.Style.Flag {
		return in.send(w, pattern)
	}
	content, err := Released(in.File, in.release(pattern), func(w io.Writer) error { return in.send(w, pattern) })
	if err != nil {
		return err
	}
	_, err = w.Write(content)
	return err
}

// send writes the table in the layout from which it was read.
func (in *Input) send(w io.Writer, pattern []bool) error {
	tw := newTextWriter(w, in.File, in.Dialect)
	if err := in.source.write(tw, in, pattern); err != nil {
		return err
	}
	return tw.close()
}

// checkPattern refuses a pattern that publishes what must be withheld or withholds what must be published.
func (in *Input) checkPattern(pattern []bool) error {
	t := in.Table
	if pattern == nil {
		return nil
	}
	if len(pattern) != t.Len() {
		return i18n.Errorf("table %s: a pattern of length %d for %d cells", t.Name, len(pattern), t.Len())
	}
	for i, x := range pattern {
		switch st := t.Status[i]; {
		case !x && (st == table.Sensitive || st == table.Withheld || !t.Known(i)):
			return i18n.Errorf("table %s: the pattern publishes cell %s, whose status is %s", t.Name, t.CellName(i), st)
		case x && st == table.Published:
			return i18n.Errorf("table %s: the pattern withholds cell %s, which must stay published", t.Name, t.CellName(i))
		}
	}
	return nil
}

// WriteFile writes in to path, as Write writes and Save saves.
func WriteFile(path string, in *Input, pattern []bool) error {
	if in.save != nil {
		if err := in.checkIntervals(); err != nil {
			return err
		}
		if err := in.checkPattern(pattern); err != nil {
			return err
		}
		return in.save(path, in, pattern)
	}
	return save(path, how{compress: isCompressed(path), durable: !in.NoSync, public: private.Table.Public && in.Format != JJ && !in.Style.Flag}, func(w io.Writer) error { return Write(w, in, pattern) })
}

// WriteJJ writes t as a JJ file. It contains every value, so it must never be published. Infinite bounds are
// written as inf. A cell without a value is an error.
func WriteJJ(w io.Writer, t *table.Table) error { return writeJJ(w, t, nil) }

func writeJJ(w io.Writer, t *table.Table, pattern []bool) error {
	for i := range t.Len() {
		if !t.Known(i) {
			return i18n.Errorf("table %s: cell %s has no value, but JJ files hold all values", t.Name, t.CellName(i))
		}
	}
	b := bufio.NewWriter(w)
	num := func(v int64) string { return table.FormatDecimal(v, t.Decimals) }
	fmt.Fprintf(b, "0\n%d\n", t.Len())
	for i := range t.Len() {
		st := t.Status[i]
		if pattern != nil && pattern[i] && st == table.Safe {
			st = table.Withheld
		}
		fmt.Fprintf(b, "%d %s %s %s %s %s %s %s %s\n", i, num(t.Value[i]), table.FormatDecimal(t.Cost[i], t.CostDecimals), st,
			num(t.Lower[i]), num(t.Upper[i]), num(t.LPL[i]), num(t.UPL[i]), num(t.Width[i]))
	}
	fmt.Fprintf(b, "%d\n", t.Rel.Len())
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		fmt.Fprintf(b, "%s %d :", num(t.Rel.RHS[j]), len(cell))
		for k, i := range cell {
			fmt.Fprintf(b, " %d (%d)", i, coef[k])
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}
