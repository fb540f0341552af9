package attack

import (
	"math/bits"
	"slices"
)

// A hunt looks for a pattern that is protected for a candidate and better than S,
// in a table whose relations are a network: a branch and bound over the cells to
// withhold. It needs no linear program: a sensitive cell that is not protected
// names cells one of which has to be added (those over a minimum cut), a node with
// a single withheld cell does (nothing moves through a dead end, and a best
// pattern has no idle cell), and dead ends bound the cost from below.
type hunt struct {
	x          *setting
	tail, head []int32
	ground     int32
	side       []int8 // by node: 0, 1 of a two-colouring of the graph; −1 if there is none
	ptr, arcs  []int32

	// The question. Capacities are truncated to the largest level and in units
	// of 1/q.
	up, dn []int64
	w      []int64
	p      []int32 // sensitive cells
	spl    []int64
	lpl    []int64
	upl    []int64
	index  []int32 // by cell: 1 + its place in p, if that has it
	budget int64   // S costs this
	// The state.
	in, out []bool // by cell
	lax     []bool // by cell: sensitive, but without a level
	k       []int32
	edges   [][]int32 // by node: 2·slot of k, +1 for the reverse
	to      []int32   // by edge: the node it leads to
	res     []int64   // residual capacities by edge
	met     []bool    // by sensitive cell
	cost    int64
	nodes   int
	limit   int
	// Scratch.
	mark  []int32
	stamp int32
	queue []int32
	via   []int32
	lists [][]int32
}

