package records

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/hitoku/hitoku/internal/i18n"
	_ "github.com/hitoku/hitoku/internal/test/late"
)

// send returns a cut that sends n blocks of one line each, until its context ends.
func send(n int) func(context.Context, chan<- Block, <-chan []byte) error {
	return func(ctx context.Context, to chan<- Block, spare <-chan []byte) error {
		for line := 1; line <= n; line++ {
			var text []byte
			select {
			case text = <-spare:
			default:
			}
			select {
			case to <- Block{line, fmt.Append(text, line)}:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	}
}

// Every block is done once, with its own text, by any number of workers.
func TestShare(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var mu sync.Mutex
		var lines []int
		err := Share(t.Context(), workers, send(500), func(_ int, b Block) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			if lines = append(lines, b.Line); string(b.Text) != fmt.Sprint(b.Line) {
				t.Errorf("block %d holds %q", b.Line, b.Text)
			}
			return 0, nil
		})
		slices.Sort(lines)
		if err != nil || len(lines) != 500 || len(slices.Compact(lines)) != 500 {
			t.Errorf("%d workers: %d blocks, %v", workers, len(lines), err)
		}
	}
}

// The error is that of the first bad record, whichever worker was first to meet one.
func TestShareFirstFault(t *testing.T) {
	for range 50 {
		err := Share(t.Context(), 4, send(1000), func(_ int, b Block) (int, error) {
			if b.Line >= 90 {
				return b.Line, &Fault{Line: b.Line, Want: i18n.T("nothing")}
			}
			return 0, nil
		})
		var e *Fault
		if !errors.As(err, &e) || e.Line != 90 {
			t.Fatalf("%v, want the fault of line 90", err)
		}
	}
}

// The fault of cutting is told where no record is bad.
func TestShareCutFails(t *testing.T) {
	broken := errors.New("broken")
	err := Share(t.Context(), 3, func(ctx context.Context, to chan<- Block, spare <-chan []byte) error {
		if err := send(5)(ctx, to, spare); err != nil {
			return err
		}
		return broken
	}, func(int, Block) (int, error) { return 0, nil })
	if !errors.Is(err, broken) {
		t.Error(err)
	}
}
