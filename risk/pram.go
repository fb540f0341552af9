package risk

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Guarantee states what PRAM (Post Randomisation Method, Kooiman and others), which randomises every record
// independently, achieves against an attacker who knows the whole table, in terms of the probabilities A[u][u'] that a
// value u becomes u':
//
//	α = min A[v][u'] / A[u][u']                          over u, v, u' with A[u][u'] > 0
//	β = min A[u][v'] A[v][u'] / (A[u][u'] A[v][v'])      over u, v, u', v' with A[u][u'], A[v][v'] > 0
//
// For attributes randomised independently, α and β are the products of those of the attributes.
type Guarantee struct {
	Alpha, Beta *big.Rat
}

// and returns the guarantee for the attributes of both, randomised independently.
func (g Guarantee) and(h Guarantee) Guarantee {
	return Guarantee{new(big.Rat).Mul(g.Alpha, h.Alpha), new(big.Rat).Mul(g.Beta, h.Beta)}
}

// K returns the k of Pk-anonymity, where 1/k bounds the probability of any link, if n records are randomised and m of
// them, drawn without replacement, are published (サンプリングと PRAM):
//
//	k = 1 + (n−m)·α + (m−1)·β
//
// and 1 + (n−1)·β for m = n. n and m must pass [Sampling.Check] with n0 = n.
//
// Source: R. Kikuchi, How much can the sampling reduce the identification risk?, Theorem 5.1, as stated there. The last
// formula of its proof and section 5.2 print A[u',v] for A[v,u'], and the same product in numerator and denominator.
// For m = n it is Theorem 4.1 of the document on noise (see [LaplaceK]).
func (g Guarantee) K(n, m int64) *big.Rat {
	k := new(big.Rat).Mul(num.Whole(n-m), g.Alpha)
	k.Add(k, new(big.Rat).Mul(num.Whole(m-1), g.Beta))
	return k.Add(k, num.One)
}

// MaxSample returns the largest m for which K(n, m) ≥ k; ok is false if there is none:
//
//	m = ⌊(1 + nα − β − k)/(α − β)⌋,   n if k ≤ 1 + (n−1)β,   none if k > 1 + (n−1)α .
func (g Guarantee) MaxSample(n int64, k *big.Rat) (m int64, ok bool) {
	switch {
	case k.Cmp(g.K(n, n)) <= 0:
		return n, true
	case k.Cmp(g.K(n, 1)) > 0:
		return 0, false
	}
	x := new(big.Rat).Mul(num.Whole(n), g.Alpha)
	x.Add(x, num.One).Sub(x, g.Beta).Sub(x, k)
	return num.Floor(x.Quo(x, new(big.Rat).Sub(g.Alpha, g.Beta))).Int64(), true
}

// A Matrix holds the probabilities A[u][u'] that a value u becomes u': one row for each value before, one column for
// each value after.
type Matrix [][]*big.Rat

// Check reports a matrix that is not rectangular, has a negative entry, or has a row that does not add up to 1.
func (a Matrix) Check() error {
	if len(a) == 0 || len(a[0]) == 0 {
		return i18n.Errorf("an empty matrix")
	}
	for u, row := range a {
		if len(row) != len(a[0]) {
			return i18n.Errorf("row %d has %d entries, the first %d", u+1, len(row), len(a[0]))
		}
		sum := new(big.Rat)
		for j, x := range row {
			if x.Sign() < 0 {
				return i18n.Errorf("row %d, column %d: %s, want a chance", u+1, j+1, x.RatString())
			}
			sum.Add(sum, x)
		}
		if sum.Cmp(num.One) != 0 {
			return i18n.Errorf("row %d adds up to %s, want 1", u+1, sum.RatString())
		}
	}
	return nil
}

// scaled returns the entries of a times their common denominator, nil if that does not fit 64 bits.
func (a Matrix) scaled() [][]uint64 {
	common := big.NewInt(1)
	for _, row := range a {
		for _, x := range row {
			g := new(big.Int).GCD(nil, nil, common, x.Denom())
			if common.Mul(common, new(big.Int).Quo(x.Denom(), g)); !common.IsUint64() {
				return nil
			}
		}
	}
	s := make([][]uint64, len(a))
	for u, row := range a {
		for _, x := range row { // ≤ 1, so it fits
			n := new(big.Int).Quo(common, x.Denom())
			s[u] = append(s[u], n.Mul(n, x.Num()).Uint64())
		}
	}
	return s
}

