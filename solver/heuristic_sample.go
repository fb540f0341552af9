package solver

import (
	"context"
	"math"
	"math/rand/v2"
)

// A sampler draws patterns near the optimum x of a relaxation and the incumbent x̂: it builds with the prices
//
//	w_c · (1 − x_c)^p · u · b^x̂_c ,
//
// where p is drawn from 1, 2, 4 and 8, u by column from [1 − a, 1 + a] with a from 0, 0.3 and 0.6, and b from 1, 0.6,
// 0.3 and 0.1, and then cleans up. A build costs as much as the separation of a few levels. The costs of the patterns
// scatter widely around that of the builder alone; those near the incumbent are the cheapest. It is a randomised greedy
// search (Feo and Resende, Greedy randomized adaptive search procedures, Journal of Global Optimization 6, 1995) in the
// neighbourhood of relaxation and incumbent (as in relaxation induced neighborhood search: Danna, Rothberg and Le Pape,
// Mathematical Programming 102, 2005), with the builder in place of a sub-search.
type sampler struct {
	rng   *rand.Rand
	spent float64 // work spent
	cost  float64 // work of the last draw
	share float64 // part of the separation's work that may be spent
	// For variation by classes: the current pattern (protected, at least in floating point), its cost, the least cost
	// so far, and the dimensions of its movements.
	set       []bool
	at, least int64
	dims      int
	chain     chain
	ended     chains
}

// guide returns a guide for the builder, drawn around x and the columns best.
func (d *sampler) guide(x []float64, best []bool) []float64 {
	p := float64(int(1) << d.rng.IntN(4))
	a := [...]float64{0, 0.3, 0.6}[d.rng.IntN(3)]
	b := [...]float64{1, 0.6, 0.3, 0.1}[d.rng.IntN(4)]
	g := make([]float64, len(x))
	for c, v := range x {
		f := math.Pow(1-v, p) * (1 + float64(a*(2*d.rng.Float64()-1)))
		if best[c] {
			f *= b
		}
		g[c] = 1 - f
	}
	return g
}

// samples reports whether the search draws patterns: where the intruder's programs are slow, so that the gap is large
// and a build is cheap compared with separation.
func (s *search) samples() bool {
	return !s.p.off.sample && s.best != nil && s.deep && float64(s.upper-s.bound) > sampleGap*float64(s.upper)
}

// sample draws patterns around the optimum x of a relaxation, in proportion to the work of separation.
func (s *search) sample(ctx context.Context, x []float64) error {
	if !s.samples() {
		return nil
	}
	d := s.sampling()
	due := s.sep.work()
	by, err := s.classes(ctx)
	if err != nil {
		return err
	}
	if by != nil {
		return s.varyFor(ctx, by, due)
	}
	for float64(due*d.share)-d.spent >= d.cost && s.samples() {
		before, upper := s.b.work(), s.upper
		share := companyShares[d.rng.IntN(len(companyShares))]
		if err := s.constructWith(ctx, d.guide(x, s.best), share); err != nil {
			return err
		}
		d.cost = s.b.work() - before
		d.spent += d.cost
		if s.upper < upper {
			d.share = sampleShare
		} else if d.share > sampleLeast {
			d.share *= sampleFall
			d.spent *= sampleFall // wait for more work before the next draw
		}
	}
	return nil
}

// sampling returns the sampler, made at first use.
func (s *search) sampling() *sampler {
	if s.sampler == nil {
		s.sampler = &sampler{rng: rand.New(rand.NewPCG(s.opt.Seed, 0xd1b54a32d192ed03)), share: sampleShare, cost: improveSlice}
	}
	return s.sampler
}

// work returns the work of the builder so far.
func (b *builder) work() float64 { return b.router.Work() + b.in.Work() }
