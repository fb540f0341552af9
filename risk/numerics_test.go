package risk

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// individual is E[1/F|f] by the series of positive terms, in 100 bits.
func individual(f int, p float64) float64 {
	x := func(v float64) *big.Float { return new(big.Float).SetPrec(100).SetFloat64(v) }
	q := new(big.Float).Sub(x(1), x(p))
	sum, term := x(1), x(1)
	for j := 1; j < 2_000_000; j++ {
		term.Mul(term, q)
		term.Mul(term, x(float64(j)))
		term.Quo(term, x(float64(f+j)))
		sum.Add(sum, term)
		if s, _ := new(big.Float).Quo(term, sum).Float64(); s < 1e-18*p {
			break
		}
	}
	r, _ := sum.Mul(sum, new(big.Float).Quo(x(p), x(float64(f)))).Float64()
	return r
}

func TestIndividualRisk(t *testing.T) {
	for _, p := range []float64{0.001, 0.1, 0.3, 0.5, 0.500001, 0.7, 0.9, 0.999, 1} {
		for _, f := range []int{1, 2, 3, 10, 30, 64, 65, 200, 5000} {
			closeTo(t, "risk", individualRisk(uint64(f), p), individual(f, p), 1e-13)
		}
		closeTo(t, "f = 2", individualRiskApprox(2, p), individual(2, p), 1e-13)
	}
	closeTo(t, "f = 3", individualRiskApprox(3, 0.1), 0.1/(3-0.9), 1e-15)
	for _, p := range []float64{0, -1, 2, math.NaN()} {
		if r := individualRisk(3, p); !math.IsNaN(r) {
			t.Errorf("p %v: %v, want NaN", p, r)
		}
	}
	if r := individualRisk(0, 0.5); !math.IsNaN(r) {
		t.Errorf("f 0: %v, want NaN", r)
	}
}

func TestProbAtLeast(t *testing.T) {
	for _, p := range []float64{0.001, 0.027, 0.3, 0.5, 0.9} {
		for _, f := range []uint64{1, 2, 5, 20} {
			// The law itself: 1 − Σ_{j<k} C(j−1, f−1) p^f (1−p)^(j−f), in 300 bits.
			x := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
			term := x(1)
			for range f {
				term.Mul(term, x(p))
			}
			left := x(1)
			q := new(big.Float).Sub(x(1), x(p))
			for k := f; k < 200; k++ {
				want, _ := left.Float64()
				if got := probAtLeast(k, f, p); math.Abs(got-want) > 1e-12 {
					t.Fatalf("k %d, f %d, p %v: %v, want %v", k, f, p, got, want)
				}
				left.Sub(left, term)
				term.Mul(term, q)
				term.Mul(term, x(float64(k)))
				term.Quo(term, x(float64(k-f+1)))
			}
		}
	}
	if probAtLeast(3, 3, 0.1) != 1 || probAtLeast(4, 3, 1) != 0 {
		t.Error("F ≥ f always, and F = f where all are sampled")
	}
}

func TestPoissonThreshold(t *testing.T) {
	for _, tc := range []struct {
		k, n, population    uint64
		level               float64
		threshold, uncapped uint64
	}{
		{5, 1000, 100000, 0.05, 1, 1},
		{20, 50, 100, 0.05, 16, 16}, // λ = 10: Pr(≤ 14) = 0.9165, Pr(≤ 15) = 0.9513
		{3, 9, 10, 0.05, 3, 7},      // λ = 2.7: Pr(≤ 5) = 0.9433, Pr(≤ 6) = 0.9794; F ≥ f caps it
		{1_000_000, 1_000_000, 1_000_000, 0.5, 1_000_000, 1_000_001},
		{1_000_000, 100_000, 1_000_000, 0.05, 100_521, 100_521},
	} {
		r, err := NewPoissonThreshold(tc.k, tc.n, tc.population, tc.level)
		if err != nil || r.Threshold != tc.threshold || r.Uncapped != tc.uncapped {
			t.Errorf("%+v: %+v, %v", tc, r, err)
		}
	}
	// The law itself in 200 bits, λ beyond −ln of the least double, 745, included.
	for _, lambda := range []uint64{1, 7, 140, 740, 746, 1000, 1601, 3000} {
		x := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
		terms, total := []*big.Float{x(1)}, x(1) // times e^λ
		for j := 1; j < 5000 && terms[j-1].MantExp(nil) > -200; j++ {
			term := x(0).Quo(x(0).Mul(terms[j-1], x(float64(lambda))), x(float64(j)))
			terms, total = append(terms, term), total.Add(total, term)
		}
		for _, level := range []float64{1e-12, 0.001, 0.05, 0.5, 0.999} {
			tail, least := x(0), len(terms)
			for limit := x(0).Mul(total, x(level)); least > 0; least-- { // Pr(X ≥ least) ≤ level
				if tail.Add(tail, terms[least-1]).Cmp(limit) > 0 {
					break
				}
			}
			r, err := NewPoissonThreshold(10*lambda, 100, 1000, level)
			if err != nil || r.Uncapped != uint64(least) {
				t.Errorf("λ %d, level %v: %+v, %v, want %d", lambda, level, r, err, least)
			}
		}
	}
	if _, err := NewPoissonThreshold(math.MaxUint64, 10, 10, 0.05); err == nil {
		t.Error("a λ above 2^53 is accepted")
	}
	if r, err := NewPoissonThreshold(1e12, 10, 10, 0.05); err != nil || math.Abs(float64(r.Uncapped)-1e12-1.645e6) > 1e3 {
		t.Errorf("λ 10¹²: %+v, %v, want about λ + 1.645·√λ", r, err)
	}
	for _, level := range []float64{0, 1, math.NaN()} {
		if _, err := NewPoissonThreshold(5, 10, 100, level); err == nil {
			t.Errorf("level %v is accepted", level)
		}
	}
}

