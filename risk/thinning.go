package risk

import (
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
)

// individualRisk returns E[1/F | f], the probability that a match with a record of a sample class of f records is
// correct if the population class has F, where
//
//	Pr(F = j | f) = C(j−1, f−1) p^f (1−p)^(j−f),  j ≥ f,
//
// with the sampling fraction p of the class (Benedetti and Franconi, Statistical and technological solutions for
// controlled data dissemination, NTTS 1998). f ≥ 1 and 0 < p ≤ 1, else NaN.
func individualRisk(f uint64, p float64) float64 { return tailedRisk(f, 0, p) }

// tailedRisk returns E[1/F | f] if F−f is negative binomial with shape f−α and probability p, 0 ≤ α < 1. For α = 0 this
// is the distribution of individualRisk, which assumes class sizes in the population distributed like 1/F; otherwise
// like 1/F^(1+α).
//
//	E = ∫₀¹ (1−t)^(f−1) p (1−(1−p)t)^(−1−α) dt = (p/f) ₂F₁(1+α,1; f+1; 1−p).
//
// For f = 1 that is p (p^−α−1)/(α(1−p)), or p/(1−p) ln(1/p) for α = 0. Integration by parts gives r_{f+1} = p (1−f
// r_f)/((1−p)(f−α)), which is stable upwards only for p ≤ 1/2. The series (p/f) Σ_j (1+α)…(j+α) (1−p)^j/((f+1)…(f+j))
// has positive terms and is used for larger p and for f > 64, where it converges fast.
func tailedRisk(f uint64, alpha, p float64) float64 {
	switch {
	case f < 1 || !(p > 0 && p <= 1):
		return math.NaN()
	case p == 1:
		return 1 / float64(f)
	}
	q := 1 - p
	x := float64(f)
	if p > 0.5 || f > 64 {
		// Terms shrink by the factor (1−p) (j+α)/(f+j): at most a few hundred of them matter.
		sum, term := 1.0, 1.0
		for j := 1.0; term > 1e-17*sum; j++ {
			term = float64(term * (q * (j + alpha) / (x + j)))
			sum += term
		}
		return p / x * sum
	}
	odds := p / q
	r := -odds * math.Log(p)
	if alpha > 0 {
		r = odds * math.Expm1(-alpha*math.Log(p)) / alpha
	}
	for i := 1.0; i < x; i++ {
		r = odds * (1/(i-alpha) - float64(r*(i/(i-alpha))))
	}
	return r
}

// tailedBelow returns Pr(F < k | f) under the distribution of tailedRisk.
func tailedBelow(k, f, alpha, p float64) float64 {
	total, term := 0.0, math.Pow(p, f-alpha)
	for x := 0.0; f+x < k; x++ {
		total += term
		term *= (1 - p) * (f - alpha + x) / (x + 1)
	}
	return math.Min(1, total)
}

// individualRiskApprox is the usual approximation of individualRisk: exact for f = 1 and 2, p/(f−(1−p)) from 3 on, 1/f
// at p = 1.
func individualRiskApprox(f uint64, p float64) float64 {
	switch {
	case f < 1 || !(p > 0 && p <= 1):
		return math.NaN()
	case f <= 2 || p == 1:
		return individualRisk(f, p)
	}
	return p / (float64(f) - (1 - p))
}

// probAtLeast returns Pr(F ≥ k | f) under the distribution of individualRisk. F ≥ k means that of the first k−1 members
// of the class at most f−1 are in the sample:
//
//	Pr(F ≥ k | f) = Pr(Bin(k−1, p) ≤ f−1).
//
// Cost: at most k terms.
func probAtLeast(k, f uint64, p float64) float64 {
	switch {
	case f < 1 || !(p > 0 && p <= 1):
		return math.NaN()
	case k <= f:
		return 1
	case p == 1:
		return 0
	}
	n := float64(k - 1)
	at := func(i float64) float64 {
		return logChoose(n, i) + float64(i*math.Log(p)) + float64((n-i)*math.Log1p(-p))
	}
	// Terms decrease from the mode in both directions; summation starts at the largest term and goes outwards.
	odds := p / (1 - p)
	top := math.Min(float64(f-1), math.Floor((n+1)*p))
	start := math.Exp(at(top))
	if top < float64(f-1) { // the mode is inside: the upper tail is the smaller side
		i := float64(f)
		term := math.Exp(at(i))
		sum := 0.0
		for ; i <= n && term > 1e-18*sum; i++ {
			sum += term
			term *= odds * (n - i) / (i + 1)
		}
		return math.Max(0, 1-sum)
	}
	sum, term := 0.0, start
	for i := top; i >= 0 && term > 1e-18*sum; i-- {
		sum += term
		term *= i / (odds * (n - i + 1))
	}
	return math.Min(1, sum)
}

// logChoose is ln C(n, i).
func logChoose(n, i float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(i + 1)
	c, _ := math.Lgamma(n - i + 1)
	return a - b - c
}

// A ThinnedClass describes a class size of a sample ([Thinned]).
type ThinnedClass struct {
	Size, Classes uint64
	// Estimate is f/p, the estimate of F.
	Estimate float64
	// Risk is E[1/F|f], Approx its usual approximation.
	Risk, Approx float64
	// AtLeast is Pr(F ≥ k|f) for each k asked for.
	AtLeast []float64
}

// Thinned describes each class size of a sample under the uniform model: the sample is a simple random sample of n
// records from a population, and p = n/N is the sampling fraction of every class. AtLeast is computed for ks.
// reidentified is the expected number of correct matches of an attacker who has the whole population: Σ f·E[1/F|f].
func Thinned(n, population uint64, h Histogram, ks []uint64) (list []ThinnedClass, reidentified float64, err error) {
	if n < 1 || population < n {
		return nil, 0, i18n.Errorf("risk: a population of %d, want at least the %d records of the sample", population, n)
	}
	p := float64(n) / float64(population)
	for _, s := range h {
		c := ThinnedClass{Size: s.Size, Classes: s.Classes, Estimate: float64(s.Size) / p,
			Risk: individualRisk(s.Size, p), Approx: individualRiskApprox(s.Size, p)}
		for _, k := range ks {
			c.AtLeast = append(c.AtLeast, probAtLeast(k, s.Size, p))
		}
		list = append(list, c)
		reidentified += float64(float64(s.Records) * c.Risk)
	}
	return list, reidentified, nil
}
