package attack

// lowerBound returns a lower bound on the cost still to be paid, and the node that needs another cell and has the
// fewest to choose from, −1 if none does. need = 0 means that any free cell at the node will do; otherwise the cell
// must let flow out of the node (1) or into it (2). ok is false if some node has no such cell.
//
// A node needs another cell if it is a dead end, or if a sensitive cell ends there and the capacity of the others at
// the node does not suffice for it to move as far as it must. In a bipartite graph no cell has both ends on one side,
// so on each side the costs of the nodes' cheapest cells add up.
func (h *counterSearch) lowerBound() (rest int64, node int32, need int8, ok bool) {
	h.stamp++
	b := bounder{h: h, node: -1, ways: 1 << 30, ok: true}
	for _, i := range h.k {
		for _, v := range [2]int32{h.tail[i], h.head[i]} {
			if v != h.ground && len(h.edges[v]) == 1 && !h.noLevel[i] {
				b.add(v, 0)
			}
		}
	}
	for j, i := range h.p {
		if h.met[j] {
			continue
		}
		if w := max(h.upl[j], h.spl[j]-h.dn[i]); w > 0 {
			b.needs(i, h.head[i], 1, w)
			b.needs(i, h.tail[i], 2, w)
		}
		if w := max(h.lpl[j], h.spl[j]-h.up[i]); w > 0 {
			b.needs(i, h.tail[i], 1, w)
			b.needs(i, h.head[i], 2, w)
		}
		if !b.ok {
			break
		}
	}
	return max(b.sum[0], b.sum[1], (b.all+1)/2), b.node, b.need, b.ok
}

// A bounder adds up the costs for lowerBound.
type bounder struct {
	h    *counterSearch
	node int32
	need int8
	ways int
	sum  [2]int64
	all  int64
	ok   bool
}

// needs checks whether node v can pass the amount out (way 1) or in (way 2) through cells other than i.
func (b *bounder) needs(i, v int32, way int8, amount int64) {
	h := b.h
	if v == h.ground || !b.ok || h.mark[v] == h.stamp {
		return
	}
	for _, e := range h.edges[v] {
		c := h.k[e>>1]
		if c == i {
			continue
		}
		if amount -= h.capacityAt(c, v, way); amount <= 0 {
			return
		}
	}
	b.add(v, way)
}

// capacityAt returns the capacity of cell c to carry flow out of node v (way 1) or into it (way 2).
func (h *counterSearch) capacityAt(c, v int32, way int8) int64 {
	if (h.tail[c] == v) == (way == 1) {
		return h.up[c]
	}
	return h.dn[c]
}

// add records that node v needs another cell.
func (b *bounder) add(v int32, way int8) {
	h := b.h
	if h.mark[v] == h.stamp {
		return
	}
	h.mark[v] = h.stamp
	least, n := int64(-1), 0
	for _, c := range h.arcs[h.ptr[v]:h.ptr[v+1]] {
		if h.in[c] || h.out[c] || way > 0 && h.capacityAt(c, v, way) == 0 {
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
	b.all += least
}
