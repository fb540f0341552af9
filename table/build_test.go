package table

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
)

func flat(t testing.TB, name string, leaves ...string) Dimension {
	t.Helper()
	return must.Get(FlatDimension(name, "T", leaves))(t)
}

// rec is a record of codes "r/a" with a whole value.
func rec(codes string, v int64) Record {
	return Record{Codes: strings.Split(codes, "/"), Value: Num(v, 0)}
}

func build(t testing.TB, dims []Dimension, recs ...Record) *Table {
	t.Helper()
	for i := range recs {
		recs[i].Line = i + 2
	}
	return must.Get(Build("t", dims, recs, true))(t)
}

func cellNames(t *Table) []string {
	var s []string
	for i := range t.Len() {
		s = append(s, t.CellName(i)+"="+FormatDecimal(t.Value[i], t.Decimals))
	}
	return s
}

func relationNames(t *Table) []string {
	var s []string
	for j := range t.Rel.Len() {
		s = append(s, t.RelationName(j).String())
	}
	return s
}

func TestBuildComputesMargins(t *testing.T) {
	tab := build(t, []Dimension{flat(t, "R", "r", "s"), flat(t, "C", "a", "b")}, rec("r/a", 1), rec("r/b", 2), rec("s/a", 4))
	if d := cmp.Diff([]string{"r/a=1", "r/b=2", "s/a=4", "T/a=5", "T/b=2", "r/T=3", "s/T=4", "T/T=7"}, cellNames(tab)); d != "" {
		t.Errorf("cells (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"T/a = sum over R", "T/b = sum over R", "T/T = sum over R", "r/T = sum over C", "s/T = sum over C", "T/T = sum over C"}, relationNames(tab)); d != "" {
		t.Errorf("relations (-want +got)\n%s", d)
	}
	cell, coef := tab.Rel.Row(0)
	if !slices.Equal(cell, []int32{3, 0, 2}) || !slices.Equal(coef, []int32{-1, 1, 1}) {
		t.Errorf("T/a = sum over R is %v %v", cell, coef)
	}
	if !tab.Rel.Holds(tab.Value) || tab.Rel.Holds([]int64{1, 2, 4, 5, 2, 3, 4, 8}) {
		t.Error("Holds is wrong")
	}
}

// An empty margin makes its parts add up to 0.
func TestBuildEmptyMargin(t *testing.T) {
	tab := build(t, []Dimension{flat(t, "R", "r", "s"), flat(t, "C", "a", "b")},
		rec("r/a", 1), rec("r/T", 1), rec("s/a", 0), rec("T/a", 1), rec("T/T", 1))
	if n := relationNames(tab); !slices.Contains(n, "s/T (empty) = sum over C") {
		t.Errorf("relations %q", n)
	}
}

// Optional columns of computed margins.
func TestBuildMarginColumns(t *testing.T) {
	recs := []Record{rec("a", 10), rec("b", 20)}
	recs[0].Freq, recs[1].Freq = Num(2, 0), Num(3, 0)
	recs[0].Cost = Num(25, 1)
	recs[0].Lower = Num(-5, 0)
	recs[1].Upper = Num(30, 0)
	recs[0].Max, recs[1].Max = []Number{Num(6, 0), Num(4, 0)}, []Number{Num(9, 0), Num(5, 0)}
	tab := build(t, []Dimension{flat(t, "R", "a", "b")}, recs...)
	got := fmt.Sprint(tab.Freq, tab.Cost, tab.CostDecimals, tab.Max, tab.Lower, tab.Upper[1], tab.Upper[2] == PosInf)
	if want := "[2 3 5] [25 200 225] 1 [[6 9 9] [4 5 6]] [-5 0 -5] 30 true"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	recs[1].Freq = Number{}
	if tab = build(t, []Dimension{flat(t, "R", "a", "b")}, recs...); tab.Freq[2] != -1 {
		t.Errorf("contributors of a margin with an unknown part: %v", tab.Freq)
	}
}

func TestBuildErrors(t *testing.T) {
	one := func(set func(r *Record)) []Record {
		r := rec("a", 5)
		r.Line = 2
		set(&r)
		return []Record{r}
	}
	tree := must.Get(NewDimension("R", "T", []Edge{{"a", "T", 1}, {"b", "T", 2}, {"a1", "a", 3}}))(t)
	for _, tc := range []struct {
		name string
		dims []Dimension
		recs []Record
		want string
	}{
		{"no cells", []Dimension{flat(t, "R", "a")}, nil, "table t: no cells"},
		{"seven dimensions", make([]Dimension, 7), []Record{rec("a", 1)}, "table t: 7 dimensions, want 1 to 6"},
		{"too few codes", []Dimension{flat(t, "R", "a"), flat(t, "C", "b")}, []Record{rec("a", 1)}, "line 0: [a]: want 2 codes"},
		{"unknown code", []Dimension{flat(t, "R", "a")}, []Record{rec("x", 1)}, `line 0: column "R": "x": not a code of this dimension`},
		{"cell twice", []Dimension{flat(t, "R", "a")}, []Record{rec("a", 1), rec("a", 1)}, "line 0: a: cell given twice, first on line 0; if lines are single units and no cells, make the table with hitoku tabulate"},
		{"not additive", []Dimension{flat(t, "R", "a", "b")}, []Record{rec("a", 1), rec("b", 2), rec("T", 4)}, "table t: T = sum over R: the parts add up to 3, the margin is 4"},
		{"margin without parts", []Dimension{tree}, []Record{rec("a", 4), rec("a1", 4), rec("b", 1), rec("T", 6)}, "table t: T = sum over R: the parts add up to 5, the margin is 6"},
		{"negative contributors", []Dimension{flat(t, "R", "a")}, one(func(r *Record) { r.Freq = Num(-1, 0) }), `line 2: column "freq": -1: frequencies must be ≥ 0`},
		{"negative cost", []Dimension{flat(t, "R", "a")}, one(func(r *Record) { r.Cost = Num(-1, 0) }), `line 2: column "cost": -1: costs must be ≥ 0`},
		{"negative level", []Dimension{flat(t, "R", "a")}, one(func(r *Record) { r.LPL = Num(-1, 0) }), `line 2: column "lpl": -1: protection levels must be ≥ 0`},
		{"bounds crossed", []Dimension{flat(t, "R", "a")}, one(func(r *Record) { r.Lower, r.Upper = Num(5, 0), Num(4, 0) }), `line 2: column "lower": 5: want at most the upper bound 4`},
		{"below its bound", []Dimension{flat(t, "R", "a")}, one(func(r *Record) { r.Lower = Num(6, 0) }), `line 2: column "value": 5: below the intruder's lower bound 6; give a lower bound that holds for every cell`},
		{"missing but published", []Dimension{flat(t, "R", "a")}, []Record{{Line: 2, Codes: []string{"a"}, Status: Published}, rec("T", 1)}, `line 2: column "value": missing: only a withheld cell may lack a value`},
		{"digits", []Dimension{flat(t, "R", "a", "b")}, []Record{{Line: 2, Codes: []string{"a"}, Value: Num(1e18, 0)}, {Line: 3, Codes: []string{"b"}, Value: Num(5, 1)}},
			`line 2: column "value": 1000000000000000000: does not fit beside numbers with 1 decimals in 18 digits`},
		{"margin of a withheld cell", []Dimension{flat(t, "R", "a")}, []Record{{Line: 2, Codes: []string{"a"}}}, `line 2: column "value": a: withheld, so the margin "T" of R, which has no rows, cannot be computed`},
		{"margin beyond 18 digits", []Dimension{flat(t, "R", "a", "b")}, []Record{rec("a", 1e18), rec("b", 1e18)}, "table t: margin T: " + ErrOutOfRange.Error()},
	} {
		_, err := Build("t", tc.dims, tc.recs, true)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s:\n got %v\nwant %s", tc.name, err, tc.want)
		}
	}
	wide := Dimension{Codes: make([]string, 1<<13)}
	if _, err := newBuildIndex([]Dimension{wide, wide, wide, wide, wide}, 1); err == nil {
		t.Error("2^65 cells were taken")
	}
}

