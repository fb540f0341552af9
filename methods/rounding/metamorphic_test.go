package rounding

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// TestTimes multiplies table and base: nothing else changes. Twice the same gives the same.
func TestTimes(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(15, 16))
	for n := range 20 {
		tab := cube(t, rng, 30, 3, 4)
		if n%2 == 1 {
			tab = cube(t, rng, 30, 3, 3, 3)
		}
		more := tab.Clone()
		for i := range more.Value {
			more.Value[i] *= 7
		}
		for _, part := range []bool{false, true} {
			one := must.Get(Round(context.Background(), tab, &Options{Base: 4, Steps: 2, Partitioned: part}))(t)
			again := must.Get(Round(context.Background(), tab, &Options{Base: 4, Steps: 2, Partitioned: part}))(t)
			seven := must.Get(Round(context.Background(), more, &Options{Base: 28, Unit: 7, Steps: 2, Partitioned: part}))(t)
			if !slices.Equal(one.Value, again.Value) {
				t.Errorf("%d: not the same twice", n)
			}
			if one.Status != seven.Status || !part && one.Distance*7 != seven.Distance {
				t.Errorf("%d: %s %d, seven times %s %d", n, one.Status, one.Distance, seven.Status, seven.Distance)
			}
		}
	}
}

// TestStopped ends calls before they begin: they have nothing, and no error.
func TestStopped(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 18))
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, tab := range []*table.Table{cube(t, rng, 30, 3, 4), cube(t, rng, 30, 3, 3, 3)} {
		for i := range tab.Value {
			if tab.Value[i] > 20 {
				tab.Status[i], tab.UPL[i] = table.Sensitive, 1
			}
		}
		for _, part := range []bool{false, true} {
			r, err := Round(ctx, tab, &Options{Base: 4, Protect: true, Partitioned: part})
			if err != nil || r.Status != solver.None && r.Status != solver.Optimal || r.Status == solver.None && r.Value != nil {
				t.Errorf("%v %+v", err, r)
			}
		}
	}
}
