package modular

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/sets"
)

// An exposedError says that no movement of the table reaches a level of cell k.
type exposedError struct{ k int32 }

func (e *exposedError) Error() string {
	return fmt.Sprintf("modular: cell %d cannot be protected", e.k)
}

// repair finds a witness for every level: one within the pattern if possible, else a cheap one, whose cells it
// withholds. Regions start as the sub-table of the cell.
func (m *run) repair(ctx context.Context) error {
	byClass := make([][]int32, len(m.c.cells)+1)
	for li, l := range m.levels {
		s := m.c.of[l.K]
		if s < 0 { // an outermost margin: take the first sub-table of which it is a margin
			if s = int32(len(m.c.cells)); len(m.c.in[l.K]) > 0 {
				s = m.c.in[l.K][0]
			}
		}
		byClass[s] = append(byClass[s], int32(li))
	}
	order := make([]int32, 0, len(byClass))
	for _, level := range m.c.level {
		order = append(order, level...)
	}
	order = append(order, int32(len(m.c.cells)))
	for _, s := range order {
		list := byClass[s]
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(m.levels[b].RHS, m.levels[a].RHS) })
		if err := m.serve(ctx, list); err != nil {
			return err
		}
	}
	return nil
}

// serve finds witnesses for levels whose cells are of one class.
func (m *run) serve(ctx context.Context, list []int32) error {
	var base *region
	defer func() {
		if base != nil {
			base.close()
		}
	}()
	for _, li := range list {
		if m.wit[li] != nil {
			continue
		}
		l := m.levels[li]
		if base == nil {
			var err error
			if base, err = m.region(m.around(l.K)); err != nil {
				return err
			}
		}
		points, err := m.find(ctx, l, base, true)
		if err != nil {
			return err
		}
		if points == nil {
			return &exposedError{l.K}
		}
		m.showBy(li, points)
	}
	return nil
}

// splits returns pairs of distances, upwards and downwards, each of which meets l.
func (m *run) splits(l protection.Level) [][2]float64 {
	want := float64(l.RHS)
	if l.Strict {
		want++
	}
	switch l.Side {
	case protection.Lower:
		return [][2]float64{{0, want}}
	case protection.Width:
		down := min(want, real(m.dn[l.K]))
		return [][2]float64{{want - down, down}, {want, 0}, {want - math.Floor(down/2), math.Floor(down / 2)}}
	}
	return [][2]float64{{want, 0}}
}

// around returns the sub-table of cell k.
func (m *run) around(k int32) []int32 {
	s := m.c.of[k]
	if s < 0 {
		if len(m.c.in[k]) == 0 {
			return []int32{k}
		}
		s = m.c.in[k][0]
	}
	return slices.Clone(m.c.cells[s])
}

// find looks for a cheap witness of l in growing regions: it stops at one that costs nothing, or when growing
// once more finds nothing cheaper. If there is none at all and whole is set it tries the whole table.
func (m *run) find(ctx context.Context, l protection.Level, base *region, whole bool) (best []*movement, err error) {
	least := math.Inf(1)
	r := base
	for step := 0; ; step++ {
		r.reprice(m)
		points, err := m.reach(ctx, r, l)
		cells := r.cells
		if r != base && r != m.table {
			r.close()
		}
		if err != nil {
			return nil, err
		}
		had := best != nil
		if points != nil {
			if sum := m.sum(points); sum < least {
				best, least = points, sum
			}
		}
		if least < 1 || had || len(cells) == m.t.Len() {
			return best, nil
		}
		next := m.grow(cells, false)
		switch {
		case step < regionSteps && len(next) <= m.regionMost() && len(next) > len(cells):
			r, err = m.region(next)
		case best != nil || !whole:
			return best, nil
		case m.t.Len() > m.routed:
			if points := m.product(l); points != nil {
				return points, nil
			}
			if next = m.grow(cells, true); len(next) > len(cells) && len(next) <= m.t.Len()/widePart {
				r, err = m.region(next)
			} else {
				r, err = m.wholeTable()
			}
		default:
			r, err = m.wholeTable()
		}
		if err != nil {
			return nil, err
		}
	}
}

