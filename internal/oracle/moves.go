package oracle

import "github.com/hitoku/hitoku/internal/sets"

// Moves reports for every cell whether it can move at all, that is, z_i ≠ 0 for some z of (1) with capacities up, dn.
// ok is false if M is not a network.
//
// A cell is an arc, directed if it has capacity in one direction only (Gusfield, SIAM Journal on Computing 17(3),
// 1988). It moves iff it lies on a cycle that respects directions and does not return through the arc itself. For a
// directed arc that means that both its ends are in one strongly connected component. For an undirected arc {u, v} it
// suffices that it is not a bridge of its component with directions ignored: without the arc, let A be what u reaches
// and B what v reaches. If neither contains the other end, A and B are disjoint, as otherwise a path would lead from
// one end to the other; together they are the whole component, and no arc leaves either, so only {u, v} joins them.
// Cost O(n).
func (s *System) Moves(up, dn []int64) (moves []bool, ok bool) {
	net := s.net
	if net == nil {
		return nil, false
	}
	comp := net.strong(up, dn)
	moves = make([]bool, s.Rel.N)
	for i := range moves {
		moves[i] = up[i]|dn[i] != 0 && comp[net.tail[i]] == comp[net.head[i]]
	}
	block, _ := net.blocks(moves)
	for i := range moves {
		moves[i] = block[i] >= 0
	}
	return moves, true
}

// strong labels nodes by their strongly connected component, where an arc can be traversed from tail to head if up > 0
// and back if dn > 0.
func (net *network) strong(up, dn []int64) []int32 {
	comp, _ := sets.Strong(int32(net.nodes), func(v, k int32) (int32, bool) {
		at := net.ptr[v] + k
		if at >= net.ptr[v+1] {
			return -1, false
		}
		i := net.arcs[at]
		w, capacity := net.head[i], up[i]
		if w == v {
			w, capacity = net.tail[i], dn[i]
		}
		if capacity == 0 {
			return -1, true
		}
		return w, true
	})
	return comp
}
