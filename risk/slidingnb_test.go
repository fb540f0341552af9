package risk

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// slidingSample is how many classes of one and of two records a sample has in the mean, summed over the sizes of population classes.
func slidingSample(classes, alpha, beta, q float64) (c1, c2 float64) {
	p := math.Pow(beta, alpha) // of X = x
	for x := 0.0; x < 1e5; x++ {
		size := x + 1
		c1 += p * size * q * math.Pow(1-q, size-1)
		c2 += p * size * (size - 1) / 2 * q * q * math.Pow(1-q, size-2)
		p *= (x + alpha) / (x + 1) * (1 - beta)
		if p < 1e-18 && x > 10*alpha {
			break
		}
	}
	return classes * c1, classes * c2
}

// TestSlidingNBRecovers fits the parameters that mean samples were made with, which the fit has to reproduce; of several parameters with the same means it may find others.
func TestSlidingNBRecovers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 1))
	same := 0
	for range 400 {
		classes, alpha, beta, q := 1000+1e6*r.Float64(), math.Exp(4*r.Float64()-3), 0.02+0.9*r.Float64(), 0.01+0.9*r.Float64()
		c1, c2 := slidingSample(classes, alpha, beta, q)
		got, err := fitSlidingNB(classes, c1, c2, q)
		if err != nil {
			t.Fatalf("K %g, α %g, β %g, q %g: %v", classes, alpha, beta, q, err)
		}
		d1, d2 := slidingSample(classes, got.Alpha, got.Beta, q)
		if math.Abs(d1/c1-1) > 1e-8 || math.Abs(d2/c2-1) > 1e-8 || math.Abs(got.Uniques/(classes*math.Pow(got.Beta, got.Alpha))-1) > 1e-8 {
			t.Fatalf("K %g, α %g, β %g, q %g: %+v has %g and %g classes of one and two records, want %g and %g", classes, alpha, beta, q, got, d1, d2, c1, c2)
		}
		if math.Abs(got.Alpha/alpha-1) < 1e-5 && math.Abs(got.Beta/beta-1) < 1e-5 {
			same++
		}
	}
	if same < 390 {
		t.Errorf("%d of 400 parameters recovered", same)
	}
}

// TestSlidingNB compares with the two equations as published, solved by another program (R's optim).
func TestSlidingNB(t *testing.T) {
	t.Parallel()
	few, many := Histogram{{1, 70, 70}, {2, 5, 10}, {7, 3, 21}}, Histogram{{1, 300, 300}, {2, 120, 240}, {3, 60, 180}, {5, 30, 150}, {20, 10, 200}}
	for _, x := range []struct {
		h                    Histogram
		population           uint64
		alpha, beta, uniques float64
	}{
		{few, 400, 0.05464708457, 0.09904029182, 234.364983054},
		{many, 5000, 0.4284332128, 0.08671629787, 390.067039493},
		{many, 50000, 0.06723105962, 0.0008432522857, 2742.2981992},
	} {
		r, err := newSlidingNB(x.h, x.population)
		check(t, err)
		closeTo(t, "α", r.Alpha, x.alpha, 1e-9)
		closeTo(t, "β", r.Beta, x.beta, 1e-9)
		closeTo(t, "uniques", r.Uniques, x.uniques, 1e-9)
	}
	for _, h := range []Histogram{{{1, 50, 50}}, {{2, 50, 100}}, {{1, 50, 50}, {3, 2, 6}}} { // nothing alone, or no pairs
		if _, err := newSlidingNB(h, 1000); !errors.Is(err, errNoSlidingNB) {
			t.Errorf("%v: %v, want no fit", h, err)
		}
	}
	if u, err := NewUniques(many, 5000); err != nil || u.Chosen != "snb" || u.Estimate != u.SlidingNB.Uniques || u.Estimate >= u.Zayatz.Uniques {
		t.Errorf("%+v, %v, want the sliding negative binomial", u, err)
	}
}

// TestShlosser compares with the formula in fractions.
func TestShlosser(t *testing.T) {
	t.Parallel()
	h := Histogram{{1, 70, 70}, {2, 5, 10}, {7, 3, 21}}
	q := big.NewRat(101, 1600)
	pow := func(x *big.Rat, n uint64) *big.Rat {
		y := big.NewRat(1, 1)
		for range n {
			y.Mul(y, x)
		}
		return y
	}
	sum := func(f func(i uint64, c *big.Rat) *big.Rat) *big.Rat {
		s := new(big.Rat)
		for _, x := range h {
			s.Add(s, f(x.Size, new(big.Rat).SetUint64(x.Classes)))
		}
		return s
	}
	mul := func(x ...*big.Rat) *big.Rat {
		y := big.NewRat(1, 1)
		for _, f := range x {
			y.Mul(y, f)
		}
		return y
	}
	not, qq := new(big.Rat).Sub(num.One, q), mul(q, q)
	rat := func(i uint64) *big.Rat { return new(big.Rat).SetUint64(i) }
	a := sum(func(i uint64, c *big.Rat) *big.Rat {
		return mul(rat(i), qq, pow(new(big.Rat).Sub(num.One, qq), i-1), c)
	})
	b := sum(func(i uint64, c *big.Rat) *big.Rat {
		grown := pow(new(big.Rat).Add(num.One, q), i)
		return mul(pow(not, i), grown.Sub(grown, num.One), c)
	})
	missed := sum(func(i uint64, c *big.Rat) *big.Rat { return mul(pow(not, i), c) })
	single := sum(func(i uint64, c *big.Rat) *big.Rat { return mul(rat(i), q, pow(not, i-1), c) })
	share := new(big.Rat).Quo(missed, single)
	want := mul(big.NewRat(70, 1), new(big.Rat).Quo(a, b), share, share)
	want.Add(want, big.NewRat(78, 1))
	if got := shlosser(h, 70, num.Float(q)); math.Abs(got/num.Float(want)-1) > 1e-12 {
		t.Errorf("K %v, want %v", got, num.Float(want))
	}
}
