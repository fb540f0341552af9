package risk

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"

	"pgregory.net/rapid"
)

func init() {
	sum := func(x []float64) (d float64) {
		for _, r := range x {
			d += r
		}
		return d
	}
	runners["laplace_noise/k_of_sigma"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			N      int64
			Ranges []float64
			Sigma  rat
		}
		c.input(t, &in)
		c.check(t, tol, map[string]any{"k": LaplaceK(in.N, sum(in.Ranges), num.Float(in.Sigma.Rat))})
	}
	runners["laplace_noise/sigma_for_k"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			N       int64
			Ranges  []float64
			TargetK rat `json:"target_k"`
		}
		c.input(t, &in)
		got := map[string]any{"status": "infeasible", "sigma": nil}
		if sigma, ok := LaplaceSigma(in.N, sum(in.Ranges), in.TargetK.Rat); ok {
			got = map[string]any{"status": "ok", "sigma": sigma}
		}
		c.check(t, tol, got)
	}
	runners["laplace_noise/normalised_sigma_for_k"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			N       int64
			Ranges  []float64
			TargetK rat `json:"target_k"`
		}
		c.input(t, &in)
		got := map[string]any{"status": "infeasible", "sigma_normalised": nil, "scales": nil}
		if sigma, scales, ok := normalisedSigma(in.N, in.Ranges, in.TargetK.Rat); ok {
			got = map[string]any{"status": "ok", "sigma_normalised": sigma, "scales": scales}
		}
		c.check(t, tol, got)
	}
	runners["laplace_noise/mixed"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			N           int64
			Categorical []int64 `json:"categorical_values"`
			Numeric     int     `json:"numeric_attributes"`
			TargetK     rat     `json:"target_k"`
			Weight      string
		}
		c.input(t, &in)
		wide, ok := map[string]bool{"": false, "pi/4": false, "pi/2": true}[in.Weight]
		if !ok {
			t.Fatalf("weight %q", in.Weight)
		}
		x := Mix{N: in.N, Categorical: in.Categorical, Numeric: in.Numeric, Wide: wide}
		if err := x.Check(); err != nil {
			c.refuse(t, err)
			return
		}
		got := map[string]any{"status": "infeasible", "rho": nil, "sigma": nil, "k_max": x.MaxK()}
		if rho, ok := x.Rho(num.Float(in.TargetK.Rat)); ok {
			got["status"], got["rho"], got["sigma"] = "ok", rho, x.Sigma(rho)
		}
		c.check(t, tol, got)
	}
	runners["laplace_noise/verdict"] = func(t *testing.T, c vectorCase, tol tolerance) {
		var in struct {
			Noise  string
			Domain struct {
				Bounded bool
				Range   float64
			}
			Sigma, Width, SD *rat
			N                int64
		}
		c.input(t, &in)
		sigma := 0.0
		if in.Sigma != nil {
			sigma = num.Float(in.Sigma.Rat)
		}
		k, _, err := NoiseVerdict(in.N, in.Noise, in.Domain.Bounded, in.Domain.Range, sigma)
		if err != nil {
			c.refuse(t, err)
			return
		}
		c.check(t, tol, map[string]any{"k": k})
	}
}

// LaplaceSigma undoes LaplaceK, which grows with σ and falls with D.
func TestLaplaceInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(2, 1e9).Draw(t, "n")
		d := rapid.Float64Range(1e-3, 1e6).Draw(t, "d")
		sigma := d * rapid.Float64Range(0.2, 20).Draw(t, "sigma/d")
		k := LaplaceK(n, d, sigma)
		if more := LaplaceK(n, d, sigma*1.1); more < k || LaplaceK(n, d*1.1, sigma) > k {
			t.Fatal("k falls with σ or grows with D")
		}
		if k-1 < 1e-3 {
			return // too little left of k
		}
		got, ok := LaplaceSigma(n, d, new(big.Rat).SetFloat64(k))
		if !ok || math.Abs(got-sigma) > 1e-8*sigma {
			t.Fatalf("σ = %v, %v, want %v", got, ok, sigma)
		}
	})
}

