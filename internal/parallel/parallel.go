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

// Do runs f(ctx, 0) … f(ctx, n−1) on at most workers goroutines (0: GOMAXPROCS), cancels the rest after the
// first failure, and returns the error of the smallest index that failed by itself.
//
// If ctx has a meter of work, each call gets its own meter, and all are charged to ctx. Under a limit, the
// meter of a call starts at what calls some way before it have spent, so that where each call is stopped does
// not depend on the number of workers. Reaching the limit does not make the other calls fail.
func Do(ctx context.Context, n, workers int, f func(ctx context.Context, i int) error) error {
	if n == 1 {
		return f(ctx, 0)
	}
	run := newLine(ctx, n)
	err := run.do(ctx, workers, nil, f)
	work.Spend(ctx, run.sum)
	return err
}

// Together is Do for calls whose results are useful only together. If they reach a limit of work, the error is
// its cause, and all results must be discarded, because where each call was stopped depends on the others. So
// no call waits for another, and the limit holds for the sum of all calls.
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
	run.limited = false // the pot keeps the limit
	err := run.do(within, workers, pot, f)
	if pot.Empty() {
		work.Spend(ctx, left)
		return context.Cause(within)
	}
	work.Spend(ctx, run.sum)
	return err
}

// do runs f for all calls of a line. Each has a meter of its own, which also takes from pot.
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

// ahead is how many calls of Do may run at once under a limit.
const ahead = 8

// A line tracks what the calls of Do have spent.
type line struct {
	limited bool
	left    time.Duration // what all calls together may spend
	mu      sync.Mutex
	more    *sync.Cond
	ended   []bool
	spent   []time.Duration // spent by each call that has ended; once all before it have ended, by all up to it
	first   int             // the first call that has not ended
	sum     time.Duration   // spent by all calls before that
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

// begin waits for the calls that must have ended before call i, and returns what these have spent. Calls that
// run at once may together exceed the limit that many times. So only a few run at once until it is known what
// they spend, and one alone if ahead of them would reach the limit.
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

// end records that call i has ended, and what it has spent.
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

// Every runs do once in each span of time until ctx ends.
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
