package guard

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/table"
)

// cube draws a table of three variables, the first with a tree of two codes a parent, of which some cells are withheld, half of them sensitive.
func cube(t *testing.T, rng *rand.Rand) (*table.Table, []bool) {
	t.Helper()
	trees := [][]table.Edge{{{Code: "a", Parent: "Total"}, {Code: "b", Parent: "Total"}, {Code: "a1", Parent: "a"}, {Code: "a2", Parent: "a"}, {Code: "b1", Parent: "b"}, {Code: "b2", Parent: "b"}},
		{{Code: "x", Parent: "Total"}, {Code: "y", Parent: "Total"}, {Code: "z", Parent: "Total"}, {Code: "w", Parent: "Total"}}}
	if rng.IntN(2) == 0 {
		trees = append(trees, []table.Edge{{Code: "1", Parent: "Total"}, {Code: "2", Parent: "Total"}})
	}
	var dims []table.Dimension
	for d, codes := range trees {
		dim := must.Get(table.NewDimension(string(rune('P'+d)), "Total", codes))(t)
		dims = append(dims, dim)
	}
	var records []table.Record
	var fill func(codes []string, d int)
	fill = func(codes []string, d int) {
		if d == len(dims) {
			records = append(records, table.Record{Codes: slices.Clone(codes), Value: table.Num(1+rng.Int64N(50), 0)})
			return
		}
		for c, leaf := range dims[d].Leaves() {
			if leaf {
				fill(append(codes, dims[d].Codes[c]), d+1)
			}
		}
	}
	fill(nil, 0)
	s := must.Get(table.Build("cube", dims, records, true))(t)
	withheld := make([]bool, s.Len())
	for range 1 + rng.IntN(3) { // products of some codes of a family in each variable, which can move
		pick := make([][]int32, len(dims))
		for d := range dims {
			var family []int32
			top := rng.IntN(len(dims[d].Codes))
			for c, up := range dims[d].Parent {
				if int(up) == top || c == top {
					family = append(family, int32(c))
				}
			}
			rng.Shuffle(len(family), func(a, b int) { family[a], family[b] = family[b], family[a] })
			pick[d] = family[:min(len(family), 2+rng.IntN(2))]
		}
		for i := range withheld {
			in := true
			for d := range dims {
				in = in && slices.Contains(pick[d], s.Coord[i*len(dims)+d])
			}
			withheld[i] = withheld[i] || in
		}
	}
	for i, in := range withheld {
		if in && rng.IntN(2) == 0 {
			s.Status[i] = table.Sensitive
		}
	}
	return s, withheld
}

// The sets found are those whose sum is 0 on a rational basis of the kernel, each without a known sum within, of all subsets of the withheld cells.
func TestUnionsAcrossBruteForce(t *testing.T) {
	t.Parallel()
	several, sizes := 0, map[int]int{}
	for seed := range uint64(400) {
		s, withheld := cube(t, rand.New(rand.NewPCG(seed, 11)))
		var cells []int32
		for i, in := range withheld {
			if in {
				cells = append(cells, int32(i))
			}
		}
		if len(cells) > 14 {
			continue
		}
		f := must.Get(nullspace.New(s.Rel, cells, s.Value, nil, nil))(t)
		kernel := f.Kernel()
		known := func(set int) bool {
			for _, z := range kernel {
				sum := new(big.Int)
				for k := range cells {
					if set>>k&1 == 1 {
						sum.Add(sum, z[k])
					}
				}
				if sum.Sign() != 0 {
					return false
				}
			}
			return true
		}
		want := map[string]bool{}
		var all []int
		for size := 1; size <= 4; size++ {
			for set := 1; set < 1<<len(cells); set++ {
				if bits.OnesCount(uint(set)) != size {
					continue
				}
				var of []int32
				sensitive := false
				for k, i := range cells {
					if set>>k&1 == 1 {
						of = append(of, i)
						sensitive = sensitive || s.Status[i] == table.Sensitive
					}
				}
				if slices.ContainsFunc(all, func(part int) bool { return part&set == part }) || !known(set) {
					continue
				}
				all = append(all, set)
				if size > 1 && sensitive {
					want[fmt.Sprint(of)] = true
					sizes[size]++
					if !oneRelation(s, of) {
						several++
					}
				}
			}
		}
		got, complete, err := unionsAcross(t.Context(), s, withheld, 4)
		if err != nil || !complete {
			t.Fatal(complete, err)
		}
		seen := map[string]bool{}
		for _, set := range got {
			slices.Sort(set)
			key := fmt.Sprint(set)
			if seen[key] || !want[key] {
				t.Errorf("seed %d: %s is found, twice %v", seed, key, seen[key])
			}
			seen[key] = true
		}
		if len(seen) != len(want) {
			t.Errorf("seed %d: %d sums are known, %d found", seed, len(want), len(seen))
		}
	}
	if several < 15 || sizes[2] == 0 || sizes[3] == 0 {
		t.Errorf("known sums by size %v, %d of several relations: the test tells nothing", sizes, several)
	}
}

// oneRelation says that cells are parts of one relation.
func oneRelation(s *table.Table, cells []int32) bool {
	for j := range s.Rel.Len() {
		row, coef := s.Rel.Row(j)
		if !slices.ContainsFunc(cells, func(i int32) bool {
			e := slices.Index(row, i)
			return e < 0 || coef[e] != s.PartSign(j)
		}) {
			return true
		}
	}
	return false
}

// A sum found is disclosed by the exact intervals, whatever is withheld, and publishing a cell leaves every sum known of which it is none.
func TestUnionsAcrossProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s, withheld := cube(t, rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 13)))
		sets, complete, err := unionsAcross(t.Context(), s, withheld, 3)
		if err != nil || !complete {
			r.Fatal(complete, err)
		}
		var all []table.Union
		for _, set := range sets[:min(len(sets), 5)] {
			u := table.Union{Relation: -1, Cells: set, Width: 1}
			for _, i := range set {
				u.Value += s.Value[i]
			}
			all = append(all, u)
		}
		cells, err := unionCells(t.Context(), s, withheld, all, nil)
		if err != nil {
			r.Fatal(err)
		}
		for k := range cells {
			if !cells[k].Disclosed {
				r.Fatalf("the sum of %v is from %v to %v", all[k].Cells, cells[k].Lo, cells[k].Hi)
			}
		}
		if len(all) == 0 {
			return
		}
		fewer := slices.Clone(withheld)
		out := rapid.IntRange(0, s.Len()-1).Draw(r, "published")
		fewer[out] = false
		if slices.Contains(all[0].Cells, int32(out)) {
			return
		}
		if cells, err = unionCells(t.Context(), s, fewer, all[:1], nil); err != nil || !cells[0].Disclosed {
			r.Fatalf("the sum of %v is no longer known, %v", all[0].Cells, err)
		}
	})
}
