package protection

import (
	"slices"
	"testing"

	"github.com/hitoku/hitoku/table"
)

// TestAtMost lays out remainders behind the cells of a table and, in a stack, behind those of each layer, where they
// are bounded if that layer has the pair.
func TestAtMost(t *testing.T) {
	one := func(values ...int64) *table.Table {
		dim := table.Dimension{Name: "A", Codes: []string{"Total"}, Parent: []int32{-1}}
		var records []table.Record
		for k, v := range values {
			code := string(rune('a' + k))
			dim.Codes, dim.Parent = append(dim.Codes, code), append(dim.Parent, 0)
			records = append(records, table.Record{Codes: []string{code}, Value: table.Num(v, 0)})
		}
		tab, err := table.Build("t", []table.Dimension{dim}, records, false)
		if err != nil {
			t.Fatal(err)
		}
		return tab
	}
	first, second := one(3, 9, 5), one(7, 2, 1)
	first.Freq, first.Rounding = []int64{1, 2, 3, 6}, []int64{0, 5, 2, 0}
	second.Freq, second.Rounding = []int64{1, 2, 3, 6}, []int64{0, 0, 0, 0}
	if slices.Contains(first.Value[:3], 17) || first.Value[3] != 17 {
		t.Fatalf("values %v: the total is not last", first.Value)
	}

	w := AtMost(first, [][2]int{{0, 1}, {2, 1}})
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.Value, []int64{3, 9, 5, 17, 6, 4}) || !slices.Equal(w.Freq, []int64{1, 2, 3, 6, 0, 0}) || !slices.Equal(w.Rounding, []int64{0, 5, 2, 0, 5, 7}) || !w.Rel.Holds(w.Value) || w.Rel.Len() != first.Rel.Len()+2 {
		t.Errorf("values %v, contributors %v, rounding %v, %d relations", w.Value, w.Freq, w.Rounding, w.Rel.Len())
	}
	for _, rest := range []int{4, 5} {
		if w.Status[rest] != table.Withheld || w.Cost[rest] != 0 || w.Lower[rest] != 0 || w.Upper[rest] != table.PosInf {
			t.Errorf("remainder %d: status %s, cost %d, in %s", rest, w.Status[rest], w.Cost[rest], w.Box(rest))
		}
	}
	if got := WithoutRemainders(first, []bool{true, false, false, true, true, true}); !slices.Equal(got, []bool{true, false, false, true}) {
		t.Errorf("without remainders: %v", got)
	}
	if first.Len() != 4 || first.Rel.Len() != 1 || !slices.Equal(first.Freq, []int64{1, 2, 3, 6}) {
		t.Error("the table itself has changed")
	}
	if w := AtMost(first, [][2]int{{1, 0}}); w.Validate() == nil {
		t.Error("values that contradict a pair are valid")
	}

	stack, err := table.Stack("s", []string{"x", "y"}, []*table.Table{first, second})
	if err != nil {
		t.Fatal(err)
	}
	w = AtMost(stack, [][2]int{{0, 1}, {4 + 2, 4 + 0}})
	if err := w.Validate(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.Value, []int64{3, 9, 5, 17, 6, -2, 7, 2, 1, 10, -5, 6}) || !w.Rel.Holds(w.Value) {
		t.Errorf("values of the stack: %v", w.Value)
	}
	if lower := []int64{w.Lower[4], w.Lower[5], w.Lower[10], w.Lower[11]}; !slices.Equal(lower, []int64{0, table.NegInf, table.NegInf, 0}) {
		t.Errorf("lower ends of the remainders of the stack: %v", lower)
	}
	marks := slices.Repeat([]bool{true, false, false, false, true, true}, 2)
	if got := WithoutRemainders(stack, marks); !slices.Equal(got, slices.Repeat([]bool{true, false, false, false}, 2)) {
		t.Errorf("without the remainders of the stack: %v", got)
	}
}
