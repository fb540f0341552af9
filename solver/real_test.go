package solver

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/insee"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// solveProved solves to optimality and audits the pattern with the other engine.
func solveProved(t *testing.T, tab *table.Table) *Solution {
	t.Helper()
	s := must.Get(Suppress(t.Context(), tab, nil))(t)
	if s.Status != Optimal || s.Bound != s.Cost {
		t.Fatalf("%s: cost %d, bound %d", s.Status, s.Cost, s.Bound)
	}
	rep := must.Get(interval.Audit(t.Context(), tab, s.Pattern, &interval.Options{Engine: "simplex"}))(t)
	if !rep.Protected {
		t.Error("the audit finds the pattern unprotected")
	}
	return s
}

func secondary(tab *table.Table, pattern []bool) (names []string) {
	for i, in := range pattern {
		if in && tab.Status[i] == table.Safe {
			names = append(names, tab.CellName(i))
		}
	}
	return names
}

// The 15-cell table of checkTauArgus, whose optimum 1,950 is known.
func TestCheckArgus(t *testing.T) {
	// The file is a table for τ-ARGUS: no header, blanks inside the fields.
	data := must.Get(os.ReadFile(shared.Path(t, "data/tauargus/checkargus_ex1/tabdata_ex1.tab")))(t)
	file := filepath.Join(t.TempDir(), "ex1.csv")
	must.Do(t, os.WriteFile(file, append([]byte("region,gender,value,status,lpl,upl\n"), data...), 0o644))
	in := must.Get(formats.Read(file, formats.Options{}))(t)
	s := solveProved(t, in.Table)
	if s.Cost != 1950 {
		t.Errorf("cost %d, want 1950", s.Cost)
	}
	names := secondary(in.Table, s.Pattern)
	if len(names) != 3 || names[0] != "A/male" || names[1] != "C/male" || names[2] != "C/female" {
		t.Errorf("secondary cells %v, want A/male C/male C/female", names)
	}
}

// INSEE's table by activity and size: primary by 0 < N_OBS < 3 or MAX > 0.85·TOT,
// levels 10 %; the optimum costs 49,223,640.1391 with 64 secondary cells.
func TestTurnover(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, hierarchy, dim string
		want                 string
		cells                int
	}{
		{"act_size", "activity.hrc", "ACTIVITY", "49223640.1391", 64},
		{"act_cj", "activity.hrc", "ACTIVITY", "106611878.1885", 76},
		{"nuts_size", "nuts.hrc", "NUTS", "31351445.9601", 74},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tab := insee.Turnover(t, tc.name, tc.dim, tc.hierarchy)
			s := solveProved(t, tab)
			if got := table.FormatDecimal(s.Cost, tab.CostDecimals); got != tc.want {
				t.Errorf("cost %s, want %s", got, tc.want)
			}
			if got := len(secondary(tab, s.Pattern)); got != tc.cells {
				t.Errorf("%d secondary cells, want %d", got, tc.cells)
			}
		})
	}
}

// Published optima of the only other exact code, less the cost of the sensitive
// cells, which it counts too.
func TestPeerOptima(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int64{
		"generated/2d_20_mag": 4919, "generated/2d_30_mag": 14793, "generated/2d_30_fs": 313, "generated/2d_50_fs": 573,
		"generated/3d_4_mag": 2602, "generated/3d_5_mag": 3042, "generated/hier_10_4.4_mag": 0,
		"real/tau_ind3_size": 2109, "real/rta_a21_nuts2_size": 6855,
	} {
		t.Run(name, func(t *testing.T) {
			in := must.Get(formats.Read(shared.Path(t, "instances/"+name+".jj.gz"), formats.Options{}))(t)
			s := solveProved(t, in.Table)
			sum := s.Cost
			for i, st := range in.Table.Status {
				if st == table.Sensitive {
					sum += in.Table.Cost[i]
				}
			}
			if want != 0 && sum != want {
				t.Errorf("cost %d with the sensitive cells, want %d", sum, want)
			}
		})
	}
}

// A hard instance stopped by its time: a protected pattern, a valid bound, in time.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	in, err := formats.Read(shared.Path(t, "instances/csplib/hie1372d.jj.gz"), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var s *Solution
	// On a busy machine little is done in a second; without a limit it takes an hour.
	for limit := time.Second; ; limit *= 4 {
		if s, err = Suppress(t.Context(), in.Table, &Options{TimeLimit: limit}); err != nil {
			t.Fatal(err)
		}
		if s.Status == Feasible && s.Bound > 0 || limit > time.Minute {
			break
		}
	}
	if s.Status != Feasible || s.Bound <= 0 || s.Bound > s.Cost {
		t.Errorf("%s, cost %d, bound %d", s.Status, s.Cost, s.Bound)
	}
	rep, err := interval.Audit(t.Context(), in.Table, s.Pattern, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !rep.Protected {
		t.Error("the audit finds the pattern unprotected")
	}
	if s, err = Suppress(t.Context(), in.Table, &Options{Gap: 0.5}); err != nil || s.Gap() > 0.5 {
		t.Errorf("with a gap of 50 %%: gap %g, %v", s.Gap(), err)
	}
}

// INSEE's four tables, which share the margins by activity, region, size and form, as
// one problem. The published patterns, found by protecting one table after the other
// (with singletons guarded on the first visit), withhold 83, 88, 82 and 101
// secondary cells.
func TestLinkedTurnover(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thorough")
	}
	var tables []*table.Table
	for _, tc := range []struct{ name, dim, hierarchy string }{
		{"act_size", "ACTIVITY", "activity.hrc"}, {"act_cj", "ACTIVITY", "activity.hrc"},
		{"nuts_size", "NUTS", "nuts.hrc"}, {"nuts_cj", "NUTS", "nuts.hrc"},
	} {
		tab := insee.Turnover(t, tc.name, tc.dim, tc.hierarchy)
		tables = append(tables, tab)
	}
	l := must.Get(table.Link("turnover", tables))(t)
	s := solveProved(t, l.Table)
	if got := table.FormatDecimal(s.Cost, l.CostDecimals); got != "208139572.1964" {
		t.Errorf("cost %s, want 208139572.1964", got)
	}
	published := []int{83, 88, 82, 101}
	for k, tab := range tables {
		n := 0
		for i, c := range l.Cell[k] {
			if s.Pattern[c] && l.Status[c] == table.Safe {
				n++
			}
			if tab.Status[i] == table.Sensitive && !s.Pattern[c] {
				t.Errorf("%s: %s is published", tab.Name, tab.CellName(i))
			}
		}
		if n > published[k] {
			t.Errorf("%s: %d secondary cells, more than the %d published", tab.Name, n, published[k])
		}
	}
}
