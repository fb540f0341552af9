package attack

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

var referenceTables = flag.Int("reference", 21, "number of random tables on which the attack is compared with the solver run on every candidate")

// drawShape draws a table of the numbers of leaves sizes; under tree the first variable
// has two groups of leaves.
func drawShape(tb testing.TB, sizes []int, tree bool, draw func() int64) *table.Table {
	tb.Helper()
	var dims []table.Dimension
	codes := make([][]string, len(sizes))
	for d, n := range sizes {
		var edges []table.Edge
		for c := range n {
			code := fmt.Sprintf("%c%d", 'a'+d, c)
			parent := "Total"
			if tree && d == 0 {
				parent = fmt.Sprintf("G%d", c%2)
			}
			edges = append(edges, table.Edge{Code: code, Parent: parent})
			codes[d] = append(codes[d], code)
		}
		if tree && d == 0 {
			edges = append(edges, table.Edge{Code: "G0", Parent: "Total"}, table.Edge{Code: "G1", Parent: "Total"})
		}
		dim := must.Get(table.NewDimension(fmt.Sprintf("D%d", d), "Total", edges))(tb)
		dims = append(dims, dim)
	}
	all := [][]string{nil}
	for d := range sizes {
		var next [][]string
		for _, prefix := range all {
			for _, c := range codes[d] {
				next = append(next, append(append([]string(nil), prefix...), c))
			}
		}
		all = next
	}
	var rec []table.Record
	for _, c := range all {
		rec = append(rec, table.Record{Codes: c, Value: table.Num(draw(), 0)})
	}
	return must.Get(table.Build("t", dims, rec, true))(tb)
}

// TestReference compares Run with the office's procedure, run by the solver on every
// candidate, on tables too large for brute force over patterns and of other shapes.
func TestReference(t *testing.T) {
	t.Parallel()
	shapes := []struct {
		sizes []int
		tree  bool
	}{
		{[]int{5, 5}, false}, {[]int{4, 6}, false}, {[]int{5, 3}, true}, {[]int{5, 4}, true}, {[]int{2, 3, 3}, false}, {[]int{3, 3, 3}, false}, {[]int{4, 2, 2}, true},
	}
	rng := rand.New(rand.NewPCG(1, 5))
	tables, candidates, most := heavy.Draws(*referenceTables), int64(0), int64(80)
	if testing.Short() {
		tables = min(tables, 14)
	}
	done := make([]int, len(shapes))
	for n := 0; n < tables; n++ {
		for tries := 0; ; tries++ {
			if tries == 400 {
				t.Fatalf("no table of shape %v", shapes[n%len(shapes)])
			}
			k := n % len(shapes)
			ok, c := reference(t, rng, shapes[k].sizes, shapes[k].tree, most)
			candidates += c
			if ok {
				done[k]++
				break
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%v tables, %d candidates", done, candidates)
}

// reference draws one table and compares; ok is false where the draw is of no use.
func reference(t *testing.T, rng *rand.Rand, sizes []int, tree bool, most int64) (ok bool, candidates int64) {
	small := rng.IntN(3) > 0 || len(sizes) > 2
	tab := drawShape(t, sizes, tree, func() int64 {
		if small {
			return rng.Int64N(12)
		}
		v := int64(15 + 10*rng.NormFloat64())
		return max(v, -v)
	})
	if !tree || rng.IntN(2) == 0 {
		tab.PublishMargins()
	}
	opt := &Options{Workers: 1 + rng.IntN(3)}
	opt.Below, opt.Zeros = 3+rng.Int64N(2), rng.IntN(4) == 0
	opt.Cost.Kind = []string{"count", "value"}[rng.IntN(2)]
	level := func(v int64, percent bool) *table.Level {
		return &table.Level{Decimal: table.Decimal{Unscaled: v}, Percent: percent}
	}
	switch rng.IntN(5) {
	case 0:
		opt.Levels = table.Levels{LPL: level(1, false), UPL: level(2, false)}
	case 1:
		opt.Levels = table.Levels{LPL: level(50, true), UPL: level(120, true)}
	default:
		opt.Levels.Width = level(3+rng.Int64N(3), false)
	}
	opt.Strict = rng.IntN(5) == 0
	base := must.Get(opt.base(tab, make([]bool, tab.Len())))(t)
	if rng.IntN(4) == 0 { // public statuses
		own, err := opt.table(base, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		tab.Status, opt.Below, opt.Zeros = own.Status, 0, false
		if base, err = opt.base(tab, make([]bool, tab.Len())); err != nil {
			t.Fatal(err)
		}
	}
	own := must.Get(opt.table(base, nil, nil))(t)
	s, err := solver.Suppress(t.Context(), own, &solver.Options{Canonical: true, Workers: 1})
	if unprotectable := (*solver.UnprotectableError)(nil); errors.As(err, &unprotectable) {
		return false, 0
	} else if err != nil {
		t.Fatal(err)
	}
	if rng.IntN(8) == 0 { // a pattern that need not be a cheapest one
		i := rng.IntN(tab.Len())
		s.Pattern[i] = s.Pattern[i] || tab.Status[i] != table.Published
	}
	for i, w := range s.Pattern {
		if w && rng.IntN(30) == 0 {
			opt.Knows = map[int]int64{i: tab.Value[i]}
		}
	}
	for _, m := range []Match{Any, Exact} {
		o := *opt
		o.Match, o.Count = m, CountAll
		got := must.Get(Run(t.Context(), Published(tab, s.Pattern), &o))(t)
		if n := got.Candidates; !n.IsInt64() || n.Int64() < 3 || n.Int64() > most {
			return false, 0
		}
		candidates = got.Candidates.Int64()
		want := must.Get(plain(t.Context(), tab, s.Pattern, &o))(t)
		story := func() string {
			str := fmt.Sprintf("%+v\nknows %v", o.Office, o.Knows)
			for i := range tab.Len() {
				str += fmt.Sprintf(" %s=%d%s", tab.CellName(i), tab.Value[i], tab.Status[i])
				if s.Pattern[i] {
					str += "*"
				}
			}
			return str
		}
		if got.Dim != want.Dim || got.Candidates.Cmp(want.Candidates) != 0 || got.Matching.Cmp(want.Matching) != 0 {
			t.Errorf("dimension, candidates, matching %d %v %v, want %d %v %v\n%s", got.Dim, got.Candidates, got.Matching, want.Dim, want.Candidates, want.Matching, story())
		}
		o.Count = CountNone
		less := must.Get(Run(t.Context(), Published(tab, s.Pattern), &o))(t)
		long := asLong(t, tab, s.Pattern, &o)
		for k := range want.Cells {
			w, g, l := &want.Cells[k], &got.Cells[k], &less.Cells[k]
			if a := &long.Cells[k]; a.Outer != g.Outer || a.Inner != g.Inner || a.Verdict != g.Verdict {
				t.Errorf("%s: %+v, as if numbers were long %+v\n%s", tab.CellName(w.Index), g, a, story())
			}
			if g.Outer != w.Outer || g.Inner != w.Outer || l.Outer != w.Outer || l.Inner != w.Outer || len(o.Knows) == 0 && (g.Lo.Cmp(w.Lo) != 0 || g.Hi.Cmp(w.Hi) != 0) {
				t.Errorf("%s: %+v, uncounted %+v, want %+v\n%s", tab.CellName(w.Index), g, l, w, story())
			}
		}
	}
	return true, candidates
}
