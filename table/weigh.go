package table

import (
	"fmt"
	"math/big"
)

// WeighCells multiplies the cost of cell i by of(i), exactly: costs get as many more decimals as that takes. It fails,
// leaving t as it was, where a cost would leave 18 digits or be below 0.
func (t *Table) WeighCells(of func(i int) Decimal) error {
	most := 0
	for i := range t.Len() {
		most = max(most, of(i).Scale)
	}
	if t.CostDecimals+most > MaxDecimals {
		return fmt.Errorf("table %s: costs of more than %d decimals", t.Name, MaxDecimals)
	}
	cost := make([]int64, t.Len())
	for i, c := range t.Cost {
		f := of(i)
		v := new(big.Int).Mul(big.NewInt(c), big.NewInt(f.Unscaled))
		v.Mul(v, big.NewInt(Pow10(most-f.Scale)))
		if v.Sign() < 0 || !v.IsInt64() || v.Int64() > maxMagnitude {
			return fmt.Errorf("table %s: cell %s: its cost times %s does not fit in 18 digits", t.Name, t.CellName(i), f)
		}
		cost[i] = v.Int64()
	}
	t.Cost, t.CostDecimals = cost, t.CostDecimals+most
	return nil
}
