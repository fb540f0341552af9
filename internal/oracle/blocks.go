package oracle

import (
	"context"
	"slices"
)

// A Structure describes the kernel {z : M z = 0}.
type Structure struct {
	// Block[i] is the block of cell i. The kernel is the direct sum of the kernels of the blocks: movements in
	// different blocks are independent. Blocks are numbered in order of their first cells; −1 means that z_i = 0 on the
	// whole kernel.
	Block  []int32
	Blocks int
	// Keep marks relations that imply all others: on a network those that are its nodes, so that the kept relations
	// alone are a network; otherwise independent ones.
	Keep []bool
	// Lead[i] ≤ i is the first cell that moves with cell i: z_i = Sign[i]·z_Lead[i] on the whole kernel; nil if
	// unknown.
	Lead []int32
	Sign []int8
}

// NetworkRows marks the relations that are nodes of the network and imply the others; nil if M is not a network.
func (s *System) NetworkRows() []bool {
	if s.net == nil {
		return nil
	}
	return s.net.keep
}

// Structure finds the blocks of M. On a network they are the 2-connected components of the graph, and the cells that
// never move are its bridges (Hopcroft and Tarjan, Algorithm 447, Communications of the ACM 16(6), 1973), in time O(n).
// Otherwise it eliminates M and takes the connected components of the fundamental circuits, all verified in integers.
// ok is false if that would take too long or the circuits' fractions are too large.
func (s *System) Structure(ctx context.Context) (st *Structure, ok bool, err error) {
	if s.net != nil {
		st := &Structure{Block: make([]int32, s.Rel.N), Keep: s.net.keep}
		st.number(s.net.blocks(nil))
		return st, true, nil
	}
	return s.eliminated(ctx)
}

// blocks labels the arcs in use (nil: all) by their 2-connected component, numbered as found; −1 means a bridge, or not
// in use.
func (net *network) blocks(use []bool) (comp []int32, found int32) {
	n := len(net.tail)
	comp = make([]int32, n)
	for i := range comp {
		comp[i] = -1
		if net.tail[i] == net.head[i] && (use == nil || use[i]) { // a loop moves freely
			comp[i] = found
			found++
		}
	}
	// Depth-first search with an explicit stack. low[v] is the least order number that the subtree of v reaches by one
	// arc off the tree.
	order, low := make([]int32, net.nodes), make([]int32, net.nodes)
	at := append([]int32(nil), net.ptr[:net.nodes]...)
	via := make([]int32, net.nodes)
	var path, open []int32 // nodes on the path; arcs not yet in a component
	count := int32(0)
	for root := range int32(net.nodes) {
		if order[root] != 0 {
			continue
		}
		count++
		order[root], low[root], via[root] = count, count, -1
		path = append(path[:0], root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if at[v] < net.ptr[v+1] {
				i := net.arcs[at[v]]
				at[v]++
				if i == via[v] || use != nil && !use[i] {
					continue
				}
				w := net.tail[i] + net.head[i] - v
				switch {
				case order[w] == 0:
					count++
					order[w], low[w], via[w] = count, count, i
					open = append(open, i)
					path = append(path, w)
				case order[w] < order[v]:
					open = append(open, i)
					low[v] = min(low[v], order[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) == 0 {
				break
			}
			u := path[len(path)-1]
			low[u] = min(low[u], low[v])
			if low[v] < order[u] {
				continue
			}
			// u separates the subtree of v: the arcs since via[v] are a component.
			first := len(open) - 1
			for open[first] != via[v] {
				first--
			}
			if first < len(open)-1 {
				for _, i := range open[first:] {
					comp[i] = found
				}
				found++
			}
			open = open[:first]
		}
	}
	return comp, found
}

// number stores the labels comp, renumbered by first cell; −1 stays.
func (st *Structure) number(comp []int32, labels int32) {
	name := slices.Repeat([]int32{-1}, int(labels))
	for i, c := range comp {
		if c < 0 {
			st.Block[i] = -1
			continue
		}
		if name[c] < 0 {
			name[c] = int32(st.Blocks)
			st.Blocks++
		}
		st.Block[i] = name[c]
	}
}
