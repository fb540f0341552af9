package insider

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/solver"
)

// Witnesses save work and change no finding, also such as are wrong.
func TestInsidersWitnesses(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 8))
	found := 0
	for range 12 {
		tab := tabletest.Ones(t, r, 5, 6)
		s, err := solver.Suppress(t.Context(), tab, nil)
		if err != nil {
			continue // not to be protected
		}
		for m := 1; m <= 2; m++ {
			want := must.Get(Run(t.Context(), tab, s.Pattern, &Options{Coalition: m}))(t)
			wrong := &certificate.Witness{Den: 1, Cells: []int32{0, 1}, Num: []int64{1, 1}}
			got := must.Get(Run(t.Context(), tab, s.Pattern, &Options{Coalition: m, Witnesses: append(s.Witnesses, wrong)}))(t)
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
	tab := tabletest.Ones(t, rand.New(rand.NewPCG(9, 9)), 6, 6)
	s := must.Get(solver.Suppress(t.Context(), tab, nil))(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	rep, err := Run(ctx, tab, s.Pattern, nil)
	if err == nil || len(rep.Unlooked) != rep.Sensitive || rep.Sensitive == 0 {
		t.Errorf("%v, %d of %d sensitive cells not looked at", err, len(rep.Unlooked), rep.Sensitive)
	}
}
