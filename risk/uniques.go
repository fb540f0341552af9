package risk

import (
	"errors"
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Zayatz is an estimate of population uniques (Zayatz, Estimation of the percent of unique
// population elements on a microdata file using the sample, Bureau of the Census 1991).
type Zayatz struct {
	// Prob is the probability that a record unique in the sample is unique in the population.
	Prob float64
	// Uniques is the expected number of population uniques.
	Uniques float64
}

// newZayatz estimates population uniques from the class sizes of a simple random sample of n of N records, taking the
// distribution of sample class sizes as that of population class sizes: with C_s classes of size s,
//
//	P = C_1 h(1) / Σ_s C_s h(s),   h(s) = s C(N−s, n−1)/C(N, n),   U = C_1 P N/n,
//
// where h(s) is the probability that exactly one record of a population class of s is in the sample. Only the quotients
// h(s)/h(1) = s Π_{i=1}^{s−1} (N−n−i+1)/(N−i) are computed, which need no factorials and cannot overflow.
func newZayatz(h Histogram, population uint64) (Zayatz, error) {
	n, c1, err := sampleOf(h, population)
	if err != nil {
		return Zayatz{}, err
	}
	N := float64(population)
	sum := 0.0
	zayatzSizes(h, n, N, func(_, x float64) { sum += x })
	if c1 == 0 {
		return Zayatz{}, nil
	}
	p := c1 / sum
	return Zayatz{p, c1 * p * N / n}, nil
}

// zayatzSizes calls visit for each size s with C_s h(s)/h(1).
func zayatzSizes(h Histogram, n, population float64, visit func(s, x float64)) {
	ratio, i := 1.0, uint64(1)
	for _, s := range h {
		for ; i < s.Size && ratio > 0; i++ {
			ratio *= math.Max(0, population-n-float64(i)+1) / (population - float64(i))
		}
		visit(float64(s.Size), float64(float64(s.Classes)*float64(s.Size)*ratio))
	}
}

// alone returns E[1/F] and Pr(F < k) for a record unique in the sample.
func (Zayatz) alone(h Histogram, n, population, k float64) (risk, below float64) {
	all := 0.0
	zayatzSizes(h, n, population, func(s, x float64) {
		all += x
		risk += x / s
		if s < k {
			below += x
		}
	})
	return risk / all, below / all
}

// sampleOf returns the number of records and of sample uniques of a histogram.
func sampleOf(h Histogram, population uint64) (n, c1 float64, err error) {
	records := uint64(0)
	for _, s := range h {
		if s.Size < 1 {
			return 0, 0, i18n.New("risk: a class of size 0")
		}
		records += s.Size * s.Classes
		if s.Size == 1 {
			c1 = float64(s.Classes)
		}
	}
	if records < 1 || population < records {
		return 0, 0, i18n.Errorf("risk: a population of %d, want at least the %d records of the sample, of which there must be some", population, records)
	}
	return float64(records), c1, nil
}

// Uniques holds the estimates of population uniques and the one chosen by a rule.
type Uniques struct {
	Population, Records, SampleUniques uint64
	Zayatz                             Zayatz
	Pitman                             *Pitman    // nil if it cannot be fitted
	SlidingNB                          *SlidingNB // nil if it cannot be fitted
	// Chosen is pitman, zayatz, snb (SlidingNB), or sample if the sample is the population; Estimate is its number of
	// uniques and Reason says why it was chosen.
	Chosen, Reason string
	Estimate       float64
}

// NewUniques estimates population uniques and chooses by the rule of Dankar et al. (BMC Medical Informatics 2012): up
// to a sampling fraction of 0.1 Pitman, above it the smaller of Zayatz and the sliding negative binomial estimate;
// Zayatz if a fit fails or estimates more uniques than people.
func NewUniques(h Histogram, population uint64) (*Uniques, error) {
	n, c1, err := sampleOf(h, population)
	if err != nil {
		return nil, err
	}
	r := &Uniques{Population: population, Records: uint64(n), SampleUniques: uint64(c1)}
	if r.Zayatz, err = newZayatz(h, population); err != nil {
		return nil, err
	}
	p, err := newPitman(h, population)
	if err == nil {
		r.Pitman = &p
	} else if !errors.Is(err, errNoFit) {
		return nil, err
	}
	if b, err := newSlidingNB(h, population); err == nil {
		r.SlidingNB = &b
	} else if !errors.Is(err, errNoSlidingNB) {
		return nil, err
	}
	switch {
	case r.Records == population:
		r.Chosen, r.Estimate, r.Reason = "sample", c1, "the sample is the population"
	case n/float64(population) > 0.1 && r.SlidingNB == nil:
		r.Chosen, r.Estimate, r.Reason = "zayatz", r.Zayatz.Uniques, "sampling fraction above 0.1, and the sliding negative binomial does not fit"
	case n/float64(population) > 0.1 && r.SlidingNB.Uniques < r.Zayatz.Uniques:
		r.Chosen, r.Estimate, r.Reason = "snb", r.SlidingNB.Uniques, "sampling fraction above 0.1, and the sliding negative binomial gives fewer than Zayatz"
	case n/float64(population) > 0.1:
		r.Chosen, r.Estimate, r.Reason = "zayatz", r.Zayatz.Uniques, "sampling fraction above 0.1, and the sliding negative binomial gives no fewer"
	case r.Pitman == nil:
		r.Chosen, r.Estimate, r.Reason = "zayatz", r.Zayatz.Uniques, "sampling fraction at most 0.1, but the Pitman model has no interior maximum"
	case p.Uniques > float64(population):
		r.Chosen, r.Estimate, r.Reason = "zayatz", r.Zayatz.Uniques, "sampling fraction at most 0.1, but the Pitman model gives more uniques than people"
	default:
		r.Chosen, r.Estimate, r.Reason = "pitman", p.Uniques, "sampling fraction at most 0.1"
	}
	return r, nil
}
