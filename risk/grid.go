package risk

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Grid is Laplace noise on the multiples of g = 2^Exp, that is, g·Z with an integer Z where
//
//	Pr(Z = z) = (1−q)/(1+q) · q^|z|,   q = exp(−1/T) ,
//
// so that the scale is σ = T·g. The zero Grid is no noise.
//
// Values are rounded to multiples of g first, and all computation is in integers. So each multiple of g may result from
// each value, with the ratio of probabilities that the formula states; adding a floating-point number of the right
// density instead would reveal the value by the results that are impossible. Source: Mironov, On significance of the
// least significant bits for differential privacy (CCS 2012).
type Grid struct {
	Exp int
	T   uint64 // ≤ 2^40, above 2^39 unless 0
}

// gridSteps is the largest T: g is about σ/2^40, as in Google's differential privacy library.
const gridSteps = 1 << 40

// maxExp bounds the exponents of grids: numbers of any length would work, but slowly.
const maxExp = 256

// NewGrid returns the noise with the finest grid of at most 2^40 steps in σ: g is the smallest power of two that is at
// least σ/2^40, and T = ⌈σ/g⌉, so that the scale is σ or larger by less than 2 parts in 10^12.
func NewGrid(sigma *big.Rat) (Grid, error) {
	if sigma.Sign() <= 0 {
		if sigma.Sign() < 0 {
			return Grid{}, i18n.Errorf("scale %s, want at least 0", sigma.RatString())
		}
		return Grid{}, nil
	}
	// 2^(e−1) < σ/2^40 ≤ 2^e for one of these e.
	e := sigma.Num().BitLen() - sigma.Denom().BitLen() - 42
	for steps := big.NewRat(gridSteps, 1); ; e++ {
		if e < -maxExp || e > maxExp {
			return Grid{}, i18n.Errorf("scale %.3g, want 0 or 10^±60", num.Float(sigma))
		}
		if t := new(big.Rat).Mul(sigma, power(-e)); t.Cmp(steps) <= 0 {
			up := new(big.Int).Add(t.Num(), t.Denom())
			up.Sub(up, big.NewInt(1))
			return Grid{e, up.Quo(up, t.Denom()).Uint64()}, nil
		}
	}
}

// power returns 2^e.
func power(e int) *big.Rat {
	x := new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e)))
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), x)
	}
	return new(big.Rat).SetInt(x)
}

// Sigma returns the scale σ = T·g, exactly.
func (g Grid) Sigma() *big.Rat {
	return new(big.Rat).Mul(new(big.Rat).SetInt(new(big.Int).SetUint64(g.T)), power(g.Exp))
}

// Digits returns the largest number of decimals whose unit is at least g: further decimals would not tell more about a
// result.
func (g Grid) Digits() int {
	d, x, unit := 0, big.NewInt(10), new(big.Int).Lsh(big.NewInt(1), uint(max(0, -g.Exp)))
	for ; x.Cmp(unit) <= 0; d++ {
		x.Mul(x, big.NewInt(10))
	}
	return d
}

// diameter returns the number of steps of g between two values after rounding.
func (g Grid) diameter(low, high table.Decimal) *big.Int {
	var w gridWork
	x := new(big.Int).Set(w.nearest(g, high))
	return x.Sub(x, w.nearest(g, low))
}

// gridWork holds numbers for reuse.
type gridWork struct{ x, y, unit big.Int }

var (
	bigOne = big.NewInt(1)
	tens   = func() (list [table.MaxDecimals + 1]*big.Int) {
		for d := range list {
			list[d] = new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d)), nil)
		}
		return list
	}()
)

// nearest returns ⌊v/g + 1/2⌋.
func (w *gridWork) nearest(g Grid, v table.Decimal) *big.Int {
	// (2·u·2^−Exp + 10^s)/(2·10^s) of v = u/10^s
	w.x.SetInt64(v.Unscaled)
	w.unit.Set(tens[v.Scale])
	if g.Exp < 0 {
		w.x.Lsh(&w.x, uint(1-g.Exp))
	} else {
		w.x.Lsh(&w.x, 1)
		w.unit.Lsh(&w.unit, uint(g.Exp))
	}
	w.x.Add(&w.x, &w.unit)
	return w.x.Div(&w.x, w.unit.Lsh(&w.unit, 1)) // Euclidean
}

