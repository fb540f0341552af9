package table

import (
	"fmt"
	"math/big"
)

// TotalCost returns the sum of all costs, in units of 10^−CostDecimals. It fails where
// that is above 2^62, so that sums and differences of costs of any cells fit 64 bits.
func (t *Table) TotalCost() (int64, error) {
	sum := new(big.Int)
	for _, w := range t.Cost {
		sum.Add(sum, big.NewInt(w))
	}
	if !sum.IsInt64() || sum.Int64() > 1<<62 {
		return 0, fmt.Errorf("the costs add up to %s, want at most 18 digits; scale them down", FormatRat(new(big.Rat).SetInt(sum), t.CostDecimals))
	}
	return sum.Int64(), nil
}
