package oracle

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// A network is M as the incidence matrix of a directed graph, after changing the sign of some relations and dropping
// redundant ones: a node for each relation and an arc for each cell, which enters the relation where its coefficient is
// +1 and leaves the one where it is −1. A cell in only one relation has its other end at the ground node, a cell in
// none is a loop there.
type network struct {
	keep       []bool // relations that are nodes; they imply the others
	nodes      int
	tail, head []int32 // by cell
	ptr, arcs  []int32 // arcs at each node, CSR
	ends       []int32 // the nodes at the other ends of these arcs
	flip       []int8  // by relation: its sign as a node, 0: dropped
}

// newNetwork returns nil if M is not a network in this sense.
//
// In a two-way table with one hierarchical dimension a cell of an inner code occurs three times; the relations all of
// whose cells occur three times (the sums over the flat dimension for an inner code) follow from the others. So these
// are tried for redundancy, which is then verified by node potentials.
func newNetwork(rel *table.Relations, cols *table.Columns) *network {
	for _, c := range rel.Coef {
		if c != 1 && c != -1 {
			return nil
		}
	}
	// If inner codes of a tree have inner codes below them, the sums over the tree are also among the relations all of
	// whose cells occur three times; which of these come first depends on the order of the dimensions.
	for _, backwards := range [2]bool{false, true} {
		dropped, drops, ok := dropTriples(rel, backwards)
		if !ok {
			continue
		}
		net := &network{nodes: rel.Len() + 1}
		if !net.orient(rel, cols, dropped) {
			continue
		}
		if net.connect(rel.N, cols, dropped); net.implies(rel, drops) {
			net.keep = dropped
			for j := range net.keep {
				net.keep[j] = !dropped[j]
			}
			return net
		}
	}
	return nil
}

// dropTriples drops empty relations and, one by one in their order or backwards, those all of whose cells occur three
// times in the remaining ones; these are listed in drops. It returns false if a cell still occurs more than twice.
func dropTriples(rel *table.Relations, backwards bool) (dropped []bool, drops []int, ok bool) {
	count := make([]int32, rel.N)
	for _, i := range rel.Cell {
		count[i]++
	}
	dropped = make([]bool, rel.Len())
	for t := range dropped {
		j := t
		if backwards {
			j = rel.Len() - 1 - t
		}
		cell, _ := rel.Row(j)
		all3 := len(cell) > 0
		for _, i := range cell {
			all3 = all3 && count[i] >= 3
		}
		if all3 || len(cell) == 0 {
			dropped[j] = true
			if all3 {
				drops = append(drops, j)
			}
			for _, i := range cell {
				count[i]--
			}
		}
	}
	for _, c := range count {
		if c > 2 {
			return nil, nil, false
		}
	}
	return dropped, drops, true
}

// incident returns the k ≤ 2 kept relations that contain cell i, and its coefficients there.
func incident(cols *table.Columns, dropped []bool, i int) (r [2]int32, c [2]int32, k int) {
	rels, coefs := cols.Column(i)
	for t, j := range rels {
		if !dropped[j] {
			r[k], c[k] = j, coefs[t]
			k++
		}
	}
	return
}

// orient finds signs for the relations such that every cell between two of them leaves one and enters the other; false
// if there are none.
func (net *network) orient(rel *table.Relations, cols *table.Columns, dropped []bool) bool {
	m := rel.Len()
	flip := make([]int8, m) // 0 not seen, ±1
	queue := make([]int32, 0, m)
	for root := range m {
		if flip[root] != 0 || dropped[root] {
			continue
		}
		flip[root] = 1
		queue = append(queue[:0], int32(root))
		for len(queue) > 0 {
			j := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			cell, _ := rel.Row(int(j))
			for _, i := range cell {
				r, c, k := incident(cols, dropped, int(i))
				if k < 2 {
					continue
				}
				o := 0
				if r[0] == j {
					o = 1
				}
				want := -flip[j] * int8(c[0]*c[1])
				switch flip[r[o]] {
				case 0:
					flip[r[o]] = want
					queue = append(queue, r[o])
				case -want:
					return false
				}
			}
		}
	}
	net.flip = flip
	return true
}

