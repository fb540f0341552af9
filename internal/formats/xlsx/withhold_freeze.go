package xlsx

import "github.com/hitoku/hitoku/internal/ooxml"

// A freezing replaces the formulas of a sheet that depend on the table by their values.
type freezing struct {
	c      *copying
	t      *tab
	lost   map[int]bool // groups of which the cell that has the formula loses it
	frozen []spotID
}

// freezing finds the groups of cells sharing a formula of which the cell that has it written out loses it.
func (c *copying) freezing(t *tab) *freezing {
	f := &freezing{c: c, t: t, lost: map[int]bool{}}
	for _, n := range t.formulas {
		if s := &t.cells[n]; s.calc.shared && !s.calc.follows && !f.keeps(s) {
			f.lost[s.calc.group] = true
		}
	}
	return f
}

// keeps reports whether a cell keeps its formula.
func (f *freezing) keeps(s *spot) bool {
	id := f.t.id(s)
	return f.c.masked[id] == nil && !(s.valued && (s.calc.touches || f.c.table[id]))
}

// rewrite removes the formula of a cell that does not keep it. If a cell keeps a shared formula whose written
// form is removed, the formula is written out in the cell or, if that is not possible, removed too.
func (f *freezing) rewrite(s *spot) {
	orphan := s.calc.follows && f.lost[s.calc.group]
	if f.keeps(s) {
		if !orphan {
			return
		}
		first := f.t.groups[s.calc.group]
		if text, ok := ooxml.ShiftText(first.f.text, int(s.row)-first.row, int(s.col)-first.col); ok {
			p := prefix(s.name)
			f.c.edit(f.t.part, ooxml.Edit{From: s.calc.from, To: s.calc.to, New: "<" + p + "f>" + ooxml.Escape(text) + "</" + p + "f>"})
			return
		}
	}
	f.c.edit(f.t.part, ooxml.Edit{From: s.calc.from, To: s.calc.to})
	if s.cm != nil {
		f.c.edit(f.t.part, *s.cm)
	}
	f.frozen = append(f.frozen, f.t.id(s))
	f.c.frozen++
}
