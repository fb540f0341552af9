package rational

import (
	"math/big"
	"math/bits"
)

// A field is the integers modulo a prime below 2^61.
type field uint64

// primes returns the t-th prime of a fixed list: the Mersenne prime 2^61 − 1 and those
// below it.
func primes(t int) field {
	p := new(big.Int).SetUint64(1<<61 - 1)
	for two := big.NewInt(2); t > 0; t-- {
		for p.Sub(p, two); !p.ProbablyPrime(0); p.Sub(p, two) {
		}
	}
	return field(p.Uint64())
}

func (p field) mul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if p == 1<<61-1 { // by shifts
		s := lo&(1<<61-1) + (lo>>61 | hi<<3)
		if s >= uint64(p) {
			s -= uint64(p)
		}
		return s
	}
	return bits.Rem64(hi, lo, uint64(p))
}

func (p field) sub(a, b uint64) uint64 {
	if a < b {
		a += uint64(p)
	}
	return a - b
}

// inv returns a^(p−2).
func (p field) inv(a uint64) uint64 {
	r := uint64(1)
	for e := uint64(p) - 2; e > 0; e >>= 1 {
		if e&1 != 0 {
			r = p.mul(r, a)
		}
		a = p.mul(a, a)
	}
	return r
}

// of returns the residue of v.
func (p field) of(v int64) uint64 {
	v %= int64(p)
	if v < 0 {
		v += int64(p)
	}
	return uint64(v)
}
