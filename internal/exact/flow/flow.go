// Package flow finds minimum-cost flows in networks with integer data.
package flow

import (
	"context"

	"github.com/hitoku/hitoku/internal/exact/heap"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// ErrInfeasible says that no flow has the required supplies.
var ErrInfeasible = i18n.New("no flow has these supplies")

// A Graph has nodes 0…n−1 and arcs with capacities and costs. A convex cost is modelled by several parallel arcs.
type Graph struct {
	n    int
	to   []int32 // by edge; arc k is the edge 2k, its reverse 2k+1
	cost []int64 // by edge
	res  []int64 // by edge: residual capacity
	ptr  []int32 // by node: its edges in edge
	edge []int32

	price []int64 // by node
	dist  []int64
	level []int32
	at    []int32
}

// New returns a graph with the given number of nodes and no arcs.
func New(nodes int) *Graph { return &Graph{n: nodes} }

// Add adds an arc and returns its number. The capacity must be ≥ 0.
func (g *Graph) Add(tail, head int32, capacity, cost int64) int {
	g.to = append(g.to, head, tail)
	g.cost = append(g.cost, cost, -cost)
	g.res = append(g.res, capacity, 0)
	return len(g.to)/2 - 1
}

// Flow returns the flow through an arc.
func (g *Graph) Flow(arc int) int64 { return g.res[2*arc+1] }

// Solve finds a minimum-cost flow in which supply[v] more leaves node v than enters it. It is the primal-dual method:
// shortest paths by reduced costs from all supplies at once (Dijkstra with potentials: Edmonds and Karp, Journal of the
// ACM 19(2), 1972), then a maximum flow along them (Dinic 1970). The final potentials satisfy complementary slackness,
// which proves optimality. The flow is the same on every machine. Cost: as many rounds as there are different
// shortest-path lengths, each O(arcs·log nodes) and a maximum flow.
func (g *Graph) Solve(ctx context.Context, supply []int64) error {
	g.index()
	excess := append([]int64(nil), supply...)
	for e := 0; e < len(g.to); e += 2 { // makes all reduced costs nonnegative
		if g.cost[e] < 0 && g.res[e] > 0 {
			excess[g.to[e+1]] -= g.res[e]
			excess[g.to[e]] += g.res[e]
			g.res[e], g.res[e+1] = 0, g.res[e]
		}
	}
	var sum int64
	for _, x := range excess {
		sum += x
	}
	if sum != 0 {
		return ErrInfeasible
	}
	g.price, g.dist = make([]int64, g.n), make([]int64, g.n)
	g.level, g.at = make([]int32, g.n), make([]int32, g.n)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		left := false
		for _, x := range excess {
			left = left || x > 0
		}
		if !left {
			return nil
		}
		if !g.shortest(excess) {
			return ErrInfeasible
		}
		for g.layer(excess) {
			copy(g.at, g.ptr)
			for v := range g.n {
				if excess[v] > 0 {
					excess[v] -= g.push(int32(v), excess[v], excess)
				}
			}
		}
	}
}

// index lists the edges at each node.
func (g *Graph) index() {
	g.ptr, g.edge = sets.Grouped(g.n, func(put func(v, e int32)) {
		for e := range g.to {
			put(g.to[e^1], int32(e))
		}
	})
}

const far = int64(1) << 62

type reached struct {
	dist int64
	node int32
}

func (r reached) Before(o reached) bool {
	return r.dist < o.dist || r.dist == o.dist && r.node < o.node
}

// shortest adds to the prices the distances from all nodes with excess, capped at that of the farthest node with a
// deficit; it returns false if no node with a deficit can be reached.
func (g *Graph) shortest(excess []int64) bool {
	var queue heap.Heap[reached]
	lacking := 0
	for v := range g.n {
		g.dist[v] = far
		if excess[v] > 0 {
			g.dist[v] = 0
			queue = append(queue, reached{0, int32(v)})
		}
		if excess[v] < 0 {
			lacking++
		}
	}
	queue.Init()
	last, found := int64(0), false
	for len(queue) > 0 && lacking > 0 {
		top := queue.Pop()
		v := top.node
		if top.dist > g.dist[v] {
			continue
		}
		last = top.dist
		if excess[v] < 0 {
			found = true
			lacking--
		}
		for _, e := range g.edge[g.ptr[v]:g.ptr[v+1]] {
			if g.res[e] == 0 {
				continue
			}
			w := g.to[e]
			if d := top.dist + g.cost[e] + g.price[v] - g.price[w]; d < g.dist[w] {
				g.dist[w] = d
				queue.Push(reached{d, w})
			}
		}
	}
	for v := range g.n {
		g.price[v] += min(g.dist[v], last)
	}
	return found
}

// layer numbers nodes by how many edges of reduced cost 0 they are away from an excess; false if no node with a deficit
// is reached.
func (g *Graph) layer(excess []int64) bool {
	queue := make([]int32, 0, g.n)
	for v := range g.n {
		g.level[v] = -1
		if excess[v] > 0 {
			g.level[v] = 0
			queue = append(queue, int32(v))
		}
	}
	found := false
	for at := 0; at < len(queue); at++ {
		v := queue[at]
		found = found || excess[v] < 0
		for _, e := range g.edge[g.ptr[v]:g.ptr[v+1]] {
			w := g.to[e]
			if g.res[e] > 0 && g.level[w] < 0 && g.cost[e]+g.price[v]-g.price[w] == 0 {
				g.level[w] = g.level[v] + 1
				queue = append(queue, w)
			}
		}
	}
	return found
}

// push sends up to want from node v to nodes with a deficit.
func (g *Graph) push(v int32, want int64, excess []int64) int64 {
	if excess[v] < 0 {
		take := min(want, -excess[v])
		excess[v] += take
		return take
	}
	var sent int64
	for ; g.at[v] < g.ptr[v+1]; g.at[v]++ {
		e := g.edge[g.at[v]]
		w := g.to[e]
		if g.res[e] == 0 || g.level[w] != g.level[v]+1 || g.cost[e]+g.price[v]-g.price[w] != 0 {
			continue
		}
		s := g.push(w, min(want-sent, g.res[e]), excess)
		g.res[e] -= s
		g.res[e^1] += s
		if sent += s; sent == want {
			return sent
		}
	}
	return sent
}
