package risk

import (
	"context"
	"io"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A changer changes the values of one column. The result of change is valid until the next call.
type changer interface {
	begin(f *file) error
	change(r *record, v []byte, rng *rand.Rand) ([]byte, error)
}

// A chooser decides which records are published.
type chooser interface {
	take() (bool, error)
	end() error
}

// everyone publishes all of n records.
type everyone struct{ left int64 }

func (e *everyone) take() (bool, error) {
	e.left--
	return true, nil
}

func (e *everyone) end() error {
	if e.left != 0 {
		return errChanged
	}
	return nil
}

// bernoulli publishes every record independently with probability p; m counts them.
type bernoulli struct {
	everyone
	take0, of uint64
	rng       *rand.Rand
	m         int64
}

func (e *bernoulli) take() (bool, error) {
	e.left--
	if e.rng.Uint64N(e.of) >= e.take0 {
		return false, nil
	}
	e.m++
	return true, nil
}

// A Mixture changes columns of a file in one pass, each value independently.
type Mixture struct {
	Replace []Replacement
	Transit []Transition
	Bits    []Bits
	Noise   []Perturbation
}

func (m *Mixture) columns() (names []string, all []changer) {
	add := func(name string, c changer) { names, all = append(names, name), append(all, c) }
	for k := range m.Replace {
		add(m.Replace[k].Column, m.Replace[k].changer())
	}
	for k := range m.Transit {
		add(m.Transit[k].Column, &transiter{Transition: &m.Transit[k]})
	}
	for k := range m.Bits {
		add(m.Bits[k].Column, &bitter{Bits: &m.Bits[k]})
	}
	for k := range m.Noise {
		add(m.Noise[k].Column, &perturber{Perturbation: &m.Noise[k]})
	}
	return names, all
}

func (m *Mixture) check() error {
	for k := range m.Replace {
		if err := m.Replace[k].check(); err != nil {
			return err
		}
	}
	for k := range m.Transit {
		if err := m.Transit[k].check(); err != nil {
			return err
		}
	}
	for k := range m.Bits {
		if err := m.Bits[k].check(); err != nil {
			return err
		}
	}
	for k := range m.Noise {
		if err := m.Noise[k].check(); err != nil {
			return err
		}
	}
	return nil
}

// Guarantee returns the guarantee of all columns except those with noise; see [Mixture.K].
func (m *Mixture) Guarantee() Guarantee {
	g := Guarantee{num.Whole(1), num.Whole(1)}
	for _, x := range m.Replace {
		g = g.and(Attribute{Values: int64(len(x.Values)), Rho: x.Rho}.guarantee())
	}
	for _, x := range m.Transit {
		g = g.and(x.Chances.Guarantee())
	}
	for _, x := range m.Bits {
		g = g.and(x.Guarantee())
	}
	return g
}

// noise returns Σ D/T as in K; ok is false if a column that needs noise has none.
func (m *Mixture) noise() (d *big.Rat, ok bool) {
	d = new(big.Rat)
	for _, x := range m.Noise {
		switch steps := x.Noise.diameter(x.Min, x.Max); {
		case x.Noise.T == 0 && compareDecimals(x.Min, x.Max) != 0:
			return nil, false
		case x.Noise.T > 0:
			d.Add(d, new(big.Rat).SetFrac(steps, new(big.Int).SetUint64(x.Noise.T)))
		}
	}
	return d, true
}

// K returns the k of Pk-anonymity when n records are changed and published of them are published, m below. The ratios
// of columns changed independently multiply: noise has α = exp(−ΣD/T) and β = α², so that
//
//	k = 1 + (n−m)·α·exp(−ΣD/T) + (m−1)·β·exp(−2·ΣD/T)
//
// with α and β of the other columns ([Guarantee.K]), D the number of grid steps between a column's least and greatest
// value after rounding, and T the number in its scale. The ratio of two probabilities of a column is exp(−d/T) with d ≤
// 2D, so the bound is that of the continuous density ([LaplaceK]); D·g differs from the range by less than g. Rounding
// and clamping the results keep k. A column with D = 0 needs no noise. Source: as there; the document on noise, section
// 6.1, equation 1.
func (m *Mixture) K(n, published int64) float64 {
	d, ok := m.noise()
	if !ok {
		return 1
	}
	g := m.Guarantee()
	e := num.Float(d)
	return 1 + float64(float64(n-published)*num.Float(g.Alpha)*math.Exp(-e)) + float64(float64(published-1)*num.Float(g.Beta)*math.Exp(-2*e))
}

// Mask writes a file to w with the columns of the mixture changed, as documented at [Replacement] and [Perturbation],
// and returns how many records it wrote: release.M of release.N, drawn without replacement, or, if share is not nil,
// each independently with probability share.
//
// The guarantee is that of [Mixture.K]. With share, the release reveals the number of records; as K decreases in the
// number published, K(n, n) holds for every number possible.
//
// If numbers are missing and stay so, records that lack different numbers can be told apart, and the guarantee is that
// of n = g records, m = min(g, M) of them published, where g is the smallest number of records that lack the same
// numbers (see [Spans]).
func (m *Mixture) Mask(ctx context.Context, w io.Writer, path string, l Layout, release Release, share *big.Rat, rng *rand.Rand) (written int64, err error) {
	switch {
	case share != nil:
		if share.Sign() <= 0 || share.Cmp(num.One) > 0 || !share.Denom().IsInt64() {
			return 0, i18n.Errorf("share %s, want more than 0 and at most 1, with a denominator below 2^63", share.RatString())
		}
		c := &bernoulli{everyone: everyone{release.N}, take0: share.Num().Uint64(), of: share.Denom().Uint64(), rng: rng}
		err = m.write(ctx, w, path, l, release, c, rng)
		return c.m, err
	case release.M == release.N:
		return release.N, m.write(ctx, w, path, l, release, &everyone{release.N}, rng)
	}
	d, err := newDraw(release.N, release.M, rng)
	if err != nil {
		return 0, err
	}
	return release.M, m.write(ctx, w, path, l, release, d, rng)
}

func (m *Mixture) write(ctx context.Context, w io.Writer, path string, l Layout, release Release, choose chooser, rng *rand.Rand) error {
	if err := m.check(); err != nil {
		return err
	}
	names, all := m.columns()
	if len(all) == 0 {
		return i18n.New("no columns to change")
	}
	numbers := len(names) - len(m.Noise) // index of the first of them
	out := release.sink(w, rng)
	before := func(prefix []byte, f *file) error {
		for _, c := range all {
			if err := c.begin(f); err != nil {
				return err
			}
		}
		return out.head(prefix, f)
	}
	to := make([][]byte, len(all))
	var text []byte
	err := eachRecord(ctx, path, l, names, before, func(r *record) error {
		pattern, left := r.absent(release.Missing, numbers)
		if left {
			return nil
		}
		hit, err := choose.take()
		if err != nil {
			return err
		}
		for c, v := range r.values {
			if c >= numbers && pattern>>(c-numbers)&1 == 1 {
				to[c] = r.file.quote(v)
				continue
			}
			if to[c], err = all[c].change(r, v, rng); err != nil {
				return err
			}
		}
		if !hit {
			return nil
		}
		text = r.with(text[:0], to)
		return out.put(text)
	})
	if err == nil {
		err = choose.end()
	}
	if err == nil {
		err = out.end()
	}
	return err
}
