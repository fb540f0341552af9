package rounding

import (
	"context"

	"github.com/hitoku/hitoku/internal/exact/integer"
	"github.com/hitoku/hitoku/solver"
)

// search finds the best point of a lattice by branch and cut, from start if that is not nil.
//
// A cell with a piecewise linear cost has a column for each piece, with equal entries: as costs are convex, cheaper
// pieces fill first in every optimum, so that z = lo + Σ pieces.
func (l *lattice) search(ctx context.Context, opt *Options, guard *guard, start []int64) (*Result, error) {
	p, first, constant := l.program()
	o := &integer.Options{LP: opt.LP, Nodes: opt.Nodes, Progress: opt.Progress}
	if opt.Progress != nil {
		o.Progress = func(g integer.Progress) {
			g.Lower += constant
			if g.Upper != integer.None {
				g.Upper += constant
			}
			opt.Progress(g)
		}
	}
	point := func(x []int64) []int64 {
		z := make([]int64, len(l.a))
		for i := range z {
			z[i] = l.lo[i]
			for k := first[i]; k < first[i+1]; k++ {
				z[i] += x[k]
			}
		}
		return z
	}
	if guard.asked() {
		o.Check = func(ctx context.Context, x []int64) ([]integer.Row, bool, error) {
			return guard.cuts(ctx, l, point(x), first)
		}
	}
	if start != nil {
		open, err := guard.open(ctx, l.table(start))
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if err == nil && len(open) == 0 {
			o.Start = l.spread(start, p, first)
		}
	}
	found, err := integer.Solve(ctx, p, o)
	if err != nil {
		return nil, err
	}
	r := &Result{Status: solver.Status(found.Status), Engine: Search, Nodes: found.Nodes, Cuts: found.Cuts, Bound: max(l.least(), found.Bound+constant)}
	if found.Z == nil {
		return r, nil
	}
	return l.result(r, point(found.Z)), nil
}

// spread distributes z over the pieces, cheaper ones first.
func (l *lattice) spread(z []int64, p *integer.Program, first []int) []int64 {
	x := make([]int64, len(p.Cost))
	for i := range z {
		left := z[i] - l.lo[i]
		for k := first[i]; k < first[i+1]; k++ {
			x[k] = min(left, p.Up[k])
			left -= x[k]
		}
	}
	return x
}

// program returns the lattice as an integer program whose value is the distance minus constant; columns first[i] to
// first[i+1] − 1 are the pieces of cell i.
func (l *lattice) program() (p *integer.Program, first []int, constant int64) {
	p = &integer.Program{}
	first = make([]int, len(l.a)+1)
	for i := range l.a {
		constant += l.cost(i, l.lo[i])
		for _, s := range l.pieces(i) {
			p.Cost = append(p.Cost, s.slope)
			p.Lo, p.Up = append(p.Lo, 0), append(p.Up, s.width)
		}
		first[i+1] = len(p.Cost)
	}
	for j, d := range l.d {
		cell, coef := l.rel.Row(j)
		var row integer.Row
		for e, i := range cell {
			d -= int64(coef[e]) * l.lo[i]
			for k := first[i]; k < first[i+1]; k++ {
				row.Idx, row.Coef = append(row.Idx, int32(k)), append(row.Coef, int64(coef[e]))
			}
		}
		row.Lo, row.Up = d, d
		p.Rows = append(p.Rows, row)
	}
	return p, first, constant
}
