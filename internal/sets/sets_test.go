package sets

import (
	"testing"

	"pgregory.net/rapid"
)

// Two elements are in one set if and only if a chain of joins leads from one to the
// other.
func TestPartition(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(r, "n")
		p := New(n)
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
			reach[i][i] = true
		}
		for range rapid.IntRange(0, n).Draw(r, "joins") {
			i, j := rapid.IntRange(0, n-1).Draw(r, "i"), rapid.IntRange(0, n-1).Draw(r, "j")
			p.Join(int32(i), int32(j))
			reach[i][j], reach[j][i] = true, true
		}
		for k := range n { // Warshall
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		group, least := make([]int, n), int32(-1)
		for g, set := range p.Groups() {
			if set[0] <= least || p.Root(set[0]) != set[0] {
				t.Fatalf("group %d begins with %d", g, set[0])
			}
			least = set[0]
			for k, i := range set {
				if group[i] = g; k > 0 && i <= set[k-1] {
					t.Fatalf("group %v", set)
				}
			}
		}
		for i := range n {
			for j := range n {
				if same := p.Root(int32(i)) == p.Root(int32(j)); same != reach[i][j] || same != (group[i] == group[j]) {
					t.Fatalf("%d and %d: %v, want %v", i, j, same, reach[i][j])
				}
			}
		}
	})
}
