package defence

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// TestExp compares the exponential over integers with that of package math.
func TestExp(t *testing.T) {
	one := math.Ldexp(1, oddsBits)
	for _, x := range []float64{0, 1e-9, 0.125, 0.5, 1, 2.75, 8, 16} {
		f, _ := new(big.Float).SetInt(expNeg(new(big.Rat).SetFloat64(x))).Float64()
		if got, want := f/one, math.Exp(-x); math.Abs(got-want) > 1e-14*want {
			t.Errorf("exp(−%g) = %g, want %g", x, got, want)
		}
	}
}

// TestOdds pins weights and draws: they are the same on every machine.
func TestOdds(t *testing.T) {
	w := odds([]int64{0, 5, 10}, 10, 2)
	want := []string{"79228162514264337593543950336", "48054309677596482279189095253", "29146412150787779157341161346"}
	for j := range w {
		if d, _ := new(big.Int).SetString(want[j], 10); new(big.Int).Abs(d.Sub(d, w[j])).Cmp(big.NewInt(2)) > 0 {
			t.Errorf("weight %d is %d, want %s", j, w[j], want[j])
		}
	}
	var got []int
	for seed := range uint64(12) {
		got = append(got, pick(w, key(seed)))
	}
	if want := []int{1, 0, 1, 2, 2, 1, 0, 0, 1, 0, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("draws %v, want %v", got, want)
	}
}

// TestPick draws often and compares the frequencies with the odds, within five
// standard deviations.
func TestPick(t *testing.T) {
	const n = 20000
	w := odds([]int64{0, 3, 9, 10}, 10, 4)
	total := new(big.Float)
	for _, v := range w {
		total.Add(total, new(big.Float).SetInt(v))
	}
	count := make([]int, len(w))
	for seed := range uint64(n) {
		count[pick(w, key(seed))]++
	}
	for j, v := range w {
		p, _ := new(big.Float).Quo(new(big.Float).SetInt(v), total).Float64()
		if d := float64(count[j]) - n*p; math.Abs(d) > 5*math.Sqrt(n*p*(1-p)) {
			t.Errorf("%d: drawn %d times, expected %.0f", j, count[j], n*p)
		}
	}
}

// TestRandomIsOneOfThem checks that a draw is the pattern of its order, the same
// whatever the number of workers, and that epsilon works the right way: with much
// of it cheap patterns are drawn more often.
func TestRandomIsOneOfThem(t *testing.T) {
	ctx := context.Background()
	mean := func(ε float64) float64 {
		sum, n := 0, 0
		for table := uint64(1); table <= 6; table++ {
			tb := square(t, 4, table)
			for seed := range uint64(15) {
				opt := &Options{Kind: Random, Orders: 8, Epsilon: ε, PublicSeed: table, Seed: key(seed), Workers: 1}
				s := must.Get(Suppress(ctx, tb, opt))(t)
				opt.Workers = 3
				again := must.Get(Suppress(ctx, tb, opt))(t)
				if !slices.Equal(s.Pattern, again.Pattern) || !slices.Equal(s.Costs, again.Costs) {
					t.Fatal("the pattern depends on the number of workers")
				}
				c := int64(withheld(s.Pattern) - s.Protected)
				if !slices.Contains(s.Costs, c) || c > s.Delta {
					t.Fatalf("%d cells withheld besides the sensitive ones, want one of %v, at most %d", c, s.Costs, s.Delta)
				}
				sum, n = sum+withheld(s.Pattern), n+1
			}
		}
		return float64(sum) / float64(n)
	}
	if few, many := mean(1e-6), mean(32); many >= few-0.2 {
		t.Errorf("%.2f cells withheld with ε = 32, %.2f with ε = 0", many, few)
	}
}
