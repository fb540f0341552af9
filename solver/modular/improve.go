package modular

import (
	"cmp"
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

const (
	// improveRounds bounds the sweeps over the withheld cells.
	improveRounds = 8
	// improveWork bounds the work of routes through the whole table, in the units of
	// intruder.Router: counted, so that the pattern does not depend on the machine.
	improveWork = 2e7
)

// improve publishes what no witness moves, then takes withheld cells away one by one,
// dearest first, with the witnesses that move them, and seeks new ones nearby: what is
// cheaper so stays. Every state is protected, so it may stop at any time.
func (m *run) improve(ctx context.Context) error { return m.improveBy(ctx, m.near, 0) }

// A finder finds a cheap witness of a level; nil where there is none.
type finder func(ctx context.Context, l protection.Level) ([]*movement, error)

// improveBy is improve with witnesses by a search. It ends with a sweep that brings less than the share least of the cost.
func (m *run) improveBy(ctx context.Context, near finder, least float64) error {
	m.prune()
	for range improveRounds {
		m.rounds++
		list := m.dearest()
		better, before := false, float64(m.cost())
		for _, i := range list {
			if !m.x[i] {
				continue
			}
			if m.late() {
				return nil
			}
			ok, err := m.without(ctx, i, near)
			if err != nil {
				return err
			}
			better = better || ok
		}
		if !better || float64(m.cost()) > (1-least)*before {
			break
		}
	}
	return nil
}

// dearest lists the cells withheld for others by what they cost for each movement that uses them, the dearest first, equal ones
// in their order.
func (m *run) dearest() []int32 {
	type dear struct {
		cell  int32
		worth float64
	}
	var dears []dear
	for i, in := range m.x {
		if in && m.t.Status[i] == table.Safe && m.t.Cost[i] > 0 {
			dears = append(dears, dear{int32(i), float64(m.t.Cost[i]) / float64(max(1, len(m.uses.of[i])))})
		}
	}
	slices.SortFunc(dears, func(a, b dear) int { return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.cell, b.cell)) })
	list := make([]int32, len(dears))
	for n, d := range dears {
		list[n] = d.cell
	}
	return list
}

// prune publishes the cells that no witness moves.
func (m *run) prune() {
	for i := range m.x {
		if m.x[i] && m.t.Status[i] == table.Safe && len(m.uses.of[i]) == 0 {
			m.x[i] = false
		}
	}
}

// manyUsers is the number of movements beyond which a cell is left alone.
const manyUsers = 300

// without tries to do without cell i; on failure all is as before.
func (m *run) without(ctx context.Context, i int32, near finder) (bool, error) {
	if len(m.uses.of[i]) > manyUsers {
		return false, nil
	}
	levels := m.levelsOf(i)
	was := make([][]*movement, len(levels))
	gain, added := int64(0), []int32{}
	for n, li := range levels {
		was[n] = m.wit[li]
		for _, c := range m.unuse(li) {
			m.x[c] = false
			gain += m.t.Cost[c]
		}
	}
	m.banned, m.fine = i, float64(gain)
	price := int64(0)
	err := error(nil)
	ok := true
	detours := map[*movement]*movement{}
	for n, li := range levels {
		if m.wit[li] != nil {
			continue
		}
		points := m.bypass(was[n], i, m.levels[li], detours)
		if points == nil {
			if points, err = near(ctx, m.levels[li]); err != nil || points == nil {
				ok = false
				break
			}
		}
		for _, v := range points {
			for _, c := range v.cells {
				if !m.x[c] {
					price += m.t.Cost[c]
					added = append(added, c)
				}
			}
		}
		if price >= gain {
			ok = false
			break
		}
		m.take(li, points)
	}
	m.banned = -1
	if ok {
		return true, nil
	}
	for _, li := range levels {
		m.unuse(li)
	}
	for _, c := range added {
		m.x[c] = false
	}
	for n, li := range levels {
		m.use(li, was[n])
		for _, v := range was[n] {
			for _, c := range v.cells {
				m.x[c] = true
			}
		}
	}
	return false, err
}

// bypass is the witness points of l without cell i, by detours of the movements that move it; nil where there are none. Known ones are in detours.
func (m *run) bypass(points []*movement, i int32, l protection.Level, detours map[*movement]*movement) []*movement {
	if m.mover == nil {
		return nil
	}
	var out []*movement
	for _, v := range points {
		w := v
		if _, moves := slices.BinarySearch(v.cells, i); moves {
			known := false
			if w, known = detours[v]; !known {
				w = m.mover.detour(v, i)
				detours[v] = w
			}
			if w == nil {
				return nil
			}
		}
		out = append(out, w)
	}
	if !m.shows(out, l) {
		return nil
	}
	return out
}

// near finds a cheap witness of l around its cell, or anywhere while there is work left
// for that; nil where there is none.
func (m *run) near(ctx context.Context, l protection.Level) ([]*movement, error) {
	r, err := m.region(m.around(l.K))
	if err != nil {
		return nil, err
	}
	defer r.close()
	whole := m.table == nil && m.t.Len() <= m.routed || m.table != nil && m.table.router.Work() < improveWork
	return m.find(ctx, l, r, whole)
}
