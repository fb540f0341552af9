package solver

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
)

// On tables with at most 14 cells to choose from, the cost equals brute force over
// all patterns, and the canonical pattern is the brute-force one.
func TestBruteForce(t *testing.T) {
	tables := heavy.Draws(2400)
	if testing.Short() {
		tables = 300
	}
	const parts = 7 // has no divisor in common with the period of the larger tables, 20
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for i := part; i < tables; i += parts {
				rng := rand.New(rand.NewPCG(uint64(i), 1))
				s := shapes[i/3%len(shapes)]
				free := 4 + rng.IntN(6)
				if i%20 == 0 {
					free = 14
				}
				tab := randomTable(rng, s, free, i)
				want, cost := bruteForce(tab)
				got, err := Suppress(t.Context(), tab, &Options{Canonical: true, Workers: 1})
				var u *UnprotectableError
				switch {
				case want == nil:
					if !errors.As(err, &u) || got.Status != Unprotectable {
						t.Fatalf("table %d (%s): Suppress = %+v, %v; no pattern protects it", i, s.name, got, err)
					}
				case err != nil:
					t.Fatalf("table %d (%s): %v; brute force finds cost %d", i, s.name, err, cost)
				case got.Status != Optimal || got.Cost != cost || got.Bound != cost:
					t.Fatalf("table %d (%s): %s cost %d bound %d, brute force %d", i, s.name, got.Status, got.Cost, got.Bound, cost)
				case certificate.Protects(tab, got.Pattern, got.Witnesses) != nil:
					t.Fatalf("table %d (%s): %v", i, s.name, certificate.Protects(tab, got.Pattern, got.Witnesses))
				case !slices.Equal(got.Pattern, want):
					t.Fatalf("table %d (%s): canonical pattern %v, brute force %v", i, s.name, got.Pattern, want)
				}
			}
		})
	}
}
