package attack

import "math/bits"

// A bitset is a set of small integers.
type bitset []uint64

func newBits(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(i int32)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) has(i int32) bool { return b[i>>6]>>(i&63)&1 != 0 }

// first returns the least element in which b and c differ, −1 none.
func (b bitset) first(c bitset) int32 {
	for w, v := range b {
		if d := v ^ c[w]; d != 0 {
			return int32(w<<6 + bits.TrailingZeros64(d))
		}
	}
	return -1
}
