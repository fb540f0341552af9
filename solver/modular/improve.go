package modular

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// improve publishes the cells that no witness moves, then removes withheld cells one by one, dearest first,
// with the witnesses that move them, and looks for new witnesses nearby; it keeps what is cheaper. Every
// state is protected, so it may stop at any time.
func (m *run) improve(ctx context.Context) error { return m.improveBy(ctx, m.near, 0) }

// A finder finds a cheap witness of a level; nil if there is none.
type finder func(ctx context.Context, l protection.Level) ([]*movement, error)

// improveBy is improve with the finder near. It ends after a sweep that saves less than the share least of the cost.
func (m *run) improveBy(ctx context.Context, near finder, least float64) error {
	m.prune()
	for range improveRounds {
		m.rounds++
		before := float64(m.cost())
		better, err := m.sweep(ctx, near, least == 0)
		if err != nil || !better || m.late() || float64(m.cost()) > (1-least)*before {
			return err
		}
	}
	return nil
}

// sweep tries once for each secondary cell to do without it and the cells tied to it; thorough is passed to without.
func (m *run) sweep(ctx context.Context, near finder, thorough bool) (better bool, err error) {
	m.dear = int64(dearShare * float64(m.cost()))
	failed := map[string]int{} // per set of cells: the number of changes the pattern had when it failed
	changes := 1
	var key []byte
	for _, i := range m.dearest() {
		if !m.x[i] {
			continue
		}
		if m.late() {
			break
		}
		if ctx.Err() != nil { // detours check no context and would go on
			return changes > 1, context.Cause(ctx)
		}
		cells := m.tied(i)
		key = key[:0]
		for _, c := range slices.Sorted(slices.Values(cells)) {
			key = binary.LittleEndian.AppendUint32(key, uint32(c))
		}
		if failed[string(key)] == changes {
			continue
		}
		ok, err := m.without(ctx, cells, near, thorough)
		if err != nil {
			return false, err
		}
		if ok {
			changes++
		} else {
			failed[string(key)] = changes
		}
	}
	return changes > 1, nil
}

// dearest lists the secondary cells by cost over the square root of the number of movements that use them, highest
// first: a cell used by few movements is easily bypassed, and dear cells cause most of the cost.
func (m *run) dearest() []int32 {
	type dear struct {
		cell  int32
		worth float64
	}
	var dears []dear
	for i, in := range m.x {
		if in && m.t.Status[i] == table.Safe && m.t.Cost[i] > 0 {
			dears = append(dears, dear{int32(i), float64(m.t.Cost[i]) / math.Sqrt(float64(max(1, len(m.uses.of[i]))))})
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

// without tries to publish the cells: by detours first, then, if thorough or if they are dear, with new witnesses for
// all their levels. On failure nothing changes.
func (m *run) without(ctx context.Context, cells []int32, near finder, thorough bool) (bool, error) {
	cost := int64(0)
	for _, i := range cells {
		if len(m.uses.of[i]) > manyUsers {
			return false, nil
		}
		cost += m.t.Cost[i]
	}
	ok, err := m.instead(ctx, cells, true, near)
	if ok || err != nil || m.mover == nil || !thorough && cost < m.dear {
		return ok, err
	}
	return m.instead(ctx, cells, false, near)
}

// instead finds other witnesses for the levels that use the cells, by detours or anew and, if much cost is at stake,
// also by programs over all cells. It reports whether that is cheaper; if not, nothing changes.
func (m *run) instead(ctx context.Context, cells []int32, detours bool, near finder) (ok bool, err error) {
	levels := m.levelsOf(cells)
	was := make([][]*movement, len(levels))
	gain, price, added := int64(0), int64(0), []int32{}
	for n, li := range levels {
		was[n] = m.wit[li]
		for _, c := range m.unuse(li) {
			m.x[c] = false
			gain += m.t.Cost[c]
		}
	}
	m.ban(cells, float64(gain))
	known := map[*movement]*movement{}
	ok = true
	for n, li := range levels {
		if m.wit[li] != nil {
			continue
		}
		m.most = float64(gain - price)
		var points []*movement
		if detours {
			points = m.bypass(was[n], cells, m.levels[li], known)
		}
		if points == nil {
			points, err = near(ctx, m.levels[li])
		}
		if err == nil && !detours && gain >= m.dear && (points == nil || m.sum(points) >= 1) {
			points, err = m.anywhere(ctx, m.levels[li], points)
		}
		if err != nil || points == nil {
			ok = false
			break
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
		m.showBy(li, points)
	}
	m.ban(cells, 0)
	m.most = math.Inf(1)
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

// ban sets the extra price of routes through the cells; 0 lifts the ban.
func (m *run) ban(cells []int32, fine float64) {
	for _, i := range cells {
		m.banned[i] = fine > 0
	}
	m.fine = fine
}

// bypass changes the witness points of l so that they do not move the cells, by detours of their movements; nil if
// there are none. detours caches those found before.
func (m *run) bypass(points []*movement, cells []int32, l protection.Level, detours map[*movement]*movement) []*movement {
	if m.mover == nil {
		return nil
	}
	var out []*movement
	for _, v := range points {
		w, known := detours[v]
		if !known {
			w = v
			for _, i := range cells {
				if w == nil {
					break
				}
				if _, moves := slices.BinarySearch(w.cells, i); moves {
					w = m.mover.detour(w, i)
				}
			}
			detours[v] = w
		}
		if w == nil {
			return nil
		}
		out = append(out, w)
	}
	if !m.shows(out, l) {
		return nil
	}
	return out
}

// tied returns the secondary cells that can no longer move without cell i: in turn, each is the last withheld cell of a
// relation.
func (m *run) tied(i int32) []int32 {
	cells := []int32{i}
	m.x[i] = false
	for n := 0; n < len(cells); n++ {
		rels, _ := m.sys.Cols.Column(int(cells[n]))
		for _, j := range rels {
			c, _ := m.t.Rel.Row(int(j))
			last, left := int32(-1), 0
			for _, k := range c {
				if m.x[k] {
					last, left = k, left+1
				}
			}
			if left == 1 && m.t.Status[last] == table.Safe {
				m.x[last] = false
				cells = append(cells, last)
			}
		}
	}
	for _, k := range cells {
		m.x[k] = true
	}
	return cells
}

// near finds a cheap witness of l around its cell or, while its budget of work lasts, anywhere; nil if there
// is none.
func (m *run) near(ctx context.Context, l protection.Level) ([]*movement, error) {
	r, err := m.region(m.around(l.K))
	if err != nil {
		return nil, err
	}
	defer r.close()
	whole := m.table == nil && m.t.Len() <= m.routed || m.table != nil && m.table.router.Work() < improveWork
	return m.find(ctx, l, r, whole)
}

// anywhere returns points, or a cheaper witness of l from a program over all cells, if the table is not too large and
// time or work is left for it.
func (m *run) anywhere(ctx context.Context, l protection.Level, points []*movement) ([]*movement, error) {
	if m.t.Len() > m.routed || !m.deadline.IsZero() && work.Until(m.clock, m.deadline) < time.Duration(m.t.Len())*anywhereEach {
		return points, nil
	}
	r := m.large
	if r == nil || len(r.cells) < m.t.Len() {
		var err error
		if r, err = m.wholeTable(); err != nil {
			return nil, err
		}
	}
	if m.deadline.IsZero() && r.router.Work() > improveWork {
		return points, nil
	}
	return m.orRoute(ctx, r, l, points)
}
