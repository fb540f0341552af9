package partial_test

import (
	"context"
	"testing"

	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/table"
)

// TestFarEnds takes tables in which a level asks for fractions of long numbers, values fill half of what a number holds, or a width costs nothing: what floating
// point makes of them is far off, and may be more than a number holds.
func TestFarEnds(t *testing.T) {
	t.Parallel()
	type cell struct{ value, cost, lpl, upl, spl int64 }
	type sum struct {
		cell, coef []int32
	}
	for _, c := range []struct {
		name      string
		cells     []cell // with a level: sensitive
		rels      []sum
		strict    bool
		sensitive int
	}{
		{"chain", []cell{{value: 3, cost: 20000}, {cost: 1}, {3, 1e8, 0, 0, 0}, {2, 7, 0, 0, 0}, {2, 4e8, 0, 0, 0}, {0, 7e6, 0, 0, 0}, {3, 5e9, 0, 0, 0}, {2, 4e9, 0, 166670, 0}}, []sum{
			{[]int32{0, 1, 2}, []int32{1021, -1031, -1031}}, {[]int32{1, 2, 3}, []int32{1009, -1031, -997}}, {[]int32{2, 3}, []int32{1013, -1013}},
			{[]int32{3, 4}, []int32{997, -1019}}, {[]int32{4, 5}, []int32{1009, -1013}}, {[]int32{5, 6}, []int32{997, -1013}}, {[]int32{6, 7}, []int32{1019, -1013}}}, false, 7},
		{"held", []cell{{cost: 1}, {5e13, 1, 32086144684063, 0, 0}, {value: 5e13, cost: 1}}, []sum{{[]int32{0}, []int32{-11}}, {[]int32{2, 0, 1}, []int32{1, -1, -1}}}, false, 1},
		{"free", []cell{{cost: 1}, {}, {cost: 1}}, []sum{{[]int32{0, 1}, []int32{13, -3}}, {[]int32{1, 2}, []int32{1, -1}}}, true, 0},
		{"less than a unit more", []cell{{value: 11, cost: 1}, {value: 20, cost: 1}, {value: 19, cost: 1}, {cost: 1}, {cost: 1}, {cost: 1, spl: 11}}, []sum{{[]int32{0, 1}, []int32{1009, -1019}},
			{[]int32{1, 2}, []int32{1031, -1009}}, {[]int32{2, 3}, []int32{1009, 997}}, {[]int32{3, 4}, []int32{997, -997}}, {[]int32{4, 5}, []int32{1019, -997}}}, true, 5},
		{"dear", []cell{{value: 1, cost: 1, spl: 1}, {cost: 1}, {cost: 5e10}}, []sum{{[]int32{0, 1}, []int32{1, -1}}, {[]int32{1, 2}, []int32{97, -1}}}, false, 0},
	} {
		n := len(c.cells)
		tab := &table.Table{Name: c.name, Strict: c.strict, Value: make([]int64, n), Cost: make([]int64, n), Status: make([]table.Status, n), LPL: make([]int64, n), UPL: make([]int64, n),
			Width: make([]int64, n), Lower: make([]int64, n), Upper: make([]int64, n), Rel: table.NewRelations(n)}
		for i, v := range c.cells {
			tab.Value[i], tab.Cost[i], tab.LPL[i], tab.UPL[i], tab.Width[i], tab.Upper[i] = v.value, v.cost, v.lpl, v.upl, v.spl, table.PosInf
		}
		tab.Status[c.sensitive] = table.Sensitive
		for _, r := range c.rels {
			rhs := int64(0)
			for e, i := range r.cell {
				rhs += int64(r.coef[e]) * tab.Value[i]
			}
			tab.Rel.Add(r.cell, r.coef, rhs)
		}
		s, err := partial.Suppress(context.Background(), tab, &partial.Options{Ends: partial.Ends{Plain: true}, Absolute: true})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		holds(t, tab, s)
	}
}
