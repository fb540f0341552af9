package risk

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// A Model is what a model of the population implies for a sample. F is the number of people of a class in the
// population.
type Model struct {
	// Name is benedetti_franconi, pitman, zayatz, snb (sliding negative binomial) or log_linear.
	Name string
	// Reidentified is the expected number of correct matches of an attacker who has the whole population, Σ E[1/F] over
	// the records.
	Reidentified Interval
	// MaxRisk is the largest E[1/F]; Above is the expected number of classes with 1/F above a limit.
	MaxRisk, Above float64
	// Uniques is the expected number of people unique in the population; nil if the model does not estimate it.
	Uniques *Interval
	// Smoothing holds B1/√v and B2/√v of log_linear, which are beyond ±1.96 if it smooths too much or too little; Pairs
	// are the pairs of quasi-identifiers that interact.
	Smoothing *[2]float64
	Pairs     [][2]string
}

// An Interval is an estimate with three standard deviations to either side: they cover randomness and fitting, not
// whether the model holds.
type Interval struct{ Estimate, From, To float64 }

// around returns an interval clipped to 0 … most.
func around(x, variance, most float64) Interval {
	d := float64(3 * math.Sqrt(variance))
	return Interval{x, math.Max(0, x-d), math.Min(most, x+d)}
}

// A law is the distribution of F given f of each class: E[1/F], and Pr(F < k).
type law struct {
	risk  func(g int) float64
	below func(g int, k float64) float64
}

// Models computes several models of the population. The n records of c are a sample from N people, f of them in a
// class.
//
//   - benedetti_franconi: E[1/F|f] with the sampling fraction p of the class, assuming class sizes in the population
//     distributed like 1/F;
//   - pitman: with θ and α of [Pitman], F−f is negative binomial with shape f−α and probability (n+θ)/(N+θ);
//   - zayatz, snb: by Bayes with the class sizes of [Zayatz] and [SlidingNB] for records unique in the sample; for
//     others like benedetti_franconi;
//   - log_linear: F−f is Poisson with mean (1−π)λ, π = n/N, and λ of a log-linear model (Skinner and Shlomo,
//     Journal of the American Statistical Association 103, 2008).
//
// Either the sample is a simple random one from population people, or w holds its records with weights (c being the
// classes of w) and population is 0: then N is the sum of all weights, and p = f/F̂ and λ come from the weights of the
// classes, which count as f if they sum to less. Models that do not fit, or that imply more uniques than people, are
// left out; with wildcards there are none, as a record belongs to no single class. limit is the limit on 1/F for Above,
// 0 for none. Cost: the fits, some passes over the classes for each pair of quasi-identifiers, and 1/limit steps for
// each class. If ctx ends, it returns an error that wraps ctx.Err().
func Models(ctx context.Context, c *Classes, w *Weighted, m Missing, population uint64, limit float64) ([]Model, error) {
	if m.Mode == Wildcard {
		return nil, nil
	}
	f, err := c.Frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	if w == nil {
		return c.models(f, nil, population, limit)
	}
	sums, people, ok := make([]Amount, len(f)), Amount{}, true
	for g, f := range f {
		if f > 0 && ok {
			sums[g] = w.atLeast(g, f)
			people, ok = people.plus(sums[g])
		}
	}
	if !ok {
		return nil, errWeights
	}
	return c.models(f, sums, uint64(math.Round(people.float())), limit)
}

