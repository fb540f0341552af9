package lptest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/hitoku/hitoku/lp"
)

// basis checks BasisKeeper: a basis read at an optimum describes it, restores
// it in the same and in another solver, in a model that has grown since, and
// any nonsense given in its place is repaired.
func (s *suite) basis() error {
	if !s.caps.Basis {
		return nil
	}
	return s.each("basis", "case", s.Cases, func(rng *rand.Rand, k int) error {
		in := plantOptimal(rng, min(20, s.MaxCols))
		if k%3 == 1 {
			in = plantDegenerate(rng, min(20, s.MaxCols))
		}
		return s.roundTrip(rng, in)
	})
}

func (s *suite) roundTrip(rng *rand.Rand, in instance) error {
	t, err := s.twin(in.p)
	if err != nil {
		return err
	}
	defer t.sol.Close()
	keeper := t.sol.(lp.BasisKeeper)
	r, err := s.verdict(t.sol, in)
	if err != nil {
		return err
	}
	var b lp.Basis
	if err := keeper.Basis(&b); err != nil {
		return fmt.Errorf("Basis: %w", err)
	}
	if err := s.describes(in.p, r, &b); err != nil {
		return fmt.Errorf("%w%s", err, show(in.p))
	}

	// Another solver starts at the optimum.
	other, err := s.loaded(in.p)
	if err != nil {
		return err
	}
	defer other.Close()
	if err := other.(lp.BasisKeeper).SetBasis(&b); err != nil {
		return fmt.Errorf("SetBasis: %w", err)
	}
	again, err := s.verdict(other, in)
	if err != nil {
		return fmt.Errorf("from the optimal basis: %w", err)
	}
	if r.Iterations > 5 && again.Iterations > r.Iterations {
		return fmt.Errorf("%d iterations from the optimal basis, %d from none", again.Iterations, r.Iterations)
	}

	// The model changes and grows; the old basis still serves.
	for range 3 {
		j := rng.IntN(in.p.NumCols())
		lo, up, _ := around(rng, smallInt(rng, 5), 0.5, 0)
		if err := errors.Join(t.setCol(j, lo, up), t.addRows(anyRow(rng, in.p.NumCols()))); err != nil {
			return err
		}
		if err := t.compare(false); err != nil {
			return err
		}
		if err := keeper.SetBasis(&b); err != nil {
			return fmt.Errorf("SetBasis with new rows: %w", err)
		}
		if err := t.compare(true); err != nil {
			return fmt.Errorf("from an older basis: %w", err)
		}
	}

	// Nonsense of the right shape.
	all := func(st func() lp.BasisStatus) *lp.Basis {
		c := &lp.Basis{Col: make([]lp.BasisStatus, len(t.p.Cost)), Row: make([]lp.BasisStatus, len(t.p.Rows))}
		for j := range c.Col {
			c.Col[j] = st()
		}
		for i := range c.Row {
			c.Row[i] = st()
		}
		return c
	}
	for name, bad := range map[string]*lp.Basis{
		"all basic":    all(func() lp.BasisStatus { return lp.Basic }),
		"none basic":   all(func() lp.BasisStatus { return lp.AtLower }),
		"all at upper": all(func() lp.BasisStatus { return lp.AtUpper }),
		"all free":     all(func() lp.BasisStatus { return lp.Free }),
		"random":       all(func() lp.BasisStatus { return lp.BasisStatus(rng.IntN(4)) }),
	} {
		if err := keeper.SetBasis(bad); err != nil {
			return fmt.Errorf("SetBasis, %s: %w", name, err)
		}
		if err := t.compare(false); err != nil {
			return fmt.Errorf("from a basis with %s: %w", name, err)
		}
	}
	return nil
}

// describes checks that a basis fits the optimum it was read at: m basic
// columns and rows, the others at the bound they name.
func (s *suite) describes(p *lp.Problem, r *lp.Result, b *lp.Basis) error {
	if len(b.Col) != p.NumCols() || len(b.Row) != len(p.Rows) {
		return fmt.Errorf("basis has %d columns and %d rows, want %d and %d", len(b.Col), len(b.Row), p.NumCols(), len(p.Rows))
	}
	basics := 0
	check := func(what string, k int, st lp.BasisStatus, lo, up, v float64) error {
		want := 0.0
		switch st {
		case lp.Basic:
			basics++
			return nil
		case lp.AtLower:
			want = lo
		case lp.AtUpper:
			want = up
		case lp.Free:
		default:
			return fmt.Errorf("%s %d has basis status %d", what, k, st)
		}
		if !(math.Abs(v-want) <= 10*s.Tol*(1+math.Abs(v))) {
			return fmt.Errorf("%s %d = %g in [%g, %g] has basis status %d", what, k, v, lo, up, st)
		}
		return nil
	}
	var f faults
	for j, st := range b.Col {
		f.add(check("column", j, st, p.Lo[j], p.Up[j], r.Primal[j]), "basis")
	}
	for i, st := range b.Row {
		f.add(check("row", i, st, p.Rows[i].Lo, p.Rows[i].Up, activity(&p.Rows[i], r.Primal)), "basis")
	}
	if basics != len(p.Rows) {
		f.add(fmt.Errorf("%d basic columns and rows, want %d", basics, len(p.Rows)), "basis")
	}
	return f.err()
}
