package oracle

import (
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/heap"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
)

// A Router finds cheap ways to move one cell by a given amount: among all z with M z = 0, sign·z_k = amount, −dn_i ≤
// z_i ≤ up_i it looks for one with a cheap support, where each cell i of the support costs price_i ≥ 0 once. As this is
// a fixed-charge problem, the answer is heuristic. It is not safe for concurrent use.
type Router interface {
	// Route returns the nonzeros of z, cells ascending; ok is false if no z exists. price[k] is ignored.
	Route(ctx context.Context, k, sign int, amount float64, price []float64) (cells []int32, z []float64, ok bool, err error)
	// Below lets Route return ok = false once it knows that every z costs at least most (+Inf by default) at the prices
	// that it minimises. It may still return dearer ones.
	Below(most float64)
	// Work returns the work done so far, in units of about a microsecond that do not depend on the machine.
	Work() float64
	Close() error
}

// NewRouter opens the router that fits M: successive cheapest paths on networks; otherwise a linear program with prices
// spread over the capacities, posed over the kernel of M if that is small compared with M. up and dn are kept, not
// copied. free marks cells that cost nothing and that Route is never asked for; nil: none.
func (s *System) NewRouter(engine, backend string, up, dn []float64, free []bool) (Router, error) {
	if s.net != nil && engine != "simplex" {
		return newPathRouter(s.net, up, dn), nil
	}
	full, err := newLPRouter(s, backend, up, dn, free)
	if err != nil || engine == "simplex" {
		return full, err
	}
	m := s.Rel.Len()
	if m < smallKernel {
		return full, nil
	}
	ker := newKernel(s, 8*len(s.Rel.Cell))
	if ker == nil || len(ker.base)*4 > m {
		return full, nil
	}
	narrow, err := newKernelRouter(s, ker, backend, up, dn)
	if err != nil {
		full.Close()
		return nil, err
	}
	if narrow == nil {
		return full, nil
	}
	return eitherRouter{narrow, full}, nil
}

// A pathRouter sends flow along cheapest residual paths. An arc costs its price until it carries flow.
type pathRouter struct {
	net    *network
	up, dn []float64
	z      []float64
	used   []int32
	dist   []float64
	via    []int32 // by node: the cell of the arc into it; −1: none
	heap   heap.Heap[nodeDist]
	most   float64
	work   float64
}

func newPathRouter(net *network, up, dn []float64) *pathRouter {
	return &pathRouter{net: net, up: up, dn: dn, most: math.Inf(1), z: make([]float64, len(up)),
		dist: make([]float64, net.nodes), via: make([]int32, net.nodes)}
}

func (r *pathRouter) Close() error  { return nil }
func (r *pathRouter) Work() float64 { return r.work }

func (r *pathRouter) Below(most float64) { r.most = most }

type nodeDist struct {
	v int32
	d float64
}

func (a nodeDist) Before(b nodeDist) bool { return a.d < b.d || a.d == b.d && a.v < b.v }

// residual returns the residual capacity of cell i from node v.
func (r *pathRouter) residual(i, v int32) float64 {
	if r.net.tail[i] == v {
		return r.up[i] - r.z[i]
	}
	return r.dn[i] + r.z[i]
}

func (r *pathRouter) Route(ctx context.Context, k, sign int, amount float64, price []float64) ([]int32, []float64, bool, error) {
	for _, i := range r.used {
		r.z[i] = 0
	}
	r.used = r.used[:0]
	s, t := r.net.head[k], r.net.tail[k]
	own := r.up[k]
	if sign < 0 {
		s, t = t, s
		own = r.dn[k]
	}
	if own < amount {
		return nil, nil, false, nil
	}
	if s == t {
		return []int32{int32(k)}, []float64{float64(sign) * amount}, true, nil
	}
	for left := amount; left > 0; {
		if err := ctx.Err(); err != nil {
			return nil, nil, false, context.Cause(ctx)
		}
		if !r.dijkstra(ctx, int32(k), s, t, left, price) {
			return nil, nil, false, context.Cause(ctx)
		}
		push := left
		for v := t; v != s; {
			i := r.via[v]
			from := r.net.tail[i] + r.net.head[i] - v
			push = min(push, r.residual(i, from))
			v = from
		}
		for v := t; v != s; {
			i := r.via[v]
			from := r.net.tail[i] + r.net.head[i] - v
			if r.z[i] == 0 {
				r.used = append(r.used, i)
			}
			if r.net.tail[i] == from {
				r.z[i] += push
			} else {
				r.z[i] -= push
			}
			v = from
		}
		left -= push
	}
	r.z[k] = float64(sign) * amount
	r.used = append(r.used, int32(k))
	slices.Sort(r.used)
	var cells []int32
	var z []float64
	for t, i := range r.used {
		if r.z[i] != 0 && (t == 0 || i != r.used[t-1]) {
			cells, z = append(cells, i), append(z, r.z[i])
		}
	}
	return cells, z, true, nil
}

