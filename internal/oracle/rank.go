package oracle

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/heap"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// independent returns a largest set of linearly independent relations, ascending.
// Margins of margins follow from one another: of the relations of a three-way table
// of 8×8×8 cells a tenth is redundant, of one with deep trees nearly half.
//
// It uses Gaussian elimination modulo prime, shortest relations first, so that the long ones are dropped. A set that is
// independent modulo prime is independent. The converse fails only if prime divides a minor of M, which does not happen
// for coefficients ±1; even then every dual stays valid, and a point that violates an omitted relation fails the exact
// check. Cost: the fill-in of the elimination, a few times the entries. If it fills in too much, as in large tables
// whose long relations intersect, pivots are chosen for little fill-in instead (echelon), which keeps a few longer
// relations.
func independent(rel *table.Relations) []int32 {
	steps := 0
	order := all(rel.Len())
	length := func(j int32) int { return int(rel.Ptr[j+1] - rel.Ptr[j]) }
	slices.SortStableFunc(order, func(a, b int32) int { return length(a) - length(b) })
	count := make([]int32, rel.N) // relations of each cell: pivots in short columns cause little fill-in
	for _, i := range rel.Cell {
		count[i]++
	}
	type entry struct {
		i int32
		v uint64
	}
	var rows [][]entry            // echelon form, scaled to pivot 1, without the pivots
	pivot := make([]int32, rel.N) // cell → its row + 1, 0 if it is not a pivot
	val := make([]uint64, rel.N)  // the current relation
	listed := make([]bool, rel.N) // in idx
	var keep, idx []int32
	var queue heap.Heap[rowCell] // rows still to be subtracted
	for _, j := range order {
		idx, queue = idx[:0], queue[:0]
		touch := func(i int32, v uint64) {
			if !listed[i] {
				listed[i] = true
				idx = append(idx, i)
				if pivot[i] > 0 {
					queue.Push(rowCell(pivot[i]-1)<<32 | rowCell(i))
				}
			}
			val[i] = prime.Add(val[i], v)
		}
		cell, coef := rel.Row(int(j))
		for t, i := range cell {
			touch(i, prime.Of(int64(coef[t])))
		}
		// A row contains no pivots of earlier rows, so in ascending order each is subtracted once.
		for len(queue) > 0 {
			top := queue.Pop()
			f := val[int32(top)]
			val[int32(top)] = 0
			if f == 0 {
				continue
			}
			if steps += len(rows[top>>32]); steps > maxRankSteps {
				return sparsely(rel)
			}
			for _, e := range rows[top>>32] {
				touch(e.i, prime.Sub(0, prime.Mul(f, e.v)))
			}
		}
		best := int32(-1)
		for _, i := range idx {
			if val[i] != 0 && (best < 0 || count[i] < count[best] || count[i] == count[best] && i < best) {
				best = i
			}
		}
		if best >= 0 {
			inv := prime.Inverse(val[best])
			var row []entry
			for _, i := range idx {
				if i != best && val[i] != 0 {
					row = append(row, entry{i, prime.Mul(inv, val[i])})
				}
			}
			rows = append(rows, row)
			pivot[best] = int32(len(rows))
			keep = append(keep, j)
		}
		for _, i := range idx {
			val[i], listed[i] = 0, false
		}
	}
	slices.Sort(keep)
	return keep
}

// among restricts rel to the columns of cells that move, without relations that contain none of them.
func among(rel *table.Relations, moves func(i int32) bool) *table.Relations {
	part := table.NewRelations(rel.N)
	var cells, coefs []int32
	for j := range rel.Len() {
		cells, coefs = cells[:0], coefs[:0]
		cell, coef := rel.Row(j)
		for t, i := range cell {
			if moves(i) {
				cells, coefs = append(cells, i), append(coefs, coef[t])
			}
		}
		part.Add(cells, coefs, 0)
	}
	return part
}

// sparsely is independent with pivots chosen for little fill-in; it returns all relations if even that fills in too
// much.
func sparsely(rel *table.Relations) []int32 {
	e := newElimination(&System{Rel: rel})
	if ok, _ := e.echelon(context.Background()); !ok {
		return all(rel.Len())
	}
	var keep []int32
	for j, k := range e.keep {
		if k {
			keep = append(keep, int32(j))
		}
	}
	return keep
}

// all returns 0 … m−1.
func all(m int) []int32 {
	return sets.Upto(int32(m))
}

// A rowCell is the number of a row, shifted left by 32 bits, plus its pivot cell.
type rowCell int

func (a rowCell) Before(b rowCell) bool { return a < b }
