package table

import "math/big"

// IntervalDash stands between the ends of an interval that is published in place of a value: "12–30".
const IntervalDash = "–"

// FormatShort writes v, in units of 10^−scale, without zeros at its end.
func FormatShort(v int64, scale int) string { return FormatRat(new(big.Rat).SetInt64(v), scale) }

// FormatInterval writes the interval from lower to upper, in units of 10^−scale, as "12–30"; "≥ 12" and "≤ 30" where one end is open, "x" where both are.
func FormatInterval(lower, upper int64, scale int) string {
	switch {
	case lower == NegInf && upper == PosInf:
		return "x"
	case upper == PosInf:
		return "≥ " + FormatShort(lower, scale)
	case lower == NegInf:
		return "≤ " + FormatShort(upper, scale)
	}
	return FormatShort(lower, scale) + IntervalDash + FormatShort(upper, scale)
}
