package bench

import (
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A grid holds one value for every combination of codes, in lexicographic order.
type grid struct {
	dims     []table.Dimension
	value    []int64
	leaf     []bool // internal cells
	internal []int  // indices of the internal cells
}

func newGrid(dims []table.Dimension) *grid {
	n := 1
	for d := range dims {
		n *= len(dims[d].Codes)
	}
	g := &grid{dims: dims, value: make([]int64, n), leaf: make([]bool, n)}
	leaves := sets.List(len(dims), func(d int) []bool { return dims[d].Leaves() })
	for i := range n {
		inside := true
		g.each(i, func(d, c int) { inside = inside && leaves[d][c] })
		if g.leaf[i] = inside; inside {
			g.internal = append(g.internal, i)
		}
	}
	return g
}

// each calls f with the code of cell i in every dimension, last dimension first.
func (g *grid) each(i int, f func(d, c int)) {
	for d := len(g.dims) - 1; d >= 0; d-- {
		k := len(g.dims[d].Codes)
		f(d, i%k)
		i /= k
	}
}

// addUp sums the internal cells into the margins, one dimension after another,
// children before parents (a parent precedes its children in Codes).
func (g *grid) addUp() {
	stride := 1
	for d := len(g.dims) - 1; d >= 0; d-- {
		codes := len(g.dims[d].Codes)
		for i := len(g.value) - 1; i >= 0; i-- {
			if c := i / stride % codes; c > 0 {
				g.value[i-(c-int(g.dims[d].Parent[c]))*stride] += g.value[i]
			}
		}
		stride *= codes
	}
}

// records returns every cell as a record with its value.
func (g *grid) records() []table.Record {
	records := make([]table.Record, len(g.value))
	for i := range records {
		codes := make([]string, len(g.dims))
		g.each(i, func(d, c int) { codes[d] = g.dims[d].Codes[c] })
		records[i] = table.Record{Codes: codes, Value: table.Num(g.value[i], 0)}
	}
	return records
}
