package solver

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/interval"
)

// A builder finds protected patterns: level by level it routes the missing
// distance through cells that are cheap and not yet withheld, then drops what
// turned out superfluous, dearest first.
type builder struct {
	p      *problem
	router interval.Router
	in     interval.Intruder
	price  []float64 // per cell
	up, dn []float64
	order  []int // levels, hardest first
	wit    [][]int32
}

func newBuilder(p *problem, backend string) (*builder, error) {
	b := &builder{p: p, price: make([]float64, p.n), up: make([]float64, p.n), dn: make([]float64, p.n), wit: make([][]int32, len(p.levels))}
	for i := range p.n {
		if p.given[i] || p.col[i] >= 0 {
			b.up[i], b.dn[i] = p.up[i], p.dn[i]
		}
	}
	var err error
	if b.router, err = p.sys.NewRouter("", backend, b.up, b.dn); err != nil {
		return nil, err
	}
	if b.in, err = p.sys.NewIntruder("", backend); err != nil {
		b.router.Close()
		return nil, err
	}
	b.order = make([]int, len(p.levels))
	for i := range b.order {
		b.order[i] = i
	}
	slices.SortStableFunc(b.order, func(x, y int) int {
		switch lx, ly := p.levels[x].rhs, p.levels[y].rhs; {
		case lx > ly:
			return -1
		case lx < ly:
			return 1
		}
		return 0
	})
	return b, nil
}

func (b *builder) close() {
	b.router.Close()
	b.in.Close()
}

// build returns columns that protect every level, or the first level that cannot
// be met at all as stuck ≥ 0. guide, if set, is a point of the master: cells near
// 1 there are cheap.
func (b *builder) build(ctx context.Context, guide []float64) (set []bool, stuck int, err error) {
	p := b.p
	set = make([]bool, len(p.cand))
	for i := range b.price {
		b.price[i] = 0
	}
	for c, i := range p.cand {
		w := float64(p.cost[c])
		if guide != nil {
			w *= 1 - guide[c]
		}
		b.price[i] = w + 1e-6 // even a free cell is not withheld for nothing
	}
	for _, li := range b.order {
		l := p.levels[li]
		ok, err := b.raise(ctx, l, set)
		if err != nil {
			return nil, -1, err
		}
		if !ok {
			return nil, li, nil
		}
	}
	return set, -1, nil
}

// raise makes level l reachable over the cells of set, extending it.
func (b *builder) raise(ctx context.Context, l level, set []bool) (bool, error) {
	k, want := int(l.k), float64(l.rhs)
	switch l.side {
	case upper:
		return b.extend(ctx, k, [2]float64{want, 0}, set)
	case lower:
		return b.extend(ctx, k, [2]float64{0, want}, set)
	}
	if l.strict {
		want++
	}
	// Width: all upwards, all downwards, or as far down as the cell itself goes
	// and the rest upwards; the cheapest that exists.
	down := min(want, b.dn[k])
	best, cheapest := [2]float64{-1, 0}, 0.0
	for _, split := range [3][2]float64{{want - down, down}, {want, 0}, {want - down/2, down / 2}} {
		cost, ok, err := b.cost(ctx, k, split)
		if err != nil {
			return false, err
		}
		if ok && (best[0] < 0 || cost < cheapest) {
			best, cheapest = split, cost
		}
	}
	if best[0] < 0 {
		return b.widest(ctx, l, set)
	}
	return b.extend(ctx, k, best, set)
}

// cost prices the routes for split = (up, down) without taking them.
func (b *builder) cost(ctx context.Context, k int, split [2]float64) (sum float64, ok bool, err error) {
	for side, amount := range split {
		if amount <= 0 {
			continue
		}
		support, ok, err := b.router.Route(ctx, k, 1-2*side, amount, b.price)
		if err != nil || !ok {
			return 0, false, err
		}
		for _, i := range support {
			sum += b.price[i]
		}
	}
	return sum, true, nil
}

