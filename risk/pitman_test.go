package risk

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigPitman are the derivatives of the likelihood as they are written, term by term in
// numbers of 200 bits.
type bigPitman struct{ h Histogram }

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

// bigHarmonic is Σ_{i=1}^{k} i^power/(x+i·y).
func bigHarmonic(k uint64, x, y *big.Float, power int) *big.Float {
	sum, t := bigFloat(0), bigFloat(0)
	for i := uint64(1); i <= k; i++ {
		n := bigFloat(float64(i))
		t.Mul(n, y)
		t.Add(t, x)
		if power == 0 {
			n.SetInt64(1)
		}
		sum.Add(sum, t.Quo(n, t))
	}
	return sum
}

func (b bigPitman) counts() (n, u uint64) {
	for _, s := range b.h {
		n += s.Classes * s.Size
		u += s.Classes
	}
	return n, u
}

func (b bigPitman) dTheta(theta, alpha *big.Float) int {
	n, u := b.counts()
	return bigHarmonic(u-1, theta, alpha, 0).Cmp(bigHarmonic(n-1, theta, bigFloat(1), 0))
}

func (b bigPitman) dAlpha(theta, alpha *big.Float) int {
	_, u := b.counts()
	down := bigFloat(0)
	for _, s := range b.h {
		t := bigHarmonic(s.Size-1, bigFloat(0).Neg(alpha), bigFloat(1), 0)
		down.Add(down, t.Mul(t, bigFloat(float64(s.Classes))))
	}
	return bigHarmonic(u-1, theta, alpha, 1).Cmp(down)
}

// sign is that of the slope of the profile at alpha, 0 if it is not certain.
func (b bigPitman) sign(t *testing.T, alpha float64) int {
	t.Helper()
	n, u := b.counts()
	p := pitman{n: float64(n), u: float64(u), sizes: b.h}
	s := p.theta(alpha)
	a := bigFloat(alpha)
	low, high := bigFloat(s), bigFloat(s)
	low.Mul(low, bigFloat(1-1e-11)).Sub(low, a)
	high.Mul(high, bigFloat(1+1e-11)).Sub(high, a)
	if b.dTheta(low, a) <= 0 || b.dTheta(high, a) >= 0 {
		t.Fatalf("%v: α %v: s %v is not that of ∂L/∂θ = 0", b.h, alpha, s)
	}
	if x := b.dAlpha(low, a); x == b.dAlpha(high, a) {
		return x
	}
	return 0
}

