package firewall

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// digits returns the significant digits of a number: those before an exponent, without zeros at either end.
func digits(number string) string {
	var b strings.Builder
	for _, r := range number {
		if d := digit(r); d >= 0 {
			b.WriteByte('0' + byte(d))
		} else if (r == 'e' || r == 'E') && b.Len() > 0 {
			break
		}
	}
	return strings.Trim(b.String(), "0")
}

// digit returns the value of a digit, of normal or full width, or −1 for anything else.
func digit(r rune) int {
	switch {
	case '0' <= r && r <= '9':
		return int(r - '0')
	case '０' <= r && r <= '９':
		return int(r - '０')
	}
	return -1
}

// between reports whether a rune may stand between the digits of a number in a text or, if bare, in data.
func between(r rune, bare bool) bool {
	if bare {
		return r == '.'
	}
	return strings.ContainsRune(".,'’ \u00a0\u202f\u2009．，", r)
}

// numbers calls f with the significant digits of every number in s.
func numbers(s string, bare bool, f func(d string)) {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if digit(r) < 0 {
			i += n
			continue
		}
		end, exp := i+n, false
		for end < len(s) {
			r, n := utf8.DecodeRuneInString(s[end:])
			if digit(r) >= 0 {
				end += n
				continue
			}
			next, m := utf8.DecodeRuneInString(s[end+n:])
			if !exp && between(r, bare) && digit(next) >= 0 {
				end += n + m
				continue
			}
			if (r == 'e' || r == 'E') && !exp { // an exponent
				to := end + n
				if next == '+' || next == '-' {
					to += m
				}
				if last, k := utf8.DecodeRuneInString(s[to:]); digit(last) >= 0 {
					exp, end = true, to+k
					continue
				}
			}
			break
		}
		if d := digits(s[i:end]); d != "" {
			f(d)
		}
		i = end
	}
}

// plain returns text as UTF-8 if it is UTF-16. Other encodings stay, since they all have the same digits.
func plain(b []byte) string {
	if len(b) < 2 || !(b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) {
		return strings.TrimPrefix(string(b), "\ufeff")
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 2; i+1 < len(b); i += 2 {
		lo, hi := b[i], b[i+1]
		if b[0] == 0xfe {
			lo, hi = hi, lo
		}
		units = append(units, uint16(lo)|uint16(hi)<<8)
	}
	return string(utf16.Decode(units))
}
