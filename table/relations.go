package table

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Relations are the equations M y = b in sparse row form: relation j is
//
//	Σ_t Coef[t]·y[Cell[t]] = RHS[j],   Ptr[j] ≤ t < Ptr[j+1] .
type Relations struct {
	N    int     // number of cells
	Ptr  []int32 // length Len()+1
	Cell []int32
	Coef []int32
	RHS  []int64 // in units of the table's values

	// Dim[j] is the dimension that relation j sums over, and Margin[j] its margin cell (−1: an empty cell); nil if
	// unknown.
	Dim    []int8
	Margin []int32
	// Names are what relations that are no sum over a dimension say in words, by their numbers; nil: nobody has told.
	Names map[int]i18n.Text
}

// NewRelations returns an empty system over n cells.
func NewRelations(n int) *Relations { return &Relations{N: n, Ptr: []int32{0}} }

// Len returns the number of relations.
func (r *Relations) Len() int { return len(r.Ptr) - 1 }

// Add appends Σ coef·y[cell] = rhs; it copies its arguments.
func (r *Relations) Add(cell, coef []int32, rhs int64) {
	r.Cell = append(r.Cell, cell...)
	r.Coef = append(r.Coef, coef...)
	r.Ptr = append(r.Ptr, int32(len(r.Cell)))
	r.RHS = append(r.RHS, rhs)
}

// Row returns the cells and coefficients of relation j, shared with r.
func (r *Relations) Row(j int) (cell, coef []int32) {
	return r.Cell[r.Ptr[j]:r.Ptr[j+1]], r.Coef[r.Ptr[j]:r.Ptr[j+1]]
}

// Repeat returns the block-diagonal relations of k tables that each have relations r, cells in the order of the tables;
// r itself for k = 1.
func (r *Relations) Repeat(k int) *Relations {
	if k == 1 {
		return r
	}
	out := NewRelations(k * r.N)
	var moved []int32
	for q := range k {
		for j := range r.Len() {
			cell, coef := r.Row(j)
			moved = moved[:0]
			for _, i := range cell {
				moved = append(moved, i+int32(q*r.N))
			}
			out.Add(moved, coef, r.RHS[j])
		}
	}
	return out
}

// Columns is the transposed matrix: cell i occurs in relations Rel[t] with coefficients Coef[t], Ptr[i] ≤ t < Ptr[i+1],
// relations ascending.
type Columns struct {
	Ptr  []int32
	Rel  []int32
	Coef []int32
}

// Column returns the relations and coefficients of cell i, shared with c.
func (c *Columns) Column(i int) (rel, coef []int32) {
	return c.Rel[c.Ptr[i]:c.Ptr[i+1]], c.Coef[c.Ptr[i]:c.Ptr[i+1]]
}

// Columns transposes r. Cost O(N + entries).
func (r *Relations) Columns() *Columns {
	c := &Columns{Ptr: make([]int32, r.N+1), Rel: make([]int32, len(r.Cell)), Coef: make([]int32, len(r.Cell))}
	for _, i := range r.Cell {
		c.Ptr[i+1]++
	}
	for i := range r.N {
		c.Ptr[i+1] += c.Ptr[i]
	}
	next := append([]int32(nil), c.Ptr[:r.N]...)
	for j := range r.Len() {
		cell, coef := r.Row(j)
		for t, i := range cell {
			c.Rel[next[i]], c.Coef[next[i]] = int32(j), coef[t]
			next[i]++
		}
	}
	return c
}

// residual returns Σ coef·y − rhs of relation j exactly. small is false if that does not fit an int64; only then is
// exact set.
func (r *Relations) residual(j int, y []int64) (v int64, small bool, exact *big.Int) {
	cell, coef := r.Row(j)
	small = true
	v, small = addExact(0, -r.RHS[j])
	for t := 0; t < len(cell) && small; t++ {
		c, a := int64(coef[t]), y[cell[t]]
		p := c * a
		if c != 0 && (p/c != a || p == PosInf || p == NegInf) {
			small = false
			break
		}
		v, small = addExact(v, p)
	}
	if small {
		return v, true, nil
	}
	sum := new(big.Int).Neg(big.NewInt(r.RHS[j]))
	for t, i := range cell {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(coef[t])), big.NewInt(y[i])))
	}
	if sum.IsInt64() {
		return sum.Int64(), true, nil
	}
	return 0, false, sum
}

// Residual returns Σ coef·y − rhs of relation j and whether it is exactly 0.
// Cost O(terms); arithmetic is exact whatever the size of y.
func (r *Relations) Residual(j int, y []int64) (v *big.Int, zero bool) {
	s, small, b := r.residual(j, y)
	if small {
		b = big.NewInt(s)
	}
	return b, b.Sign() == 0
}

// Holds reports whether y satisfies every relation exactly.
func (r *Relations) Holds(y []int64) bool {
	for j := range r.Len() {
		if v, small, _ := r.residual(j, y); !small || v != 0 {
			return false
		}
	}
	return true
}

// An AdditivityError names one relation that the values violate, with both sums.
type AdditivityError struct {
	Index    int       // index of the relation; −1: a margin without parts, which has none
	Margin   int       // its margin cell, −1: none
	Dim      string    // the dimension it sums over, empty if not known
	Relation i18n.Text // as named by Table.RelationName
	Want     string    // the margin, or the right-hand side
	Got      string    // the sum of the other terms
}

func (e *AdditivityError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *AdditivityError) Message() i18n.Text {
	return i18n.T("%s: the parts add up to %s, the margin is %s", e.Relation, e.Got, e.Want)
}
