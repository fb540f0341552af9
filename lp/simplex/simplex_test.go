package simplex

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/lp"
)

var inf = math.Inf(1)

// check verifies the certificate that comes with r.
func check(t *testing.T, p *lp.Problem, r *lp.Result) {
	t.Helper()
	switch r.Status {
	case lp.Optimal:
		checkOptimal(t, p, r)
	case lp.Infeasible:
		checkFarkas(t, p, r)
	case lp.Unbounded:
		checkRay(t, p, r)
	default:
		t.Fatalf("status %v", r.Status)
	}
}

const tol = 1e-6

func checkOptimal(t *testing.T, p *lp.Problem, r *lp.Result) {
	t.Helper()
	n := p.NumCols()
	d := append([]float64(nil), p.Cost...)
	cmax := 1.0
	dual := 0.0
	size := 1.0
	for i, row := range p.Rows {
		a, mag := 0.0, 1.0
		for k, j := range row.Idx {
			a += row.Val[k] * r.Primal[j]
			mag = max(mag, math.Abs(row.Val[k]*r.Primal[j]))
			d[j] -= row.Val[k] * r.Dual[i]
			cmax = max(cmax, math.Abs(row.Val[k]*r.Dual[i]))
		}
		if a < row.Lo-tol*mag || a > row.Up+tol*mag {
			t.Fatalf("row %d: %g outside [%g, %g]", i, a, row.Lo, row.Up)
		}
		y := r.Dual[i]
		b := row.Lo
		if y < 0 {
			b = row.Up
		}
		if y == 0 {
			continue
		}
		if math.IsInf(b, 0) {
			if math.Abs(y) > tol {
				t.Fatalf("row %d: dual %g at infinite bound", i, y)
			}
			continue
		}
		dual += y * b
		size = max(size, math.Abs(y*b))
	}
	z := 0.0
	for j := range n {
		x := r.Primal[j]
		if x < p.Lo[j]-tol || x > p.Up[j]+tol {
			t.Fatalf("column %d: %g outside [%g, %g]", j, x, p.Lo[j], p.Up[j])
		}
		z += p.Cost[j] * x
		if math.Abs(d[j]-r.Reduced[j]) > tol*cmax {
			t.Fatalf("column %d: reduced cost %g, want %g", j, r.Reduced[j], d[j])
		}
		b := p.Lo[j]
		if d[j] < 0 {
			b = p.Up[j]
		}
		if math.IsInf(b, 0) {
			if math.Abs(d[j]) > tol*cmax {
				t.Fatalf("column %d: reduced cost %g at infinite bound", j, d[j])
			}
			continue
		}
		dual += d[j] * b
		size = max(size, math.Abs(d[j]*b))
	}
	if math.Abs(z-r.Value) > tol*size {
		t.Fatalf("value %g, cx = %g", r.Value, z)
	}
	if math.Abs(z-dual) > tol*size {
		t.Fatalf("primal %g, dual %g", z, dual)
	}
}

func checkFarkas(t *testing.T, p *lp.Problem, r *lp.Result) {
	t.Helper()
	crossed := false
	for j := range p.Cost {
		crossed = crossed || p.Lo[j] > p.Up[j]
	}
	for _, row := range p.Rows {
		crossed = crossed || row.Lo > row.Up
	}
	if crossed {
		return
	}
	if len(r.Farkas) != len(p.Rows) {
		t.Fatalf("no Farkas ray")
	}
	g := make([]float64, p.NumCols())
	left, right := 0.0, 0.0
	for i, row := range p.Rows {
		y := r.Farkas[i]
		if y > 0 {
			left += y * row.Lo
		} else if y < 0 {
			left += y * row.Up
		}
		for k, j := range row.Idx {
			g[j] += y * row.Val[k]
		}
	}
	for j, a := range g {
		if math.Abs(a) < 1e-9 {
			continue
		}
		if a > 0 {
			right += a * p.Up[j]
		} else {
			right += a * p.Lo[j]
		}
	}
	if !(left > right) {
		t.Fatalf("Farkas: %g, want > %g", left, right)
	}
}

func checkRay(t *testing.T, p *lp.Problem, r *lp.Result) {
	t.Helper()
	z := 0.0
	in := func(a, lo, up float64) bool {
		return !(a < -1e-7 && !math.IsInf(lo, -1) || a > 1e-7 && !math.IsInf(up, 1))
	}
	for j, a := range r.Ray {
		z += p.Cost[j] * a
		if !in(a, p.Lo[j], p.Up[j]) {
			t.Fatalf("ray leaves column %d", j)
		}
	}
	if z >= 0 {
		t.Fatalf("ray: cd = %g", z)
	}
	for i, row := range p.Rows {
		a := 0.0
		for k, j := range row.Idx {
			a += row.Val[k] * r.Ray[j]
		}
		if !in(a, row.Lo, row.Up) {
			t.Fatalf("ray leaves row %d: %g in [%g, %g]", i, a, row.Lo, row.Up)
		}
	}
}

// randBounds draws free, fixed, one-sided or boxed bounds.
func randBounds(r *rand.Rand, inner float64) (float64, float64) {
	a, b := float64(r.IntN(5)), float64(r.IntN(5))
	switch r.IntN(6) {
	case 0:
		return math.Inf(-1), inf
	case 1:
		return inner, inner
	case 2:
		return inner - a, inf
	case 3:
		return math.Inf(-1), inner + b
	}
	return inner - a, inner + b
}

