package certify

import (
	"math"

	"github.com/hitoku/hitoku/lp"
)

// Crossed reports whether a column or a row of p has lo > up. Programs with a
// crossed row may have no Farkas ray in the form of package lp, which gives
// each row one multiplier only.
func Crossed(p *lp.Problem) bool {
	for j := range p.Lo {
		if p.Lo[j] > p.Up[j] {
			return true
		}
	}
	for i := range p.Rows {
		if p.Rows[i].Lo > p.Rows[i].Up {
			return true
		}
	}
	return false
}

// Phase1 returns the elastic program of p, which must have no crossed bounds:
//
//	minimise    Σ u_i + Σ v_i
//	subject to  rlo_i ≤ (Ax)_i + u_i − v_i ≤ rup_i,  lo ≤ x ≤ up,  u, v ≥ 0
//
// with u_i only where rlo_i and v_i only where rup_i is finite. It is feasible
// and bounded; p is feasible iff the optimum is 0; otherwise the duals of the
// optimum are a Farkas ray of p. The first n columns are those of p.
func Phase1(p *lp.Problem) *lp.Problem {
	n := p.NumCols()
	q := &lp.Problem{
		Cost: make([]float64, n, n+2*len(p.Rows)),
		Lo:   append([]float64(nil), p.Lo...),
		Up:   append([]float64(nil), p.Up...),
		Rows: make([]lp.Row, len(p.Rows)),
	}
	for i, row := range p.Rows {
		idx := append([]int32(nil), row.Idx...)
		val := append([]float64(nil), row.Val...)
		add := func(coef float64) {
			idx = append(idx, int32(len(q.Cost)))
			val = append(val, coef)
			q.Cost = append(q.Cost, 1)
			q.Lo = append(q.Lo, 0)
			q.Up = append(q.Up, math.Inf(1))
		}
		if !math.IsInf(row.Lo, -1) {
			add(1)
		}
		if !math.IsInf(row.Up, 1) {
			add(-1)
		}
		q.Rows[i] = lp.Row{Lo: row.Lo, Up: row.Up, Idx: idx, Val: val}
	}
	return q
}

// RayProgram returns the program that looks for a ray of p,
//
//	minimise    cᵀd
//	subject to  (Ad)_i ≥ 0 where rlo_i, ≤ 0 where rup_i is finite,
//	            d_j ∈ [−1, 1], ≥ 0 where lo_j, ≤ 0 where up_j is finite.
//
// It is feasible and bounded, and its optimum is negative iff p has a ray; the
// optimal d is then one.
func RayProgram(p *lp.Problem) *lp.Problem {
	q := &lp.Problem{
		Cost: p.Cost,
		Lo:   make([]float64, p.NumCols()),
		Up:   make([]float64, p.NumCols()),
		Rows: make([]lp.Row, len(p.Rows)),
	}
	for j := range q.Lo {
		if math.IsInf(p.Lo[j], -1) {
			q.Lo[j] = -1
		}
		if math.IsInf(p.Up[j], 1) {
			q.Up[j] = 1
		}
	}
	for i, row := range p.Rows {
		q.Rows[i] = lp.Row{Lo: math.Inf(-1), Up: math.Inf(1), Idx: row.Idx, Val: row.Val}
		if !math.IsInf(row.Lo, -1) {
			q.Rows[i].Lo = 0
		}
		if !math.IsInf(row.Up, 1) {
			q.Rows[i].Up = 0
		}
	}
	return q
}
