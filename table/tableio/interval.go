package tableio

import (
	"errors"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// ErrNoIntervals is returned where intervals are to be written in a format that has no place for them.
var ErrNoIntervals = errors.New("intervals are written to tidy CSV files, cross-tabs and JJ files only; convert the table to one of these first")

// showsIntervals says whether the format of in has a place for intervals.
func (in *Input) showsIntervals() bool {
	switch in.source.(type) {
	case nil, *crossSource:
		return true
	case *tidySource:
		return true
	}
	return false
}

// interval is what is published of withheld cell i in place of a value.
func (in *Input) interval(i int) (lower, upper string) {
	t := in.Table
	if t.Lower[i] != table.NegInf {
		lower = table.FormatShort(t.Lower[i], t.Decimals)
	} else {
		lower = "-inf"
	}
	if t.Upper[i] != table.PosInf {
		upper = table.FormatShort(t.Upper[i], t.Decimals)
	}
	return lower, upper
}

// interval reads "12–30", which is published in place of a value between them, into rec.
func (n *numbers) interval(rec *table.Record, column, text string) bool {
	lower, upper, ok := strings.Cut(text, table.IntervalDash)
	if !ok {
		return false
	}
	lo, err := n.bound(column, strings.TrimSpace(lower))
	if err != nil || !lo.Set {
		return false
	}
	up, err := n.bound(column, strings.TrimSpace(upper))
	if err != nil {
		return false
	}
	rec.Value, rec.Lower, rec.Upper = table.Number{}, lo, up
	return true
}
