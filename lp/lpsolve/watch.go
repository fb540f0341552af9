//go:build lpsolve && cgo

package lpsolve

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/draffensperger/golp"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/simplex"
)

// On some programs of a few dozen cells lp_solve never returns, whatever its timeout. So it is watched: a run that goes
// on long after its time is abandoned in a thread that nothing can end, and its program is solved by the default back
// end.

// errLost is the error of a run of lp_solve that did not return.
var errLost = errors.New("lp_solve did not return")

// lostMost is the number of abandoned threads after which lp_solve is no longer used.
const lostMost = 1

// lost is the number of abandoned threads.
var lost atomic.Int64

const (
	// grace is how much longer than its time limit or context a run may take.
	grace = 2 * time.Second
	// A run without a time limit may take endless, plus endlessEach for each entry and column.
	endless, endlessEach = 5 * time.Second, 10 * time.Millisecond
)

// watched runs lp_solve on l, which has the given timeout in seconds (0: none) and number of entries and columns. After
// errLost, l is still in use and must not be touched.
func watched(ctx context.Context, l *golp.LP, seconds, size int) (golp.SolutionType, error) {
	done := make(chan golp.SolutionType, 1)
	go func() {
		code := l.Solve()
		runtime.KeepAlive(l) // its finalizer frees memory that Solve uses
		done <- code
	}()
	patience := time.Duration(seconds)*time.Second + grace
	if seconds == 0 {
		patience = endless + time.Duration(size)*endlessEach
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case code := <-done:
		return code, nil
	case <-ctx.Done():
		select {
		case code := <-done:
			return code, nil
		case <-time.After(grace):
		}
	case <-late.C:
	}
	lost.Add(1)
	return 0, errLost
}

// instead solves the program of s, and later its changes, by the default back end.
func (s *solver) instead(ctx context.Context) (*lp.Result, error) {
	if s.stand == nil {
		q := simplex.New().(stand)
		if err := q.Load(s.Problem()); err != nil {
			return nil, err
		}
		s.main.drop()
		s.stand = q
	}
	// Only limits that lp_solve also honours are passed on.
	s.stand.SetLimits(lp.Limits{Iterations: s.Limits.Iterations, Time: s.Limits.Time})
	return s.stand.Solve(ctx)
}
