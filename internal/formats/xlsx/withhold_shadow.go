package xlsx

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A shadow is a withheld value in another unit, or rounded, which still tells most of it. Without leading and
// trailing zeros, its digits are those of the value, or the first of them; the decimal point may be elsewhere.
type shadow struct {
	of      int // the withheld cell
	scale   int // the exponent, if its digits are written as 0.ddd
	rounded bool
}

// leastDigits is the least number of digits of a shadow: shorter ones occur by chance in every large table.
const leastDigits = 4

// units are the powers of ten by which the units that offices use differ: thousands, 万, millions, 億.
var units = []int{0, 3, -3, 4, -4, 6, -6, 8, -8}

// digitsOf returns the digits of a canonical number without leading and trailing zeros; the number is 0.digits
// × 10^scale.
func digitsOf(canon string) (digits string, scale int) {
	whole, fraction, _ := strings.Cut(canon, ".")
	if whole == "0" {
		whole = ""
	}
	all := whole + fraction
	digits = strings.TrimLeft(all, "0")
	return strings.TrimRight(digits, "0"), len(whole) - (len(all) - len(digits))
}

// shadows returns the shadows of all withheld values by their digits. Values in larger units may be cut off or
// rounded.
func (s *secrets) shadows() map[string][]shadow {
	all := map[string][]shadow{}
	for k := range s.cells {
		digits, scale := digitsOf(s.cells[k].canon)
		if len(digits) < leastDigits {
			continue
		}
		all[digits] = append(all[digits], shadow{k, scale, false})
		for n := leastDigits; n < len(digits); n++ {
			cut, up := digits[:n], []byte(digits[:n])
			i := n - 1
			for ; i >= 0 && up[i] == '9'; i-- {
				up[i] = '0'
			}
			short := []string{cut}
			if i >= 0 { // otherwise it rounds to a power of ten, which tells nothing
				up[i]++
				short = append(short, string(up))
			}
			for j, d := range short {
				if near := digits[n] >= '5'; j == 1 && !near {
					continue
				}
				if d = strings.TrimRight(d, "0"); len(d) >= leastDigits {
					all[d] = append(all[d], shadow{k, scale, true})
				}
			}
		}
	}
	return all
}

// lookAtShadow lists a cell that may be a withheld value in another unit or rounded, if it has one of its
// labels, is not visible, or has too many digits for a coincidence.
func (c *copying) lookAtShadow(t *tab, s *spot, shadows map[string][]shadow) {
	digits, scale := digitsOf(s.canon)
	if len(digits) < leastDigits || isYear(s.canon) {
		return
	}
	of := shadows[digits]
	if len(of) == 0 {
		return
	}
	var labels []string
	far := len(digits) >= 6 || t.unseen(int(s.row), int(s.col))
	if !far {
		labels = append(t.beside(int(s.row), int(s.col)), t.above(int(s.row), int(s.col))...)
	}
	for _, h := range of {
		if !slices.Contains(units, h.scale-scale) || !far && !c.secrets.touched(h.of, labels) {
			continue
		}
		what := i18n.T("has the number of %s", c.where(c.secrets.cells[h.of].id))
		if h.scale != scale {
			what = what.Plus(" in other units")
		}
		if h.rounded {
			what = what.Plus(", rounded")
		}
		c.look(c.where(t.id(s)), what)
		return
	}
}
