package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/lazy"
)

// extremeName matches a name for the largest or smallest of others.
var extremeName = lazy.Regexp(`(?i)最[大小高低]|\b(?:max|min)(?:imum|imal\w*|ima|\.)?\b|\b(?:höchst|niedrigst|größt|kleinst)\w*`)

// leastPlaces is how many bits of evidence a code in no sum needs to be taken for ranks: those of four numbers.
const leastPlaces = 4

// extremes asks about codes in no sum that are everywhere the largest or the smallest of the others, or rank another
// code. They bound each of these, withheld ones as well. Where the numbers are too many for chance, the code need not
// be called so.
func (d *draft) extremes(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if !d.unfound(dim) || f == nil || d.large || len(dim.items) < 4 || len(dim.items) > mostForeign || len(d.cells) > mostForeignCells || t.doubted(dim.name) {
			continue
		}
		if m := d.matrix(k); m != nil {
			t.askBeside(dim, m.bound(dim, f))
		}
	}
}

// bound returns a function that reports whether a code is in no sum, and bounds the others or ranks another one.
func (m *matrix) bound(dim *draftDim, f *forest) func(i int) bool {
	alone := f.alone(dim)
	return func(i int) bool {
		if !alone(i) && (!f.memo[i] || f.equals[i] != nil) {
			return false
		}
		bits := max(m.extreme(f, i, 1), m.extreme(f, i, -1))
		return bits >= leastOuter || bits > 0 && extremeName().MatchString(dim.items[i].label) || m.places(i) >= leastPlaces
	}
}

// extreme returns how many bits of evidence show that row i is the largest of the rows without parts or, with sign −1,
// the smallest: 0 where it is not so everywhere.
func (m *matrix) extreme(f *forest, i int, sign int64) (bits float64) {
	if m.w < 2 {
		return 0
	}
	for j := range m.w {
		v, met, others := sign*m.at(i, j), false, map[int64]bool{}
		for o := range m.n {
			if o == i || f.memo[o] || slices.Contains(f.parent, o) {
				continue
			}
			x := sign * m.at(o, j)
			if x > v {
				return 0
			}
			met, others[x] = met || x == v, true
		}
		if !met {
			return 0
		}
		bits += math.Log2(float64(len(others)))
	}
	return max(bits, 1)
}

// places returns how many bits of evidence show that row i ranks the numbers of another row, from the largest or the
// smallest: 0 where it does not.
func (m *matrix) places(i int) (bits float64) {
	var known []int
	for j := range m.w {
		if v := m.at(i, j); m.state[i*m.w+j] == stateKnown && v > 0 {
			known = append(known, j)
		}
	}
	for n := range known {
		if m.at(i, known[n]) > int64(len(known)) {
			return 0
		}
		bits += math.Log2(float64(n + 1))
	}
	for o := range m.n {
		if o != i && (m.placed(i, o, known, 1) || m.placed(i, o, known, -1)) {
			return bits
		}
	}
	return 0
}

// placed reports whether row i has in the known columns the ranks of the numbers of row o, from the largest or, with
// sign −1, from the smallest.
func (m *matrix) placed(i, o int, known []int, sign int64) bool {
	return !slices.ContainsFunc(known, func(j int) bool {
		place := int64(1)
		for _, q := range known {
			if sign*m.at(o, q) > sign*m.at(o, j) {
				place++
			}
		}
		return m.state[o*m.w+j] != stateKnown || m.at(i, j) != place
	})
}
