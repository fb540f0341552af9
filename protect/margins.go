package protect

import (
	"math/big"

	"github.com/hitoku/hitoku/table"
)

// WeightedMargins are what the weight of margins did: cost and bound of the solution are of the weighted
// costs, which the search minimises.
type WeightedMargins struct {
	Factor   table.Decimal
	Cost     *big.Rat // of the pattern without the factor, in units of 10^−CostDecimals
	Withheld int      // secondary cells that are margins
}

// weighed tells of the margins among the secondary cells of pattern.
func weighed(f table.Decimal, t *table.Table, pattern []bool) *WeightedMargins {
	w := &WeightedMargins{Factor: f, Cost: t.UnweighedCost(f, pattern)}
	leaves := t.Leaves()
	for i, in := range pattern[:t.Len()/max(1, t.Layers)] {
		if in && t.Status[i] == table.Safe && t.IsMargin(i, leaves) {
			w.Withheld++
		}
	}
	return w
}
