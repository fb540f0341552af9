package oracle

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/lp"
)

// An Ask requires cell K to move by Amount > 0 in direction Sign = ±1.
type Ask struct {
	K      int32
	Sign   int
	Amount float64
}

// Joint finds one movement that satisfies as many asks as possible: a vertex of
//
//	max Σ_t min(Sign_t·z_{K_t}, Amount_t)/Amount_t − ε Σ |z_i|   s.t.  M z = 0,  −dn_i ≤ z_i ≤ up_i ,
//
// which is one program instead of one for each ask. Amounts should be of similar size. It returns the nonzeros of z,
// cells ascending; none if the program takes too long or the back end fails. backend is a back end of package lp, ""
// for the default.
func (s *System) Joint(ctx context.Context, backend string, up, dn []float64, asks []Ask) (cells []int32, z []float64, err error) {
	solver, err := lp.Open(backend)
	if err != nil {
		return nil, nil, err
	}
	defer solver.Close()
	n, largest := s.Rel.N, 0.0
	for _, a := range asks {
		largest = max(largest, a.Amount)
	}
	_, exp := math.Frexp(largest)
	unit := math.Ldexp(1, exp)
	// Columns: increases, decreases, and for each ask the amount satisfied.
	p := &lp.Problem{Cost: make([]float64, 2*n+len(asks)), Lo: make([]float64, 2*n+len(asks)), Up: make([]float64, 2*n+len(asks))}
	for i := range n {
		p.Cost[i], p.Cost[n+i] = jointCharge, jointCharge
		p.Up[i], p.Up[n+i] = up[i]/unit, dn[i]/unit
	}
	of := make(map[int32]int, len(asks))
	for t, a := range asks {
		own, back := int(a.K), n+int(a.K)
		if a.Sign < 0 {
			own, back = back, own
		}
		amount := min(a.Amount/unit, p.Up[own])
		p.Up[2*n+t], p.Cost[2*n+t] = amount, jointCharge-unit/a.Amount
		p.Up[own] -= amount
		p.Cost[back] += unit / a.Amount // increasing and decreasing at the same time must not pay
		of[a.K] = t
	}
	for j := range p.Up {
		if p.Up[j] < jointLeast {
			p.Up[j] = 0
		}
	}
	for _, j := range s.independent() {
		cell, coef := s.Rel.Row(int(j))
		row := lp.Row{Idx: make([]int32, 0, 3*len(cell)), Val: make([]float64, 0, 3*len(cell))}
		for t, i := range cell {
			v := float64(coef[t])
			row.Idx, row.Val = append(row.Idx, i, int32(n)+i), append(row.Val, v, -v)
			if a, ok := of[i]; ok {
				row.Idx, row.Val = append(row.Idx, int32(2*n+a)), append(row.Val, v*float64(asks[a].Sign))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	solver.SetLimits(lp.Limits{Iterations: routeIterations})
	if err := solver.Load(p); err != nil {
		return nil, nil, err
	}
	res, err := solver.Solve(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil || res.Status != lp.Optimal:
		return nil, nil, nil
	}
	for i := range n {
		v := res.Primal[i] - res.Primal[n+i]
		if t, ok := of[int32(i)]; ok {
			v += float64(float64(asks[t].Sign) * res.Primal[2*n+t])
		}
		if math.Abs(v) > 1e-9 {
			cells, z = append(cells, int32(i)), append(z, v*unit)
		}
	}
	return cells, z, nil
}
