package formats

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// flatTable is a random table of n codes whose names and order say nothing, without totals; tree
// makes the last codes sums of those before, in any place of the file.
func flatTable(r *rand.Rand, n, rows int, most int64, tree bool) string {
	v := make([][]int64, n)
	for c := range v {
		v[c] = make([]int64, rows)
		for k := range v[c] {
			v[c][k] = r.Int64N(most + 1)
		}
	}
	if tree { // two branches, of which the second has a branch of its own
		a, b := n/3, 2*n/3
		for k := range rows {
			v[n-1][k], v[n-2][k] = 0, 0
			for c := range a {
				v[n-1][k] += v[c][k]
			}
			for c := a; c < b; c++ {
				v[n-2][k] += v[c][k]
			}
		}
	}
	var b strings.Builder
	b.WriteString("a,b,value\n")
	for _, c := range r.Perm(n) {
		for k := range rows {
			fmt.Fprintf(&b, "%c%d,r%d,%d\n", 'a'+c%26, 7*c%11, k, v[c][k])
		}
	}
	return b.String()
}

// How often chance makes a tree of a flat table: hardly ever. The seeds are fixed.
func TestFlatTablesStayFlat(t *testing.T) {
	t.Parallel()
	refused, all := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := flatTable(r, 3+r.IntN(20), 1+r.IntN(8), []int64{1, 3, 10, 100, 10000}[r.IntN(5)], false)
		all++
		if _, err := ReadFrom(strings.NewReader(text), "flat.csv", Options{}); err != nil {
			refused++
			if !strings.Contains(err.Error(), "--flat") {
				t.Fatalf("%v in\n%s", err, text)
			}
		}
	}
	t.Logf("%d of %d refused", refused, all)
	if refused*100 > all {
		t.Errorf("%d of %d flat tables are refused", refused, all)
	}
}

func TestTreesAreFound(t *testing.T) {
	t.Parallel()
	missed, all := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 6 + r.IntN(30)
		text := flatTable(r, n, max(3, n), 300, true)
		all++
		if _, err := ReadFrom(strings.NewReader(text), "tree.csv", Options{}); err == nil {
			missed++
		}
		if _, err := ReadFrom(strings.NewReader(text), "tree.csv", Options{Flat: []string{"a"}}); err != nil {
			t.Fatalf("--flat: %v", err)
		}
	}
	t.Logf("%d of %d missed", missed, all)
	if missed > 0 {
		t.Errorf("%d of %d trees are missed", missed, all)
	}
}
