package risk

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A Zayatz is an estimate of population uniques (Zayatz 1991).
type Zayatz struct {
	// Prob is the chance that a record unique in the sample is unique in the
	// population.
	Prob float64
	// Uniques is the expected number of population uniques.
	Uniques float64
}

// NewZayatz estimates population uniques from the class sizes of a simple random sample
// of n of N records, with the sizes of sample classes as those of population classes:
// of C_s classes of size s
//
//	P = C_1 h(1) / Σ_s C_s h(s),   h(s) = s C(N−s, n−1)/C(N, n),   U = C_1 P N/n,
//
// h(s) being the chance that of a population class of s just one is in the sample.
// Only quotients h(s)/h(1) = s Π_{i=1}^{s−1} (N−n−i+1)/(N−i) are computed, which need no
// factorials and cannot overflow.
func NewZayatz(h Histogram, population uint64) (Zayatz, error) {
	n, c1, err := sampleOf(h, population)
	if err != nil {
		return Zayatz{}, err
	}
	N := float64(population)
	sum, ratio, i := 0.0, 1.0, uint64(1)
	for _, s := range h {
		for ; i < s.Size && ratio > 0; i++ {
			ratio *= math.Max(0, N-n-float64(i)+1) / (N - float64(i))
		}
		sum += float64(s.Classes) * float64(s.Size) * ratio
	}
	if c1 == 0 {
		return Zayatz{}, nil
	}
	p := c1 / sum
	return Zayatz{p, c1 * p * N / n}, nil
}

// sampleOf returns the records and sample uniques of a histogram.
func sampleOf(h Histogram, population uint64) (n, c1 float64, err error) {
	records := uint64(0)
	for _, s := range h {
		if s.Size < 1 {
			return 0, 0, errors.New("risk: a class of size 0")
		}
		records += s.Size * s.Classes
		if s.Size == 1 {
			c1 = float64(s.Classes)
		}
	}
	if records < 1 || population < records {
		return 0, 0, fmt.Errorf("risk: a population of %d, want at least the %d records of the sample, of which there must be some", population, records)
	}
	return float64(records), c1, nil
}

// A Pitman is an estimate of population uniques from the Ewens–Pitman law of
// partitions (Hoshino 2001).
type Pitman struct {
	Theta, Alpha float64
	// Uniques is Γ(θ+1)/Γ(θ+α) N^α, the expected number for N well above θ. For N below
	// θ it can exceed N, and means nothing then.
	Uniques float64
}

// ErrNoFit says that the likelihood of a model has no maximum inside its parameters'
// range.
var ErrNoFit = errors.New("risk: the likelihood of the Pitman model has no interior maximum")

