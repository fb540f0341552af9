package guard

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Patterns against insiders, or under the singleton rule, withhold for others no cell that
// anyone can compute, although the search ends at its first pattern, and keep their promise:
// cells are published only where the witnesses of the sums to protect stand as well.
func TestNothingSuperfluous(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	guarded, ruled := 0, 0
	for n := range 400 {
		tab := tabletest.Ones(t, r, 3, 4)
		if n%2 > 0 {
			tab = singleTable(t, r)
		}
		for i := range tab.Cost {
			if r.IntN(2) == 0 {
				tab.Cost[i] = 0 // nothing but order keeps these from being withheld
			}
		}
		start := make([]bool, tab.Len())
		for i := range start {
			start[i] = tab.Status[i] != table.Published && r.IntN(5) > 1
		}
		// The search begins with those cells, where they protect the table, and stops there.
		first := func(ctx context.Context, u *table.Table, o *solver.Options) (*solver.Solution, error) {
			own := *o
			own.Start = append(slices.Clone(start), make([]bool, u.Len()-len(start))...)
			return solver.Suppress(ctx, u, &own)
		}
		opt := &solver.Options{Gap: 0.999, Workers: 1}
		if n%2 == 0 {
			g, err := Insiders(t.Context(), tab, opt, nil)
			if err != nil {
				continue
			}
			if exposes(t, tab, g.Pattern) {
				t.Errorf("table %d: a contributor computes another's cell", n)
			}
			necessary(t, tab, g.Pattern)
			guarded++
			continue
		}
		rule := SingletonRule{Single: true, Multiple: true}
		s, _, err := rule.Suppress(t.Context(), tab, opt, first)
		if u := (*solver.UnprotectableError)(nil); errors.As(err, &u) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range sums(tab, rule) {
			if !together(t, tab, s.Pattern, c) {
				t.Errorf("table %d: the rule is broken at the cells %v", n, c)
			}
		}
		necessary(t, tab, s.Pattern)
		ruled++
	}
	if guarded < 100 || ruled < 100 {
		t.Errorf("%d patterns against insiders, %d by the rule: too few", guarded, ruled)
	}
}

// necessary reports cells withheld for others that can be computed.
func necessary(t *testing.T, tab *table.Table, pattern []bool) {
	t.Helper()
	report := must.Get(interval.Audit(t.Context(), tab, pattern, nil))(t)
	for _, c := range report.Cells {
		if c.Disclosed && tab.Status[c.Index] == table.Safe {
			t.Errorf("cell %s is withheld but can be computed", tab.CellName(c.Index))
		}
	}
}
