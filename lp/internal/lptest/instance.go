package lptest

import (
	"math"
	"math/rand/v2"

	"github.com/hitoku/hitoku/lp"
)

// An instance is a program with what is known about it in advance.
type instance struct {
	p     *lp.Problem
	want  lp.Status // Unknown: nothing is known
	value float64   // the optimum, if want is Optimal and not NaN
}

// A family draws programs of at most n ≥ 1 columns.
type family struct {
	name string
	make func(rng *rand.Rand, n int) instance
	cols int // largest number of columns that it draws
}

var families = []family{
	{"planted optimum", plantOptimal, 40},
	{"planted degenerate optimum", plantDegenerate, 40},
	{"planted Farkas ray", plantFarkas, 30},
	{"planted ray", plantRay, 30},
	{"infeasible with a ray", plantBoth, 20},
	{"exact", randomExact, 6},
	{"exact degenerate", randomTies, 5},
	{"transport", transport, 36},
	{"cone", cone, 12},
	{"cover", func(rng *rand.Rand, n int) instance { return instance{p: cover(rng, n, 2*n), value: math.NaN()} }, 40},
	{"knapsack", knapsack, 40},
	{"two-way table", func(rng *rand.Rand, n int) instance { return tableInstance(rng, n, 2) }, 150},
	{"three-way table", func(rng *rand.Rand, n int) instance { return tableInstance(rng, n, 3) }, 150},
	{"hierarchical table", func(rng *rand.Rand, n int) instance { return tableInstance(rng, n, 0) }, 150},
}

var inf = math.Inf(1)

// smallInt is uniform on −k … k.
func smallInt(rng *rand.Rand, k int) float64 { return float64(rng.IntN(2*k+1) - k) }

// matrix draws m sparse integer rows over n columns; rows and columns without
// entries occur. The bounds of the rows are left at 0.
func matrix(rng *rand.Rand, m, n int) []lp.Row {
	density := 0.1 + float64(0.7*rng.Float64())
	rows := make([]lp.Row, m)
	for i := range rows {
		for _, j := range rng.Perm(n) { // indices come in any order
			if rng.Float64() < density {
				if v := smallInt(rng, 5); v != 0 || rng.IntN(4) == 0 { // an explicit 0 is legal
					rows[i].Idx = append(rows[i].Idx, int32(j))
					rows[i].Val = append(rows[i].Val, v)
				}
			}
		}
	}
	return rows
}

func activity(row *lp.Row, x []float64) float64 {
	a := 0.0
	for k, j := range row.Idx {
		a += float64(row.Val[k] * x[j])
	}
	return a
}

// around draws bounds around v and a dual complementary to them: v is at a bound with probability tight, and its dual
// is then 0 with probability zero.
func around(rng *rand.Rand, v, tight, zero float64) (lo, up, dual float64) {
	gap := func() float64 { return float64(1 + rng.IntN(6)) }
	far := func() float64 {
		if rng.IntN(2) == 0 {
			return inf
		}
		return gap()
	}
	size := gap()
	if rng.Float64() < zero {
		size = 0
	}
	if rng.Float64() >= tight {
		return v - far(), v + far(), 0
	}
	switch rng.IntN(4) {
	case 0: // fixed
		if rng.IntN(2) == 0 {
			size = -size
		}
		return v, v, size
	case 1:
		return v - far(), v, -size
	}
	return v, v + far(), size
}

// plantOptimal draws x, y and d first, then bounds they complement, and last
// c = Aᵀy + d, all integers: x is optimal by construction.
func plantOptimal(rng *rand.Rand, n int) instance {
	return plant(rng, 1+rng.IntN(n), rng.IntN(n+3), 0.6, 0.1)
}

// plantDegenerate does the same with most bounds tight and most duals 0, and
// repeats rows, some of them scaled.
func plantDegenerate(rng *rand.Rand, n int) instance {
	in := plant(rng, 1+rng.IntN(n), rng.IntN(n+3), 0.95, 0.7)
	for i := range in.p.Rows {
		if rng.IntN(3) == 0 {
			row := in.p.Rows[i]
			f := []float64{1, 1, 2, -1, 3}[rng.IntN(5)]
			twin := lp.Row{Lo: row.Lo * f, Up: row.Up * f, Idx: row.Idx}
			if f < 0 {
				twin.Lo, twin.Up = twin.Up, twin.Lo
			}
			for _, v := range row.Val {
				twin.Val = append(twin.Val, v*f)
			}
			in.p.Rows = append(in.p.Rows, twin)
		}
	}
	return in
}

func plant(rng *rand.Rand, n, m int, tight, zero float64) instance {
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n), Rows: matrix(rng, m, n)}
	x := make([]float64, n)
	for j := range x {
		x[j] = smallInt(rng, 5)
		p.Lo[j], p.Up[j], p.Cost[j] = around(rng, x[j], tight, zero)
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		var y float64
		row.Lo, row.Up, y = around(rng, activity(row, x), tight, zero)
		for k, j := range row.Idx {
			p.Cost[j] += float64(y * row.Val[k])
		}
	}
	in := instance{p: p, want: lp.Optimal}
	for j := range x {
		in.value += float64(p.Cost[j] * x[j])
	}
	return in
}

