package parallel

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/work"
)

// Every index is done once, and the error is that of the smallest index that failed by itself,
// whatever the number of workers.
func TestDo(t *testing.T) {
	t.Parallel()
	for workers := range 5 {
		var done [100]atomic.Int32
		must.Do(t, Do(t.Context(), len(done), workers, func(_ context.Context, i int) error { done[i].Add(1); return nil }))
		for i := range done {
			if done[i].Load() != 1 {
				t.Errorf("%d workers: index %d is done %d times", workers, i, done[i].Load())
			}
		}
		bad := errors.New("bad")
		err := Do(t.Context(), 100, workers, func(ctx context.Context, i int) error {
			if i == 50 {
				return bad
			}
			return ctx.Err()
		})
		if err != bad {
			t.Errorf("%d workers: %v, want the error of index 50", workers, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := Do(ctx, 100, workers, func(ctx context.Context, i int) error { return ctx.Err() }); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: %v, want that the context has ended", workers, err)
		}
	}
}

// Under a limit of work every call is stopped at the same place, whatever the number of workers, and what follows finds as much spent.
func TestDoUnderLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		costs := rapid.SliceOfN(rapid.IntRange(1, 30), 0, 40).Draw(t, "costs")
		limit := time.Duration(rapid.IntRange(1, 400).Draw(t, "limit"))
		fails := rapid.Bool().Draw(t, "fails") // as calls do that a limit has stopped
		run := func(workers int) (did []int, spent time.Duration, ended bool) {
			ctx := work.Metered(t.Context())
			begun := work.Now(ctx)
			limited, stop := work.Limited(ctx, begun, limit)
			defer stop()
			did = make([]int, len(costs))
			err := Do(limited, len(costs), workers, func(ctx context.Context, i int) error {
				for ; did[i] < costs[i] && ctx.Err() == nil; did[i]++ {
					work.Spend(ctx, 1)
				}
				if fails && ctx.Err() != nil {
					return context.Cause(ctx)
				}
				return nil
			})
			if err != nil && limited.Err() == nil {
				t.Fatalf("%v, and the limit has not been reached", err)
			}
			return did, work.Since(ctx, begun), limited.Err() != nil
		}
		did, spent, ended := run(1)
		for workers := 2; workers < 12; workers += 3 {
			if d, s, e := run(workers); !slices.Equal(d, did) || s != spent || e != ended {
				t.Fatalf("%d workers did %v in %d, ended %v; one %v in %d, ended %v", workers, d, s, e, did, spent, ended)
			}
		}
	})
}

// Calls that run at once do not each spend what is left of a limit: together they stay near it, and alike for any number of workers.
func TestNearLimit(t *testing.T) {
	t.Parallel()
	const limit = 100 * time.Millisecond
	for _, each := range []time.Duration{20 * time.Millisecond, time.Second} {
		var before time.Duration
		for _, workers := range []int{1, 8} {
			ctx := work.Metered(t.Context())
			began := work.Now(ctx)
			within, stop := work.Limited(ctx, began, limit)
			_ = Do(within, 20, workers, func(ctx context.Context, _ int) error {
				for range each / time.Millisecond {
					work.Spend(ctx, time.Millisecond)
					if ctx.Err() != nil {
						return context.Cause(ctx)
					}
				}
				return nil
			})
			stop()
			spent := work.Since(ctx, began)
			if spent > 4*limit || each < limit && spent > limit+each {
				t.Errorf("calls of %v spent %v of %v", each, spent, limit)
			}
			if before != 0 && spent != before {
				t.Errorf("calls of %v spent %v with one worker, %v with %d", each, before, spent, workers)
			}
			before = spent
		}
	}
}

// Calls of which all count or none spend what the limit leaves together, neither more nor less, and reach it if and only if their sum does.
func TestTogether(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		costs := rapid.SliceOfN(rapid.IntRange(1, 30), 2, 20).Draw(t, "costs")
		limit := time.Duration(rapid.IntRange(1, 400).Draw(t, "limit"))
		sum := time.Duration(0)
		for _, c := range costs {
			sum += time.Duration(c)
		}
		for _, workers := range []int{1, 2, 8} {
			ctx := work.Metered(t.Context())
			began := work.Now(ctx)
			within, stop := work.Limited(ctx, began, limit)
			err := Together(within, len(costs), workers, func(ctx context.Context, i int) error {
				for range costs[i] {
					if work.Spend(ctx, 1); ctx.Err() != nil {
						return context.Cause(ctx)
					}
				}
				return nil
			})
			ended := within.Err() != nil
			stop()
			if over := sum >= limit; errors.Is(err, context.DeadlineExceeded) != over || ended != over || !over && err != nil {
				t.Fatalf("%d workers, %d of %d: %v, ended %v", workers, sum, limit, err, ended)
			}
			if spent := work.Since(ctx, began); spent != min(sum, limit) {
				t.Fatalf("%d workers spent %d, want the least of %d and %d", workers, spent, sum, limit)
			}
		}
	})
}
