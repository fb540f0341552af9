package model

import (
	"context"
	"errors"
	"time"

	"github.com/hitoku/hitoku/lp"
)

// A Run is one call of Solve with what remains of its limits.
type Run struct {
	Ctx        context.Context
	Deadline   time.Time // zero: none
	Iterations int       // left
}

// Start begins a run under the limits l, with at most most iterations if l sets no limit.
func Start(ctx context.Context, l lp.Limits, most int) Run {
	r := Run{Ctx: ctx, Iterations: most}
	if l.Time > 0 {
		r.Deadline = time.Now().Add(l.Time)
	}
	if l.Iterations > 0 {
		r.Iterations = min(most, l.Iterations)
	}
	return r
}

// Stopped is the status of a run that ended without a verdict, as an error.
type Stopped lp.Status

func (s Stopped) Error() string { return "stopped: " + lp.Status(s).String() }

// Check returns a Stopped error if the run must end.
func (r *Run) Check() error {
	switch {
	case r.Ctx.Err() != nil:
		return Stopped(lp.Cancelled)
	case !r.Deadline.IsZero() && !time.Now().Before(r.Deadline):
		return Stopped(lp.TimeLimit)
	case r.Iterations <= 0:
		return Stopped(lp.IterationLimit)
	}
	return nil
}

// Slices calls step for at most most slices of slice iterations and checks the limits after each; step reports whether
// it was the last one.
func (r *Run) Slices(most, slice int, step func(iterations int) (last bool)) error {
	for range most {
		n := min(slice, r.Iterations)
		if step(n) {
			return nil
		}
		r.Iterations -= n
		if err := r.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Answer returns the result of a run that ended with res, or with err and without a verdict.
func Answer(res *lp.Result, err error) *lp.Result {
	var stop Stopped
	switch {
	case errors.As(err, &stop):
		return &lp.Result{Status: lp.Status(stop), Raw: stop.Error()}
	case err != nil:
		return &lp.Result{Raw: err.Error()}
	}
	return res
}
