package solver

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// However a search ends, no pattern of it withholds for others a cell that anyone can
// recompute from what is published: that would protect nothing.
func TestNothingSuperfluous(t *testing.T) {
	const tables, parts = 1200, 4
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for i := part; i < tables; i += parts {
				rng := rand.New(rand.NewPCG(uint64(i), 21))
				tab := randomTable(rng, shapes[i%len(shapes)], 4+rng.IntN(40), i/8)
				ctx, cancel := context.WithCancel(t.Context())
				o := Options{Workers: 1, Certificate: rng.IntN(4) == 0, Canonical: rng.IntN(4) == 0}
				switch rng.IntN(4) {
				case 0:
					o.Gap = 0.99
				case 1: // stopped at the first pattern
					o.Progress = func(p Progress) {
						if p.Upper < 1e18 {
							cancel()
						}
					}
				case 2:
					o.Start = make([]bool, tab.Len())
					for k := range o.Start {
						o.Start[k] = tab.Status[k] != table.Published
					}
					o.Gap = 0.999
				}
				s, err := Suppress(ctx, tab, &o)
				cancel()
				var u *UnprotectableError
				if errors.As(err, &u) || errors.Is(err, ErrNoSolution) {
					continue
				}
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatalf("table %d: %v", i, err)
				}
				if err := certificate.Protects(tab, s.Pattern, s.Witnesses); err != nil {
					t.Fatalf("table %d: %v", i, err)
				}
				report, err := interval.Audit(t.Context(), tab, s.Pattern, &interval.Options{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range report.Cells {
					if c.Disclosed && tab.Status[c.Index] == table.Safe {
						t.Errorf("table %d (%s, %s): cell %s is withheld but can be computed", i, tab.Name, s.Status, tab.CellName(c.Index))
					}
				}
			}
		})
	}
}
