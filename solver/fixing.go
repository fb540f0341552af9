package solver

import (
	"math"
	"slices"
)

// fixByReducedCost fixes columns whose use would cost more than the incumbent: reduced-cost fixing (Crowder, Johnson
// and Padberg, Solving large-scale zero-one linear programming problems, Operations Research 31(5), 1983).
func (w *worker) fixByReducedCost() {
	if w.upper == math.MaxInt64 {
		return
	}
	m := w.m
	if w.search.rec != nil {
		w.settleExactly()
		return
	}
	for c, d := range m.reduced {
		if w.tree.fixed[c] >= 0 {
			continue
		}
		if m.x[c] == 0 && m.tol.up(m.value+d) >= w.upper {
			w.tree.fixed[c] = 0
			m.bound(int32(c), 0, 0)
		} else if m.x[c] == 1 && m.tol.up(m.value-d) >= w.upper {
			w.tree.fixed[c] = 1
			m.bound(int32(c), 1, 1)
		}
	}
}

// fixBelow does the same for node n and its descendants, where bounds are closer to the incumbent. With a certificate
// it does nothing, as that would need a closed node for every column.
func (w *worker) fixBelow(n *node) {
	m := w.m
	if w.upper == math.MaxInt64 || w.search.rec != nil || w.search.p.off.fixBelow || (len(w.tree.open)+workerCount)*len(n.path)*8 > maxStarts {
		return
	}
	for c, d := range m.reduced {
		switch {
		case m.lo[c] == m.up[c]:
		case m.x[c] == 0 && m.tol.up(m.value+d) >= w.upper:
			n.path = append(n.path, fix{int32(c), false})
			m.bound(int32(c), 0, 0)
		case m.x[c] == 1 && m.tol.up(m.value-d) >= w.upper:
			n.path = append(n.path, fix{int32(c), true})
			m.bound(int32(c), 1, 1)
		}
	}
}

// keepRoot stores what the relaxation of the root proves.
func (t *tree) keepRoot(m *master) {
	t.value, t.reduced, t.x, t.tol = m.value, slices.Clone(m.reduced), slices.Clone(m.x), m.tol
}

// fixAgain fixes columns by the reduced costs at the root and the current incumbent.
func (t *tree) fixAgain() {
	if t.reduced == nil || t.search.rec != nil || t.search.p.off.reducedCost || t.search.upper == t.fixedFor {
		return
	}
	t.fixedFor = t.search.upper
	for c, d := range t.reduced {
		switch {
		case t.fixed[c] >= 0:
		case t.x[c] == 0 && t.tol.up(t.value+d) >= t.search.upper:
			t.fixed[c] = 0
		case t.x[c] == 1 && t.tol.up(t.value-d) >= t.search.upper:
			t.fixed[c] = 1
		}
	}
}
