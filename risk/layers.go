package risk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/parallel"
)

// maxLayers bounds the nodes examined one after another, and layerWork the number of classes examined at all of them
// together.
const (
	maxLayers = 1 << 18
	layerWork = 1 << 26
)

// layers assigns to the given classes the levels of nodes at which they are alike, trying the nodes that lose least
// first; no node has levels above the given ones. Classes that are alike with enough others at a node stay there, the
// rest continues. This is the opposite of parting, which starts from what is alike at the given levels and may separate
// early what would have fitted together later. nil: some classes fit with no others.
func (f *refinement) layers(ctx context.Context, levels []int, classes []int) ([]cell, error) {
	all := f.below(levels, classes)
	w := &layering{refinement: f, coarsest: levels, left: slices.Clone(classes), work: f.work}
	w.draw()
	for n := 0; n < len(all) && len(w.left) > 0; n++ {
		if err := ctx.Err(); err != nil {
			return nil, parallel.Ended(ctx, err)
		}
		// If not all nodes can be examined, every n-th of them is; the last one always is.
		if every := (len(all) - n) / max(1, w.work/len(w.left)); every > 1 {
			n = min(n+every-1, len(all)-1)
		}
		w.take(f.levels(all[n].node))
	}
	if !w.join() {
		return nil, nil
	}
	return w.cells, nil
}

// A layer is a node with the loss of its levels.
type layer struct {
	node int
	loss float64
}

// below returns the nodes that have no level above the given ones, in order of loss, the node of the given levels last.
// If there are too many, columns with many levels skip every second one.
func (f *refinement) below(levels []int, classes []int) []layer {
	use, size := make([][]int, len(levels)), 1
	for k, top := range levels {
		for level := range top {
			if f.tree[k].count[0] > 1 { // otherwise all are alike
				use[k] = append(use[k], level)
			}
		}
		use[k] = append(use[k], top)
		size *= len(use[k])
	}
	for size > maxLayers {
		most := 0
		for k := range use {
			if len(use[k]) > len(use[most]) {
				most = k
			}
		}
		size /= len(use[most])
		use[most] = thinner(use[most])
		size *= len(use[most])
	}
	all := []layer{{}}
	for k := range levels {
		var next []layer
		for _, level := range use[k] {
			sum := uint64(0)
			for _, g := range classes {
				sum += f.keep[g] * f.others(k, level, g)
			}
			loss := float64(sum) / float64(max(1, f.tree[k].count[0]-1))
			for _, x := range all {
				next = append(next, layer{x.node + level*f.base[k], x.loss + loss})
			}
		}
		all = next
	}
	slices.SortFunc(all, func(a, b layer) int { return cmp.Or(cmp.Compare(a.loss, b.loss), cmp.Compare(a.node, b.node)) })
	return all
}

// thinner leaves out every second level, except the last.
func thinner(levels []int) (fewer []int) {
	for n := range levels {
		if (len(levels)-1-n)%2 == 0 {
			fewer = append(fewer, levels[n])
		}
	}
	return fewer
}

// others returns how many other values of the file the value of class g cannot be told from at a level.
func (l *Lattice) others(k, level, g int) uint64 {
	return l.leaves[k][level][l.code[k][level][l.place[k][g]]] - 1
}

// A layering is the state of layers: the classes that have been given levels, and the rest.
type layering struct {
	*refinement
	coarsest []int // the given levels
	cells    []cell
	left     []int
	work     int // how many classes may still be examined
	// By column, level and index, a pseudo-random number of the value there; 0 if nobody could tell what the value
	// stands for. Sums of these numbers distinguish tuples; should two tuples collide, the result misses the goal when
	// it is measured.
	drawn [][][]uint64
	table []bucket
	used  []uint32 // buckets in use, and for each remaining class the one it is in
	in    []uint32
}

// A bucket holds what is alike at a node.
type bucket struct {
	sum     uint64 // 0: not in use
	records uint64
	cell    int // 1 + its index in cells; 0: none
}

// draw assigns pseudo-random numbers to values.
func (w *layering) draw() {
	for k, levels := range w.code {
		w.drawn = append(w.drawn, make([][]uint64, len(levels)))
		for level, code := range levels {
			of := map[uint32]uint64{}
			for _, v := range code {
				if _, ok := of[v]; !ok && (level == w.coarsest[k] || !w.unclear[k][v]) {
					of[v] = num.Mix(uint64(k)<<48^uint64(level)<<32^uint64(v)) | 1
				}
				w.drawn[k][level] = append(w.drawn[k][level], of[v])
			}
		}
	}
}

