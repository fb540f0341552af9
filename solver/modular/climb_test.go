package modular

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// More of a limit never gives a dearer pattern or fewer proofs, and one that is not reached gives the pattern that there is without.
func TestClimb(t *testing.T) {
	t.Parallel()
	rounds, most := 2, 5*time.Millisecond
	if heavy.On() {
		rounds, most = 8, 40*time.Millisecond
	}
	rng := rand.New(rand.NewPCG(21, 22))
	reached := 0
	for _, dims := range productShapes(t)[:3] {
		for round := range rounds {
			tab := draw(t, rng, dims...)
			if round%2 == 1 {
				tab = nameless(tab)
			}
			ctx := work.Metered(t.Context())
			whole, err := Suppress(ctx, tab, &solver.Options{Workers: 1})
			var no *solver.UnprotectableError
			if errors.As(err, &no) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			took, last := work.Since(ctx, time.Unix(0, 0)), int64(math.MaxInt64)
			for limit := time.Microsecond; limit < most; limit *= 2 {
				ctx := work.Metered(t.Context())
				s, err := Suppress(ctx, tab, &solver.Options{Workers: 1, TimeLimit: limit})
				if err != nil {
					t.Fatal(err)
				}
				if s.Cost > last {
					t.Errorf("%s, round %d: cost %d within %v, %d within less", tab.Name, round, s.Cost, limit, last)
				}
				if last = s.Cost; s.Cost > whole.Cost && s.Status == solver.Optimal {
					t.Errorf("%s, round %d: cost %d, which is said to be least, within %v, %d without a limit", tab.Name, round, s.Cost, limit, whole.Cost)
				}
				if s.Cost > whole.Cost {
					reached++
				}
			}
			if last > whole.Cost && took < most/4 {
				t.Errorf("%s, round %d: cost %d within more than the work that finds cost %d", tab.Name, round, last, whole.Cost)
			}
		}
	}
	if reached == 0 {
		t.Error("no limit was reached")
	}
}

// The same of the exact search of the whole table with a first pattern that is improved, beside it in small tables and before it in larger ones.
func TestWholeLimits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(23, 24))
	most, shapes := 200*time.Millisecond, [][]table.Dimension{{tree(t, "A", 4, 3), tree(t, "B", 3, 3), tree(t, "C", 4)}}
	if heavy.On() {
		most, shapes = time.Second, append(shapes, []table.Dimension{tree(t, "A", 4, 4), tree(t, "B", 3, 3), tree(t, "C", 3, 3)}, []table.Dimension{tree(t, "A", 4, 4), tree(t, "B", 4, 4), tree(t, "C", 4, 3)})
	}
	found := 0
	for n := range 3 * len(shapes) {
		tab := draw(t, rng, shapes[n/3]...)
		last := int64(math.MaxInt64)
		for limit := 5 * time.Millisecond; limit < most; limit *= 2 {
			s, err := Whole(t.Context(), tab, &solver.Options{TimeLimit: limit})
			var no *solver.UnprotectableError
			if errors.As(err, &no) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			found++
			if s.Cost > last {
				t.Errorf("%d cells: cost %d within %v, %d within less", tab.Len(), s.Cost, limit, last)
			}
			last = s.Cost
		}
	}
	if found == 0 {
		t.Error("no table can be protected")
	}
}
