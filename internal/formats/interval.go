package formats

import (
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// errNoIntervals is returned where intervals are to be written in a format that has no place for them.
var errNoIntervals = i18n.New("intervals have no place in this format; convert the table to tidy CSV, a workbook or SDMX first")

// ErrEnds is in the error for a file whose published intervals cannot be read. A caller that falls back on
// another reader must not ignore it.
var ErrEnds = i18n.New("the interval of a cell cannot be read")

// ErrFlagged is returned where values are to be kept beside flags, but also intervals published in their place.
var ErrFlagged = i18n.New("--flag keeps the values, and intervals are published in their place: want one of them")

// An intervaller is a Layout with a place for intervals: its Write obeys Input.Intervals.
type intervaller interface {
	// Intervals returns nil or, if this file has no place for intervals after all, an error that says why and
	// what to do.
	Intervals() error
}

// checkIntervals returns an error if in has no place for intervals.
func (in *Input) checkIntervals() error {
	switch {
	case !in.Intervals:
		return nil
	case in.save != nil:
		return errNoIntervals
	case in.Style.Flag:
		return ErrFlagged
	}
	switch src := in.source.(type) {
	case nil, *crossSource, *tidySource:
		return nil
	case foreign:
		if l, ok := src.Layout.(intervaller); ok {
			return l.Intervals()
		}
	}
	return errNoIntervals
}

// IntervalDash stands between the ends of an interval that is published in place of a value, as in "12–30".
const IntervalDash = "–"

// Short writes v, in units of 10^−scale, without trailing zeros.
func Short(v int64, scale int) string { return table.FormatRat(new(big.Rat).SetInt64(v), scale) }

// Interval returns the interval that is published for withheld cell i, as files write it: lower may be -inf,
// upper may be empty.
func Interval(in *Input, i int) (lower, upper string) {
	t := in.Table
	if t.Lower[i] != table.NegInf {
		lower = Short(t.Lower[i], t.Decimals)
	} else {
		lower = "-inf"
	}
	if t.Upper[i] != table.PosInf {
		upper = Short(t.Upper[i], t.Decimals)
	}
	return lower, upper
}

// interval reads an interval such as "12–30", published in place of a value within it, into rec.
func (n *numbers) interval(rec *table.Record, column, text string) bool {
	lower, upper, ok := strings.Cut(text, IntervalDash)
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