func (b *builder) extend(ctx context.Context, k int, split [2]float64, set []bool) (bool, error) {
	for side, amount := range split {
		if amount <= 0 {
			continue
		}
		support, ok, err := b.router.Route(ctx, k, 1-2*side, amount, b.price)
		if err != nil || !ok {
			return false, err
		}
		for _, i := range support {
			if c := b.p.col[i]; c >= 0 {
				set[c] = true
				b.price[i] = 0
			}
		}
	}
	return true, nil
}

// widest meets a width level that no fixed split reaches: with everything
// withheld it takes what the cell can reach upwards and the rest downwards.
func (b *builder) widest(ctx context.Context, l level, set []bool) (bool, error) {
	want := float64(l.rhs)
	if l.strict {
		want++
	}
	b.in.SetCapacities(b.up, b.dn, b.p.clamp)
	hi, err := b.in.Reach(ctx, int(l.k), 1, want)
	if err != nil {
		return false, err
	}
	lo, err := b.in.Reach(ctx, int(l.k), -1, want)
	if err != nil || hi+lo < want*(1-1e-9) {
		return false, err
	}
	hi = min(hi, want)
	return b.extend(ctx, int(l.k), [2]float64{hi, want - hi}, set)
}

// clean drops superfluous columns of set, dearest first. Every level keeps the
// cells of a witness, so dropping a column asks only the levels that use it.
func (b *builder) clean(ctx context.Context, set []bool) error {
	p := b.p
	up, dn := make([]float64, p.n), make([]float64, p.n)
	for i := range p.n {
		if c := p.col[i]; p.given[i] || c >= 0 && set[c] {
			up[i], dn[i] = p.up[i], p.dn[i]
		}
	}
	b.in.SetCapacities(up, dn, p.clamp)
	for li, l := range p.levels {
		w, ok, err := b.met(ctx, l)
		if err != nil {
			return err
		}
		if !ok {
			return nil // not protected to begin with: leave it to verify
		}
		b.wit[li] = w
	}
	var order []int32
	for c, in := range set {
		if in {
			order = append(order, int32(c))
		}
	}
	slices.SortStableFunc(order, func(x, y int32) int {
		switch wx, wy := p.cost[x], p.cost[y]; {
		case wx > wy:
			return -1
		case wx < wy:
			return 1
		}
		return int(y - x)
	})
	fresh := map[int][]int32{}
	for _, c := range order {
		i := p.cand[c]
		b.in.SetCapacity(int(i), 0, 0)
		clear(fresh)
		keep := false
		for li := range p.levels {
			if _, uses := slices.BinarySearch(b.wit[li], i); !uses {
				continue
			}
			w, ok, err := b.met(ctx, p.levels[li])
			if err != nil {
				return err
			}
			if !ok {
				keep = true
				break
			}
			fresh[li] = w
		}
		if keep {
			b.in.SetCapacity(int(i), p.up[i], p.dn[i])
			continue
		}
		set[c] = false
		for li, w := range fresh {
			b.wit[li] = w
		}
	}
	return nil
}

// met asks whether level l holds under the current capacities and returns the
// cells of its witness, ascending.
func (b *builder) met(ctx context.Context, l level) (cells []int32, ok bool, err error) {
	limit := float64(l.rhs)
	if l.strict {
		limit++
	}
	sum := 0.0
	for _, sign := range [2]int{1, -1} {
		if l.side == upper && sign < 0 || l.side == lower && sign > 0 {
			continue
		}
		v, err := b.in.Reach(ctx, int(l.k), sign, limit)
		if err != nil {
			return nil, false, err
		}
		sum += v
		cells, _ = b.in.Witness(cells, nil)
		if sum >= limit || l.side == width && !l.strict && sum >= float64(l.rhs) {
			break
		}
	}
	slices.Sort(cells)
	// Rationals a hair below the level are settled by the exact check at the end.
	return slices.Compact(cells), sum >= limit*(1-1e-9), nil
}
