package table

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// MaxDecimals is the largest number of decimals a table may have.
const MaxDecimals = 15

// A Decimal is the exact number Unscaled·10^−Scale. The zero value is 0.
type Decimal struct {
	Unscaled int64
	Scale    int // 0 … MaxDecimals
}

// Errors of ParseDecimal. Messages say what was wanted.
var (
	ErrNotNumber  = i18n.New("want a decimal number")
	ErrEither     = i18n.New("thousands, or decimals behind a comma? Want a point before decimals and nothing between thousands")
	ErrOutOfRange = i18n.Errorf("want at most 18 significant digits and %d decimals", MaxDecimals)
)

// ParseDecimal reads an optional sign, digits with at most one decimal mark (a point, or a comma if the text has no
// point) and an optional exponent. Surrounding blanks are ignored; trailing decimal zeros are dropped, so 1.50 has
// Scale 1. Nothing is rounded: what an int64 cannot hold exactly is ErrOutOfRange. NaN, infinities and digit grouping
// are ErrNotNumber; 1,234 is ErrEither, as the comma may group digits (a Notation can tell from the rest of the file).
func ParseDecimal(s string) (Decimal, error) {
	if s = strings.TrimSpace(s); groups(s, ",") && strings.Count(s, ",") == 1 {
		return Decimal{}, ErrEither
	}
	return parseDecimal(s, ',')
}

// parseDecimal is ParseDecimal for text without blanks; other is the decimal mark of a text that has no point.
func parseDecimal(s string, other byte) (Decimal, error) {
	neg := false
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		neg = s[i] == '-'
		i++
	}
	point := byte('.')
	if !strings.Contains(s, ".") {
		point = other
	}
	var u uint64
	scale, zeros, digits := 0, 0, 0
	seenPoint := false
	over := false
	for ; i < len(s); i++ {
		c := s[i]
		if c == point && !seenPoint {
			seenPoint = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		if seenPoint && c == '0' { // counted only if a digit follows
			zeros++
			continue
		}
		for z := zeros; z > 0; z-- {
			u, over = mul10(u, 0, over)
			scale++
		}
		zeros = 0
		u, over = mul10(u, uint64(c-'0'), over)
		if seenPoint {
			scale++
		}
	}
	if digits == 0 {
		return Decimal{}, ErrNotNumber
	}
	exp := 0
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		e, err := strconv.Atoi(s[i+1:])
		if err != nil {
			return Decimal{}, ErrNotNumber
		}
		exp, i = e, len(s)
	}
	if i != len(s) {
		return Decimal{}, ErrNotNumber
	}
	if over {
		return Decimal{}, ErrOutOfRange
	}
	if u == 0 {
		return Decimal{}, nil
	}
	for ; exp < 0; exp++ {
		if u%10 == 0 && scale == 0 {
			u /= 10
			continue
		}
		if scale++; scale > MaxDecimals {
			return Decimal{}, ErrOutOfRange
		}
	}
	for ; exp > 0; exp-- {
		if scale > 0 {
			scale--
			continue
		}
		if u, over = mul10(u, 0, over); over {
			return Decimal{}, ErrOutOfRange
		}
	}
	if scale > MaxDecimals {
		return Decimal{}, ErrOutOfRange
	}
	v := int64(u)
	if neg {
		v = -v
	}
	return Decimal{v, scale}, nil
}

// maxMagnitude bounds |Unscaled|, so that sums of several values rarely leave int64.
const maxMagnitude = 1e18

func mul10(u, d uint64, over bool) (uint64, bool) {
	hi, lo := bits.Mul64(u, 10)
	lo, carry := bits.Add64(lo, d, 0)
	return lo, over || hi+carry != 0 || lo > maxMagnitude
}

// At returns d in units of 10^−scale; ok is false if it does not fit or has
// more decimals than scale.
func (d Decimal) At(scale int) (v int64, ok bool) {
	v = d.Unscaled
	for s := d.Scale; s < scale; s++ {
		if v > maxMagnitude/10 || v < -maxMagnitude/10 {
			return 0, false
		}
		v *= 10
	}
	for s := d.Scale; s > scale; s-- {
		if v%10 != 0 {
			return 0, false
		}
		v /= 10
	}
	return v, true
}

// String returns the shortest exact decimal notation.
func (d Decimal) String() string { return FormatDecimal(d.Unscaled, d.Scale) }

// FormatDecimal writes v·10^−scale exactly, without trailing zeros after the
// point. PosInf and NegInf become "inf" and "-inf".
func FormatDecimal(v int64, scale int) string {
	switch v {
	case PosInf:
		return "inf"
	case NegInf:
		return "-inf"
	}
	s := strconv.FormatInt(v, 10)
	switch {
	case v == 0:
		return s
	case scale <= 0: // below 0 is no scale of a table, but At and Build take such numbers of callers
		return s + strings.Repeat("0", -scale)
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	if len(s) <= scale {
		s = strings.Repeat("0", scale+1-len(s)) + s
	}
	whole, frac := s[:len(s)-scale], strings.TrimRight(s[len(s)-scale:], "0")
	if frac == "" {
		return sign + whole
	}
	return sign + whole + "." + frac
}

// FormatRat writes r·10^−scale as a decimal if it has at most six more
// decimals than scale, else as a fraction p/q.
func FormatRat(r *big.Rat, scale int) string {
	q := new(big.Rat).Set(r)
	q.Quo(q, new(big.Rat).SetInt64(Pow10(scale)))
	if q.IsInt() {
		return q.Num().String()
	}
	t := new(big.Rat).Mul(q, new(big.Rat).SetInt64(Pow10(min(scale+6, 18))))
	if t.IsInt() {
		return strings.TrimRight(q.FloatString(min(scale+6, 18)), "0")
	}
	return q.RatString()
}

// Pow10 returns 10^k for 0 ≤ k ≤ 18.
func Pow10(k int) int64 {
	p := int64(1)
	for range k {
		p *= 10
	}
	return p
}

// addExact returns a+b; ok is false on overflow or where either is infinite.
func addExact(a, b int64) (int64, bool) {
	if a == PosInf || a == NegInf || b == PosInf || b == NegInf {
		return 0, false
	}
	c := a + b
	return c, (c > a) == (b > 0) && c != math.MaxInt64 && c != math.MinInt64
}
