package render

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/table"
)

type Exact = document.Exact

// Decimal returns v·10^−scale, empty if it is infinite.
func Decimal(v int64, scale int) Exact {
	if v == table.PosInf || v == table.NegInf {
		return ""
	}
	return Exact(table.FormatDecimal(v, scale))
}

// Ratio returns r·10^−scale, empty for nil.
func Ratio(r *big.Rat, scale int) Exact {
	if r == nil {
		return ""
	}
	return Exact(table.FormatRat(r, scale))
}

// Value returns the value of cell i, empty if it is not known.
func Value(t *table.Table, i int) Exact {
	if !t.Known(i) {
		return ""
	}
	return Decimal(t.Value[i], t.Decimals)
}
