package solver

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
)

// A builder finds protected patterns: level by level it routes the missing distance through cells that are cheap or
// withheld already, then drops superfluous cells, dearest first. Meeting one level after another by a cheapest flow,
// where cells already withheld are free, is the heuristic of Kelly, Golden and Assad (Cell suppression: disclosure
// protection for sensitive tabular data, Networks 22, 1992) for two-way tables; guiding it by the relaxation is new
// here. Its pattern is the first incumbent, for fixing and pruning, and may be far from optimal.
type builder struct {
	p         *problem
	pool      *pool
	solutions *solutionPool
	q         *cutter
	router    oracle.Router
	in        oracle.Intruder
	grows     bool      // the engine in accepts new cells one by one
	price     []float64 // by cell
	up, dn    []float64 // capacities; 0 for cells that may not be withheld
	all       []float64 // 1 for cells that may be withheld
	weight    []float64 // the pattern so far
	order     []int     // levels, hardest first
	wit       []witness // by level
	failed    []int     // levels that cleaning recently found unmet
	together  bool      // cleaning drops several columns at once

	backend string
	exact   *oracle.Exact // over all cells that may be withheld; nil until needed
}

func newBuilder(p *problem, pool *pool, backend string) (*builder, error) {
	b := &builder{p: p, pool: pool, solutions: newSolutionPool(p), q: newCutter(p), price: make([]float64, p.n), up: make([]float64, p.n), dn: make([]float64, p.n),
		all: make([]float64, p.n), weight: make([]float64, p.n), wit: make([]witness, len(p.levels)), backend: backend}
	for i := range p.n {
		if p.given[i] || p.col[i] >= 0 {
			b.up[i], b.dn[i], b.all[i] = p.up[i], p.dn[i], 1
		}
	}
	var err error
	if b.router, err = p.sys.NewRouter("", backend, b.up, b.dn, p.idle()); err != nil {
		return nil, err
	}
	if b.in, err = p.sys.NewIntruder("", backend); err != nil {
		b.router.Close()
		return nil, err
	}
	b.grows = b.in.Name() != "network"
	b.together = (p.trees() || p.sys.IsNarrow() && len(p.cand) >= singleRowsFrom) && !p.off.together
	b.order = sets.Upto(len(p.levels))
	slices.SortStableFunc(b.order, func(x, y int) int {
		return cmp.Compare(p.levels[y].RHS, p.levels[x].RHS)
	})
	return b, nil
}

func (b *builder) close() {
	b.router.Close()
	b.in.Close()
	if b.exact != nil {
		b.exact.Close()
	}
}

// build returns columns that protect every level, or, as stuck ≥ 0, the first level that cannot be met at all. guide,
// if set, is a point of the master: cells near 1 are cheap.
func (b *builder) build(ctx context.Context, guide []float64) (set []bool, stuck int, err error) {
	p := b.p
	set = make([]bool, len(p.cand))
	for i := range p.n {
		b.price[i], b.weight[i] = 0, 0
		if p.given[i] {
			b.weight[i] = 1
		}
	}
	for c, i := range p.cand {
		w := float64(p.cost[c])
		if guide != nil {
			w *= 1 - guide[c]
		}
		for k := int(i); k < p.n; k += p.m {
			b.price[k] = w + 1e-6 // even a cell without cost is withheld only if needed
		}
	}
	b.in.SetCapacities(p.up, p.dn, b.weight)
	clear(b.wit)
	for _, li := range b.order {
		if b.wit[li].cells != nil { // met by points of another level
			continue
		}
		l := p.levels[li]
		w, ok := b.solutions.within(li, b.weight)
		if !ok && !b.grows {
			// First check whether a flow meets the level already, which is cheap. A linear program costs as much as the
			// route, which finds a witness within the pattern too.
			if w, ok, err = b.met(ctx, l); err != nil {
				return nil, -1, err
			}
		}
		if !ok {
			w, ok, err = b.raise(ctx, l)
			if errors.Is(err, oracle.ErrRoute) {
				w, ok, err = b.anyRoute(ctx, l)
			}
			if err != nil {
				return nil, -1, err
			}
		}
		if !ok {
			if w, ok, err = b.exactly(ctx, l); err != nil {
				return nil, -1, err
			}
		}
		if !ok {
			return nil, li, nil
		}
		grown := false
		for _, i := range w.cells {
			if c := p.col[i]; c >= 0 && !set[c] {
				set[c], grown = true, true
				for k := int(p.cand[c]); k < p.n; k += p.m {
					b.price[k] = 0
					b.weight[k] = 1
					if b.grows {
						b.in.SetWeight(k, 1)
					}
				}
			}
		}
		if grown && !b.grows {
			b.in.SetCapacities(p.up, p.dn, b.weight)
		}
		b.keep(li, w, func(other int, w witness) {
			if b.wit[other].cells == nil {
				b.wit[other] = w
			}
		})
	}
	return set, -1, nil
}

// keep stores the witness of a level and calls each with the other levels that its points meet.
func (b *builder) keep(li int, w witness, each func(li int, w witness)) {
	b.wit[li] = w
	b.solutions.keepAll(li, w, each)
}

