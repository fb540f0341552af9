package sets

// Strong labels the nodes 0, …, nodes − 1 of a directed graph by their strongly connected components (Tarjan,
// Depth-first search and linear graph algorithms, SIAM Journal on Computing 1(2), 1972). Components are
// numbered from 0 in the order of completion, so that no arc leads from one to a later one. next is called for
// k = 0, 1, … until more is false; w is the node to which arc k of v leads, −1 for an arc to be ignored. Cost
// O(nodes + arcs).
func Strong(nodes int32, next func(v, k int32) (w int32, more bool)) (part []int32, count int32) {
	part = make([]int32, nodes)
	order, low, at := make([]int32, nodes), make([]int32, nodes), make([]int32, nodes)
	var path, open []int32
	seen := int32(0)
	enter := func(v int32) {
		seen++
		order[v], low[v] = seen, seen
		path, open = append(path, v), append(open, v)
	}
	for v := range part {
		part[v] = -1
	}
	for root := range nodes {
		if order[root] != 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			v := path[len(path)-1]
			k := at[v]
			at[v]++
			if w, more := next(v, k); more {
				switch {
				case w < 0:
				case order[w] == 0:
					enter(w)
				case part[w] < 0:
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
					if part[w] = count; w == v {
						break
					}
				}
				count++
			}
		}
	}
	return part, count
}
