package partial_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/solver"
)

// The program solved in full and by cutting planes have one optimum.
func TestSplitting(t *testing.T) {
	t.Parallel()
	asked := 0
	for seed := uint64(3); seed < 8; seed++ {
		rng := rand.New(rand.NewPCG(seed, 6))
		tab := draw(rng, int(seed), 3)
		opt := &partial.Options{Secret: [32]byte{1}, Absolute: seed%2 == 0, Workers: 1}
		best, err := partial.Suppress(context.Background(), tab, opt)
		if err != nil {
			continue
		}
		asked++
		bound, cost, err := partial.Split(context.Background(), tab, opt)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		optimum, _ := best.Optimum.Float64()
		if bound.Cmp(best.Optimum) > 0 {
			t.Fatalf("seed %d: bound %v, optimum %v", seed, bound, best.Optimum)
		}
		proved, _ := bound.Float64()
		if cost == 0 || cost < optimum*(1-1e-4) || cost > optimum*(1+1e-3) || proved < optimum*(1-1e-3) {
			t.Errorf("seed %d: %g to %g, want %g", seed, proved, cost, optimum)
		}
	}
	if asked < 3 {
		t.Errorf("%d tables: the test says little", asked)
	}
}

// Cutting planes alone take 166 rounds.
func TestHardTable(t *testing.T) {
	t.Parallel()
	in := must.Get(formats.Read(shared.Path(t, "instances/generated/3d_6_mag.jj.gz"), formats.Options{}))(t)
	s := must.Get(partial.Suppress(context.Background(), in.Table, &partial.Options{Ends: partial.Ends{Plain: true}, Workers: 1}))(t)
	holds(t, in.Table, s)
	if want := big.NewRat(1640, 1); s.Status != solver.Optimal || s.Bound.Cmp(want) > 0 || s.Optimum.Cmp(want) < 0 || s.Rounds > 40 {
		t.Errorf("%s, %v to %v after %d rounds, want %v optimal after at most 40", s.Status, s.Bound, s.Optimum, s.Rounds, want)
	}
}
