package table

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/i18n"
)

// WeighCells multiplies the cost of cell i by of(i), exactly: costs get as many more decimals as they need. If a cost
// would exceed 18 digits or be negative, it fails and leaves t as it was.
func (t *Table) WeighCells(of func(i int) Decimal) error {
	most := 0
	for i := range t.Len() {
		most = max(most, of(i).Scale)
	}
	if t.CostDecimals+most > MaxDecimals {
		return i18n.Errorf("table %s: costs of more than %d decimals", t.Name, MaxDecimals)
	}
	cost := make([]int64, t.Len())
	for i, c := range t.Cost {
		f := of(i)
		v := new(big.Int).Mul(big.NewInt(c), big.NewInt(f.Unscaled))
		v.Mul(v, big.NewInt(Pow10(most-f.Scale)))
		if v.Sign() < 0 || !v.IsInt64() || v.Int64() > maxMagnitude {
			return i18n.Errorf("table %s: cell %s: its cost times %s does not fit in 18 digits", t.Name, t.CellName(i), f)
		}
		cost[i] = v.Int64()
	}
	t.Cost, t.CostDecimals = cost, t.CostDecimals+most
	return nil
}

// TotalCost returns the sum of all costs, in units of 10^−CostDecimals. It fails if that exceeds 2^62, so that sums and
// differences of costs of any cells fit 64 bits.
func (t *Table) TotalCost() (int64, error) {
	sum := new(big.Int)
	for _, w := range t.Cost {
		sum.Add(sum, big.NewInt(w))
	}
	if !sum.IsInt64() || sum.Int64() > 1<<62 {
		return 0, i18n.Errorf("the costs add up to %s, want at most 18 digits; scale them down", FormatRat(new(big.Rat).SetInt(sum), t.CostDecimals))
	}
	return sum.Int64(), nil
}
