package attack

import (
	"math/bits"
)

// take sets K to set.
func (h *counterSearch) take(set bitset) {
	h.empty()
	for w, v := range set {
		for ; v != 0; v &= v - 1 {
			h.push(int32(w<<6 + bits.TrailingZeros64(v)))
		}
	}
}

// empty sets K to the empty set.
func (h *counterSearch) empty() {
	for _, i := range h.k {
		h.in[i] = false
		h.edges[h.tail[i]], h.edges[h.head[i]] = h.edges[h.tail[i]][:0], h.edges[h.head[i]][:0]
	}
	h.k, h.res, h.to, h.cost = h.k[:0], h.res[:0], h.to[:0], 0
}

func (h *counterSearch) push(i int32) {
	h.in[i] = true
	e := int32(2 * len(h.k))
	h.k = append(h.k, i)
	h.res = append(h.res, 0, 0)
	h.to = append(h.to, h.head[i], h.tail[i])
	h.edges[h.tail[i]] = append(h.edges[h.tail[i]], e)
	h.edges[h.head[i]] = append(h.edges[h.head[i]], e+1)
	h.cost += h.w[i]
}

func (h *counterSearch) pop() {
	i := h.k[len(h.k)-1]
	h.k, h.res, h.to = h.k[:len(h.k)-1], h.res[:len(h.res)-2], h.to[:len(h.to)-2]
	h.in[i] = false
	t, v := h.tail[i], h.head[i]
	h.edges[t], h.edges[v] = h.edges[t][:len(h.edges[t])-1], h.edges[v][:len(h.edges[v])-1]
	h.cost -= h.w[i]
}

// flow returns how far cell i can rise (else fall), up to want. If that is less than want and than its own capacity,
// cut is true and mark holds the nodes reached: a minimum cut.
func (h *counterSearch) flow(i int32, rise bool, want int64) (value int64, cut bool) {
	own := h.up[i]
	s, t := h.head[i], h.tail[i]
	if !rise {
		own, s, t = h.dn[i], t, s
	}
	want = min(want, own)
	if s == t {
		return want, false // in no relation: only its own capacity limits it
	}
	for slot, c := range h.k {
		h.res[2*slot], h.res[2*slot+1] = h.up[c], h.dn[c]
		if c == i {
			h.res[2*slot], h.res[2*slot+1] = 0, 0
		}
	}
	for value < want {
		// Breadth-first search keeps the number of paths small.
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

// candidates appends to list the cells of which one must be withheld to let more flow out of the marked nodes.
func (h *counterSearch) candidates(i int32, list []int32) []int32 {
	if list == nil {
		return nil
	}
	for _, v := range h.queue {
		for _, c := range h.arcs[h.ptr[v]:h.ptr[v+1]] {
			if h.in[c] || h.out[c] || c == i {
				continue
			}
			o, capacity := h.head[c], h.up[c]
			if o == v {
				o, capacity = h.tail[c], h.dn[c]
			}
			if h.mark[o] != h.stamp && capacity > 0 {
				list = append(list, c)
			}
		}
	}
	return list
}

// check checks sensitive cell j. If it is not protected, list holds the cells of which one must be added.
func (h *counterSearch) check(j int, list []int32) (ok bool, _ []int32) {
	i := h.p[j]
	spl, lpl, upl := h.spl[j], h.lpl[j], h.upl[j]
	most := max(spl, lpl, upl)
	up, cutUp := h.flow(i, true, max(upl, spl))
	if up < upl {
		if cutUp {
			return false, h.candidates(i, list)
		}
		return false, list
	}
	at := len(list)
	if cutUp && up < spl {
		list = h.candidates(i, list) // these help only if the width is too small
	}
	down, cutDown := h.flow(i, false, max(lpl, min(most, spl-up)))
	switch {
	case down < lpl:
		list = list[:at]
		if cutDown {
			list = h.candidates(i, list)
		}
		return false, list
	case up+down >= spl:
		return true, list[:at]
	}
	if cutDown {
		list = h.candidates(i, list)
	}
	return false, list
}
