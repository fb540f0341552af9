package attack

import (
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A counterSearch looks for a counter-pattern: one that is protected for a candidate and better than S, in a table
// whose relations are a network. It is a branch and bound over the cells to withhold and needs no linear program. A
// sensitive cell that is not protected gives a set of cells (those over a minimum cut) of which one has to be added; so
// does a node with a single withheld cell, as nothing moves through a dead end and a best pattern has no idle cell.
// Dead ends also bound the cost from below.
type counterSearch struct {
	x          *setting
	tail, head []int32
	ground     int32
	side       []int8 // by node: 0 or 1 in a two-colouring of the graph; −1 if there is none
	ptr, arcs  []int32

	counterQuestion
	counterState

	// Scratch.
	mark  []int32
	stamp int32
	queue []int32
	via   []int32
	lists [][]int32
}

// A counterQuestion is the current question. Capacities are truncated at the largest level and in units of 1/q.
type counterQuestion struct {
	up, dn []int64
	w      []int64
	p      []int32 // sensitive cells
	spl    []int64
	lpl    []int64
	upl    []int64
	index  []int32 // by cell: 1 + its index in p, 0 if it is not there
	budget int64   // cost of S
}

// A counterState is K, the pattern so far, with its residual graph.
type counterState struct {
	in, out []bool // by cell
	noLevel []bool // by cell: sensitive but without a level
	k       []int32
	edges   [][]int32 // by node: 2·index in k, +1 for the reverse edge
	to      []int32   // by edge: the node that it leads to
	res     []int64   // by edge: residual capacity
	met     []bool    // by sensitive cell
	cost    int64
	nodes   int
	limit   int
}

func newCounterSearch(x *setting) *counterSearch {
	tail, head, nodes, ok := x.sys.Ends()
	if !ok {
		return nil
	}
	h := &counterSearch{x: x, tail: tail, head: head, ground: int32(nodes - 1)}
	h.ptr, h.arcs = sets.Grouped(nodes, func(put func(v, i int32)) {
		for i := range x.n {
			if x.base.Status[i] != table.Published && tail[i] != head[i] {
				put(tail[i], int32(i))
				put(head[i], int32(i))
			}
		}
	})
	h.up, h.dn, h.w = make([]int64, x.n), make([]int64, x.n), make([]int64, x.n)
	h.in, h.out, h.noLevel = make([]bool, x.n), make([]bool, x.n), make([]bool, x.n)
	h.index = make([]int32, x.n)
	h.edges = make([][]int32, nodes)
	h.mark, h.via = make([]int32, nodes), make([]int32, nodes)
	h.colour(nodes)
	for i := range x.n {
		if x.pos[i] < 0 {
			h.setCell(int32(i), x.base.Value[i], x.base.Value[i], x.t.Lower[i], x.t.Upper[i])
			h.w[i] = x.base.Cost[i]
		}
	}
	return h
}

// colour finds the two sides of a bipartite graph, ignoring the ground node.
func (h *counterSearch) colour(nodes int) {
	h.side = slices.Repeat([]int8{-1}, nodes)
	for root := range int32(nodes) - 1 {
		if h.side[root] >= 0 {
			continue
		}
		h.side[root] = 0
		h.queue = append(h.queue[:0], root)
		for at := 0; at < len(h.queue); at++ {
			v := h.queue[at]
			for _, i := range h.arcs[h.ptr[v]:h.ptr[v+1]] {
				o := h.tail[i] + h.head[i] - v
				switch {
				case o == h.ground:
				case h.side[o] < 0:
					h.side[o] = 1 - h.side[v]
					h.queue = append(h.queue, o)
				case h.side[o] == h.side[v]:
					for v := range h.side {
						h.side[v] = -1
					}
					return
				}
			}
		}
	}
}

// setCell gives cell i the capacity to rise that it has at value l and the capacity to fall that it has at u.
func (h *counterSearch) setCell(i int32, l, u, lb, ub int64) {
	h.up[i], h.dn[i] = h.x.reach*h.x.q, h.x.reach*h.x.q
	if ub < maxWord {
		h.up[i] = min(max(ub-l, 0), h.x.reach) * h.x.q
	}
	if lb > -maxWord {
		h.dn[i] = min(max(u-lb, 0), h.x.reach) * h.x.q
	}
}

// ask poses and answers the question for the sensitive cells, levels and costs of y, where cells can fall as from u and
// rise as from l. For a candidate all three are the same; with l ≤ y ≤ u, the answer "no" holds for every candidate in
// between with the same sensitive cells, as long as costs do not depend on values.
func (h *counterSearch) ask(y, l, u []int64, limit int) (better bool, gaveUp bool) {
	h.pose(y, l, u)
	return h.run(limit)
}

// askBox looks for a pattern that is better than S and protected for all candidates of [l, u], in which the positions
// in may can be sensitive; costs must not depend on values.
func (h *counterSearch) askBox(may bitset, l, u []int64, limit int) (better bool, gaveUp bool) {
	h.poseBox(may, l, u)
	h.empty()
	h.budget = 0
	clear(h.noLevel)
	for p, i := range h.x.cells {
		h.w[i] = h.x.weight(int32(p), l[p])
		h.budget += h.w[i]
	}
	h.met = append(h.met[:0], make([]bool, len(h.p))...)
	return h.run(limit)
}

// run searches for an answer to the question posed.
func (h *counterSearch) run(limit int) (better bool, gaveUp bool) {
	clear(h.out)
	h.nodes, h.limit = 0, limit
	for k, i := range h.p {
		h.noLevel[i] = h.spl[k] <= 0 && h.lpl[k] <= 0 && h.upl[k] <= 0
		h.push(i)
	}
	found := h.branch(0)
	return found, !found && h.nodes >= h.limit
}

// pose sets the question of ask and empties K.
func (h *counterSearch) pose(y, l, u []int64) {
	x := h.x
	h.p, h.spl, h.lpl, h.upl = h.p[:0], h.spl[:0], h.lpl[:0], h.upl[:0]
	h.empty()
	h.budget = 0
	clear(h.noLevel)
	for p, i := range x.cells {
		h.setCell(i, l[p], u[p], x.lb[p], x.ub[p])
		h.w[i] = x.weight(int32(p), y[p])
		h.budget += h.w[i]
		if x.sensitive(int32(p), y[p]) {
			h.require(int32(p), y[p], y[p])
		}
	}
	h.met = append(h.met[:0], make([]bool, len(h.p))...)
}

// poseBox sets the question of askBox and empties K.
func (h *counterSearch) poseBox(may bitset, l, u []int64) {
	x := h.x
	h.p, h.spl, h.lpl, h.upl = h.p[:0], h.spl[:0], h.lpl[:0], h.upl[:0]
	for p, i := range x.cells {
		h.setCell(i, u[p], l[p], x.lb[p], x.ub[p])
		if may.has(int32(p)) {
			h.require(int32(p), l[p], u[p])
		}
	}
}

// require adds the cell of position p to the sensitive cells, with the levels of its sensitive values in [l, u].
func (h *counterSearch) require(p int32, l, u int64) {
	x := h.x
	if x.office.Below > 0 {
		a, e := x.office.sensitiveRange()
		l, u = max(l, a), min(u, e)
	}
	s, f, r := x.need(p, 0, l, u), x.need(p, 1, l, u), x.need(p, 2, l, u)
	if x.base.Strict {
		s++
	}
	h.p, h.spl, h.lpl, h.upl = append(h.p, x.cells[p]), append(h.spl, s), append(h.lpl, f), append(h.upl, r)
	h.index[x.cells[p]] = int32(len(h.p))
}

// improves reports whether a pattern of the given cost that contains K can be better than S.
func (h *counterSearch) improves(cost int64) bool {
	if cost != h.budget || h.x.office.Match == Any {
		return cost < h.budget
	}
	// If as dear as S, it must publish the first cell in which they differ.
	for i := range int32(h.x.n) {
		if own := h.x.own.has(i); own != h.in[i] {
			if !own {
				return false // withheld by K, not by S, and no earlier cell can differ
			}
			return true // withheld by S, published or still free in K
		}
	}
	return false
}

// branch extends K; it returns true once K is protected and better than S.
func (h *counterSearch) branch(depth int) bool {
	if h.nodes++; h.nodes >= h.limit {
		return false
	}
	rest, node, way, ok := h.lowerBound()
	if !ok || !h.improves(h.cost+rest) {
		return false
	}
	for depth >= len(h.lists) {
		h.lists = append(h.lists, nil)
	}
	list := append(h.lists[depth][:0], -1)[:0] // never nil
	var settled uint64                         // sensitive cells found to be met here, of the first 64
	short := false
	if node < 0 {
		best := -1
		for j := range h.p {
			if h.met[j] {
				continue
			}
			at := len(list)
			ok, l := h.check(j, list)
			list = l
			if ok {
				if j < 64 {
					h.met[j] = true
					settled |= 1 << j
				}
				continue
			}
			short = true
			cand := list[at:]
			slices.Sort(cand)
			cand = slices.Compact(cand)
			if best < 0 || len(cand) < best {
				best = len(cand)
				copy(list, cand)
			}
			list = list[:best]
			if best == 0 {
				break
			}
		}
		if !short {
			return h.improves(h.cost)
		}
	} else {
		for _, c := range h.arcs[h.ptr[node]:h.ptr[node+1]] {
			if !h.in[c] && !h.out[c] && (way == 0 || h.capacityAt(c, node, way) > 0) {
				list = append(list, c)
			}
		}
	}
	h.lists[depth] = list
	// Cells that end in dead ends come first, cheap ones before dear ones.
	slices.SortStableFunc(list, func(a, b int32) int {
		if x, y := h.deadEnds(a), h.deadEnds(b); x != y {
			return y - x
		}
		if x, y := h.x.own.has(a), h.x.own.has(b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return int(min(max(h.w[a]-h.w[b], -1), 1))
	})
	found := false
	tried := 0
	for _, c := range list {
		h.push(c)
		found = h.branch(depth + 1)
		if found {
			return true
		}
		h.pop()
		h.out[c] = true
		tried++
		if h.nodes >= h.limit {
			break
		}
	}
	for _, c := range list[:tried] {
		h.out[c] = false
	}
	for j := range h.p {
		if j < 64 && settled>>j&1 != 0 {
			h.met[j] = false
		}
	}
	return false
}

// deadEnds counts the end nodes of cell c that have only one withheld cell.
func (h *counterSearch) deadEnds(c int32) int {
	n := 0
	for _, v := range [2]int32{h.tail[c], h.head[c]} {
		if v != h.ground && len(h.edges[v]) == 1 {
			n++
		}
	}
	return n
}

// pattern returns the K that ask found.
func (h *counterSearch) pattern() bitset {
	b := newBits(h.x.n)
	for _, i := range h.k {
		b.set(i)
	}
	return b
}
