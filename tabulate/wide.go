package tabulate

import (
	"math/big"
	"math/bits"
)

// wide is a signed integer of 128 bits, so that sums of millions of amounts with
// many decimals are exact whatever the order of the addends.
type wide struct {
	hi int64
	lo uint64
}

func wideOf(v int64) wide { return wide{v >> 63, uint64(v)} }

// add returns a+b; ok is false where that leaves 128 bits.
func (a wide) add(b wide) (c wide, ok bool) {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(uint64(a.hi), uint64(b.hi), carry)
	c = wide{int64(hi), lo}
	return c, (a.hi < 0) != (b.hi < 0) || (c.hi < 0) == (a.hi < 0)
}

func (a wide) neg() wide {
	lo, borrow := bits.Sub64(0, a.lo, 0)
	hi, _ := bits.Sub64(0, uint64(a.hi), borrow)
	return wide{int64(hi), lo}
}

// mul returns a·f for f ≥ 0.
func (a wide) mul(f int64) (c wide, ok bool) {
	if a.hi < 0 {
		c, ok = a.neg().mul(f)
		return c.neg(), ok && a.neg().hi >= 0
	}
	over, lo := bits.Mul64(a.lo, uint64(f))
	top, hi := bits.Mul64(uint64(a.hi), uint64(f))
	hi, carry := bits.Add64(hi, over, 0)
	return wide{int64(hi), lo}, top == 0 && carry == 0 && int64(hi) >= 0
}

// product returns x·w for w ≥ 0.
func product(x, w int64) wide {
	c, _ := wideOf(x).mul(w) // at most 126 bits
	return c
}

// int64 returns a if it has at most 63 bits.
func (a wide) int64() (int64, bool) {
	return int64(a.lo), a.hi == int64(a.lo)>>63
}

func (a wide) big() *big.Int {
	b := big.NewInt(a.hi)
	b.Lsh(b, 64)
	return b.Add(b, new(big.Int).SetUint64(a.lo))
}
