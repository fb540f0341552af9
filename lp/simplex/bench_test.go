package simplex

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/lp"
)

// A tab is a table with totals: relations My = 0 over cells of the value a.
type tab struct {
	a    []float64
	rows []lp.Row
}

// newTab draws a table of the given inner sizes, one total a dimension.
func newTab(rng *rand.Rand, size ...int) *tab {
	n := 1
	stride := make([]int, len(size))
	for k := len(size) - 1; k >= 0; k-- {
		stride[k] = n
		n *= size[k] + 1
	}
	t := &tab{a: make([]float64, n)}
	for c := range n {
		inner := true
		for k, z := range size {
			inner = inner && c/stride[k]%(z+1) != z
		}
		if inner && rng.IntN(8) > 0 {
			t.a[c] = float64(rng.IntN(100))
		}
	}
	for k, z := range size {
		for c := range n {
			if c/stride[k]%(z+1) != z {
				continue
			}
			row := lp.Row{Idx: []int32{int32(c)}, Val: []float64{-1}}
			sum := 0.0
			for i := range z {
				part := c - (z-i)*stride[k]
				sum += t.a[part]
				row.Idx = append(row.Idx, int32(part))
				row.Val = append(row.Val, 1)
			}
			t.a[c] = sum
			t.rows = append(t.rows, row)
		}
	}
	return t
}

// bounds are the limits of cell j if withheld.
func (t *tab) bounds(j int) (float64, float64) { return 0, 2*t.a[j] + 10 }

// withhold draws a pattern.
func (t *tab) withhold(rng *rand.Rand, share float64) []int {
	var s []int
	for j := range t.a {
		if rng.Float64() < share {
			s = append(s, j)
		}
	}
	return s
}

// full is the model of all cells.
func (t *tab) full(s []int) *lp.Problem {
	p := &lp.Problem{Cost: make([]float64, len(t.a)), Lo: append([]float64(nil), t.a...), Up: append([]float64(nil), t.a...), Rows: t.rows}
	for _, j := range s {
		p.Lo[j], p.Up[j] = t.bounds(j)
	}
	return p
}

// reduced is the model of the withheld cells alone.
func (t *tab) reduced(s []int) *lp.Problem {
	p := &lp.Problem{}
	at := make([]int32, len(t.a))
	for j := range at {
		at[j] = -1
	}
	for k, j := range s {
		at[j] = int32(k)
		lo, up := t.bounds(j)
		p.Lo, p.Up, p.Cost = append(p.Lo, lo), append(p.Up, up), append(p.Cost, 0)
	}
	for _, row := range t.rows {
		var r lp.Row
		b := 0.0
		for k, j := range row.Idx {
			if at[j] >= 0 {
				r.Idx, r.Val = append(r.Idx, at[j]), append(r.Val, row.Val[k])
			} else {
				b -= row.Val[k] * t.a[j]
			}
		}
		r.Lo, r.Up = b, b
		p.Rows = append(p.Rows, r)
	}
	return p
}

var tables = [][]int{{5, 5}, {20, 20}, {50, 50}, {100, 100}, {10, 10, 10}, {15, 15, 15}}

func tableName(size []int) string {
	s := fmt.Sprint(size[0])
	for _, k := range size[1:] {
		s += fmt.Sprintf("x%d", k)
	}
	return s
}

func mustSolve(b *testing.B, s *solver) *lp.Result {
	r, err := s.Solve(b.Context())
	if err != nil || r.Status != lp.Optimal {
		b.Fatal(r.Status, err)
	}
	return r
}

// BenchmarkTable solves intruder programs as in the comparison of back ends:
// one op is one solve. cold: new model of the withheld cells; objective: the
// same model, maximum or minimum of the next cell; bounds: model of all cells,
// another pattern and another cell; toggle: as bounds, but only one cell in
// twenty changes between withheld and published.
func BenchmarkTable(b *testing.B) {
	for _, size := range tables {
		rng := rand.New(rand.NewPCG(7, uint64(size[0]*10+len(size))))
		t := newTab(rng, size...)
		pattern := t.withhold(rng, 0.2)
		red := t.reduced(pattern)
		name := tableName(size)
		b.Run(name+"/cold", func(b *testing.B) {
			iters := 0
			for k := range b.N {
				red.Cost[k/2%len(red.Cost)] = float64(1 - k%2*2)
				s := new(solver)
				if err := s.Load(red); err != nil {
					b.Fatal(err)
				}
				iters += mustSolve(b, s).Iterations
				red.Cost[k/2%len(red.Cost)] = 0
			}
			b.ReportMetric(float64(iters)/float64(b.N), "iters/op")
		})
		b.Run(name+"/objective", func(b *testing.B) {
			s := new(solver)
			if err := s.Load(red); err != nil {
				b.Fatal(err)
			}
			mustSolve(b, s)
			iters := 0
			b.ResetTimer()
			for k := range b.N {
				j := k / 2 % len(red.Cost)
				set(b, s.SetCost(j, float64(1-k%2*2)))
				iters += mustSolve(b, s).Iterations
				set(b, s.SetCost(j, 0))
			}
			b.ReportMetric(float64(iters)/float64(b.N), "iters/op")
		})
		for _, share := range []float64{1, 0.05} {
			kind := "/bounds"
			if share < 1 {
				kind = "/toggle"
			}
			b.Run(name+kind, func(b *testing.B) {
				rng := rand.New(rand.NewPCG(8, 8))
				out := make([]bool, len(t.a))
				for _, j := range pattern {
					out[j] = true
				}
				s := new(solver)
				if err := s.Load(t.full(pattern)); err != nil {
					b.Fatal(err)
				}
				mustSolve(b, s)
				iters := 0
				b.ResetTimer()
				for k := range b.N {
					for j := range t.a {
						if share < 1 && rng.Float64() > share {
							continue
						}
						if on := rng.Float64() < 0.2; on != out[j] {
							out[j] = on
							if on {
								lo, up := t.bounds(j)
								set(b, s.SetColBounds(j, lo, up))
							} else {
								set(b, s.SetColBounds(j, t.a[j], t.a[j]))
							}
						}
					}
					j := rng.IntN(len(t.a))
					for try := 0; !out[j] && try < 100; try++ {
						j = rng.IntN(len(t.a))
					}
					set(b, s.SetCost(j, float64(1-k%2*2)))
					iters += mustSolve(b, s).Iterations
					set(b, s.SetCost(j, 0))
				}
				b.ReportMetric(float64(iters)/float64(b.N), "iters/op")
			})
		}
	}
}