// The profile has an interior maximum if and only if its slope at α = 0 is positive; the fit
// is where it changes its sign.
func TestPitmanSign(t *testing.T) {
	t.Parallel()
	var list []Histogram
	for _, ones := range []uint64{0, 1, 2, 7, 30, 70, 120} {
		for _, twos := range []uint64{0, 1, 5, 40} {
			for _, threes := range []uint64{0, 1, 3, 20} {
				for _, large := range []uint64{0, 9, 50} {
					var h Histogram
					for _, s := range []struct{ size, classes uint64 }{{1, ones}, {2, twos}, {3, threes}, {large, 1}} {
						if s.size > 0 && s.classes > 0 {
							h = append(h, SizeCount{s.size, s.classes, s.size * s.classes})
						}
					}
					list = append(list, h)
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		var h Histogram
		for size := uint64(1); size < 12; size++ {
			if r.IntN(3) == 0 {
				c := 1 + r.Uint64N(1+60/(size*size))
				h = append(h, SizeCount{size, c, c * size})
			}
		}
		list = append(list, h)
	}
	fits, none := 0, 0
	for _, h := range list {
		b := bigPitman{h}
		n, u := b.counts()
		if u < 2 || u == n {
			continue
		}
		p, err := newPitman(h, 100*n)
		switch sign := b.sign(t, 0); {
		case err != nil && !errors.Is(err, errNoFit):
			t.Errorf("%v: %v", h, err)
		case (err == nil) != (sign > 0):
			t.Errorf("%v: %+v, %v; the slope at α = 0 has the sign %d", h, p, err, sign)
		case err != nil:
			none++
		default:
			fits++
			if low, high := b.sign(t, p.Alpha*(1-1e-7)), b.sign(t, min(p.Alpha*(1+1e-7), 1-1e-13)); low != 1 || high != -1 {
				t.Errorf("%v: α %v: the slope goes from %d to %d", h, p.Alpha, low, high)
			}
			x, _ := math.Lgamma(p.Theta + 1)
			y, _ := math.Lgamma(p.Theta + p.Alpha)
			if want := math.Exp(x-y) * math.Pow(float64(100*n), p.Alpha); math.Abs(p.Uniques-want) > 1e-9*want {
				t.Errorf("%v: %v uniques, want %v", h, p.Uniques, want)
			}
		}
	}
	if fits < 50 || none < 50 {
		t.Errorf("%d fits and %d without: one of the two is hardly tested", fits, none)
	}
}

// 70 people alone and five pairs have no fit: θ = 579.6 with α = 0 is on the boundary. No
// sample without a class of three has one, however large.
func TestPitmanBoundary(t *testing.T) {
	t.Parallel()
	u, err := NewUniques(Histogram{{1, 70, 70}, {2, 5, 10}}, 1600)
	if err != nil || u.Pitman != nil || u.Chosen != "zayatz" || math.Abs(u.Estimate-1232.6) > 0.05 {
		t.Errorf("%+v, %v, want 1232.6 by Zayatz", u, err)
	}
	for _, ones := range []uint64{1, 10, 1e3, 1e5, 1e7, 1e9, 1e12} {
		for _, twos := range []uint64{1, 5, 1e3, 1e6} {
			h := Histogram{{1, ones, ones}, {2, twos, 2 * twos}}
			if p, err := newPitman(h, 100*(ones+2*twos)); !errors.Is(err, errNoFit) {
				t.Errorf("%v: %+v, %v, want no fit", h, p, err)
			}
		}
	}
}

// Samples of many records have the fit of their shape.
func TestPitmanLarge(t *testing.T) {
	t.Parallel()
	for _, n := range []uint64{1e4, 1e6, 1e9} {
		var h Histogram
		for j := uint64(1); j <= 20; j++ { // C_j of α = 1/2
			c := uint64(float64(n) * math.Exp(lgammaStep(float64(j), -0.5)-math.Log(float64(j))) / 100)
			h = append(h, SizeCount{j, c, j * c})
		}
		p, err := newPitman(h, 1e12)
		if err != nil || p.Alpha <= 0 || p.Alpha >= 1 || math.IsNaN(p.Uniques) {
			t.Errorf("n %d: %+v, %v", n, p, err)
		}
	}
}

func TestSumOver(t *testing.T) {
	t.Parallel()
	for _, s := range []float64{1e-6, 0.3, 1, 40, 1e5, 1e12} {
		for _, alpha := range []float64{0, 1e-9, 0.4, 0.999999} {
			p := pitman{n: 24000, u: 20000}
			for name, f := range map[string]func(float64) float64{
				"w":       func(i float64) float64 { return p.weight(i, s, alpha) },
				"(u−i) w": func(i float64) float64 { return (p.u - i) * p.weight(i, s, alpha) },
				"1/(θ+i)": func(i float64) float64 { return 1 / (s + (i - alpha)) },
			} {
				for _, a := range []float64{1, 700, 9000} {
					want := bigFloat(0)
					for i := a; i <= p.u-1; i++ {
						want.Add(want, bigFloat(f(i)))
					}
					w, _ := want.Float64()
					if got := sumOver(a, p.u-1, f); math.Abs(got-w) > 2e-13*w {
						t.Errorf("Σ %s from %v, s %v, α %v: %.17g, want %.17g, off by %.1e", name, a, s, alpha, got, w, got/w-1)
					}
				}
			}
		}
	}
}

func TestLgammaStep(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{64, 100, 1e3} {
		for _, c := range []float64{0, 0.1, 0.5, 1} {
			a, _ := math.Lgamma(x + c)
			b, _ := math.Lgamma(x)
			if got := lgammaStep(x, c); math.Abs(got-(a-b)) > 4e-12 {
				t.Errorf("x %v, c %v: %v, want %v", x, c, got, a-b)
			}
		}
	}
	for _, x := range []float64{1e6, 1e12, 1e17} { // Γ(x+1)/Γ(x) = x
		if got := lgammaStep(x, 1); math.Abs(got-math.Log(x)) > 1e-14*math.Log(x) {
			t.Errorf("x %v: %v, want %v", x, got, math.Log(x))
		}
	}
}
