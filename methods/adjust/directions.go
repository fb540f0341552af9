package adjust

import (
	"context"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/solver"
)

// columns holds the columns of cell i: p = plus[i] and q = minus[i] with x = p − q, −1 for none; for sensitive cells
// also δ = up[i], 1 if the cell goes up.
type columns struct {
	prog        *integer.Program
	plus, minus []int32
	δ           map[int]int32
}

// program returns the problem of minimising Σ w|x|, with
//
//	u δ ≤ p ≤ U δ,   l (1 − δ) ≤ q ≤ L (1 − δ)   for sensitive cells.
func (p *problem) program() *columns {
	n := len(p.w)
	c := &columns{prog: &integer.Program{}, plus: make([]int32, n), minus: make([]int32, n), δ: map[int]int32{}}
	g := c.prog
	column := func(cost, up int64, first int8) int32 {
		g.Cost, g.Lo, g.Up, g.First = append(g.Cost, cost), append(g.Lo, 0), append(g.Up, up), append(g.First, first)
		return int32(len(g.Cost) - 1)
	}
	for i := range n {
		c.plus[i], c.minus[i] = -1, -1
		if p.up[i] > 0 {
			c.plus[i] = column(p.w[i], p.up[i], 0)
		}
		if p.lo[i] < 0 {
			c.minus[i] = column(p.w[i], -p.lo[i], 0)
		}
	}
	for _, i := range p.cells {
		k, d := p.need[i], column(0, 1, 1)
		c.δ[i] = d
		if p.up[i] < k.up {
			g.Up[d] = 0
		}
		if p.lo[i] > -k.down {
			g.Lo[d] = 1
		}
		if x := c.plus[i]; x >= 0 {
			g.Rows = append(g.Rows, integer.Row{Lo: 0, Up: integer.None, Idx: []int32{x, d}, Coef: []int64{1, -k.up}},
				integer.Row{Lo: -integer.None, Up: 0, Idx: []int32{x, d}, Coef: []int64{1, -p.up[i]}})
		}
		if x := c.minus[i]; x >= 0 {
			g.Rows = append(g.Rows, integer.Row{Lo: k.down, Up: integer.None, Idx: []int32{x, d}, Coef: []int64{1, k.down}},
				integer.Row{Lo: -integer.None, Up: -p.lo[i], Idx: []int32{x, d}, Coef: []int64{1, -p.lo[i]}})
		}
	}
	for j := range p.t.Rel.Len() {
		var row integer.Row
		cell, coef := p.t.Rel.Row(j)
		for e, i := range cell {
			if x := c.plus[i]; x >= 0 {
				row.Idx, row.Coef = append(row.Idx, x), append(row.Coef, int64(coef[e]))
			}
			if x := c.minus[i]; x >= 0 {
				row.Idx, row.Coef = append(row.Idx, x), append(row.Coef, -int64(coef[e]))
			}
		}
		if len(row.Idx) > 0 {
			g.Rows = append(g.Rows, row)
		}
	}
	return c
}

// changes returns x at a point of the program.
func (c *columns) changes(z []int64) []int64 {
	x := make([]int64, len(c.plus))
	for i := range x {
		if k := c.plus[i]; k >= 0 {
			x[i] += z[k]
		}
		if k := c.minus[i]; k >= 0 {
			x[i] -= z[k]
		}
	}
	return x
}

// directions finds the best changes for L1, starting from directions chosen one by one so that their effects on sums
// cancel.
func (p *problem) directions(ctx context.Context, opt *Options) (*Result, []int64, error) {
	c := p.program()
	o := &integer.Options{LP: opt.LP, Nodes: opt.Nodes, Progress: opt.Progress}
	if opt.Norm == L2 { // the rest is for squares
		o.TimeLimit = opt.TimeLimit / 2
	}
	fixed := *c.prog
	fixed.Lo, fixed.Up = append([]int64(nil), c.prog.Lo...), append([]int64(nil), c.prog.Up...)
	for i, up := range p.balance() {
		d := c.δ[i]
		if v := min(max(up, c.prog.Lo[d]), c.prog.Up[d]); true {
			fixed.Lo[d], fixed.Up[d] = v, v
		}
	}
	first, err := integer.Solve(ctx, &fixed, &integer.Options{LP: opt.LP, Nodes: 1000})
	if err != nil {
		return nil, nil, err
	}
	o.Start = first.Z
	found, err := integer.Solve(ctx, c.prog, o)
	if err != nil {
		return nil, nil, err
	}
	r := &Result{Status: solver.Status(found.Status), Nodes: found.Nodes, Bound: p.scaled(max(0, found.Bound), 1)}
	if found.Z == nil {
		return r, nil, nil
	}
	r.Distance = p.scaled(found.Value, 1)
	return r, c.changes(found.Z), nil
}

// balance chooses for each sensitive cell the direction, 1 up or 0 down, that leaves its relations least unbalanced.
func (p *problem) balance() map[int]int64 {
	cols := p.t.Rel.Columns()
	sum := make([]int64, p.t.Rel.Len())
	chosen := map[int]int64{}
	for _, i := range p.cells {
		k := p.need[i]
		cost := func(by int64) *big.Int {
			s := new(big.Int)
			rel, coef := cols.Column(i)
			for e, j := range rel {
				s.Add(s, big.NewInt(num.Abs(sum[j]+by*int64(coef[e]))-num.Abs(sum[j])))
			}
			return s
		}
		up := int64(0)
		if p.lo[i] > -k.down || p.up[i] >= k.up && cost(k.up).Cmp(cost(-k.down)) <= 0 {
			up = 1
		}
		chosen[i] = up
		by := k.up
		if up == 0 {
			by = -k.down
		}
		rel, coef := cols.Column(i)
		for e, j := range rel {
			sum[j] += by * int64(coef[e])
		}
	}
	return chosen
}