// NewPitman fits θ and α in (0, 1) by maximum likelihood. With u classes, n records
// and C_j classes of size j the likelihood is
//
//	L = Σ_{i=1}^{u−1} ln(θ+iα) − Σ_{i=1}^{n−1} ln(θ+i) + Σ_j C_j Σ_{i=1}^{j−1} ln(i−α).
//
// Sums of its derivatives are differences of digamma functions. For each α the θ with
// ∂L/∂θ = 0 is found by bisection, and α by bisection of ∂L/∂α along these θ. Class
// sizes that are nearly equal, or all 1, have no maximum inside: ErrNoFit. Cost: some
// thousand evaluations, each linear in the number of different sizes.
func NewPitman(h Histogram, population uint64) (Pitman, error) {
	n, _, err := sampleOf(h, population)
	if err != nil {
		return Pitman{}, err
	}
	u := 0.0
	for _, s := range h {
		u += float64(s.Classes)
	}
	if u < 2 || u >= n {
		return Pitman{}, ErrNoFit
	}
	// dTheta is Σ 1/(θ+iα) − Σ 1/(θ+i).
	tail := func(x, k float64) float64 { // Σ_{i=1}^{k} 1/(x+i)
		return mathext.Digamma(x+k+1) - mathext.Digamma(x+1)
	}
	theta := func(alpha float64) (float64, bool) {
		d := func(t float64) float64 { return tail(t/alpha, u-1)/alpha - tail(t, n-1) }
		lo, hi := -alpha, 1.0 // d(lo) > 0, at lo it is +∞
		for d(hi) > 0 {
			lo, hi = hi, 2*hi
			if hi > 1e15 {
				return 0, false
			}
		}
		for range 200 {
			mid := lo + (hi-lo)/2
			if mid <= lo || mid >= hi {
				break
			}
			if d(mid) > 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		return hi, true
	}
	dAlpha := func(alpha float64) (float64, float64, bool) {
		t, ok := theta(alpha)
		if !ok {
			return 0, 0, false
		}
		// Σ i/(θ+iα) = (u−1)/α − (θ/α) Σ 1/(θ+iα)
		g := (u-1)/alpha - t/alpha*tail(t/alpha, u-1)/alpha
		for _, s := range h {
			if s.Size > 1 {
				g -= float64(s.Classes) * tail(-alpha, float64(s.Size-1))
			}
		}
		return g, t, true
	}
	lo, hi := 1e-6, 1-1e-9
	if g, _, ok := dAlpha(lo); !ok || g <= 0 {
		return Pitman{}, ErrNoFit
	}
	if g, _, ok := dAlpha(hi); ok && g >= 0 {
		return Pitman{}, ErrNoFit
	}
	var r Pitman
	for range 100 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		g, t, ok := dAlpha(mid)
		if ok && g > 0 {
			lo = mid
			r.Alpha, r.Theta = mid, t
		} else {
			hi = mid
		}
	}
	a, _ := math.Lgamma(r.Theta + 1)
	b, _ := math.Lgamma(r.Theta + r.Alpha)
	r.Uniques = math.Exp(a - b + r.Alpha*math.Log(float64(population)))
	if r.Alpha == 0 || math.IsNaN(r.Uniques) {
		return Pitman{}, ErrNoFit
	}
	return r, nil
}

// Uniques are the estimates of population uniques with the one that a rule chooses.
type Uniques struct {
	Population, Records, SampleUniques uint64
	Zayatz                             Zayatz
	Pitman                             *Pitman // nil: no fit
	// Chosen is pitman, zayatz, or sample where the sample is the population; Estimate
	// is its number of uniques and Reason says why.
	Chosen, Reason string
	Estimate       float64
}

// NewUniques estimates population uniques and chooses by the rule of Dankar et al.
// (BMC Medical Informatics 2012): up to a sampling fraction of 0.1 Pitman, above it the
// smaller of Zayatz and the estimate by a sliding negative binomial, Zayatz where a fit
// fails, which an estimate of more uniques than people counts as. That third estimate is
// not computed here, so Zayatz stands above 0.1.
func NewUniques(h Histogram, population uint64) (*Uniques, error) {
	n, c1, err := sampleOf(h, population)
	if err != nil {
		return nil, err
	}
	r := &Uniques{Population: population, Records: uint64(n), SampleUniques: uint64(c1)}
	if r.Zayatz, err = NewZayatz(h, population); err != nil {
		return nil, err
	}
	p, err := NewPitman(h, population)
	if err == nil {
		r.Pitman = &p
	} else if !errors.Is(err, ErrNoFit) {
		return nil, err
	}
	switch {
	case r.Records == population:
		r.Chosen, r.Estimate, r.Reason = "sample", c1, "the sample is the population"
	case n/float64(population) > 0.1:
		r.Chosen, r.Estimate, r.Reason = "zayatz", r.Zayatz.Uniques, "sampling fraction above 0.1"
	case r.Pitman == nil:
		r.Chosen, r.Estimate, r.Reason = "zayatz", r.Zayatz.Uniques, "sampling fraction at most 0.1, but the Pitman model has no interior maximum"
	case p.Uniques > float64(population):
		r.Chosen, r.Estimate, r.Reason = "zayatz", r.Zayatz.Uniques, "sampling fraction at most 0.1, but the Pitman model gives more uniques than people"
	default:
		r.Chosen, r.Estimate, r.Reason = "pitman", p.Uniques, "sampling fraction at most 0.1"
	}
	return r, nil
}
