package layout

import (
	"slices"

	"github.com/hitoku/hitoku/internal/lazy"
)

// extremeName names the largest or smallest of others.
var extremeName = lazy.Regexp(`(?i)最[大小高低]|\b(?:max|min)(?:imum|imal\w*|ima|\.)?\b|\b(?:höchst|niedrigst|größt|kleinst)\w*`)

// extremes asks about codes in no sum that are the largest or the smallest of the others everywhere: they bound each of these, the withheld ones too.
func (d *draft) extremes(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if !d.unfound(dim) || f == nil || d.large || len(dim.items) < 4 || len(dim.items) > mostForeign || len(d.cells) > mostForeignCells || t.doubted(dim.name) {
			continue
		}
		m, alone := d.matrix(k), f.alone(dim)
		if m == nil {
			continue
		}
		t.askBeside(dim, func(i int) bool {
			return (alone(i) || f.memo[i] && f.equals[i] == nil) && extremeName().MatchString(dim.items[i].label) && (m.extreme(f, i, 1) || m.extreme(f, i, -1))
		})
	}
}

// extreme reports whether row i is everywhere the largest of the rows that have no parts, with sign −1 the smallest.
func (m *matrix) extreme(f *forest, i int, sign int64) bool {
	for j := range m.w {
		v, met := sign*m.at(i, j), false
		for o := range m.n {
			if o == i || f.memo[o] || slices.Contains(f.parent, o) {
				continue
			}
			x := sign * m.at(o, j)
			if x > v {
				return false
			}
			met = met || x == v
		}
		if !met {
			return false
		}
	}
	return m.w > 1
}