// randProblem draws a small program of integers, hence degenerate; feasible
// around a random point if ok.
func randProblem(r *rand.Rand, m, n int, ok bool, wide float64) *lp.Problem {
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	x := make([]float64, n)
	for j := range n {
		x[j] = float64(r.IntN(7) - 3)
		p.Cost[j] = float64(r.IntN(11) - 5)
		if r.IntN(3) == 0 {
			p.Cost[j] = 0
		}
		p.Lo[j], p.Up[j] = randBounds(r, x[j])
	}
	for range m {
		p.Rows = append(p.Rows, randRow(r, n, x, ok, wide))
	}
	return p
}

func randRow(r *rand.Rand, n int, x []float64, ok bool, wide float64) lp.Row {
	var row lp.Row
	k := r.IntN(min(n, 6) + 1)
	a := 0.0
	for _, j := range r.Perm(n)[:k] {
		v := float64(r.IntN(5) - 2)
		if wide > 1 {
			v = math.Round(v * math.Exp(r.Float64()*math.Log(wide)))
		}
		if v == 0 {
			v = 1
		}
		row.Idx = append(row.Idx, int32(j))
		row.Val = append(row.Val, v)
		a += v * x[j]
	}
	if !ok {
		a += float64(r.IntN(9) - 4)
	}
	row.Lo, row.Up = randBounds(r, a)
	return row
}

func solve(t *testing.T, s lp.Solver) *lp.Result {
	t.Helper()
	r, err := s.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRandom(t *testing.T) {
	count := map[lp.Status]int{}
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		m, n := r.IntN(12), 1+r.IntN(14)
		wide := 1.0
		if seed%3 == 0 {
			wide = 1e4
		}
		p := randProblem(r, m, n, r.IntN(3) > 0, wide)
		s := New()
		if err := s.Load(p); err != nil {
			t.Fatal(err)
		}
		res := solve(t, s)
		count[res.Status]++
		ok := t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { check(t, p, res) })
		if !ok {
			break
		}
	}
	t.Log(count)
}

// TestWarm changes models at random and compares each warm solve with a cold
// one.
func TestWarm(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		m, n := r.IntN(12), 2+r.IntN(20)
		p := randProblem(r, m, n, true, 1)
		s := New()
		if err := s.Load(p); err != nil {
			t.Fatal(err)
		}
		x := make([]float64, n)
		for j := range x {
			x[j] = p.Lo[j]
			if math.IsInf(x[j], 0) {
				x[j] = min(p.Up[j], 1)
			}
		}
		var basis lp.Basis
		for step := range 40 {
			for range 1 + r.IntN(4) {
				change(t, r, p, s, x)
			}
			switch r.IntN(12) {
			case 0:
				if err := s.Basis(&basis); err != nil {
					t.Fatal(err)
				}
			case 1:
				if len(basis.Row) <= len(p.Rows) && len(basis.Col) == n {
					if err := s.SetBasis(&basis); err != nil {
						t.Fatal(err)
					}
				}
			}
			warm := solve(t, s)
			cold := New()
			if err := cold.Load(p); err != nil {
				t.Fatal(err)
			}
			want := solve(t, cold)
			name := fmt.Sprintf("seed %d step %d", seed, step)
			if warm.Status != want.Status {
				if warm.Status == lp.Infeasible || warm.Status == lp.Unbounded || want.Status == lp.Optimal {
					t.Fatalf("%s: warm %v, cold %v", name, warm.Status, want.Status)
				}
			}
			if !t.Run(name, func(t *testing.T) { check(t, p, warm); check(t, p, want) }) {
				return
			}
			if warm.Status == lp.Optimal && math.Abs(warm.Value-want.Value) > 1e-6*max(1, math.Abs(want.Value)) {
				t.Fatalf("%s: warm %g, cold %g", name, warm.Value, want.Value)
			}
		}
	}
}

// change applies one random modification to p and s.
func change(t *testing.T, r *rand.Rand, p *lp.Problem, s *Solver, x []float64) {
	t.Helper()
	n, m := p.NumCols(), len(p.Rows)
	var err error
	switch k := r.IntN(8); {
	case k < 3:
		j := r.IntN(n)
		p.Lo[j], p.Up[j] = randBounds(r, x[j]+float64(r.IntN(3)-1))
		err = s.SetColBounds(j, p.Lo[j], p.Up[j])
	case k < 5:
		j := r.IntN(n)
		p.Cost[j] = float64(r.IntN(11) - 5)
		err = s.SetCost(j, p.Cost[j])
	case k == 5 && m > 0:
		i := r.IntN(m)
		a := 0.0
		for q, j := range p.Rows[i].Idx {
			a += p.Rows[i].Val[q] * x[j]
		}
		p.Rows[i].Lo, p.Rows[i].Up = randBounds(r, a)
		err = s.SetRowBounds(i, p.Rows[i].Lo, p.Rows[i].Up)
	case k == 6:
		rows := []lp.Row{randRow(r, n, x, true, 1), randRow(r, n, x, true, 1)}
		p.Rows = append(p.Rows, rows...)
		var first int
		first, err = s.AddRows(rows...)
		if first != m {
			t.Fatalf("first = %d, want %d", first, m)
		}
	case k == 7 && m > 4:
		drop := make([]bool, m)
		rows := p.Rows[:0:0]
		for i := range drop {
			if drop[i] = r.IntN(4) == 0; !drop[i] {
				rows = append(rows, p.Rows[i])
			}
		}
		p.Rows = rows
		err = s.DeleteRows(drop)
	}
	if err != nil {
		t.Fatal(err)
	}
}
