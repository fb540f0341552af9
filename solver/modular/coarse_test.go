package modular

import (
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/table"
)

// Where there is time for it the last programs are about all cells, small ones too.
func TestSizes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cells int
		limit time.Duration
		want  []int
	}{
		{13_574, time.Hour, []int{4000, 8000, 12_000, 13_574}},
		{13_574, time.Second, []int{4000, 8000, 12_000}},
		{13_574, 0, []int{4000, 8000, 12_000}},
		{3_000, time.Hour, []int{3_000}},
		{33_660, time.Hour, []int{4000, 8000, 12_000}},
	} {
		m := &run{t: &table.Table{Value: make([]int64, c.cells)}, schedule: schedule{clock: t.Context(), limit: c.limit, deadline: time.Now().Add(c.limit)}}
		if got := m.sizes(); !slices.Equal(got, c.want) {
			t.Errorf("%d cells, %v: %v", c.cells, c.limit, got)
		}
	}
}
