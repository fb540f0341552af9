package lptest

import (
	"math"
	"math/rand/v2"

	"github.com/hitoku/hitoku/lp"
)

// transport is the assignment problem on a k×k grid, k² ≤ n, with few distinct
// costs: every vertex is degenerate and one equation is implied by the others.
func transport(rng *rand.Rand, n int) instance {
	k := 1 + rng.IntN(int(math.Sqrt(float64(n))))
	p := &lp.Problem{Rows: make([]lp.Row, 2*k)}
	for i := range p.Rows {
		p.Rows[i].Lo, p.Rows[i].Up = 1, 1
	}
	for a := range k {
		for b := range k {
			j := int32(len(p.Cost))
			p.Cost = append(p.Cost, float64(rng.IntN(4)))
			p.Lo, p.Up = append(p.Lo, 0), append(p.Up, inf)
			for _, i := range []int{a, k + b} {
				p.Rows[i].Idx = append(p.Rows[i].Idx, j)
				p.Rows[i].Val = append(p.Rows[i].Val, 1)
			}
		}
	}
	return instance{p: p, want: lp.Optimal, value: math.NaN()}
}

// cone minimises over { Ax ≥ 0 }: optimal at 0 or unbounded, every row active
// at the only vertex.
func cone(rng *rand.Rand, n int) instance {
	n = 1 + rng.IntN(n)
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n), Rows: matrix(rng, n+rng.IntN(n+1), n)}
	for i := range p.Rows {
		p.Rows[i].Up = inf
	}
	y := make([]float64, len(p.Rows))
	for i := range y {
		y[i] = float64(rng.IntN(3))
	}
	for j := range n {
		p.Up[j] = inf
		if rng.IntN(3) == 0 {
			p.Lo[j] = math.Inf(-1)
		}
	}
	if rng.IntN(2) == 0 { // c in the dual cone: optimal
		for i := range p.Rows {
			for k, j := range p.Rows[i].Idx {
				p.Cost[j] += float64(y[i] * p.Rows[i].Val[k])
			}
		}
		return instance{p: p, want: lp.Optimal}
	}
	for j := range n {
		p.Cost[j] = smallInt(rng, 4)
	}
	return instance{p: p, value: math.NaN()}
}

// cover is the relaxation of a set cover with n sets and m elements, as the
// master of a cutting-plane method meets it.
func cover(rng *rand.Rand, n, m int) *lp.Problem {
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	for j := range n {
		p.Cost[j] = float64(1 + rng.IntN(9))
		p.Up[j] = 1
	}
	for range m {
		p.Rows = append(p.Rows, coverRow(rng, n))
	}
	return p
}

// coverRow is Σ x_j ≥ 1 over a random set.
func coverRow(rng *rand.Rand, n int) lp.Row {
	row := lp.Row{Lo: 1, Up: inf}
	size := min(n, 1+rng.IntN(6))
	for _, j := range rng.Perm(n)[:size] {
		row.Idx = append(row.Idx, int32(j))
		row.Val = append(row.Val, 1)
	}
	return row
}

// capacityRow is Σ c_j x_j ≥ level with c_j from 1 to 10⁶ spread evenly over
// the orders of magnitude, and a level that x = 1 meets.
func capacityRow(rng *rand.Rand, n int) lp.Row {
	row := lp.Row{Up: inf}
	size := min(n, 2+rng.IntN(8))
	sum := 0.0
	for _, j := range rng.Perm(n)[:size] {
		c := math.Floor(math.Pow(10, 6*rng.Float64()))
		row.Idx = append(row.Idx, int32(j))
		row.Val = append(row.Val, c)
		sum += c
	}
	row.Lo = math.Floor(sum * (0.1 + float64(0.8*rng.Float64())))
	return row
}

func knapsack(rng *rand.Rand, n int) instance {
	n = 1 + rng.IntN(n)
	p := cover(rng, n, rng.IntN(4))
	for range 1 + rng.IntN(n) {
		p.Rows = append(p.Rows, capacityRow(rng, n))
	}
	return instance{p: p, want: lp.Optimal, value: math.NaN()}
}

