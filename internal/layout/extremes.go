package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/lazy"
)

// extremeName names the largest or smallest of others.
var extremeName = lazy.Regexp(`(?i)最[大小高低]|\b(?:max|min)(?:imum|imal\w*|ima|\.)?\b|\b(?:höchst|niedrigst|größt|kleinst)\w*`)

// leastPlaces is how many bits must speak for the places of numbers in a code that is in no sum: there are four of them.
const leastPlaces = 4

// extremes asks about codes in no sum that are the largest or the smallest of the others everywhere, or the places of another: they bound each of these, the
// withheld ones too. Numbers that this is too much for by chance need not be called so.
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

// bound reports of a code of a dimension in no sum whether it bounds the others or is the place of another.
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

// extreme is how many bits speak for row i being the largest of the rows that have no parts, with sign −1 the smallest: 0 where it is not everywhere.
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

// places is how many bits speak for row i being the places of the numbers of another one, from the largest or the smallest: 0 where they are not.
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

// placed reports whether the columns known of row i are the places of the numbers of row o, with sign −1 from the smallest.
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
