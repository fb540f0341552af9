package modular

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
)

// coarse makes the region of the size cells with the largest capacities, for thrifty. Levels that are large compared
// with most cells cause most of the cost of a pattern, and only large cells can carry them, whereas sums of products
// use far too many cells. ok is false if hardly any level belongs to such a cell.
func (m *run) coarse(size int) (ok bool, err error) {
	cells := sets.Upto(int32(m.t.Len()))
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

// thrifty finds a cheap witness of l by products or, if these cost anything, by a route through large cells.
func (m *run) thrifty(ctx context.Context, l protection.Level) ([]*movement, error) {
	points, err := m.productNear(ctx, l)
	if err != nil || points != nil && m.sum(points) < 1 {
		return points, err
	}
	r := m.large
	if r == nil || m.deadline.IsZero() && r.router.Work() > coarseWork {
		return points, nil
	}
	return m.orRoute(ctx, r, l, points)
}

// orRoute returns points, or a cheaper witness of l from routes in r.
func (m *run) orRoute(ctx context.Context, r *region, l protection.Level, points []*movement) ([]*movement, error) {
	r.reprice(m)
	other, err := m.routes(ctx, r, l)
	if err != nil || other == nil || points != nil && m.sum(points) <= m.sum(other) {
		return points, err
	}
	return other, nil
}

// routes finds the cheapest points in r that meet l, among those that need no exact arithmetic; nil if there are none.
func (m *run) routes(ctx context.Context, r *region, l protection.Level) (best []*movement, err error) {
	for _, split := range m.splits(l) {
		points, ok, err := r.route(ctx, m, l.K, split)
		if err != nil && !errors.Is(err, oracle.ErrRoute) {
			return nil, err
		}
		if ok && m.shows(points, l) && (best == nil || m.sum(points) < m.sum(best)) {
			best = points
		}
	}
	return best, nil
}

// again builds the pattern anew from thrifty witnesses, the highest level first, and keeps it if it is cheaper. When
// the time of the phase is up, it continues with products and, where there are none, with the old witnesses. Each time
// the work has doubled, it checks whether finishing this way would already be cheaper. If ctx ends, the cheapest of
// these patterns stays: where a limit cuts the work short must not decide what the pattern becomes.
func (m *run) again(ctx context.Context) error {
	old := m.leave()
	best := old
	began, look := work.Now(m.clock), time.Duration(m.t.Len())*lookEach
	for _, li := range m.highest() {
		if spent := work.Since(m.clock, began); spent >= look {
			if s := m.finished(old); s.cost < best.cost {
				best = s
			}
			look = 2 * spent
		}
		if m.wit[li] != nil {
			continue
		}
		if m.late() {
			break
		}
		points, err := m.thrifty(ctx, m.levels[li])
		if ctx.Err() != nil {
			m.resume(best)
			return nil
		}
		if err != nil {
			return err
		}
		if points == nil {
			points = old.wit[li]
		}
		m.showBy(li, points)
	}
	m.finish(old)
	if ctx.Err() != nil || m.cost() >= best.cost {
		m.resume(best)
	}
	m.report()
	return nil
}

// finished returns the pattern being built, completed with products or the witnesses of old for the levels that have
// none. The pattern being built is not changed.
func (m *run) finished(old *state) *state {
	part := m.leave().shownPattern
	for li, points := range part.wit {
		if points == nil {
			continue
		}
		m.use(int32(li), points)
		for _, v := range points {
			for _, i := range v.cells {
				m.x[i] = true
			}
		}
	}
	m.finish(old)
	whole := m.leave()
	m.shownPattern = part
	return whole
}

// finish gives the levels without a witness one from products or, where there is none, the one of old.
func (m *run) finish(old *state) {
	for _, li := range m.highest() {
		if m.wit[li] == nil {
			points := m.product(m.levels[li])
			if points == nil {
				points = old.wit[li]
			}
			m.showBy(li, points)
		}
	}
	m.prune()
}

// sizes returns the sizes of the coarse programs for which there is time.
func (m *run) sizes() []int {
	sizes, n := coarseSizes[:], m.t.Len()
	if n <= allMost && work.Until(m.clock, m.deadline) >= time.Duration(n)*allEach {
		smaller, _ := slices.BinarySearch(sizes, n)
		sizes = append(slices.Clip(sizes[:smaller]), n)
	}
	return sizes
}

// better improves the first pattern until the time of the phase is up: it builds it anew with ever more cells to choose
// from, then improves it cell by cell.
func (m *run) better(ctx context.Context) error {
	for _, size := range m.sizes() {
		ok, err := m.coarse(size)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if err := m.again(ctx); err != nil || m.late() || ctx.Err() != nil {
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
