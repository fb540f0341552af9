package risk

import (
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A SlidingNB is an estimate of population uniques by the sliding negative binomial model (Chen and Keller-McNulty,
// Estimation of identification disclosure risk in microdata, Journal of Official Statistics 14(1), 1998): the size of a
// population class is 1 + X with X negative binomial,
//
//	P(X = x) = Γ(x+α)/(Γ(α) x!) β^α (1−β)^x .
type SlidingNB struct {
	Classes     float64 // K, the number of classes in the population
	Alpha, Beta float64
	// Uniques is K·β^α. If K exceeds the number of people, Uniques may too, and is meaningless then.
	Uniques float64
}

// errNoSlidingNB says that no parameters of the sliding negative binomial model give the sample's numbers of classes
// with one and with two records.
var errNoSlidingNB = i18n.New("risk: the sliding negative binomial model does not fit")

// newSlidingNB fits the model to a sample in which each record was drawn with probability q = n/N. K is the modified
// estimate of Shlosser (Haas and Stokes, Estimating the number of classes in a finite population, Journal of the
// American Statistical Association 93, 1998): with d classes in the sample, C_i of them with i records,
//
//	K = d + C_1 · Σ i q² (1−q²)^(i−1) C_i / Σ (1−q)^i ((1+q)^i − 1) C_i · (Σ (1−q)^i C_i / Σ i q (1−q)^(i−1) C_i)² .
//
// α and β are those for which a sample has C_1 classes of one record and C_2 of two on average (Dankar and others, BMC
// Medical Informatics 2012, appendix A): with z = (1−q)(1−β)
//
//	C_1 = K q (β/(1−z))^α (1 + αz/(1−z)),   C_2 = K q² α β^α (1−β) (2 − (1−α)z) / (2 (1−z)^(α+2)) .
//
// With r = z/(1−z), t = αr and R = 2 C_2 (1−q)/(q C_1), the quotient of the two is t² + (2+r−R)t = R, whose only
// positive root leaves one equation for r between 0 and (1−q)/q,
//
//	ln(C_1/(Kq)) = (t/r) ln(1 − rq/(1−q)) + ln(1+t) .
//
// If it has no root, or the sample has no class of two records, there is no fit: errNoSlidingNB. Of several roots the
// least is taken, for which class sizes vary least.
func newSlidingNB(h Histogram, population uint64) (SlidingNB, error) {
	n, c1, err := sampleOf(h, population)
	if err != nil {
		return SlidingNB{}, err
	}
	q := n / float64(population)
	c2 := 0.0
	for _, s := range h {
		if s.Size == 2 {
			c2 = float64(s.Classes)
		}
	}
	if c1 == 0 || c2 == 0 || q == 1 {
		return SlidingNB{}, errNoSlidingNB
	}
	return fitSlidingNB(shlosser(h, c1, q), c1, c2, q)
}

// fitSlidingNB finds α and β from K, C_1, C_2 and q.
func fitSlidingNB(classes, c1, c2, q float64) (SlidingNB, error) {
	r := SlidingNB{Classes: classes}
	R := 2 * c2 * (1 - q) / (q * c1)
	t := func(r float64) float64 {
		b := 2 + r - R
		root := math.Sqrt(float64(b*b) + float64(4*R))
		if b > 0 {
			return 2 * R / (root + b)
		}
		return (root - b) / 2
	}
	most := (1 - q) / q
	f := func(x float64) float64 {
		return float64(t(x)/x*math.Log1p(-x/most)) + math.Log1p(t(x)) - math.Log(c1/(r.Classes*q))
	}
	// A grid, finer towards both ends, finds where the sign changes; the value is −∞ at the upper end.
	const steps = 400
	grid := func(k int) float64 { return most / (1 + math.Exp(20-40*float64(k)/steps)) }
	lo, at := grid(0), math.NaN()
	for k := 1; k <= steps && math.IsNaN(at); k++ {
		hi := grid(k)
		if rises := f(lo) <= 0; rises != (f(hi) <= 0) {
			for range 200 {
				mid := lo + (hi-lo)/2
				if mid <= lo || mid >= hi {
					break
				}
				if (f(mid) <= 0) == rises {
					lo = mid
				} else {
					hi = mid
				}
			}
			at = hi
		}
		lo = hi
	}
	if math.IsNaN(at) {
		return SlidingNB{}, errNoSlidingNB
	}
	r.Alpha = t(at) / at
	r.Beta = (1 - at/most) / (1 + at)
	r.Uniques = r.Classes * math.Exp(r.Alpha*(math.Log1p(-at/most)-math.Log1p(at)))
	return r, nil
}

// alone returns E[1/F] and Pr(F < k) for a record that is unique in a sample with probability q, by Bayes: Pr(F | 1) is
// proportional to Pr(F) F q (1−q)^(F−1). At most 10^7 terms.
func (b *SlidingNB) alone(q, k float64) (risk, below float64) {
	all, term := 0.0, 1.0
	for F := 1.0; F < 1e7 && term > 1e-15*all; F++ {
		all += term
		risk += term / F
		if F < k {
			below += term
		}
		term *= (F - 1 + b.Alpha) * (F + 1) / (F * F) * ((1 - b.Beta) * (1 - q))
		if term > 1e200 {
			all, risk, below, term = all/1e200, risk/1e200, below/1e200, term/1e200
		}
	}
	return risk / all, below / all
}

// shlosser estimates the number of classes in a population from those in a sample with probability q, c1 of them with
// one record.
func shlosser(h Histogram, c1, q float64) float64 {
	var d, a, b, missed, single float64
	for _, s := range h {
		i, c := float64(s.Size), float64(s.Classes)
		d += c
		a += float64(i * q * q * math.Exp((i-1)*math.Log1p(-q*q)) * c)
		// (1−q)^i ((1+q)^i − 1), computed without cancellation
		b += float64(math.Exp(i*math.Log1p(-q)) * math.Expm1(i*math.Log1p(q)) * c)
		missed += float64(math.Exp(i*math.Log1p(-q)) * c)
		single += float64(i * q * math.Exp((i-1)*math.Log1p(-q)) * c)
	}
	if c1 == 0 {
		return d
	}
	return d + float64(c1*(a/b)*(missed/single)*(missed/single))
}
