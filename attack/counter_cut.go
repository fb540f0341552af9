package attack

// A cut bounds how far a sensitive cell can move under some pattern, by the capacity of the cells over a minimum cut
// (max-flow min-cut, Ford and Fulkerson 1956) or by its own.
type cut struct {
	cell int32
	kind int8    // 0: the width, with terms of both directions; 1: down; 2: up
	over []int32 // 2·cell, +1 for the capacity to rise
}

// maxCuts is the number of cuts kept for a pattern.
const maxCuts = 6

// violates reports whether c proves that a level of the current question is not met.
func (h *counterSearch) violates(c *cut) bool {
	j := h.index[c.cell] - 1
	if j < 0 || int(j) >= len(h.p) || h.p[j] != c.cell {
		return false
	}
	need := h.spl[j]
	switch c.kind {
	case 1:
		need = h.lpl[j]
	case 2:
		need = h.upl[j]
	}
	for _, e := range c.over {
		if e&1 == 0 {
			need -= h.dn[e>>1]
		} else {
			need -= h.up[e>>1]
		}
		if need <= 0 {
			return false
		}
	}
	return true
}

// protects reports whether the pattern set, which contains all sensitive cells of the current question, is protected;
// it leaves set as K. cuts are those that refuted it before, latest first.
func (h *counterSearch) protects(set bitset, cuts *[]cut) bool {
	for at := range *cuts {
		if h.violates(&(*cuts)[at]) {
			(*cuts)[0], (*cuts)[at] = (*cuts)[at], (*cuts)[0]
			return false
		}
	}
	h.take(set)
	for j := range h.p {
		if ok, _ := h.check(j, nil); !ok {
			c := h.violated(j)
			if len(*cuts) < maxCuts {
				*cuts = append(*cuts, c)
			} else {
				(*cuts)[maxCuts-1] = c
			}
			n := len(*cuts) - 1
			(*cuts)[0], (*cuts)[n] = (*cuts)[n], (*cuts)[0]
			return false
		}
	}
	return true
}

// violated returns the cut that keeps the unprotected sensitive cell j from meeting its levels.
func (h *counterSearch) violated(j int) cut {
	i := h.p[j]
	spl, lpl, upl := h.spl[j], h.lpl[j], h.upl[j]
	c := cut{cell: i}
	up, over := h.flow(i, true, max(upl, spl))
	c.over = h.minCut(i, true, over, c.over)
	if up < upl {
		c.kind = 2
		return c
	}
	at := len(c.over)
	down, over := h.flow(i, false, max(lpl, spl))
	c.over = h.minCut(i, false, over, c.over)
	if down < lpl {
		c.kind, c.over = 1, c.over[at:]
	}
	return c
}

// minCut appends the minimum cut of the last flow: the cells of K leaving the marked nodes, or cell i itself.
func (h *counterSearch) minCut(i int32, rise, over bool, list []int32) []int32 {
	if !over {
		if rise {
			return append(list, 2*i+1)
		}
		return append(list, 2*i)
	}
	for _, v := range h.queue {
		for _, e := range h.edges[v] {
			if c := h.k[e>>1]; h.mark[h.to[e]] != h.stamp && c != i {
				list = append(list, 2*c+1-e&1)
			}
		}
	}
	return list
}
