package table

import (
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// Costs are multiplied once for each dimension in which a cell is a margin, exactly,
// and divided again.
func TestWeighMargins(t *testing.T) {
	var dims []Dimension
	for _, name := range []string{"x", "y"} {
		d := must.Get(NewDimension(name, "T", []Edge{{Code: "a", Parent: "T"}, {Code: "b", Parent: "T"}, {Code: "a1", Parent: "a"}, {Code: "a2", Parent: "a"}}))(t)
		dims = append(dims, d)
	}
	var records []Record
	for _, x := range []string{"a1", "a2", "b"} {
		for _, y := range []string{"a1", "a2", "b"} {
			records = append(records, Record{Codes: []string{x, y}, Value: Num(35, 1)})
		}
	}
	tab := must.Get(Build("t", dims, records, false))(t)
	margin := map[string]bool{"T": true, "a": true}
	old, leaves := tab.Clone(), tab.Leaves()
	f := Decimal{Unscaled: 125, Scale: 2}
	must.Do(t, tab.WeighMargins(f))
	if tab.CostDecimals != old.CostDecimals+4 {
		t.Errorf("%d decimals", tab.CostDecimals)
	}
	pattern, want := make([]bool, tab.Len()), new(big.Rat)
	for i := range tab.Len() {
		c, k := big.NewRat(old.Cost[i]*Pow10(4), 1), 0
		for d := range dims {
			if margin[dims[d].Codes[tab.Coord[2*i+d]]] {
				c.Mul(c, big.NewRat(5, 4))
				k++
			}
		}
		if c.Cmp(big.NewRat(tab.Cost[i], 1)) != 0 || tab.marginDegree(i, leaves) != k {
			t.Errorf("cell %s: cost %d, want %s", tab.CellName(i), tab.Cost[i], c)
		}
		if pattern[i] = i%3 > 0; pattern[i] {
			want.Add(want, big.NewRat(old.Cost[i]*Pow10(4), 1))
		}
	}
	if got := tab.UnweighedCost(f, pattern); got.Cmp(want) != 0 {
		t.Errorf("without the factor %s, want %s", got, want)
	}
	before := tab.Cost[0]
	if err := tab.WeighMargins(Decimal{Unscaled: 1e17}); err == nil || tab.Cost[0] != before {
		t.Errorf("out of range: %v", err)
	}
}
