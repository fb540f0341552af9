package series

// prime is the Mersenne prime 2³¹ − 1: products fit into 64 bits and are reduced by a shift.
const prime = 1<<31 - 1

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

// inverse returns 1/a for a ≠ 0, a^(prime−2).
func inverse(a uint32) uint32 {
	r := uint32(1)
	for e := uint32(prime - 2); e > 0; e >>= 1 {
		if e&1 != 0 {
			r = mul(r, a)
		}
		a = mul(a, a)
	}
	return r
}

func residue(v int64) uint32 {
	v %= prime
	if v < 0 {
		v += prime
	}
	return uint32(v)
}
