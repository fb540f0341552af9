// Package num has small functions on integers and rationals that several packages need.
package num

import (
	"math"
	"math/bits"
)

// Abs returns |v|; v ≠ −2⁶³.
func Abs(v int64) int64 { return max(v, -v) }

// Magnitude returns |v|, even for −2⁶³.
func Magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// GCD returns the greatest common divisor ≥ 0; GCD(v, 0) = |v|.
func GCD[T int64 | uint64](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// FloorDiv returns ⌊a/b⌋ for b ≠ 0, (a, b) ≠ (−2⁶³, −1).
func FloorDiv(a, b int64) int64 {
	q := a / b
	if r := a % b; r != 0 && (r < 0) != (b < 0) {
		q--
	}
	return q
}

// CeilDiv returns ⌈a/b⌉ for b ≠ 0, (a, b) ≠ (−2⁶³, −1).
func CeilDiv(a, b int64) int64 {
	q := a / b
	if r := a % b; r != 0 && (r < 0) == (b < 0) {
		q++
	}
	return q
}

// A Hash is 64-bit FNV-1a (Fowler, Noll and Vo) over words instead of bytes.
type Hash uint64

const fnvPrime = 1099511628211

// NewHash returns the hash of no words.
func NewHash() Hash { return 14695981039346656037 }

// Add appends a word.
func (h Hash) Add(word uint64) Hash { return (h ^ Hash(word)) * fnvPrime }

// ScaledUp returns ⌈f·v/g⌉ for f, v ≥ 0 and g > 0, capped at MaxInt64; MaxInt64 stands for infinity.
func ScaledUp(f, v, g int64) int64 {
	if v == math.MaxInt64 {
		return v
	}
	hi, lo := bits.Mul64(uint64(f), uint64(v))
	lo, carry := bits.Add64(lo, uint64(g)-1, 0)
	if hi += carry; hi >= uint64(g) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(g))
	return int64(min(q, math.MaxInt64))
}

// Mix is one step of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014), a
// bijection after which numbers that differed in one bit look unrelated.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
