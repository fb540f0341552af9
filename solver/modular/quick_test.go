package modular

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Quick has a protected pattern with a bound that is none too high, of tables with and without variables, small and
// large, and says of one that cannot be protected so.
func TestQuick(t *testing.T) {
	t.Parallel()
	limit := 150 * time.Millisecond
	if heavy.On() {
		limit = time.Second
	}
	rng := rand.New(rand.NewPCG(13, 14))
	for range 10 {
		tab := draw(t, rng, tree(t, "A", 3, 2), tree(t, "B", 3), tree(t, "C", 2))
		exact, err := solver.Suppress(t.Context(), tab, nil)
		var u *solver.UnprotectableError
		exposed := errors.As(err, &u)
		sol, err := Quick(t.Context(), tab, nil)
		if errors.As(err, &u) != exposed {
			t.Fatalf("%v, but the exact search says otherwise", err)
		}
		if !exposed && (sol.Cost < exact.Cost || sol.Bound > exact.Cost) {
			t.Errorf("cost %d, bound %d, the optimum is %d", sol.Cost, sol.Bound, exact.Cost)
		}
	}
	large := draw(t, rng, tree(t, "A", 20), tree(t, "B", 20), tree(t, "C", 9))
	treed := draw(t, rng, tree(t, "A", 4, 4), tree(t, "B", 4, 3), tree(t, "C", 3))
	for _, tab := range []*table.Table{large, nameless(large), treed} {
		if len(tab.Dims) > 0 && tab.Len() < firstFrom(tab) {
			t.Fatalf("%d cells", tab.Len())
		}
		sol, err := Quick(t.Context(), tab, &solver.Options{TimeLimit: limit})
		if err != nil {
			t.Fatal(err)
		}
		if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil || sol.Bound > sol.Cost || sol.FirstSeconds <= 0 {
			t.Errorf("%s, cost %d, bound %d: %v", sol.Status, sol.Cost, sol.Bound, err)
		}
	}
}
