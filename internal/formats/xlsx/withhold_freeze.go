package xlsx

import "github.com/hitoku/hitoku/internal/ooxml"

// A freezing turns formulas of a sheet into their values: those that depend on the table.
type freezing struct {
	c      *copying
	t      *tab
	lost   map[int]bool // groups whose first formula goes
	frozen []spotID
}

// freezing finds the groups of formulas of a sheet that lose the one that is written out.
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

// rewrite takes the formula of a cell away that the cell does not keep. One that follows a formula that goes is written out, or goes too where that
// cannot be.
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
