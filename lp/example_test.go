package lp_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/simplex"
)

// Minimise −x − 2y where x + y ≤ 4, 0 ≤ x, 0 ≤ y ≤ 3: the optimum is at x = 1, y = 3.
// Were 4 one more, so would be x, and the optimum less by 1: that is the row's dual.
// Then y ≤ 2, for which the second Solve goes on where the first ended.
func ExampleOpen() {
	s, err := lp.Open("simplex")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	inf := math.Inf(1)
	err = s.Load(&lp.Problem{
		Cost: []float64{-1, -2},
		Lo:   []float64{0, 0},
		Up:   []float64{inf, 3},
		Rows: []lp.Row{{Lo: -inf, Up: 4, Idx: []int32{0, 1}, Val: []float64{1, 1}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, up := range []float64{3, 2} {
		if err := s.SetColBounds(1, 0, up); err != nil {
			log.Fatal(err)
		}
		r, err := s.Solve(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Status, r.Value, "at", r.Primal, "dual", r.Dual)
	}
	// Output:
	// optimal -7 at [1 3] dual [-1]
	// optimal -6 at [2 2] dual [-1]
}