// less reports whether a/b < c/d.
func less(a, b, c, d uint64) bool {
	hi, lo := bits.Mul64(a, d)
	hi2, lo2 := bits.Mul64(c, b)
	return hi < hi2 || hi == hi2 && lo < lo2
}

// quotient returns a/b.
func quotient(a, b uint64) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
}

// least returns the table of min A[v][u']/A[u][u'] over u' with A[u][u'] > 0.
func (a Matrix) least() [][]*big.Rat {
	s := a.scaled()
	l := make([][]*big.Rat, len(a))
	for u := range a {
		l[u] = make([]*big.Rat, len(a))
		for v := range a {
			if s != nil {
				n, d := uint64(1), uint64(0) // ∞
				for j, x := range s[u] {
					if x > 0 && less(s[v][j], x, n, d) {
						n, d = s[v][j], x
					}
				}
				l[u][v] = quotient(n, d)
				continue
			}
			for j := range a[u] {
				if a[u][j].Sign() == 0 {
					continue
				}
				if x := new(big.Rat).Quo(a[v][j], a[u][j]); l[u][v] == nil || x.Cmp(l[u][v]) < 0 {
					l[u][v] = x
				}
			}
		}
	}
	return l
}

// Guarantee returns α and β of a, which must pass Check. Once u and v are chosen, u' and v' in β are independent, so β
// is the smallest product of two ratios of α: cost V²·V' for V values before and V' after.
func (a Matrix) Guarantee() Guarantee {
	l := a.least()
	g := Guarantee{num.Whole(1), num.Whole(1)}
	for u := range l {
		for v := range l {
			if l[u][v].Cmp(g.Alpha) < 0 {
				g.Alpha.Set(l[u][v])
			}
			if x := new(big.Rat).Mul(l[u][v], l[v][u]); x.Cmp(g.Beta) < 0 {
				g.Beta.Set(x)
			}
		}
	}
	return g
}

// SharperK returns a k that is valid and at least that of [Guarantee.K]: u and u' are those of the same target in both
// terms,
//
//	k = 1 + min over u, u' of (n−m)·min_v A[v][u']/A[u][u'] + (m−1)·min_{v,v'} (the ratio of β) .
//
// It is larger if α and β are attained at different values. Cost V²·V' operations on fractions.
func (a Matrix) SharperK(n, m int64) *big.Rat {
	l := a.least()
	var k *big.Rat
	for u := range a {
		for j := range a[u] {
			if a[u][j].Sign() == 0 {
				continue
			}
			single, cross := num.Whole(1), num.Whole(1)
			for v := range a {
				x := new(big.Rat).Quo(a[v][j], a[u][j])
				if x.Cmp(single) < 0 {
					single.Set(x)
				}
				if x.Mul(x, l[v][u]); x.Cmp(cross) < 0 {
					cross.Set(x)
				}
			}
			if x := (Guarantee{single, cross}).K(n, m); k == nil || x.Cmp(k) < 0 {
				k = x
			}
		}
	}
	return k
}

// An Attribute is randomised by retention–replacement: it is kept with probability Rho and otherwise replaced by one of
// its Values values, each equally likely.
type Attribute struct {
	Values int64
	Rho    *big.Rat
	// Different says that the replacement is one of the other values: Rho is then the probability that the value stays,
	// and Rho = q has the effect of ρ = (qV−1)/(V−1).
	Different bool
}

// Check reports an attribute without values or an invalid probability.
func (a Attribute) Check() error {
	switch {
	case a.Values < 1:
		return i18n.Errorf("%d values, want at least 1", a.Values)
	case a.Rho.Sign() < 0 || a.Rho.Cmp(num.One) > 0:
		return i18n.Errorf("retention %s, want 0 to 1", a.Rho.RatString())
	}
	return nil
}

// ratio returns the smallest ratio of two entries in a column, for V values
//
//	x = (1−ρ) / (1 + (V−1)ρ),   or (1−q) / ((V−1)q) if the replacement differs
//
// (or its inverse if that is above 1), and 1 for V = 1.
func (a Attribute) ratio() *big.Rat {
	if a.Values == 1 {
		return num.Whole(1)
	}
	others := new(big.Rat).Mul(num.Whole(a.Values-1), a.Rho)
	x, y := new(big.Rat).Sub(num.One, a.Rho), others
	if !a.Different {
		y.Add(y, num.One)
	}
	if x.Cmp(y) > 0 {
		x, y = y, x
	}
	return new(big.Rat).Quo(x, y)
}

