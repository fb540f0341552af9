package modular

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// first finds a protected pattern without sub-tables, by products and, for levels that these do not reach, by programs.
// It may continue for work.Grace beyond the limit of ctx, because withholding everything instead would take as long and
// be dearer.
func (m *run) first(ctx context.Context) error {
	if m.limit > 0 && !m.punctual {
		var cancel context.CancelFunc
		ctx, cancel = work.Limited(m.clock, m.began, m.limit+work.Grace)
		defer cancel()
	}
	if err := m.byProducts(ctx); err != nil {
		return err
	}
	if err := m.repair(ctx); err != nil {
		return err
	}
	m.prune()
	m.report()
	return nil
}

// byProducts finds witnesses by products for levels without one, the highest first: the cells that these
// withhold serve the lower ones.
func (m *run) byProducts(ctx context.Context) error {
	if m.mover == nil {
		return nil
	}
	for n, li := range m.highest() {
		if m.wit[li] != nil {
			continue
		}
		if n&63 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if points := m.product(m.levels[li]); points != nil {
			m.showBy(li, points)
		}
	}
	return nil
}

// highest lists the levels, the highest first.
func (m *run) highest() []int32 {
	order := sets.Upto(int32(len(m.levels)))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(m.levels[b].RHS, m.levels[a].RHS) })
	return order
}

// product finds points that meet l without a linear program; nil if there are none.
func (m *run) product(l protection.Level) []*movement {
	if m.mover == nil {
		return nil
	}
	var best []*movement
	least := math.Inf(1)
splits:
	for _, split := range m.splits(l) {
		var points []*movement
		for side, amount := range split {
			if amount <= 0 {
				continue
			}
			v := m.mover.move(l.K, int64(1-2*side), int64(math.Ceil(amount)))
			if v == nil {
				continue splits
			}
			points = append(points, v)
		}
		if sum := m.sum(points); sum < least && m.shows(points, l) {
			best, least = points, sum
		}
	}
	return best
}

// productNear finds a cheap witness of l by products.
func (m *run) productNear(ctx context.Context, l protection.Level) ([]*movement, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	return m.product(l), nil
}

// A state is a pattern with its witnesses.
type state struct {
	shownPattern
	cost int64
}

// leave returns the pattern and starts anew with the cells that are always withheld.
func (m *run) leave() *state {
	s := &state{m.shownPattern, m.cost()}
	m.shownPattern = shownPattern{m.always(), make([][]*movement, len(s.wit)), newUses(len(s.x))}
	return s
}

// always returns the pattern of the cells that are always withheld.
func (m *run) always() []bool {
	x := make([]bool, m.t.Len())
	for i, st := range m.t.Status {
		x[i] = st == table.Sensitive || st == table.Withheld
	}
	return x
}

// resume goes back to s.
func (m *run) resume(s *state) { m.shownPattern = s.shownPattern }
