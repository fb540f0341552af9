package risk

import (
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Sampling is the re-identification risk by sampling (サンプリングを用いた際の個人識別リスク): the release of m of n records, drawn
// without replacement, each subset equally likely. The attacker knows n0 of the n records exactly, including the
// target, and believes that the others have the same distribution.
type Sampling struct {
	N, N0, M int64
}

// SampleSize returns m = ⌊p·n⌋, exactly.
func SampleSize(n int64, p *big.Rat) (int64, error) {
	if p.Sign() <= 0 || p.Cmp(num.One) > 0 {
		return 0, i18n.Errorf("a share of %s published, want more than 0 and at most 1", p.RatString())
	}
	return num.Floor(new(big.Rat).Mul(p, num.Whole(n))).Int64(), nil
}

// maxRecords is the largest n of a release.
const maxRecords = 1_000_000_000_000_000

// checkSample requires 1 ≤ m ≤ n ≤ maxRecords, for m records published of n.
func checkSample(n, m int64) error {
	switch {
	case n < 1 || n > maxRecords:
		return i18n.Errorf("%d records, want 1 to %d", n, int64(maxRecords))
	case m < 1 || m > n:
		return i18n.Errorf("%d records published of %d, want 1 to %d", m, n, n)
	}
	return nil
}

// Check reports violations of 1 ≤ m ≤ n ≤ 10^15 and 1 ≤ n0 ≤ n.
func (s Sampling) Check() error {
	if err := checkSample(s.N, s.M); err != nil {
		return err
	}
	if s.N0 < 1 || s.N0 > s.N {
		return i18n.Errorf("%d records known of %d, want 1 to %d", s.N0, s.N, s.N)
	}
	return nil
}

// Unknown returns u = n − n0 − (m−1), the number of records that are neither known to the attacker nor published, if he
// knows none of the m−1 other published records. It is negative if there are not that many.
func (s Sampling) Unknown() int64 { return s.N - s.N0 - (s.M - 1) }

// Risk returns the largest probability that the attacker links a record he knows to its published copy:
//
//	risk = E[(1/i)·i] / E[i] = 1/(1 + u/n0) = n0/(n−m+1),   i−1 ~ Bin(u, 1/n0)
//
// and 1 if u < 0. k = 1/risk. It is a bound, attained for m = 1, for u < 0, and in the limit in which unknown records
// may have new values.
//
// Source: R. Kikuchi, How much can the sampling reduce the identification risk? (in Japanese), Claim 4.1, whose double
// sum equals this fraction. The document prints sums over i, j < u; they should run to u+1, as i−1 runs from 0 to u.
// See [Sampling.PrintedBounds].
func (s Sampling) Risk() *big.Rat {
	if s.Unknown() < 0 {
		return num.Whole(1)
	}
	return big.NewRat(s.N0, s.N-s.M+1)
}

// PrintedBounds returns the double sum of Claim 4.1 with the bounds i, j < u as printed,
//
//	Σ_{i<u} C(u,i−1) / Σ_{j<u} j·C(u,j−1)·(n0−1)^(i−j) ,
//
// to compare with figures computed from the text. It is slightly larger than Risk. ok is false if it would divide 0 by
// 0, for u ≤ 1 or n0 = 1.
//
// With X ~ Bin(u, t), t = 1/n0, it is Pr[X ≤ u−2] / E[X+1; X ≤ u−2]: the complete sums minus their last two terms.
func (s Sampling) PrintedBounds() (risk float64, ok bool) {
	u := float64(s.Unknown())
	if u <= 1 || s.N0 == 1 {
		return 0, false
	}
	t := 1 / float64(s.N0)
	last := math.Pow(t, u)                            // Pr[X = u]
	before := float64(u * math.Pow(t, u-1) * (1 - t)) // Pr[X = u−1]
	return (1 - before - last) / (1 + float64(u*t) - float64(u*before) - float64((u+1)*last)), true
}

// MaxSample returns the largest m for which an attacker who knows n0 of n records has 1/risk ≥ k,
//
//	m = min(n, ⌊n + 1 − k·n0⌋) ,
//
// ok is false if that is below 1. For k = 1, which every sample satisfies, it is the largest m with u ≥ 0.
func MaxSample(n, n0 int64, k *big.Rat) (m int64, ok bool) {
	x := new(big.Rat).Mul(k, num.Whole(n0))
	x.Sub(num.Whole(n+1), x)
	switch f := num.Floor(x); {
	case f.Sign() <= 0:
		return 0, false
	case f.Cmp(big.NewInt(n)) > 0:
		return n, true
	default:
		return f.Int64(), true
	}
}
