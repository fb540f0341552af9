package risk

import (
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
)

// PoissonThreshold is a test for k-map that uses only the class sizes of the sample (El Emam and Dankar, Protecting
// privacy using k-anonymity, JAMIA 15(5), 2008).
type PoissonThreshold struct {
	// Lambda is k n/N, the mean number of records in the sample from a population class of k.
	Lambda float64
	// Uncapped is the least k′ with Pr(Poisson(λ) ≤ k′−1) ≥ 1−level; Threshold is min(k, k′), as F ≥ f in any case. A
	// sample class of at least Threshold records is accepted as having F ≥ k.
	Threshold, Uncapped uint64
}

// maxLambda bounds the number of steps, about √λ. Far above it, consecutive whole numbers are equal as floats.
const maxLambda = 1e12

// NewPoissonThreshold returns the test for a sample of n records from a population of N at an error level in (0, 1).
// ARX's Poisson variant gives one more before the cap.
//
// Terms are computed relative to the largest one, at λ, and added from the far end of the upper tail down, as e^−λ
// underflows and 1−level would lose a small level. Cost: about √λ steps.
func NewPoissonThreshold(k, n, population uint64, level float64) (PoissonThreshold, error) {
	var t PoissonThreshold
	switch {
	case k < 1:
		return t, i18n.Errorf("risk: k %d, want 1 or more", k)
	case n < 1 || population < n:
		return t, i18n.Errorf("risk: a population of %d, want at least the %d records of the sample", population, n)
	case !(level > 0 && level < 1):
		return t, i18n.Errorf("risk: level %v, want one in (0, 1)", level)
	}
	t.Lambda = float64(k) * float64(n) / float64(population)
	if t.Lambda > maxLambda {
		return t, i18n.Errorf("risk: k·n/N is %.3g, want at most %.0e", t.Lambda, maxLambda)
	}
	mode := math.Floor(t.Lambda)
	total := 1.0
	for j, term := mode, 1.0; j > 0 && term > 1e-20; j-- {
		term = float64(term * (j / t.Lambda))
		total += term
	}
	j, term := mode, 1.0
	for term > 1e-20*level {
		j++
		term = float64(term * (t.Lambda / j))
		total += term
	}
	// Throughout, Pr(X ≥ j+1) = tail/total ≤ level.
	for tail := 0.0; j > 0 && tail+term <= level*total; j-- {
		tail += term
		term = float64(term * (j / t.Lambda))
	}
	t.Uncapped = uint64(j) + 1
	t.Threshold = min(k, t.Uncapped)
	return t, nil
}
