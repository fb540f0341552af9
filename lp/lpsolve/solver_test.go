//go:build lpsolve && cgo

package lpsolve

import (
	"context"
	"math"
	"testing"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/lptest"
)

func TestConformance(t *testing.T) {
	lptest.Run(t, Open, lptest.Config{Tol: 1e-6})
}

// TestStandIn lets the default back end answer, as it does once lp_solve did not return.
func TestStandIn(t *testing.T) {
	before := lost.Swap(lostMost)
	t.Cleanup(func() { lost.Store(before) })
	lptest.Run(t, Open, lptest.Config{Tol: 1e-6})
}

// TestStandInTakesOver changes a model that lp_solve has solved, and then the default back end is to solve.
func TestStandInTakesOver(t *testing.T) {
	s, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	// min −x − 2y, x + y ≤ 4, 0 ≤ x, y ≤ 3
	check := func(step string, want float64) {
		t.Helper()
		r, err := s.Solve(context.Background())
		if err != nil || r.Status != lp.Optimal || math.Abs(r.Value-want) > 1e-9 {
			t.Errorf("%s: %+v, %v; want %g", step, r, err, want)
		}
	}
	p := &lp.Problem{Cost: []float64{-1, -2}, Lo: []float64{0, 0}, Up: []float64{3, 3},
		Rows: []lp.Row{{Lo: math.Inf(-1), Up: 4, Idx: []int32{0, 1}, Val: []float64{1, 1}}}}
	if err := s.Load(p); err != nil {
		t.Fatal(err)
	}
	check("lp_solve", -7)
	before := lost.Swap(lostMost)
	t.Cleanup(func() { lost.Store(before) })
	check("taken over", -7)
	for _, c := range []struct {
		step   string
		change func() error
		want   float64
	}{
		{"cost", func() error { return s.SetCost(0, -3) }, -11},
		{"column bounds", func() error { return s.SetColBounds(0, 0, 2) }, -10},
		{"row bounds", func() error { return s.SetRowBounds(0, math.Inf(-1), 3) }, -8},
		{"rows", func() error {
			_, err := s.AddRows(lp.Row{Lo: math.Inf(-1), Up: 1, Idx: []int32{0}, Val: []float64{1}})
			return err
		}, -7},
		{"no rows", func() error { return s.(interface{ DeleteRows([]bool) error }).DeleteRows([]bool{true, false}) }, -9},
		{"loaded anew", func() error { return s.Load(p) }, -7},
	} {
		if err := c.change(); err != nil {
			t.Fatal(c.step, err)
		}
		check(c.step, c.want)
	}
}
