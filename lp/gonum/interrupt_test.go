package gonum

import (
	"context"
	"testing"
	"time"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
)

// A solve comes back when its context ends or its time is up, whatever gonum is doing: this
// dense program takes it minutes.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	const n = 700
	p := &lp.Problem{}
	for j := range n {
		p.Cost, p.Lo, p.Up = append(p.Cost, float64(j%13)-6), append(p.Lo, 0), append(p.Up, float64(1+j%7))
		var row lp.Row
		for k := range n {
			if v := (j*k)%17 - 8; v != 0 {
				row.Idx, row.Val = append(row.Idx, int32(k)), append(row.Val, float64(v))
			}
		}
		row.Lo, row.Up = -float64(n), float64(n)
		p.Rows = append(p.Rows, row)
	}
	for _, c := range []struct {
		limits lp.Limits
		cancel time.Duration
		want   lp.Status
	}{
		{lp.Limits{Time: 50 * time.Millisecond}, time.Hour, lp.TimeLimit},
		{lp.Limits{}, 50 * time.Millisecond, lp.Cancelled},
	} {
		s := must.Get(lp.Open("gonum"))(t)
		defer s.Close()
		must.Do(t, s.Load(p))
		s.SetLimits(c.limits)
		ctx, stop := context.WithTimeout(t.Context(), c.cancel)
		defer stop()
		r, err := s.Solve(ctx)
		if err != nil || r.Status != c.want {
			t.Errorf("%+v: %+v, %v, want %v", c.limits, r, err, c.want)
		}
	}
}
