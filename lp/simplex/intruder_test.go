package simplex

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
)

// intruder draws max ±z_k over M z = 0 and bounds, most of which contain 0.
func intruder(t *rapid.T) *lp.Problem {
	n := rapid.IntRange(1, 14).Draw(t, "n")
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	for j := range n {
		p.Lo[j], p.Up[j] = capacities(t)
	}
	for range rapid.IntRange(0, 9).Draw(t, "m") {
		var row lp.Row
		for j := range n {
			if c := rapid.IntRange(-3, 3).Draw(t, "coef"); c == 1 || c == -1 {
				row.Idx, row.Val = append(row.Idx, int32(j)), append(row.Val, float64(c))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

func capacities(t *rapid.T) (lo, up float64) {
	caps := []float64{0, 0, 0.001, 0.01, 1, 3, 40, 1000}
	return -rapid.SampledFrom(caps).Draw(t, "dn"), rapid.SampledFrom(caps).Draw(t, "up")
}

// checkLimits verifies what r says about p under limits l.
func checkLimits(t *rapid.T, p *lp.Problem, r *lp.Result, l lp.Limits, optimum float64) {
	const tol = 1e-7
	slack := tol * (1 + math.Abs(optimum))
	var err error
	switch r.Status {
	case lp.Optimal:
		err = certify.Optimal(p, r, 1e-8)
	case lp.Reached:
		if r.Value > *l.Target+slack || r.Value < optimum-slack {
			t.Fatalf("reached %g, target %g, optimum %g", r.Value, *l.Target, optimum)
		}
		for j, x := range r.Primal {
			if x < p.Lo[j]-tol || x > p.Up[j]+tol {
				t.Fatalf("reached, but z_%d = %g is not in [%g, %g]", j, x, p.Lo[j], p.Up[j])
			}
		}
		for i, row := range p.Rows {
			sum := 0.0
			for s, j := range row.Idx {
				sum += row.Val[s] * r.Primal[j]
			}
			if math.Abs(sum) > 1e3*tol {
				t.Fatalf("reached, but relation %d is off by %g", i, sum)
			}
		}
	case lp.Cutoff:
		var bound float64
		if bound, err = certify.DualBound(p, r.Dual, 1e-9); bound < *l.Cutoff-slack || bound > optimum+slack {
			t.Fatalf("duals prove %g, cutoff %g, optimum %g", bound, *l.Cutoff, optimum)
		}
	default:
		t.Fatalf("status %v", r.Status)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// intruderRun asks one warm solver for one cell after the other while capacities
// change, with and without targets and cutoffs, and holds every answer against a new
// solver's.
func intruderRun(t *rapid.T) {
	p := intruder(t)
	s := new(solver)
	if err := s.Load(p); err != nil {
		t.Fatal(err)
	}
	last := 0
	var kept *lp.Basis
	for range rapid.IntRange(1, 12).Draw(t, "questions") {
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			j := rapid.IntRange(0, len(p.Cost)-1).Draw(t, "cell")
			p.Lo[j], p.Up[j] = capacities(t)
			if err := s.SetColBounds(j, p.Lo[j], p.Up[j]); err != nil {
				t.Fatal(err)
			}
		}
		k := rapid.IntRange(0, len(p.Cost)-1).Draw(t, "k")
		p.Cost[last] = 0
		_ = s.SetCost(last, 0)
		p.Cost[k] = rapid.SampledFrom([]float64{1, -1}).Draw(t, "sign")
		_ = s.SetCost(k, p.Cost[k])
		last = k
		fresh := new(solver)
		if err := fresh.Load(p); err != nil {
			t.Fatal(err)
		}
		f := answer(t, fresh)
		if f.Status != lp.Optimal {
			t.Fatalf("a new solver says %v", f.Status)
		}
		var l lp.Limits
		if rapid.Bool().Draw(t, "target") {
			v := f.Value + rapid.SampledFrom([]float64{-1, 0, 0.5, 20}).Draw(t, "beyond")
			l.Target = &v
			if rapid.Bool().Draw(t, "cutoff") {
				c := v + 1e-9*math.Abs(v)
				l.Cutoff, l.Patience = &c, rapid.IntRange(0, 20).Draw(t, "patience")
			}
		}
		s.SetLimits(l)
		if kept != nil && rapid.Bool().Draw(t, "recall") {
			if err := s.SetBasis(kept); err != nil {
				t.Fatal(err)
			}
		}
		checkLimits(t, p, answer(t, s), l, f.Value)
		if rapid.Bool().Draw(t, "keep") {
			kept = &lp.Basis{}
			if err := s.Basis(kept); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestQuestions(t *testing.T) { rapid.Check(t, intruderRun) }

func FuzzQuestions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(intruderRun)) }

func answer(t *rapid.T, s *solver) *lp.Result {
	r, err := s.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}
