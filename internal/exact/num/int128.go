package num

import (
	"math"
	"math/big"
	"math/bits"
)

// A Uint128 is an unsigned integer of 128 bits, Hi·2⁶⁴ + Lo.
type Uint128 struct{ Hi, Lo uint64 }

// Mul128 returns a·b.
func Mul128(a, b uint64) Uint128 {
	hi, lo := bits.Mul64(a, b)
	return Uint128{hi, lo}
}

// Uint128Of returns the low 128 bits of v ≥ 0.
func Uint128Of(v *big.Int) Uint128 {
	return Uint128{new(big.Int).Rsh(v, 64).Uint64(), new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)).Uint64()}
}

// Add returns a + b; ok is false on overflow.
func (a Uint128) Add(b Uint128) (sum Uint128, ok bool) {
	var c uint64
	sum.Lo, c = bits.Add64(a.Lo, b.Lo, 0)
	sum.Hi, c = bits.Add64(a.Hi, b.Hi, c)
	return sum, c == 0
}

// Sub returns a − b for a ≥ b.
func (a Uint128) Sub(b Uint128) (d Uint128) {
	var c uint64
	d.Lo, c = bits.Sub64(a.Lo, b.Lo, 0)
	d.Hi, _ = bits.Sub64(a.Hi, b.Hi, c)
	return d
}

// Mul returns a·f; ok is false on overflow.
func (a Uint128) Mul(f uint64) (p Uint128, ok bool) {
	over, lo := bits.Mul64(a.Lo, f)
	top, hi := bits.Mul64(a.Hi, f)
	hi, c := bits.Add64(hi, over, 0)
	return Uint128{hi, lo}, top == 0 && c == 0
}

// Quotient returns ⌊a/d⌋ for d > 0, or MaxInt64 if that is larger.
func (a Uint128) Quotient(d uint64) int64 {
	if a.Hi >= d {
		return math.MaxInt64
	}
	q, _ := bits.Div64(a.Hi, a.Lo, d)
	return int64(min(q, math.MaxInt64))
}

// Less reports whether a < b.
func (a Uint128) Less(b Uint128) bool { return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo }

// IsZero reports whether a is 0.
func (a Uint128) IsZero() bool { return a.Hi|a.Lo == 0 }

// Len returns the number of bits of a.
func (a Uint128) Len() int {
	if a.Hi != 0 {
		return 64 + bits.Len64(a.Hi)
	}
	return bits.Len64(a.Lo)
}

// Shift returns ⌊a/2^s⌋ for 0 ≤ s < 128 and whether the division leaves a remainder.
func (a Uint128) Shift(s int) (q Uint128, rest bool) {
	switch {
	case s == 0:
		return a, false
	case s >= 64:
		return Uint128{0, a.Hi >> (s - 64)}, a.Lo != 0 || a.Hi<<(128-s) != 0 && s > 64
	}
	return Uint128{a.Hi >> s, a.Hi<<(64-s) | a.Lo>>s}, a.Lo<<(64-s) != 0
}

// Big returns a as a big integer.
func (a Uint128) Big() *big.Int {
	b := new(big.Int).SetUint64(a.Hi)
	return b.Or(b.Lsh(b, 64), new(big.Int).SetUint64(a.Lo))
}

// An Int128 is a signed integer of 128 bits in two's complement, in which sums of millions of products of words are
// exact, in any order.
type Int128 struct {
	hi int64
	lo uint64
}

// Int128Of returns v.
func Int128Of(v int64) Int128 { return Int128{v >> 63, uint64(v)} }

// Int128OfBig returns the low 128 bits of v.
func Int128OfBig(v *big.Int) Int128 {
	if v.IsInt64() {
		return Int128Of(v.Int64())
	}
	m := Uint128Of(new(big.Int).Abs(v))
	a := Int128{int64(m.Hi), m.Lo}
	if v.Sign() < 0 {
		a = Int128{}.Sub(a)
	}
	return a
}

// Product returns a·b, which needs 127 bits and a sign.
func Product(a int64, b uint64) Int128 {
	hi, lo := bits.Mul64(Magnitude(a), b)
	p := Int128{int64(hi), lo}
	if a < 0 {
		return Int128{}.Sub(p)
	}
	return p
}

// Add returns a + b modulo 2¹²⁸.
func (a Int128) Add(b Int128) Int128 {
	lo, c := bits.Add64(a.lo, b.lo, 0)
	return Int128{a.hi + b.hi + int64(c), lo}
}

// Sum returns a + b; ok is false on overflow.
func (a Int128) Sum(b Int128) (c Int128, ok bool) {
	c = a.Add(b)
	return c, (a.hi < 0) != (b.hi < 0) || (c.hi < 0) == (a.hi < 0)
}

// Sub returns a − b modulo 2¹²⁸.
func (a Int128) Sub(b Int128) Int128 {
	lo, c := bits.Sub64(a.lo, b.lo, 0)
	return Int128{a.hi - b.hi - int64(c), lo}
}

// Scaled returns a·f for f ≥ 0; ok is false on overflow.
func (a Int128) Scaled(f int64) (c Int128, ok bool) {
	m, negative := a.Magnitude()
	m, ok = m.Mul(uint64(f))
	c = Int128{int64(m.Hi), m.Lo}
	ok = ok && c.hi >= 0
	if negative {
		c = Int128{}.Sub(c)
	}
	return c, ok
}

// Sign returns −1, 0 or 1.
func (a Int128) Sign() int {
	switch {
	case a.hi < 0:
		return -1
	case a == Int128{}:
		return 0
	}
	return 1
}

// Magnitude returns |a| and whether a < 0.
func (a Int128) Magnitude() (m Uint128, negative bool) {
	if a.hi < 0 {
		a, negative = Int128{}.Sub(a), true
	}
	return Uint128{uint64(a.hi), a.lo}, negative
}

// Int64 returns a; ok is false if it does not fit an int64.
func (a Int128) Int64() (v int64, ok bool) {
	return int64(a.lo), a.hi == int64(a.lo)>>63
}

// Big returns a as a big integer.
func (a Int128) Big() *big.Int {
	m, negative := a.Magnitude()
	b := m.Big()
	if negative {
		b.Neg(b)
	}
	return b
}
