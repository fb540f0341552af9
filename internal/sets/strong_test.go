package sets_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/sets"
)

// Two nodes have one label if and only if each is reached from the other, and no arc leads to a component with a larger label.
func TestStrong(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 9).Draw(t, "nodes")
		arcs := make([][]int32, n)
		var reach [9][9]bool
		for v := range arcs {
			reach[v][v] = true
			for _, w := range rapid.SliceOfN(rapid.Int32Range(-1, int32(n)-1), 0, 4).Draw(t, "arcs") {
				if arcs[v] = append(arcs[v], w); w >= 0 {
					reach[v][w] = true
				}
			}
		}
		for k := range n {
			for v := range n {
				for w := range n {
					reach[v][w] = reach[v][w] || reach[v][k] && reach[k][w]
				}
			}
		}
		part, count := sets.Strong(int32(n), func(v, k int32) (int32, bool) {
			if int(k) == len(arcs[v]) {
				return -1, false
			}
			return arcs[v][k], true
		})
		for v := range n {
			if part[v] < 0 || part[v] >= count {
				t.Fatalf("%v: label of %d out of %d", arcs, v, count)
			}
			for w := range n {
				if (part[v] == part[w]) != (reach[v][w] && reach[w][v]) || reach[v][w] && part[v] < part[w] {
					t.Fatalf("%v: labels %v, wrong for %d and %d", arcs, part, v, w)
				}
			}
		}
	})
}
