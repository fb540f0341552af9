package risk

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formulas"
	"github.com/hitoku/hitoku/internal/test/must"
)

func floatMatrix(a Matrix) (list [][]float64) {
	for _, row := range a {
		var r []float64
		for _, x := range row {
			r = append(r, num.Float(x))
		}
		list = append(list, r)
	}
	return list
}

// From the expected release both estimates give the original; the likely one has a likelihood that no neighbour has, and
// the standard errors of the unbiased one are those of exact enumeration.
func TestReconstruct(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 14))
		v := 2 + rng.IntN(3)
		a := floatMatrix(Attribute{Values: int64(v), Rho: big.NewRat(2+rng.Int64N(7), 10)}.Matrix())
		counts, expected := make([]float64, v), make([]float64, v)
		for u := range counts {
			counts[u] = float64(1 + rng.IntN(200))
			for j := range expected {
				expected[j] += counts[u] * a[u][j]
			}
		}
		r, err := formulas.Reconstruct(a, expected)
		if err != nil || !r.Settled {
			t.Fatal(r, err)
		}
		for u, c := range counts {
			if math.Abs(r.Count[u]-c) > 1e-3*(1+c) || math.Abs(r.Unbiased[u]-c) > 1e-6*c {
				t.Errorf("seed %d: value %d: %g and %g, want %g", seed, u, r.Count[u], r.Unbiased[u], c)
			}
		}
		// Any release: no neighbour is likelier.
		for j := range expected {
			expected[j] = float64(rng.IntN(30))
		}
		expected[0]++
		if r, err = formulas.Reconstruct(a, expected); err != nil {
			t.Fatal(err)
		}
		logs := func(c []float64) float64 {
			sum := 0.0
			for j, x := range expected {
				p := 0.0
				for u := range c {
					p += a[u][j] * c[u]
				}
				if x > 0 {
					sum += x * math.Log(p)
				}
			}
			return sum
		}
		best := logs(r.Count)
		for from := range v {
			for to := range v {
				c := append([]float64{}, r.Count...)
				d := min(c[from], 0.5)
				c[from], c[to] = c[from]-d, c[to]+d
				if from != to && logs(c) > best+1e-6 {
					t.Errorf("seed %d: %v is likelier than %v", seed, c, r.Count)
				}
			}
		}
	}
	if _, err := formulas.Reconstruct([][]float64{{1, 0}}, []float64{1, 1}); !errors.Is(err, formulas.ErrNotPossible) {
		t.Error(err)
	}
	if _, err := formulas.Reconstruct([][]float64{{1, 0}}, []float64{1}); err == nil {
		t.Error("no error about another number of values")
	}
	if r, err := formulas.Reconstruct([][]float64{{0.5, 0.5}, {0.5, 0.5}}, []float64{3, 5}); err != nil || r.Unbiased != nil {
		t.Error("a matrix without an inverse has an unbiased estimate", err)
	}
}

// The standard error is the deviation of the estimate over all outcomes.
func TestReconstructError(t *testing.T) {
	t.Parallel()
	a := [][]float64{{0.8, 0.2}, {0.3, 0.7}}
	const x, y = 6, 5 // records with each value
	var mean, square, all float64
	binomial := func(n, k int, p float64) float64 {
		c, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(k))).Float64()
		return c * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
	}
	for i := range x + 1 {
		for j := range y + 1 {
			p := binomial(x, i, a[0][0]) * binomial(y, j, a[1][0])
			o := float64(i + j)
			// cA = o: c₀ = (o − 0.3·11)/0.5
			c := (o - 0.3*(x+y)) / 0.5
			mean, square, all = mean+p*c, square+p*c*c, all+p
		}
	}
	r := must.Get(formulas.Reconstruct(a, []float64{x*0.8 + y*0.3, x*0.2 + y*0.7}))(t)
	if math.Abs(all-1) > 1e-9 || math.Abs(mean-x) > 1e-9 || math.Abs(r.Error[0]-math.Sqrt(square-mean*mean)) > 1e-3 {
		t.Errorf("error %g, want %g", r.Error[0], math.Sqrt(square-mean*mean))
	}
}

// Rows of the chances of noise add up to 1 and are those of the density.
func TestNoiseMatrix(t *testing.T) {
	t.Parallel()
	ends := []float64{0, 2, 4}
	released := []float64{-5, -1, 0, 3, 9}
	for _, sigma := range []float64{0.5, 3} {
		a := formulas.NoiseMatrix(ends, released, sigma)
		for i, row := range a {
			mid, sum := 1+2*float64(i), 0.0
			for j, p := range row {
				sum += p
				if j == 0 || j == len(row)-1 {
					continue
				}
				want := 0.0
				const steps = 20_000
				for s := range steps {
					x := released[j] + (float64(s)+0.5)/steps*(released[j+1]-released[j])
					want += math.Exp(-math.Abs(x-mid)/sigma) / (2 * sigma) / steps * (released[j+1] - released[j])
				}
				if math.Abs(p-want) > 1e-7 {
					t.Errorf("interval %d from %d: %g, want %g", j, i, p, want)
				}
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("a row adds up to %g", sum)
			}
		}
	}
}