// A margin that has no part at all in one place must be 0 there.
func TestBuildMarginWithoutParts(t *testing.T) {
	dims := []Dimension{flat(t, "R", "r", "s"), flat(t, "C", "a")}
	_, err := Build("t", dims, []Record{rec("r/a", 1), rec("r/T", 1), rec("s/T", 2)}, true)
	var bad *AdditivityError
	if !errors.As(err, &bad) || bad.Index != -1 || bad.Margin != 2 || bad.Error() != "s/T = sum over C: the parts add up to 0, the margin is 2" {
		t.Errorf("got %v", err)
	}
	if _, err := Build("t", dims, []Record{rec("r/a", 1), rec("r/T", 1), rec("s/T", 0)}, true); err != nil {
		t.Error(err)
	}
}

// Whatever margins are left out, the table is the same.
func TestBuildAnyMarginsLeftOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var dims []Dimension
		for d := range rapid.IntRange(1, 3).Draw(t, "dimensions") {
			edges := make([]Edge, rapid.IntRange(1, 6).Draw(t, "codes"))
			for i := range edges {
				edges[i] = Edge{Code: strconv.Itoa(i), Parent: "T"}
				if p := rapid.IntRange(-1, i-1).Draw(t, "parent"); p >= 0 {
					edges[i].Parent = strconv.Itoa(p)
				}
			}
			dim, err := NewDimension("D"+strconv.Itoa(d), "T", edges)
			if err != nil {
				t.Fatal(err)
			}
			dims = append(dims, dim)
		}
		// The leaves, then everything.
		recs := []Record{{}}
		for d := range dims {
			var next []Record
			for _, r := range recs {
				for c, leaf := range dims[d].Leaves() {
					if leaf {
						next = append(next, Record{Codes: append(slices.Clone(r.Codes), dims[d].Codes[c])})
					}
				}
			}
			recs = next
		}
		for i := range recs {
			recs[i].Value = Num(rapid.Int64Range(-9, 9).Draw(t, "value"), 0)
			recs[i].Lower = Number{Set: true, Inf: -1}
		}
		all, err := Build("all", dims, recs, false)
		if err != nil {
			t.Fatal(err)
		}
		// Now give it again without some codes that have children.
		var given []Record
		gone := map[string]bool{}
		for d := range dims {
			for c, leaf := range dims[d].Leaves() {
				gone[strconv.Itoa(d)+"/"+dims[d].Codes[c]] = !leaf && rapid.Bool().Draw(t, "left out")
			}
		}
		for i := range all.Len() {
			r := Record{Value: Num(all.Value[i], 0), Lower: Number{Set: true, Inf: -1}}
			keep := true
			for d := range dims {
				code := dims[d].Codes[all.Coord[i*len(dims)+d]]
				keep = keep && !gone[strconv.Itoa(d)+"/"+code]
				r.Codes = append(r.Codes, code)
			}
			if keep {
				given = append(given, r)
			}
		}
		given = rapid.Permutation(given).Draw(t, "order")
		again, err := Build("again", dims, given, false)
		if err != nil {
			t.Fatal(err)
		}
		sorted := func(s []string) []string { slices.Sort(s); return s }
		if d := cmp.Diff(sorted(cellNames(all)), sorted(cellNames(again))); d != "" {
			t.Fatalf("cells (-all +again)\n%s", d)
		}
		if d := cmp.Diff(sorted(relationNames(all)), sorted(relationNames(again))); d != "" {
			t.Fatalf("relations (-all +again)\n%s", d)
		}
		if !again.Rel.Holds(again.Value) || again.CheckAdditive(0) != nil {
			t.Fatal("not additive")
		}
		// Columns is the transpose.
		c := again.Rel.Columns()
		for j := range again.Rel.Len() {
			cell, coef := again.Rel.Row(j)
			for s, i := range cell {
				rel, k := c.Column(int(i))
				if at := slices.Index(rel, int32(j)); at < 0 || k[at] != coef[s] {
					t.Fatalf("relation %d is not in the column of cell %d", j, i)
				}
			}
		}
	})
}

