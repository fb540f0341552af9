package table

import (
	"errors"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Notation is how the numbers of one file are written. The zero value detects whether the decimal mark is a point or
// a comma, and allows no thousands separator. 1,234 remains ambiguous between 1.234 and 1234 until another number of
// the file decides; Unsure reports whether none did.
type Notation struct {
	// Decimal is the decimal mark, '.' or ','. 0: the mark of the first number that has one holds for all.
	Decimal byte
	// Thousands is the separator between groups of three digits; a number has it between all its groups or between
	// none. Empty: no separator. If it is a comma or a point, the other one is the decimal mark.
	Thousands string
	// Doubt says that points may separate thousands too: 1.234 stays ambiguous as long as every point is followed by
	// exactly three digits and no number has four digits in a row.
	Doubt bool

	point, comma   int // lines of the first unambiguous decimals with each mark, 0: none yet
	either         [2]unsure
	four           bool // a number has four digits in a row
	Comma, Grouped bool // some number read has a decimal comma, or grouped thousands
}

// An unsure number may be a decimal or a whole number.
type unsure struct {
	line         int
	column, text string
}

// ErrThousands is the error for a number with thousands separators.
var ErrThousands = i18n.New("want a number without thousands separators")

// ParseNotation reads flags: the decimal mark and the thousands separator, each of which may be empty.
func ParseNotation(decimal, thousands string) (Notation, error) {
	n := Notation{Thousands: thousands}
	switch decimal {
	case "":
	case ".", ",":
		n.Decimal = decimal[0]
	default:
		return n, i18n.Errorf("decimal mark %q: want . or ,", decimal)
	}
	switch thousands {
	case "", ".", ",", "'", "’", " ", "\u00a0", "\u202f", "_":
	default:
		return n, i18n.Errorf("thousands separator %q: want one of , . ' ’ _ or a blank", thousands)
	}
	switch {
	case thousands != "" && thousands == decimal:
		return n, i18n.Errorf("%q for decimals and for thousands", decimal)
	case decimal != "":
	case thousands == ",":
		n.Decimal = '.'
	case thousands == ".":
		n.Decimal = ','
	}
	return n, nil
}

// blanks turns non-breaking blanks into plain ones.
var blanks = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

// Parse reads a number like ParseDecimal. line and column are its place in the file.
func (n *Notation) Parse(text string, line int, column string) (Decimal, error) {
	s := strings.TrimSpace(text)
	mark := strings.IndexAny(s, ".,")
	if n.Thousands != "" {
		t := s
		if n.Thousands == " " { // Excel and typists have several kinds of blank
			t = blanks.Replace(s)
		}
		if strings.Contains(t, n.Thousands) {
			whole, rest := t, ""
			if n.Decimal != 0 {
				if k := strings.IndexByte(t, n.Decimal); k >= 0 {
					whole, rest = t[:k], t[k:]
				}
			} else if k := strings.LastIndexAny(t, ".,"); k >= 0 && !strings.Contains(n.Thousands, t[k:k+1]) {
				whole, rest = t[:k], t[k:]
			}
			if !groups(whole, n.Thousands) {
				return Decimal{}, i18n.Errorf("want three digits behind each thousands separator %q", n.Thousands)
			}
			s = strings.ReplaceAll(whole, n.Thousands, "") + rest
			n.Grouped = true
			mark = strings.IndexAny(s, ".,")
		}
	}
	d, err := parseDecimal(s, ',')
	if err != nil {
		if errors.Is(err, ErrNotNumber) {
			for _, m := range []string{",", ".", "'", "’", " ", "\u00a0", "\u202f", "_"} {
				whole := s
				if k := strings.LastIndexAny(s, ".,"); k >= 0 && s[k:k+1] != m {
					whole = s[:k]
				}
				if groups(whole, m) {
					return d, i18n.Errorf("%w; --thousands %q reads them", ErrThousands, m)
				}
			}
		}
		return d, err
	}
	if digits := s; mark < 0 || !groups(s, s[mark:mark+1]) {
		if mark >= 0 {
			digits = s[:mark]
		}
		n.four = n.four || len(strings.TrimLeft(digits, "+-")) > 3
	}
	if mark < 0 {
		return d, nil
	}
	if n.Decimal != 0 {
		if s[mark] != n.Decimal {
			return d, i18n.Errorf("want %q before decimals; --thousands %q reads what stands between thousands", n.Decimal, s[mark])
		}
		n.Comma = n.Comma || s[mark] == ','
		return d, nil
	}
	// seen returns the line of the first certain decimal, else of the first possible one.
	seen := func(certain int, k int) int {
		if certain > 0 {
			return certain
		}
		return n.either[k].line
	}
	k, to, name, other, before := 0, &n.point, "point", "comma", seen(n.comma, 1)
	if s[mark] == ',' {
		k, to, name, other, before = 1, &n.comma, "comma", "point", seen(n.point, 0)
		n.Comma = true
	}
	if before > 0 {
		return d, i18n.Errorf("a decimal %s, but line %d has a decimal %s; want one of them throughout, and no thousands separators; --thousands reads these", name, before, other)
	}
	if groups(s, s[mark:mark+1]) {
		if n.either[k].line == 0 {
			n.either[k] = unsure{line, column, text}
		}
	} else if *to == 0 {
		*to = line
	}
	return d, nil
}

// Either reports whether text is a number that may still be decimal or whole, given what the file has shown so far.
func (n *Notation) Either(text string) bool {
	s := strings.TrimSpace(text)
	return n.Decimal == 0 && n.comma == 0 && groups(s, ",")
}

// Unsure returns the first number that may be decimal or whole, and its place, if no other number of the file decides;
// line 0: there is none.
func (n *Notation) Unsure() (line int, column, text string) {
	u := n.either[1]
	if n.comma == 0 && u.line > 0 {
		return u.line, u.column, u.text
	}
	if u = n.either[0]; n.Doubt && n.point == 0 && !n.four && u.line > 0 {
		return u.line, u.column, u.text
	}
	return 0, "", ""
}

// groups reports whether s is a whole number other than 0 with mark between its thousands.
func groups(s, mark string) bool {
	s = strings.TrimLeft(s, "+-")
	parts := strings.Split(s, mark)
	if len(parts) < 2 || len(parts[0]) < 1 || len(parts[0]) > 3 || parts[0][0] == '0' {
		return false
	}
	for i, p := range parts {
		if i > 0 && len(p) != 3 || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return true
}
