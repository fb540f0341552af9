package interval

import (
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Witness is one table y = Num/Den (units of 10^−Decimals) over all cells, or y = Wide if it does not fit 64 bits;
// then Num is nil and Den 0.
type Witness struct {
	Num  []int64
	Den  int64
	Wide *rational.Vector
}

// At returns y_i.
func (w *Witness) At(i int) *big.Rat { return (*oracle.Values)(w).At(i) }

// Check verifies by integer arithmetic that w satisfies everything published of t: the relations, the values of
// published cells (within their rounding), and the intruder's bounds.
func (w *Witness) Check(t *table.Table, withheld []bool) error {
	if t.Rounded() {
		open, hidden, by, err := t.Opened(withheld, false)
		if err != nil {
			return err
		}
		return w.times(by, 1).Check(open, hidden)
	}
	return (*oracle.Values)(w).Check(t, withheld)
}

// times returns w·num/den, nil for nil.
func (w *Witness) times(num, den int64) *Witness {
	if w == nil || num == den {
		return w
	}
	y := &rational.Vector{Den: new(big.Int)}
	if w.Wide != nil {
		y.Num, y.Den = slices.Clone(w.Wide.Num), y.Den.Set(w.Wide.Den)
	} else {
		y.Den.SetInt64(w.Den)
		y.Num = sets.Each(w.Num, big.NewInt)
	}
	for i, v := range y.Num {
		if v != nil {
			y.Num[i] = new(big.Int).Mul(v, big.NewInt(num))
		}
	}
	y.Den.Mul(y.Den, big.NewInt(den))
	return (*Witness)(oracle.NewValues(y))
}
