package protect

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	_ "github.com/hitoku/hitoku/lp/simplex"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// Of a large table only the part in play is searched: the pattern is that of the part alone and protects the whole.
func TestInPlay(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	var dims []table.Dimension
	for _, name := range []string{"A", "B"} {
		var codes []string
		for c := range 150 {
			codes = append(codes, fmt.Sprint(name, c))
		}
		d := must.Get(table.FlatDimension(name, "Total", codes))(t)
		dims = append(dims, d)
	}
	var records []table.Record
	for a, x := range dims[0].Codes[1:] {
		for b, y := range dims[1].Codes[1:] {
			rec := table.Record{Codes: []string{x, y}, Value: table.Num(rng.Int64N(500), 0), Status: table.Published}
			if a/10 == b/10 {
				rec.Status = table.Safe
			}
			if a/10 == b/10 && rng.IntN(12) == 0 {
				rec.Status, rec.LPL, rec.UPL = table.Sensitive, table.Num(0, 0), table.Num(5, 0)
			}
			records = append(records, rec)
		}
	}
	whole := must.Get(table.Build("t", dims, records, true))(t)
	if whole.Len() <= autoCells {
		t.Fatalf("%d cells are not many", whole.Len())
	}
	whole.PublishMargins()
	part, cells := whole.InPlay()
	run := func(tab *table.Table) *Result {
		r, err := Run(context.Background(), []Input{{Table: tab}}, Policy{}, nil)
		if err != nil || r.Verdict != interval.Protected {
			t.Fatalf("%v: %v", r.Verdict, err)
		}
		return r
	}
	all, some := run(whole), run(part)
	if all.Solution.Cost != some.Solution.Cost || all.Solution.Bound != some.Solution.Bound {
		t.Errorf("cost %d and bound %d of the whole, %d and %d of the part", all.Solution.Cost, all.Solution.Bound, some.Solution.Cost, some.Solution.Bound)
	}
	var got, want []int32
	for i, in := range all.Patterns[0] {
		if in {
			got = append(got, int32(i))
		}
	}
	for s, in := range some.Patterns[0] {
		if in {
			want = append(want, cells[s])
		}
	}
	if !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("withheld %v, want %v", got, want)
	}
	if p := (&Policy{}); p.whole(whole) || !p.whole(part) {
		t.Error("the wrong tables are searched whole")
	}
}