// Matrix returns the matrix of an attribute that passes Check.
func (a Attribute) Matrix() Matrix {
	stay, change := new(big.Rat).Set(num.One), new(big.Rat)
	switch rest := new(big.Rat).Sub(num.One, a.Rho); {
	case a.Values == 1:
	case a.Different:
		stay, change = a.Rho, rest.Quo(rest, num.Whole(a.Values-1))
	default:
		change = rest.Quo(rest, num.Whole(a.Values))
		stay = new(big.Rat).Add(a.Rho, change)
	}
	m := make(Matrix, a.Values)
	for u := range m {
		for v := range m {
			if u == v {
				m[u] = append(m[u], stay)
			} else {
				m[u] = append(m[u], change)
			}
		}
	}
	return m
}

// guarantee returns α = x and β = x².
//
// Source: Theorem 5.1 (see [Guarantee.K]) with this matrix. The document on noise, section 6.1, prints "1−ρ /
// 1+(|V|−1)ρ)²", where a bracket is lost: numerator and denominator are both squared.
func (a Attribute) guarantee() Guarantee {
	x := a.ratio()
	return Guarantee{x, new(big.Rat).Mul(x, x)}
}

// Retention returns the guarantee for attributes randomised independently.
func Retention(attributes []Attribute) Guarantee {
	g := Guarantee{num.Whole(1), num.Whole(1)}
	for _, a := range attributes {
		g = g.and(a.guarantee())
	}
	return g
}

// alphaFor returns the α with 1 + (n−m)α + (m−1)α² = k ≥ 1 (β = α²), computed without cancellation.
func alphaFor(n, m int64, k *big.Rat) float64 {
	excess := num.Float(new(big.Rat).Sub(k, num.One))
	if excess == 0 {
		return 0
	}
	b := float64(n - m)
	return 2 * excess / (b + math.Sqrt(float64(b*b)+float64(4*float64(m-1)*excess)))
}

// retentionFor returns the largest ρ, the same for all attributes, for which n records, randomised, with m of them
// published, are Pk-anonymous with k; ok is false if there is none, that is, unless 1 ≤ k ≤ n. For one attribute, and
// for several with V values each,
//
//	α = 2(k−1) / (n−m + √((n−m)² + 4(m−1)(k−1))),   x = α^(1/number),   ρ = (1−x)/(1+(V−1)x) ,
//
// and by bisection for others, as k decreases in ρ. Attributes with one value do not count; if there are no others, ρ
// is 1.
func retentionFor(values []int64, n, m int64, k *big.Rat) (rho float64, ok bool) {
	if k.Cmp(num.One) < 0 || k.Cmp(num.Whole(n)) > 0 {
		return 0, false
	}
	var several []float64
	same := true
	for _, v := range values {
		if v > 1 {
			several = append(several, float64(v))
			same = same && several[0] == float64(v)
		}
	}
	alpha := alphaFor(n, m, k)
	switch {
	case len(several) == 0:
		return 1, true
	case same:
		x := min(1, math.Pow(alpha, 1/float64(len(several))))
		return (1 - x) / (1 + float64((several[0]-1)*x)), true
	}
	low, high := 0.0, 1.0 // α(low) ≥ alpha > α(high), except at the ends
	for range 200 {
		mid := float64((low + high) / 2)
		product := 1.0
		for _, v := range several {
			product = float64(product * ((1 - mid) / (1 + float64((v-1)*mid))))
		}
		if product >= alpha {
			low = mid
		} else {
			high = mid
		}
	}
	if alpha == 0 {
		return 1, true
	}
	return low, true
}

// retentionUnit is the inverse of the step of SafeRetention: 12 decimals.
const retentionUnit = 1e12

// SafeRetention returns the largest ρ with at most 12 decimals that reaches k in exact arithmetic, as retentionFor does
// in floating point.
func SafeRetention(values []int64, n, m int64, k *big.Rat) (rho *big.Rat, ok bool) {
	f, ok := retentionFor(values, n, m, k)
	if !ok {
		return nil, false
	}
	reached := func(j int64) bool {
		rho = big.NewRat(j, retentionUnit)
		g := Guarantee{num.Whole(1), num.Whole(1)}
		for _, v := range values {
			g = g.and(Attribute{Values: v, Rho: rho}.guarantee())
		}
		return g.K(n, m).Cmp(k) >= 0
	}
	j := int64(min(f, 1)*retentionUnit) + 1
	for j = min(j, retentionUnit); j > 0 && !reached(j); j-- {
	}
	return big.NewRat(j, retentionUnit), true
}