// plantFarkas draws y first, gives every column the finite bounds that
// max (Aᵀy)ᵀx needs, and places the row bounds so that the inequality of
// package lp holds with room of 1 to 5.
func plantFarkas(rng *rand.Rand, n int) instance {
	n = 1 + rng.IntN(n)
	m := 1 + rng.IntN(n+3)
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n), Rows: matrix(rng, m, n)}
	y := make([]float64, m)
	g := make([]float64, n)
	last := rng.IntN(m) // its bound is set last
	for i := range y {
		if rng.IntN(2) == 0 {
			y[i] = smallInt(rng, 3)
		}
		if i == last {
			y[i] = float64(1 - 2*rng.IntN(2))
		}
		for k, j := range p.Rows[i].Idx {
			g[j] += float64(y[i] * p.Rows[i].Val[k])
		}
	}
	need := float64(1 + rng.IntN(5))
	for j := range n {
		p.Cost[j] = smallInt(rng, 5)
		x := smallInt(rng, 5)
		p.Lo[j], p.Up[j], _ = around(rng, x, 0.3, 0)
		if g[j] > 0 && math.IsInf(p.Up[j], 1) {
			p.Up[j] = x + float64(rng.IntN(4))
		}
		if g[j] < 0 && math.IsInf(p.Lo[j], -1) {
			p.Lo[j] = x - float64(rng.IntN(4))
		}
		switch {
		case g[j] > 0:
			need += float64(g[j] * p.Up[j])
		case g[j] < 0:
			need += float64(g[j] * p.Lo[j])
		}
	}
	width := func() float64 { return []float64{0, 1, 7, inf}[rng.IntN(4)] }
	for i := range p.Rows {
		row := &p.Rows[i]
		b := smallInt(rng, 8)
		switch {
		case i == last:
			continue
		case y[i] > 0:
			row.Lo, row.Up = b, b+width()
			need -= float64(y[i] * b)
		case y[i] < 0:
			row.Lo, row.Up = b-width(), b
			need -= float64(y[i] * b)
		default:
			row.Lo, row.Up = b-width(), b+width()
		}
	}
	row := &p.Rows[last]
	if y[last] > 0 {
		row.Lo, row.Up = need, need+width()
	} else {
		row.Lo, row.Up = -need-width(), -need
	}
	return instance{p: p, want: lp.Infeasible}
}

// plantRay draws a feasible point and a direction first, then bounds that are finite only where the direction does not
// run into them, and costs that decrease along it.
func plantRay(rng *rand.Rand, n int) instance {
	n = 1 + rng.IntN(n)
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n), Rows: matrix(rng, rng.IntN(n+3), n)}
	x, d := make([]float64, n), make([]float64, n)
	open := func(v, step float64) (lo, up float64) {
		lo, up, _ = around(rng, v, 0.5, 0)
		if step > 0 {
			up = inf
		}
		if step < 0 {
			lo = math.Inf(-1)
		}
		return lo, up
	}
	moved := rng.IntN(n)
	fall := 0.0
	for j := range n {
		x[j] = smallInt(rng, 5)
		if rng.IntN(2) == 0 {
			d[j] = smallInt(rng, 3)
		}
		if j == moved && d[j] == 0 {
			d[j] = 1
		}
		p.Lo[j], p.Up[j] = open(x[j], d[j])
		p.Cost[j] = smallInt(rng, 5)
		fall += float64(p.Cost[j] * d[j])
	}
	if fall >= 0 { // turn the cost of one moving column until cᵀd < 0
		p.Cost[moved] -= math.Copysign(math.Floor(fall/math.Abs(d[moved]))+1, d[moved])
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		row.Lo, row.Up = open(activity(row, x), activity(row, d))
	}
	return instance{p: p, want: lp.Unbounded}
}

// plantBoth appends to an infeasible program a column along which the cost decreases without bound.
func plantBoth(rng *rand.Rand, n int) instance {
	in := plantFarkas(rng, max(1, n-1))
	in.p.Cost = append(in.p.Cost, -1)
	in.p.Lo = append(in.p.Lo, 0)
	in.p.Up = append(in.p.Up, inf)
	return in
}

// anyBounds draws bounds of every kind, crossed ones with probability 1/40.
func anyBounds(rng *rand.Rand, k int) (lo, up float64) {
	lo, up = smallInt(rng, k), smallInt(rng, k)
	if lo > up && rng.IntN(20) != 0 {
		lo, up = up, lo
	}
	switch rng.IntN(6) {
	case 0:
		return math.Inf(-1), inf
	case 1:
		return lo, lo
	case 2:
		return lo, inf
	case 3:
		return math.Inf(-1), up
	}
	return lo, up
}

// randomExact draws anything at all and has it judged in rational arithmetic.
func randomExact(rng *rand.Rand, n int) instance {
	n = rng.IntN(n + 1)
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n), Rows: matrix(rng, rng.IntN(7), n)}
	for j := range n {
		p.Cost[j] = smallInt(rng, 5)
		p.Lo[j], p.Up[j] = anyBounds(rng, 5)
	}
	for i := range p.Rows {
		p.Rows[i].Lo, p.Rows[i].Up = anyBounds(rng, 9)
	}
	return judged(p)
}

// randomTies draws entries, bounds and costs from {−1, 0, 1}: ties everywhere.
func randomTies(rng *rand.Rand, n int) instance {
	n = 1 + rng.IntN(n)
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n), Rows: make([]lp.Row, 1+rng.IntN(7))}
	for j := range n {
		p.Cost[j] = smallInt(rng, 1)
		p.Lo[j], p.Up[j] = anyBounds(rng, 1)
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		row.Lo, row.Up = anyBounds(rng, 1)
		for j := range n {
			if v := smallInt(rng, 1); v != 0 {
				row.Idx = append(row.Idx, int32(j))
				row.Val = append(row.Val, v)
			}
		}
	}
	return judged(p)
}

func judged(p *lp.Problem) instance {
	e := solveExact(p)
	return instance{p: p, want: e.status, value: e.value}
}
