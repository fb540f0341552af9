package modular

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// uses records which movements move a cell and which levels a movement meets. One movement may be the witness of
// thousands of levels, so cells refer to movements rather than to levels; removing a movement takes time proportional
// to its cells.
type uses struct {
	of   [][]user // per secondary cell
	link map[*movement]*link
}

// A user is a movement and the place of the cell among its cells.
type user struct {
	v  *movement
	at int32
}

// A link holds the levels that a movement is a witness of.
type link struct {
	levels []int32 // levels that it has witnessed since it came into use; it may no longer witness some of them
	refs   int     // number of levels that it is a witness of
	place  []int32 // per cell that it moves: the place in uses.of
}

func newUses(cells int) uses { return uses{make([][]user, cells), map[*movement]*link{}} }

// use makes points the witness of level li.
func (m *run) use(li int32, points []*movement) {
	m.wit[li] = points
	for _, v := range points {
		k := m.uses.link[v]
		if k == nil {
			k = &link{place: make([]int32, len(v.cells))}
			m.uses.link[v] = k
			for t, i := range v.cells {
				if m.t.Status[i] == table.Safe {
					k.place[t] = int32(len(m.uses.of[i]))
					m.uses.of[i] = append(m.uses.of[i], user{v, int32(t)})
				}
			}
		}
		k.levels = append(k.levels, li)
		k.refs++
	}
}

// unuse removes the witness of level li. It returns the cells that no witness moves any more.
func (m *run) unuse(li int32) (freed []int32) {
	for _, v := range m.wit[li] {
		k := m.uses.link[v]
		if k.refs--; k.refs > 0 {
			continue
		}
		delete(m.uses.link, v)
		for t, i := range v.cells {
			if m.t.Status[i] != table.Safe {
				continue
			}
			list, p := m.uses.of[i], k.place[t]
			last := list[len(list)-1]
			if last.v != v {
				list[p] = last
				m.uses.link[last.v].place[last.at] = p
			}
			m.uses.of[i] = list[:len(list)-1]
			if len(list) == 1 {
				freed = append(freed, i)
			}
		}
	}
	m.wit[li] = nil
	return freed
}

// levelsOf lists the levels whose witness moves one of the cells, the highest first.
func (m *run) levelsOf(cells []int32) []int32 {
	var levels []int32
	for _, i := range cells {
		for _, u := range m.uses.of[i] {
			k := m.uses.link[u.v]
			k.levels = slices.DeleteFunc(k.levels, func(li int32) bool { return !slices.Contains(m.wit[li], u.v) })
			if len(k.levels) > k.refs { // some levels are listed twice
				slices.Sort(k.levels)
				k.levels = slices.Compact(k.levels)
			}
			levels = append(levels, k.levels...)
		}
	}
	slices.SortFunc(levels, func(a, b int32) int { return cmp.Or(cmp.Compare(m.levels[b].RHS, m.levels[a].RHS), cmp.Compare(a, b)) })
	return slices.Compact(levels)
}