// connect sets the ends of the n cells and the arcs of the nodes.
func (net *network) connect(n int, cols *table.Columns, dropped []bool) {
	ground := int32(net.nodes - 1)
	net.tail, net.head = make([]int32, n), make([]int32, n)
	for i := range n {
		r, c, k := incident(cols, dropped, i)
		net.tail[i], net.head[i] = ground, ground
		for t := range k {
			if c[t]*int32(net.flip[r[t]]) > 0 {
				net.head[i] = r[t]
			} else {
				net.tail[i] = r[t]
			}
		}
	}
	net.ptr, net.arcs = sets.Grouped(net.nodes, func(put func(v, i int32)) {
		for i := range n {
			if net.tail[i] != net.head[i] {
				put(net.tail[i], int32(i))
				put(net.head[i], int32(i))
			}
		}
	})
	net.ends = make([]int32, len(net.arcs))
	for v := range int32(net.nodes) {
		for at := net.ptr[v]; at < net.ptr[v+1]; at++ {
			i := net.arcs[at]
			net.ends[at] = net.tail[i] + net.head[i] - v
		}
	}
}

// A Flow is the network engine, which can also compute in whole numbers.
type Flow interface {
	Intruder
	// SetInt is SetCapacities for integers. Capacities above clamp count as clamp.
	SetInt(up, dn []int64, clamp int64)
	// ReachInt is Reach for integers.
	ReachInt(k, sign int, limit int64) int64
	// WitnessInt is Witness for integers.
	WitnessInt(idx []int32, val []int64) ([]int32, []int64)
}

// A flow is the network engine: max-flow by Dinic's algorithm (Algorithm for solution of a problem of maximum flow in a
// network with power estimation, 1970) over the arcs with capacity, in int64; duals are minimum cuts (Ford and
// Fulkerson 1956). Reach for cell k with tail u and head v is the largest flow v → u without arc k, that is the largest
// circulation through k.
type flow struct {
	net *network
	n   int

	up, dn []float64 // capacities of all cells, shared with the caller of SetCapacities
	weight []float64
	scale  float64
	iup    []int64 // integer capacities, as given to SetInt
	idn    []int64
	clamp  int64 // SetInt only

	residualGraph
	flowScratch

	k, sign int
	own     int64 // capacity of cell k itself in the asked direction
	value   int64 // flow through k
	cut     bool  // the last reach ended below its limit
	work    float64
	steps   int // arcs visited, for spend
}

// flowScratch holds, by node, the results of the searches.
type flowScratch struct {
	level []int32
	it    []int32
	queue []int32
	mark  []int8
	next  []int32
	stack []int32
}

// A residualGraph has the arcs with capacity; edges e and e^1 are a pair in opposite directions.
type residualGraph struct {
	ptr  []int32 // by node
	edge []int32 // edges at each node
	to   []int32 // by edge
	cell []int32 // by pair of edges
	res  []int64 // by edge: residual capacity
	full []int64 // its initial value
}

func (net *network) flow(s *System) *flow {
	n := s.Rel.N
	return &flow{net: net, n: n,
		residualGraph: residualGraph{ptr: make([]int32, net.nodes+1)},
		flowScratch:   flowScratch{level: make([]int32, net.nodes), it: make([]int32, net.nodes), mark: make([]int8, net.nodes), next: make([]int32, net.nodes)}}
}

func (f *flow) Name() string { return "network" }
func (f *flow) Close() error { return nil }

// Work implements Intruder. A flow visits its arcs a few times.
func (f *flow) Work() float64 { return f.work }

// SetCapacities implements Intruder.
func (f *flow) SetCapacities(up, dn, weight []float64) {
	f.up, f.dn, f.weight = up, dn, weight
	f.build(func(i int) bool { return weight[i] > 0 && (up[i] > 0 || dn[i] > 0) })
}

// Truncate implements Intruder; Reach truncates at its limit anyway.
func (f *flow) Truncate(float64) {}

// SetWeight implements Intruder.
func (f *flow) SetWeight(i int, w float64) { f.weight[i] = w }

// SetInt sets integer capacities (table.PosInf: none); ReachInt does not distinguish values above clamp.
func (f *flow) SetInt(up, dn []int64, clamp int64) {
	f.scale, f.clamp = 1, clamp
	f.build(func(i int) bool { return up[i]|dn[i] != 0 })
	for p, i := range f.cell {
		f.full[2*p], f.full[2*p+1] = min(up[i], clamp), min(dn[i], clamp)
	}
	f.iup, f.idn = up, dn
}

// build makes the graph of the arcs that have capacity.
func (f *flow) build(active func(i int) bool) {
	net := f.net
	clear(f.ptr)
	f.cell = f.cell[:0]
	for i := range f.n {
		if net.tail[i] != net.head[i] && active(i) {
			f.ptr[net.tail[i]+1]++
			f.ptr[net.head[i]+1]++
			f.cell = append(f.cell, int32(i))
		}
	}
	for v := range net.nodes {
		f.ptr[v+1] += f.ptr[v]
	}
	e := 2 * len(f.cell)
	f.edge = slices.Grow(f.edge[:0], e)[:e]
	f.to = slices.Grow(f.to[:0], e)[:e]
	f.full = slices.Grow(f.full[:0], e)[:e]
	f.res = slices.Grow(f.res[:0], e)[:e]
	copy(f.next, f.ptr)
	for p, i := range f.cell {
		t, h := net.tail[i], net.head[i]
		f.to[2*p], f.to[2*p+1] = h, t
		f.edge[f.next[t]] = int32(2 * p)
		f.next[t]++
		f.edge[f.next[h]] = int32(2*p + 1)
		f.next[h]++
	}
}

