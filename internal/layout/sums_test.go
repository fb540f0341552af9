package layout

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawn is a table of two dimensions whose first has the codes of a tree: leaves are drawn,
// all else is summed. parent is by place in order.
func drawn(r *rand.Rand, order []string, parent map[string]string, columns, most int) (cells []sumCell, want []int) {
	value := map[string][]int64{}
	var leaves []string
	for _, c := range order {
		value[c] = make([]int64, columns)
		if !slices.ContainsFunc(order, func(k string) bool { return parent[k] == c }) {
			leaves = append(leaves, c)
		}
	}
	for _, c := range leaves {
		for k := range columns {
			v := r.Int64N(int64(most))
			for at := c; at != ""; at = parent[at] {
				value[at][k] += v
			}
		}
	}
	for i, c := range order {
		for k, v := range value[c] {
			cells = append(cells, sumCell{at: []int32{int32(i), int32(k)}, value: v})
		}
		want = append(want, slices.Index(order, parent[c]))
	}
	return cells, want
}

// tree reads "T>A,B A>a,b" as the parents of its codes.
func treeOf(text string) map[string]string {
	parent := map[string]string{}
	for _, of := range strings.Fields(text) {
		p, parts, _ := strings.Cut(of, ">")
		for _, c := range strings.Split(parts, ",") {
			parent[c] = p
		}
	}
	return parent
}

func TestTree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ order, tree string }{
		{"T a b c d", "T>a,b,c,d"},
		{"a b c d T", "T>a,b,c,d"},
		{"a b T c d", "T>a,b,c,d"},
		{"T A B a1 a2 a3 b1 b2", "T>A,B A>a1,a2,a3 B>b1,b2"}, // wide levels first
		{"T A a1 a2 a3 B b1 b2", "T>A,B A>a1,a2,a3 B>b1,b2"}, // deep first
		{"a1 a2 a3 A b1 b2 B T", "T>A,B A>a1,a2,a3 B>b1,b2"}, // totals last
		{"T E W e1 e2 e3 e4", "T>E,W E>e1,e2,e3,e4"},
		{"T A a1 x1 x2 a2 B b1 b2", "T>A,B A>a1,a2 a1>x1,x2 B>b1,b2"},
		{"A a1 a2 a3 B b1 b2 b3", "A>a1,a2,a3 B>b1,b2,b3"}, // no total of all
		{"a b c d e", ""},
	} {
		for seed := range uint64(20) {
			order := strings.Fields(c.order)
			cells, want := drawn(rand.New(rand.NewPCG(seed, 1)), order, treeOf(c.tree), 6, 1000)
			s := newSums(cells, []int{len(order), 6}, 0)
			got := s.tree(nil)
			if d := cmp.Diff(want, got.parent); d != "" {
				t.Errorf("%s, seed %d: %s", c.order, seed, d)
			}
			columns := newSums(cells, []int{len(order), 6}, 1) // nothing adds up across
			if tree := columns.tree(nil); tree.additive() {
				t.Errorf("%s, seed %d: columns add up as %v", c.order, seed, tree.parent)
			}
		}
	}
}

func TestTreeOfPublishedTable(t *testing.T) {
	t.Parallel()
	order := strings.Fields("00 01 02 201 202 203 204 301 302 361 362 M")
	parent := treeOf("00>01,02 01>201,202,203,204 02>301,302,361")
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		cells, want := drawn(r, order[:10], parent, 7, 200)
		want = append(want, 2, 0)
		memo := map[int32]int64{}
		for i := range cells {
			if c := order[cells[i].at[0]]; c == "201" || c == "301" || c == "361" {
				memo[cells[i].at[1]] += cells[i].value
			}
			if cells[i].at[0] > 2 && r.IntN(8) == 0 { // withheld
				cells[i].known, cells[i].value = isHidden, 0
			}
		}
		for k := range int32(7) {
			cells = append(cells, sumCell{at: []int32{10, k}, known: isFree}, sumCell{at: []int32{11, k}, value: memo[k]})
		}
		hints := make([]codeHint, len(order))
		for c, name := range order {
			hints[c] = codeHint{code: name, total: c == 0, memo: name == "M", level: -1}
		}
		s := newSums(cells, []int{len(order), 7}, 0)
		got := s.tree(hints)
		if d := cmp.Diff(want, got.parent); d != "" {
			t.Errorf("seed %d: %s", seed, d)
		}
		if eq := got.equals[11]; eq != nil && !slices.Equal(eq, []int{3, 7, 9}) {
			t.Errorf("seed %d: the memo code is the sum of %v", seed, eq)
		}
		if e := s.claim(2, []int{7, 8, 9, 10}); e.wrong > 0 || !got.memo[11] {
			t.Errorf("seed %d: %+v", seed, e)
		}
	}
}

// TestTreeSound: whatever is found adds up.
func TestTreeSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, columns := rapid.IntRange(2, 9).Draw(t, "codes"), rapid.IntRange(1, 4).Draw(t, "columns")
		var cells []sumCell
		for i := range n {
			for k := range columns {
				known := uint8(rapid.SampledFrom([]uint8{isKnown, isKnown, isKnown, isFree, isHidden}).Draw(t, "known"))
				cells = append(cells, sumCell{at: []int32{int32(i), int32(k)}, value: rapid.Int64Range(-2, 9).Draw(t, "value"), known: known})
			}
		}
		hints := make([]codeHint, n)
		for c := range hints {
			hints[c] = codeHint{code: rapid.SampledFrom([]string{"", "A", "A1", "A2", "B"}).Draw(t, "code"), total: rapid.Bool().Draw(t, "total"),
				memo: rapid.IntRange(0, 4).Draw(t, "memo") == 0, level: rapid.IntRange(-1, 2).Draw(t, "level")}
		}
		s := newSums(cells, []int{n, columns}, 0)
		tree := s.tree(hints)
		for c := range n {
			if parts := tree.children()[c]; len(parts) > 0 {
				if e := s.claim(c, parts); e.wrong > 0 {
					t.Fatalf("%d is not the sum of %v: %+v", c, parts, e)
				}
			}
			up := c
			for range n + 1 {
				if up >= 0 {
					up = tree.parent[up]
				}
			}
			if up >= 0 {
				t.Fatalf("a circle: %v", tree.parent)
			}
		}
	})
}

// TestTreeOfFewCodes: parts that do not stand together are found where codes are few.
func TestTreeOfFewCodes(t *testing.T) {
	t.Parallel()
	order := strings.Fields("T A a1 a2 M B") // M is a part of a2 told again
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		cells, want := drawn(r, []string{"T", "A", "a1", "a2", "B"}, treeOf("T>A,B A>a1,a2"), 9, 5000)
		var all []sumCell
		for _, c := range cells {
			if c.at[0] == 4 {
				c.at = []int32{5, c.at[1]}
			}
			all = append(all, c)
			if c.at[0] == 3 {
				all = append(all, sumCell{at: []int32{4, c.at[1]}, value: c.value / 3})
			}
		}
		want = []int{want[0], want[1], want[2], want[3], -1, 0}
		s := newSums(all, []int{len(order), 9}, 0)
		if d := cmp.Diff(want, s.tree(nil).parent); d != "" {
			t.Errorf("seed %d: %s", seed, d)
		}
	}
}
