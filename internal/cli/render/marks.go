package render

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/table"
)

// marks are the separators that a locale puts into numbers.
type marks struct {
	thousands, decimal string
	indian             bool // 12,34,567
}

// marksOf returns the separators of a locale, a tag like de_CH.UTF-8. It returns nil, so that numbers stay as they are,
// for the locales C and POSIX and for those with digits of their own.
func marksOf(locale string) *marks {
	tag, _, _ := strings.Cut(locale, ".")
	tag, _, _ = strings.Cut(tag, "@")
	of, err := language.Parse(strings.ReplaceAll(tag, "_", "-"))
	if tag == "" || tag == "C" || tag == "POSIX" || err != nil {
		return nil
	}
	sample := message.NewPrinter(of).Sprint(number.Decimal(1234567.5, number.Scale(1)))
	m := sampled().FindStringSubmatch(sample)
	if m == nil {
		return nil
	}
	return &marks{thousands: m[2], decimal: m[3], indian: len(m[1]) == 2}
}

// sampled matches a formatted number, 1,234,567.5, that shows the separators.
var sampled = lazy.Regexp(`^(1|12)([^0-9]*)(?:234|34)(?:[^0-9]*)567([^0-9]+)5$`)

// numbers matches text that consists of numbers alone: one, or an interval of two.
var numbers = lazy.Regexp(`^[\[(]?[-−]?[0-9]+(\.[0-9]+)?(, [-−]?[0-9]+(\.[0-9]+)?[\])])?%?$`)

// digits matches a number.
var digits = lazy.Regexp(`([0-9]+)(\.[0-9]+)?`)

// in puts the separators into a cell that consists of numbers alone.
func (m *marks) in(cell string) string {
	if m == nil || !numbers().MatchString(cell) {
		return cell
	}
	return digits().ReplaceAllStringFunc(cell, func(s string) string {
		whole, decimals, fraction := strings.Cut(s, ".")
		var b strings.Builder
		for k, r := range whole {
			if left := len(whole) - k; k > 0 && (left == 3 || !m.indian && left%3 == 0 || m.indian && left > 3 && left%2 == 1) {
				b.WriteString(m.thousands)
			}
			b.WriteRune(r)
		}
		if fraction {
			b.WriteString(m.decimal + decimals)
		}
		return b.String()
	})
}

// Interval formats the interval from lower to upper, in units of 10^−scale, as "12–30"; as "≥ 12" or "≤ 30" if one end
// is open, and as "x" if both are.
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