// A named instance is a corner of the interface or a program known to trouble
// simplex codes.
type named struct {
	name string
	instance
}

func namedInstances() []named {
	row := func(lo, up float64, val ...float64) lp.Row {
		r := lp.Row{Lo: lo, Up: up}
		for j, v := range val {
			if v != 0 {
				r.Idx = append(r.Idx, int32(j))
				r.Val = append(r.Val, v)
			}
		}
		return r
	}
	vec := func(v ...float64) []float64 { return v }
	minf := math.Inf(-1)
	list := []struct {
		name       string
		c, lo, up  []float64
		rows       []lp.Row
		infeasible bool
	}{
		{name: "nothing at all"},
		{name: "no columns, rows that allow 0", rows: []lp.Row{row(0, 0), row(minf, 1), row(-1, inf), row(minf, inf)}},
		{name: "no columns, a row that forbids 0", rows: []lp.Row{row(0, 0), row(1, 2)}, infeasible: true},
		{name: "no rows", c: vec(1, -1, 0, 0), lo: vec(-2, -3, minf, 5), up: vec(inf, 4, inf, 5)},
		{name: "no rows, unbounded", c: vec(1, -1), lo: vec(0, 0), up: vec(1, inf)},
		{name: "no rows, free column with cost", c: vec(1), lo: vec(minf), up: vec(inf)},
		{name: "all columns fixed", c: vec(1, 2), lo: vec(3, 4), up: vec(3, 4), rows: []lp.Row{row(7, 7, 1, 1), row(minf, 0, 1, -1)}},
		{name: "all columns fixed, infeasible", c: vec(1, 2), lo: vec(3, 4), up: vec(3, 4), rows: []lp.Row{row(8, 9, 1, 1)}, infeasible: true},
		{name: "empty row at 0", c: vec(1), lo: vec(0), up: vec(1), rows: []lp.Row{row(0, 0), row(0, 2), row(-2, 0), row(1, 1, 1)}},
		{name: "empty row above 0", c: vec(1), lo: vec(0), up: vec(1), rows: []lp.Row{row(0, 0, 1), row(1, inf)}, infeasible: true},
		{name: "empty row below 0", c: vec(1), lo: vec(0), up: vec(1), rows: []lp.Row{row(0, 0, 1), row(minf, -1)}, infeasible: true},
		{name: "row of explicit zeros", c: vec(1, 1), lo: vec(0, 0), up: vec(1, 1), rows: []lp.Row{{Lo: -1, Up: 1, Idx: []int32{1, 0}, Val: vec(0, 0)}, row(1, inf, 1, 1)}},
		{name: "free row", c: vec(1), lo: vec(-4), up: vec(4), rows: []lp.Row{row(minf, inf, 1), row(-3, inf, 1)}},
		{name: "empty column", c: vec(1, -2, 0), lo: vec(0, -1, minf), up: vec(3, 6, inf), rows: []lp.Row{row(2, inf, 1)}},
		{name: "empty column, unbounded", c: vec(1, -2), lo: vec(0, -1), up: vec(3, inf), rows: []lp.Row{row(2, inf, 1)}},
		{name: "crossed column", c: vec(1, 1), lo: vec(0, 2), up: vec(1, 1), rows: []lp.Row{row(1, inf, 1, 1)}, infeasible: true},
		{name: "crossed column without entries", c: vec(-1, 1), lo: vec(0, 2), up: vec(inf, 1), infeasible: true},
		{name: "crossed row", c: vec(1), lo: vec(minf), up: vec(inf), rows: []lp.Row{row(5, 3, 1)}, infeasible: true},
		{name: "crossed empty row", c: vec(1), lo: vec(0), up: vec(1), rows: []lp.Row{row(1, -1)}, infeasible: true},
		{name: "upper bound only", c: vec(-1, 1), lo: vec(minf, minf), up: vec(7, 2), rows: []lp.Row{row(-10, inf, 1, 1)}},
		{name: "negative box", c: vec(1, -1), lo: vec(-7, -7), up: vec(-2, -3), rows: []lp.Row{row(-9, -6, 1, 1)}},
		{name: "range row at its lower side", c: vec(1, 2), lo: vec(0, 0), up: vec(inf, inf), rows: []lp.Row{row(2, 5, 1, 1)}},
		{name: "range row at its upper side", c: vec(-1, -2), lo: vec(0, 0), up: vec(inf, inf), rows: []lp.Row{row(2, 5, 1, 1)}},
		{name: "free columns, unique point", c: vec(1, 1), lo: vec(minf, minf), up: vec(inf, inf), rows: []lp.Row{row(3, 3, 1, 2), row(-1, -1, 1, -1)}},
		{name: "contradicting equations", c: vec(0, 0), lo: vec(minf, minf), up: vec(inf, inf), rows: []lp.Row{row(1, 1, 1, 1), row(5, 5, 2, 2)}, infeasible: true},
		{name: "repeated equations", c: vec(1, 3), lo: vec(0, 0), up: vec(inf, inf), rows: []lp.Row{row(2, 2, 1, 1), row(2, 2, 1, 1), row(-4, -4, -2, -2)}},
		{name: "zero cost", c: vec(0, 0), lo: vec(0, 0), up: vec(9, 9), rows: []lp.Row{row(3, 4, 1, 1)}},
		{name: "minus zero", c: vec(math.Copysign(0, -1)), lo: vec(math.Copysign(0, -1)), up: vec(0), rows: []lp.Row{row(math.Copysign(0, -1), 0, 1)}},
		{name: "infeasible and unbounded directions", c: vec(-1, -1), lo: vec(0, 0), up: vec(inf, inf), rows: []lp.Row{row(1, inf, 1, -1), row(1, inf, -1, 1)}, infeasible: true},
		{name: "one part in a million", c: vec(1, 1), lo: vec(0, 0), up: vec(inf, inf), rows: []lp.Row{row(1, inf, 1, 1e-6), row(1, inf, 1e-6, 1)}},
		// Cycling under Dantzig's rule with the first-index tie break: Beale 1955.
		{name: "Beale", c: vec(-0.75, 150, -0.02, 6), lo: vec(0, 0, 0, 0), up: vec(inf, inf, inf, inf), rows: []lp.Row{
			row(minf, 0, 0.25, -60, -0.04, 9), row(minf, 0, 0.5, -90, -0.02, 3), row(minf, 1, 0, 0, 1)}},
		// Likewise, unbounded: Kuhn's example without its last row.
		{name: "Kuhn", c: vec(-2, -3, 1, 12), lo: vec(0, 0, 0, 0), up: vec(inf, inf, inf, inf), rows: []lp.Row{
			row(minf, 0, -2, -9, 1, 9), row(minf, 0, 1./3, 1, -1./3, -2)}},
		// Marshall and Suurballe 1969.
		{name: "Marshall-Suurballe", c: vec(-10, 57, 9, 24), lo: vec(0, 0, 0, 0), up: vec(inf, inf, inf, inf), rows: []lp.Row{
			row(minf, 0, 0.5, -5.5, -2.5, 9), row(minf, 0, 0.5, -1.5, -0.5, 1), row(minf, 1, 1)}},
		{name: "Klee-Minty", c: vec(-10000, -1000, -100, -10, -1), lo: vec(0, 0, 0, 0, 0), up: vec(inf, inf, inf, inf, inf), rows: []lp.Row{
			row(minf, 1, 1), row(minf, 100, 20, 1), row(minf, 1e4, 200, 20, 1), row(minf, 1e6, 2000, 200, 20, 1), row(minf, 1e8, 20000, 2000, 200, 20, 1)}},
	}
	out := make([]named, 0, len(list))
	for _, c := range list {
		p := &lp.Problem{Cost: c.c, Lo: c.lo, Up: c.up, Rows: c.rows}
		in := judged(p)
		if c.infeasible != (in.want == lp.Infeasible) {
			panic("lptest: " + c.name + " is mislabelled")
		}
		out = append(out, named{c.name, in})
	}
	return out
}
