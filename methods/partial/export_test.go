package partial

import (
	"context"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// Split solves the program of t in its full form alone: what it proves, and what the best intervals found cost, 0 for none.
func Split(ctx context.Context, t *table.Table, opt *Options) (bound *big.Rat, cost float64, err error) {
	ctx = work.Metered(ctx)
	s, err := newSearch(ctx, t, opt)
	if err != nil {
		return nil, 0, err
	}
	defer s.close()
	if _, err := s.m.add(s.o.first()); err != nil {
		return nil, 0, err
	}
	if _, err := s.split(ctx); err != nil {
		return nil, 0, err
	}
	return s.bound(), s.paid, nil
}

// PauseAt sets the work after which a limit first has intervals made of what there is.
func PauseAt(o *Options, d time.Duration) { o.pause = d }
