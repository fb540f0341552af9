package modular

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

const (
	// improveRounds bounds the sweeps over the withheld cells.
	improveRounds = 8
	// improveWork bounds the work of routes through the whole table, in the units of
	// intruder.Router: counted, so that the pattern does not depend on the machine.
	improveWork = 2e7
	// dearShare is the share of the cost of a pattern that must be at stake for programs over all cells, of which one takes up to
	// half a second.
	dearShare = 0.001
	// anywhereEach is the time for each cell that must be left for these.
	anywhereEach = time.Millisecond / 4
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
		before := float64(m.cost())
		better, err := m.sweep(ctx, near, least == 0)
		if err != nil || !better || m.late() || float64(m.cost()) > (1-least)*before {
			return err
		}
	}
	return nil
}

// sweep tries to do without each cell withheld for others, and those tied to it, once; thoroughly: in both ways whatever they cost.
func (m *run) sweep(ctx context.Context, near finder, thorough bool) (better bool, err error) {
	m.dear = int64(dearShare * float64(m.cost()))
	failed := map[string]int{} // by set of cells: the changes of the pattern before
	changes := 1
	var key []byte
	for _, i := range m.dearest() {
		if !m.x[i] {
			continue
		}
		if m.late() {
			break
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

// dearest lists the cells withheld for others by what they cost over the root of the number of movements that use them, the dearest
// first, equal ones in their order: few movements are soon led around a cell, but dear cells are what the cost is made of.
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

// manyUsers is the number of movements beyond which a cell is left alone.
const manyUsers = 300

// without tries to do without the cells: by detours first, then, thoroughly or where they are dear, with all their levels shown anew. On failure all is as before.
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

// instead shows the levels that use the cells by other witnesses, by detours or anew, where much is at stake also by programs over all cells.
// It reports whether that is cheaper; if not, all is as before.
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
		m.take(li, points)
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

// ban sets the fine that routes through the cells cost; 0 lifts the ban.
func (m *run) ban(cells []int32, fine float64) {
	for _, i := range cells {
		m.banned[i] = fine > 0
	}
	m.fine = fine
}

// bypass is the witness points of l without the cells, by detours of the movements that move them; nil where there are none. Known ones are in detours.
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

// tied are the cells that cannot move any more without cell i, which is withheld: withheld for others, each in its turn the last one of a relation.
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

// anywhere is points, or a cheaper witness of l by a program over all cells, where the table is not too large for one and there is time
// for some, or work left.
func (m *run) anywhere(ctx context.Context, l protection.Level, points []*movement) ([]*movement, error) {
	if m.t.Len() > m.routed || m.limit > 0 && time.Until(m.deadline) < time.Duration(m.t.Len())*anywhereEach {
		return points, nil
	}
	r := m.large
	if r == nil || len(r.cells) < m.t.Len() {
		var err error
		if r, err = m.whole(); err != nil {
			return nil, err
		}
	}
	if m.limit == 0 && r.router.Work() > improveWork {
		return points, nil
	}
	return m.orRoute(ctx, r, l, points)
}
