package ooxml

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// A Number is a number in running text, [From, To) of it, in bytes. Canon are the values it may stand for, in the form that Canon returns: 1,234
// may be a thousand or one and a bit.
type Number struct {
	From, To int
	Canon    string
}

// Canon gives a decimal number, without regard to its sign, one form: no leading or trailing zeros, no
// separators. ok is false for what is none. Numbers of doubles, as 0.30000000000000004, are taken to 15 digits.
func Canon(s string) (string, bool) {
	s = strings.TrimLeft(strings.TrimSpace(s), "+-")
	if s == "" || len(s) > 400 {
		return "", false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n := 0
	for _, c := range []byte(whole + fraction) {
		if c < '0' || c > '9' {
			return "", false
		}
		n++
	}
	if n == 0 {
		return "", false
	}
	if exponent != "" || n > 15 && fraction != "" {
		e := 0
		if exponent != "" {
			var err error
			if e, err = strconv.Atoi(exponent); err != nil || e > 400 || e < -400 {
				return "", false
			}
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return "", false
		}
		f, ok := new(big.Float).SetString(strconv.FormatFloat(v, 'e', 14, 64))
		if !ok {
			return "", false
		}
		whole, fraction, _ = strings.Cut(f.Text('f', 330), ".")
		if len(strings.TrimRight(fraction, "0")) > 40 { // binary noise of the big number
			short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 14, 64), 64)
			whole, fraction, _ = strings.Cut(strconv.FormatFloat(short, 'f', -1, 64), ".")
		}
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole, true
}

// Digits returns how many digits a canonical number has, and how many without zeros at its ends.
func Digits(canon string) (all, telling int) {
	d := strings.Replace(canon, ".", "", 1)
	d = strings.TrimLeft(d, "0")
	return len(d), len(strings.TrimRight(d, "0"))
}

const (
	maxPieces = 8
	maxDigits = 24 // of a piece that may be a number
)

// Numbers calls do with every way to read numbers in s: digits of any script, full-width ones too, alone, with separators
// of thousands, with a decimal point or comma, with 万 and 億, and with an exponent, longer ones first. What follows a Latin letter, _ or $
// directly is no number but a code.
func Numbers(s string, do func(Number)) {
	type piece struct {
		from, to int
		digits   string
		sep      rune // behind it, where digits follow directly
	}
	var pieces []piece
	flush := func() {
		for a := range pieces {
			for b := min(len(pieces), a+maxPieces) - 1; b >= a; b-- {
				if a > 0 && binds(pieces[a-1].digits, pieces[a].digits, pieces[a-1].sep) || b+1 < len(pieces) && binds(pieces[b].digits, pieces[b+1].digits, pieces[b].sep) {
					continue // 213 is no number in 48,213
				}
				chain := pieces[a : b+1]
				emit := func(text string) {
					if c, ok := Canon(text); ok {
						do(Number{chain[0].from, chain[len(chain)-1].to, c})
					}
				}
				if len(chain) == 1 {
					emit(chain[0].digits)
					continue
				}
				if c, ok := myriad(len(chain), func(k int) (string, rune) { return chain[k].digits, chain[k].sep }); ok {
					emit(c)
					continue
				}
				group := func(part []piece) (string, bool) { // 1,234,567
					if len(part[0].digits) > 3 {
						return "", len(part) == 1
					}
					all := part[0].digits
					for k, p := range part[1:] {
						if len(p.digits) != 3 || !isGroup(part[k].sep) || part[k].sep != part[0].sep {
							return "", false
						}
						all += p.digits
					}
					return all, true
				}
				if all, ok := group(chain); ok {
					emit(all)
				}
				last := len(chain) - 1
				if sep := chain[last-1].sep; isPoint(sep) { // 1,234.5 and 1.234,5
					if all, ok := group(chain[:last]); ok && (last == 1 || chain[0].sep != sep) {
						if last == 1 {
							all = chain[0].digits
						}
						emit(all + "." + chain[last].digits)
					}
				}
				if sep := chain[last-1].sep; sep == 'e' || sep == 'E' {
					switch {
					case last == 1:
						emit(chain[0].digits + "e" + chain[1].digits)
					case last == 2 && isPoint(chain[0].sep):
						emit(chain[0].digits + "." + chain[1].digits + "e" + chain[2].digits)
					}
				}
			}
		}
		pieces = pieces[:0]
	}
	var before rune
	rs := []rune(s)
	at := make([]int, len(rs)+1) // bytes
	for k, n := 0, 0; k < len(rs); k++ {
		at[k] = n
		n += runeLen(s[n:])
		at[k+1] = n
	}
	for k := 0; k < len(rs); {
		if digitOf(rs[k]) < 0 {
			before = rs[k]
			k++
			continue
		}
		from := k
		var d []byte
		for k < len(rs) && digitOf(rs[k]) >= 0 {
			d = append(d, byte('0'+digitOf(rs[k])))
			k++
		}
		code := before == '_' || before == '$' || before < 0x250 && unicode.IsLetter(before)
		if len(pieces) > 0 {
			p := &pieces[len(pieces)-1]
			sep := []rune(s[p.to:at[from]])
			switch {
			case len(sep) == 1 && isSeparator(sep[0]):
				p.sep, code = sep[0], code && sep[0] != 'e' && sep[0] != 'E'
			case len(sep) == 2 && (sep[0] == 'e' || sep[0] == 'E') && (sep[1] == '+' || sep[1] == '-'):
				p.sep = 'e'
				if sep[1] == '-' {
					d = append([]byte{'-'}, d...)
				}
			default:
				flush()
			}
		}
		before = '0'
		if code || len(d) > maxDigits {
			flush()
			continue
		}
		pieces = append(pieces, piece{from: at[from], to: at[k], digits: string(d)})
		if k < len(rs) && (rs[k] == '万' || rs[k] == '億') { // also at the end: 5万
			p := &pieces[len(pieces)-1]
			p.sep = rs[k]
			if k+1 >= len(rs) || digitOf(rs[k+1]) < 0 {
				c, ok := myriad(len(pieces)+1, func(n int) (string, rune) {
					if n == len(pieces) {
						return "0", 0
					}
					return pieces[n].digits, pieces[n].sep
				})
				if canon, good := Canon(c); ok && good {
					do(Number{pieces[0].from, at[k+1], canon})
				}
			}
		}
	}
	flush()
}

