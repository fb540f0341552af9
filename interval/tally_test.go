package interval

import (
	"context"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

func TestTally(t *testing.T) {
	t.Parallel()
	tab, withheld := small(t, map[string]int64{
		"Metal/Large": 12, "Metal/Medium": 12, "Metal/Small": 30, "Metal/Tiny": 21, "Metal/Total": 75,
		"Wood/Large": 40, "Wood/Medium": 7, "Wood/Small": 8, "Wood/Tiny": 9, "Wood/Total": 64,
		"Total/Large": 52, "Total/Medium": 19, "Total/Small": 38, "Total/Tiny": 30, "Total/Total": 139,
	}, "Metal/Large", "Metal/Medium", "Wood/Large", "Wood/Medium", "Wood/Tiny")
	for i, w := range withheld {
		if w && tab.CellName(i) != "Wood/Large" {
			tab.Status[i], tab.Width[i] = table.Sensitive, 5
		}
	}
	rep := must.Get(Audit(context.Background(), tab, withheld, &Options{Told: true}))(t)
	if rep.Open() != 0 || rep.Superfluous() != 0 {
		t.Errorf("%d open, %d superfluous, want none", rep.Open(), rep.Superfluous())
	}
	for _, c := range []struct{ got, want string }{
		{rep.Tally(tab, true).Message().String(), "unprotected, 5 of 15 cells withheld (4 sensitive, 1 secondary), 1 unprotected, 1 disclosed"},
		{rep.Tally(tab, false).Message().String(), "unprotected, 5 of 15 cells withheld, 1 unprotected, 1 disclosed"},
		{Tally{Verdict: Protected, Unsettled: 2}.Message().String(), "protected, 0 of 0 cells withheld, 2 not settled"},
		{Tally{Verdict: Protected, Withheld: 4, Cells: 12, Sensitive: 1, Told: true}.Message().String(), "protected, 4 of 12 cells withheld (1 sensitive, 3 secondary)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
