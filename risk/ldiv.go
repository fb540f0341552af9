package risk

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"math/bits"
)

// LDiversity is the l-diversity (l-多様性) of one attribute, the result of Sensitive.LDiversity.
//
// Let a class have n records with a value of the attribute, with counts
// r₁ ≥ r₂ ≥ … ≥ r_m. Then (Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, TKDD 1(1), 2007)
//
//	distinct l = m,   entropy l = exp(−Σ r_i/n ln r_i/n),   α = r₁/n
//
// and the class is recursively (c,l)-diverse iff r₁ < c(r_l + … + r_m). A table has the diversity of its worst class.
// Entropy l is a real number; it is not rounded down.
type LDiversity struct {
	Attribute string
	Classes   uint64
	// MissingValues is the number of records whose sensitive value is missing and ignored.
	MissingValues uint64
	// Distinct and Entropy are 0 if some class has no values, or if there are no classes.
	Distinct  uint64
	Entropy   float64
	Alpha     *big.Rat // nil if no record has a value
	Histogram map[uint64]uint64
	Recursive []RecursiveC
	Worst     []ClassDiversity
}

// RecursiveC tells for which c a table is (c,l)-diverse: for those above Infimum. It is nil if some class has fewer
// than l values, as no such c exists then.
type RecursiveC struct {
	L       uint64
	Infimum *big.Rat
}

// A ClassDiversity is a class with the diversity of an attribute in it.
type ClassDiversity struct {
	Tuple    []string
	Records  uint64 // number of records of the class or, with wildcards, compatible with it
	Distinct uint64
	Entropy  float64
	// Top is the number of records with the most frequent value.
	Top uint64
}

// A fraction is num/den, of whole numbers.
type fraction struct{ num, den uint64 }

// less compares a/b < c/d exactly, by the products.
func (x fraction) less(y fraction) bool {
	h1, l1 := bits.Mul64(x.num, y.den)
	h2, l2 := bits.Mul64(y.num, x.den)
	return h1 < h2 || h1 == h2 && l1 < l2
}

func (x fraction) rat() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(x.num), new(big.Int).SetUint64(x.den))
}

// LDiversity measures the diversity of every sensitive attribute separately and lists the n worst classes, by distinct
// and then entropy l. Markers of m also mark missing sensitive values: these are ignored, or values of their own if
// ownSensitive. ls are the l of the recursive criterion. With missing quasi-identifiers as wildcards, the diversity of
// a class is that of all records compatible with it. Cost: the pairs of class and value, sorted within classes; with
// wildcards at most patterns of missing columns × classes × values, which may take long. If ctx ends, it returns an
// error that wraps ctx.Err().
func (s *Sensitive) LDiversity(ctx context.Context, m Missing, ownSensitive bool, ls []uint64, n int) ([]*LDiversity, error) {
	keep, _, err := s.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	var out []*LDiversity
	for a := range s.pairs {
		r, err := s.diversity(ctx, a, m, keep, ownSensitive, ls, n)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (s *Sensitive) diversity(ctx context.Context, a int, m Missing, keep []uint64, own bool, ls []uint64, n int) (*LDiversity, error) {
	r := &LDiversity{Attribute: s.columns.names[s.t.w+a], Histogram: map[uint64]uint64{}}
	ignore := s.ignored(a, m.Markers, own)
	r.MissingValues = s.without(a, keep, ignore)
	var alpha fraction
	infimum := make([]fraction, len(ls)) // den 0: no such c
	for i := range infimum {
		infimum[i].den = 1
	}
	distinct, entropy, top := make([]uint32, s.t.n), make([]float64, s.t.n), make([]uint64, s.t.n)
	least := math.Inf(1)
	err := s.eachClass(ctx, a, m, keep, ignore, func(g int, counts []valueCount) {
		descending(counts)
		r.Classes++
		m := uint64(len(counts))
		r.Histogram[m]++
		sum := uint64(0)
		for _, c := range counts {
			sum += c.n
		}
		e := entropyL(counts, sum)
		distinct[g], entropy[g] = uint32(m), e
		if r.Classes == 1 || m < r.Distinct {
			r.Distinct = m
		}
		least = min(least, e)
		if m > 0 {
			top[g] = counts[0].n
			if f := (fraction{counts[0].n, sum}); alpha.den == 0 || alpha.less(f) {
				alpha = f
			}
		}
		for i, l := range ls {
			if l > m || l < 1 {
				infimum[i].den = 0
			}
			if infimum[i].den == 0 {
				continue
			}
			tail := uint64(0)
			for _, c := range counts[l-1:] {
				tail += c.n
			}
			if f := (fraction{counts[0].n, tail}); infimum[i].less(f) {
				infimum[i] = f
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if r.Classes > 0 {
		r.Entropy = least
	}
	if alpha.den > 0 {
		r.Alpha = alpha.rat()
	}
	for i, l := range ls {
		c := RecursiveC{L: l}
		if infimum[i].den > 0 && r.Classes > 0 {
			c.Infimum = infimum[i].rat()
		}
		r.Recursive = append(r.Recursive, c)
	}
	for _, g := range worst(n, s.t.n, func(g int) bool { return keep[g] > 0 }, func(x, y int) int {
		return cmp.Or(cmp.Compare(distinct[x], distinct[y]), cmp.Compare(entropy[x], entropy[y]), s.compareTuples(x, y))
	}) {
		r.Worst = append(r.Worst, ClassDiversity{s.Tuple(g), keep[g], uint64(distinct[g]), entropy[g], top[g]})
	}
	return r, nil
}

// entropyL returns exp(−Σ p ln p) of counts in a fixed order: exactly the number of values if all are equally frequent,
// and 0 without values.
func entropyL(counts []valueCount, sum uint64) float64 {
	if len(counts) == 0 {
		return 0
	}
	if counts[0].n == counts[len(counts)-1].n {
		return float64(len(counts))
	}
	h := 0.0
	for _, c := range counts {
		p := float64(c.n) / float64(sum)
		h -= float64(p * math.Log(p))
	}
	return math.Exp(h)
}

// EntropyAtLeast reports whether an entropy l reaches a limit, with a relative tolerance of 10⁻¹² for its rounding.
func EntropyAtLeast(entropy, l float64) bool { return entropy >= l*(1-1e-12) }
