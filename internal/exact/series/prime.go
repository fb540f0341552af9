package series

import "github.com/hitoku/hitoku/internal/exact/num"

// prime is the Mersenne prime 2³¹ − 1: products fit into 64 bits and are reduced by a shift, and numbers take half the
// memory of those modulo num.Mersenne.
const prime = 1<<31 - 1

// field is for operations that are not done for every cell; its products take a division.
const field = num.Field(prime)

func mul(a, b uint32) uint32 {
	t := uint64(a) * uint64(b)
	return add(uint32(t>>31), uint32(t&prime))
}

func add(a, b uint32) uint32 {
	if a += b; a >= prime {
		a -= prime
	}
	return a
}

func negative(a uint32) uint32 {
	if a == 0 {
		return 0
	}
	return prime - a
}

func inverse(a uint32) uint32 { return uint32(field.Inverse(uint64(a))) }
func residue(v int64) uint32  { return uint32(field.Of(v)) }
