package certificate

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// A wide is a signed integer of 192 bits, in two's complement.
type wide struct {
	hi      int64
	mid, lo uint64
}

// addMul adds a·b; b may be negative.
func (s *wide) addMul(a uint64, b int64) {
	m := uint64(b)
	if b < 0 {
		m = -m
	}
	hi, lo := bits.Mul64(a, m)
	var c uint64
	if b < 0 {
		s.lo, c = bits.Sub64(s.lo, lo, 0)
		s.mid, c = bits.Sub64(s.mid, hi, c)
		s.hi -= int64(c)
		return
	}
	s.lo, c = bits.Add64(s.lo, lo, 0)
	s.mid, c = bits.Add64(s.mid, hi, c)
	s.hi += int64(c)
}

// plus returns s + t.
func (s wide) plus(t wide) (r wide) {
	var c uint64
	r.lo, c = bits.Add64(s.lo, t.lo, 0)
	r.mid, c = bits.Add64(s.mid, t.mid, c)
	r.hi = s.hi + t.hi + int64(c)
	return r
}

// minus returns s − t.
func (s wide) minus(t wide) (r wide) {
	var c uint64
	r.lo, c = bits.Sub64(s.lo, t.lo, 0)
	r.mid, c = bits.Sub64(s.mid, t.mid, c)
	r.hi = s.hi - t.hi - int64(c)
	return r
}

func (s wide) sign() int {
	switch {
	case s.hi < 0:
		return -1
	case s.hi == 0 && s.mid == 0 && s.lo == 0:
		return 0
	}
	return 1
}

// scaled returns v·2^s for v ≥ 0, s ≤ 127.
func scaled(v int64, s int) (r wide) {
	if s < 64 {
		r.mid, r.lo = bits.Mul64(uint64(v), 1<<s)
		return r
	}
	hi, mid := bits.Mul64(uint64(v), 1<<(s-64))
	return wide{int64(hi), mid, 0}
}

// int returns s as a big integer.
func (s wide) int() *big.Int { return s.into(new(big.Int)) }

// into sets v to s and returns it.
func (s wide) into(v *big.Int) *big.Int {
	neg := s.hi < 0
	if neg {
		s = wide{}.minus(s)
	}
	var b [24]byte
	binary.BigEndian.PutUint64(b[:], uint64(s.hi))
	binary.BigEndian.PutUint64(b[8:], s.mid)
	binary.BigEndian.PutUint64(b[16:], s.lo)
	if v.SetBytes(b[:]); neg {
		v.Neg(v)
	}
	return v
}

// wideOf returns v, which has less than 192 bits.
func wideOf(v *big.Int) wide {
	var b [24]byte
	v.FillBytes(b[:])
	s := wide{int64(binary.BigEndian.Uint64(b[:])), binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[16:])}
	if v.Sign() < 0 {
		s = wide{}.minus(s)
	}
	return s
}

// int64 returns s as an int64; ok is false if it does not fit.
func (s wide) int64() (v int64, ok bool) {
	v = int64(s.lo)
	sign := uint64(v >> 63)
	return v, s.mid == sign && uint64(s.hi) == sign
}