func set(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}

// masterCuts draws knapsack cover cuts, strengthened to c_j ≤ level, that the
// point x violates and all ones satisfy.
func masterCuts(rng *rand.Rand, n, k, nnz int, x []float64) []lp.Row {
	var rows []lp.Row
	for len(rows) < k {
		level := float64(10 + rng.IntN(1000))
		row := lp.Row{Lo: level, Up: inf}
		sum, most := 0.0, 0.0
		for _, j := range rng.Perm(n)[:nnz] {
			v := min(level, float64(1+rng.IntN(300)))
			row.Idx, row.Val = append(row.Idx, int32(j)), append(row.Val, v)
			sum += v * x[j]
			most += v
		}
		if sum < level && most >= level {
			rows = append(rows, row)
		}
	}
	return rows
}

// BenchmarkMaster grows a master of 2,600 columns to 600 rows in rounds of 30
// violated cuts; one op is the whole run without the making of the cuts.
func BenchmarkMaster(b *testing.B) {
	for _, nnz := range []int{20, 100, 400} {
		b.Run(fmt.Sprintf("nnz%d", nnz), func(b *testing.B) {
			const n = 2600
			iters := 0
			for range b.N {
				rng := rand.New(rand.NewPCG(5, 5))
				p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
				for j := range n {
					p.Cost[j], p.Up[j] = float64(1+rng.IntN(100)), 1
				}
				s := new(solver)
				set(b, s.Load(p))
				x := mustSolve(b, s).Primal
				for s.m < 600 {
					b.StopTimer()
					cuts := masterCuts(rng, n, 30, nnz, x)
					b.StartTimer()
					_, err := s.AddRows(cuts...)
					set(b, err)
					r := mustSolve(b, s)
					x = r.Primal
					iters += r.Iterations
				}
			}
			b.ReportMetric(float64(iters)/float64(b.N), "iters/op")
		})
	}
}

// BenchmarkQuestions asks how far the cells of a sparse point can move: one op is
// one question, max ±z_k with M z = 0. A fifth of the cells have their full
// capacity, the others a thousandth of it, as at a point of the master. With a
// target half the size of the optimum most questions are met early; proof asks
// for duals that show a limit of twice the optimum out of reach.
func BenchmarkQuestions(b *testing.B) {
	for _, size := range [][]int{{6, 6, 6}, {8, 8, 8}, {3, 3, 3, 3}} {
		rng := rand.New(rand.NewPCG(9, uint64(len(size))))
		t := newTab(rng, size...)
		p := &lp.Problem{Cost: make([]float64, len(t.a)), Lo: make([]float64, len(t.a)), Up: make([]float64, len(t.a)), Rows: t.rows}
		for j := range t.a {
			w := 1e-3
			if rng.IntN(5) == 0 {
				w = 1
			}
			_, up := t.bounds(j)
			p.Lo[j], p.Up[j] = -w*t.a[j], w*(up-t.a[j])
		}
		var values []float64
		for _, kind := range []string{"optimum", "target", "proof"} {
			b.Run(tableName(size)+"/"+kind, func(b *testing.B) {
				s := new(solver)
				set(b, s.Load(p))
				iters := 0
				b.ResetTimer()
				for q := range b.N {
					k := q % len(t.a)
					set(b, s.SetCost(k, -1))
					var l lp.Limits
					if kind != "optimum" && k < len(values) {
						v := values[k] / 2
						if kind == "proof" {
							v = 2*values[k] - 1e-3
							l.Cutoff, l.Patience = &v, 32
						}
						l.Target = &v
					} else {
						v := -inf
						l.Target = &v
					}
					s.SetLimits(l)
					r, err := s.Solve(b.Context())
					if err != nil || r.Status != lp.Optimal && r.Status != lp.Reached && r.Status != lp.Cutoff {
						b.Fatal(r.Status, err)
					}
					if r.Status == lp.Optimal && k == len(values) {
						values = append(values, r.Value)
					}
					iters += r.Iterations
					set(b, s.SetCost(k, 0))
				}
				b.ReportMetric(float64(iters)/float64(b.N), "iters/op")
			})
		}
	}
}
