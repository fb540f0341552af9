package simplex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
)

var inf = math.Inf(1)

// check verifies the certificate that comes with r.
func check(p *lp.Problem, r *lp.Result) error {
	const tol = 1e-8
	switch r.Status {
	case lp.Optimal:
		return certify.Optimal(p, r, tol)
	case lp.Infeasible:
		if crossed(p) {
			return nil
		}
		return certify.Farkas(p, r.Farkas, tol)
	case lp.Unbounded:
		return certify.Ray(p, r.Ray, 1e-6)
	}
	return fmt.Errorf("status %v", r.Status)
}

func crossed(p *lp.Problem) bool {
	for j := range p.Cost {
		if p.Lo[j] > p.Up[j] {
			return true
		}
	}
	return slices.ContainsFunc(p.Rows, func(r lp.Row) bool { return r.Lo > r.Up })
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

func solve(t testing.TB, s lp.Solver) *lp.Result {
	t.Helper()
	return must.Get(s.Solve(context.Background()))(t)
}

// TestRandom solves small programs of all kinds, some badly scaled.
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
		s := new(solver)
		must.Do(t, s.Load(p))
		res := solve(t, s)
		count[res.Status]++
		if err := check(p, res); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	t.Log(count)
}

// TestSmallBlockers solves badly scaled programs in which what stops a would-be ray
// moves by little more than a rounding error, as scaled.
func TestSmallBlockers(t *testing.T) {
	for _, seed := range []uint64{271311, 676365} {
		r := rand.New(rand.NewPCG(seed, 1))
		m, n := r.IntN(12), 1+r.IntN(14)
		p := randProblem(r, m, n, r.IntN(3) > 0, 1e4)
		s := new(solver)
		must.Do(t, s.Load(p))
		if err := check(p, solve(t, s)); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestWarm changes models at random and compares each warm solve with a cold
// one.
func TestWarm(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		m, n := r.IntN(12), 2+r.IntN(20)
		p := randProblem(r, m, n, true, 1)
		s := new(solver)
		must.Do(t, s.Load(p))
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
				must.Do(t, s.Basis(&basis))
			case 1:
				if len(basis.Row) <= len(p.Rows) && len(basis.Col) == n {
					must.Do(t, s.SetBasis(&basis))
				}
			}
			warm := solve(t, s)
			cold := new(solver)
			must.Do(t, cold.Load(p))
			want := solve(t, cold)
			err := errors.Join(check(p, warm), check(p, want))
			if err == nil && warm.Status != want.Status {
				err = fmt.Errorf("warm %v, cold %v", warm.Status, want.Status)
			}
			if err == nil && math.Abs(warm.Value-want.Value) > 1e-8*max(1, math.Abs(want.Value)) {
				err = fmt.Errorf("warm %g, cold %g", warm.Value, want.Value)
			}
			if err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
		}
	}
}

