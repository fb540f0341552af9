package parallel

import (
	"context"
	"errors"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Limited returns ctx with an end so long after start, none for a limit of 0, and what ends it.
func Limited(ctx context.Context, start time.Time, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, start.Add(limit))
}

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

func (e *ended) Error() string { return e.Message().String() }

func (e *ended) Message() i18n.Text {
	return i18n.T("%s", e.text)
}

func (e *ended) Unwrap() []error { return e.all }
