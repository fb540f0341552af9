package protection

import (
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// AtMost returns t with a cell for the remainder of each pair of cells (i, j) of which readers know that i is at most
// j: the relation y_i + remainder = y_j, and 0 ≤ remainder. Nobody publishes it: it has status Withheld and no cost,
// and nobody is taken to contribute to it. What readers of t and of the pairs learn is thus what readers of the result
// learn. Of contributors the result has the numbers alone.
//
// Remainders stand behind the cells of t. In a stack every layer gets one for a pair of any layer, behind its own
// cells; where a layer does not have the pair, its remainder may be negative. WithoutRemainders undoes that for a list
// of cells. Values that contradict a pair make a table that Validate refuses. Cost linear in the size of the result.
func AtMost(t *table.Table, pairs [][2]int) *table.Table {
	layers := max(1, t.Layers)
	n := t.Len() / layers
	var slots [][2]int
	slot, known := map[[2]int]int{}, map[[2]int]bool{}
	for _, p := range pairs {
		in := [2]int{p[0] % n, p[1] % n}
		if _, ok := slot[in]; !ok {
			slot[in] = len(slots)
			slots = append(slots, in)
		}
		known[[2]int{p[0] / n, slot[in]}] = true
	}
	w, m := t.Clone(), len(slots)
	of := func(r, k int) (i, j int) { return r*n + slots[k][0], r*n + slots[k][1] }
	w.Value = behind(t.Value, n, m, func(r, k int) int64 { i, j := of(r, k); return t.Value[j] - t.Value[i] })
	w.Upper = behind(t.Upper, n, m, func(int, int) int64 { return table.PosInf })
	w.Lower = behind(t.Lower, n, m, func(r, k int) int64 {
		if known[[2]int{r, k}] {
			return 0
		}
		return table.NegInf
	})
	w.Status = behind(t.Status, n, m, func(int, int) table.Status { return table.Withheld })
	none := func(int, int) int64 { return 0 }
	for _, column := range []*[]int64{&w.Cost, &w.LPL, &w.UPL, &w.Width} {
		*column = behind(*column, n, m, none)
	}
	w.Max, w.Contributors = nil, nil
	if w.Freq == nil && t.Counts { // those whom a remainder counts do not know how many they are
		w.Freq = Contributors(t)
	}
	w.Freq = behind(w.Freq, n, m, none)
	w.Rounding = behind(t.Rounding, n, m, func(r, k int) int64 { i, j := of(r, k); return t.Rounding[i] + t.Rounding[j] })
	w.Missing = behind(t.Missing, n, m, func(r, k int) bool { i, j := of(r, k); return !t.Known(i) || !t.Known(j) })
	w.Reason = behind(t.Reason, n, m, func(int, int) table.Reason { return table.NoReason })
	w.Given = behind(t.Given, n, m, func(int, int) uint8 { return 0 })
	if dims := len(t.Dims); dims > 0 { // named after the first cell of its pair
		w.Coord = nil
		for r := range layers {
			w.Coord = append(w.Coord, t.Coord[r*n*dims:(r+1)*n*dims]...)
			for k := range m {
				i, _ := of(r, k)
				w.Coord = append(w.Coord, t.Coord[i*dims:(i+1)*dims]...)
			}
		}
	}
	w.Rel = withRemainders(t.Rel, layers, n, slots)
	return w
}

// WithoutRemainders returns the part of marks, one for each cell of AtMost, that is about the cells of t.
func WithoutRemainders(t *table.Table, marks []bool) []bool {
	layers := max(1, t.Layers)
	n, all := t.Len()/layers, len(marks)/layers
	out := make([]bool, 0, t.Len())
	for r := range layers {
		out = append(out, marks[r*all:r*all+n]...)
	}
	return out
}

// behind returns the column with m entries more behind each n of it, entry k of layer r being more(r, k); nil if the
// column is.
func behind[T any](column []T, n, m int, more func(r, k int) T) []T {
	if column == nil {
		return nil
	}
	out := make([]T, 0, len(column)/n*(n+m))
	for r := range len(column) / n {
		out = append(out, column[r*n:(r+1)*n]...)
		for k := range m {
			out = append(out, more(r, k))
		}
	}
	return out
}

// withRemainders returns the relations r of layers with a remainder for each pair of slots behind each n cells.
func withRemainders(r *table.Relations, layers, n int, slots [][2]int) *table.Relations {
	m, rows := len(slots), r.Len()/layers
	w := table.NewRelations((n + m) * layers)
	if r.Dim != nil {
		w.Dim, w.Margin = []int8{}, []int32{}
	}
	if r.Names != nil {
		w.Names = map[int]i18n.Text{}
	}
	for l := range layers {
		shift := int32(l * m)
		for j := l * rows; j < (l+1)*rows; j++ {
			cell, coef := r.Row(j)
			cell = slices.Clone(cell)
			for e := range cell {
				cell[e] += shift
			}
			w.Add(cell, coef, r.RHS[j])
			if name, ok := r.Names[j]; ok {
				w.Names[w.Len()-1] = name
			}
			if r.Dim != nil {
				margin := r.Margin[j]
				if margin >= 0 {
					margin += shift
				}
				w.Dim, w.Margin = append(w.Dim, r.Dim[j]), append(w.Margin, margin)
			}
		}
		for k, in := range slots {
			first := int32(l * (n + m))
			w.Add([]int32{first + int32(in[0]), first + int32(in[1]), first + int32(n+k)}, []int32{1, -1, 1}, 0)
			if r.Dim != nil {
				w.Dim, w.Margin = append(w.Dim, -1), append(w.Margin, -1)
			}
		}
	}
	return w
}
