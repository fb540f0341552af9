package risk

import (
	"fmt"
	"math"
)

// PoissonThreshold is a test of k-map by sample class sizes alone (El Emam and Dankar,
// JAMIA 2008).
type PoissonThreshold struct {
	// Lambda is k n/N, the mean number of records in the sample of a population class
	// of k.
	Lambda float64
	// Uncapped is the least k′ with Pr(Poisson(λ) ≤ k′−1) ≥ 1−level; Threshold is
	// min(k, k′), as F ≥ f in any case. A sample class of at least Threshold records is
	// accepted as F ≥ k.
	Threshold, Uncapped uint64
}

// NewPoissonThreshold returns the test for a sample of n records of a population of N
// at an error level in (0, 1). ARX's Poisson variant gives one more before the cap.
// Cost: about λ steps.
func NewPoissonThreshold(k, n, population uint64, level float64) (PoissonThreshold, error) {
	var t PoissonThreshold
	switch {
	case k < 1:
		return t, fmt.Errorf("risk: k %d, want 1 or more", k)
	case n < 1 || population < n:
		return t, fmt.Errorf("risk: a population of %d, want at least the %d records of the sample", population, n)
	case !(level > 0 && level < 1):
		return t, fmt.Errorf("risk: level %v, want one in (0, 1)", level)
	}
	t.Lambda = float64(k) * float64(n) / float64(population)
	// The sum runs from where terms begin to count, 40 standard deviations below λ.
	from := math.Max(0, math.Floor(t.Lambda-40*math.Sqrt(t.Lambda)))
	lg, _ := math.Lgamma(from + 1)
	term := math.Exp(from*math.Log(t.Lambda) - t.Lambda - lg)
	sum := term
	j := from
	for sum < 1-level && (term > 0 || j < t.Lambda) {
		j++
		term *= t.Lambda / j
		sum += term
	}
	t.Uncapped = uint64(j) + 1
	t.Threshold = min(k, t.Uncapped)
	return t, nil
}
