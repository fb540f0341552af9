package table

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
)

func TestNewDimension(t *testing.T) {
	d, err := NewDimension("R", "T", []Edge{{"b1", "b", 1}, {"a", "T", 2}, {"b", "T", 3}, {"a2", "a", 4}, {"a1", "a", 5}})
	if err != nil {
		t.Fatal(err)
	}
	want := Dimension{Name: "R", Codes: []string{"T", "a", "a2", "a1", "b", "b1"}, Parent: []int32{-1, 0, 1, 1, 0, 4}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]bool{false, false, true, true, false, true}, d.Leaves()); diff != "" {
		t.Error(diff)
	}
	if d.Flat() || d.Total() != "T" {
		t.Errorf("Flat %v, Total %s", d.Flat(), d.Total())
	}
	if d, err = FlatDimension("R", "T", []string{"x", "y"}); err != nil || !d.Flat() {
		t.Errorf("%v, %v", d, err)
	}
	if d, err = FlatDimension("R", "T", nil); err != nil || !d.Flat() || !d.Leaves()[0] {
		t.Errorf("only a total: %v, %v", d, err)
	}
}

func TestHierarchyErrors(t *testing.T) {
	for _, tc := range []struct {
		name, total string
		edges       []Edge
		want        string
		line        int
	}{
		{"no total", "", nil, `hierarchy of "R": code "": empty total code`, 0},
		{"empty code", "T", []Edge{{"", "T", 7}}, `hierarchy of "R": code "": empty code`, 7},
		{"total with a parent", "T", []Edge{{"a", "T", 1}, {"T", "a", 2}}, `hierarchy of "R": code "T": the total code "T" cannot have a parent`, 2},
		{"two parents", "T", []Edge{{"a", "T", 1}, {"b", "T", 2}, {"b", "a", 3}}, `hierarchy of "R": code "b": code listed twice, first on line 2`, 3},
		{"unknown parent", "T", []Edge{{"a", "q", 4}}, `hierarchy of "R": code "a": parent "q" is not a code of the hierarchy and not the total "T"`, 4},
		{"cycle", "T", []Edge{{"x", "T", 1}, {"d", "a", 2}, {"a", "b", 3}, {"b", "c", 4}, {"c", "a", 5}}, `hierarchy of "R": code "a": cycle a → b → c → a`, 3},
		{"own parent", "T", []Edge{{"a", "a", 1}}, `hierarchy of "R": code "a": cycle a → a`, 1},
	} {
		_, err := NewDimension("R", tc.total, tc.edges)
		var h *HierarchyError
		if !errors.As(err, &h) || err.Error() != tc.want || h.Line != tc.line {
			t.Errorf("%s: %v, want %s on line %d", tc.name, err, tc.want, tc.line)
		}
	}
}

// A random tree, its edges in random order, keeps every edge, and every subtree
// is contiguous.
func TestDimensionIsATree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "codes")
		edges := make([]Edge, n)
		for i := range edges {
			edges[i] = Edge{Code: strconv.Itoa(i), Parent: "T"}
			if p := rapid.IntRange(-1, i-1).Draw(t, "parent"); p >= 0 {
				edges[i].Parent = strconv.Itoa(p)
			}
		}
		edges = rapid.Permutation(edges).Draw(t, "order")
		d, err := NewDimension("R", "T", edges)
		if err != nil {
			t.Fatal(err)
		}
		parent := map[string]string{}
		for _, e := range edges {
			parent[e.Code] = e.Parent
		}
		for i := 1; i < len(d.Codes); i++ {
			p := d.Parent[i]
			if p >= int32(i) || parent[d.Codes[i]] != d.Codes[p] {
				t.Fatalf("%s hangs below %s", d.Codes[i], d.Codes[p])
			}
			// Depth first: the parent is the code before or one of its ancestors.
			a := int32(i - 1)
			for a >= 0 && a != p {
				a = d.Parent[a]
			}
			if a != p {
				t.Fatalf("the subtree of %s is not contiguous", d.Codes[p])
			}
		}
		if len(d.Codes) != n+1 {
			t.Fatalf("%d codes, want %d", len(d.Codes), n+1)
		}
	})
}

// What is shown for a code has its label behind it, once.
func TestShownLabels(t *testing.T) {
	d := must.Get(FlatDimension("area", "T", []string{"01", "02", "03", "04"}))(t)
	d.Labels = map[string]string{"01": "North", "02": "02", "04": "04 West", "T": "All"}
	_, shown := d.Shown("")
	if got, want := strings.Join(shown, "|"), "01 North|02|03|04 West|T All"; got != want {
		t.Errorf("shown %s, want %s", got, want)
	}
}
