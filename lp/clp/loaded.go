//go:build clp && cgo

package clp

import (
	"math"
	"runtime"

	clplib "github.com/lanl/clp"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
	"github.com/hitoku/hitoku/lp/internal/cmem"
	"github.com/hitoku/hitoku/lp/internal/coin"
)

// A loaded program is what Clp holds of a program: the columns that are not
// fixed, and the rows that are not free and have entries in such columns.
type loaded struct {
	simplex *clplib.Simplex
	matrix  *clplib.PackedMatrix // nil: not built yet
	fixed   []bool               // by column of the program; matrix leaves these out
	free    []bool               // by row
	cols    []int                // the column of the program behind each of Clp's
	rows    []int
	bytes   int64 // approximate memory of one load in C
}

// unload frees the simplex object.
func (l *loaded) unload() {
	if l.simplex == nil {
		return
	}
	l.simplex = nil
	cmem.Release(l.bytes)
}

// drop frees the matrix too.
func (l *loaded) drop() {
	l.unload()
	l.matrix = nil
}

// load passes p to Clp. It returns a result if p is infeasible because of a row whose columns are all fixed.
func (l *loaded) load(p *lp.Problem) *lp.Result {
	l.unload()
	if l.matrix == nil || !l.fits(p) {
		l.build(p)
	}
	colBounds := make([]clplib.Bounds, len(l.cols))
	cost := make([]float64, len(l.cols))
	for k, j := range l.cols {
		colBounds[k] = bounds(p.Lo[j], p.Up[j])
		cost[k] = p.Cost[j]
	}
	rowBounds := make([]clplib.Bounds, len(l.rows))
	next := 0
	for i := range p.Rows {
		if l.free[i] {
			continue
		}
		row := &p.Rows[i]
		shift, mag := 0.0, 0.0
		for e, j := range row.Idx {
			if l.fixed[j] {
				t := row.Val[e] * p.Lo[j]
				shift += t
				mag += math.Abs(t)
			}
		}
		if next < len(l.rows) && l.rows[next] == i {
			rowBounds[next] = bounds(row.Lo-shift, row.Up-shift)
			next++
			continue
		}
		slack := coin.Tol * (1 + mag)
		if shift >= row.Lo-slack && shift <= row.Up+slack {
			continue
		}
		y := make([]float64, len(p.Rows))
		y[i] = 1
		if shift > row.Up {
			y[i] = -1
		}
		return &lp.Result{Status: lp.Infeasible, Farkas: y, Raw: "a row of fixed columns does not fit"}
	}
	l.simplex = clplib.NewSimplex()
	l.simplex.LoadProblem(l.matrix, colBounds, cost, rowBounds, nil)
	l.simplex.SetOptimizationDirection(clplib.Minimize)
	return nil
}

// bounds converts ±∞ to Clp's representation.
func bounds(lo, up float64) clplib.Bounds {
	return clplib.Bounds{Lower: max(lo, -math.MaxFloat64), Upper: min(up, math.MaxFloat64)}
}

// fits reports whether the same columns are fixed and the same rows are free as
// in the matrix.
func (l *loaded) fits(p *lp.Problem) bool {
	for j := range p.Lo {
		if l.fixed[j] != (p.Lo[j] == p.Up[j]) {
			return false
		}
	}
	for i := range p.Rows {
		if l.free[i] != free(&p.Rows[i]) {
			return false
		}
	}
	return true
}

func free(row *lp.Row) bool { return math.IsInf(row.Lo, -1) && math.IsInf(row.Up, 1) }

// build makes the matrix by columns, as Clp stores it.
func (l *loaded) build(p *lp.Problem) {
	l.fixed = make([]bool, p.NumCols())
	l.free = make([]bool, len(p.Rows))
	l.cols, l.rows = l.cols[:0], l.rows[:0]
	number := make([]int, p.NumCols())
	for j := range p.Lo {
		if l.fixed[j] = p.Lo[j] == p.Up[j]; !l.fixed[j] {
			number[j] = len(l.cols)
			l.cols = append(l.cols, j)
		}
	}
	columns := make([][]clplib.Nonzero, len(l.cols))
	entries := 0
	for i := range p.Rows {
		if l.free[i] = free(&p.Rows[i]); l.free[i] {
			continue
		}
		used := false
		for e, j := range p.Rows[i].Idx {
			if v := p.Rows[i].Val[e]; v != 0 && !l.fixed[j] {
				columns[number[j]] = append(columns[number[j]], clplib.Nonzero{Index: len(l.rows), Value: v})
				used = true
				entries++
			}
		}
		if used {
			l.rows = append(l.rows, i)
		}
	}
	l.matrix = clplib.NewPackedMatrix()
	l.matrix.Reserve(len(l.cols), entries, false)
	for _, c := range columns {
		l.matrix.AppendColumn(c)
	}
	l.matrix.SetDimensions(len(l.rows), len(l.cols))
	// The binding's columns, Clp's two copies and its work arrays.
	l.bytes = int64(64*entries + 300*(len(l.cols)+len(l.rows)) + 1<<12)
}

// solve runs one method from the slack basis and returns Clp's code.
func (l *loaded) solve(r *run, m coin.Method) (int, error) {
	if len(l.cols) == 0 {
		return coin.Optimal, nil
	}
	l.simplex.SetPrimalTolerance(m.PrimalTolerance)
	if m.Unscaled {
		l.simplex.SetScaling(clplib.NoScaling)
	}
	code := coin.Stopped
	err := r.Slices(coin.Slices, r.slice, func(n int) bool {
		l.simplex.SetMaxIterations(n)
		if m.Dual {
			code = int(l.simplex.Dual(clplib.NoValuesPass, clplib.NoStartFinishOptions))
		} else {
			code = int(l.simplex.Primal(clplib.NoValuesPass, clplib.NoStartFinishOptions))
		}
		// The binding's finalizer may otherwise run during the call.
		runtime.KeepAlive(l.simplex)
		return code != coin.Stopped
	})
	return code, err
}

// optimum reads the last solution. Clp's duals of a minimisation have the signs
// of package lp.
func (l *loaded) optimum(p *lp.Problem) *lp.Result {
	res := &lp.Result{
		Status: lp.Optimal,
		Primal: append([]float64(nil), p.Lo...), // the fixed ones stay
		Dual:   make([]float64, len(p.Rows)),
		Raw:    "optimal",
	}
	if len(l.cols) > 0 {
		for k, x := range l.simplex.PrimalColumnSolution() {
			j := l.cols[k]
			res.Primal[j] = min(max(x, p.Lo[j]), p.Up[j])
		}
		for k, y := range l.simplex.DualRowSolution() {
			res.Dual[l.rows[k]] = y
		}
	}
	res.Reduced = certify.Reduced(p, res.Dual)
	for j, c := range p.Cost {
		res.Value += c * res.Primal[j]
	}
	return res
}
