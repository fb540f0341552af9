package risk

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// Likeness is the result of Sensitive.Likeness for one attribute. Let p be the share of a value among all records and q
// that in a class.
//
// β is the largest gain (q−p)/p: a table is basically β-like if no gain is above β, and enhancedly β-like if in
// addition none is above −ln p (Cao and Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11),
// 2012). δ is the largest |ln(q/p)| of values that occur in a class (Brickell and Shmatikov, The cost of privacy, KDD
// 2008; ARX takes the logarithm to base 2, and all three require |…| < δ). If a class lacks a value, no δ holds for it;
// Absent counts such pairs.
type Likeness struct {
	Attribute     string
	Classes       uint64 // classes with a value
	Values        uint64
	MissingValues uint64
	Beta          *big.Rat // nil without records
	Capped        bool     // no gain is above −ln p
	Bounded       float64  // the smaller of β and −ln of the least p, which pyCANON calls enhanced
	Delta         float64
	Absent        uint64
	Worst         []ClassDistance // the worst classes, in order of gain
}

// Likeness measures β-likeness and δ-disclosure of every sensitive attribute separately and lists the n classes with
// the largest gains. Missing sensitive values are left out of both distributions, unless ownSensitive. β is exact. With
// missing quasi-identifiers as wildcards, q is taken over all records compatible with a class, which may take long; the
// cost is as for LDiversity. If ctx ends, it returns an error that wraps ctx.Err().
func (s *Sensitive) Likeness(ctx context.Context, m Missing, ownSensitive bool, n int) ([]*Likeness, error) {
	keep, _, err := s.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	var out []*Likeness
	for a := range s.pairs {
		r, err := s.likeness(ctx, a, m, keep, ownSensitive, n)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (s *Sensitive) likeness(ctx context.Context, a int, m Missing, keep []uint64, own bool, n int) (*Likeness, error) {
	r := &Likeness{Attribute: s.columns.names[s.t.w+a], Capped: true}
	ignore := s.ignored(a, m.Markers, own)
	r.MissingValues = s.without(a, keep, ignore)
	total := s.totals(a, keep, m.Markers, own)
	records, least := uint64(0), uint64(math.MaxUint64)
	for _, c := range total {
		records += c
		least = min(least, c)
	}
	r.Values = uint64(len(total))
	gains := make([]float64, s.t.n)
	// The gain of counts n of a class of sum records is (n·N)/(sum·N_v) − 1; floating point decides which is largest
	// unless they are close.
	bestFloat := -1.0
	best := new(big.Rat)
	err := s.eachClass(ctx, a, m, keep, ignore, func(g int, counts []valueCount) {
		sum := uint64(0)
		for _, c := range counts {
			sum += c.n
		}
		if sum == 0 {
			return
		}
		r.Classes++
		r.Absent += r.Values - uint64(len(counts))
		for _, c := range counts {
			v := total[c.id]
			ratio := float64(c.n) / float64(sum) * (float64(records) / float64(v))
			if sameProduct(c.n, records, sum, v) {
				ratio = 1
			}
			r.Delta = max(r.Delta, math.Abs(math.Log(ratio)))
			gain := ratio - 1
			gains[g] = max(gains[g], gain)
			if p := float64(v) / float64(records); gain > -math.Log(p)*(1+1e-12) {
				r.Capped = false
			}
			if ratio < bestFloat*(1-1e-12) {
				continue
			}
			x := new(big.Rat).Mul(fraction{c.n, sum}.rat(), fraction{records, v}.rat())
			if x.Cmp(best) > 0 {
				best, bestFloat = x, ratio
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if r.Classes > 0 {
		r.Beta = best.Sub(best, num.One)
		r.Bounded = min(num.Float(r.Beta), -math.Log(float64(least)/float64(records)))
	}
	for _, g := range worst(n, s.t.n, func(g int) bool { return keep[g] > 0 }, func(x, y int) int {
		return cmp.Or(cmp.Compare(gains[y], gains[x]), s.compareTuples(x, y))
	}) {
		r.Worst = append(r.Worst, ClassDistance{s.Tuple(g), keep[g], gains[g]})
	}
	return r, nil
}

// sameProduct reports whether a·b = c·d.
func sameProduct(a, b, c, d uint64) bool {
	h1, l1 := bits.Mul64(a, b)
	h2, l2 := bits.Mul64(c, d)
	return h1 == h2 && l1 == l2
}
