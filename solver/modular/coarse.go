package modular

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/protection"
)

// coarseSizes are how many of the cells that move farthest a program is about, one pattern after another: a route takes the smallest
// a tenth of a millisecond, the largest ten.
var coarseSizes = [3]int{4000, 8000, 12000}

// Where there is time, allEach for each cell of a table of at most allMost, the last program is about all cells: without the smallest ones those of them that are
// sensitive have only sums of products. A route takes 4 ms in nace_nuts3_size, and the pattern costs 443 million after 29 CPU s in place of 867 after 14 and 774 after 40.
const allMost, allEach = 20_000, time.Millisecond

// coarseLevels is the part of the levels that must be of those cells.
const coarseLevels = 50

// coarseWork bounds these routes where no time limit does, in the units of intruder.Router.
const coarseWork = 3e7

// detourLeast is the share of the cost by which a sweep without programs must improve a pattern to be followed by another.
const detourLeast = 0.005

// coarse makes the region of so many cells with the largest capacities that of thrifty. Levels that are large against most cells are
// what the cost of a pattern is made of, and only large cells carry them; sums of products take far too many. ok is false where hardly any
// level is of such a cell.
func (m *run) coarse(size int) (ok bool, err error) {
	cells := make([]int32, m.t.Len())
	for i := range cells {
		cells[i] = int32(i)
	}
	if len(cells) > size {
		slices.SortStableFunc(cells, func(a, b int32) int { return cmp.Compare(min(m.up[b], m.dn[b]), min(m.up[a], m.dn[a])) })
		cells = cells[:size]
		slices.Sort(cells)
	}
	own := 0
	for _, l := range m.levels {
		if _, in := slices.BinarySearch(cells, l.K); in {
			own++
		}
	}
	if own*coarseLevels < len(m.levels) {
		return false, nil
	}
	r, err := m.region(cells)
	if err != nil {
		return false, err
	}
	if m.large != nil {
		m.large.close()
	}
	m.large = r
	return true, nil
}

// thrifty finds a cheap witness of l by products or, if they cost anything, a route through large cells.
func (m *run) thrifty(ctx context.Context, l protection.Level) ([]*movement, error) {
	points, err := m.productNear(ctx, l)
	if err != nil || points != nil && m.sum(points) < 1 {
		return points, err
	}
	r := m.large
	if r == nil || m.limit == 0 && r.router.Work() > coarseWork {
		return points, nil
	}
	return m.orRoute(ctx, r, l, points)
}

// orRoute is points, or a cheaper witness of l by routes in r.
func (m *run) orRoute(ctx context.Context, r *region, l protection.Level, points []*movement) ([]*movement, error) {
	r.reprice(m)
	other, err := m.routes(ctx, r, l)
	if err != nil || other == nil || points != nil && m.sum(points) <= m.sum(other) {
		return points, err
	}
	return other, nil
}

// routes finds the cheapest points in r that show l of those that need no exact arithmetic; nil if there are none.
func (m *run) routes(ctx context.Context, r *region, l protection.Level) (best []*movement, err error) {
	for _, split := range m.splits(l) {
		points, ok, err := r.route(ctx, m, l.K, split)
		if err != nil && !errors.Is(err, intruder.ErrRoute) {
			return nil, err
		}
		if ok && m.shows(points, l) && (best == nil || m.sum(points) < m.sum(best)) {
			best = points
		}
	}
	return best, nil
}

// again builds the pattern anew by thrifty witnesses, the highest level first, and keeps it if it is cheaper. Where the time is up products do,
// and where there are none the old witnesses, so there is a pattern at any time.
func (m *run) again(ctx context.Context) error {
	old := m.leave()
	find := m.thrifty
	for _, li := range m.highest() {
		if m.wit[li] != nil {
			continue
		}
		if m.late() || ctx.Err() != nil {
			find = func(_ context.Context, l protection.Level) ([]*movement, error) { return m.product(l), nil }
		}
		points, err := find(ctx, m.levels[li])
		if err != nil && ctx.Err() == nil {
			return err
		}
		if points == nil {
			points = old.wit[li]
		}
		m.take(li, points)
	}
	m.prune()
	if m.cost() >= old.cost {
		m.resume(old)
	}
	m.report()
	return nil
}

// sizes are those of the programs for which there is time.
func (m *run) sizes() []int {
	sizes, n := coarseSizes, m.t.Len()
	if n <= allMost && m.limit > 0 && time.Until(m.deadline) >= time.Duration(n)*allEach {
		sizes[len(sizes)-1] = n
	}
	return sizes[:]
}

// better improves the first pattern until the time of the phase is up: built anew with ever more cells to choose from, then cell
// by cell.
func (m *run) better(ctx context.Context) error {
	for _, size := range m.sizes() {
		ok, err := m.coarse(size)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := m.again(ctx); err != nil || m.late() {
			return err
		}
		if size >= m.t.Len() {
			break
		}
	}
	// Detours and products first, as long as they bring much.
	if err := m.improveBy(ctx, m.productNear, detourLeast); err != nil {
		return err
	}
	err := m.improveBy(ctx, m.thrifty, 0)
	m.report()
	return err
}
