package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// canonicalCells is the largest number of cells of tables whose canonical patterns are compared, which takes one more
// small search for each cell.
const canonicalCells = 150

// A search is the solution of a whole table; its cost must be the known one, and so must its pattern if it is the
// canonical one.
type search struct {
	t       *table.Table
	options solver.Options
	want    *solver.Solution
	got     *answers
}

// searched returns the task of protecting t with one worker.
func searched(t *table.Table) (*lpWork, error) {
	o := solver.Options{LP: referenceLP, Workers: 1, Canonical: t.Len() <= canonicalCells}
	want, err := solver.Suppress(context.Background(), t, &o)
	if err != nil {
		return nil, i18n.Errorf("bench: %s: %w", t.Name, err)
	}
	return &lpWork{
		cells: t.Len(), relations: t.Rel.Len(), solves: 1, search: true, size: lpSize{cols: t.Len(), rows: t.Rel.Len(), entries: len(t.Rel.Cell)},
		begin: func(backend string, got *answers) lpSession {
			s := &search{t: t, options: o, want: want, got: got}
			s.options.LP = backend
			return s
		},
	}, nil
}

func (s *search) start(context.Context) error { return nil }

func (s *search) pass(ctx context.Context) error {
	sol, err := solver.Suppress(ctx, s.t, &s.options)
	if ctx.Err() != nil {
		return errOverLimit
	}
	if err != nil {
		return err
	}
	s.got.checked++
	switch {
	case sol.Status != s.want.Status:
		s.got.differs(fmt.Sprintf("%s, not %s", sol.Status, s.want.Status))
	case sol.Cost != s.want.Cost:
		s.got.worst = max(s.got.worst, relative(float64(sol.Cost), float64(s.want.Cost)))
		s.got.differs(fmt.Sprintf("cost %d, not %d", sol.Cost, s.want.Cost))
	case s.options.Canonical && !slices.Equal(sol.Pattern, s.want.Pattern):
		s.got.differs("another canonical pattern")
	}
	return nil
}

func (s *search) close() error { return nil }
