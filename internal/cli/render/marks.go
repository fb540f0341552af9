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

// marks are those that a locale puts into numbers.
type marks struct {
	thousands, decimal string
	indian             bool // 12,34,567
}

// marksOf are those of a locale, a tag like de_CH.UTF-8; nil: numbers stay as they are, in the locales C and POSIX and in those
// with digits of their own.
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

// sampled is a number that tells the marks: 1,234,567.5.
var sampled = lazy.Regexp(`^(1|12)([^0-9]*)(?:234|34)(?:[^0-9]*)567([^0-9]+)5$`)

// numbers are what is said in numbers alone: one, or an interval of two.
var numbers = lazy.Regexp(`^[\[(]?[-−]?[0-9]+(\.[0-9]+)?(, [-−]?[0-9]+(\.[0-9]+)?[\])])?%?$`)

// digits is one number among them.
var digits = lazy.Regexp(`([0-9]+)(\.[0-9]+)?`)

// in puts the marks into a cell that holds numbers alone.
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
