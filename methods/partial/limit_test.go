package partial_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A limit that comes at once leaves intervals that protect wherever there are some, with a bound that holds.
func TestLimit(t *testing.T) {
	t.Parallel()
	strict, bounded := 0, 0
	for seed := range heavy.Draws(uint64(24)) {
		rng := rand.New(rand.NewPCG(seed, 4))
		tab := draw(rng, int(seed), 3)
		tab.Strict = seed%3 == 0
		opt := &partial.Options{Absolute: true, Workers: 1, Ends: partial.Ends{Plain: true, Base: 1 + int64(seed%4)}}
		best, err := partial.Suppress(context.Background(), tab, opt)
		opt.TimeLimit = 1
		s, lerr := partial.Suppress(context.Background(), tab, opt)
		var no *solver.UnprotectableError
		if err != nil {
			if !errors.As(err, &no) || !errors.As(lerr, &no) {
				t.Fatalf("seed %d: %v, with a limit %v", seed, err, lerr)
			}
			continue
		}
		if lerr != nil {
			t.Fatalf("seed %d: %v", seed, lerr)
		}
		holds(t, tab, s)
		if s.Status != solver.Feasible && s.Status != solver.Optimal || s.Bound.Cmp(best.Optimum) > 0 || s.Optimum.Cmp(best.Bound) < 0 {
			t.Fatalf("seed %d: %s, bound %v, optimum %v; without a limit %v to %v", seed, s.Status, s.Bound, s.Optimum, best.Bound, best.Optimum)
		}
		if s.Bound.Sign() > 0 {
			bounded++
		}
		if tab.Strict {
			strict++
		}
	}
	if strict < heavy.Draws(2) || bounded < heavy.Draws(4) {
		t.Errorf("%d with strict widths, %d with a bound: the test says little", strict, bounded)
	}
}

// A table whose linear program is out of reach has intervals at every limit.
func TestLimitOfLargeTable(t *testing.T) {
	t.Parallel()
	in := must.Get(formats.Read(shared.Path(t, "instances/csplib/hier13.jj.gz"), formats.Options{}))(t)
	s := must.Get(partial.Suppress(context.Background(), in.Table, &partial.Options{Secret: [32]byte{1}, TimeLimit: 1, Workers: 1}))(t)
	if s.Status != solver.Feasible || s.Bound.Sign() <= 0 || s.Cost.Cmp(s.Bound) < 0 {
		t.Errorf("%s with bound %v and cost %v", s.Status, s.Bound, s.Cost)
	}
	if err := certificate.Protects(published(in.Table, s), s.Pattern, s.Witnesses); err != nil {
		t.Error(err)
	}
}

// Within largest widths a limit leaves intervals no wider, or says that it came too early.
func TestLimitWithinWidths(t *testing.T) {
	t.Parallel()
	found := 0
	for seed := range uint64(16) {
		tab := draw(rand.New(rand.NewPCG(seed, 5)), int(seed), 2)
		most := make([]int64, tab.Len())
		for i := range most {
			most[i] = max(9, tab.LPL[i]+tab.UPL[i], tab.Width[i])
		}
		s, err := partial.Suppress(context.Background(), tab, &partial.Options{Secret: [32]byte{1}, MaxWidth: most, TimeLimit: 1, Workers: 1})
		var no *solver.UnprotectableError
		switch {
		case errors.As(err, &no), errors.Is(err, partial.ErrTooNarrow), errors.Is(err, solver.ErrNoSolution):
			continue
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		}
		found++
		holds(t, tab, s)
		for i := range most {
			if s.Pattern[i] && tab.Status[i] != table.Withheld && s.Upper[i]-s.Lower[i] > most[i] {
				t.Fatalf("seed %d: cell %d is published as [%d, %d], wider than %d", seed, i, s.Lower[i], s.Upper[i], most[i])
			}
		}
	}
	if found < 4 {
		t.Errorf("intervals in %d tables: the test says little", found)
	}
}

