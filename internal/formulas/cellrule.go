package formulas

import (
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
)

// FrequencyUnsafe applies the minimum frequency rule with threshold T to a cell with that many contributors. It
// is unsafe if 1 ≤ count < T, and also if count = 0 and zeroUnsafe is set.
//
// Source: slides by K. Minami, "Privacy protection for the use of data" (2024, in Japanese), the "principle of
// 10".
func FrequencyUnsafe(count, t int64, zeroUnsafe bool) bool {
	return count < t && (count > 0 || zeroUnsafe && count == 0)
}

// Dominance returns the share of the n largest contributions in the total, and whether it is unsafe: share ≥
// percent/100 if inclusive, else share > percent/100. With a total of 0 the share is nil and the cell safe.
//
// Source: as FrequencyUnsafe, which says "70 % or more", so inclusive; the (n,k) rule of τ-ARGUS is not.
func Dominance(contributions []*big.Rat, n int, percent *big.Rat, inclusive bool) (share *big.Rat, unsafe bool, err error) {
	if n < 1 {
		return nil, false, i18n.Errorf("the %d largest contributions, want at least 1", n)
	}
	if percent.Sign() < 0 {
		return nil, false, i18n.Errorf("a share of %s %%, want at least 0", percent.RatString())
	}
	sorted := slices.Clone(contributions)
	slices.SortStableFunc(sorted, func(a, b *big.Rat) int { return b.Cmp(a) })
	total, top := new(big.Rat), new(big.Rat)
	for i, x := range sorted {
		if x.Sign() < 0 {
			return nil, false, i18n.Errorf("a contribution of %s, want at least 0", x.RatString())
		}
		total.Add(total, x)
		if i < n {
			top.Add(top, x)
		}
	}
	if total.Sign() == 0 {
		return nil, false, nil
	}
	share = top.Quo(top, total)
	limit := new(big.Rat).Quo(percent, num.Whole(100))
	c := share.Cmp(limit)
	return share, c > 0 || inclusive && c == 0, nil
}

// Collusion (共謀) returns how many of the n contributors of a cell are unknown to a coalition of c of them, and
// whether the coalition can compute the value of another one exactly, which it can if and only if n − c = 1.
// With a minimum frequency T, at least T−1 must collude.
func Collusion(n, c int64) (unknown int64, exact bool, err error) {
	if n < 0 || c < 0 || c > n {
		return 0, false, i18n.Errorf("a coalition of %d among %d contributors", c, n)
	}
	return n - c, n-c == 1, nil
}

// WidthUnsafe reports whether an interval [lo, hi] that is known to contain a withheld value is too narrow: hi
// − lo < width. An interval of exactly that width is safe. One slide of the source asks for a greater one, but
// its experiment counts the widths 0 to 7 as unsafe for the threshold 8.
func WidthUnsafe(lo, hi, width *big.Rat) bool {
	return new(big.Rat).Sub(hi, lo).Cmp(width) < 0
}
