package certificate

import "github.com/hitoku/hitoku/table"

// Trim publishes the cells of pattern, which witnesses protect (see Protects), that are
// withheld for the sake of others, status Safe, but that no witness moves, and returns
// what they cost together. The witnesses protect what is left. Each cell of it that is
// withheld for others is moved by one of them, a table that agrees with all that is
// published: none is superfluous, a value that everyone can compute. Cost: the entries of
// the witnesses.
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

// Moved says of every cell of t, in tables with layers of every cell of one layer, whether some
// witness moves it in some layer. Cost: the entries of the witnesses.
func Moved(t *table.Table, witnesses []*Witness) []bool {
	m := t.Len() / max(1, t.Layers)
	moved := make([]bool, m)
	for _, w := range witnesses {
		for e, i := range w.Cells {
			if w.Long != nil || w.Num[e] != 0 { // long ones have no zeros
				moved[int(i)%m] = true
			}
		}
	}
	return moved
}
