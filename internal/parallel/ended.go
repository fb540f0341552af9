package parallel

import (
	"context"
	"errors"
)

// Ended makes err that of a call which the end of ctx cut short: it reads as err does, or as the cause where err is nil,
// and wraps both ctx.Err() and the cause. While ctx goes on it is err.
func Ended(ctx context.Context, err error) error {
	end := ctx.Err()
	if end == nil {
		return err
	}
	cause := context.Cause(ctx)
	if err == nil {
		err = cause
	}
	if errors.Is(err, end) && errors.Is(err, cause) {
		return err
	}
	return &ended{err, []error{err, end, cause}}
}

type ended struct {
	text error
	all  []error
}

func (e *ended) Error() string { return e.text.Error() }

func (e *ended) Unwrap() []error { return e.all }