// sum hashes the values of a class at the given levels; 0 if some value could not be told from others.
func (w *layering) sum(levels []int, g int) (sum uint64) {
	for k, level := range levels {
		x := w.drawn[k][level][w.place[k][g]]
		if x == 0 {
			return 0
		}
		sum += x
	}
	return max(1, sum)
}

// take assigns these levels to the classes that are alike there and reach the goal.
func (w *layering) take(levels []int) {
	w.work -= len(w.left)
	size := 16
	for size < 2*len(w.left) {
		size *= 2
	}
	if len(w.table) < size {
		w.table, w.in = make([]bucket, size), make([]uint32, len(w.left))
	}
	mask := uint64(size - 1)
	enough := false
	for i, g := range w.left {
		sum := w.sum(levels, g)
		at := (sum * 0x9e3779b97f4a7c15) >> 20 & mask
		for w.table[at].sum != 0 && w.table[at].sum != sum {
			at = (at + 1) & mask
		}
		b := &w.table[at]
		if b.sum == 0 {
			b.sum = max(1, sum)
			w.used = append(w.used, uint32(at))
		}
		if sum > 0 {
			b.records += w.keep[g]
			enough = enough || b.records >= w.k
		}
		w.in[i] = uint32(at)
	}
	if enough {
		w.settle(levels)
	}
	for _, at := range w.used {
		w.table[at] = bucket{}
	}
	w.used = w.used[:0]
}

// settle makes cells of the buckets that reach the goal.
func (w *layering) settle(levels []int) {
	first := len(w.cells)
	for i, g := range w.left {
		b := &w.table[w.in[i]]
		if b.records < w.k {
			continue
		}
		if b.cell == 0 {
			w.cells = append(w.cells, cell{levels: levels})
			b.cell = len(w.cells)
		}
		c := &w.cells[b.cell-1]
		c.classes = append(c.classes, g)
	}
	kept, missed := first, map[int]bool{}
	for n := first; n < len(w.cells); n++ {
		if c := w.cells[n]; w.plain() || w.meets(w.members(c.classes)) {
			w.cells[kept] = c
			kept++
		} else {
			missed[n] = true
		}
		w.work -= len(w.cells[n].classes)
	}
	w.cells = w.cells[:kept]
	rest := w.left[:0]
	for i, g := range w.left {
		if n := w.table[w.in[i]].cell; n == 0 || missed[n-1] {
			rest = append(rest, g)
		}
	}
	w.left = rest
}

// join adds each remaining class to the cell where that increases the loss least; it returns false if some class fits
// with none.
func (w *layering) join() bool {
	if len(w.left) == 0 {
		return true
	}
	with := map[uint64][]int{} // the cells that are alike at the coarsest levels
	for n, c := range w.cells {
		sum := w.sum(w.coarsest, c.classes[0])
		with[sum] = append(with[sum], n)
	}
	for _, g := range w.left {
		best, most, levels := -1, math.Inf(1), []int(nil)
		for _, n := range with[w.sum(w.coarsest, g)] {
			c := &w.cells[n]
			both, adds := w.both(c, g, most)
			if both != nil && adds < most && (w.plain() || w.meets(w.members(append(slices.Clone(c.classes), g)))) {
				best, most, levels = n, adds, both
			}
		}
		if best < 0 {
			return false
		}
		c := &w.cells[best]
		c.levels, c.classes = levels, append(c.classes, g)
	}
	w.left = nil
	return true
}

// both returns the levels at which a cell and a class are alike, and the resulting increase of loss; nil if that is not
// below most.
func (w *layering) both(c *cell, g int, most float64) (levels []int, adds float64) {
	levels = slices.Clone(c.levels)
	for k := range levels {
		level := levels[k]
		for w.drawn[k][level][w.place[k][g]] != w.drawn[k][level][w.place[k][c.classes[0]]] || w.drawn[k][level][w.place[k][g]] == 0 {
			if level++; level > w.coarsest[k] {
				return nil, 0
			}
		}
		values := float64(max(1, w.tree[k].count[0]-1))
		if levels[k] = level; level > c.levels[k] {
			for _, x := range c.classes {
				adds += float64(w.keep[x]*(w.others(k, level, x)-w.others(k, c.levels[k], x))) / values
			}
		}
		if adds += float64(w.keep[g]*w.others(k, level, g)) / values; adds >= most {
			return nil, 0
		}
	}
	return levels, adds
}
