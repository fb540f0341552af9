package render

import (
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/table"
)

// Interval writes the interval from lower to upper, in units of 10^−scale, as "12–30"; "≥ 12" and "≤ 30" where one end is open, "x" where both are.
func Interval(lower, upper int64, scale int) string {
	switch {
	case lower == table.NegInf && upper == table.PosInf:
		return "x"
	case upper == table.PosInf:
		return "≥ " + formats.Short(lower, scale)
	case lower == table.NegInf:
		return "≤ " + formats.Short(upper, scale)
	}
	return formats.Short(lower, scale) + formats.IntervalDash + formats.Short(upper, scale)
}
