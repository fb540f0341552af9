package table

import "testing"

// How many contribute to a sum of cells has nothing to do with the signs of what they bring.
func TestUnionsBelowZero(t *testing.T) {
	tab := &Table{Name: "t", Value: []int64{-104, -130, -24, 50}, Freq: []int64{11, 1, 1, 9}, Status: []Status{Safe, Sensitive, Sensitive, Safe},
		Cost: make([]int64, 4), LPL: make([]int64, 4), UPL: make([]int64, 4), Width: make([]int64, 4), Rel: NewRelations(4),
		Lower: []int64{-400, -400, -400, -400}, Upper: []int64{PosInf, PosInf, PosInf, PosInf}}
	tab.Rel.Add([]int32{0, 1, 2, 3}, []int32{-1, 1, 1, 1}, 0)
	tab.Rel.Margin = []int32{0}
	withheld := []bool{false, true, true, false}
	for _, x := range []struct {
		rules *Rules
		want  int
	}{
		{&Rules{MinFreq: []MinFreq{{M: 3}}}, 1},
		{&Rules{MinFreq: []MinFreq{{M: 2}}}, 0},
	} {
		found, _, err := tab.SensitiveUnions(t.Context(), x.rules, withheld, UnionOptions{Size: 2})
		if err != nil || len(found) != x.want {
			t.Errorf("fewer than %d: %d unions (%v), want %d", x.rules.MinFreq[0].M, len(found), err, x.want)
		}
	}
}
