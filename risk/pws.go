package risk

import (
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A HitTest is the safety test (安全性の条件 H0) of the PWS Cup 2018. A release is safe (hypothesis H0) if no algorithm links
// all members of any set S of persons correctly with probability above p^|S|. An attack on n persons with s hits
// refutes H0 at level α if
//
//	u(n, s) = Σ_{j=s}^{n} C(n,j)·p^j < α ,
//
// as u bounds the probability of s or more hits under H0.
//
// Source: PWS Cup 2018, details of the safety evaluation (in Japanese), equations 1 to 3. The file R.csv, which
// overrides the text there, is not published with it.
type HitTest struct {
	P, Alpha *big.Rat
}

// PWSCup2018 returns the test of the contest: p = 1/3, α = 0.01/20.
func PWSCup2018() HitTest { return HitTest{big.NewRat(1, 3), big.NewRat(1, 2000)} }

// maxPersons is the largest n of a HitTest.
const maxPersons = 1_000_000_000

// exactPersons is the largest n for which R works with integers only; closePersons is the largest n for which it uses
// integers to decide cases that are too close in floating point.
const (
	exactPersons = 2000
	closePersons = 50_000
)

// errTooClose is the error of R if u(n, r) and α cannot be distinguished in floating point and n is too large for
// integers.
var errTooClose = i18n.New("u and alpha are too close to be told apart at this n")

// Check reports violations of 0 < p ≤ 1 and α > 0.
func (h HitTest) Check() error {
	if h.P.Sign() <= 0 || h.P.Cmp(num.One) > 0 {
		return i18n.Errorf("p = %s, want more than 0 and at most 1", h.P.RatString())
	}
	if h.Alpha.Sign() <= 0 {
		return i18n.Errorf("alpha = %s, want more than 0", h.Alpha.RatString())
	}
	return nil
}

func checkPersons(n int64) error {
	if n < 0 || n > maxPersons {
		return i18n.Errorf("%d persons, want 0 to %d", n, maxPersons)
	}
	return nil
}

// terms calls do with C(n,j)·a^j·b^(n−j), the terms of u times b^n for p = a/b, for j = n, n−1, … until do returns
// false.
func (h HitTest) terms(n int64, do func(j int64, term *big.Int) bool) {
	a, b := h.P.Num(), h.P.Denom()
	term := new(big.Int).Exp(a, big.NewInt(n), nil)
	x := new(big.Int)
	for j := n; do(j, term) && j > 0; j-- {
		term.Mul(term, x.Mul(x.SetInt64(j), b))
		term.Quo(term, x.Mul(x.SetInt64(n-j+1), a))
	}
}

// U returns u(n, s) exactly, in n − s steps on numbers of about n digits. It is 0 for s > n.
func (h HitTest) U(n, s int64) *big.Rat {
	sum := new(big.Int)
	if s <= n {
		h.terms(n, func(j int64, term *big.Int) bool {
			sum.Add(sum, term)
			return j > s
		})
	}
	return new(big.Rat).SetFrac(sum, new(big.Int).Exp(h.P.Denom(), big.NewInt(n), nil))
}

// LogU returns ln u(n, s), −∞ for s > n, from the terms around the largest: about √n steps.
func (h HitTest) LogU(n, s int64) float64 {
	if s > n {
		return math.Inf(-1)
	}
	p := num.Float(h.P)
	// Terms increase while (n−j)/(j+1)·p ≥ 1.
	top := max(s, int64((float64(float64(n)*p)-1)/(1+p)), 0)
	const small = 1e-18
	sum := 1.0
	for j, x := top, 1.0; j < n; j++ {
		x = float64(x * (float64(n-j) / float64(j+1) * p))
		if sum += x; x < small*sum {
			break
		}
	}
	for j, x := top, 1.0; j > s; j-- {
		x = float64(x * (float64(j) / (float64(n-j+1) * p)))
		if sum += x; x < small*sum {
			break
		}
	}
	return h.logTerm(n, top) + math.Log(sum)
}

// logTerm returns ln(C(n,j)·p^j).
func (h HitTest) logTerm(n, j int64) float64 {
	all, _ := math.Lgamma(float64(n) + 1)
	in, _ := math.Lgamma(float64(j) + 1)
	out, _ := math.Lgamma(float64(n-j) + 1)
	return all - in - out + float64(float64(j)*math.Log(num.Float(h.P)))
}

// R returns r(n) = min{s in 0 … n+1 : u(n, s) < α}: the smallest number of hits among n persons that refutes H0. It is
// n+1 if not even n hits do.
//
// Up to 2,000 persons integers decide, including the strict <; beyond that logarithms decide, or integers where these
// are too close.
func (h HitTest) R(n int64) (int64, error) {
	return h.least(n, h.exactR, h.LogU)
}

// SharpR is R with only the first term of u, C(n,s)·p^s < α, which bounds the same probability. It equals R or is one
// less.
func (h HitTest) SharpR(n int64) (int64, error) {
	return h.least(n, h.exactSharpR, h.logTerm)
}

// least finds the smallest s with value(s) < α: exactly, or by bisection on logarithms, which requires values to
// decrease from the largest on and to be at least α before it.
func (h HitTest) least(n int64, exact func(int64) int64, log func(n, s int64) float64) (int64, error) {
	if err := checkPersons(n); err != nil {
		return 0, err
	}
	if n <= exactPersons {
		return exact(n), nil
	}
	alpha := math.Log(num.Float(h.Alpha))
	if h.Alpha.Cmp(num.One) >= 0 || math.IsInf(alpha, -1) { // α is not a level: no bisection
		if n <= closePersons {
			return exact(n), nil
		}
		return 0, i18n.Errorf("alpha = %s with %d persons, want more than 1e-300 and less than 1", h.Alpha.RatString(), n)
	}
	p := num.Float(h.P)
	low := max(int64((float64(float64(n)*p)-1)/(1+p))-1, 0) // value(low) ≥ α
	if low == 0 {
		low = -1
	}
	high := n + 1 // value(high) < α
	for high-low > 1 {
		if mid := low + (high-low)/2; log(n, mid) < alpha {
			high = mid
		} else {
			low = mid
		}
	}
	all, _ := math.Lgamma(float64(n) + 1)
	slack := 1e-9 + float64(16*all*0x1p-52)
	for _, s := range []int64{low, high} {
		if s >= 0 && s <= n && math.Abs(log(n, s)-alpha) < slack {
			if n <= closePersons {
				return exact(n), nil
			}
			return 0, errTooClose
		}
	}
	return high, nil
}

// exactR computes R in integers.
func (h HitTest) exactR(n int64) int64 {
	limit := h.limit(n)
	sum := new(big.Int)
	r := n + 1
	h.terms(n, func(j int64, term *big.Int) bool {
		if sum.Add(sum, term); h.below(sum, limit) {
			r = j
			return true
		}
		return false
	})
	return r
}

// exactSharpR computes SharpR in integers.
func (h HitTest) exactSharpR(n int64) int64 {
	limit := h.limit(n)
	r := n + 1
	h.terms(n, func(j int64, term *big.Int) bool {
		if h.below(term, limit) {
			r = j
			return true
		}
		// The terms are log-concave and 1 at 0; so for α ≤ 1, all terms from 0 to the last that is large enough are
		// large enough. Otherwise continue.
		return h.Alpha.Cmp(num.One) > 0
	})
	return r
}

// limit returns α's numerator times b^n; below uses it to compare x/b^n with α.
func (h HitTest) limit(n int64) *big.Int {
	x := new(big.Int).Exp(h.P.Denom(), big.NewInt(n), nil)
	return x.Mul(x, h.Alpha.Num())
}

func (h HitTest) below(x, limit *big.Int) bool {
	return new(big.Int).Mul(x, h.Alpha.Denom()).Cmp(limit) < 0
}

// A ClassVerdict tells whether an equivalence class of k persons, in which an attacker guesses at random, is compatible
// with H0.
type ClassVerdict struct {
	AllRight  *big.Rat // 1/k!, the probability that all k guesses are right
	Allowed   *big.Rat // p^k
	Satisfies bool     // AllRight ≤ Allowed; this then holds for every part of the class too
}

// maxClass is the largest k of ClassVerdict.
const maxClass = 10_000

// ClassVerdict compares 1/k! with p^k. For p = 1/3 the least k that satisfies H0 is 7, and larger classes satisfy it
// too. k is 1 to maxClass.
//
// Source: as HitTest, section 2.2.1, examples 1 and 2.
func (h HitTest) ClassVerdict(k int64) (ClassVerdict, error) {
	if k < 1 || k > maxClass {
		return ClassVerdict{}, i18n.Errorf("a class of %d, want 1 to %d", k, maxClass)
	}
	right := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).MulRange(1, k))
	e := big.NewInt(k)
	allowed := new(big.Rat).SetFrac(new(big.Int).Exp(h.P.Num(), e, nil), new(big.Int).Exp(h.P.Denom(), e, nil))
	return ClassVerdict{right, allowed, right.Cmp(allowed) <= 0}, nil
}
