package rounding

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A guard requires of roundings that a reader cannot determine sensitive cells more closely than their levels allow.
// With the reach B and the rounding z, the reader of cell k solves
//
//	max ±t_k   s.t.  M t = r,  max(lb_i, y_i − B) ≤ t_i ≤ min(ub_i, y_i + B),   y = off + b z.
//
// Every γ, with g = e_k − Mᵀγ, proves t_k ≤ γ·r + Σ g_i⁺·(y_i + B or ub_i) − Σ g_i⁻·(y_i − B or lb_i), which is linear
// in z: requiring that it is at least a_k + UPL_k is a cut that every protected rounding satisfies (Salazar,
// Mathematical Programming 105, 2006).
type guard struct {
	t     *table.Table
	cells []int
	lp    string
	reach int64
	model lp.Solver
}

func newGuard(t *table.Table, opt *Options, l *lattice) *guard {
	g := &guard{t: t, lp: opt.LP, reach: l.reach}
	if opt.Protect {
		for i, s := range t.Status {
			if s == table.Sensitive {
				g.cells = append(g.cells, i)
			}
		}
	}
	return g
}

// asked reports whether there is anything to protect.
func (g *guard) asked() bool { return len(g.cells) > 0 }

// open returns the sensitive cells that y does not protect.
func (g *guard) open(ctx context.Context, y []int64) ([]int, error) {
	if !g.asked() {
		return nil, nil
	}
	rep, err := Learned(ctx, g.t, Within(y, g.reach), g.cells, &interval.Options{LP: g.lp})
	if err != nil {
		return nil, err
	}
	var open []int
	for c := range rep.Cells {
		if !rep.Cells[c].Protected {
			open = append(open, rep.Cells[c].Index)
		}
	}
	return open, nil
}

// close releases the back end.
func (g *guard) close() {
	if g.model != nil {
		g.model.Close()
	}
}

// cuts returns rows that z violates and every protected rounding satisfies; ok reports whether z protects.
func (g *guard) cuts(ctx context.Context, l *lattice, z []int64, first []int) (rows []integer.Row, ok bool, err error) {
	open, err := g.open(ctx, l.table(z))
	if err != nil || len(open) == 0 {
		return nil, err == nil, err
	}
	for _, k := range open {
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		up, err := g.dual(ctx, l, z, k, 1)
		if err != nil {
			return nil, false, err
		}
		down, err := g.dual(ctx, l, z, k, -1)
		if err != nil {
			return nil, false, err
		}
		a := g.t.Value[k]
		for _, want := range []struct {
			duals [][]float64
			sign  []int64
			least int64
		}{
			{[][]float64{up}, []int64{1}, a + g.t.UPL[k]},
			{[][]float64{down}, []int64{-1}, g.t.LPL[k] - a},
			{[][]float64{up, down}, []int64{1, -1}, g.t.Width[k]},
		} {
			if r, found := g.cut(l, z, first, k, want.duals, want.sign, want.least); found {
				rows = append(rows, r)
			}
		}
	}
	return rows, false, nil
}

// cut makes a row from the duals together, with the smallest denominator for which z violates it.
func (g *guard) cut(l *lattice, z []int64, first []int, k int, duals [][]float64, sign []int64, least int64) (integer.Row, bool) {
	for _, den := range []int64{1, 2, 3, 4, 6, 12, 60, 1024} {
		coef := make([]int64, len(z)) // coefficients of z, times den
		right := den * least
		good := true
		for n, y := range duals {
			c, constant, ok := g.side(l, z, k, sign[n], y, den)
			if !ok {
				good = false
				break
			}
			right -= constant
			for i, v := range c {
				coef[i] += v
			}
		}
		if !good {
			continue
		}
		row := integer.Row{Lo: right, Up: integer.None}
		var at int64
		for i, c := range coef {
			if c == 0 {
				continue
			}
			at += c * z[i]
			row.Lo -= c * l.lo[i]
			for x := first[i]; x < first[i+1]; x++ {
				row.Idx, row.Coef = append(row.Idx, int32(x)), append(row.Coef, c)
			}
		}
		if at < right {
			return row, true
		}
	}
	return integer.Row{}, false
}

// side returns den times the bound on sign·t_k from γ ≈ y, as Σ coef·z + constant.
func (g *guard) side(l *lattice, z []int64, k int, sign int64, y []float64, den int64) (coef []int64, constant int64, ok bool) {
	if y == nil {
		return nil, 0, false
	}
	d := make([]int64, len(z)) // den·g
	d[k] = sign * den
	for j, v := range y {
		γ := int64(math.Round(v * float64(den)))
		if γ == 0 {
			continue
		}
		if num.Abs(γ) > 1<<20 {
			return nil, 0, false
		}
		cell, c := l.rel.Row(j)
		for e, i := range cell {
			d[i] -= γ * int64(c[e])
		}
		constant += γ * l.rel.RHS[j]
	}
	coef = d
	for i, v := range d {
		if v == 0 {
			continue
		}
		y := l.off[i] + l.b*z[i]
		far, fixed := y+g.reach, g.t.Upper[i]
		if v < 0 {
			far, fixed = y-g.reach, g.t.Lower[i]
		}
		if v > 0 && fixed < far || v < 0 && fixed > far {
			constant += v * fixed
			coef[i] = 0
			continue
		}
		constant += v * (far - l.b*z[i])
		coef[i] = v * l.b
	}
	return coef, constant, true
}

// dual solves the reader's problem for sign·t_k and returns the multipliers of the relations, nil if there are none.
func (g *guard) dual(ctx context.Context, l *lattice, z []int64, k int, sign float64) ([]float64, error) {
	n := len(z)
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	for i, v := range l.table(z) {
		p.Lo[i], p.Up[i] = float64(max(g.t.Lower[i], v-g.reach)), float64(min(g.t.Upper[i], v+g.reach))
	}
	p.Cost[k] = -sign
	for j := range l.rel.Len() {
		cell, coef := l.rel.Row(j)
		row := lp.Row{Lo: float64(l.rel.RHS[j]), Up: float64(l.rel.RHS[j]), Idx: cell, Val: make([]float64, len(coef))}
		for e, c := range coef {
			row.Val[e] = float64(c)
		}
		p.Rows = append(p.Rows, row)
	}
	if g.model == nil {
		var err error
		if g.model, err = lp.Open(g.lp); err != nil {
			return nil, err
		}
	}
	if err := g.model.Load(p); err != nil {
		return nil, err
	}
	r, err := g.model.Solve(ctx)
	if err != nil || r.Status != lp.Optimal || r.Dual == nil {
		return nil, err
	}
	return sets.Each(r.Dual, func(v float64) float64 { return -v }), nil
}
