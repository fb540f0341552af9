package certificate

import "github.com/hitoku/hitoku/table"

// Trim publishes the secondary cells (status Safe) of pattern that no witness moves, and returns their cost. The
// witnesses prove pattern protected (see Protects) before and after. Each remaining secondary cell is moved by a
// witness, that is, a table consistent with the publication, so nobody can compute its value. Cost linear in the
// entries of the witnesses.
func Trim(t *table.Table, pattern []bool, witnesses []*Witness) (saved int64) {
	m := len(pattern) / max(1, t.Layers)
	moved := Moved(t, witnesses)
	for i, in := range pattern {
		if in && t.Status[i] == table.Safe && !moved[i%m] {
			pattern[i] = false
			saved += t.Cost[i]
		}
	}
	return saved
}

// Moved reports for every cell of t (of one layer if t has several) whether some witness moves it in some layer. Cost
// linear in the entries of the witnesses.
func Moved(t *table.Table, witnesses []*Witness) []bool {
	m := t.Len() / max(1, t.Layers)
	moved := make([]bool, m)
	for _, w := range witnesses {
		for e, i := range w.Cells {
			if w.Long != nil || w.Num[e] != 0 { // long witnesses have no zeros
				moved[int(i)%m] = true
			}
		}
	}
	return moved
}
