package rounding

import (
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/num"
	"github.com/hitoku/hitoku/table"
)

// Conventional rounds every cell by itself to the nearest multiple of base, halves away from zero. Sums need not hold any more; it is
// there to be compared with.
func Conventional(t *table.Table, base int64) []int64 {
	y := make([]int64, t.Len())
	for i, v := range t.Value {
		y[i] = (num.Abs(v) + base/2) / base * base
		if v < 0 {
			y[i] = -y[i]
		}
	}
	return y
}

// Random rounds every cell by itself up with probability rest/base and down else, so that its expectation is the value (Fellegi 1975, Statistics Canada's random
// rounding). Sums need not hold any more. The same seed gives the same table.
func Random(t *table.Table, base int64, seed [32]byte) []int64 {
	rng := rand.New(rand.NewChaCha8(seed))
	y := make([]int64, t.Len())
	for i, v := range t.Value {
		f := num.FloorDiv(v, base)
		if rest := v - f*base; rest > 0 && rng.Int64N(base) < rest {
			f++
		}
		y[i] = f * base
	}
	return y
}

// Broken counts the relations of t that y does not satisfy.
func Broken(t *table.Table, y []int64) int {
	n := 0
	for j := range t.Rel.Len() {
		if _, zero := t.Rel.Residual(j, y); !zero {
			n++
		}
	}
	return n
}
