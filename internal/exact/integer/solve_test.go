package integer

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestBruteForce compares with all points of small boxes.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	found, none := 0, 0
	for n := range 300 {
		cols := rng.IntN(5)
		p := &Program{}
		for range cols {
			lo := rng.Int64N(5) - 2
			p.Cost = append(p.Cost, rng.Int64N(21)-10)
			p.Lo, p.Up = append(p.Lo, lo), append(p.Up, lo+rng.Int64N(4))
		}
		for range rng.IntN(4) {
			r := Row{Lo: rng.Int64N(9) - 4}
			for i := range cols {
				if c := rng.Int64N(7) - 3; c != 0 {
					r.Idx, r.Coef = append(r.Idx, int32(i)), append(r.Coef, c)
				}
			}
			switch r.Up = r.Lo + rng.Int64N(4); rng.IntN(4) {
			case 0:
				r.Up = None
			case 1:
				r.Lo = -None
			}
			p.Rows = append(p.Rows, r)
		}
		best := int64(None)
		z := make([]int64, cols)
		var try func(i int)
		try = func(i int) {
			if i == cols {
				if p.Holds(z) {
					best = min(best, p.value(z))
				}
				return
			}
			for z[i] = p.Lo[i]; z[i] <= p.Up[i]; z[i]++ {
				try(i + 1)
			}
		}
		try(0)
		r, err := Solve(context.Background(), p, nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case best == None:
			none++
			if r.Status != Infeasible || r.Z != nil {
				t.Errorf("%d: %s, but there is no point", n, r.Status)
			}
		default:
			found++
			if r.Status != Optimal || r.Value != best || r.Bound != best || !p.Holds(r.Z) || p.value(r.Z) != best {
				t.Errorf("%d: %s %d (bound %d), the best is %d", n, r.Status, r.Value, r.Bound, best)
			}
		}
	}
	if found < 100 || none < 20 {
		t.Errorf("%d found, %d without any", found, none)
	}
}