// raise finds a cheap witness of level l over all cells that may be withheld.
func (b *builder) raise(ctx context.Context, l protectionLevel) (w witness, ok bool, err error) {
	k, want := int(l.K), float64(l.RHS)
	switch l.Side {
	case upper:
		return b.route(ctx, k, [2]float64{want, 0})
	case lower:
		return b.route(ctx, k, [2]float64{0, want})
	}
	if l.Strict {
		want++
	}
	// For a width try three splits: all upwards; as far down as the cell can go, the rest upwards; half of that down.
	// Take the cheapest.
	down := min(want, b.dn[k])
	cheapest := math.Inf(1)
	for _, split := range [3][2]float64{{want - down, down}, {want, 0}, {want - down/2, down / 2}} {
		v, found, err := b.route(ctx, k, split)
		if err != nil {
			return w, false, err
		}
		if found {
			if sum := b.sum(v.cells); sum < cheapest {
				w, ok, cheapest = v, true, sum
			}
		}
	}
	if ok {
		return w, true, nil
	}
	// No fixed split is reachable: measure the reach with everything withheld.
	b.in.SetCapacities(b.p.up, b.p.dn, slices.Clone(b.all))
	hi, err := b.in.Reach(ctx, k, 1, want)
	lo := 0.0
	if err == nil {
		lo, err = b.in.Reach(ctx, k, -1, want)
	}
	b.in.SetCapacities(b.p.up, b.p.dn, b.weight)
	if errors.Is(err, oracle.ErrNumbers) {
		return w, false, nil
	}
	if err != nil || !enough(l, hi+lo) {
		return w, false, err
	}
	if sum := hi + lo; sum < want { // strict, and less than one unit beyond the width is left
		f := (float64(l.RHS) + sum) / (2 * sum)
		return b.route(ctx, k, [2]float64{f * hi, f * lo})
	}
	hi = min(hi, want)
	return b.route(ctx, k, [2]float64{hi, want - hi})
}

// sum returns the total price of cells.
func (b *builder) sum(cells []int32) float64 {
	s := 0.0
	for _, i := range cells {
		s += b.price[i]
	}
	return s
}

// anyRoute finds some witness of level l over all cells that may be withheld,
// whatever it costs.
func (b *builder) anyRoute(ctx context.Context, l protectionLevel) (w witness, ok bool, err error) {
	b.in.SetCapacities(b.p.up, b.p.dn, slices.Clone(b.all))
	w, ok, err = b.met(ctx, l)
	b.in.SetCapacities(b.p.up, b.p.dn, b.weight)
	return w, ok, err
}

// exactly finds a witness of level l over all cells that may be withheld, in exact arithmetic; if it finds none, none
// exists.
func (b *builder) exactly(ctx context.Context, l protectionLevel) (w witness, ok bool, err error) {
	if b.exact == nil {
		if b.exact, err = b.p.sys.NewExact("", b.backend); err != nil {
			return w, false, err
		}
		up, dn := make([]int64, b.p.n), make([]int64, b.p.n)
		for i := range up {
			if b.all[i] > 0 {
				up[i], dn[i] = b.p.iup[i], b.p.idn[i]
			}
		}
		b.exact.SetCapacities(up, dn, b.p.iclamp)
	}
	sh := &shard{exact: b.exact}
	if ok, err = sh.settled(ctx, l); !ok || err != nil {
		return w, false, err
	}
	var points []*oracle.Point
	for _, e := range sh.ends {
		if len(e.Idx) == 0 {
			continue
		}
		cells, z := slices.Clone(e.Idx), make([]float64, len(e.Idx))
		for t := range z {
			z[t], _ = e.At(t).Float64()
		}
		points = append(points, b.point(cells, z))
	}
	return newWitness(points...), len(points) > 0, nil
}

// route finds a witness that moves cell k up by split[0] and down by split[1].
func (b *builder) route(ctx context.Context, k int, split [2]float64) (w witness, ok bool, err error) {
	var points []*oracle.Point
	for side, amount := range split {
		if amount <= 0 {
			continue
		}
		cells, z, ok, err := b.router.Route(ctx, k, 1-2*side, amount, b.price)
		if err != nil || !ok {
			return w, false, err
		}
		points = append(points, b.p.sys.NewPoint(cells, z, b.p.iup, b.p.idn))
	}
	return newWitness(points...), true, nil
}

// met reports whether level l is met under the current weights, and returns a witness.
func (b *builder) met(ctx context.Context, l protectionLevel) (w witness, ok bool, err error) {
	limit := float64(l.RHS)
	if l.Strict {
		limit++
	}
	sum := 0.0
	var points []*oracle.Point
	for _, sign := range [2]int{1, -1} {
		if l.Side == upper && sign < 0 || l.Side == lower && sign > 0 {
			continue
		}
		v, err := b.in.Reach(ctx, int(l.K), sign, limit)
		if errors.Is(err, oracle.ErrNumbers) {
			return w, false, nil
		}
		if err != nil {
			return w, false, err
		}
		sum += v
		cells, z := b.in.Witness(nil, nil)
		if len(cells) == 0 {
			continue
		}
		points = append(points, b.point(cells, z))
		if sum >= limit || l.Side == width && !l.Strict && sum >= float64(l.RHS) {
			break
		}
	}
	if !enough(l, sum) || len(points) == 0 {
		return w, false, nil
	}
	return newWitness(points...), true, nil
}

// point makes a Point that moves cells, given in any order, by z.
func (b *builder) point(cells []int32, z []float64) *oracle.Point {
	if !slices.IsSorted(cells) {
		at := ascending(cells)
		c, v := make([]int32, len(cells)), make([]float64, len(z))
		for t, a := range at {
			c[t], v[t] = cells[a], z[a]
		}
		cells, z = c, v
	}
	return b.p.sys.NewPoint(cells, z, b.p.iup, b.p.idn)
}

// ascending returns the indices that sort cells in ascending order.
func ascending(cells []int32) []int {
	at := sets.Upto(len(cells))
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(cells[a], cells[b]) })
	return at
}
