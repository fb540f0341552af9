package table

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
)

// Flat codes stand side by side, the total before the first.
func TestDistanceCost(t *testing.T) {
	a, b := flat(t, "A", "a", "b", "c", "d", "e", "f", "g"), flat(t, "B", "x", "y")
	tab := build(t, []Dimension{a, b}, rec("a/x", 1), rec("a/y", 1), rec("b/x", 1), rec("b/y", 1), rec("c/x", 1), rec("c/y", 1), rec("g/x", 1), rec("g/y", 1))
	price := func() map[string]int64 {
		must.Do(t, tab.SetDistanceCost([][]int64{{1, 3, 5, 7, 9}, {2, 4}}))
		cost := map[string]int64{}
		for i := range tab.Len() {
			cost[tab.CellName(i)] = tab.Cost[i]
		}
		return cost
	}
	for name, c := range price() {
		if c != 1 {
			t.Errorf("%s costs %d though no cell is sensitive", name, c)
		}
	}
	for i := range tab.Len() {
		if tab.CellName(i) == "a/x" {
			tab.Status[i] = Sensitive
		}
	}
	got := price()
	for name, want := range map[string]int64{"a/x": 1, "a/y": 2, "b/x": 1, "b/y": 3, "c/x": 3, "T/x": 1, "a/T": 2, "T/T": 3, "g/x": 9, "g/y": 11} {
		if got[name] != want {
			t.Errorf("%s costs %d, want %d", name, got[name], want)
		}
	}
	for _, tc := range []struct {
		steps [][]int64
		want  string
	}{
		{[][]int64{{1}}, "table t: distances for 1 dimensions, want 2"},
		{[][]int64{{1}, nil}, "table t: no distances for dimension B"},
		{[][]int64{{1}, {-2}}, "table t: distance -2 of dimension B: want 0 to 10^17"},
	} {
		if err := tab.SetDistanceCost(tc.steps); err == nil || err.Error() != tc.want {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
}

// The cost is the least over all sensitive cells of the sum over dimensions, with
// distances looked up in every node and its children.
func TestDistanceCostOfTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := func(name string) Dimension {
			d := Dimension{Name: name, Codes: []string{name}, Parent: []int32{-1}}
			for c := 1; c < rapid.IntRange(2, 9).Draw(t, "codes"); c++ {
				d.Codes = append(d.Codes, name+string(rune('a'+c)))
				d.Parent = append(d.Parent, int32(rapid.IntRange(0, c-1).Draw(t, "parent")))
			}
			return d
		}
		tab := &Table{Name: "t", Dims: []Dimension{tree("A"), tree("B")}}
		var steps [][]int64
		for range tab.Dims {
			steps = append(steps, rapid.SliceOfN(rapid.Int64Range(0, 9), 1, 5).Draw(t, "steps"))
		}
		for a := range tab.Dims[0].Codes {
			for b := range tab.Dims[1].Codes {
				if rapid.IntRange(0, 3).Draw(t, "there") > 0 {
					tab.Coord = append(tab.Coord, int32(a), int32(b))
					tab.Value, tab.Cost = append(tab.Value, 1), append(tab.Cost, 0)
					tab.Status = append(tab.Status, rapid.SampledFrom([]Status{Safe, Safe, Safe, Sensitive}).Draw(t, "status"))
				}
			}
		}
		if err := tab.SetDistanceCost(steps); err != nil {
			t.Fatal(err)
		}
		step := func(d int, a, b int32) int64 {
			if a == b {
				return 0
			}
			dim := &tab.Dims[d]
			for node := range dim.Codes {
				list := []int32{int32(node)}
				for c, p := range dim.Parent {
					if int(p) == node {
						list = append(list, int32(c))
					}
				}
				at := map[int32]int{}
				for k, c := range list {
					at[c] = k
				}
				x, in := at[a]
				y, too := at[b]
				if in && too {
					return steps[d][min(max(x-y, y-x), len(steps[d]))-1]
				}
			}
			return steps[d][len(steps[d])-1]
		}
		for i := range tab.Len() {
			want := int64(math.MaxInt64)
			for s, st := range tab.Status {
				if st == Sensitive {
					want = min(want, step(0, tab.Coord[2*i], tab.Coord[2*s])+step(1, tab.Coord[2*i+1], tab.Coord[2*s+1]))
				}
			}
			if want == math.MaxInt64 {
				want = 1
			}
			if tab.Cost[i] != max(1, want) {
				t.Fatalf("%s costs %d, want %d", tab.CellName(i), tab.Cost[i], max(1, want))
			}
		}
	})
}
