package solver

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
)

// Costs near 10^14 and 10^16 that differ by units: what is called optimal is the cheapest of
// all patterns to the unit, and no bound is above it.
func TestLargeCosts(t *testing.T) {
	t.Parallel()
	solved, tables := 0, heavy.Draws(2000)
	if testing.Short() {
		tables = 600
	}
	for i := range tables {
		rng := rand.New(rand.NewPCG(uint64(i), 71))
		tab := randomTable(rng, shapes[i%len(shapes)], 4+rng.IntN(5), i)
		most := [2]int64{1e13, 1e15}[i%2]
		for k := range tab.Cost {
			if tab.Cost[k] > 0 {
				tab.Cost[k] = most + rng.Int64N(1+int64(i%3)*most/2) + int64(rng.IntN(3))
			}
		}
		want, cost := bruteForce(tab)
		for _, backend := range []string{"simplex", "gonum"} {
			if backend == "gonum" && i%2 != 0 {
				continue
			}
			got, err := Suppress(t.Context(), tab, &Options{LP: backend, Workers: 1})
			var u *UnprotectableError
			if want == nil {
				if !errors.As(err, &u) {
					t.Fatalf("table %d: %v; no pattern protects it", i, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("table %d: %v", i, err)
			}
			solved++
			if got.Status != Optimal || got.Cost != cost || got.Bound != cost {
				t.Errorf("table %d, %s: %s cost %d bound %d, brute force %d", i, backend, got.Status, got.Cost, got.Bound, cost)
			}
		}
	}
	if solved < tables/10 {
		t.Errorf("%d tables solved: too few to mean much", solved)
	}
}

// A longSum of many products of all sizes is right to its last digit.
func TestLongSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		var s longSum
		exact, size := new(big.Rat), 0.0
		for range 1 + rng.IntN(300) {
			a, b := math.Ldexp(rng.Float64()-0.5, rng.IntN(60)), math.Ldexp(rng.Float64()-0.5, rng.IntN(40))
			s.addProduct(a, b)
			exact.Add(exact, new(big.Rat).Mul(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b)))
			size += math.Abs(a * b)
		}
		want, _ := exact.Float64()
		if d := math.Abs(s.value() - want); d > 0x1p-52*math.Abs(want)+0x1p-96*size {
			t.Errorf("%v, want %v", s.value(), want)
		}
	}
}