// grow adds the sub-tables of the cells that are withheld, or of all.
func (m *run) grow(cells []int32, all bool) []int32 {
	seen := map[int32]bool{}
	next := slices.Clone(cells)
	for _, i := range cells {
		if !all && !m.x[i] {
			continue
		}
		for _, s := range m.c.in[i] {
			if !seen[s] {
				seen[s] = true
				next = append(next, m.c.cells[s]...)
			}
		}
	}
	slices.Sort(next)
	return slices.Compact(next)
}

// regionMost returns the size up to which find grows regions. It is limited in tables above routedCells, to save memory
// and time.
func (m *run) regionMost() int {
	if m.t.Len() > m.routed {
		return max(regionLeast, m.routed/4/regionPart)
	}
	return max(regionLeast, m.t.Len()/regionPart)
}

// wholeTable returns the region of all cells.
func (m *run) wholeTable() (*region, error) {
	if m.table != nil {
		return m.table, nil
	}
	cells := sets.Upto(int32(m.t.Len()))
	var err error
	m.table, err = m.region(cells)
	return m.table, err
}

// reach finds points in r that meet l; nil if there are none.
func (m *run) reach(ctx context.Context, r *region, l protection.Level) ([]*movement, error) {
	var best []*movement
	least := math.Inf(1)
	for _, split := range m.splits(l) {
		points, ok, err := r.route(ctx, m, l.K, split)
		if errors.Is(err, oracle.ErrRoute) {
			ok, err = false, nil
		}
		if err != nil {
			return nil, err
		}
		if ok {
			if !m.shows(points, l) { // its fractions are not simple
				if points, err = m.exactly(ctx, r, l, points); err != nil || points == nil {
					return nil, err
				}
			}
			if sum := m.sum(points); sum < least {
				best, least = points, sum
			}
		}
	}
	if best == nil && len(r.cells) == m.t.Len() { // the route may have given up
		return m.exactly(ctx, r, l, nil)
	}
	return best, nil
}

// shows checks in exact arithmetic that multiples of points reach l.
func (m *run) shows(points []*movement, l protection.Level) bool {
	dist := [2]*big.Rat{new(big.Rat), new(big.Rat)}
	for s, sign := range [2]int{1, -1} {
		if sign*int(l.Side) < 0 {
			continue
		}
		for _, q := range points {
			if d := q.distance(l.K, sign, m.clamp); d != nil && d.Cmp(dist[s]) > 0 {
				dist[s] = d
			}
		}
	}
	return l.Holds(dist[0], dist[1])
}

// sum returns the cost that the points' cells would add to the pattern.
func (m *run) sum(points []*movement) float64 {
	sum := 0.0
	for n, q := range points {
		for _, i := range q.cells {
			if n > 0 {
				if _, both := slices.BinarySearch(points[0].cells, i); both {
					continue
				}
			}
			sum += m.charge(i)
		}
	}
	return sum
}

// showBy makes points the witness of level li, and each of them the witness of every other level that it
// meets and that has none.
func (m *run) showBy(li int32, points []*movement) {
	m.use(li, points)
	for _, q := range points {
		for _, i := range q.cells {
			m.x[i] = true
			for _, other := range m.asks[i] {
				if m.wit[other] == nil {
					if own := []*movement{q}; m.shows(own, m.levels[other]) {
						m.use(other, own)
					}
				}
			}
		}
	}
}

// witnesses returns the witnesses of all levels.
func (m *run) witnesses() []*certificate.Witness {
	type key struct {
		q    *movement
		sign int
	}
	seen := map[key]bool{}
	var out []*certificate.Witness
	for li, points := range m.wit {
		l := m.levels[li]
		for _, q := range points {
			for _, sign := range [2]int{1, -1} {
				if sign*int(l.Side) < 0 {
					continue
				}
				w, side := q.witness(l.K, sign, m.clamp)
				if k := (key{q, side}); w != nil && !seen[k] {
					seen[k] = true
					out = append(out, w)
				}
			}
		}
	}
	return out
}