// dijkstra finds the cheapest path s → t with residual capacity. An arc that can carry only part of the remaining
// amount is priced as if the rest cost as much again.
func (r *pathRouter) dijkstra(ctx context.Context, k, s, t int32, left float64, price []float64) bool {
	for v := range r.dist {
		r.dist[v] = math.Inf(1)
		r.via[v] = -1
	}
	r.dist[s] = 0
	r.heap = append(r.heap[:0], nodeDist{s, 0})
	began, still := r.work, len(r.used) == 0
	defer func() { Spend(ctx, r.work-began) }()
	for steps := 0; len(r.heap) > 0; steps++ {
		if steps&63 == 63 && ctx.Err() != nil {
			return false
		}
		x := r.heap.Pop()
		if x.d > r.dist[x.v] {
			continue
		}
		if x.d >= r.most {
			return false
		}
		if x.v == t {
			return true
		}
		arcs, ends := r.net.arcs[r.net.ptr[x.v]:r.net.ptr[x.v+1]], r.net.ends[r.net.ptr[x.v]:r.net.ptr[x.v+1]]
		r.work += float64(len(arcs)) / 100
		for at, w := range ends {
			// In large networks most time goes into fetching data of arcs, so most arcs must be rejected by their price
			// alone.
			i, bound := arcs[at], min(r.dist[w], r.dist[t])
			if x.d >= bound || x.d+price[i] >= bound && (still || r.z[i] == 0) || i == k {
				continue
			}
			residual := r.residual(i, x.v)
			if residual <= 0 {
				continue
			}
			c := 0.0
			if r.z[i] == 0 {
				c = price[i] * max(1, left/residual)
			}
			if d := x.d + c; d < bound {
				r.dist[w], r.via[w] = d, i
				r.heap.Push(nodeDist{w, d})
			}
		}
	}
	return false
}

// ErrRoute is returned by a Router that gave up: finding a cheap way would take too long, or the back end had numerical
// trouble.
var ErrRoute = i18n.New("interval: no cheap route found")

// An lpRouter splits every cell into its increase and decrease and minimises Σ price_i/min(cap_i, amount)·(z_i⁺ +
// z_i⁻). A free cell of a single relation, such as the remainder of two cells of which the larger is known, is the slack
// of its row instead: the dual simplex then passes it by unless it binds.
type lpRouter struct {
	s      *System
	slack  []int32 // by cell: the relation that it is the slack of, −1 for none
	solver lp.Solver
	n      int
	up, dn []float64
	cost   []float64 // costs in the model: first of increases, then of decreases
	k      int
	unit   float64
	keeper lp.BasisKeeper // nil if the back end keeps none
	basis  lp.Basis       // z = 0: nothing moves, every relation holds
	most   float64
	work   float64
}

func newLPRouter(s *System, backend string, up, dn []float64, free []bool) (*lpRouter, error) {
	solver, err := lp.Open(backend)
	if err != nil {
		return nil, err
	}
	n := s.Rel.N
	r := &lpRouter{s: s, slack: slices.Repeat([]int32{-1}, n), solver: solver, n: n, up: up, dn: dn, cost: make([]float64, 2*n), k: -1, unit: 1, most: math.Inf(1)}
	largest := 0.0
	for i := range n {
		for _, c := range [2]float64{up[i], dn[i]} {
			if !math.IsInf(c, 1) {
				largest = max(largest, c)
			}
		}
	}
	_, exp := math.Frexp(largest)
	r.unit = math.Ldexp(1, max(0, exp-modelRange))
	p := &lp.Problem{Cost: make([]float64, 2*n), Lo: make([]float64, 2*n), Up: make([]float64, 2*n), Rows: make([]lp.Row, len(s.independent()))}
	for i := range n {
		p.Up[i], p.Up[n+i] = up[i]/r.unit, dn[i]/r.unit
	}
	for row, j := range s.independent() {
		p.Rows[row] = r.row(j, free)
	}
	if err := solver.Load(p); err != nil {
		solver.Close()
		return nil, err
	}
	if keeper, ok := solver.(lp.BasisKeeper); ok {
		r.keeper = keeper
		r.basis.Col, r.basis.Row = make([]lp.BasisStatus, 2*n), make([]lp.BasisStatus, len(p.Rows))
		for j := range r.basis.Col {
			r.basis.Col[j] = lp.AtLower
		}
	}
	return r, nil
}

