package interval

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// Readers learn of the values that are published what the office computes with the others at hand.
func TestLearned(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 0))
	for n := range 100 {
		tab := tabletest.Random(rng, n)
		withheld := tabletest.Pattern(rng, tab.Len())
		for i, w := range withheld {
			if tab.Status[i] = table.Safe; w {
				tab.Status[i], tab.Width[i] = table.Sensitive, rng.Int64N(5)
			}
		}
		whole := n%2 == 0
		want := must.Get(Audit(t.Context(), tab, withheld, &Options{Integer: whole, Workers: 1}))(t)
		who := table.Intruder{Whole: whole}
		got := must.Get(Learned(t.Context(), table.Publish(tab, withheld, who), &Options{Integer: !whole, Workers: 1}))(t)
		if !reflect.DeepEqual(got.Intruder, table.Publish(tab, withheld, who).Intruder) {
			t.Errorf("table %d: what is supposed of readers is %+v", n, got.Intruder)
		}
		got.Judge(tab, false)
		if len(got.Cells) != len(want.Cells) || got.Verdict() != want.Verdict() {
			t.Fatalf("table %d: %d cells, %s, want %d, %s", n, len(got.Cells), got.Verdict(), len(want.Cells), want.Verdict())
		}
		for c := range got.Cells {
			if a, b := ends(got.Cells[c]), ends(want.Cells[c]); a != b || got.Cells[c].Protected != want.Cells[c].Protected || got.Cells[c].Superfluous != want.Cells[c].Superfluous {
				t.Fatalf("table %d: %s, want %s", n, a, b)
			}
		}
	}
	// What is published contradicts itself.
	tab := tabletest.CrossTab(t, [][]int64{{1, 2}, {3, 4}})
	w := withhold(t, tab, "r1/c1", "r1/c2", "T/c1")
	for i := range tab.Len() {
		tab.Upper[i] = 1
	}
	if r, err := Learned(t.Context(), table.Publish(tab, w, table.Intruder{}), nil); r != nil || !errors.Is(err, ErrInconsistent) {
		t.Errorf("%v and %v, want a contradiction", r, err)
	}
	tab = hide(tab, w)
	tab.Rounding = slices.Repeat([]int64{1}, tab.Len())
	if _, err := Audit(t.Context(), tab, w, nil); !errors.Is(err, ErrInconsistent) || !strings.Contains(err.Error(), "rounded") {
		t.Errorf("%v, want a contradiction of rounded values", err)
	}
}

// An audit that is interrupted says what it has of the cells that were done, and of none that they are protected.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 0))
	inner := make([][]int64, 12)
	for r := range inner {
		inner[r] = make([]int64, 12)
		for c := range inner[r] {
			inner[r][c] = rng.Int64N(50)
		}
	}
	tab := tabletest.CrossTab(t, inner)
	withheld := tabletest.Pattern(rng, tab.Len())
	for _, engine := range []string{"network", "simplex"} {
		full := must.Get(Audit(t.Context(), tab, withheld, &Options{Engine: engine}))(t)
		ctx, stop := context.WithCancel(t.Context())
		var calls atomic.Int64
		rep, err := Audit(ctx, tab, withheld, &Options{Engine: engine, Workers: 1, Progress: func(done, of int) {
			if of != len(full.Cells) || done < 1 || done > of {
				t.Errorf("%d of %d cells", done, of)
			}
			if calls.Add(1) == 5 {
				stop()
			}
		}})
		if !errors.Is(err, context.Canceled) || rep == nil {
			t.Fatalf("%v and %v, want some cells and an interrupt", rep, err)
		}
		if len(rep.Cells) < 5 || len(rep.Cells) >= len(full.Cells) || rep.Protected || rep.Verdict() == Protected {
			t.Errorf("%d cells of %d, %s", len(rep.Cells), len(full.Cells), rep.Verdict())
		}
		at := map[int]string{}
		for _, c := range full.Cells {
			at[c.Index] = ends(c)
		}
		for _, c := range rep.Cells {
			if ends(c) != at[c.Index] {
				t.Errorf("%s, want %s", ends(c), at[c.Index])
			}
		}
		if _, err := full.Explain(ctx, []int{0, 1}, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("explained with %v after an interrupt", err)
		}
		for _, o := range []*Options{{Engine: engine}, {Integer: true}} {
			if rep, err := Audit(ctx, tab, withheld, o); !errors.Is(err, context.Canceled) || rep != nil && len(rep.Cells) > 0 {
				t.Errorf("%v and %v after an interrupt", rep, err)
			}
		}
	}
	if _, err := Audit(t.Context(), tab, withheld, &Options{Engine: "none"}); err == nil {
		t.Error("an engine that nobody knows computes")
	}
	if _, err := Audit(t.Context(), tab, withheld, &Options{Engine: "simplex", LP: "none"}); err == nil {
		t.Error("a back end that nobody knows computes")
	}
}

// A verdict is open where some cell is and none is proved to miss its levels.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    Report
		want Verdict
	}{
		{Report{Protected: true}, Protected},
		{Report{Cells: []Cell{{Protected: true}, {Unsettled: true}}}, Unsettled},
		{Report{Cells: []Cell{{Unsettled: true}, {}}}, Unprotected},
		{Report{Cells: []Cell{{Protected: true}}}, Unprotected}, // cut short
	} {
		if got := c.r.Verdict(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.r.Cells, got, c.want)
		}
	}
	r := Report{Cells: []Cell{{Superfluous: true, Protected: true}, {Inexact: true, Unsettled: true}}}
	tab := tabletest.CrossTab(t, [][]int64{{1, 2}, {3, 4}})
	if y := r.Tally(tab, false); r.Superfluous() != 1 || r.Open() != 1 || y.Open != 1 || y.Unsettled != 1 || y.Unprotected != 0 {
		t.Errorf("%d superfluous, %d open, %+v", r.Superfluous(), r.Open(), y)
	}
}

// Half a unit of rounding needs a decimal more than a table can have.
func TestRoundingWithoutDecimalsLeft(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{1, 2}, {3, 4}})
	w := withhold(t, tab, "r1/c1", "r1/c2", "r2/c1", "r2/c2")
	good := must.Get(Audit(t.Context(), tab, w, &Options{Witness: true}))(t)
	tab.Decimals, tab.Rounding = table.MaxDecimals, slices.Repeat([]int64{1}, tab.Len())
	if _, err := Audit(t.Context(), tab, w, nil); !errors.Is(err, table.ErrOutOfRange) {
		t.Errorf("%v, want out of range", err)
	}
	if err := good.Cells[0].LoWitness.Check(tab, w); !errors.Is(err, table.ErrOutOfRange) {
		t.Errorf("checked with %v, want out of range", err)
	}
}
