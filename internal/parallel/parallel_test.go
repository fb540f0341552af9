package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// Every index is done once, and the error is that of the smallest index that failed by itself,
// whatever the number of workers.
func TestDo(t *testing.T) {
	t.Parallel()
	for workers := range 5 {
		var done [100]atomic.Int32
		if err := Do(t.Context(), len(done), workers, func(_ context.Context, i int) error { done[i].Add(1); return nil }); err != nil {
			t.Fatal(err)
		}
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
