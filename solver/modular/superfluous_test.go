package modular

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A run that a limit ends before anything is improved returns no cell withheld for others
// that can be computed from what is published.
func TestNothingSuperfluous(t *testing.T) {
	ctx := t.Context()
	found := 0
	for seed := range uint64(90) {
		rng := rand.New(rand.NewPCG(seed, 31))
		all := shapes(t)
		tab := draw(t, rng, all[seed%uint64(len(all))]...)
		m := newRun(t.Context(), tab, newClasses(tab.Rel), &solver.Options{Workers: 1})
		err := m.pass(ctx)
		if err == nil {
			err = m.repair(ctx)
		}
		var e *exposedError
		if errors.As(err, &e) {
			m.close()
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		before := m.cost()
		sol := m.solution(solver.Feasible)
		m.close()
		if sol.Cost < before {
			found++
		}
		if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		report, err := interval.Audit(ctx, tab, sol.Pattern, &interval.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range report.Cells {
			if c.Disclosed && tab.Status[c.Index] == table.Safe {
				t.Errorf("seed %d: cell %s is withheld but can be computed", seed, tab.CellName(c.Index))
			}
		}
	}
	if found == 0 {
		t.Error("no pattern had a cell to spare: too few to tell anything")
	}
}
