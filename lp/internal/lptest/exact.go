package lptest

import (
	"context"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
)

// An exact is an answer that package rational has proved: status is Optimal, Infeasible or Unbounded and never in
// doubt. The vectors are rounded to float64; they are nil if the status does not define them.
type exact struct {
	status lp.Status
	value  float64
	x, y   []float64 // an optimum and its duals
	farkas []float64 // nil if the program has crossed bounds
	ray    []float64
}

// solveExact solves p in rational arithmetic, taking its numbers as the simplest fractions that round to them: 0.04 is
// 1/25. It judges small random programs. The columns of its equations E·A x = E·r, E·cᵀx = E·z are those of p, the
// activities r of its rows, and z, all in units of 1/S; E and S make all numbers integral.
func solveExact(p *lp.Problem) exact {
	if certify.Crossed(p) {
		return exact{status: lp.Infeasible}
	}
	n, m := p.NumCols(), len(p.Rows)
	lo, up := append([]float64(nil), p.Lo...), append([]float64(nil), p.Up...)
	rows := append([]lp.Row(nil), p.Rows...)
	entries := append([]float64(nil), p.Cost...)
	for _, r := range rows {
		lo, up, entries = append(lo, r.Lo), append(up, r.Up), append(entries, r.Val...)
	}
	E, S := denominator(entries), denominator(append(append([]float64(nil), lo...), up...))
	lo, up = append(lo, math.Inf(-1)), append(up, math.Inf(1))
	var low, high []int64
	for k := range lo {
		low, high = append(low, times(S, lo[k])), append(high, times(S, up[k]))
	}
	ptr, col, coef := []int32{0}, []int32(nil), []int32(nil)
	var rhs []*big.Int
	for i, r := range append(rows, lp.Row{Idx: sets.Upto(int32(n)), Val: p.Cost}) {
		for k, j := range r.Idx {
			col, coef = append(col, j), append(coef, int32(times(E, r.Val[k])))
		}
		col, coef = append(col, int32(n+i)), append(coef, int32(-E.Int64()))
		ptr, rhs = append(ptr, int32(len(col))), append(rhs, new(big.Int))
	}
	a, err := rational.New(n+m+1, ptr, col, coef, rhs, low, high).Maximise(context.Background(), n+m, -1, 0)
	if err != nil {
		panic(err) // nothing can stop it
	}
	unit := new(big.Rat).SetFrac(big.NewInt(1), S)
	switch a.Status {
	case rational.Infeasible:
		return exact{status: lp.Infeasible, farkas: floats(a.Y, big.NewRat(-1, 1), m)}
	case rational.Unbounded:
		return exact{status: lp.Unbounded, ray: floats(a.Ray, unit, n)}
	}
	x := floats(a.X, unit, n+m+1)
	return exact{status: lp.Optimal, value: x[n+m], x: x[:n], y: floats(a.Y, new(big.Rat).SetInt(new(big.Int).Neg(E)), m)}
}

// fraction returns the fraction with the smallest denominator that rounds to v.
func fraction(v float64) *big.Rat {
	for q := 1.0; ; q++ {
		if p := math.Round(v * q); p/q == v {
			return big.NewRat(int64(p), int64(q))
		}
	}
}

// denominator returns the least common denominator of the finite numbers in a list.
func denominator(list []float64) *big.Int {
	d := big.NewInt(1)
	for _, v := range list {
		if !math.IsInf(v, 0) {
			q := fraction(v).Denom()
			d.Mul(d, new(big.Int).Div(q, new(big.Int).GCD(nil, nil, d, q)))
		}
	}
	return d
}

// times returns d·v, an integer, or a missing bound.
func times(d *big.Int, v float64) int64 {
	if math.IsInf(v, 0) {
		return map[bool]int64{true: rational.Inf, false: -rational.Inf}[v > 0]
	}
	x := fraction(v)
	return x.Mul(x, new(big.Rat).SetInt(d)).Num().Int64()
}

// floats returns the first n entries of v times factor, rounded.
func floats(v *rational.Vector, factor *big.Rat, n int) []float64 {
	out := make([]float64, n)
	for k, num := range v.Num[:n] {
		if num != nil {
			x := new(big.Rat).SetFrac(num, v.Den)
			out[k], _ = x.Mul(x, factor).Float64()
		}
	}
	return out
}
