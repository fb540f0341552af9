package oracle

// Moves reports for every cell whether it can move at all, z_i ≠ 0 for some z of (1), with capacities up, dn.
// ok is false if M is not a network.
//
// A cell is an arc, directed if it has capacity one way only (Gusfield, SIAM Journal
// on Computing 17(3), 1988). It moves if it lies on a cycle that respects directions
// and does not go back through the arc itself. A directed arc does so if both its
// ends are in one strongly connected component. An undirected arc {u, v} does so
// if it is no bridge of its component, directions left aside: without it, let A be
// what u reaches and B what v reaches. If neither holds the other end, A and B have
// no node in common, for its way to u or v would lead from one to the other;
// together they are the whole component, and no arc leaves either, so none but
// {u, v} joins them. Cost O(n).
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

// strong labels nodes by the strongly connected component they are in, where an arc
// may be passed from tail to head if up > 0 and back if dn > 0 (Tarjan, Depth-first
// search and linear graph algorithms, SIAM Journal on Computing 1(2), 1972).
func (net *network) strong(up, dn []int64) []int32 {
	comp := make([]int32, net.nodes)
	order, low := make([]int32, net.nodes), make([]int32, net.nodes)
	at := append([]int32(nil), net.ptr[:net.nodes]...)
	var path, open []int32
	count, found := int32(0), int32(0)
	for v := range comp {
		comp[v] = -1
	}
	for root := range int32(net.nodes) {
		if order[root] != 0 {
			continue
		}
		count++
		order[root], low[root] = count, count
		path, open = append(path[:0], root), append(open[:0], root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if at[v] < net.ptr[v+1] {
				i := net.arcs[at[v]]
				at[v]++
				w := net.head[i]
				capacity := up[i]
				if w == v {
					w, capacity = net.tail[i], dn[i]
				}
				switch {
				case capacity == 0:
				case order[w] == 0:
					count++
					order[w], low[w] = count, count
					path, open = append(path, w), append(open, w)
				case comp[w] < 0:
					low[v] = min(low[v], order[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				u := path[len(path)-1]
				low[u] = min(low[u], low[v])
			}
			if low[v] == order[v] {
				for {
					w := open[len(open)-1]
					open = open[:len(open)-1]
					if comp[w] = found; w == v {
						break
					}
				}
				found++
			}
		}
	}
	return comp
}
