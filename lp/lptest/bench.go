package lptest

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/lp"
)

// benchTables are the tables of Bench, by their classifications.
var benchTables = []struct {
	name string
	dims []dim
}{
	{"5x5", []dim{flat(5), flat(5)}},
	{"20x20", []dim{flat(20), flat(20)}},
	{"50x50", []dim{flat(50), flat(50)}},
	{"10x10x10", []dim{flat(10), flat(10), flat(10)}},
}

// Bench times the programs of an intruder who wants the smallest and largest
// value of one withheld cell, about a fifth of the cells being withheld:
//
//	cold       a new model without the published cells
//	objective  the same model, another cell or direction
//	bounds     a model of all cells, a tenth of them published or withheld anew
//
// One operation is one solve, with the changes before it. Programs with more
// than maxCols columns are skipped; 0 means no limit.
func Bench(b *testing.B, open func() (lp.Solver, error), maxCols int) {
	for _, bt := range benchTables {
		rng := rand.New(rand.NewPCG(1, 2))
		tab := newTable(rng, bt.dims...)
		withheld := tab.withhold(rng, 0.2)
		p := tab.intruder(withheld)
		small, at := tab.reduced(withheld)
		if maxCols > 0 && small.NumCols() > maxCols {
			continue
		}
		b.Run(bt.name+"/cold", func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 4))
			for b.Loop() {
				j := rng.IntN(len(at))
				small.Cost[j] = float64(1 - 2*rng.IntN(2))
				sol := load(b, open, small)
				run(b, sol)
				sol.Close()
				small.Cost[j] = 0
			}
		})
		b.Run(bt.name+"/objective", func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 4))
			sol := load(b, open, small)
			defer sol.Close()
			run(b, sol)
			j := 0
			for b.Loop() {
				must(b, sol.SetCost(j, 0))
				j = rng.IntN(len(at))
				must(b, sol.SetCost(j, float64(1-2*rng.IntN(2))))
				run(b, sol)
			}
		})
		if maxCols > 0 && p.NumCols() > maxCols {
			continue
		}
		b.Run(bt.name+"/bounds", func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 4))
			sol := load(b, open, p)
			defer sol.Close()
			run(b, sol)
			j := 0
			for b.Loop() {
				for range max(1, len(withheld)/10) {
					k := withheld[rng.IntN(len(withheld))]
					lo, up := 0.0, inf
					if rng.IntN(2) == 0 {
						lo, up = tab.a[k], tab.a[k]
					}
					must(b, sol.SetColBounds(k, lo, up))
				}
				must(b, sol.SetCost(j, 0))
				j = withheld[rng.IntN(len(withheld))]
				must(b, sol.SetCost(j, float64(1-2*rng.IntN(2))))
				run(b, sol)
			}
		})
	}
}

// reduced is the intruder's program with the published cells moved to the right
// side; at names the cell of each column.
func (t *table) reduced(withheld []int) (p *lp.Problem, at []int) {
	number := make(map[int32]int32, len(withheld))
	for k, j := range withheld {
		number[int32(j)] = int32(k)
	}
	p = &lp.Problem{Cost: make([]float64, len(withheld)), Lo: make([]float64, len(withheld)), Up: make([]float64, len(withheld))}
	for k := range p.Up {
		p.Up[k] = inf
	}
	for _, r := range t.rows {
		var row lp.Row
		for e, j := range r.Idx {
			if k, ok := number[j]; ok {
				row.Idx = append(row.Idx, k)
				row.Val = append(row.Val, r.Val[e])
			} else {
				row.Lo -= r.Val[e] * t.a[j]
			}
		}
		row.Up = row.Lo
		p.Rows = append(p.Rows, row)
	}
	return p, withheld
}

func load(b *testing.B, open func() (lp.Solver, error), p *lp.Problem) lp.Solver {
	sol, err := open()
	must(b, err)
	must(b, sol.Load(p))
	return sol
}

// run solves. The total of a table can be withheld, hence the second verdict.
func run(b *testing.B, sol lp.Solver) {
	r, err := sol.Solve(context.Background())
	must(b, err)
	if r.Status != lp.Optimal && r.Status != lp.Unbounded {
		b.Fatalf("status %v (%q)", r.Status, r.Raw)
	}
}

func must(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}
