package solver

import (
	"slices"

	"github.com/hitoku/hitoku/internal/certificate"
)

// A fix is one branching decision.
type fix struct {
	c   int32
	one bool
}

// A node is an open part of the search tree.
type node struct {
	path  []fix // the decisions, and the columns that fixBelow fixed before each
	bound int64 // no pattern of this node costs less
	id    int
	// For pseudocosts: the parent's value, and the fraction branched on there.
	parent, frac float64
	start        *start            // where its relaxation starts; nil: from the current basis
	proof        *certificate.Node // nil unless a certificate is recorded
}

// Before reports whether n is searched before m.
func (n *node) Before(m *node) bool { return n.bound < m.bound || n.bound == m.bound && n.id > m.id }

// apply sets the column bounds for node n.
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