// change applies one random modification to p and s.
func change(t *testing.T, r *rand.Rand, p *lp.Problem, s *solver, x []float64) {
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

// TestIntruder runs through the cells of tables, changes patterns and bounds,
// and compares some of the optima with cold solves.
func TestIntruder(t *testing.T) {
	for k, size := range [][]int{{6, 7}, {25, 30}, {5, 6, 7}, {9, 9, 9}, {3, 4, 3, 4}} {
		rng := rand.New(rand.NewPCG(uint64(k), 3))
		tab := newTab(rng, size...)
		p := tab.full(tab.withhold(rng, 0.3))
		s := new(solver)
		must.Do(t, s.Load(p))
		for step := range 60 {
			share := []float64{0, 0.02, 0.1, 1}[step%4]
			for j := range p.Cost {
				if rng.Float64() >= share {
					continue
				}
				p.Lo[j], p.Up[j] = tab.a[j], tab.a[j]
				switch rng.IntN(8) {
				case 0, 1:
					p.Lo[j], p.Up[j] = tab.bounds(j)
				case 2:
					p.Lo[j], p.Up[j] = 0, inf
				}
				must.Do(t, s.SetColBounds(j, p.Lo[j], p.Up[j]))
			}
			clear(p.Cost)
			j := rng.IntN(len(p.Cost))
			p.Cost[j] = float64(1 - step%2*2)
			for i, c := range p.Cost {
				must.Do(t, s.SetCost(i, c))
			}
			warm := solve(t, s)
			err := check(p, warm)
			if err == nil && warm.Status == lp.Infeasible {
				err = errors.New("infeasible, but a is feasible")
			}
			if err == nil && step%8 == 0 {
				cold := new(solver)
				must.Do(t, cold.Load(p))
				if want := solve(t, cold); warm.Status != want.Status || math.Abs(warm.Value-want.Value) > 1e-8*max(1, math.Abs(want.Value)) {
					err = fmt.Errorf("warm %v %g, cold %v %g", warm.Status, warm.Value, want.Status, want.Value)
				}
			}
			if err != nil {
				t.Fatalf("%v, step %d: %v", size, step, err)
			}
		}
	}
}

// TestMaster grows masters by violated cuts, deletes slack ones, and branches.
func TestMaster(t *testing.T) {
	const n = 150
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 4))
		p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
		for j := range n {
			p.Cost[j], p.Up[j] = math.Ceil(math.Exp(rng.Float64()*float64(seed)*2)), 1
		}
		s := new(solver)
		must.Do(t, s.Load(p))
		r := solve(t, s)
		for round := range 25 {
			cuts := masterCuts(rng, n, 10, 12, r.Primal)
			p.Rows = append(p.Rows, cuts...)
			must.Get(s.AddRows(cuts...))(t)
			if round%5 == 4 {
				drop := make([]bool, len(p.Rows))
				var keep []lp.Row
				for i := range drop {
					if drop[i] = i < len(r.Dual) && r.Dual[i] == 0 || rng.IntN(10) == 0; !drop[i] {
						keep = append(keep, p.Rows[i])
					}
				}
				p.Rows = keep
				must.Do(t, s.DeleteRows(drop))
			}
			if round%3 == 2 {
				for j := range n {
					p.Lo[j], p.Up[j] = 0, 1
					switch rng.IntN(30) {
					case 0:
						p.Lo[j] = 1
					case 1:
						p.Up[j] = 0
					}
					must.Do(t, s.SetColBounds(j, p.Lo[j], p.Up[j]))
				}
			}
			r = solve(t, s)
			err := check(p, r)
			cold := new(solver)
			must.Do(t, cold.Load(p))
			want := solve(t, cold)
			if err == nil && (r.Status != want.Status || math.Abs(r.Value-want.Value) > 1e-8*max(1, math.Abs(want.Value))) {
				err = fmt.Errorf("warm %v %g, cold %v %g", r.Status, r.Value, want.Status, want.Value)
			}
			if err != nil {
				t.Fatalf("seed %d, round %d: %v", seed, round, err)
			}
			if r.Status != lp.Optimal { // branched too far
				for j := range n {
					p.Lo[j], p.Up[j] = 0, 1
					must.Do(t, s.SetColBounds(j, 0, 1))
				}
				r = solve(t, s)
			}
		}
	}
}

// TestNoAllocation checks that warm solves of intruder programs allocate only
// for the growth of buffers.
func TestNoAllocation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	tab := newTab(rng, 20, 20)
	s := new(solver)
	must.Do(t, s.Load(tab.full(tab.withhold(rng, 0.2))))
	j := 0
	step := func() {
		for range 20 {
			j = (j + 1) % len(tab.a)
			must.Do(t, s.SetCost(j, 1))
			solve(t, s)
			must.Do(t, s.SetCost(j, 0))
		}
	}
	for range 20 {
		step()
	}
	if n := testing.AllocsPerRun(20, step); n > 1 {
		t.Errorf("%g allocations in 20 solves", n)
	}
}
