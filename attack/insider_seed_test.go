package attack

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Witnesses save work and change no finding, also such as are wrong.
func TestInsidersWitnesses(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 8))
	found := 0
	for range 12 {
		tab := guardTable(t, r, 5, 6)
		s, err := solver.Suppress(t.Context(), tab, nil)
		if err != nil {
			continue // not to be protected
		}
		for m := 1; m <= 2; m++ {
			want, err := Insiders(t.Context(), tab, s.Pattern, &InsiderOptions{Coalition: m})
			if err != nil {
				t.Fatal(err)
			}
			wrong := &certificate.Witness{Den: 1, Cells: []int32{0, 1}, Num: []int64{1, 1}}
			got, err := Insiders(t.Context(), tab, s.Pattern, &InsiderOptions{Coalition: m, Witnesses: append(s.Witnesses, wrong)})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Findings, want.Findings) || got.Settled != want.Settled || len(got.Unlooked) > 0 {
				t.Errorf("coalitions of %d: %v, want %v", m, got.Findings, want.Findings)
			}
			found += len(want.Findings)
		}
	}
	if found == 0 {
		t.Error("nothing was to be found")
	}
}

// Where ctx has ended every cell is one that was not looked at.
func TestInsidersUnlooked(t *testing.T) {
	t.Parallel()
	tab := guardTable(t, rand.New(rand.NewPCG(9, 9)), 6, 6)
	s, err := solver.Suppress(t.Context(), tab, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	rep, err := Insiders(ctx, tab, s.Pattern, nil)
	if err == nil || len(rep.Unlooked) != rep.Sensitive || rep.Sensitive == 0 {
		t.Errorf("%v, %d of %d sensitive cells not looked at", err, len(rep.Unlooked), rep.Sensitive)
	}
}

// Of two patterns cells count that were looked at in both.
func TestBetter(t *testing.T) {
	t.Parallel()
	at := func(cost int64, exact, unlooked []int) *Guarded {
		g := &Guarded{Solution: &solver.Solution{Cost: cost}, Report: &InsiderReport{Unlooked: unlooked}}
		for _, k := range exact {
			g.Report.Findings = append(g.Report.Findings, Exposure{Cell: k, Disclosed: true})
		}
		return g
	}
	for _, tc := range []struct {
		a, b  *Guarded
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
func TestGuardLevelsWidens(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 6))
	none := func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error) {
		return nil, solver.ErrNoSolution
	}
	all := func(_ context.Context, t *table.Table, s *solver.Solution, _ []Exposure) (*solver.Solution, error) {
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
		tab := guardTable(t, r, 4, 5)
		s, err := solver.Suppress(t.Context(), tab, nil)
		if err != nil {
			continue
		}
		g, err := GuardLevels(t.Context(), tab, tab, s, &solver.Options{}, nil, Searches{Find: none, Widen: all})
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