// Bound implements Intruder.
func (f *flow) Bound(ctx context.Context, k, sign int, limit float64) (float64, error) {
	return f.Reach(ctx, k, sign, limit)
}

// Reach implements Intruder. Capacities are truncated at limit, which no path of the flow exceeds, and scaled to
// integers by a power of two; integers stay exact as long as limit ≤ 2^40.
func (f *flow) Reach(ctx context.Context, k, sign int, limit float64) (float64, error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	_, exp := math.Frexp(limit)
	f.scale = math.Ldexp(1, flowBits+1-exp)
	for p, i := range f.cell {
		w := f.weight[i] * f.scale
		f.full[2*p], f.full[2*p+1] = int64(min(f.up[i], limit)*w), int64(min(f.dn[i], limit)*w)
	}
	own := f.up[k]
	if sign < 0 {
		own = f.dn[k]
	}
	f.steps += len(f.cell)
	v := f.run(k, sign, int64(min(own, limit)*f.weight[k]*f.scale), int64(math.Ceil(limit*f.scale)))
	f.spend(ctx)
	return float64(v) / f.scale, nil
}

// spend tells ctx of the steps taken since the last call.
func (f *flow) spend(ctx context.Context) {
	work.Spend(ctx, time.Duration(f.steps)*arcTime)
	f.steps = 0
}

// ReachInt maximises sign·z_k in integers after SetInt, stopping at limit.
func (f *flow) ReachInt(k, sign int, limit int64) int64 {
	own := f.iup[k]
	if sign < 0 {
		own = f.idn[k]
	}
	return f.run(k, sign, min(own, f.clamp), min(limit, f.clamp))
}

// run maximises the flow that returns from one end of cell k to the other, up to the capacity of k and the limit.
func (f *flow) run(k, sign int, own, limit int64) int64 {
	net := f.net
	f.k, f.sign, f.value, f.own, f.cut = k, sign, 0, own, false
	f.work += float64(len(f.cell)) / 25
	f.steps += len(f.cell)
	s, t := net.head[k], net.tail[k] // flow returns from the head to the tail
	if sign < 0 {
		s, t = t, s
	}
	copy(f.res, f.full)
	if p, ok := slices.BinarySearch(f.cell, int32(k)); ok {
		f.res[2*p], f.res[2*p+1] = 0, 0 // without arc k
	}
	want := min(limit, own)
	if s == t { // a loop: only its own capacity limits it
		f.value = want
		return want
	}
	for f.value < want && f.bfs(s, t) {
		copy(f.it, f.ptr[:net.nodes])
		for f.value < want {
			pushed := f.augment(s, t, want-f.value)
			if pushed == 0 {
				break
			}
			f.value += pushed
		}
	}
	f.cut = f.value < want
	return f.value
}

// bfs labels nodes by distance to t in the residual graph; false if s is cut off.
func (f *flow) bfs(s, t int32) bool {
	for v := range f.level {
		f.level[v] = -1
	}
	f.level[t] = 0
	f.queue = append(f.queue[:0], t)
	for at := 0; at < len(f.queue); at++ {
		v := f.queue[at]
		f.steps += int(f.ptr[v+1] - f.ptr[v])
		for _, e := range f.edge[f.ptr[v]:f.ptr[v+1]] {
			if w := f.to[e]; f.level[w] < 0 && f.res[e^1] > 0 {
				f.level[w] = f.level[v] + 1
				if w == s {
					return true
				}
				f.queue = append(f.queue, w)
			}
		}
	}
	return false
}

// augment pushes flow along one path s → t with decreasing labels and returns the amount.
func (f *flow) augment(s, t int32, want int64) int64 {
	path := f.stack[:0]
	v := s
	for v != t {
		advanced := false
		f.steps += 4
		for ; f.it[v] < f.ptr[v+1]; f.it[v]++ {
			f.steps++
			e := f.edge[f.it[v]]
			if w := f.to[e]; f.res[e] > 0 && f.level[w] == f.level[v]-1 {
				path = append(path, e)
				v = w
				advanced = true
				break
			}
		}
		if advanced {
			continue
		}
		if len(path) == 0 {
			f.stack = path
			return 0
		}
		f.level[v] = -1 // dead end
		v = f.to[path[len(path)-1]^1]
		path = path[:len(path)-1]
		f.it[v]++
	}
	for _, e := range path {
		want = min(want, f.res[e])
	}
	for _, e := range path {
		f.res[e] -= want
		f.res[e^1] += want
	}
	f.stack = path
	return want
}

