package certificate

import (
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// Protects adds up the witnesses: see the public function.
func Protects(t *table.Table, pattern []bool, witnesses []*Witness) error {
	p, err := newProblem(t)
	if err != nil {
		return err
	}
	if len(pattern) != p.n {
		return i18n.Errorf("a pattern of %d cells for a table of %d", len(pattern), p.n)
	}
	for i, in := range pattern {
		if in && t.Status[i] == table.Published || !in && p.given[i] {
			return i18n.Errorf("the pattern contradicts the status of cell %s", t.CellName(i))
		}
		if in != pattern[i%p.m] {
			return i18n.Errorf("the pattern withholds cell %s in some layers only", t.CellName(i))
		}
	}
	s := newShower(p, pattern)
	for _, w := range witnesses {
		if err := s.add(&line{Den: w.Den, Cells: w.Cells, Num: w.Num, Long: w.Long}); err != nil {
			return i18n.Errorf("witness: %w", err)
		}
	}
	return s.levels()
}
