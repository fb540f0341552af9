package formulas

import (
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A KnownTable is a release by simple random sampling, with what an attacker knows about the table from which
// it was drawn: n0 records exactly and, about each other record, that it has one of their values with the
// probability with which that occurs among them (equation 1 of the source), or with probability New a value
// that none of them has.
//
// Source: R. Kikuchi, How much can the sampling reduce the identification risk?, section 4.3.
type KnownTable struct {
	N     int64   // number of records of the table
	Known []int64 // number of known records of each value
	Drawn []int64 // number of published records of each value
	New   *big.Rat
	// Others is the number of published records with values that no known record has.
	Others int64
}

// Errors of Posterior.
var (
	ErrImpossible = i18n.New("by the prior the release cannot be: it has values, or so many of them, that no known record has; give such values a chance")
	errTooMany    = i18n.New("more records than the table has")
)

// maxReleased is the largest release for which Posterior works, in records: its cost is quadratic.
const maxReleased = 5000

// priorBits is the precision of the floating point numbers of Posterior, in bits. All terms are positive, so
// that nothing but rounding is lost.
const priorBits = 192

// Posterior returns for each value the probability that a known record with that value is a given published
// record with the same value,
//
//	Pr[Π(r) = r' | T' = τ'] = E[1/N_v · Π_w (N_w)_{b_w}] / E[Π_w (N_w)_{b_w}]
//
// where N_w = c_w + U_w for c_w known records and a multinomial number U_w of unknown ones, b_w are published,
// and (x)_b = x(x−1)…(x−b+1). It is nil for values without known or published records. Because (c+u)_b = Σ_j
// C(b,j)·(c)_{b−j}·(u)_j and E[Π (U_w)_{j_w}] = (U)_Σj·Π q_w^{j_w}, the expectation is a sum over the
// coefficients of a product of polynomials, one for each value. Cost: m² for each pair of c and b that occurs.
func (k *KnownTable) Posterior() ([]*float64, error) {
	n0, m := int64(0), k.Others
	for v := range k.Known {
		n0 += k.Known[v]
		m += k.Drawn[v]
	}
	unknown := k.N - n0
	switch {
	case n0 < 1 || m < 1:
		return nil, i18n.New("no record is known, or none is published")
	case unknown < 0 || m > k.N:
		return nil, errTooMany
	case m > maxReleased:
		return nil, i18n.Errorf("%d published records, want at most %d", m, maxReleased)
	case k.New.Sign() < 0 || k.New.Cmp(num.One) >= 0:
		return nil, i18n.Errorf("chance %s of a value of its own, want at least 0 and less than 1", k.New.RatString())
	case k.Others > 0 && k.New.Sign() == 0 || k.Others > unknown:
		return nil, ErrImpossible
	}
	return k.posterior(n0, unknown)
}

// A pair is the number of known and of published records of a value.
type pair struct{ c, b int64 }

func (k *KnownTable) posterior(n0, unknown int64) ([]*float64, error) {
	// Known values have chance (1−New)·c/n0; the chances of unknown values cancel out.
	unit := new(big.Rat).Quo(new(big.Rat).Sub(num.One, k.New), num.Whole(n0))
	times := map[pair]int{}
	var pairs []pair
	for v, c := range k.Known {
		p := pair{c, k.Drawn[v]}
		if p.b == 0 {
			continue // its polynomial is 1
		}
		if times[p]++; times[p] == 1 {
			pairs = append(pairs, p)
		}
	}
	risk := map[pair]float64{}
	for _, p := range pairs {
		if p.c == 0 {
			continue
		}
		rest := []*big.Float{number(num.One)}
		for _, q := range pairs {
			n := times[q]
			if q == p {
				n--
			}
			factor := polynomial(q.c, q.b, q.c, unit)
			for range n {
				rest = multiply(rest, factor)
			}
		}
		up := k.sum(multiply(rest, polynomial(p.c-1, p.b-1, p.c, unit)), unknown)
		down := k.sum(multiply(rest, polynomial(p.c, p.b, p.c, unit)), unknown)
		if down.Sign() == 0 {
			return nil, ErrImpossible
		}
		x, _ := up.Quo(up, down).Float64()
		risk[p] = math.Min(x, 1)
	}
	out := make([]*float64, len(k.Known))
	for v, c := range k.Known {
		if x, ok := risk[pair{c, k.Drawn[v]}]; ok && c > 0 && k.Drawn[v] > 0 {
			out[v] = &x
		}
	}
	return out, nil
}

func number(x *big.Rat) *big.Float { return new(big.Float).SetPrec(priorBits).SetRat(x) }

// polynomial returns Σ_j C(b,j)·(c)_{b−j}·q^j x^j with q = known·unit.
func polynomial(c, b, known int64, unit *big.Rat) []*big.Float {
	list := make([]*big.Float, b+1)
	q := number(new(big.Rat).Mul(num.Whole(known), unit))
	power := number(num.One)
	falling := make([]*big.Float, b+1) // (c)_0 … (c)_b
	falling[0] = number(num.One)
	for i := range b {
		falling[i+1] = new(big.Float).Mul(falling[i], number(num.Whole(max(0, c-i))))
	}
	choose := big.NewInt(1)
	for j := range b + 1 {
		x := new(big.Float).SetPrec(priorBits).SetInt(choose)
		x.Mul(x, falling[b-j])
		list[j] = x.Mul(x, power)
		power = new(big.Float).Mul(power, q)
		choose.Mul(choose, big.NewInt(b-j))
		choose.Quo(choose, big.NewInt(j+1))
	}
	return list
}

func multiply(a, b []*big.Float) []*big.Float {
	list := sets.List(len(a)+len(b)-1, func(int) *big.Float { return new(big.Float).SetPrec(priorBits) })
	var x big.Float
	for i, y := range a {
		if y.Sign() == 0 {
			continue
		}
		for j, z := range b {
			list[i+j].Add(list[i+j], x.Mul(y, z))
		}
	}
	return list
}

// sum returns Σ_J (unknown)_J times the coefficient of x^J, where k.Others of the unknown records have already
// been published.
func (k *KnownTable) sum(p []*big.Float, unknown int64) *big.Float {
	sum := new(big.Float).SetPrec(priorBits)
	falling := number(num.One)
	for i := range k.Others {
		falling.Mul(falling, number(num.Whole(unknown-i)))
	}
	for j, x := range p {
		sum.Add(sum, new(big.Float).Mul(falling, x))
		falling.Mul(falling, number(num.Whole(max(0, unknown-k.Others-int64(j)))))
	}
	return sum
}