func TestLaplaceCorners(t *testing.T) {
	for _, tc := range []struct {
		n     int64
		d     float64
		k     *big.Rat
		sigma float64
		ok    bool
	}{
		{10, 0, big.NewRat(10, 1), 0, true},
		{10, 0, big.NewRat(11, 1), 0, false},
		{10, 1, big.NewRat(1, 2), 0, true},
		{1, 1, big.NewRat(1, 1), 0, true},
		{1, 1, big.NewRat(2, 1), 0, false},
	} {
		if sigma, ok := LaplaceSigma(tc.n, tc.d, tc.k); sigma != tc.sigma || ok != tc.ok {
			t.Errorf("LaplaceSigma(%d, %g, %v) = %v, %v, want %v, %v", tc.n, tc.d, tc.k, sigma, ok, tc.sigma, tc.ok)
		}
	}
	// Targets just below N = 10,000: 6/ln(9999/(k−1)) in 50 digits.
	for _, tc := range []struct {
		k     string
		sigma float64
	}{
		{"1.0000001", 0.2368888345350281},
		{"9999.9999999999", 599939999999997},
		{"9999.999999999999999", 5.9994e19},
		{"9999.9999999999999999999", 5.9994e23},
	} {
		k, _ := new(big.Rat).SetString(tc.k)
		if sigma, ok := LaplaceSigma(10_000, 3, k); !ok || math.Abs(sigma-tc.sigma) > 1e-14*tc.sigma {
			t.Errorf("σ for k = %s: %v, %v, want %v", tc.k, sigma, ok, tc.sigma)
		}
	}
	if k := LaplaceK(10, 1, 0); k != 1 {
		t.Errorf("no noise: k = %v", k)
	}
}

// The cross ratio of the density falls to exp(−2D/σ) and no further, over points of a
// box and of outputs.
func TestLaplaceDensity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.IntRange(1, 3).Draw(t, "dims")
		sigma := rapid.Float64Range(0.1, 10).Draw(t, "sigma")
		log, d := 0.0, 0.0
		for range dims {
			length := rapid.Float64Range(0, 5).Draw(t, "range")
			d += length
			u := rapid.Float64Range(0, length).Draw(t, "u")
			v := rapid.Float64Range(0, length).Draw(t, "v")
			x := rapid.Float64Range(-20, 20).Draw(t, "u'")
			y := rapid.Float64Range(-20, 20).Draw(t, "v'")
			log += (math.Abs(x-u) + math.Abs(y-v) - math.Abs(x-v) - math.Abs(y-u)) / sigma
		}
		if log < -2*d/sigma-1e-9 {
			t.Fatalf("ln of the cross ratio %v, bound %v", log, -2*d/sigma)
		}
	})
}

// Rho finds the ρ of K, which falls with ρ.
func TestMixInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := Mix{
			N:           rapid.Int64Range(2, 1e6).Draw(t, "N"),
			Categorical: rapid.SliceOfN(rapid.Int64Range(1, 10), 0, 3).Draw(t, "categorical"),
			Numeric:     rapid.IntRange(0, 2).Draw(t, "numeric"),
			Wide:        rapid.Bool().Draw(t, "wide"),
		}
		rho := rapid.Float64Range(0, 1).Draw(t, "rho")
		k := x.K(rho)
		if x.K(min(1, rho+0.01)) > k {
			t.Fatal("k grows with ρ")
		}
		if k > x.MaxK() {
			t.Fatalf("k = %v > MaxK = %v", k, x.MaxK())
		}
		got, ok := x.Rho(k)
		if !ok || got < rho || x.K(got) < k {
			t.Fatalf("Rho(%v) = %v, %v: k = %v; want at least %v", k, got, ok, x.K(got), rho)
		}
		if target := x.MaxK() * (1 + 1e-9); target > 1 {
			if got, ok := x.Rho(target); ok && x.K(got) < target {
				t.Fatalf("Rho(%v) = %v beyond MaxK %v", target, got, x.MaxK())
			}
		}
	})
}

func TestNoiseVerdict(t *testing.T) {
	for _, tc := range []struct {
		kind    string
		bounded bool
		length  float64
		k       float64
		why     string
	}{
		{"laplace", false, 0, 1, "5.1"}, {"normal", false, 0, 1, "5.1"}, {"uniform", false, 0, 1, "5.1"},
		{"normal", true, 1, 1, "5.3"}, {"uniform", true, 1, 1, "5.2"}, {"triangular", true, 1, 1, "5.2"}, {"truncated", true, 1, 1, "5.2"},
		{"normal", true, 0, 100, "constant"}, {"uniform", true, 0, 100, "constant"}, {"laplace", true, 0, 100, "constant"},
		{"laplace", true, 1, 1 + 99*math.Exp(-0.2), "6.1"},
	} {
		k, why, err := NoiseVerdict(100, tc.kind, tc.bounded, tc.length, 10)
		if err != nil || k != tc.k || !strings.Contains(why, tc.why) {
			t.Errorf("%+v: %+v, %v", tc, k, err)
		}
	}
	for _, kind := range []string{"", "cauchy"} {
		if _, _, err := NoiseVerdict(100, kind, true, 1, 1); err == nil {
			t.Errorf("noise %q is taken", kind)
		}
	}
}
