package table

import "testing"

func TestUnit(t *testing.T) {
	for _, x := range []struct {
		decimals int
		values   []int64
		missing  []bool
		want     int64
	}{
		{0, []int64{10, 20}, nil, 1},
		{2, []int64{1200, -300, 0}, nil, 100},
		{2, []int64{1200, 350}, nil, 10},
		{2, []int64{1200, 351}, nil, 1},
		{2, []int64{1200, 351}, []bool{false, true}, 100},
	} {
		tab := &Table{Decimals: x.decimals, Value: x.values, Missing: x.missing}
		if got := tab.Unit(); got != x.want {
			t.Errorf("%+v: %d", x, got)
		}
	}
}
