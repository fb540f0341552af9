package modular

import (
	"context"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/work"
)

// A budget divides the work of a phase among sub-tables by their size. What one does not use passes on
// to later ones.
type budget struct {
	m    *run
	left int64           // total weight of the sub-tables to come
	from map[int32]int64 // per sub-table that has begun: the work left before it
}

// weight measures how long the search may take for sub-table s.
func (m *run) weight(s int32) int64 {
	n := float64(len(m.c.cells[s]))
	return 1 + int64(n*math.Sqrt(n))
}

func (m *run) budget(list []int32) *budget {
	b := &budget{m: m, from: map[int32]int64{}}
	for _, s := range list {
		b.left += m.weight(s)
	}
	return b
}

// begin says that the sub-tables of list are next, in this order.
func (b *budget) begin(list []int32) {
	for _, s := range list {
		b.from[s] = b.left
		b.left -= b.m.weight(s)
	}
}

// share returns the time limit for sub-table s, 0 if unlimited: twice its share by weight, as most need far less.
func (b *budget) share(ctx context.Context, s int32) time.Duration {
	if b.m.deadline.IsZero() {
		return 0
	}
	part := min(1, 2*float64(b.m.weight(s))/float64(b.from[s]))
	return max(time.Millisecond, time.Duration(part*float64(work.Until(ctx, b.m.deadline))))
}
