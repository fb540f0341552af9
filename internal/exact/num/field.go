package num

import (
	"math/big"
	"math/bits"
)

// A Field is the integers modulo a prime of at most 61 bits. What holds modulo Mersenne for random or small numbers
// almost surely holds for the numbers themselves; each user states what makes it certain.
type Field uint64

// Mersenne is the prime 2⁶¹ − 1: products are reduced by shifts and an addition, while other primes need a division.
const Mersenne Field = 1<<61 - 1

// Prime returns the t-th prime below Mersenne, which is the 0th.
func Prime(t int) Field {
	p := new(big.Int).SetUint64(uint64(Mersenne))
	for two := big.NewInt(2); t > 0; t-- {
		for p.Sub(p, two); !p.ProbablyPrime(0); p.Sub(p, two) {
		}
	}
	return Field(p.Uint64())
}

// Mul returns a·b.
func (p Field) Mul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if p == Mersenne {
		s := lo&uint64(Mersenne) + (lo>>61 | hi<<3)
		if s >= uint64(p) {
			s -= uint64(p)
		}
		return s
	}
	return bits.Rem64(hi, lo, uint64(p))
}

// Add returns a + b.
func (p Field) Add(a, b uint64) uint64 {
	s := a + b
	if s >= uint64(p) {
		s -= uint64(p)
	}
	return s
}

// Sub returns a − b.
func (p Field) Sub(a, b uint64) uint64 {
	if a < b {
		a += uint64(p)
	}
	return a - b
}

// Inverse returns 1/a for a ≠ 0, which is a^(p−2) by Fermat's little theorem.
func (p Field) Inverse(a uint64) uint64 {
	r := uint64(1)
	for e := uint64(p) - 2; e > 0; e >>= 1 {
		if e&1 != 0 {
			r = p.Mul(r, a)
		}
		a = p.Mul(a, a)
	}
	return r
}

// Of returns the residue of v.
func (p Field) Of(v int64) uint64 {
	v %= int64(p)
	if v < 0 {
		v += int64(p)
	}
	return uint64(v)
}
