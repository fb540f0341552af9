package oracle

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// prime is 2^61 − 1. Each use says why an answer modulo prime is more than a guess.
const prime = num.Mersenne

// fraction finds p/q ≡ a with 0 < q ≤ maxDen and |p| as small as the extended
// Euclidean algorithm makes it (rational reconstruction: Wang, A p-adic algorithm for univariate
// partial fractions, SYMSAC 1981).
func fraction(a uint64, maxDen int64) (p, q int64, ok bool) {
	r0, r1 := int64(prime), int64(a)
	t0, t1 := int64(0), int64(1)
	limit := int64(prime) / (2 * maxDen)
	for r1 > limit {
		k := r0 / r1
		r0, r1 = r1, r0-k*r1
		t0, t1 = t1, t0-k*t1
	}
	if t1 < 0 {
		r1, t1 = -r1, -t1
	}
	return r1, t1, t1 > 0 && t1 <= maxDen
}

// holds checks M·num = b·den exactly, with one multiplication a relation and
// additions otherwise.
func holds(rel *table.Relations, num []int64, rhs []int64, den int64) bool {
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		sum, small := int64(0), true
		for t, i := range cell {
			v := num[i]
			if v > 1<<52 || v < -1<<52 || coef[t] > 1<<8 || coef[t] < -1<<8 {
				small = false
				break
			}
			sum += int64(coef[t]) * v
			if sum > 1<<61 || sum < -1<<61 {
				small = false
				break
			}
		}
		want := new(big.Int)
		if small {
			if rhs[j] == 0 {
				if sum != 0 {
					return false
				}
				continue
			}
			want.SetInt64(sum)
		} else {
			for t, i := range cell {
				want.Add(want, new(big.Int).Mul(big.NewInt(int64(coef[t])), big.NewInt(num[i])))
			}
		}
		if want.Cmp(new(big.Int).Mul(big.NewInt(rhs[j]), big.NewInt(den))) != 0 {
			return false
		}
	}
	return true
}