func TestUniquesWithoutFit(t *testing.T) {
	for _, h := range []Histogram{
		{{1, 50, 50}},            // all alone
		{{10, 50, 500}},          // all equal
		{{30, 1, 30}},            // one class
		{{4, 9, 36}, {5, 9, 45}}, // nearly equal
	} {
		u, err := NewUniques(h, 100000)
		if err != nil || u.Pitman != nil || u.Chosen != "zayatz" {
			t.Errorf("%v: %+v, %v, want Zayatz for want of a fit", h, u, err)
		}
		if _, err := newPitman(h, 100000); !errors.Is(err, errNoFit) {
			t.Errorf("%v: %v, want no fit", h, err)
		}
	}
	// A hundred pairs and two triples among 10,000: θ is above N, and so is θ^(1−α) N^α. Pairs
	// alone have no fit (see TestPitmanBoundary).
	u, err := NewUniques(Histogram{{1, 10000, 10000}, {2, 100, 200}, {3, 2, 6}}, 102_060)
	if err != nil || u.Pitman == nil || u.Pitman.Uniques < 1e5 || u.Chosen != "zayatz" || u.Estimate > 102_060 {
		t.Errorf("%+v, %v, want Zayatz, as Pitman has more uniques than people", u, err)
	}
	if _, err := NewUniques(Histogram{{1, 5, 5}}, 4); err == nil {
		t.Error("a population smaller than the sample is accepted")
	}
	if _, err := NewUniques(nil, 4); err == nil {
		t.Error("an empty sample is accepted")
	}
}

func TestBuckets(t *testing.T) {
	var h Histogram
	for _, s := range []uint64{0, 1, 2, 3, 4, 5, 9, 10, 19, 49, 50, 99, 100, 199, 200, 500, 12345} {
		h = append(h, SizeCount{s, 1, s})
	}
	var got [][2]uint64
	classes := uint64(0)
	for _, b := range h.Buckets() {
		got = append(got, [2]uint64{b.Lower, b.Upper})
		classes += b.Classes
	}
	want := [][2]uint64{{0, 0}, {1, 1}, {2, 2}, {3, 4}, {5, 9}, {10, 19}, {20, 49}, {50, 99}, {100, 199}, {200, 499}, {500, 999}, {10000, 19999}}
	if !slices.Equal(got, want) || classes != uint64(len(h)) {
		t.Errorf("%v with %d classes, want %v", got, classes, want)
	}
	var s shares
	for _, p := range []float64{0, 0.005, 0.01, 0.5, 0.99, 1, 1} {
		s.add(p, 2)
	}
	list := s.list()
	if last := list[len(list)-1]; last != (Share{1, 1, 2, 4}) || list[0] != (Share{0, 0.01, 2, 4}) || len(list) != 5 {
		t.Errorf("%v", list)
	}
}

// Counts, and sums of cumulated ones, that wrap around 64 bits are refused.
func TestCountsTooLarge(t *testing.T) {
	columns := func() *Columns {
		return must.Get(NewColumns("q", "x"))(t)
	}
	const most = math.MaxUint64
	classes, sensitive, entities, weighted := NewClasses(columns(), 1), NewSensitive(columns(), 1), NewEntities(columns()), NewWeighted(columns(), 1)
	for what, add := range map[string]func(n uint64) error{
		"Classes":   func(n uint64) error { return classes.Add(n, "a", "b") },
		"Sensitive": func(n uint64) error { return sensitive.Add(n, "a", "b") },
		"Entities":  func(n uint64) error { return entities.Add(n, "a", "b") },
		"Weighted":  func(n uint64) error { return weighted.Add(n, Amount{}, "a", "b") },
	} {
		if err := add(most - 1); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := add(1); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := add(1); !errors.Is(err, errCounts) {
			t.Errorf("%s: %v, want the counts refused", what, err)
		}
	}
	// 2^55 records of the smallest of 2^10 numbers: the cumulated counts add up to 2^65.
	s := NewSensitive(columns(), 1)
	for i := range 1 << 10 {
		must.Do(t, s.Add(1, "rest", strconv.Itoa(i)))
	}
	add := func(n uint64) error {
		must.Do(t, s.Add(n, "a", "0"))
		_, err := s.TCloseness(t.Context(), Missing{}, false, []Distance{Ordered}, 0)
		return err
	}
	if err := add(1 << 53); err != nil {
		t.Error(err)
	}
	if err := add(1<<55 - 1<<53); err == nil {
		t.Error("an ordered distance beyond 128 bits is computed")
	}
}
