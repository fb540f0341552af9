package table

import (
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
)

// maxDistanceGrid bounds the combinations of codes that SetDistanceCost examines.
const maxDistanceGrid = 1 << 24

// SetDistanceCost prices every cell c by its distance from the nearest sensitive cell s, so
// that cells beside it are withheld rather than others:
//
//	cost(c) = max(1, min over s of Σ_d D_d(c_d, s_d))
//
// D_d is 0 for equal codes. For two children of one parent that stand k places apart, and for a parent and its k-th
// child, D_d = steps[d][k−1], or the last of steps[d] if it is shorter; for any other two codes it is the last of
// steps[d]. This is how τ-ARGUS counts <DISTANCE> in its sub-tables, each of which has one code of every dimension with
// its children. Without sensitive cells every cell costs 1.
//
// Cost: the number of combinations of codes times the number of codes of a dimension, summed over the dimensions.
func (t *Table) SetDistanceCost(steps [][]int64) error {
	if len(t.Dims) == 0 || len(steps) != len(t.Dims) {
		return i18n.Errorf("table %s: distances for %d dimensions, want %d", t.Name, len(steps), len(t.Dims))
	}
	grid := 1
	for d := range t.Dims {
		if grid *= len(t.Dims[d].Codes); grid > maxDistanceGrid {
			return i18n.Errorf("table %s: more than %d combinations of codes, too many for a cost by distance", t.Name, maxDistanceGrid)
		}
		if len(steps[d]) == 0 {
			return i18n.Errorf("table %s: no distances for dimension %s", t.Name, t.Dims[d].Name)
		}
		for _, s := range steps[d] {
			if s < 0 || s > maxMagnitude/10 {
				return i18n.Errorf("table %s: distance %d of dimension %s: want 0 to 10^17", t.Name, s, t.Dims[d].Name)
			}
		}
	}
	const far = math.MaxInt64
	f := make([]int64, grid) // distance to the nearest sensitive cell, over the dimensions done so far
	for g := range f {
		f[g] = far
	}
	place := func(i int) int {
		g := 0
		for d := range t.Dims {
			g = g*len(t.Dims[d].Codes) + int(t.Coord[i*len(t.Dims)+d])
		}
		return g
	}
	for i, st := range t.Status {
		if st == Sensitive {
			f[place(i)] = 0
		}
	}
	stride := grid
	for d := range t.Dims {
		n := len(t.Dims[d].Codes)
		block := stride
		stride /= n
		order := t.Dims[d].order()
		line := make([]int64, n)
		var near []int
		for first := range grid {
			if first%block >= stride { // not the first on its line along dimension d
				continue
			}
			near = near[:0]
			for c := range n {
				if f[first+c*stride] < far {
					near = append(near, c)
				}
			}
			if len(near) == 0 {
				continue
			}
			for c := range n {
				line[c] = far
				for _, s := range near {
					line[c] = min(line[c], f[first+s*stride]+t.Dims[d].distance(c, s, order, steps[d]))
				}
			}
			for c, v := range line {
				f[first+c*stride] = v
			}
		}
	}
	t.CostDecimals = 0
	for i := range t.Cost {
		if t.Cost[i] = max(1, f[place(i)]); t.Cost[i] == far {
			t.Cost[i] = 1
		}
	}
	return nil
}

// order returns the position of each code among its parent's children, from 1.
func (d *Dimension) order() []int {
	order, children := make([]int, len(d.Codes)), make([]int, len(d.Codes))
	for c, p := range d.Parent {
		if p >= 0 {
			children[p]++
			order[c] = children[p]
		}
	}
	return order
}

// distance is D_d of two codes, as defined at SetDistanceCost.
func (d *Dimension) distance(a, b int, order []int, steps []int64) int64 {
	if a == b {
		return 0
	}
	k := len(steps)
	switch {
	case d.Parent[a] == d.Parent[b]:
		k = max(order[a]-order[b], order[b]-order[a])
	case int(d.Parent[a]) == b:
		k = order[a]
	case int(d.Parent[b]) == a:
		k = order[b]
	}
	return steps[min(k, len(steps))-1]
}
