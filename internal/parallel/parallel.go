// Package parallel runs independent pieces of work on several goroutines.
package parallel

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hitoku/hitoku/internal/work"
)

// Do runs f(ctx, 0) … f(ctx, n−1) on at most workers goroutines (0:
// GOMAXPROCS), cancels the rest after the first failure and returns the error
// of the smallest index that failed by itself.
//
// Where ctx has a meter of work each call has one of its own, and ctx is charged with all. Under a limit a call starts from what the calls up
// to some before it have spent, so that where each is stopped does not depend on the number of workers; the limit is no failure of the others.
func Do(ctx context.Context, n, workers int, f func(ctx context.Context, i int) error) error {
	if n == 1 {
		return f(ctx, 0)
	}
	run := newLine(ctx, n)
	err := run.do(ctx, workers, nil, f)
	work.Spend(ctx, run.sum)
	return err
}

// Together is Do for calls of which all count or none: if they reach a limit of work the error is its cause and what they found is to be dropped, as where
// each was stopped depends on the others. So none waits for another, and together they spend what the limit leaves, not each.
func Together(ctx context.Context, n, workers int, f func(ctx context.Context, i int) error) error {
	if n == 1 || !work.Bounded(ctx) || ctx.Err() != nil {
		return Do(ctx, n, workers, f)
	}
	end, _ := work.Deadline(ctx)
	left := work.Until(ctx, end)
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pot := work.NewPot(left, cancel)
	run := newLine(ctx, n)
	run.limited = false // the pot sees to that
	err := run.do(within, workers, pot, f)
	if pot.Empty() {
		work.Spend(ctx, left)
		return context.Cause(within)
	}
	work.Spend(ctx, run.sum)
	return err
}

// do runs f for all of a line, each with a meter of its own that takes from pot, too.
func (l *line) do(ctx context.Context, workers int, pot *work.Pot, f func(ctx context.Context, i int) error) error {
	n := len(l.ended)
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, n)
	one := func(i int) {
		ctx, branch := work.Fork(ctx, l.begin(i), pot)
		if ctx.Err() != nil {
			errs[i] = context.Cause(ctx)
		} else if errs[i] = f(ctx, i); errs[i] != nil && !branch.Reached() {
			cancel()
		}
		l.end(i, branch.Join())
	}
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			one(i)
		}
	} else {
		var next atomic.Int64
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
					one(i)
				}
			})
		}
		wg.Wait()
	}
	var first error
	for _, err := range errs {
		if err != nil && (first == nil || errors.Is(first, context.Canceled)) {
			first = err
		}
	}
	return first
}

// ahead is the number of calls of Do under a limit that may run at once.
const ahead = 8

// A line knows what the calls of Do have spent.
type line struct {
	limited bool
	left    time.Duration // what all of them may spend
	mu      sync.Mutex
	more    *sync.Cond
	ended   []bool
	spent   []time.Duration // by each call that has ended, with all before it once those have, too
	first   int             // the first that has not ended
	sum     time.Duration   // of those before it
}

func newLine(ctx context.Context, n int) *line {
	l := &line{ended: make([]bool, n), spent: make([]time.Duration, n)}
	l.more = sync.NewCond(&l.mu)
	if l.limited = work.Bounded(ctx); l.limited {
		end, _ := work.Deadline(ctx)
		l.left = work.Until(ctx, end)
	}
	return l
}

// begin waits for the calls that count for call i, and returns what they have spent. As calls that run at once may together go as many times beyond the limit, few
// do before it is known what they spend, and one alone where ahead of them would reach the limit.
func (l *line) begin(i int) time.Duration {
	last := i - min(ahead, 2+i/2)
	if !l.limited || last < 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	spent := l.upTo(last)
	if spent+ahead*spent/time.Duration(last+1) >= l.left {
		spent = l.upTo(i - 1)
	}
	return spent
}

// upTo waits for the calls up to last, and returns what they have spent.
func (l *line) upTo(last int) time.Duration {
	for l.first <= last {
		l.more.Wait()
	}
	return l.spent[last]
}

// end notes that call i has ended and what it has spent.
func (l *line) end(i int, spent time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended[i], l.spent[i] = true, spent
	for ; l.first < len(l.ended) && l.ended[l.first]; l.first++ {
		l.sum += l.spent[l.first]
		l.spent[l.first] = l.sum
	}
	l.more.Broadcast()
}

// Every calls do once in each span of time until ctx ends.
func Every(ctx context.Context, span time.Duration, do func()) {
	tick := time.NewTicker(span)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}
