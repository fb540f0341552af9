package xlsx

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// mirrors masks the cells that repeat a withheld value, but for those that are explained by published ones.
func (c *copying) mirrors(explained map[spotID]bool) {
	copies, shadows := c.copies(), c.secrets.shadows()
	for _, t := range c.tabs {
		for n := range t.cells {
			s := &t.cells[n]
			ks := c.secrets.of[s.canon]
			id := t.id(s)
			if k, ok := copies[id]; ok && !c.table[id] && c.masked[id] == nil {
				c.hide(id, mask{why: i18n.T("in a copy of the table, it repeats %s", c.where(c.secrets.cells[k].id)), of: k})
				continue
			}
			if s.canon == "" || c.table[id] || c.masked[id] != nil || explained[id] {
				continue
			}
			if len(ks) == 0 {
				c.lookAtShadow(t, s, shadows)
				continue
			}
			unseen := t.unseen(int(s.row), int(s.col))
			digits, telling := ooxml.Digits(s.canon)
			year := isYear(s.canon)
			why, of := i18n.Text{}, ks[0]
			cell := func(k int) string { return c.where(c.secrets.cells[k].id) }
			labels := t.beside(int(s.row), int(s.col))
			labels = append(labels, t.above(int(s.row), int(s.col))...)
			for _, k := range c.secrets.whose(s.canon, labels) {
				if c.secrets.named(k, labels) {
					why, of = i18n.T("it repeats %s, with the same labels", cell(k)), k
					break
				}
			}
			if why.IsZero() && unseen && digits >= 3 && !year {
				why = i18n.T("unseen by readers, it has the number of %s", cell(of))
			}
			if why.IsZero() && telling >= 4 && !year {
				for _, k := range ks {
					if c.secrets.touched(k, labels) {
						why, of = i18n.T("it repeats %s, with one of its labels", cell(k)), k
						break
					}
				}
			}
			if why.IsZero() && telling >= 6 {
				why = i18n.T("it has the number of %s, which is too long for a coincidence", cell(of))
			}
			switch {
			case !why.IsZero():
				c.hide(id, mask{why: why, of: of})
			case unseen && digits >= 1 || telling >= 4 && !year:
				c.look(c.where(id), i18n.T("has the number of %s, under other labels", c.where(c.secrets.cells[of].id)))
			}
		}
	}
}

// An offset leads from a cell of the table to its place in a copy: a number of rows and columns away and, if
// turned, with rows and columns exchanged.
type offset struct {
	from, to   int32 // numbers of tabs
	rows, cols int32
	turned     bool
}

// Limits of the search for copies.
const (
	maxRepeats = 6 // a number that occurs more often does not tell where a copy is
	minVotes   = 5 // numbers that must match at an offset
)

// copies finds copies of tables, including transposed ones, and returns the withheld cell for each cell of a
// copy. A copy is an offset at which at least five, and at least a third, of the table's telling numbers match.
func (c *copying) copies() map[spotID]int {
	at := map[string][]spotID{} // cells of the tables by their numbers
	usable := map[int32]int{}
	for id := range c.table {
		if s := c.tabs[id.tab].at(int(id.row), int(id.col)); s != nil && s.canon != "" && s.canon != "0" {
			at[s.canon] = append(at[s.canon], id)
		}
	}
	for _, ids := range at {
		if len(ids) <= maxRepeats {
			for _, id := range ids {
				usable[id.tab]++
			}
		}
	}
	votes := map[offset]int{}
	for _, t := range c.tabs {
		for n := range t.cells {
			s := &t.cells[n]
			ids := at[s.canon]
			if s.canon == "" || len(ids) == 0 || len(ids) > maxRepeats {
				continue
			}
			if c.table[t.id(s)] {
				continue
			}
			for _, id := range ids {
				votes[offset{id.tab, int32(t.number), s.row - id.row, s.col - id.col, false}]++
				votes[offset{id.tab, int32(t.number), s.row - id.col, s.col - id.row, true}]++
			}
		}
	}
	found := map[spotID]int{} // the withheld cell that each cell repeats
	for _, d := range c.o.Copies {
		id, s, err := c.find(d.Place)
		if err != nil || s == nil {
			continue
		}
		for _, p := range d.Of {
			if of, _, err := c.find(p); err == nil && c.masked[of] != nil && c.masked[of].of >= 0 && s.holds(c.secrets.cells[c.masked[of].of].canon) {
				found[id] = c.masked[of].of
				break
			}
		}
	}
	for o, n := range votes {
		if n < minVotes || 3*n < usable[o.from] {
			continue
		}
		for k, w := range c.secrets.cells {
			if w.id.tab != o.from || w.canon == "" {
				continue
			}
			id := spotID{o.to, w.id.row + o.rows, w.id.col + o.cols}
			if o.turned {
				id = spotID{o.to, w.id.col + o.rows, w.id.row + o.cols}
			}
			if s := c.tabs[o.to].at(int(id.row), int(id.col)); s != nil && s.canon == w.canon {
				if old, ok := found[id]; !ok || k < old {
					found[id] = k
				}
			}
		}
	}
	return found
}

// holds reports whether a cell contains that number, perhaps with a mark beside it.
func (s *spot) holds(canon string) bool {
	if s.canon != "" || canon == "" {
		return s.canon == canon
	}
	found := false
	ooxml.Numbers(s.text, func(n ooxml.Number) { found = found || n.Canon == canon })
	return found
}

// inOrder sorts cells by tab, row and column.
func inOrder(ids []spotID) {
	slices.SortFunc(ids, func(a, b spotID) int {
		return cmp.Or(cmp.Compare(a.tab, b.tab), cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col))
	})
}
