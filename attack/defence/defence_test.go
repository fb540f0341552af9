package defence

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// key is a secret for tests.
func key(n uint64) (k [32]byte) {
	binary.BigEndian.PutUint64(k[:], n)
	return k
}

// suppressed returns a pattern for t, nil where none protects it.
func suppressed(t *testing.T, tb *table.Table, opt *Options) *Solution {
	t.Helper()
	s, err := Suppress(t.Context(), tb, opt)
	var u *solver.UnprotectableError
	if errors.As(err, &u) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func audited(t *testing.T, tb *table.Table, s *Solution) *interval.Report {
	t.Helper()
	if s == nil {
		t.Fatal("nothing protects the table")
	}
	return must.Get(interval.Audit(t.Context(), tb, s.Pattern, nil))(t)
}

// TestProtects checks the promise on the true table: every interval to protect is as
// wide as asked, by the audit that all patterns go through.
func TestProtects(t *testing.T) {
	for _, kind := range Kinds() {
		for seed := uint64(1); seed <= 20; seed++ {
			tb := square(t, 6, seed)
			if seed%4 == 0 {
				tb = cube(t, 3, 3, 3, seed)
			}
			tb.Strict = seed%2 == 0
			opt := &Options{Kind: kind, Below: 5, Width: 8, Seed: key(seed), PublicSeed: 7, Orders: 5}
			s := suppressed(t, tb, opt)
			if s == nil && (kind == Quantised || seed%4 == 0) {
				continue
			}
			rep := audited(t, tb, s)
			if !rep.Protected {
				t.Errorf("%s, seed %d: not protected", kind, seed)
			}
			for _, c := range rep.Cells {
				if c.Disclosed && tb.Status[c.Index] == table.Safe {
					t.Errorf("%s, seed %d: cell %s is withheld in vain, anyone can compute it", kind, seed, tb.CellName(c.Index))
				}
			}
			for i, open := range s.Pattern {
				if open && tb.Status[i].String() == "z" {
					t.Errorf("%s, seed %d: withholds the published cell %s", kind, seed, tb.CellName(i))
				}
			}
			t.Logf("%s, seed %d: %d protected, %d released, cost %d, %d tests, %s, %.4f s", kind, seed, s.Protected, s.Released, s.Cost, s.Tests, s.Engine, s.Seconds)
		}
	}
}

// TestMagnitudes protects amounts with decimals, levels of their own and bounds, in
// two to four dimensions, margins published or not.
func TestMagnitudes(t *testing.T) {
	done, impossible := 0, 0
	for n, dims := range [][]table.Dimension{
		{flat(t, 0, 8), flat(t, 1, 8)},
		{flat(t, 0, 4), flat(t, 1, 4), flat(t, 2, 4)},
		{tree(t, 0, 3), tree(t, 1, 2)},
		{flat(t, 0, 3), flat(t, 1, 2), flat(t, 2, 3), flat(t, 3, 2)},
		{tree(t, 0, 2), flat(t, 1, 3), flat(t, 2, 3)},
	} {
		for variant := range 4 {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(variant)))
			tb := counts(t, dims, 1, 1, func() int64 { return int64(150000 * math.Exp(1.3*rng.NormFloat64())) })
			tb.Decimals, tb.Counts = 2, false
			for i, st := range tb.Status {
				if variant%2 == 1 {
					tb.Lower[i], tb.Upper[i] = tb.Value[i]/2, 2*tb.Value[i]+100
				}
				switch {
				case st == table.Safe && rng.Float64() < 0.08:
					tb.Status[i], tb.Width[i] = table.Sensitive, tb.Value[i]*3/10
				case st == table.Published && variant >= 2:
					tb.Status[i] = table.Safe
				}
			}
			s := suppressed(t, tb, &Options{Kind: Simulatable})
			if s == nil {
				impossible++
				continue
			}
			if done++; !audited(t, tb, s).Protected {
				t.Errorf("%d cells in %d dimensions, variant %d: not protected", tb.Len(), len(dims), variant)
			}
		}
	}
	t.Logf("%d tables, %d that cannot be protected", done, impossible)
	if done < 15 {
		t.Error("too few tables")
	}
}
