package modular

import (
	"math"
	"sync/atomic"
	"time"
)

// A budget divides the time of a phase among sub-tables by their size. Time that one does not use passes on
// to later ones.
type budget struct {
	m    *run
	left atomic.Int64 // total weight of the sub-tables to come
}

// weight measures how long the search may take for sub-table s.
func (m *run) weight(s int32) int64 {
	n := float64(len(m.c.cells[s]))
	return 1 + int64(n*math.Sqrt(n))
}

func (m *run) budget(list []int32) *budget {
	b := &budget{m: m}
	for _, s := range list {
		b.left.Add(m.weight(s))
	}
	return b
}

// share is the time limit for sub-table s, 0 without limit: twice its share by weight, as most need far less,
// or an eighth of the time left for one that is solved again.
func (b *budget) share(s int32) time.Duration {
	w := b.m.weight(s)
	left := b.left.Add(-w) + w
	if b.m.deadline.IsZero() {
		return 0
	}
	part := 0.125
	if left >= w {
		part = min(1, 2*float64(b.m.workers)*float64(w)/float64(left))
	}
	return max(time.Millisecond, time.Duration(part*float64(time.Until(b.m.deadline))))
}
