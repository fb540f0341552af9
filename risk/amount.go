package risk

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// An Amount is an exact number ≥ 0 in units of 10⁻¹⁸. The largest is about 3.4·10²⁰.
type Amount struct{ n num.Uint128 }

const amountDecimals = 18

var amountOne = new(big.Int).Exp(big.NewInt(10), big.NewInt(amountDecimals), nil)

// amountOf returns the whole number n as an Amount.
func amountOf(n uint64) Amount {
	return Amount{num.Mul128(n, 1_000_000_000_000_000_000)}
}

// parseAmount reads a decimal number ≥ 0 with at most 18 decimals after a point or a comma. A text like 1,234, whose
// comma may separate thousands, is rejected. want says what was expected if the text is not an amount.
func parseAmount(text []byte) (a Amount, want i18n.Text) {
	const number = "want a number ≥ 0"
	i, scale, digits := 0, 0, 0
	if i < len(text) && text[i] == '+' {
		i++
	}
	point, comma, ok := false, false, true
	first := i
	for ; i < len(text); i++ {
		c := text[i]
		if (c == '.' || c == ',') && !point {
			point, comma = true, c == ','
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		if point {
			scale++
		}
		if a, ok = a.times10(uint64(c - '0')); !ok {
			return a, i18n.T("has too many digits")
		}
	}
	switch whole := digits - scale; {
	case digits == 0, comma && (scale == 0 || whole == 0):
		return a, i18n.Term(number)
	case comma && scale == 3 && whole <= 3 && text[first] != '0':
		return a, i18n.T("the comma may stand between thousands or before decimals; want decimals behind a point, or none")
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		negative := false
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			negative = text[i] == '-'
			i++
		}
		e, n := 0, 0
		for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			e = min(10*e+int(text[i]-'0'), 10_000)
			n++
		}
		if n == 0 {
			return a, i18n.Term(number)
		}
		if negative {
			e = -e
		}
		scale -= e
	}
	if i < len(text) {
		return a, i18n.Term(number)
	}
	if a == (Amount{}) {
		return a, i18n.Text{}
	}
	for ; scale > amountDecimals; scale-- {
		q, r := a.by10()
		if r != 0 {
			return a, i18n.T("has more than %d decimals", amountDecimals)
		}
		a = q
	}
	for ; scale < amountDecimals; scale++ {
		if a, ok = a.times10(0); !ok {
			return a, i18n.T("is too large")
		}
	}
	return a, i18n.Text{}
}

func (a Amount) times10(add uint64) (Amount, bool) {
	n, ok := a.n.Mul(10)
	n, more := n.Add(num.Uint128{Lo: add})
	return Amount{n}, ok && more
}

func (a Amount) by10() (Amount, uint64) {
	hi, r := a.n.Hi/10, a.n.Hi%10
	lo, r := bits.Div64(r, a.n.Lo, 10)
	return Amount{num.Uint128{Hi: hi, Lo: lo}}, r
}

// plus returns a+b; ok is false on overflow.
func (a Amount) plus(b Amount) (sum Amount, ok bool) {
	n, ok := a.n.Add(b.n)
	return Amount{n}, ok
}

func (a Amount) compare(b Amount) int {
	switch {
	case a.n.Less(b.n):
		return -1
	case a != b:
		return 1
	}
	return 0
}

// whole returns a as a whole number; ok is false if it is not one.
func (a Amount) whole() (uint64, bool) {
	const one = 1_000_000_000_000_000_000
	if a.n.Hi >= one {
		return 0, false
	}
	q, r := bits.Div64(a.n.Hi, a.n.Lo, one)
	return q, r == 0
}

// rat returns a as a fraction.
func (a Amount) rat() *big.Rat { return new(big.Rat).SetFrac(a.n.Big(), amountOne) }

// float returns a as a float64, accurate to a few units in the last place.
func (a Amount) float() float64 {
	if n, ok := a.whole(); ok {
		return float64(n)
	}
	return double(a.n) / 1e18
}

func double(n num.Uint128) float64 { return math.Ldexp(float64(n.Hi), 64) + float64(n.Lo) }

// String returns a as a decimal number.
func (a Amount) String() string {
	x := a.rat()
	s := x.FloatString(amountDecimals)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}