// myriad reads 1億2345万6789.
func myriad(n int, piece func(int) (string, rune)) (string, bool) {
	total := new(big.Int)
	last := 3
	for k := range n {
		d, sep := piece(k)
		level := 0
		switch {
		case k == n-1:
		case sep == '万':
			level = 1
		case sep == '億':
			level = 2
		default:
			return "", false
		}
		v, ok := new(big.Int).SetString(d, 10)
		if !ok || level >= last || k > 0 && len(d) > 4 {
			return "", false
		}
		last = level
		total.Add(total, v.Mul(v, new(big.Int).Exp(big.NewInt(10000), big.NewInt(int64(level)), nil)))
	}
	return total.String(), n > 1
}

// binds reports whether a separator makes one number of the digits around it, whatever else they may be.
func binds(left, right string, sep rune) bool {
	switch sep {
	case '.', '．', 'e', 'E', '万', '億':
		return true
	case ',', '，', '\'', '’', '٬', '\u00a0', '\u2009', '\u202f':
		return len(right) == 3 && len(left) <= 3
	}
	return false
}

func runeLen(s string) int {
	for k := range s {
		if k > 0 {
			return k
		}
	}
	return len(s)
}

// digitOf is the value of a decimal digit of any script, −1 for other characters.
func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= '０' && r <= '９':
		return int(r - '０')
	case r < 0x80 || !unicode.Is(unicode.Nd, r):
		return -1
	}
	n := 0 // digits of a script stand together, from zero on
	for unicode.Is(unicode.Nd, r-1) && n < 9 {
		r--
		n++
	}
	return n
}

// isGroup reports whether a character separates thousands.
func isGroup(r rune) bool {
	return strings.ContainsRune(",，、.．'’٬ \u00a0\u2009\u202f\u3000", r)
}

func isPoint(r rune) bool { return strings.ContainsRune(".．,，・٫", r) }

func isSeparator(r rune) bool {
	return isGroup(r) || isPoint(r) || r == 'e' || r == 'E' || r == '万' || r == '億'
}
