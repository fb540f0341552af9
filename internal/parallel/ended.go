package parallel

import (
	"context"
	"errors"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Limited returns ctx with an end at start + limit, unless limit is 0, and a function that ends it.
func Limited(ctx context.Context, start time.Time, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, start.Add(limit))
}

// Ended returns the error of a call that the end of ctx cut short: it reads like err, or like the cause if err
// is nil, and wraps both ctx.Err() and the cause. While ctx has not ended it returns err.
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
