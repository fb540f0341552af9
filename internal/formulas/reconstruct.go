package formulas

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Reconstruction is an estimate of how many records had each value before a file was randomised (再構築法).
type Reconstruction struct {
	// Count is for each value the most likely number of records, at least 0: the fixed point of
	//
	//	c_v ← c_v · Σ_j A[v][j]·o_j / Σ_w A[w][j]·c_w
	//
	// where o_j is the number of records with value j in the release.
	Count []float64
	Steps int
	// Settled says that the iteration ended because the counts no longer changed.
	Settled bool
	// Unbiased is for each value the solution of cA = o, with its standard error in Error; it may be negative.
	// nil: A has no inverse.
	Unbiased, Error []float64
}

// The largest number of iterations of Reconstruct, and the change, as a share of all records, that ends it.
const (
	reconstructSteps   = 10_000
	reconstructSettled = 1e-9
)

// ErrNotPossible is returned for a release that the matrix cannot have produced.
var ErrNotPossible = i18n.New("a value of the release has chance 0 from every value")

// Reconstruct estimates the distribution of a column from its release: a[v][j] is the probability that value v
// becomes j, and o[j] the number of records of the release with value j. For noise the values are intervals
// (see [NoiseMatrix]). Cost: V·V' for each iteration.
//
// Source: Agrawal and Srikant, Privacy-preserving data mining (SIGMOD 2000), section 3, whose Bayes iteration
// is the EM algorithm (Agrawal and Aggarwal, PODS 2001); for PRAM the unbiased estimate of Kooiman, Willenborg
// and Gouweleeuw (1997), whose variance given the original is the sum over records of the variances of their
// indicators.
func Reconstruct(a [][]float64, o []float64) (*Reconstruction, error) {
	if len(a) == 0 || len(a[0]) != len(o) {
		return nil, i18n.Errorf("%d values of the release, want %d", len(o), len(a[0]))
	}
	n := 0.0
	for j, x := range o {
		n += x
		some := x == 0
		for v := range a {
			some = some || a[v][j] > 0
		}
		if !some {
			return nil, ErrNotPossible
		}
	}
	r := &Reconstruction{Count: make([]float64, len(a))}
	for v := range r.Count {
		r.Count[v] = n / float64(len(a))
	}
	next := make([]float64, len(a))
	for r.Steps = 0; r.Steps < reconstructSteps && !r.Settled; r.Steps++ {
		clear(next)
		for j, x := range o {
			if x == 0 {
				continue
			}
			sum := 0.0
			for w, c := range r.Count {
				sum += float64(a[w][j] * c)
			}
			for v, c := range r.Count {
				next[v] += c * a[v][j] * x / sum
			}
		}
		change := 0.0
		for v := range next {
			change += math.Abs(next[v] - r.Count[v])
		}
		r.Settled = change <= reconstructSettled*n
		r.Count, next = next, r.Count
	}
	for v, c := range r.Count {
		if c < 1e-12*n {
			r.Count[v] = 0 // it is converging to 0
		}
	}
	r.unbiased(a, o)
	return r, nil
}

// unbiased solves cA = o.
func (r *Reconstruction) unbiased(a [][]float64, o []float64) {
	k := len(a)
	if k != len(o) {
		return
	}
	m := mat.NewDense(k, k, nil)
	for v := range a {
		m.SetCol(v, a[v]) // the transpose of A
	}
	var lu mat.LU
	if lu.Factorize(m); lu.Cond() > 1e12 {
		return
	}
	var inverse mat.Dense
	if err := lu.SolveTo(&inverse, false, eye(k)); err != nil {
		return
	}
	r.Unbiased, r.Error = make([]float64, k), make([]float64, k)
	for v := range k {
		for j, x := range o {
			r.Unbiased[v] += float64(inverse.At(v, j) * x)
		}
	}
	// Each of the records with value w, about Count[w], becomes j with chance a[w][j].
	for v := range k {
		variance := 0.0
		for w, c := range r.Count {
			mean, square := 0.0, 0.0
			for j, p := range a[w] {
				mean += float64(p * inverse.At(v, j))
				square += float64(p * inverse.At(v, j) * inverse.At(v, j))
			}
			variance += float64(c * max(0, square-float64(mean*mean)))
		}
		r.Error[v] = math.Sqrt(variance)
	}
}

func eye(k int) *mat.Dense {
	m := mat.NewDense(k, k, nil)
	for i := range k {
		m.Set(i, i, 1)
	}
	return m
}

// NoiseMatrix returns for each interval of the original and each interval of the release the chance that a
// number in the middle of the former, with Laplace noise of scale sigma, falls into the latter. ends are
// ascending; the first and the last interval of the release extend to −∞ and ∞.
func NoiseMatrix(ends, released []float64, sigma float64) [][]float64 {
	below := func(x float64) float64 {
		if x < 0 {
			return math.Exp(x/sigma) / 2
		}
		return 1 - math.Exp(-x/sigma)/2
	}
	var a [][]float64
	for i := range len(ends) - 1 {
		mid := (ends[i] + ends[i+1]) / 2
		row := make([]float64, len(released)-1)
		last := 0.0
		for j := range row {
			next := 1.0
			if j+2 < len(released) {
				next = below(released[j+1] - mid)
			}
			row[j], last = next-last, next
		}
		a = append(a, row)
	}
	return a
}
