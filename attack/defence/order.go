package defence

import "math/rand/v2"

// An order decides which cell is tried next, from public data: by Lines first, then by Weight or, without weights, by
// the product of what is left of the totals.
//
// A pattern needs two withheld cells in each line (relation) with a cell to protect and none elsewhere, so cells on
// fewer such lines are released first: Lines[c] is the number of relations of cell c that contain another cell to
// protect. Among these, large cells go first, as they need withholding least; if nothing is known about sizes, they are
// estimated by the product of the right-hand sides minus what was released, which is right for two-way tables without
// interaction.
type order struct {
	lines  []int32
	weight []int64 // by cell of the engine; nil: use what is left
	left   []int64 // right-hand sides minus released cells
	guess  []float64
}

// newOrder makes the order of an engine.
func (e *engine) newOrder() *order {
	n := len(e.cells)
	o := &order{lines: make([]int32, n), left: append([]int64(nil), e.rel.RHS...)}
	for j := range e.rel.Len() {
		cell, _ := e.rel.Row(j)
		hot := false
		for _, c := range cell {
			hot = hot || e.p.Width[e.cells[c]] >= 0
		}
		for _, c := range cell {
			if hot {
				o.lines[c]++
			}
		}
	}
	if w := e.p.Weight; w != nil {
		o.weight = make([]int64, n)
		for c, i := range e.cells {
			o.weight[c] = w[i]
		}
		return o
	}
	o.guess = make([]float64, n)
	for c := range o.guess {
		o.update(e, int32(c))
	}
	return o
}

// update recomputes the estimate for cell c. Products of numbers below 2^53 are rounded in the same way on every
// machine.
func (o *order) update(e *engine, c int32) {
	rel, _ := e.sys.Cols.Column(int(c))
	g := 1.0
	for _, j := range rel {
		g *= float64(o.left[j])
	}
	o.guess[c] = g
}

// before reports whether cell a is tried before cell b.
func (o *order) before(a, b int32) bool {
	switch {
	case o.lines[a] != o.lines[b]:
		return o.lines[a] < o.lines[b]
	case o.weight != nil && o.weight[a] != o.weight[b]:
		return o.weight[a] > o.weight[b]
	case o.weight == nil && o.guess[a] != o.guess[b]:
		return o.guess[a] > o.guess[b]
	}
	return a < b
}

// released records that cell c was released with value v.
func (o *order) released(e *engine, c int32, v int64) {
	if o.weight != nil {
		return
	}
	rel, coef := e.sys.Cols.Column(int(c))
	for t, j := range rel {
		o.left[j] -= int64(coef[t]) * v
		cell, _ := e.rel.Row(int(j))
		for _, b := range cell {
			o.update(e, b)
		}
	}
}

// drawn returns weights that put n cells in random order: the public order number m ≥ 1 for a seed.
func drawn(n int, seed uint64, m int) []int64 {
	w := make([]int64, n)
	for i, v := range rand.New(rand.NewPCG(seed, uint64(m))).Perm(n) {
		w[i] = int64(v)
	}
	return w
}
