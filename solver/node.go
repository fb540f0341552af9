package solver

import (
	"slices"

	"github.com/hitoku/hitoku/certificate"
)

// A fix is one branching decision.
type fix struct {
	c   int32
	one bool
}

// A node is an open part of the search tree.
type node struct {
	path  []fix
	bound int64 // costs below are impossible here
	id    int
	// For pseudocosts: the parent's value and the fraction it branched on.
	parent, frac float64
	proof        *certificate.Node // nil unless a certificate is recorded
}

type nodeQueue []*node

func (q nodeQueue) Len() int { return len(q) }
func (q nodeQueue) Less(a, b int) bool {
	return q[a].bound < q[b].bound || q[a].bound == q[b].bound && q[a].id > q[b].id
}
func (q nodeQueue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *nodeQueue) Push(x any)   { *q = append(*q, x.(*node)) }
func (q *nodeQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// apply sets the column bounds of a node.
func (w *worker) apply(n *node) {
	want := slices.Clone(w.tree.fixed)
	for _, f := range n.path {
		want[f.c] = 0
		if f.one {
			want[f.c] = 1
		}
	}
	for c, v := range want {
		switch v {
		case -1:
			w.m.bound(int32(c), 0, 1)
		default:
			w.m.bound(int32(c), float64(v), float64(v))
		}
	}
}
