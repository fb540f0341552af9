package layout

import (
	"strings"
)

// numberForms counts what the numbers of a file show about the way they are written.
type numberForms struct {
	decimal [2]int // numbers with certain decimals behind '.' or ','
	groups  [2]int // with '.' or ',' certainly between thousands
	either  [2]int // 1.234 or 1,234: thousands or three decimals
	other   string // the blank or apostrophe between thousands; empty: none
	first   [2]string
	four    int // four or more digits in a row, except for years
	small   int // whole numbers below 1000
}

const points = ".,"

// add looks at the text of one field.
func (f *numberForms) add(text string) {
	n, ok := takeApart(text)
	if !ok {
		return
	}
	s := strings.TrimLeft(n.digits, "-")
	if k := strings.IndexAny(s, "eE"); k >= 0 {
		s = s[:k]
	}
	if k := strings.IndexAny(s, " '"); k >= 0 {
		f.other = s[k : k+1]
		if k := strings.IndexAny(s, points); k >= 0 {
			f.decimal[strings.IndexByte(points, s[k])]++
		}
		return
	}
	k := strings.IndexAny(s, points)
	if k < 0 {
		switch {
		case len(s) <= 3:
			f.small++
		case !isYear(s): // a year, as in headers, has no separator
			f.four++
		}
		return
	}
	one, last := strings.IndexByte(points, s[k]), strings.LastIndexAny(s, points)
	switch {
	case s[last] != s[k]:
		f.groups[one]++
		f.decimal[1-one]++
	case last > k:
		f.groups[one]++
	case k >= 1 && k <= 3 && len(s)-k-1 == 3 && s[0] != '0':
		if f.either[one]++; f.first[one] == "" {
			f.first[one] = text
		}
	default:
		if f.decimal[one]++; k > 3 {
			f.four++
		}
	}
}

// styles returns the ways the numbers may be written, the likeliest first: one if the file is clear, two if 1,234
// may be whole or not. separator is that of the fields of a text file; a comma is unlikely to be both this and
// the decimal point.
func (f *numberForms) styles(separator byte) []numberStyle {
	style := func(decimal byte, thousands string) numberStyle {
		if f.other != "" && thousands == "" {
			thousands = f.other
		}
		return numberStyle{Decimal: decimal, Thousands: thousands}
	}
	dot, comma := style('.', ""), style(',', "")
	dotComma, commaDot := style('.', ","), style(',', ".")
	switch {
	case f.decimal[0] > 0 && f.decimal[1] > 0: // no file writes both; the more frequent one is tried first
		if f.decimal[0] >= f.decimal[1] {
			return []numberStyle{dot, comma}
		}
		return []numberStyle{comma, dot}
	case f.decimal[0] > 0 && (f.groups[1] > 0 || f.either[1] > 0):
		return []numberStyle{dotComma}
	case f.decimal[1] > 0 && (f.groups[0] > 0 || f.either[0] > 0):
		return []numberStyle{commaDot}
	case f.decimal[0] > 0:
		return []numberStyle{dot}
	case f.decimal[1] > 0:
		return []numberStyle{comma}
	case f.groups[0] > 0:
		return []numberStyle{commaDot}
	case f.groups[1] > 0:
		return []numberStyle{dotComma}
	case f.other != "" && f.either[0] == 0 && f.either[1] == 0:
		return []numberStyle{dot}
	case f.either[1] > 0 && f.either[0] > 0:
		return []numberStyle{dotComma, commaDot}
	case f.either[1] > 0 && f.four > 0 || f.either[1] > 0 && f.small == 0 && separator != ',' && separator != 0:
		return []numberStyle{comma, dotComma}
	case f.either[1] > 0:
		return []numberStyle{dotComma}
	case f.either[0] > 0 && f.four > 0:
		return []numberStyle{dot}
	case f.either[0] > 0 && separator == ';':
		return []numberStyle{commaDot, dot}
	case f.either[0] > 0:
		return []numberStyle{dot, commaDot}
	case separator == ';':
		return []numberStyle{comma}
	}
	return []numberStyle{dot}
}