// decimals returns ⌊x·g·10^digits + 1/2⌋, in place of x.
func (w *gridWork) decimals(g Grid, x *big.Int, digits int) *big.Int {
	x.Mul(x, tens[digits])
	if g.Exp >= 0 {
		return x.Lsh(x, uint(g.Exp))
	}
	w.y.Lsh(bigOne, uint(-g.Exp-1))
	return x.Rsh(x.Add(x, &w.y), uint(-g.Exp)) // rounds towards −∞
}

// rounded returns ⌊v·10^digits + 1/2⌋, for values without noise.
func (w *gridWork) rounded(v table.Decimal, digits int) *big.Int {
	w.x.SetInt64(v.Unscaled)
	if digits >= v.Scale {
		return w.x.Mul(&w.x, tens[digits-v.Scale])
	}
	w.unit.Set(tens[v.Scale-digits])
	w.x.Add(w.x.Lsh(&w.x, 1), &w.unit)
	return w.x.Div(&w.x, w.unit.Lsh(&w.unit, 1))
}

// chances is the randomness from which a Grid is drawn: integers, no floating point.
type chances interface {
	below(n uint64) uint64   // uniform below n
	chance(a, n uint64) bool // true with probability a/n, a ≤ n
}

// coins draws exact probabilities from random bits, by rejection.
type coins struct{ rng *rand.Rand }

func (b coins) below(n uint64) uint64   { return b.rng.Uint64N(n) }
func (b coins) chance(a, n uint64) bool { return b.rng.Uint64N(n) < a }

// draw returns a Z for g with T > 0. A uniform U below T is kept with probability exp(−U/T); adding T for each success
// in a run of trials of probability exp(−1) gives a geometric number with ratio q, which gets a random sign; −0 is
// drawn again. Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy (NeurIPS 2020),
// algorithm 2.
func (g Grid) draw(c chances) int64 {
	for {
		u := c.below(g.T)
		if !exponential(c, u, g.T) {
			continue
		}
		for u < math.MaxInt64-gridSteps && exponential(c, 1, 1) { // the limit is reached with probability e^−8,000,000
			u += g.T
		}
		switch minus := c.chance(1, 2); {
		case !minus:
			return int64(u)
		case u > 0:
			return -int64(u)
		}
	}
}

// exponential is true with probability exp(−a/b), 0 ≤ a ≤ b ≤ 2^40: trials with probabilities a/b, a/2b, a/3b …
// continue while they succeed, and the result is true if the first failure is at an odd position. Source: as above,
// algorithm 1.
func exponential(c chances, a, b uint64) bool {
	for k := uint64(1); ; k++ {
		if !c.chance(a, b*k) {
			return k%2 == 1
		}
	}
}

// SetNoise gives columns noise whose scales are proportional to their ranges and, for n records, smallest such that k
// is reached, up to 2 parts in 10^12. It returns false if no noise reaches k.
func SetNoise(n int64, columns []Perturbation, k *big.Rat) (bool, error) {
	ranges := make([]float64, len(columns))
	constant := true
	for c, x := range columns {
		ranges[c] = num.Float(new(big.Rat).Sub(rational(x.Max), rational(x.Min)))
		constant = constant && ranges[c] == 0
	}
	_, scales, ok := normalisedSigma(n, ranges, k)
	if !ok {
		return false, nil
	}
	// Rounding, of numbers and of values, may reduce k slightly.
	more := 0.0
	for range 100 {
		for c := range columns {
			s := new(big.Rat).SetFloat64(scales[c] * (1 + more))
			if s == nil {
				return false, i18n.Errorf("column %s: no scale", columns[c].Column)
			}
			var err error
			if columns[c].Noise, err = NewGrid(s); err != nil {
				return false, i18n.Errorf("column %s: %w", columns[c].Column, err)
			}
		}
		const slack = 1e-14 // slack of GridK
		if new(big.Rat).SetFloat64((&Mixture{Noise: columns}).K(n, n)*(1-slack)).Cmp(k) >= 0 || constant || k.Cmp(num.One) <= 0 {
			return true, nil
		}
		more = max(1e-14, 2*more)
	}
	return false, nil
}
