package intruder

import (
	"context"

	"github.com/hitoku/hitoku/table"
)

// Feasible returns a table y = num/den that agrees with everything published of t,
// the values of the cells that are not withheld, the relations and the bounds Lower
// ≤ y ≤ Upper. It is made from these alone: the values of withheld cells are not
// read. It fails with ErrInconsistent where no table agrees, and with ErrInexact where
// the one found is not to be written in 64 bits. backend is the LP back
// end; the cost is that of one linear program.
func (s *System) Feasible(ctx context.Context, t *table.Table, withheld []bool, backend string) (num []int64, den int64, err error) {
	b := &Base{s: s, t: t, withheld: withheld}
	if err := b.findPoint(ctx, backend); err != nil {
		return nil, 0, err
	}
	if b.wide {
		return nil, 0, ErrInexact
	}
	return b.num, b.den, nil
}
