package integer

import (
	"math/rand/v2"
	"testing"
)

// TestResidue asks of drawn programs that all points have a value that is offset modulo step, and that steps above the common divisor of the costs are found where tables
// add up.
func TestResidue(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	doubled := 0
	for n := range 400 {
		p := &Program{}
		cols := 2 + rng.IntN(5)
		for range cols {
			lo := rng.Int64N(3) - 1
			p.Cost = append(p.Cost, rng.Int64N(15)-7)
			p.Lo, p.Up = append(p.Lo, lo), append(p.Up, lo+rng.Int64N(3))
		}
		if n%3 == 0 { // odd costs, of which every column is in one equation
			for i := range p.Cost {
				p.Cost[i] = 2*rng.Int64N(5) - 5
			}
		}
		inner := make([]int64, cols)
		for i := range inner {
			inner[i] = p.Lo[i] + rng.Int64N(p.Up[i]-p.Lo[i]+1)
		}
		for at := 0; at < cols; {
			r := Row{}
			for range 1 + rng.IntN(cols-at) {
				r.Idx, r.Coef = append(r.Idx, int32(at)), append(r.Coef, 2*rng.Int64N(2)-1)
				at++
			}
			r.Lo = r.sum(inner)
			if r.Up = r.Lo; rng.IntN(4) == 0 && n%3 != 0 {
				r.Up++
			}
			p.Rows = append(p.Rows, r)
		}
		step, offset := p.residue(p.Lo, p.Up)
		if n%3 == 0 && step%2 == 0 {
			doubled++
		}
		z := make([]int64, cols)
		var try func(i int)
		try = func(i int) {
			if i < cols {
				for z[i] = p.Lo[i]; z[i] <= p.Up[i]; z[i]++ {
					try(i + 1)
				}
				return
			}
			if p.Holds(z) && mod(p.value(z), step) != offset {
				t.Fatalf("%d: %v has the value %d, which is not %d modulo %d", n, z, p.value(z), offset, step)
			}
		}
		try(0)
	}
	if doubled < 100 {
		t.Errorf("%d programs with a double step", doubled)
	}
}
