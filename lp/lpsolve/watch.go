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

// lp_solve does not return from some programs of a few dozen cells, whatever time it is given. So it is watched: a run that goes on
// long after its time is left alone, in a thread that nothing can end, and its program is solved by the default back end.

// errLost is that of a run of lp_solve which did not return.
var errLost = errors.New("lp_solve did not return")

// lostMost is how many threads may be lost before lp_solve is asked no more.
const lostMost = 1

// lost counts them.
var lost atomic.Int64

const (
	// grace is what a run may take beyond its time or the end of its context.
	grace = 2 * time.Second
	// A run without a time limit may take endless, and endlessEach for each entry and column.
	endless, endlessEach = 5 * time.Second, 10 * time.Millisecond
)

// watched runs lp_solve on l, which was given so many seconds (0: for ever) and has so many entries and columns. Where it has errLost, l is
// still at work and must not be touched.
func watched(ctx context.Context, l *golp.LP, seconds, size int) (golp.SolutionType, error) {
	done := make(chan golp.SolutionType, 1)
	go func() {
		code := l.Solve()
		runtime.KeepAlive(l) // its finalizer frees what Solve works on
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

// instead solves the program of s by the default back end, and those that become of it.
func (s *solver) instead(ctx context.Context) (*lp.Result, error) {
	if s.stand == nil {
		q := simplex.New().(stand)
		if err := q.Load(s.Problem()); err != nil {
			return nil, err
		}
		s.main.drop()
		s.stand = q
	}
	// What lp_solve cannot do nobody expects.
	s.stand.SetLimits(lp.Limits{Iterations: s.Limits.Iterations, Time: s.Limits.Time})
	return s.stand.Solve(ctx)
}
