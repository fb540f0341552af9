package ooxml

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
)

const (
	maxPieces = 8
	maxDigits = 24 // of a piece that may be part of a number
)

// Numbers calls do with every way to read numbers in s, longer ones first: digits of any script and of full
// width, alone or with separators of thousands, a decimal point or comma, 万 and 億, or an exponent. Digits
// directly behind a Latin letter, _ or $ are a code and no number.
func Numbers(s string, do func(Number)) {
	n := scan{s: s, rs: []rune(s), do: do}
	for k := range s {
		n.at = append(n.at, k)
	}
	n.at = append(n.at, len(s))
	var before rune
	for k := 0; k < len(n.rs); {
		if digitOf(n.rs[k]) < 0 {
			before = n.rs[k]
			k++
			continue
		}
		from := k
		var d []byte
		for k < len(n.rs) && digitOf(n.rs[k]) >= 0 {
			d = append(d, byte('0'+digitOf(n.rs[k])))
			k++
		}
		code := before == '_' || before == '$' || before < 0x250 && unicode.IsLetter(before)
		d, code = n.join(from, d, code)
		before = '0'
		if code || len(d) > maxDigits {
			n.flush()
			continue
		}
		n.pieces = append(n.pieces, piece{from: n.at[from], to: n.at[k], digits: string(d)})
		n.closing(k)
	}
	n.flush()
}

// A scan goes through a text and collects the pieces that may belong to one number.
type scan struct {
	s      string
	rs     []rune
	at     []int // where each character begins, in bytes, and the end of the text
	pieces chain
	do     func(Number)
}

// join connects digits that begin at a character to the pieces before them, or flushes these if no separator does
// so. It returns the digits, with the sign of an exponent, and whether they are still a code.
func (n *scan) join(from int, d []byte, code bool) ([]byte, bool) {
	if len(n.pieces) == 0 {
		return d, code
	}
	p := &n.pieces[len(n.pieces)-1]
	sep := []rune(n.s[p.to:n.at[from]])
	switch {
	case len(sep) == 1 && isSeparator(sep[0]):
		p.sep = sep[0]
		return d, code && !isExponent(sep[0])
	case len(sep) == 2 && isExponent(sep[0]) && (sep[1] == '+' || sep[1] == '-'):
		p.sep = 'e'
		if sep[1] == '-' {
			d = append([]byte{'-'}, d...)
		}
	default:
		n.flush()
	}
	return d, code
}

// closing reads a 万 or 億 at the end of a number, as in 5万.
func (n *scan) closing(k int) {
	if k >= len(n.rs) || !isMyriad(n.rs[k]) {
		return
	}
	n.pieces[len(n.pieces)-1].sep = n.rs[k]
	if k+1 < len(n.rs) && digitOf(n.rs[k+1]) >= 0 {
		return
	}
	if text, ok := append(slices.Clone(n.pieces), piece{digits: "0"}).myriads(); ok {
		if canon, ok := Canon(text); ok {
			n.do(Number{n.pieces[0].from, n.at[k+1], canon})
		}
	}
}

// flush reads the collected pieces, which nothing can continue any more.
func (n *scan) flush() {
	n.pieces.numbers(n.do)
	n.pieces = n.pieces[:0]
}

// A piece is a run of digits.
type piece struct {
	from, to int
	digits   string
	sep      rune // the separator behind it, if digits follow directly
}

// A chain is pieces with one separator between each and the next.
type chain []piece

// numbers calls do with every number that pieces of the chain may be, longer ones first.
func (c chain) numbers(do func(Number)) {
	for a := range c {
		for b := min(len(c), a+maxPieces) - 1; b >= a; b-- {
			if a > 0 && c.bound(a-1) || b+1 < len(c) && c.bound(b) {
				continue // 213 is no number in 48,213
			}
			c[a : b+1].readings(func(text string) {
				if canon, ok := Canon(text); ok {
					do(Number{c[a].from, c[b].to, canon})
				}
			})
		}
	}
}

// bound reports whether piece k and the next certainly belong to one number.
func (c chain) bound(k int) bool { return binds(c[k].digits, c[k+1].digits, c[k].sep) }

// readings calls do with every way to read the whole chain as one number, in the form that Canon takes.
func (c chain) readings(do func(string)) {
	if len(c) == 1 {
		do(c[0].digits)
		return
	}
	if text, ok := c.myriads(); ok {
		do(text)
		return
	}
	for _, read := range []func(chain) (string, bool){chain.thousands, chain.decimal, chain.exponential} {
		if text, ok := read(c); ok {
			do(text)
		}
	}
}

// myriads reads numbers like 1億2345万6789.
func (c chain) myriads() (string, bool) {
	total := new(big.Int)
	last := 3
	for k, p := range c {
		level := 0
		switch {
		case k == len(c)-1:
		case p.sep == '万':
			level = 1
		case p.sep == '億':
			level = 2
		default:
			return "", false
		}
		v, ok := new(big.Int).SetString(p.digits, 10)
		if !ok || level >= last || k > 0 && len(p.digits) > 4 {
			return "", false
		}
		last = level
		total.Add(total, v.Mul(v, new(big.Int).Exp(big.NewInt(10000), big.NewInt(int64(level)), nil)))
	}
	return total.String(), len(c) > 1
}

// thousands reads numbers like 1,234,567, or a single piece.
func (c chain) thousands() (string, bool) {
	if len(c) > 1 && len(c[0].digits) > 3 {
		return "", false
	}
	all := c[0].digits
	for k, p := range c[1:] {
		if len(p.digits) != 3 || !isGroup(c[k].sep) || c[k].sep != c[0].sep {
			return "", false
		}
		all += p.digits
	}
	return all, true
}

// decimal reads numbers like 0.5, 1,234.5 and 1.234,5.
func (c chain) decimal() (string, bool) {
	last := len(c) - 1
	point := c[last-1].sep
	if !isPoint(point) || last > 1 && c[0].sep == point {
		return "", false
	}
	whole, ok := c[:last].thousands()
	return whole + "." + c[last].digits, ok
}

// exponential reads numbers like 5e3 and 1.5e-3.
func (c chain) exponential() (string, bool) {
	last := len(c) - 1
	switch {
	case !isExponent(c[last-1].sep):
		return "", false
	case last == 1:
		return c[0].digits + "e" + c[1].digits, true
	case last == 2 && isPoint(c[0].sep):
		return c[0].digits + "." + c[1].digits + "e" + c[2].digits, true
	}
	return "", false
}

// binds reports whether a separator certainly makes one number of the digits around it.
func binds(left, right string, sep rune) bool {
	switch sep {
	case '.', '．', 'e', 'E', '万', '億':
		return true
	case ',', '，', '\'', '’', '٬', '\u00a0', '\u2009', '\u202f':
		return len(right) == 3 && len(left) <= 3
	}
	return false
}

// digitOf returns the value of a decimal digit of any script, −1 for other characters.
func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= '０' && r <= '９':
		return int(r - '０')
	case r < 0x80 || !unicode.Is(unicode.Nd, r):
		return -1
	}
	n := 0 // the digits of a script are consecutive, beginning with zero
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

func isExponent(r rune) bool { return r == 'e' || r == 'E' }

func isMyriad(r rune) bool { return r == '万' || r == '億' }

func isSeparator(r rune) bool {
	return isGroup(r) || isPoint(r) || isExponent(r) || isMyriad(r)
}
