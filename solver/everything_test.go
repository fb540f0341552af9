package solver

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// settled fails unless sol and err are a protected pattern of tab or, if cost is below 0, the proof that there is none.
func settled(t interface {
	Helper()
	Fatalf(string, ...any)
}, tab *table.Table, cost int64, sol *Solution, err error) {
	t.Helper()
	var u *UnprotectableError
	switch {
	case cost < 0 && errors.As(err, &u) && sol.Status == Unprotectable:
		return
	case cost < 0:
		t.Fatalf("unprotectable, and the answer is %+v, %v", sol, err)
	case err != nil || sol.Pattern == nil:
		t.Fatalf("cost %d, and the answer is %+v, %v", cost, sol, err)
	case sol.Cost < cost || sol.Bound > cost:
		t.Fatalf("cost %d, and the answer is cost %d, bound %d", cost, sol.Cost, sol.Bound)
	}
	if err := certificate.Protects(tab, sol.Pattern, sol.Witnesses); err != nil {
		t.Fatalf("%v", err)
	}
	moved := certificate.Moved(tab, sol.Witnesses)
	for i, in := range sol.Pattern {
		if in && tab.Status[i] == table.Safe && !moved[i%len(moved)] {
			t.Fatalf("cell %d is withheld and no witness moves it", i)
		}
	}
}

// Whatever the limit, the method and the back end, a table that can be protected gets a protected pattern, and of one that cannot it is said.
func TestAlwaysAPattern(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tab := draw(t)
		want := cost(t, tab, Options{})
		o := Options{TimeLimit: rapid.SampledFrom([]time.Duration{0, 1, time.Microsecond, 100 * time.Microsecond, time.Millisecond}).Draw(t, "limit"),
			Canonical: rapid.Bool().Draw(t, "canonical"), Certificate: rapid.Bool().Draw(t, "certificate"), off: techniques{joint: rapid.Bool().Draw(t, "apart")}}
		if rapid.Bool().Draw(t, "failing") {
			after, loud := rapid.IntRange(0, 60).Draw(t, "after"), rapid.Bool().Draw(t, "loud")
			name, end := lp.Lend("failing", func() (lp.Solver, error) {
				s, err := lp.Open("simplex")
				return &failing{Solver: s, left: after, loud: loud}, err
			})
			defer end()
			o.LP, o.Workers = name, 1
		}
		sol, err := Suppress(context.Background(), tab, &o)
		settled(t, tab, want, sol, err)
		if o.TimeLimit == 0 && o.LP == "" && want >= 0 && sol.Cost != want {
			t.Fatalf("cost %d without a limit, want %d", sol.Cost, want)
		}
		if o.Certificate && sol.Certificate == nil {
			t.Fatalf("no certificate of %s", sol.Status)
		}
		all, err := Everything(context.Background(), tab, &o, nil)
		settled(t, tab, want, all, err)
	})
}

// The same of larger tables: programs for many levels, and exact arithmetic for each where those are switched off.
func TestEverything(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"generated/2d_20_mag", "generated/3d_6_mag", "generated/4d_3_mag", "generated/hier2_3.3_mag", "real/tau_ind3_size"} {
		in := must.Get(formats.Read(shared.Path(t, "instances/"+name+".jj.gz"), formats.Options{}))(t)
		for _, apart := range []bool{false, true} {
			sol, err := Everything(t.Context(), in.Table, &Options{TimeLimit: 1, off: techniques{joint: apart}}, nil)
			settled(t, in.Table, 0, sol, err)
			less, err := Everything(t.Context(), in.Table, &Options{off: techniques{joint: apart}}, nil)
			settled(t, in.Table, 0, less, err)
			if less.Cost > sol.Cost {
				t.Errorf("%s: cost %d after cleaning, %d before", name, less.Cost, sol.Cost)
			}
		}
	}
}

// A search that is asked to be punctual ends without a pattern, and so does one whose context ends.
func TestPunctual(t *testing.T) {
	t.Parallel()
	tab := small3D(t)
	sol, err := Suppress(t.Context(), tab, &Options{TimeLimit: 1, Punctual: true})
	if !errors.Is(err, ErrNoSolution) || sol.Status != None || sol.Pattern != nil {
		t.Errorf("punctual: %+v, %v", sol, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if sol, err = Suppress(ctx, tab, nil); !errors.Is(err, ErrNoSolution) || !errors.Is(err, context.Canceled) || sol.Pattern != nil {
		t.Errorf("cancelled: %+v, %v", sol, err)
	}
}

func small3D(t *testing.T) *table.Table {
	t.Helper()
	in := must.Get(formats.Read(shared.Path(t, "instances/generated/3d_4_mag.jj.gz"), formats.Options{}))(t)
	return in.Table
}