// An interrupt leaves the intervals that there are by then, which protect, beside its error.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{20, 50, 10}, {8, 19, 22}, {17, 32, 12}})
	for i := range tab.Len() {
		if tab.Value[i] == 22 {
			tab.Status[i], tab.LPL[i], tab.UPL[i] = table.Sensitive, 4, 6
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if s, err := partial.Suppress(ctx, tab, &partial.Options{Secret: [32]byte{1}}); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v and %v, want nothing and an interrupt", s, err)
	}
	// The limit has come when the marks are found; what interrupts comes with them.
	ctx, stop = context.WithCancel(context.Background())
	s, err := partial.Suppress(ctx, tab, &partial.Options{Secret: [32]byte{1}, TimeLimit: 1, Marks: func(_ context.Context, t *table.Table, opt *solver.Options) (*solver.Solution, error) {
		defer stop()
		return solver.Suppress(context.Background(), t, nil)
	}})
	if s == nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("%v and %v, want intervals and an interrupt", s, err)
	}
	holds(t, tab, s)
}

// A limit is of work: what it leaves depends on neither the number of workers nor the machine, more of it never costs more before ends are drawn, and one that
// is not reached changes nothing.
func TestLimitOfWork(t *testing.T) {
	t.Parallel()
	between, tables := 0, 0
	for seed := range uint64(heavy.Draws(36)) {
		tab := draw(rand.New(rand.NewPCG(seed, 6)), int(seed), 6)
		ctx := work.Metered(context.Background())
		one := func(ctx context.Context, limit time.Duration, workers int, plain bool) *partial.Solution {
			o := &partial.Options{Workers: workers, TimeLimit: limit, Ends: partial.Ends{Plain: plain}, Secret: [32]byte{1}, Absolute: seed%2 == 0}
			partial.PauseAt(o, 50*time.Microsecond)
			s, err := partial.Suppress(ctx, tab, o)
			var no *solver.UnprotectableError
			if err != nil && !errors.As(err, &no) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if s != nil {
				s.Seconds = 0
			}
			return s
		}
		if s := one(ctx, 5*time.Millisecond, 1, true); s == nil || s.Status != solver.Optimal { // programs in full take long for a test
			continue
		}
		began := work.Now(ctx)
		whole := one(ctx, 0, 1, true)
		spent := work.Since(ctx, began)
		tables++
		last := (*partial.Solution)(nil)
		for share := range 12 {
			limit := max(1, spent*time.Duration(share)/5)
			if share == 11 {
				limit = time.Hour
			}
			s := one(t.Context(), limit, 1, true)
			holds(t, tab, s)
			if more := one(t.Context(), limit, 3, true); !reflect.DeepEqual(s, more) {
				t.Fatalf("seed %d, %v of %v: cost %v, bound %v with one worker, %v, %v with three", seed, limit, spent, s.Cost, s.Bound, more.Cost, more.Bound)
			}
			if drawn := one(t.Context(), limit, 1, false); !reflect.DeepEqual(drawn, one(t.Context(), limit, 2, false)) {
				t.Fatalf("seed %d, %v of %v: other ends are drawn with two workers", seed, limit, spent)
			}
			if last != nil && s.Cost.Cmp(last.Cost) > 0 && s.Status != solver.Optimal {
				t.Fatalf("seed %d, %v of %v: cost %v, and %v with less", seed, limit, spent, s.Cost, last.Cost)
			}
			if last != nil && s.Cost.Cmp(last.Cost) < 0 && s.Status != solver.Optimal {
				between++
			}
			last = s
		}
		if !reflect.DeepEqual(last, whole) {
			t.Fatalf("seed %d: a limit that is not reached gives cost %v, none %v", seed, last.Cost, whole.Cost)
		}
	}
	if tables < 5 || between < 3 {
		t.Errorf("%d tables, %d costs between those of the first marks and the optimum: the test says little", tables, between)
	}
}