// row returns relation j as a row.
func (r *lpRouter) row(j int32, free []bool) (row lp.Row) {
	cell, coef := r.s.Rel.Row(int(j))
	taken := free == nil
	for t, i := range cell {
		c := float64(coef[t])
		if taken || !free[i] || r.s.Cols.Ptr[i+1]-r.s.Cols.Ptr[i] > 1 {
			row.Idx, row.Val = append(row.Idx, i, int32(r.n)+i), append(row.Val, c, -c)
			continue
		}
		taken, r.slack[i] = true, j
		up, dn := r.up[i]/r.unit, r.dn[i]/r.unit
		if row.Lo, row.Up = -c*up, c*dn; c < 0 {
			row.Lo, row.Up = c*dn, -c*up
		}
	}
	return row
}

// move returns how far z moves cell i.
func (r *lpRouter) move(z []float64, i int) float64 {
	if r.slack[i] < 0 {
		return z[i] - z[r.n+i]
	}
	sum, own := 0.0, 1.0
	cell, coef := r.s.Rel.Row(int(r.slack[i]))
	for t, k := range cell {
		if c := float64(coef[t]); int(k) == i {
			own = c
		} else {
			sum -= float64(c * (z[k] - z[r.n+int(k)]))
		}
	}
	return sum / own
}

func (r *lpRouter) Close() error  { return r.solver.Close() }
func (r *lpRouter) Work() float64 { return r.work }

func (r *lpRouter) Below(most float64) { r.most = most }

func (r *lpRouter) Route(ctx context.Context, k, sign int, amount float64, price []float64) ([]int32, []float64, bool, error) {
	n := r.n
	if r.k >= 0 {
		_ = r.solver.SetColBounds(r.k, 0, r.up[r.k]/r.unit)
		_ = r.solver.SetColBounds(n+r.k, 0, r.dn[r.k]/r.unit)
	}
	r.k = k
	a, b := amount/r.unit, 0.0
	if sign < 0 {
		a, b = b, a
	}
	if a > r.up[k]/r.unit || b > r.dn[k]/r.unit {
		r.k = -1
		return nil, nil, false, nil
	}
	_ = r.solver.SetColBounds(k, a, a)
	_ = r.solver.SetColBounds(n+k, b, b)
	// Costs depend on the amount only through a power of two, so that most stay the same between calls.
	_, exp := math.Frexp(amount)
	size := math.Ldexp(1, exp)
	scale := 0.0
	for _, p := range price {
		scale = max(scale, min(p, r.most)) // anything dearer is out of reach anyway
	}
	_, exp = math.Frexp(scale)
	scale = math.Ldexp(1024*size, -exp)
	for i := range n {
		p := min(price[i], r.most) * scale
		r.charge(i, p, min(r.up[i], size))
		r.charge(n+i, p, min(r.dn[i], size))
	}
	limits := lp.Limits{Iterations: routeIterations}
	if !math.IsInf(r.most, 1) {
		// A cell that moves by no more than the amount is charged at most its price.
		cutoff := r.most * scale / r.unit
		limits.Cutoff = &cutoff
	}
	r.solver.SetLimits(limits)
	if r.keeper != nil {
		// Starting from z = 0, the dual simplex grows the route outwards from cell k, in far fewer steps than from the
		// last route.
		_ = r.keeper.SetBasis(&r.basis)
	}
	res, err := r.solver.Solve(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, nil, false, context.Cause(ctx)
	case err != nil: // numerical trouble
		return nil, nil, false, ErrRoute
	}
	r.work += float64(res.Iterations*len(r.basis.Row))/30 + float64(n)/10
	switch res.Status {
	case lp.Optimal:
	case lp.Infeasible, lp.Cutoff:
		return nil, nil, false, nil
	default: // the limit, or numerical trouble
		return nil, nil, false, ErrRoute
	}
	var cells []int32
	var z []float64
	tol := 1e-9 * max(1, amount/r.unit)
	for i := range n {
		if v := r.move(res.Primal, i); math.Abs(v) > tol {
			cells, z = append(cells, int32(i)), append(z, v*r.unit)
		}
	}
	return cells, z, true, nil
}

// charge sets the cost of moving variable j such that moving it by cap costs p. A tiny charge for movement itself keeps
// free cells out of the support.
func (r *lpRouter) charge(j int, p, cap float64) {
	c := 1e-3
	if cap > 0 {
		c += p / cap
	}
	if c != r.cost[j] {
		r.cost[j] = c
		_ = r.solver.SetCost(j, c)
	}
}
