package adjust

import (
	"context"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/solver"
)

// square improves x in place for Σ w x², keeping its directions: linear programs move every cell by one step or not at
// all, at the cost that the step has at the current x; steps are halved when none pays. With totally unimodular
// relations the final x is optimal for these directions. The bound is that of the multipliers γ of the last program,
// over both directions:
//
//	Σ w x² ≥ Σ_i min { w_i v² − (Mᵀγ)_i v : v allowed for cell i } .
func (p *problem) square(ctx context.Context, opt *Options, res *Result, x []int64) error {
	s, err := lp.Open(opt.LP)
	if err != nil {
		return err
	}
	defer s.Close()
	step := int64(1)
	for i := range x {
		for 2*step <= max(num.Abs(x[i]), 1) {
			step *= 2
		}
	}
	res.Status = solver.Feasible
	res.Bound = p.lagrange(make([]float64, p.t.Rel.Len())) // bounds every cell separately
	for ctx.Err() == nil {
		better, dual, err := p.improve(ctx, s, x, step)
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			return err
		}
		if b := p.lagrange(dual); b != nil && b.Cmp(res.Bound) > 0 {
			res.Bound = b
		}
		if better {
			continue
		}
		if step == 1 {
			break
		}
		step /= 2
	}
	d := p.squares(x)
	if d.Cmp(res.Bound) == 0 {
		res.Status = solver.Optimal
	}
	scale := p.scaled(1, 2)
	res.Distance, res.Bound = d.Mul(d, scale), new(big.Int).Mul(res.Bound, scale)
	return nil
}

// squares returns Σ w x², in units.
func (p *problem) squares(x []int64) *big.Int {
	s := new(big.Int)
	for i, v := range x {
		b := big.NewInt(v)
		b.Mul(b, b)
		s.Add(s, b.Mul(b, big.NewInt(p.w[i])))
	}
	return s
}

// room returns the range of further changes of cell i from x in its direction.
func (p *problem) room(i int, x int64) (lo, up int64) {
	lo, up = p.lo[i], p.up[i]
	if k, ok := p.need[i]; ok {
		if x > 0 {
			lo = k.up
		} else {
			up = -k.down
		}
	}
	return lo, up
}

// improve moves each cell of x by step up, down or not at all, as a linear program finds best; better reports whether x
// changed. dual are the program's multipliers for costs in w x².
func (p *problem) improve(ctx context.Context, s lp.Solver, x []int64, step int64) (better bool, dual []float64, err error) {
	n := len(x)
	m := &lp.Problem{Cost: make([]float64, 2*n), Lo: make([]float64, 2*n), Up: make([]float64, 2*n)}
	for i, v := range x {
		lo, up := p.room(i, v)
		w, f, d := float64(p.w[i]), float64(v), float64(step)
		m.Cost[2*i], m.Cost[2*i+1] = w*(float64(2*f*d)+float64(d*d)), w*(float64(d*d)-float64(2*f*d))
		if v+step <= up {
			m.Up[2*i] = 1
		}
		if v-step >= lo {
			m.Up[2*i+1] = 1
		}
	}
	for j := range p.t.Rel.Len() {
		cell, coef := p.t.Rel.Row(j)
		var row lp.Row
		for e, i := range cell {
			row.Idx, row.Val = append(row.Idx, 2*i, 2*i+1), append(row.Val, float64(coef[e]), -float64(coef[e]))
		}
		m.Rows = append(m.Rows, row)
	}
	if err := s.Load(m); err != nil {
		return false, nil, err
	}
	r, err := s.Solve(ctx)
	if err != nil || r.Status != lp.Optimal {
		return false, nil, err
	}
	y := make([]int64, n)
	for i := range y {
		y[i] = x[i] + step*int64(math.Round(r.Primal[2*i]-r.Primal[2*i+1]))
		if lo, up := p.room(i, x[i]); y[i] < lo || y[i] > up {
			y = x
			break
		}
	}
	for _, v := range r.Dual {
		dual = append(dual, v/float64(step))
	}
	if !p.closed(y) || p.squares(y).Cmp(p.squares(x)) >= 0 {
		return false, dual, nil
	}
	copy(x, y)
	return true, dual, nil
}

// closed reports whether M x = 0.
func (p *problem) closed(x []int64) bool {
	for j := range p.t.Rel.Len() {
		cell, coef := p.t.Rel.Row(j)
		var s int64
		for e, i := range cell {
			s += int64(coef[e]) * x[i]
		}
		if s != 0 {
			return false
		}
	}
	return true
}

// lagrange returns the bound for γ ≈ dual, rounded to halves; the bound is rounded up to a whole number. nil if it
// proves nothing.
func (p *problem) lagrange(dual []float64) *big.Int {
	if dual == nil {
		return nil
	}
	const den = 4
	g := make([]int64, len(p.w)) // den·Mᵀγ
	for j, y := range dual {
		if math.IsNaN(y) || math.Abs(y) > 1<<40 {
			return nil
		}
		γ := int64(math.Round(y * den))
		cell, coef := p.t.Rel.Row(j)
		for e, i := range cell {
			g[i] += γ * int64(coef[e])
		}
	}
	total := new(big.Int) // times den
	for i := range g {
		value := func(v int64) *big.Int { // den·w v² − g v
			a := big.NewInt(v)
			b := new(big.Int).Mul(a, big.NewInt(g[i]))
			a.Mul(a, a)
			a.Mul(a, big.NewInt(den*p.w[i]))
			return a.Sub(a, b)
		}
		// The parabola is least at g/(2·den·w); among whole numbers, next to it and within what is allowed.
		best := (*big.Int)(nil)
		consider := func(lo, up int64) {
			if lo > up {
				return
			}
			at := lo
			switch {
			case p.w[i] > 0:
				at = num.FloorDiv(g[i], 2*den*p.w[i])
			case g[i] > 0:
				at = up
			}
			for _, v := range [2]int64{min(max(at, lo), up), min(max(at+1, lo), up)} {
				if b := value(v); best == nil || b.Cmp(best) < 0 {
					best = b
				}
			}
		}
		if k, ok := p.need[i]; ok {
			consider(k.up, p.up[i])
			consider(p.lo[i], -k.down)
		} else {
			consider(p.lo[i], p.up[i])
		}
		total.Add(total, best)
	}
	total.Add(total, big.NewInt(den-1))
	return total.Div(total, big.NewInt(den)) // rounds up, as Div rounds down for positive divisors
}