func newHunt(x *setting) *hunt {
	tail, head, nodes, ok := x.sys.Ends()
	if !ok {
		return nil
	}
	h := &hunt{x: x, tail: tail, head: head, ground: int32(nodes - 1)}
	h.ptr = make([]int32, nodes+1)
	for i := range x.n {
		if x.free[i] && tail[i] != head[i] {
			h.ptr[tail[i]+1]++
			h.ptr[head[i]+1]++
		}
	}
	for v := range nodes {
		h.ptr[v+1] += h.ptr[v]
	}
	h.arcs = make([]int32, h.ptr[nodes])
	next := slices.Clone(h.ptr[:nodes])
	for i := range x.n {
		if x.free[i] && tail[i] != head[i] {
			for _, v := range [2]int32{tail[i], head[i]} {
				h.arcs[next[v]] = int32(i)
				next[v]++
			}
		}
	}
	h.up, h.dn, h.w = make([]int64, x.n), make([]int64, x.n), make([]int64, x.n)
	h.in, h.out, h.lax = make([]bool, x.n), make([]bool, x.n), make([]bool, x.n)
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

// colour finds the two sides of a bipartite graph, the ground left out.
func (h *hunt) colour(nodes int) {
	h.side = make([]int8, nodes)
	for v := range h.side {
		h.side[v] = -1
	}
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

// setCell gives cell i the room to rise of the value l and the room to fall of u.
func (h *hunt) setCell(i int32, l, u, lb, ub int64) {
	h.up[i], h.dn[i] = h.x.reach*h.x.q, h.x.reach*h.x.q
	if ub < maxWord {
		h.up[i] = min(max(ub-l, 0), h.x.reach) * h.x.q
	}
	if lb > -maxWord {
		h.dn[i] = min(max(u-lb, 0), h.x.reach) * h.x.q
	}
}

// ask poses the question for the sensitive cells, levels and costs of y and the
// room that cells have to fall in u, to rise in l. For a candidate all three are
// the same; with l ≤ y ≤ u a "no" holds for every candidate in between with the
// same sensitive cells, as long as costs do not depend on values.
func (h *hunt) ask(y, l, u []int64, limit int) (better bool, gaveUp bool) {
	h.pose(y, l, u)
	return h.run(limit)
}

// askBox looks for a pattern that is better than S and protected for all candidates of
// [l, u], in which the positions may can be sensitive; costs must not depend on
// values.
func (h *hunt) askBox(may bitset, l, u []int64, limit int) (better bool, gaveUp bool) {
	h.poseBox(may, l, u)
	h.empty()
	h.budget = 0
	clear(h.lax)
	for p, i := range h.x.cells {
		h.w[i] = h.x.weight(int32(p), l[p])
		h.budget += h.w[i]
	}
	h.met = append(h.met[:0], make([]bool, len(h.p))...)
	return h.run(limit)
}

// run searches for the question posed.
func (h *hunt) run(limit int) (better bool, gaveUp bool) {
	clear(h.out)
	h.nodes, h.limit = 0, limit
	for k, i := range h.p {
		h.lax[i] = h.spl[k] <= 0 && h.lpl[k] <= 0 && h.upl[k] <= 0
		h.push(i)
	}
	found := h.descend(0)
	return found, !found && h.nodes >= h.limit
}

// pose sets the question and empties K.
func (h *hunt) pose(y, l, u []int64) {
	x := h.x
	h.p, h.spl, h.lpl, h.upl = h.p[:0], h.spl[:0], h.lpl[:0], h.upl[:0]
	h.empty()
	h.budget = 0
	clear(h.lax)
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

// poseBox sets the question of whether a pattern is protected for all tables of
// [l, u], in which the positions may can be sensitive.
func (h *hunt) poseBox(may bitset, l, u []int64) {
	x := h.x
	h.p, h.spl, h.lpl, h.upl = h.p[:0], h.spl[:0], h.lpl[:0], h.upl[:0]
	for p, i := range x.cells {
		h.setCell(i, u[p], l[p], x.lb[p], x.ub[p])
		if may.has(int32(p)) {
			h.require(int32(p), l[p], u[p])
		}
	}
}

// require adds the cell of position p, with the levels for its sensitive values in
// [l, u].
func (h *hunt) require(p int32, l, u int64) {
	x := h.x
	if x.office.Below > 0 {
		a, e := x.office.span()
		l, u = max(l, a), min(u, e)
	}
	s, f, r := x.need(p, 0, l, u), x.need(p, 1, l, u), x.need(p, 2, l, u)
	if x.base.Strict {
		s++
	}
	h.p, h.spl, h.lpl, h.upl = append(h.p, x.cells[p]), append(h.spl, s), append(h.lpl, f), append(h.upl, r)
	h.index[x.cells[p]] = int32(len(h.p))
}

// A cut bounds how far a sensitive cell can move with some pattern: by the room of the
// cells over a minimum cut, or its own.
type cut struct {
	cell int32
	kind int8    // 0: the width, terms of both directions; 1: down; 2: up
	over []int32 // 2·cell, +1 for room to rise
}

// maxCuts is how many cuts of a pattern are kept.
const maxCuts = 6

// breaks says whether c shows that a level of the question posed is not met.
func (h *hunt) breaks(c *cut) bool {
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

// holds says whether the pattern set, which has all sensitive cells of the question
// posed, is protected, and leaves it as K. cuts are those that broke it before,
// the latest first.
func (h *hunt) holds(set bitset, cuts *[]cut) bool {
	for at := range *cuts {
		if h.breaks(&(*cuts)[at]) {
			(*cuts)[0], (*cuts)[at] = (*cuts)[at], (*cuts)[0]
			return false
		}
	}
	h.take(set)
	for j := range h.p {
		if ok, _ := h.lack(j, nil); !ok {
			c := h.hold(j)
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

// hold returns the cut that keeps sensitive cell j, which is not protected, from its levels.
func (h *hunt) hold(j int) cut {
	i := h.p[j]
	spl, lpl, upl := h.spl[j], h.lpl[j], h.upl[j]
	c := cut{cell: i}
	up, over := h.flow(i, true, max(upl, spl))
	c.over = h.behind(i, true, over, c.over)
	if up < upl {
		c.kind = 2
		return c
	}
	at := len(c.over)
	down, over := h.flow(i, false, max(lpl, spl))
	c.over = h.behind(i, false, over, c.over)
	if down < lpl {
		c.kind, c.over = 1, c.over[at:]
	}
	return c
}

// behind adds what held the last flow back: the cells of K over the marked nodes, or
// cell i itself.
func (h *hunt) behind(i int32, rise, over bool, list []int32) []int32 {
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

// take makes set K.
func (h *hunt) take(set bitset) {
	h.empty()
	for w, v := range set {
		for ; v != 0; v &= v - 1 {
			h.push(int32(w<<6 + bits.TrailingZeros64(v)))
		}
	}
}

// empty makes K empty.
func (h *hunt) empty() {
	for _, i := range h.k {
		h.in[i] = false
		h.edges[h.tail[i]], h.edges[h.head[i]] = h.edges[h.tail[i]][:0], h.edges[h.head[i]][:0]
	}
	h.k, h.res, h.to, h.cost = h.k[:0], h.res[:0], h.to[:0], 0
}

func (h *hunt) push(i int32) {
	h.in[i] = true
	e := int32(2 * len(h.k))
	h.k = append(h.k, i)
	h.res = append(h.res, 0, 0)
	h.to = append(h.to, h.head[i], h.tail[i])
	h.edges[h.tail[i]] = append(h.edges[h.tail[i]], e)
	h.edges[h.head[i]] = append(h.edges[h.head[i]], e+1)
	h.cost += h.w[i]
}

func (h *hunt) pop() {
	i := h.k[len(h.k)-1]
	h.k, h.res, h.to = h.k[:len(h.k)-1], h.res[:len(h.res)-2], h.to[:len(h.to)-2]
	h.in[i] = false
	t, v := h.tail[i], h.head[i]
	h.edges[t], h.edges[v] = h.edges[t][:len(h.edges[t])-1], h.edges[v][:len(h.edges[v])-1]
	h.cost -= h.w[i]
}

// flow returns how far cell i can rise (fall), at most want, and leaves the nodes
// it reaches in mark where that is less than its own capacity and want.
func (h *hunt) flow(i int32, rise bool, want int64) (value int64, cut bool) {
	own := h.up[i]
	s, t := h.head[i], h.tail[i]
	if !rise {
		own, s, t = h.dn[i], t, s
	}
	want = min(want, own)
	if s == t {
		return want, false // in no relation: nothing else binds
	}
	for slot, c := range h.k {
		h.res[2*slot], h.res[2*slot+1] = h.up[c], h.dn[c]
		if c == i {
			h.res[2*slot], h.res[2*slot+1] = 0, 0
		}
	}
	for value < want {
		// Breadth first, so that few paths do.
		h.stamp++
		h.mark[s] = h.stamp
		h.queue = append(h.queue[:0], s)
		reached := false
		for at := 0; at < len(h.queue) && !reached; at++ {
			for _, e := range h.edges[h.queue[at]] {
				v := h.to[e]
				if h.res[e] <= 0 || h.mark[v] == h.stamp {
					continue
				}
				h.mark[v], h.via[v] = h.stamp, e
				if v == t {
					reached = true
					break
				}
				h.queue = append(h.queue, v)
			}
		}
		if !reached {
			return value, true
		}
		d := want - value
		for v := t; v != s; v = h.to[h.via[v]^1] {
			d = min(d, h.res[h.via[v]])
		}
		for v := t; v != s; v = h.to[h.via[v]^1] {
			h.res[h.via[v]] -= d
			h.res[h.via[v]^1] += d
		}
		value += d
	}
	return value, false
}

// over adds to list the cells one of which must be withheld to let more flow out
// of the marked nodes.
func (h *hunt) over(i int32, list []int32) []int32 {
	if list == nil {
		return nil
	}
	for _, v := range h.queue {
		for _, c := range h.arcs[h.ptr[v]:h.ptr[v+1]] {
			if h.in[c] || h.out[c] || c == i {
				continue
			}
			o, room := h.head[c], h.up[c]
			if o == v {
				o, room = h.tail[c], h.dn[c]
			}
			if h.mark[o] != h.stamp && room > 0 {
				list = append(list, c)
			}
		}
	}
	return list
}

// lack checks sensitive cell j. Where it is not protected, list are the cells of
// which one must be added.
func (h *hunt) lack(j int, list []int32) (ok bool, _ []int32) {
	i := h.p[j]
	spl, lpl, upl := h.spl[j], h.lpl[j], h.upl[j]
	most := max(spl, lpl, upl)
	up, cutUp := h.flow(i, true, max(upl, spl))
	if up < upl {
		if cutUp {
			return false, h.over(i, list)
		}
		return false, list
	}
	at := len(list)
	if cutUp && up < spl {
		list = h.over(i, list) // of use only if the width is short
	}
	down, cutDown := h.flow(i, false, max(lpl, min(most, spl-up)))
	switch {
	case down < lpl:
		list = list[:at]
		if cutDown {
			list = h.over(i, list)
		}
		return false, list
	case up+down >= spl:
		return true, list[:at]
	}
	if cutDown {
		list = h.over(i, list)
	}
	return false, list
}

// bound is a lower bound on what must still be paid, and the node that needs another
// cell and has the fewest to choose from, −1 none; need = 0 says that any cell that
// is free at the node will do, else it has to let flow out of it (1) or into it (2).
// ok is false where a node has none.
//
// A node needs another cell if it is a dead end, or if a sensitive cell ends there
// and the room of the others at the node cannot make up for its moving as far as
// it must. No cell has two ends on one side of a bipartite graph, so the costs of
// the nodes' cheapest cells add up on either side.
func (h *hunt) bound() (rest int64, node int32, need int8, ok bool) {
	h.stamp++
	b := bounder{h: h, node: -1, ways: 1 << 30, ok: true}
	for _, i := range h.k {
		for _, v := range [2]int32{h.tail[i], h.head[i]} {
			if v != h.ground && len(h.edges[v]) == 1 && !h.lax[i] {
				b.add(v, 0)
			}
		}
	}
	for j, i := range h.p {
		if h.met[j] {
			continue
		}
		if w := max(h.upl[j], h.spl[j]-h.dn[i]); w > 0 {
			b.line(i, h.head[i], 1, w)
			b.line(i, h.tail[i], 2, w)
		}
		if w := max(h.lpl[j], h.spl[j]-h.up[i]); w > 0 {
			b.line(i, h.tail[i], 1, w)
			b.line(i, h.head[i], 2, w)
		}
		if !b.ok {
			break
		}
	}
	return max(b.sum[0], b.sum[1], (b.whole+1)/2), b.node, b.need, b.ok
}

// A bounder adds up what bound finds.
type bounder struct {
	h     *hunt
	node  int32
	need  int8
	ways  int
	sum   [2]int64
	whole int64
	ok    bool
}

// line checks whether node v lets an amount out (way 1) or in (way 2) besides cell i.
func (b *bounder) line(i, v int32, way int8, amount int64) {
	h := b.h
	if v == h.ground || !b.ok || h.mark[v] == h.stamp {
		return
	}
	for _, e := range h.edges[v] {
		c := h.k[e>>1]
		if c == i {
			continue
		}
		if amount -= h.through(c, v, way); amount <= 0 {
			return
		}
	}
	b.add(v, way)
}

// through is the room of cell c to carry flow out of node v (way 1), or into it (2).
func (h *hunt) through(c, v int32, way int8) int64 {
	if (h.tail[c] == v) == (way == 1) {
		return h.up[c]
	}
	return h.dn[c]
}

// add notes that node v needs another cell.
func (b *bounder) add(v int32, way int8) {
	h := b.h
	if h.mark[v] == h.stamp {
		return
	}
	h.mark[v] = h.stamp
	least, n := int64(-1), 0
	for _, c := range h.arcs[h.ptr[v]:h.ptr[v+1]] {
		if h.in[c] || h.out[c] || way > 0 && h.through(c, v, way) == 0 {
			continue
		}
		n++
		if least < 0 || h.w[c] < least {
			least = h.w[c]
		}
	}
	if n == 0 {
		b.ok = false
		return
	}
	if n < b.ways {
		b.node, b.ways, b.need = v, n, way
	}
	if s := h.side[v]; s >= 0 {
		b.sum[s] += least
	}
	b.whole += least
}

// beats says whether a pattern of the given cost, K or more, can be better than S.
func (h *hunt) beats(cost int64) bool {
	if cost != h.budget || h.x.office.Match == Any {
		return cost < h.budget
	}
	// As dear as S: it must publish the first cell in which they differ.
	for i := range int32(h.x.n) {
		if own := h.x.own.has(i); own != h.in[i] {
			if !own {
				return false // withheld by K, not by S, and no earlier cell can differ
			}
			return true // S's cell is, or may stay, published
		}
	}
	return false
}

// descend extends K. true: it is protected and better than S.
func (h *hunt) descend(depth int) bool {
	if h.nodes++; h.nodes >= h.limit {
		return false
	}
	rest, node, way, ok := h.bound()
	if !ok || !h.beats(h.cost+rest) {
		return false
	}
	for depth >= len(h.lists) {
		h.lists = append(h.lists, nil)
	}
	list := append(h.lists[depth][:0], -1)[:0] // never nil
	var settled uint64                         // sensitive cells met here first; the first 64 only
	short := false
	if node < 0 {
		best := -1
		for j := range h.p {
			if h.met[j] {
				continue
			}
			at := len(list)
			ok, l := h.lack(j, list)
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
			return h.beats(h.cost)
		}
	} else {
		for _, c := range h.arcs[h.ptr[node]:h.ptr[node+1]] {
			if !h.in[c] && !h.out[c] && (way == 0 || h.through(c, node, way) > 0) {
				list = append(list, c)
			}
		}
	}
	h.lists[depth] = list
	// Cells that end in dead ends first, cheap ones before dear ones.
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
		found = h.descend(depth + 1)
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

// deadEnds counts the ends of cell c that have one withheld cell.
func (h *hunt) deadEnds(c int32) int {
	n := 0
	for _, v := range [2]int32{h.tail[c], h.head[c]} {
		if v != h.ground && len(h.edges[v]) == 1 {
			n++
		}
	}
	return n
}

// pattern returns the K found by ask.
func (h *hunt) pattern() bitset {
	b := newBits(h.x.n)
	for _, i := range h.k {
		b.set(i)
	}
	return b
}
