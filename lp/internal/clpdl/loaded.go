//go:build clpdl && (linux || darwin)

package clpdl

import (
	"math"
	"slices"
	"unsafe"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
	"github.com/hitoku/hitoku/lp/internal/coin"
	"github.com/hitoku/hitoku/lp/internal/model"
)

// secondaryCutoff is Clp's secondary status after a dual method that reached its objective limit.
const secondaryCutoff = 1

// Clp's states of a column or row.
const (
	clpFree = iota
	clpBasic
	clpUpper
	clpLower
	clpSuper // nonbasic, off its bounds
	clpFixed
)

// A loaded program is Clp's copy of a program, and what has changed since.
type loaded struct {
	c          *library
	m          handle
	cols, rows int
	solved     bool // holds the basis of a solve
	bounds     bool // changed since the last solve: column bounds,
	rowBounds  bool // row bounds,
	cost       bool // costs,
	grown      bool // rows
	lo, up     []float64
}

// drop frees Clp's copy.
func (l *loaded) drop() {
	if l.m != nil {
		l.c.deleteModel(l.m)
	}
	*l = loaded{c: l.c, lo: l.lo, up: l.up}
}

// first returns the address of the first element of v; of some variable if v is empty.
func first[T any](v []T) *T {
	if len(v) == 0 {
		return new(T)
	}
	return &v[0]
}

// unfit proves p infeasible if a row without entries excludes 0, which Clp treats as an error if no row has entries.
func unfit(p *lp.Problem) *lp.Result {
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.Lo <= 0 && row.Up >= 0 || slices.ContainsFunc(row.Val, func(v float64) bool { return v != 0 }) {
			continue
		}
		y := make([]float64, len(p.Rows))
		y[i] = 1
		if row.Up < 0 {
			y[i] = -1
		}
		return &lp.Result{Status: lp.Infeasible, Farkas: y, Raw: "an empty row does not fit"}
	}
	return nil
}

// load passes p to Clp, by columns and without entries that are 0.
func (l *loaded) load(p *lp.Problem) {
	l.drop()
	n, m := p.NumCols(), len(p.Rows)
	start := make([]int32, n+1)
	for i := range p.Rows {
		for e, j := range p.Rows[i].Idx {
			if p.Rows[i].Val[e] != 0 {
				start[j+1]++
			}
		}
	}
	for j := range n {
		start[j+1] += start[j]
	}
	index, value := make([]int32, start[n]), make([]float64, start[n])
	at := append([]int32(nil), start[:n]...)
	for i := range p.Rows {
		for e, j := range p.Rows[i].Idx {
			if v := p.Rows[i].Val[e]; v != 0 {
				index[at[j]], value[at[j]] = int32(i), v
				at[j]++
			}
		}
	}
	lo, up := make([]float64, n), make([]float64, n)
	for j := range n {
		lo[j], up[j] = finite(p.Lo[j], p.Up[j])
	}
	rlo, rup := make([]float64, m), make([]float64, m)
	for i := range p.Rows {
		rlo[i], rup[i] = finite(p.Rows[i].Lo, p.Rows[i].Up)
	}
	l.m = l.c.newModel()
	l.c.logLevel(l.m, 0)
	l.c.loadProblem(l.m, int32(n), int32(m), first(start), first(index), first(value),
		first(lo), first(up), first(p.Cost), first(rlo), first(rup))
	l.cols, l.rows = n, m
}

// finite converts ±∞ to Clp's representation.
func finite(lo, up float64) (float64, float64) {
	return max(lo, -math.MaxFloat64), min(up, math.MaxFloat64)
}

// append adds the rows of p from number first on.
func (l *loaded) append(p *lp.Problem, from int) {
	if l.m == nil || from == len(p.Rows) {
		return
	}
	k := len(p.Rows) - from
	rlo, rup, start := make([]float64, k), make([]float64, k), make([]int32, k+1)
	var index []int32
	var value []float64
	for i := range k {
		row := &p.Rows[from+i]
		rlo[i], rup[i] = finite(row.Lo, row.Up)
		for e, j := range row.Idx {
			if row.Val[e] != 0 {
				index, value = append(index, j), append(value, row.Val[e])
			}
		}
		start[i+1] = int32(len(index))
	}
	l.c.addRows(l.m, int32(k), first(rlo), first(rup), first(start), first(index), first(value))
	l.rows += k
	l.grown = true
}

// remove deletes the rows i with drop[i].
func (l *loaded) remove(drop []bool) {
	if l.m == nil {
		return
	}
	var which []int32
	for i, d := range drop {
		if d {
			which = append(which, int32(i))
		}
	}
	if len(which) == 0 {
		return
	}
	l.c.deleteRows(l.m, int32(len(which)), &which[0])
	l.rows -= len(which)
	l.grown = true
}

