package ooxml

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// A Number is a number in running text, which is [From, To) of it in bytes. Canon is the value it may stand for,
// in the form that function Canon returns: 1,234 gives two Numbers, a thousand and one with decimals.
type Number struct {
	From, To int
	Canon    string
}

// Canon brings a decimal number, apart from its sign, into a unique form without separators or superfluous zeros.
// ok is false if s is no number. Numbers stored as doubles, like 0.30000000000000004, are rounded to 15 digits.
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
		if len(strings.TrimRight(fraction, "0")) > 40 { // binary noise of the big.Float
			short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 14, 64), 64)
			whole, fraction, _ = strings.Cut(strconv.FormatFloat(short, 'f', -1, 64), ".")
		}
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	whole = cmp.Or(whole, "0")
	if fraction != "" {
		whole += "." + fraction
	}
	return whole, true
}

// Digits returns how many digits a canonical number has, and how many of them remain without the zeros at its
// end.
func Digits(canon string) (all, telling int) {
	d := strings.Replace(canon, ".", "", 1)
	d = strings.TrimLeft(d, "0")
	return len(d), len(strings.TrimRight(d, "0"))
}
