package certify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/answer"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/certify"
	"github.com/hitoku/hitoku/lp/simplex"
)

const tol = 1e-7

// solve answers p by the default back end, which this package does not trust.
func solve(t *testing.T, p *lp.Problem) *lp.Result { return answer.Of(t, simplex.New(), p) }

// draw returns a program with every kind of bound; some are infeasible, some
// unbounded.
func draw(rng *rand.Rand) *lp.Problem {
	n, m := 1+rng.IntN(6), rng.IntN(6)
	p := &lp.Problem{}
	bounds := func() (lo, up float64) {
		lo, up = math.Inf(-1), math.Inf(1)
		if rng.IntN(3) > 0 {
			lo = float64(rng.IntN(11) - 5)
		}
		if rng.IntN(3) == 0 {
			up = max(lo, -5) + float64(rng.IntN(8))
		}
		return lo, up
	}
	for range n {
		lo, up := bounds()
		p.Cost, p.Lo, p.Up = append(p.Cost, float64(rng.IntN(9)-3)), append(p.Lo, lo), append(p.Up, up)
	}
	for range m {
		var row lp.Row
		row.Lo, row.Up = bounds()
		for j := range n {
			if c := rng.IntN(7) - 3; c != 0 {
				row.Idx, row.Val = append(row.Idx, int32(j)), append(row.Val, float64(c))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// TestProofs draws programs: what proves a verdict is accepted, and each entry of it
// put wrong by one, which proves nothing, is refused.
func TestProofs(t *testing.T) {
	count := map[lp.Status]int{}
	refused := map[string]int{}
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 31))
		p := draw(rng)
		r := solve(t, p)
		count[r.Status]++
		switch r.Status {
		case lp.Optimal:
			if err := certify.Optimal(p, r, tol); err != nil {
				t.Fatalf("seed %d: an optimum is refused: %v", seed, err)
			}
			if err := certify.Feasible(p, r.Primal, tol); err != nil {
				t.Fatalf("seed %d: an optimum is infeasible: %v", seed, err)
			}
			if b, err := certify.DualBound(p, r.Dual, tol); err != nil || math.Abs(b-r.Value) > tol*(1+math.Abs(r.Value)) {
				t.Fatalf("seed %d: dual bound %g (%v) of the optimum %g", seed, b, err, r.Value)
			}
			wrong := *r
			wrong.Value++
			if certify.Optimal(p, &wrong, tol) == nil {
				t.Fatalf("seed %d: a wrong value passes", seed)
			}
			for what, v := range map[string][]float64{"primal": r.Primal, "dual": r.Dual, "reduced": r.Reduced} {
				for k := range v {
					wrong := *r
					w := slices.Clone(v)
					w[k]++
					switch what {
					case "primal":
						wrong.Primal = w
					case "dual":
						wrong.Dual = w
					default:
						wrong.Reduced = w
					}
					if what == "primal" && p.Cost[k] == 0 {
						continue // may be another optimum
					}
					if what == "dual" && len(p.Rows[k].Idx) == 0 {
						continue // of no weight in a row without entries and bounds
					}
					if err := certify.Optimal(p, &wrong, tol); err == nil {
						t.Fatalf("seed %d: %s %d put wrong passes", seed, what, k)
					}
					refused[what]++
				}
			}
		case lp.Infeasible:
			if r.Farkas == nil {
				continue // crossed bounds of a row
			}
			if err := certify.Farkas(p, r.Farkas, tol); err != nil {
				t.Fatalf("seed %d: a Farkas ray is refused: %v", seed, err)
			}
			if certify.Farkas(p, make([]float64, len(p.Rows)), tol) == nil {
				t.Fatalf("seed %d: 0 proves infeasibility", seed)
			}
		case lp.Unbounded:
			if err := certify.Ray(p, r.Ray, tol); err != nil {
				t.Fatalf("seed %d: a ray is refused: %v", seed, err)
			}
			back := slices.Clone(r.Ray)
			for j := range back {
				back[j] = -back[j]
			}
			if certify.Ray(p, back, tol) == nil {
				t.Fatalf("seed %d: the opposite ray, along which the cost rises, passes", seed)
			}
		default:
			t.Fatalf("seed %d: %v", seed, r.Status)
		}
		// What is true of no feasible program proves nothing of it.
		if r.Status != lp.Infeasible {
			for range 5 {
				y := make([]float64, len(p.Rows))
				for i := range y {
					y[i] = float64(rng.IntN(7) - 3)
				}
				if certify.Farkas(p, y, tol) == nil {
					t.Fatalf("seed %d: %v proves a feasible program infeasible", seed, y)
				}
			}
		}
	}
	t.Log(count, refused)
	for _, s := range []lp.Status{lp.Optimal, lp.Infeasible, lp.Unbounded} {
		if count[s] < 100 {
			t.Errorf("%d programs are %v: too few to mean much", count[s], s)
		}
	}
}

// TestProve: from the bare word of a back end, given without any proof, comes a verdict
// with one.
func TestProve(t *testing.T) {
	optimum := func(p *lp.Problem) (*lp.Result, error) {
		if r := solve(t, p); r.Status == lp.Optimal {
			return r, nil
		}
		return nil, fmt.Errorf("no optimum")
	}
	verdict := func(p *lp.Problem) (*lp.Result, error) { return solve(t, p), nil }
	infeasible, unbounded := 0, 0
	for seed := range uint64(600) {
		p := draw(rand.New(rand.NewPCG(seed, 32)))
		if certify.Crossed(p) {
			t.Fatalf("seed %d: bounds are crossed", seed)
		}
		switch s := solve(t, p); s.Status {
		case lp.Infeasible:
			infeasible++
			r, err := certify.ProveInfeasible(p, 1, tol, optimum)
			if err != nil || r.Status != lp.Infeasible || certify.Farkas(p, r.Farkas, tol) != nil {
				t.Fatalf("seed %d: %+v, %v", seed, r, err)
			}
		case lp.Unbounded:
			unbounded++
			r, err := certify.ProveUnbounded(p, tol, optimum, verdict)
			if err != nil || r.Status != lp.Unbounded || certify.Ray(p, r.Ray, tol) != nil {
				t.Fatalf("seed %d: %+v, %v", seed, r, err)
			}
		default:
			if _, err := certify.ProveInfeasible(p, 1, tol, optimum); err == nil {
				t.Fatalf("seed %d: a feasible program is proved infeasible", seed)
			}
			if r, err := certify.ProveUnbounded(p, tol, optimum, verdict); err == nil && r.Status == lp.Unbounded {
				t.Fatalf("seed %d: a bounded program is proved unbounded", seed)
			}
		}
	}
	if infeasible < 50 || unbounded < 50 {
		t.Errorf("%d infeasible, %d unbounded: too few to mean much", infeasible, unbounded)
	}
}

// Lengths and entries that are no numbers are errors, not panics.
func TestShapes(t *testing.T) {
	p := &lp.Problem{Cost: []float64{1, 1}, Lo: []float64{0, 0}, Up: []float64{1, 1}, Rows: []lp.Row{{Lo: 1, Up: 1, Idx: []int32{0, 1}, Val: []float64{1, 1}}}}
	for _, v := range [][]float64{nil, {1}, {1, 2, 3}, {math.NaN(), 0}, {math.Inf(1), 0}} {
		if certify.Feasible(p, v, tol) == nil {
			t.Errorf("point %v passes", v)
		}
		if certify.Ray(p, v, tol) == nil {
			t.Errorf("ray %v passes", v)
		}
		if certify.Optimal(p, &lp.Result{Primal: v, Dual: []float64{0}, Reduced: []float64{0, 0}}, tol) == nil {
			t.Errorf("optimum at %v passes", v)
		}
	}
	for _, v := range [][]float64{nil, {1, 2}, {math.NaN()}} {
		if certify.Farkas(p, v, tol) == nil {
			t.Errorf("Farkas ray %v passes", v)
		}
		if _, err := certify.DualBound(p, v, tol); err == nil {
			t.Errorf("duals %v pass", v)
		}
	}
}
