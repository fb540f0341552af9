package compare

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
)

// MaxAgreements is the most columns that probabilistic record linkage takes.
const MaxAgreements = 20

// A Fellegi is the model of Fellegi and Sunter: the columns of a pair of records agree independently of each other,
// with chance M if the records belong to one person and U if not.
type Fellegi struct {
	M, U []float64 // by column
	P    float64   // share of pairs that belong to one person
	// Steps is how many steps the estimate took, and Settled whether it converged.
	Steps   int
	Settled bool
}

// weight returns Σ log₂(m/u) over columns that agree plus Σ log₂((1−m)/(1−u)) over the others.
func (f *Fellegi) weight(pattern uint32) float64 {
	w := 0.0
	for k := range f.M {
		if pattern>>k&1 == 1 {
			w += math.Log2(f.M[k] / f.U[k])
		} else {
			w += math.Log2((1 - f.M[k]) / (1 - f.U[k]))
		}
	}
	return w
}

// Match returns the chance that a pair with a pattern of agreements belongs to one person.
func (f *Fellegi) Match(pattern uint32) float64 {
	odds := float64(f.P / (1 - f.P) * math.Exp2(f.weight(pattern)))
	if math.IsInf(odds, 1) {
		return 1
	}
	return odds / (1 + odds)
}

// within keeps chances away from 0 and 1, where weights are infinite.
func within(x float64) float64 { return min(1-1e-6, max(1e-6, x)) }

// Estimate fits the model to counts of pairs by pattern. U is the share of all pairs that agree, because hardly any
// pair belongs to one person; M and P are the maximum likelihood estimates by the EM algorithm, starting from M = 0.9
// and P = p.
//
// Source: Fellegi and Sunter, A theory for record linkage (JASA 1969), sections 2 and 3; Winkler, Using the EM
// algorithm for weight computation (1988), with U from random pairs as in Splink.
func Estimate(counts map[uint32]float64, columns int, p float64) *Fellegi {
	f := &Fellegi{P: within(p)}
	var patterns []uint32
	all := 0.0
	for s := range uint32(1) << columns {
		if counts[s] > 0 {
			patterns = append(patterns, s)
			all += counts[s]
		}
	}
	for k := range columns {
		agree := 0.0
		for _, s := range patterns {
			if s>>k&1 == 1 {
				agree += counts[s]
			}
		}
		f.U, f.M = append(f.U, within(agree/all)), append(f.M, 0.9)
	}
	const most, settled = 1000, 1e-10
	for f.Steps = 1; f.Steps <= most; f.Steps++ {
		matched := 0.0
		agree := make([]float64, columns)
		for _, s := range patterns {
			g := float64(f.Match(s) * counts[s])
			matched += g
			for k := range columns {
				if s>>k&1 == 1 {
					agree[k] += g
				}
			}
		}
		change := math.Abs(matched/all - f.P)
		f.P = within(matched / all)
		if f.P*all < 1e-9 || matched == 0 {
			break
		}
		for k := range columns {
			m := within(agree[k] / matched)
			change = max(change, math.Abs(m-f.M[k]))
			f.M[k] = m
		}
		if change < settled {
			f.Settled = true
			break
		}
	}
	f.Steps = min(f.Steps, most)
	return f
}

// agrees reports whether two values at a distance agree: categories if they are the same, numbers if they differ by at
// most tolerance of the range.
func (p *probe) agrees(k int, d, tolerance float64) bool {
	return d == 0 || p.a.X[k] != nil && d <= tolerance
}

// patterns calls do with the pattern of each record searched; bit k is set if column k agrees.
func (p *probe) patterns(tolerance float64, do func(n int, pattern uint32)) {
	bits := make([][]uint32, len(p.d)) // by column and different value
	for k, d := range p.d {
		for _, d := range d {
			bit := uint32(0)
			if p.agrees(k, d, tolerance) {
				bit = 1 << k
			}
			bits[k] = append(bits[k], bit)
		}
	}
	for n := range p.records {
		s := uint32(0)
		for k, code := range p.code[n*len(bits):][:len(bits)] {
			if bits[k] != nil {
				s |= bits[k][code]
			} else if p.agrees(k, p.in(k, n), tolerance) {
				s |= 1 << k
			}
		}
		do(n, s)
	}
}

// ByProbability performs probabilistic record linkage: each of some records of the release is linked to the record of
// the original with the largest weight, under the model estimated from all these pairs. Arguments are those of
// [ByDistance], and the cost is twice its cost.
func ByProbability(ctx context.Context, original, release *Records, records, truth []int32, tolerance float64, rng *rand.Rand) (*Links, *Fellegi, error) {
	columns := len(original.X)
	if columns > MaxAgreements {
		return nil, nil, i18n.New("too many columns for probabilistic record linkage")
	}
	all := groups(original)
	among := newMetric(original, release).among(release, original, firsts(all))
	counted := make([]map[uint32]float64, len(records))
	err := parallel.Do(ctx, len(records), 0, func(ctx context.Context, n int) error {
		counted[n] = map[uint32]float64{}
		few := make([]float64, 1<<min(columns, 8))
		among.from(records[n]).patterns(tolerance, func(g int, s uint32) {
			if x := float64(len(all[g].records)); int(s) < len(few) {
				few[s] += x
			} else {
				counted[n][s] += x
			}
		})
		for s, x := range few {
			if x > 0 {
				counted[n][uint32(s)] = x
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	counts := map[uint32]float64{}
	for _, m := range counted {
		for s, x := range m { // exact in any order, as these are whole numbers
			counts[s] += x
		}
	}
	f := Estimate(counts, columns, 1/float64(original.N))
	weights := make(map[uint32]float64, len(counts))
	for s := range counts {
		weights[s] = f.weight(s)
	}
	l := link(records, truth, func(n int) []int32 {
		best := math.Inf(-1)
		for s := range counted[n] {
			best = max(best, weights[s])
		}
		var likeliest []uint32 // usually one
		for s := range counted[n] {
			if weights[s] >= best-slack {
				likeliest = append(likeliest, s)
			}
		}
		var ties []int32
		among.from(records[n]).patterns(tolerance, func(g int, s uint32) {
			if slices.Contains(likeliest, s) {
				ties = append(ties, all[g].records...)
			}
		})
		return ties
	}, rng)
	return l, f, nil
}
