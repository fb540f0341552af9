package num

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
)

// ErrNotNumber is the error of ParseNumber.
var ErrNotNumber = i18n.New("want a number like 5, 0.29, 1e3 or 1/3")

var numberSyntax = lazy.Regexp(`^[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3}|/[0-9]{1,40})?$`)

// ParseNumber parses an exact number: a decimal like "0.29" or "1e3", or a fraction like "1/3".
func ParseNumber(s string) (*big.Rat, error) {
	if !numberSyntax().MatchString(s) {
		return nil, ErrNotNumber
	}
	num, den := s, ""
	for i := range s {
		if s[i] == '/' {
			num, den = s[:i], s[i+1:]
		}
	}
	x, ok := new(big.Rat).SetString(num)
	if !ok {
		return nil, ErrNotNumber
	}
	if den != "" {
		d, ok := new(big.Int).SetString(den, 10)
		if !ok || d.Sign() == 0 {
			return nil, ErrNotNumber
		}
		x.Quo(x, new(big.Rat).SetInt(d))
	}
	return x, nil
}

// Float returns the float64 nearest to x.
func Float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// Floor returns ⌊x⌋.
func Floor(x *big.Rat) *big.Int {
	return new(big.Int).Div(x.Num(), x.Denom()) // Euclidean; the denominator is positive
}

// One is 1; it must not be modified.
var One = big.NewRat(1, 1)

// Whole returns x as a rational.
func Whole(x int64) *big.Rat { return new(big.Rat).SetInt64(x) }

// Scaled returns v·a/n, rounded half up.
func Scaled(v, a, n int64) int64 {
	x := new(big.Int).Mul(big.NewInt(2), big.NewInt(v))
	x.Mul(x, big.NewInt(a))
	x.Add(x, big.NewInt(n))
	return x.Div(x, new(big.Int).Mul(big.NewInt(2), big.NewInt(n))).Int64()
}
