package modular

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// mute is a back end that never has a verdict.
type mute struct{ lp.Solver }

func (mute) Solve(context.Context) (*lp.Result, error) { return &lp.Result{Raw: "no verdict"}, nil }

// methods are the ways to a pattern of a large table.
var methods = map[string]func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error){"modular": Suppress, "whole": Whole, "quick": Quick}

// settled fails unless sol and err are a protected pattern of tab, or tab is exposed and they say so.
func settled(t *testing.T, tab *table.Table, exposed bool, sol *solver.Solution, err error) {
	t.Helper()
	if exposed {
		if !errors.As(err, new(*solver.UnprotectableError)) || sol.Status != solver.Unprotectable {
			t.Errorf("unprotectable, and the answer is %+v, %v", sol, err)
		}
		return
	}
	if err != nil || sol.Pattern == nil || sol.Bound > sol.Cost {
		t.Errorf("protectable, and the answer is %+v, %v", sol, err)
		return
	}
	if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil {
		t.Error(err)
	}
}

// Whatever the limit, the method and the back end, a table that can be protected gets a protected pattern, and of one that cannot it is said.
func TestAlwaysAPattern(t *testing.T) {
	t.Parallel()
	name, end := lp.Lend("mute", func() (lp.Solver, error) {
		s, err := lp.Open("simplex")
		return mute{s}, err
	})
	t.Cleanup(end)
	seen, n := [2]int{}, -1
	try := func(tab *table.Table, exposed bool) {
		for k, method := range []string{"modular", "quick"} {
			if !heavy.On() && k != (n+n/2+n/24)%2 { // the one or the other in turn
				continue
			}
			find := methods[method]
			for _, o := range []solver.Options{{TimeLimit: 1}, {TimeLimit: time.Millisecond}, {TimeLimit: 30 * time.Millisecond, Certificate: true},
				{TimeLimit: 5 * time.Millisecond, LP: name, Workers: 1}, {TimeLimit: 1, LP: name, Certificate: true}} {
				sol, err := find(t.Context(), tab, &o)
				if settled(t, tab, exposed, sol, err); t.Failed() {
					t.Fatalf("%s of %d cells, limit %v, back end %q", method, tab.Len(), o.TimeLimit, o.LP)
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(3, 16))
	moverTables(t, rng, func(tab *table.Table) {
		if n++; n%8 > 3 || !heavy.On() && n/8%3 > 0 { // with and without names, every other one with most cells published
			return
		}
		if n%8 > 1 {
			for i, st := range tab.Status {
				if st == table.Safe && rng.IntN(4) > 0 {
					tab.Status[i] = table.Published
				}
			}
		}
		_, err := solver.Suppress(t.Context(), tab, &solver.Options{Gap: 0.99})
		exposed := errors.As(err, new(*solver.UnprotectableError))
		if exposed {
			seen[1]++
		} else {
			seen[0]++
		}
		try(tab, exposed)
	})
	if seen[0] < 5 || seen[1] < 5 {
		t.Fatalf("%d tables that can be protected and %d that cannot say little", seen[0], seen[1])
	}
	large := draw(t, rand.New(rand.NewPCG(13, 16)), tree(t, "A", 20), tree(t, "B", 20), tree(t, "C", 9))
	for i, st := range large.Status {
		if st == table.Published {
			large.Status[i] = table.Safe
		}
	}
	for _, tab := range []*table.Table{large, nameless(large)} {
		for method, find := range methods {
			sol, err := find(t.Context(), tab, &solver.Options{TimeLimit: 1})
			if settled(t, tab, false, sol, err); t.Failed() {
				t.Fatalf("%s of %d cells", method, tab.Len())
			}
		}
	}
}