// Sums that leave an int64 on the way are exact.
func TestResidualIsExact(t *testing.T) {
	r := NewRelations(3)
	r.Add([]int32{0, 1, 2}, []int32{1 << 30, 1 << 30, -1 << 30}, 0)
	r.Add([]int32{0, 1, 2}, []int32{1, 1, 1}, 0)
	y := []int64{9e18, 9e18, 9e18}
	if v, zero := r.Residual(0, y); zero || v.String() != "9663676416000000000000000000" {
		t.Errorf("%v", v)
	}
	if v, zero := r.Residual(1, y); zero || v.String() != "27000000000000000000" {
		t.Errorf("%v", v)
	}
	if v, zero := r.Residual(1, []int64{9e18, 9e18, -9e18}); zero || v.String() != "9000000000000000000" {
		t.Errorf("%v", v)
	}
	if r.Holds(y) || !r.Holds([]int64{9e18, -9e18, 0}) {
		t.Error("Holds is wrong")
	}
}

func TestFromRelations(t *testing.T) {
	mk := func() *Table {
		r := NewRelations(2)
		r.Add([]int32{0, 1}, []int32{1, -1}, 0)
		return &Table{Name: "t", Value: []int64{5, 5}, Cost: []int64{1, 1}, Status: make([]Status, 2), LPL: make([]int64, 2), UPL: make([]int64, 2),
			Width: make([]int64, 2), Lower: make([]int64, 2), Upper: []int64{9, 9}, Rel: r}
	}
	if _, err := FromRelations(mk()); err != nil {
		t.Error(err)
	}
	bad := mk()
	bad.Value[1] = 4
	if _, err := FromRelations(bad); err == nil || err.Error() != "table t: relation 0: the parts add up to 1, the margin is 0" {
		t.Error(err)
	}
	bad = mk()
	bad.Freq = []int64{1}
	if _, err := FromRelations(bad); err == nil || err.Error() != "table t: 2 values but a column of length 1" {
		t.Error(err)
	}
	bad = mk()
	bad.Upper[1] = 3
	if _, err := FromRelations(bad); err == nil || err.Error() != `cell 1: column "value": 5: above the intruder's upper bound 3; give an upper bound that holds for every cell` {
		t.Error(err)
	}
}

