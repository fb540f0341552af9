package solver

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/gonum"
	"github.com/hitoku/hitoku/table"
)

// readExact reads a table of testdata/exact. As in the command, cells without levels are
// guarded against exact disclosure.
func readExact(t *testing.T, name string, strict bool) *table.Table {
	t.Helper()
	in := must.Get(formats.Read(filepath.Join("testdata", "exact", name+".jj"), formats.Options{}))(t)
	tab := in.Table
	tab.Strict = strict
	for i, s := range tab.Status {
		if s == table.Sensitive && tab.LPL[i]|tab.UPL[i]|tab.Width[i] == 0 {
			tab.Strict = true
		}
	}
	return tab
}

// Values near 10^13 and coefficients that make long fractions: what can be protected is,
// and what cannot is named with its widest interval, whatever the back end.
func TestLongFractions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		strict bool
		cost   int64 // −1: unprotectable
		cell   string
	}{
		{"min_inexact1", false, -1, "1"},
		{"min_inexact2", false, -1, "19"},
		{"bulk300_b4_123", false, -1, "25"},
		{"min_inexact_protectable", false, 1, ""},
		{"cut_capacities", false, 1, ""},
		{"min_refused_protectable_hier", false, 8, ""},
		{"bulk200_b2_178", false, 2, ""},
		{"bulk300_b11_98", false, 58594, ""},
		{"bulk300_b37_156", false, 108, ""},
		{"bulk400_b42_11", true, 209825, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.name == "bulk400_b42_11" {
				t.Skip("a search of seconds")
			}
			for _, backend := range lp.Backends() {
				tab := readExact(t, c.name, c.strict)
				if backend != "simplex" && tab.Len() > 12 {
					continue // slow by design: gonum's tableau is dense
				}
				sol, err := Suppress(t.Context(), tab, &Options{LP: backend})
				var u *UnprotectableError
				if c.cost < 0 {
					if !errors.As(err, &u) || u.Cell != c.cell || sol.Status != Unprotectable {
						t.Errorf("%s: %v, want cell %s unprotectable", backend, err, c.cell)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", backend, err)
				}
				if sol.Status != Optimal || sol.Cost != c.cost {
					t.Errorf("%s: %v, cost %d, want an optimum of %d", backend, sol.Status, sol.Cost, c.cost)
				}
				if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil {
					t.Errorf("%s: %v", backend, err)
				}
				rep, err := interval.Audit(t.Context(), tab, sol.Pattern, &interval.Options{LP: backend})
				if err != nil || !rep.Protected {
					t.Errorf("%s: the audit says protected %v, %v", backend, rep != nil && rep.Protected, err)
				}
			}
		})
	}
}

// A back end that gives up, sooner or later, does not end the search, nor an audit.
func TestBackEndGivesUp(t *testing.T) {
	t.Parallel()
	tab := readExact(t, "min_refused_protectable_hier", false)
	for _, calls := range []int{0, 1, 3} {
		name, done := lp.Lend("failing", func() (lp.Solver, error) {
			s, err := lp.Open("simplex")
			return &failing{Solver: s, left: calls}, err
		})
		sol, err := Suppress(t.Context(), tab, &Options{LP: name, Workers: 1})
		rep, wrong := interval.Audit(t.Context(), tab, sol.Pattern, &interval.Options{LP: name, Engine: "simplex"})
		done()
		if wrong != nil || !rep.Protected {
			t.Errorf("failing after %d calls: the audit says %+v, %v", calls, rep, wrong)
		}
		if err != nil || sol.Status != Optimal || sol.Cost != 8 {
			t.Errorf("failing after %d calls: %+v, %v, want an optimum of 8", calls, sol, err)
			continue
		}
	}
}

// failing is a back end that gives up after some calls, with an error if it is loud.
type failing struct {
	lp.Solver
	left int
	loud bool
}

func (f *failing) Solve(ctx context.Context) (*lp.Result, error) {
	if f.left--; f.left < 0 {
		if f.loud {
			return nil, errors.New("the back end failed")
		}
		return &lp.Result{Status: lp.Unknown, Raw: "gives up"}, nil
	}
	return f.Solver.Solve(ctx)
}

// Costs of more than 53 bits: the pattern found by the canonical search is cheaper by one unit than that before it,
// which sums in floating point do not tell apart. Cost is that of the pattern.
func TestCanonicalCostBeyondFloats(t *testing.T) {
	t.Parallel()
	tab := readExact(t, "cost_beyond_floats", false)
	s := must.Get(Suppress(t.Context(), tab, &Options{Canonical: true}))(t)
	cost := int64(0)
	for i, in := range s.Pattern {
		if in && tab.Status[i] == table.Safe {
			cost += tab.Cost[i]
		}
	}
	if s.Cost != cost || s.Bound > cost {
		t.Errorf("cost %d, bound %d, the pattern costs %d", s.Cost, s.Bound, cost)
	}
}

// A bound of 1.67·10^14 is right to the unit, whatever the back end.
func TestBoundBeyondFloats(t *testing.T) {
	tab := readExact(t, "false_bound_gonum", false)
	for _, backend := range lp.Backends() {
		sol, err := Suppress(t.Context(), tab, &Options{LP: backend})
		if err != nil || sol.Status != Optimal || sol.Cost != 167082426337279 || sol.Bound != sol.Cost {
			t.Errorf("%s: %+v, %v", backend, sol, err)
		}
	}
}

// A cell that moves together with a withheld one before it comes, in the canonical order, where it
// stands itself.
func TestCanonicalBesideGivenCells(t *testing.T) {
	for _, name := range []string{"canonical_given", "canonical_given_flat"} {
		tab := readExact(t, name, false)
		sol, err := Suppress(t.Context(), tab, &Options{Canonical: true})
		if err != nil || !slices.Equal(sol.Pattern, []bool{true, true, true, false, true}) {
			t.Errorf("%s: %+v, %v, want the pattern 0 1 2 4", name, sol, err)
		}
	}
}

// The canonical search of a table with a certificate needs no proof of its nodes.
func TestCanonicalWithCertificate(t *testing.T) {
	tab := readExact(t, "canonical_certificate", false)
	for _, backend := range lp.Backends() {
		if sol, err := Suppress(t.Context(), tab, &Options{LP: backend, Canonical: true, Certificate: true}); err != nil || sol.Certificate == nil {
			t.Errorf("%s: %+v, %v", backend, sol, err)
		}
	}
}
