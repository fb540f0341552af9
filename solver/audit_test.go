package solver

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// The audit of a pattern takes what the search names where it adds up, and else the
// intervals: also after a search that was stopped, but not for longer than it is let.
func TestAudit(t *testing.T) {
	for _, s := range []shape{shapes[1], shapes[3]} {
		tab := randomTable(rand.New(rand.NewPCG(5, 1)), s, 30, 0)
		sol := must.Get(Suppress(t.Context(), tab, nil))(t)
		cells := 0
		ctx, cancel := context.WithCancel(t.Context())
		opt := &interval.Options{Workers: 1, Progress: func(done, _ int) { cells = done }}
		judge := func(want interval.Verdict, asked bool) {
			t.Helper()
			cells = 0
			if got, err := sol.Audit(ctx, tab, opt); err != nil || got != want || cells > 0 != asked {
				t.Errorf("%s: %s, %v, %d intervals; want %s", s.name, got, err, cells, want)
			}
		}
		judge(interval.Protected, false)
		sol.Witnesses = nil
		judge(interval.Protected, true)
		opt.Progress = func(int, int) { cancel() }
		if got, err := sol.Audit(ctx, tab, opt); err == nil || got == interval.Protected {
			t.Errorf("%s: %s, %v after an end of the context", s.name, got, err)
		}
		opt.Progress = func(done, _ int) { cells = done }
		judge(interval.Protected, true) // the context had ended before
		for i, st := range tab.Status {
			sol.Pattern[i] = st == table.Sensitive || st == table.Withheld
		}
		judge(interval.Unprotected, true)
	}
}
