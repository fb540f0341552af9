package attack

import (
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// positions number the s withheld cells, of n, p = 0 … s−1 in table order.
type positions struct {
	n, s  int
	cells []int32 // by position: the cell of the table
	pos   []int32 // by cell; −1: published
	own   bitset  // S
	mine  []bool  // S, by cell
}

func newPositions(withheld []bool) positions {
	n := len(withheld)
	at := positions{n: n, pos: slices.Repeat([]int32{-1}, n), own: newBits(n), mine: slices.Clone(withheld)}
	for i, w := range withheld {
		if w {
			at.pos[i] = int32(at.s)
			at.cells = append(at.cells, int32(i))
			at.own.set(int32(i))
			at.s++
		}
	}
	return at
}

// positionRelations are the relations over positions; row j is Σ coef·y_p = rhs over ptr[j] ≤ t < ptr[j+1].
type positionRelations struct {
	ptr  []int32
	at   []int32
	coef []int64
	rhs  []int64
	rows [][]int32    // by position: the relations of its cell
	sums []num.Int128 // the full right-hand sides; rhs holds only the low 64 bits of those that are longer
	wide []bool       // relations whose sums may not fit 64 bits; nil: none
}

// relationsOver restricts the relations of base to the positions and moves the other values to the right-hand sides.
func relationsOver(base *table.Table, at *positions) (r positionRelations) {
	rel := base.Rel
	r.ptr = []int32{0}
	r.rows = make([][]int32, at.s)
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		sum := num.Int128Of(rel.RHS[j])
		for e, i := range cell {
			if p := at.pos[i]; p >= 0 {
				r.at, r.coef = append(r.at, p), append(r.coef, int64(coef[e]))
				r.rows[p] = append(r.rows[p], int32(len(r.rhs)))
			} else {
				sum = sum.Sub(times(int64(coef[e]), base.Value[i]))
			}
		}
		if len(r.at) == int(r.ptr[len(r.ptr)-1]) {
			continue
		}
		rhs, _ := sum.Int64()
		r.ptr, r.rhs, r.sums = append(r.ptr, int32(len(r.at))), append(r.rhs, rhs), append(r.sums, sum)
	}
	return r
}

// times returns c·v.
func times(c, v int64) num.Int128 {
	p := num.Product(v, num.Magnitude(c))
	if c < 0 {
		return num.Int128{}.Sub(p)
	}
	return p
}

// fit finds the relations whose sums may not fit 64 bits for some table of the box.
func (r *positionRelations) fit(b box) {
	l, u := b.ends()
	for j, rhs := range r.sums {
		m, _ := rhs.Magnitude()
		sum := float64(float64(m.Hi)*(1<<64)) + float64(m.Lo)
		for t := r.ptr[j]; t < r.ptr[j+1]; t++ {
			p := r.at[t]
			sum += float64(float64(num.Abs(r.coef[t])) * float64(max(num.Abs(l[p]), num.Abs(u[p]))))
		}
		if sum <= maxWord {
			continue
		}
		if r.wide == nil {
			r.wide = make([]bool, len(r.rhs))
		}
		r.wide[j] = true
	}
}