// Duals implements Intruder: the minimum cut nearest to the source and, if different, the one nearest to the sink. If
// the capacity of k itself is the limit, the dual is e_k.
func (f *flow) Duals() []*Dual {
	if !f.cut {
		if f.value == f.own {
			return []*Dual{{K: int32(f.k), Den: 1, Idx: []int32{int32(f.k)}, Coef: []int64{1}}}
		}
		return nil
	}
	net := f.net
	s, t := net.head[f.k], net.tail[f.k]
	if f.sign < 0 {
		s, t = t, s
	}
	// mark 1: reachable from s; 2: reaches t.
	clear(f.mark)
	f.spread(s, 1, 0)
	f.spread(t, 2, 1)
	d := []*Dual{f.cutDual(1, true)}
	if slices.Contains(f.mark, 0) {
		return append(d, f.cutDual(2, false))
	}
	return d
}

// spread marks what can be reached from v along residual edges (back = 0) or backwards (back = 1).
func (f *flow) spread(v int32, mark int8, back int32) {
	f.mark[v] = mark
	f.queue = append(f.queue[:0], v)
	for at := 0; at < len(f.queue); at++ {
		v := f.queue[at]
		for _, e := range f.edge[f.ptr[v]:f.ptr[v+1]] {
			if w := f.to[e]; f.mark[w] == 0 && f.res[e^back] > 0 {
				f.mark[w] = mark
				f.queue = append(f.queue, w)
			}
		}
	}
}

// cutDual returns the dual for the nodes marked mark, which are the source side if source. With W the source side, z_k
// enters W (sign +1) and must leave it through the other arcs.
func (f *flow) cutDual(mark int8, source bool) *Dual {
	net := f.net
	d := &Dual{K: int32(f.k), Den: 1}
	dir := int64(1) // +1: arcs leaving the marked set carry +z_k
	if !source {
		dir = -1
	}
	dir *= int64(f.sign)
	for v := range f.mark {
		if f.mark[v] != mark {
			continue
		}
		for _, i := range net.arcs[net.ptr[v]:net.ptr[v+1]] {
			if int(i) == f.k {
				continue
			}
			t, h := f.mark[net.tail[i]] == mark, f.mark[net.head[i]] == mark
			if t == h {
				continue
			}
			d.Idx = append(d.Idx, i)
			if t {
				d.Coef = append(d.Coef, dir)
			} else {
				d.Coef = append(d.Coef, -dir)
			}
		}
	}
	sortDual(d)
	// The balances of the marked nodes add up to the flow across the cut; if the ground is among them, use those of all
	// other nodes, with the opposite sign.
	ground := f.mark[net.nodes-1] == mark
	if ground {
		dir = -dir
	}
	for j, s := range net.flip {
		if s != 0 && (f.mark[j] == mark) != ground {
			d.Rel, d.Mult = append(d.Rel, int32(j)), append(d.Mult, dir*int64(s))
		}
	}
	return d
}

// Witness implements Intruder.
func (f *flow) Witness(idx []int32, val []float64) ([]int32, []float64) {
	f.visit(func(i int32, z int64) {
		idx, val = append(idx, i), append(val, float64(z)/f.scale)
	})
	return idx, val
}

// WitnessInt adds the nonzeros of the z found by the last ReachInt.
func (f *flow) WitnessInt(idx []int32, val []int64) ([]int32, []int64) {
	f.visit(func(i int32, z int64) {
		idx, val = append(idx, i), append(val, z)
	})
	return idx, val
}

func (f *flow) visit(each func(i int32, z int64)) {
	for p, i := range f.cell {
		if int(i) == f.k {
			continue
		}
		if z := f.full[2*p] - f.res[2*p]; z != 0 {
			each(i, z)
		}
	}
	if f.value != 0 {
		each(int32(f.k), int64(f.sign)*f.value)
	}
}

// Ends returns the graph of a network: cell i is an arc tail[i] → head[i] between nodes numbered below nodes, the last
// of which is the ground and has no relation. A z is in the kernel of M if and only if it is a circulation. The slices
// are shared; ok is false if M is not a network.
func (s *System) Ends() (tail, head []int32, nodes int, ok bool) {
	if s.net == nil {
		return nil, nil, 0, false
	}
	return s.net.tail, s.net.head, s.net.nodes, true
}
