package guard

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Against all patterns of small tables: where the result lays nothing open it is a cheapest pattern of those that lay nothing
// open, as every combination that was added is one that these protect; where such a pattern exists it is found.
func TestLevelsBruteForce(t *testing.T) {
	smallTables(t, 6, func(tab *table.Table, plain *solver.Solution) int64 {
		least := cheapest(t, tab, plain.Cost, func(pattern []bool) bool {
			rep := must.Get(insider.Run(t.Context(), tab, pattern, nil))(t)
			return len(rep.Findings) == 0
		})
		g := must.Get(Levels(t.Context(), tab, tab, plain, &solver.Options{}, nil, Searches{Find: solver.Suppress}))(t)
		if _, open := g.Open(); (open == 0) != (least >= 0) || open == 0 && g.Cost != least {
			t.Errorf("%d cells open at cost %d; the least cost without any is %d (−1: none)", open, g.Cost, least)
		}
		return g.Cost
	})
}

// In larger tables the result is protected, and never more open than the first pattern, also where sums of the rule for
// singletons are in the table.
func TestLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	less := 0
	for range 6 {
		tab := tabletest.Ones(t, r, 6, 7)
		tab.Freq = tab.Value
		rule := SingletonRule{Single: true, Multiple: true, MinFreq: 3, Modular: true}
		first, _ := must.Two(rule.Suppress(t.Context(), tab, &solver.Options{}, solver.Suppress))(t)
		u, _ := must.Two(rule.Apply(tab))(t)
		g := must.Get(Levels(t.Context(), tab, u, first, &solver.Options{}, nil, Searches{Find: solver.Suppress}))(t)
		if v, err := g.Audit(t.Context(), tab, nil); err != nil || v != interval.Protected || len(g.Pattern) != tab.Len() {
			t.Errorf("%v %v, %d marks for %d cells", v, err, len(g.Pattern), tab.Len())
		}
		was := must.Get(insider.Run(t.Context(), tab, first.Pattern, nil))(t)
		before := (&Result{Solution: first, Report: was}).openness(nil)
		if before.less(g.openness(nil)) {
			t.Errorf("%v, was %v", g.openness(nil), before)
		}
		if g.openness(nil).less(before) {
			less++
		}
	}
	if less == 0 {
		t.Error("nothing was to be guarded")
	}
}

// Of two patterns cells count that were looked at in both.
func TestBetter(t *testing.T) {
	t.Parallel()
	at := func(cost int64, exact, unlooked []int) *Result {
		g := &Result{Solution: &solver.Solution{Cost: cost}, Report: &insider.Report{Unlooked: unlooked}}
		for _, k := range exact {
			g.Report.Findings = append(g.Report.Findings, insider.Exposure{Cell: k, Disclosed: true})
		}
		return g
	}
	for _, tc := range []struct {
		a, b  *Result
		takes bool
	}{
		{at(5, []int{1, 2}, nil), at(9, []int{1}, nil), true},
		{at(5, []int{1, 2}, nil), at(9, nil, []int{1, 2}), false}, // nobody knows, and it costs more
		{at(5, []int{1, 2, 3}, nil), at(9, []int{3}, []int{1}), true},
		{at(5, []int{3}, []int{1, 2}), at(4, []int{1, 2, 3}, nil), true}, // as open, where both looked
		{at(5, nil, nil), at(5, nil, nil), false},
	} {
		if got := better(tc.a, tc.b) == tc.b; got != tc.takes {
			t.Errorf("%+v against %+v: %v", tc.b.Report, tc.a.Report, got)
		}
	}
}

// A pattern that is widened for what insiders learn, and nothing else, is taken where searches find none.
func TestLevelsWidens(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 6))
	none := func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error) {
		return nil, solver.ErrNoSolution
	}
	all := func(_ context.Context, t *table.Table, s *solver.Solution, _ []insider.Exposure) (*solver.Solution, error) {
		wide := *s
		wide.Pattern = make([]bool, t.Len())
		for i := range wide.Pattern {
			wide.Pattern[i] = t.Status[i] != table.Published
			if wide.Pattern[i] {
				wide.Cost += t.Cost[i]
			}
		}
		return &wide, nil
	}
	taken := 0
	for range 10 {
		tab := tabletest.Ones(t, r, 4, 5)
		s, err := solver.Suppress(t.Context(), tab, nil)
		if err != nil {
			continue
		}
		g, err := Levels(t.Context(), tab, tab, s, &solver.Options{}, nil, Searches{Find: none, Widen: all})
		if err != nil {
			t.Fatal(err)
		}
		if g.Solution != s {
			taken++
		}
	}
	if taken == 0 {
		t.Error("no wider pattern was taken")
	}
}
