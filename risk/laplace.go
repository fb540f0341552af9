package risk

import (
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"

	"github.com/hitoku/hitoku/internal/i18n"
)

// LaplaceK returns the k of Pk-anonymity of n records if each numeric attribute gets independent Laplace noise (ノイズの加算,
// Laplase 分布) with the density exp(−|x|/σ)/(2σ):
//
//	k = 1 + (N−1)·exp(−2D/σ)
//
// where D is the sum of the ranges of the attributes, that is, the L1 diameter of their box. For D = 0 it is n: records
// that agree need no noise. The attacker knows the whole table; rounding or clamping the result keeps k. It also holds
// for the noise on a grid that [Perturb] adds: see [Mixture.K].
//
// σ is the scale of the density: the variance is 2σ², the standard deviation σ√2. If attributes have noise of different
// scales, D is the sum of range/scale, and σ = 1.
//
// Source: the document on noise for Pk-anonymity (numeric attributes), Theorem 6.1. It calls σ² the variance, prints
// 1/(2σ) for (1/(2σ))ⁿ and ‖v′+v‖ for ‖v′−v‖, and states the ratio where its essential infimum is meant.
func LaplaceK(n int64, d, sigma float64) float64 {
	switch {
	case d == 0:
		return float64(n)
	case sigma == 0:
		return 1
	}
	return 1 + float64(float64(n-1)*math.Exp(-2*d/sigma))
}

// LaplaceSigma returns the smallest scale for which LaplaceK is k:
//
//	σ = 2D / ln((N−1)/(k−1))
//
// where the logarithm is computed as ln(1 + (N−k)/(k−1)), which is accurate near k = N. It is 0 for k ≤ 1 and for D =
// 0. ok is false if no noise reaches k: for k ≥ N, or k > N if D is 0. Unlike in the source, section 6.1, no bisection
// is needed; step 2 there stops at k ≤ the target where k ≥ is meant.
func LaplaceSigma(n int64, d float64, k *big.Rat) (sigma float64, ok bool) {
	over := k.Cmp(num.Whole(n))
	switch {
	case k.Cmp(num.One) <= 0:
		return 0, true
	case d == 0:
		return 0, over <= 0
	case over >= 0:
		return 0, false
	}
	short := new(big.Rat).Sub(num.Whole(n), k)
	return 2 * d / math.Log1p(num.Float(short.Quo(short, new(big.Rat).Sub(k, num.One)))), true
}

// normalisedSigma returns the scale of noise for attributes scaled to the range 0 to 1, and the scale for each in its
// own units, σ times its range. Attributes with range 0 need no noise and do not count: D is the number of the others.
func normalisedSigma(n int64, ranges []float64, k *big.Rat) (sigma float64, scales []float64, ok bool) {
	d := 0.0
	for _, r := range ranges {
		if r > 0 {
			d++
		}
	}
	sigma, ok = LaplaceSigma(n, d, k)
	if !ok {
		return 0, nil, false
	}
	scales = sets.Each(ranges, func(r float64) float64 { return sigma * r })
	return sigma, scales, true
}

// A Mix is data with categorical attributes, randomised by retention–replacement with a common ρ, and Numeric
// attributes with positive ranges, scaled to 0 to 1, which get Laplace noise of scale
//
//	σ = tan(w·(1−ρ)) ,   w = π/4, or π/2 if Wide .
//
// The source, section 6.1, offers π/4. Then σ is at most 1, so that k has a maximum below N (see [Mix.MaxK]), which the
// source does not mention; π/2 has no such limit.
type Mix struct {
	N           int64
	Categorical []int64 // the number of values of each categorical attribute
	Numeric     int
	Wide        bool
}

// Check reports invalid numbers of records or values.
func (x Mix) Check() error {
	if err := checkSample(x.N, x.N); err != nil {
		return err
	}
	if x.Numeric < 0 {
		return i18n.Errorf("%d numeric attributes", x.Numeric)
	}
	for _, v := range x.Categorical {
		if v < 1 {
			return i18n.Errorf("%d values, want at least 1", v)
		}
	}
	return nil
}

// Sigma returns the scale of the noise for ρ.
func (x Mix) Sigma(rho float64) float64 {
	w := math.Pi / 4
	if x.Wide {
		w = math.Pi / 2
	}
	return math.Tan(w * (1 - rho))
}

// K returns, for categorical attributes with V values each,
//
//	k = 1 + (N−1) · Π ((1−ρ)/(1+(V−1)ρ))² · exp(−2·Numeric/σ)
//
// which decreases in ρ. An attribute with one value has the factor 1, not (1−ρ)² as the source's formula, which has
// lost a bracket, would give.
func (x Mix) K(rho float64) float64 {
	f := 1.0
	for _, v := range x.Categorical {
		if v > 1 {
			r := (1 - rho) / (1 + float64(float64(v-1)*rho))
			f *= r * r
		}
	}
	if x.Numeric > 0 {
		sigma := x.Sigma(rho)
		if sigma <= 0 {
			return 1
		}
		f *= math.Exp(-2 * float64(x.Numeric) / sigma)
	}
	return 1 + float64(float64(x.N-1)*f)
}

// MaxK returns the largest k that can be reached, at ρ = 0: 1 + (N−1)·exp(−2·Numeric), or N if Wide.
func (x Mix) MaxK() float64 {
	if x.Wide {
		return float64(x.N)
	}
	return x.K(0)
}

// Rho returns the largest ρ with K(ρ) ≥ k, by bisection; ok is false if k > MaxK.
func (x Mix) Rho(k float64) (rho float64, ok bool) {
	switch {
	case x.K(1) >= k:
		return 1, true
	case x.K(0) < k:
		return 0, false
	}
	low, high := 0.0, 1.0 // K(low) ≥ k > K(high)
	for {
		mid := (low + high) / 2
		if mid <= low || mid >= high {
			return low, true
		}
		if x.K(mid) >= k {
			low = mid
		} else {
			high = mid
		}
	}
}
