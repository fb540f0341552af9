package cellkey

import (
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
)

// one is the sum of the probabilities of a row, in units of 10^−18, the unit of cell keys.
const one = recordkey.Modulus

// A Key is the cell key: the sum of the keys of its records, a fraction in units of 10^−18.
type Key = recordkey.Key

// A Table is a perturbation table: for each true value i the probability of each published value j. Values are in units
// of 1/Step, which is 1 for counts.
type Table struct {
	Step int64
	Rows []Row // in ascending I, 0 first; the last row also holds for all larger values
}

// A Row holds the outcomes of one true value.
type Row struct {
	I int64   // whole
	V []int64 // noise, ascending, in units of 1/Step
	// Upper are the cumulative probabilities, in units of 10^−18: a cell gets the first outcome whose Upper exceeds its
	// key. The last is 10^18.
	Upper []uint64
}

// p returns the probability of outcome k, in units of 10^−18.
func (r *Row) p(k int) uint64 {
	if k == 0 {
		return r.Upper[0]
	}
	return r.Upper[k] - r.Upper[k-1]
}

// Chance returns the probability of the noise v.
func (r *Row) Chance(v int64) float64 {
	if k, ok := slices.BinarySearch(r.V, v); ok {
		return float64(r.p(k)) / one
	}
	return 0
}

// noise returns the noise of a cell with this key, in units of 1/Step.
func (r *Row) noise(key Key) int64 {
	k, found := slices.BinarySearch(r.Upper, uint64(key))
	for found && k < len(r.Upper) && r.Upper[k] <= uint64(key) { // equal ones: outcomes of probability 0
		k++
	}
	return r.V[k]
}

// moment returns Σ p v^n, exactly.
func (r *Row) moment(n int) *big.Rat {
	sum := new(big.Int)
	for k, v := range r.V {
		x := new(big.Int).SetUint64(r.p(k))
		for range n {
			x.Mul(x, big.NewInt(v))
		}
		sum.Add(sum, x)
	}
	return new(big.Rat).SetFrac(sum, big.NewInt(one))
}

// Mean returns the exact mean of the noise in row r.
func (t *Table) Mean(r int) *big.Rat {
	return new(big.Rat).Quo(t.Rows[r].moment(1), new(big.Rat).SetInt64(t.Step))
}

// Variance returns the exact variance of the noise in row r, Σ p v² minus the square of the mean.
func (t *Table) Variance(r int) *big.Rat {
	m, v := t.Rows[r].moment(1), t.Rows[r].moment(2)
	v.Sub(v, m.Mul(m, m))
	return v.Quo(v, new(big.Rat).SetInt64(t.Step*t.Step))
}

// of returns the row of a true value ≥ 0.
func (t *Table) of(n int64) *Row {
	k, ok := slices.BinarySearchFunc(t.Rows, n, func(r Row, n int64) int { return int(min(max(r.I-n, -1), 1)) })
	if !ok {
		k--
	}
	return &t.Rows[k]
}

// Count returns n with the noise for a cell key; n ≥ 0, and the table must be one of counts.
func (t *Table) Count(n int64, key Key) int64 { return n + t.of(n).noise(key) }

// deviation returns the largest absolute noise of positive probability.
func (t *Table) deviation() int64 {
	most := int64(0)
	for n := range t.Rows {
		for k, v := range t.Rows[n].V {
			if t.Rows[n].p(k) > 0 {
				most = max(most, v, -v)
			}
		}
	}
	return most
}

// Preimage returns the least and greatest true count that may be published as n; ok is false if there is none.
func (t *Table) Preimage(n int64) (lo, hi int64, ok bool) {
	d := t.deviation()
	for y := max(0, n-d); y <= n+d; y++ {
		if t.of(y).Chance(n-y) > 0 {
			if !ok {
				lo, ok = y, true
			}
			hi = y
		}
	}
	return lo, hi, ok
}

// check reports an invalid table of counts, or of magnitudes.
func (t *Table) check(counts bool) error {
	if len(t.Rows) < 2 || t.Rows[0].I != 0 {
		return i18n.Errorf("want rows of i = 0, 1, ... up to one that holds for all larger values")
	}
	for n := range t.Rows {
		r := &t.Rows[n]
		if counts && r.I != int64(n) {
			return i18n.Errorf("no row of i = %d", n)
		}
		for k, v := range r.V {
			if r.I*t.Step+v < 0 && r.p(k) > 0 {
				return i18n.Errorf("row i = %d: noise %d makes it negative", r.I, v)
			}
		}
	}
	if r := &t.Rows[0]; len(r.V) != 1 || r.V[0] != 0 {
		return i18n.Errorf("row i = 0: cells without records have no key, so they stay 0")
	}
	return nil
}
