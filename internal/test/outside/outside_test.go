package outside_test

import (
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// cube is a 2×2×2 table of counts, which is no network, with a sensitive cell.
func cube(t *testing.T) *table.Table {
	t.Helper()
	var dims []table.Dimension
	for _, name := range []string{"a", "b", "c"} {
		d := must.Get(table.FlatDimension(name, "T", []string{"1", "2"}))(t)
		dims = append(dims, d)
	}
	var recs []table.Record
	for n, v := range []int64{2, 9, 8, 7, 6, 9, 8, 7} {
		code := func(bit int) string { return string(rune('1' + n>>bit&1)) }
		recs = append(recs, table.Record{Codes: []string{code(2), code(1), code(0)}, Value: table.Num(v, 0)})
	}
	tab := must.Get(table.Build("cube", dims, recs, true))(t)
	if _, _, err := tab.MinimumFrequency(3, false); err != nil {
		t.Fatal(err)
	}
	for i, s := range tab.Status {
		if s == table.Sensitive {
			tab.Width[i] = 3
		}
	}
	return tab
}

// The default back end needs no import: no options at all protect and audit a table that
// needs linear programs. This package imports no back end.
func TestZeroOptions(t *testing.T) {
	t.Parallel()
	tab := cube(t)
	s := must.Get(solver.Suppress(t.Context(), tab, nil))(t)
	if s.Status != solver.Optimal {
		t.Errorf("status %s, want %s", s.Status, solver.Optimal)
	}
	for _, opt := range []*interval.Options{nil, {}} {
		r := must.Get(interval.Audit(t.Context(), tab, s.Pattern, opt))(t)
		if r.Engine != "simplex" || !r.Protected {
			t.Errorf("engine %s, protected %v, want simplex, true", r.Engine, r.Protected)
		}
	}
	if _, err := solver.Suppress(t.Context(), tab, &solver.Options{}); err != nil {
		t.Error(err)
	}
}
