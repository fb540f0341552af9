//go:build lpsolve && cgo

package lpsolve

import (
	"context"
	"math"

	"github.com/draffensperger/golp"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
	"github.com/hitoku/hitoku/lp/internal/cmem"
)

// infinity is lp_solve's ∞.
const infinity = 1e30

// A built model is lp_solve's copy of a program.
type built struct {
	lp       *golp.LP
	solved   bool      // solved before, so it has a basis
	way                // how it was built
	cols     int       // columns of the program
	rowOf    []int     // lp_solve's row for each row of the program, −1: none
	slackOf  []int     // lp_solve's column for the value of each row, −1: none
	scale    []float64 // factor of each row in lp_solve
	asColumn []bool
	empty    []int // rows of the program without entries

	costChanged bool
	changed     []int // lp_solve's columns whose bounds must be set again, with …
	changedRow  []int // … the row each is the value of, −1: a column itself
	bytes       int64
	size        int // entries and columns
}

// drop frees the model but remembers which rows have a column for their value.
func (b *built) drop() {
	if b.lp != nil {
		cmem.Release(b.bytes)
	}
	*b = built{asColumn: b.asColumn}
}

// columnChanged records new bounds of column j.
func (b *built) columnChanged(j int) {
	if b.lp != nil {
		b.changed = append(b.changed, b.column(j))
		b.changedRow = append(b.changedRow, -1)
	}
}

// rowChanged records new bounds of row i, or drops the model if they cannot be changed in it.
func (b *built) rowChanged(i int) {
	for len(b.asColumn) <= i {
		b.asColumn = append(b.asColumn, false)
	}
	b.asColumn[i] = true
	switch {
	case b.lp == nil:
	case b.slackOf[i] >= 0:
		b.changed = append(b.changed, b.slackOf[i])
		b.changedRow = append(b.changedRow, i)
	case !b.isEmpty(i):
		b.drop()
	}
}

func (b *built) isEmpty(i int) bool {
	for _, e := range b.empty {
		if e == i {
			return true
		}
	}
	return false
}

// column returns lp_solve's column for column j of the program.
func (b *built) column(j int) int {
	if b.reverse {
		return b.cols - 1 - j
	}
	return j
}

// needsColumn reports whether row i needs a column for its value.
func (b *built) needsColumn(row *lp.Row, i int) bool {
	if i < len(b.asColumn) && b.asColumn[i] {
		return true
	}
	return !math.IsInf(row.Lo, -1) && !math.IsInf(row.Up, 1) && row.Lo != row.Up
}

func isEmpty(row *lp.Row) bool {
	for _, v := range row.Val {
		if v != 0 {
			return false
		}
	}
	return true
}

// build makes a new model of p.
func (b *built) build(p *lp.Problem, w way) {
	b.way = w
	b.cols = p.NumCols()
	slacks := 0
	entries := 0
	b.slackOf = make([]int, len(p.Rows))
	for i := range p.Rows {
		row := &p.Rows[i]
		b.slackOf[i] = -1
		if !isEmpty(row) && b.needsColumn(row, i) {
			b.slackOf[i] = b.cols + slacks
			slacks++
		}
		entries += len(row.Idx)
	}
	b.size = entries + b.cols + slacks
	b.bytes = int64(64*entries + 500*(b.cols+len(p.Rows)+slacks) + 1<<14)
	b.lp = golp.NewLP(0, b.cols+slacks)
	b.lp.SetVerboseLevel(golp.NEUTRAL)
	b.rowOf = make([]int, len(p.Rows))
	for k := range p.Rows {
		i := k
		if w.reverse {
			i = len(p.Rows) - 1 - k
		}
		b.add(p, i)
	}
	b.lp.SetAddRowMode(false)
	for j := range b.cols {
		b.setBounds(b.column(j), p.Lo[j], p.Up[j])
	}
	for i, k := range b.slackOf {
		if k >= 0 {
			b.setBounds(k, p.Rows[i].Lo, p.Rows[i].Up)
		}
	}
	b.costChanged = true
}

