package solver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// spending is Suppress with what it spends.
func spending(t *rapid.T, tab *table.Table, o Options) (*Solution, time.Duration) {
	t.Helper()
	ctx := work.Metered(context.Background())
	begun := work.Now(ctx)
	s, err := Suppress(ctx, tab, &o)
	if err != nil {
		t.Fatal(err)
	}
	return s, work.Since(ctx, begun)
}

// same is all of a solution but the time it took.
func same(t *rapid.T, s *Solution) string {
	own := *s
	own.Seconds, own.FirstSeconds = 0, 0
	var b bytes.Buffer
	if s.Certificate != nil {
		if err := s.Certificate.Write(&b); err != nil {
			t.Fatal(err)
		}
		own.Certificate = nil
	}
	text, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %s", text, b.Bytes())
}

// A limit is one of work: what it gives does not depend on the number of workers, a larger one never gives a dearer pattern, and one that is not reached
// changes nothing.
func TestLimitsOfWork(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tab := draw(t)
		if rapid.Bool().Draw(t, "twice") {
			tab = besides(tab, draw(t))
		}
		if cost(t, tab, Options{}) < 0 {
			return
		}
		o := Options{Canonical: rapid.Bool().Draw(t, "canonical"), Workers: 1}
		whole, spent := spending(t, tab, o)
		last := int64(-1)
		for share := 1; share <= 8; share++ {
			o.TimeLimit = max(1, spent*time.Duration(share)/7)
			o.Workers = 1
			s, _ := spending(t, tab, o)
			o.Workers = 4
			if again, _ := spending(t, tab, o); same(t, again) != same(t, s) {
				t.Fatalf("%v of %v: %s with four workers, %s with one", o.TimeLimit, spent, same(t, again), same(t, s))
			}
			if last >= 0 && s.Cost > last {
				t.Fatalf("%v of %v: cost %d, and %d with less", o.TimeLimit, spent, s.Cost, last)
			}
			if last = s.Cost; o.TimeLimit > spent && same(t, s) != same(t, whole) {
				t.Fatalf("%v of %v: %s, and %s without a limit", o.TimeLimit, spent, same(t, s), same(t, whole))
			}
		}
	})
}

// The first pattern of a large network takes longer than its grace, and is waited for: what withholds everything takes longer still.
func TestFirstOfNetworks(t *testing.T) {
	if !heavy.On() {
		t.Skip("takes seconds")
	}
	rng := rand.New(rand.NewPCG(3, 36))
	tab := tabletest.Drawn(t, 350, 350, func() int64 { return 1 + rng.Int64N(1000) })
	for range 1500 {
		k := rng.IntN(tab.Len())
		tab.Status[k], tab.LPL[k], tab.UPL[k] = table.Sensitive, 1+tab.Value[k]/10, 1+tab.Value[k]/10
	}
	must.Do(t, tab.SetCost(table.CostKind{Kind: "value"}))
	all := int64(0)
	for _, c := range tab.Cost {
		all += c
	}
	s := must.Get(Suppress(t.Context(), tab, &Options{TimeLimit: time.Millisecond}))(t)
	if s.Cost > all/1000 {
		t.Errorf("cost %d of %d", s.Cost, all)
	}
}

// besides is two tables in one, which have nothing in common.
func besides(a, b *table.Table) *table.Table {
	t := &table.Table{Name: "both", Rel: table.NewRelations(a.Len() + b.Len()), Strict: a.Strict}
	for n, u := range [2]*table.Table{a, b} {
		t.Value, t.Cost, t.Status = append(t.Value, u.Value...), append(t.Cost, u.Cost...), append(t.Status, u.Status...)
		t.LPL, t.UPL, t.Width = append(t.LPL, u.LPL...), append(t.UPL, u.UPL...), append(t.Width, u.Width...)
		t.Lower, t.Upper = append(t.Lower, u.Lower...), append(t.Upper, u.Upper...)
		for j := range u.Rel.Len() {
			cells, coef := u.Rel.Row(j)
			at := make([]int32, len(cells))
			for e, i := range cells {
				at[e] = i + int32(n*a.Len())
			}
			t.Rel.Add(at, coef, u.Rel.RHS[j])
		}
	}
	return t
}
