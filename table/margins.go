package table

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/i18n"
)

// marginDegree returns the number of dimensions in which cell i is a margin, that is, in which its code has codes below
// it. leaves is t.Leaves().
func (t *Table) marginDegree(i int, leaves [][]bool) int {
	n, k := 0, len(t.Dims)
	for d := range k {
		if !leaves[d][t.Coord[i*k+d]] {
			n++
		}
	}
	return n
}

// WeighMargins multiplies the cost of every cell by f^k, where k is the number of dimensions in which the cell is a
// margin. It is exact: costs get as many more decimals as they need. f must be above 0. If a cost would exceed 18
// digits, it fails and leaves t as it was.
func (t *Table) WeighMargins(f Decimal) error {
	leaves := t.Leaves()
	degree, most := make([]int, t.Len()), 0
	for i := range degree {
		degree[i] = t.marginDegree(i, leaves)
		most = max(most, degree[i])
	}
	decimals := t.CostDecimals + most*f.Scale
	if decimals > MaxDecimals {
		return i18n.Errorf("table %s: margins in %d dimensions times %s: more than %d decimals", t.Name, most, f, MaxDecimals)
	}
	cost := make([]int64, t.Len())
	for i, c := range t.Cost {
		v := big.NewInt(c)
		for range degree[i] {
			v.Mul(v, big.NewInt(f.Unscaled))
		}
		v.Mul(v, big.NewInt(Pow10((most-degree[i])*f.Scale)))
		if !v.IsInt64() || v.Int64() > maxMagnitude {
			return i18n.Errorf("table %s: cell %s: its cost times %s to the power %d does not fit in 18 digits", t.Name, t.CellName(i), f, degree[i])
		}
		cost[i] = v.Int64()
	}
	t.Cost, t.CostDecimals = cost, decimals
	return nil
}

// UnweighedCost returns Σ cost over the safe cells of pattern before WeighMargins(f), in units of 10^−CostDecimals.
func (t *Table) UnweighedCost(f Decimal, pattern []bool) *big.Rat {
	leaves := t.Leaves()
	by := new(big.Rat).SetFrac(big.NewInt(Pow10(f.Scale)), big.NewInt(f.Unscaled))
	sum := new(big.Rat)
	for i, in := range pattern {
		if !in || t.Status[i] != Safe {
			continue
		}
		v := new(big.Rat).SetInt64(t.Cost[i])
		for range t.marginDegree(i, leaves) {
			v.Mul(v, by)
		}
		sum.Add(sum, v)
	}
	return sum
}