// add adds row i to the model, except rows without entries and free rows.
func (b *built) add(p *lp.Problem, i int) {
	row := &p.Rows[i]
	b.rowOf[i] = -1
	if isEmpty(row) {
		b.empty = append(b.empty, i)
		return
	}
	slack := b.slackOf[i]
	if slack < 0 && math.IsInf(row.Lo, -1) && math.IsInf(row.Up, 1) {
		return
	}
	scale := 1.0
	if b.scaled { // a power of 2, so nothing is rounded
		largest := 0.0
		for _, v := range row.Val {
			largest = max(largest, math.Abs(v))
		}
		_, exp := math.Frexp(largest)
		scale = math.Ldexp(1, 1-exp)
	}
	entries := make([]golp.Entry, 0, len(row.Idx)+1)
	for e, j := range row.Idx {
		if v := row.Val[e]; v != 0 {
			entries = append(entries, golp.Entry{Col: b.column(int(j)), Val: v * scale})
		}
	}
	kind, rhs := golp.EQ, 0.0
	switch {
	case slack >= 0:
		entries = append(entries, golp.Entry{Col: slack, Val: -scale})
	case row.Lo == row.Up:
		rhs = row.Lo
	case math.IsInf(row.Up, 1):
		kind, rhs = golp.GE, row.Lo
	default:
		kind, rhs = golp.LE, row.Up
	}
	// The binding never returns an error here.
	_ = b.lp.AddConstraintSparse(entries, kind, rhs*scale)
	b.rowOf[i] = len(b.scale)
	b.scale = append(b.scale, scale)
}

// append adds the rows from first on to the model, unless one of them needs a column, which cannot be added.
func (b *built) append(p *lp.Problem, first int) {
	if b.lp == nil {
		return
	}
	for i := first; i < len(p.Rows); i++ {
		if !isEmpty(&p.Rows[i]) && b.needsColumn(&p.Rows[i], i) {
			b.drop()
			return
		}
	}
	for i := first; i < len(p.Rows); i++ {
		b.slackOf = append(b.slackOf, -1)
		b.rowOf = append(b.rowOf, -1)
		b.add(p, i)
	}
}

func (b *built) setBounds(k int, lo, up float64) {
	b.lp.SetBounds(k, max(lo, -infinity), min(up, infinity))
}

// unfit returns a Farkas ray if a row without entries excludes 0.
func (b *built) unfit(p *lp.Problem) []float64 {
	for _, i := range b.empty {
		if row := &p.Rows[i]; row.Lo > 0 || row.Up < 0 {
			y := make([]float64, len(p.Rows))
			y[i] = 1
			if row.Up < 0 {
				y[i] = -1
			}
			return y
		}
	}
	return nil
}

// solve applies pending changes and runs lp_solve. After errLost the model is gone.
func (b *built) solve(ctx context.Context, p *lp.Problem, seconds int) (golp.SolutionType, error) {
	if b.cols == 0 {
		return golp.OPTIMAL, nil
	}
	for e, k := range b.changed {
		if i := b.changedRow[e]; i >= 0 {
			b.setBounds(k, p.Rows[i].Lo, p.Rows[i].Up)
			continue
		}
		j := b.column(k) // column is its own inverse
		b.setBounds(k, p.Lo[j], p.Up[j])
	}
	b.changed, b.changedRow = b.changed[:0], b.changedRow[:0]
	if b.costChanged {
		c := make([]float64, b.lp.NumCols())
		for j, v := range p.Cost {
			c[b.column(j)] = v
		}
		b.lp.SetObjFn(c)
		b.costChanged = false
	}
	b.lp.SetTimeout(seconds)
	code, err := watched(ctx, b.lp, seconds, b.size)
	if err != nil {
		*b = built{asColumn: b.asColumn}
		return code, err
	}
	b.solved = true
	return code, nil
}

// optimum reads the last solution. lp_solve's duals of a minimisation have the
// signs of package lp.
func (b *built) optimum(p *lp.Problem) *lp.Result {
	res := &lp.Result{
		Status: lp.Optimal,
		Primal: make([]float64, b.cols),
		Dual:   make([]float64, len(p.Rows)),
		Raw:    "OPTIMAL",
	}
	if b.cols > 0 {
		x := b.lp.Variables()
		for j := range res.Primal {
			res.Primal[j] = min(max(x[b.column(j)], p.Lo[j]), p.Up[j])
		}
		y := b.lp.Duals()
		for i, k := range b.rowOf {
			if k >= 0 {
				res.Dual[i] = y[k] * b.scale[k]
			}
		}
	}
	res.Reduced = certify.Reduced(p, res.Dual)
	for j, c := range p.Cost {
		res.Value += c * res.Primal[j]
	}
	return res
}
