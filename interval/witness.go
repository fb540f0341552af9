package interval

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/rational"
	"github.com/hitoku/hitoku/table"
)

// A Witness is one table y = Num/Den (units of 10^−Decimals) over all cells, or y = Wide
// where 64 bits do not hold it; then Num is nil, Den 0.
type Witness struct {
	Num  []int64
	Den  int64
	Wide *rational.Vector
}

// At returns y_i.
func (w *Witness) At(i int) *big.Rat { return (*intruder.Values)(w).At(i) }

// Check verifies by integer arithmetic that w satisfies everything published of
// t: the relations, the values of cells that are not withheld, and the intruder's
// bounds.
func (w *Witness) Check(t *table.Table, withheld []bool) error {
	return (*intruder.Values)(w).Check(t, withheld)
}