// refresh passes on what has changed in p since the last solve.
func (l *loaded) refresh(p *lp.Problem) {
	if l.bounds {
		l.lo, l.up = l.lo[:0], l.up[:0]
		for j := range p.Lo {
			lo, up := finite(p.Lo[j], p.Up[j])
			l.lo, l.up = append(l.lo, lo), append(l.up, up)
		}
		l.c.chgColumnLower(l.m, first(l.lo))
		l.c.chgColumnUpper(l.m, first(l.up))
	}
	if l.rowBounds {
		l.lo, l.up = l.lo[:0], l.up[:0]
		for i := range p.Rows {
			lo, up := finite(p.Rows[i].Lo, p.Rows[i].Up)
			l.lo, l.up = append(l.lo, lo), append(l.up, up)
		}
		l.c.chgRowLower(l.m, first(l.lo))
		l.c.chgRowUpper(l.m, first(l.up))
	}
	if l.cost {
		l.c.chgObjective(l.m, first(p.Cost))
	}
	l.bounds, l.rowBounds, l.cost, l.grown = false, false, false, false
}

// solve runs one method and returns Clp's code. The number of iterations is added to *count.
func (l *loaded) solve(p *lp.Problem, r *model.Run, m coin.Method, slice int, cutoff float64, count *int) (int, error) {
	if !m.Warm || l.m == nil {
		l.load(p)
	}
	l.refresh(p)
	l.c.primalTolerance(l.m, m.PrimalTolerance)
	l.c.objectiveLimit(l.m, cutoff)
	mode := int32(3) // automatic, Clp's default
	if m.Unscaled {
		mode = 0
	}
	l.c.scaling(l.m, mode)
	l.solved = true
	code := coin.Stopped
	err := r.Slices(coin.Slices, slice, func(n int) bool {
		l.c.maxIterations(l.m, int32(n))
		if m.Dual {
			code = int(l.c.dual(l.m, 0))
		} else {
			code = int(l.c.primal(l.m, 0))
		}
		*count += int(l.c.iterations(l.m))
		return code != coin.Stopped
	})
	return code, err
}

// optimum reads the last solution. Clp's duals of a minimisation have the signs
// of package lp.
func (l *loaded) optimum(p *lp.Problem) *lp.Result {
	res := &lp.Result{
		Status: lp.Optimal,
		Primal: append([]float64{}, unsafe.Slice(l.c.columns(l.m), l.cols)...),
		Dual:   l.duals(),
		Raw:    "optimal",
	}
	res.Reduced = certify.Reduced(p, res.Dual)
	for j, c := range p.Cost {
		res.Primal[j] = min(max(res.Primal[j], p.Lo[j]), p.Up[j])
		res.Value += c * res.Primal[j]
	}
	return res
}

func (l *loaded) duals() []float64 {
	return append([]float64{}, unsafe.Slice(l.c.rowDuals(l.m), l.rows)...)
}

// ray copies and frees a ray of Clp, which exists only after some ways of reaching a verdict.
func (l *loaded) ray(of func(handle) *float64, n int) []float64 {
	r := of(l.m)
	if r == nil {
		return nil
	}
	v := append([]float64{}, unsafe.Slice(r, n)...)
	l.c.freeRay(l.m, r)
	return v
}

// basis reads the states of the last solve.
func (l *loaded) basis(b *lp.Basis) {
	s := unsafe.Slice(l.c.statuses(l.m), l.cols+l.rows)
	b.Col, b.Row = b.Col[:0], b.Row[:0]
	for _, v := range s[:l.cols] {
		b.Col = append(b.Col, state(v&7))
	}
	for _, v := range s[l.cols:] {
		b.Row = append(b.Row, state(v&7))
	}
}

func state(v byte) lp.BasisStatus {
	switch v {
	case clpBasic:
		return lp.Basic
	case clpLower, clpFixed:
		return lp.AtLower
	case clpUpper:
		return lp.AtUpper
	}
	return lp.Free
}

// setBasis sets the basis from which the next warm solve starts. A nonbasic column or row is put at a finite bound.
func (l *loaded) setBasis(p *lp.Problem, b *lp.Basis) {
	s := make([]byte, l.cols+l.rows)
	put := func(k int, v lp.BasisStatus, lo, up float64) {
		switch {
		case v == lp.Basic:
			s[k] = clpBasic
		case v != lp.AtUpper && !math.IsInf(lo, -1) || math.IsInf(up, 1) && !math.IsInf(lo, -1):
			s[k] = clpLower
		case !math.IsInf(up, 1):
			s[k] = clpUpper
		default:
			s[k] = clpFree
		}
	}
	for j := range l.cols {
		v := lp.AtLower
		if j < len(b.Col) {
			v = b.Col[j]
		}
		put(j, v, p.Lo[j], p.Up[j])
	}
	for i := range l.rows {
		v := lp.Basic
		if i < len(b.Row) {
			v = b.Row[i]
		}
		put(l.cols+i, v, p.Rows[i].Lo, p.Rows[i].Up)
	}
	l.c.copyStatuses(l.m, &s[0])
	l.solved = true
}
