package risk

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Transition is PRAM of one column by a matrix: value Before[u] becomes After[j] with probability Chances[u][j].
type Transition struct {
	Column string
	Before []string // values before; they must include all values of the file
	After  []string
	// Declared says that Before and After are text to be converted to the file's encoding; otherwise they are bytes of
	// the file.
	Declared bool
	Chances  Matrix // the common denominator of each row must be below 2^63
}

func (x *Transition) check() error {
	err := x.Chances.Check()
	switch {
	case err != nil:
	case len(x.Before) != len(x.Chances) || len(x.After) != len(x.Chances[0]):
		err = i18n.Errorf("%d values before and %d after, for a matrix of %d × %d", len(x.Before), len(x.After), len(x.Chances), len(x.Chances[0]))
	default:
		for u := range x.Chances {
			if _, ok := cumulated(x.Chances[u]); !ok {
				err = i18n.Errorf("value %q: the common denominator of its chances is 2^63 or more", x.Before[u])
			}
		}
	}
	if err != nil {
		return i18n.Errorf("column %s: %w", x.Column, err)
	}
	return nil
}

// cumulated returns the cumulative sums of a row of probabilities times their common denominator, which is the last
// sum.
func cumulated(row []*big.Rat) (sums []uint64, ok bool) {
	common := commonDenominator(row)
	if !common.IsInt64() {
		return nil, false
	}
	sum := uint64(0)
	for _, x := range row {
		n := new(big.Int).Quo(common, x.Denom())
		sum += n.Mul(n, x.Num()).Uint64()
		sums = append(sums, sum)
	}
	return sums, true
}

func commonDenominator(row []*big.Rat) *big.Int {
	common := big.NewInt(1)
	for _, x := range row {
		g := new(big.Int).GCD(nil, nil, common, x.Denom())
		common.Mul(common, new(big.Int).Quo(x.Denom(), g))
	}
	return common
}

// A transiter applies a Transition to a file: a uniform integer below the common denominator is compared with the
// cumulative sums of the row to choose the new value.
type transiter struct {
	*Transition
	index map[string]int
	texts [][]byte
	sums  [][]uint64
}

func (x *transiter) begin(f *file) (err error) {
	if x.index, _, err = f.spell(x.Column, x.Before, x.Declared); err != nil {
		return err
	}
	if _, x.texts, err = f.spell(x.Column, x.After, x.Declared); err != nil {
		return err
	}
	for _, row := range x.Chances {
		sums, _ := cumulated(row)
		x.sums = append(x.sums, sums)
	}
	return nil
}

func (x *transiter) change(r *record, v []byte, rng *rand.Rand) ([]byte, error) {
	u, err := r.among(x.index, x.Column, v, x.Declared)
	if err != nil {
		return nil, err
	}
	sums := x.sums[u]
	z := rng.Uint64N(sums[len(sums)-1])
	j, found := slices.BinarySearch(sums, z)
	if found {
		for j++; sums[j] == z; j++ {
		}
	}
	return x.texts[j], nil
}

// Proportional returns the matrix of retention–replacement in which a value that is not kept is replaced by the value
// of a randomly drawn record:
//
//	A[u][v] = (1−ρ)·t_v/n + ρ (u = v)
//
// for t_v of n records with value v. It is invariant: the expected number of records with each value is that in the
// file, tA = t. Every value must have a record. Source: Gouweleeuw, Kooiman, Willenborg and de Wolf, Post randomisation
// for statistical disclosure control (J. Official Statistics 1998), section 3.2.
func Proportional(rho *big.Rat, t []int64) Matrix {
	n := int64(0)
	for _, x := range t {
		n += x
	}
	rest := new(big.Rat).Sub(num.One, rho)
	a := make(Matrix, len(t))
	for u := range t {
		for v, x := range t {
			y := new(big.Rat).Mul(rest, big.NewRat(x, n))
			if u == v {
				y.Add(y, rho)
			}
			a[u] = append(a[u], y)
		}
	}
	return a
}

// Invariant makes an invariant matrix A·Q from a matrix a and the numbers t_u of records with each value, where
//
//	Q[j][v] = A[v][j]·t_v / Σ_w A[w][j]·t_w :
//
// turns each result back into the values it may have come from, in proportion to their probabilities. tAQ = t up to
// rounding of the probabilities to multiples of 2^−48, which can be drawn exactly; columns that no value reaches, and
// rows of values without records, do not matter. Source: as [Proportional], the two-stage method.
func Invariant(a Matrix, t []int64) Matrix { return rounded(invariant(a, t)) }

// invariant is Invariant before rounding: tAQ = t holds exactly.
func invariant(a Matrix, t []int64) Matrix {
	q := make(Matrix, len(a[0])) // nil: not reached
	for j := range q {
		sum := new(big.Rat)
		for w := range a {
			sum.Add(sum, new(big.Rat).Mul(a[w][j], num.Whole(t[w])))
		}
		if sum.Sign() == 0 {
			continue
		}
		for v := range a {
			x := new(big.Rat).Mul(a[v][j], num.Whole(t[v]))
			q[j] = append(q[j], x.Quo(x, sum))
		}
	}
	r := make(Matrix, len(a))
	for u := range a {
		lost := new(big.Rat)
		for range a {
			r[u] = append(r[u], new(big.Rat))
		}
		for j, x := range a[u] {
			if q[j] == nil {
				lost.Add(lost, x)
				continue
			}
			for v := range a {
				r[u][v].Add(r[u][v], new(big.Rat).Mul(x, q[j][v]))
			}
		}
		r[u][u].Add(r[u][u], lost) // for values without records, which are never drawn
	}
	return r
}

// roundedBits sets the denominator of rounded, 2^roundedBits.
const roundedBits = 48

// rounded rounds the probabilities of a matrix to multiples of 2^−48 that add up to 1, so that they can be drawn
// exactly: downwards but never to 0; what is missing is added to the largest. Each differs from that of a by less than
// V·2^−48.
func rounded(a Matrix) Matrix {
	unit := new(big.Int).Lsh(big.NewInt(1), roundedBits)
	r := make(Matrix, len(a))
	for u, row := range a {
		rest := new(big.Int).Set(unit)
		largest := 0
		for j, x := range row {
			n := new(big.Int).Mul(x.Num(), unit)
			n.Quo(n, x.Denom())
			if n.Sign() == 0 && x.Sign() > 0 {
				n.SetInt64(1)
			}
			rest.Sub(rest, n)
			r[u] = append(r[u], new(big.Rat).SetFrac(n, unit))
			if x.Cmp(row[largest]) > 0 {
				largest = j
			}
		}
		r[u][largest].Add(r[u][largest], new(big.Rat).SetFrac(rest, unit))
	}
	return r
}
