package modular

import (
	"testing"
	"time"

	"github.com/hitoku/hitoku/table"
)

// Tables of three variables whose programs over everything fit into the limit are left to the exact search's own pattern, which is far cheaper than
// sums of products; where they do not fit products are improved.
func TestOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dims, cells int
		limit       time.Duration
		want        bool
	}{
		{2, 30_000, time.Second, true},
		{3, 7_000, time.Second, true},
		{3, 13_574, 20 * time.Second, false},
		{3, 13_574, 2 * time.Minute, true},
		{3, 13_574, 0, true},
		{4, 33_660, 2 * time.Minute, false},
	} {
		m := &run{t: &table.Table{Dims: make([]table.Dimension, c.dims), Value: make([]int64, c.cells)}}
		if got := m.own(c.limit); got != c.want {
			t.Errorf("%d variables, %d cells, %v: %v", c.dims, c.cells, c.limit, got)
		}
	}
}