// models computes the models for f records of each class, 0 if it is left out. Without weights, whose sums are at least
// f, the sample is a simple random one.
func (c *Classes) models(f []uint64, weights []Amount, population uint64, limit float64) ([]Model, error) {
	sizes := map[uint64]uint64{}
	for _, f := range f {
		if f > 0 {
			sizes[f]++
		}
	}
	h := histogram(sizes)
	n, c1, err := sampleOf(h, population)
	if err != nil {
		return nil, err
	}
	N := float64(population)
	fraction := func(g int) float64 {
		if weights == nil {
			return n / N
		}
		if weights[g] == amountOf(f[g]) {
			return 1
		}
		return float64(f[g]) / weights[g].float()
	}
	s := sample{f: f, n: n, N: N, limit: limit}
	common := law{
		func(g int) float64 { return individualRisk(f[g], fraction(g)) },
		func(g int, k float64) float64 { return tailedBelow(k, float64(f[g]), 0, fraction(g)) },
	}
	// alone is the law for records unique in the sample.
	alone := func(risk, below float64) law {
		return law{
			func(g int) float64 {
				if f[g] == 1 {
					return risk
				}
				return common.risk(g)
			},
			func(g int, k float64) float64 {
				if f[g] == 1 {
					return below
				}
				return common.below(g, k)
			},
		}
	}
	list := []Model{s.model("benedetti_franconi", common, nil)}
	if x, err := newPitman(h, population); err == nil && x.Uniques <= N {
		p := x.fraction(n, N)
		m := s.model("pitman", law{
			func(g int) float64 { return tailedRisk(f[g], x.Alpha, p) },
			func(g int, k float64) float64 { return tailedBelow(k, float64(f[g]), x.Alpha, p) },
		}, &x.Uniques)
		x.widen(h, n, N, &m)
		list = append(list, m)
	}
	if x, err := newZayatz(h, population); err == nil && x.Uniques <= N {
		risk, below := x.alone(h, n, N, 1/limit)
		list = append(list, s.model("zayatz", alone(risk, below), &x.Uniques))
	}
	if x, err := newSlidingNB(h, population); err == nil && x.Uniques <= N {
		risk, below := x.alone(n/N, 1/limit)
		list = append(list, s.model("snb", alone(risk, below), &x.Uniques))
	}
	l := c.fitLogLinear(f, weights, N)
	mean := func(g int) float64 { return (1 - l.share) * l.lambda[g] }
	uniques := total{}
	if c1 > 0 {
		for g, f := range f {
			if f == 1 {
				uniques.add(math.Exp(-mean(g)))
			}
		}
	}
	u := uniques.float() / l.share
	m := s.model("log_linear", law{
		func(g int) float64 { return poissonRisk(f[g], mean(g)) },
		func(g int, k float64) float64 { return poissonBelow(k, float64(f[g]), mean(g)) },
	}, &u)
	d := m.Reidentified.To - m.Reidentified.Estimate
	m.Reidentified = around(m.Reidentified.Estimate, float64(d*d/9)+l.v, n)
	m.Smoothing = &[2]float64{l.b1, l.b2}
	for _, p := range l.pairs {
		m.Pairs = append(m.Pairs, [2]string{c.columns.names[p[0]], c.columns.names[p[1]]})
	}
	return append(list, m), nil
}

// A sample has f records of each class, and n of N people.
type sample struct {
	f     []uint64
	n, N  float64
	limit float64
}

// model sums up a law over the classes. Of a class of f records ρ = f E[1/F] are re-identified, with variance at most
// ρ(1−ρ), as 1/F ≤ 1/f. The number of uniques in the sample is taken as Poisson.
func (s *sample) model(name string, l law, uniques *float64) Model {
	m := Model{Name: name}
	var found, variance, above total
	for g, f := range s.f {
		if f == 0 {
			continue
		}
		r := l.risk(g)
		rho := math.Min(1, float64(r*float64(f)))
		m.MaxRisk = math.Max(m.MaxRisk, r)
		found.add(rho)
		variance.add(float64(rho * (1 - rho)))
		if s.limit > 0 && float64(float64(f)*s.limit) < 1 {
			above.add(l.below(g, 1/s.limit))
		}
	}
	m.Above = above.float()
	m.Reidentified = around(found.float(), variance.float(), s.n)
	if uniques != nil {
		u := around(*uniques, *uniques*s.N/s.n, s.N)
		m.Uniques = &u
	}
	return m
}

// A total adds numbers from 0 to 1 with a precision of 2^−62, independently of their order.
type total struct{ n num.Uint128 }

func (t *total) add(x float64) { t.n, _ = t.n.Add(num.Uint128{Lo: uint64(math.Ldexp(x, 62))}) }

func (t *total) float() float64 { return math.Ldexp(double(t.n), -62) }