func TestCloneIsDeep(t *testing.T) {
	recs := []Record{rec("a", 10), rec("b", 20)}
	recs[0].Max = []Number{Num(6, 0)}
	recs[0].Freq = Num(1, 0)
	a := build(t, []Dimension{flat(t, "R", "a", "b")}, recs...)
	b := a.Clone()
	if d := cmp.Diff(a, b); d != "" {
		t.Errorf("(-original +clone)\n%s", d)
	}
	for _, s := range [][]int64{b.Value, b.Freq, b.Max[0], b.Cost, b.LPL, b.UPL, b.Width, b.Lower, b.Upper, b.Rel.RHS} {
		s[0] = 77
	}
	b.Status[0] = Withheld
	c := build(t, []Dimension{flat(t, "R", "a", "b")}, recs...)
	if d := cmp.Diff(c, a); d != "" {
		t.Errorf("the clone shares columns (-want +original)\n%s", d)
	}
}

func TestRescale(t *testing.T) {
	tab := build(t, []Dimension{flat(t, "R", "a", "b")}, rec("a", 10), rec("b", 20))
	if err := tab.Rescale(2); err != nil || tab.Value[2] != 3000 || tab.Upper[0] != PosInf || tab.Decimals != 2 {
		t.Errorf("%v, %+v", err, tab)
	}
	if err := tab.Rescale(1); err == nil || err.Error() != "table t: 1 decimals, want 2 to 15" {
		t.Error(err)
	}
	tab.Value[0] = 1e17
	if err := tab.Rescale(4); err == nil || tab.Decimals != 2 || tab.Value[1] != 2000 {
		t.Errorf("%v, %+v", err, tab)
	}
}
