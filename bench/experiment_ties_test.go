package bench

import (
	"flag"
	"math/big"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

var ties = flag.Int("ties", 1, "tables of each size that TestTiesByValue draws")

// TestTiesByValue attacks an office that breaks ties among patterns of the fewest
// cells by a hash of the values it withholds, as a general-purpose optimiser may seem
// to, by rerunning it on every candidate. Candidates that match it match `any`, too, so
// its effective intervals lie within those of attack.Run. With -v -args -ties=300 it
// prints the figures of docs/experiment.md: shares, widths and dimensions.
func TestTiesByValue(t *testing.T) {
	t.Parallel()
	const most = 2000 // candidates of a table; others are left out
	e := DefaultExperiment()
	for _, shape := range e.Shapes[:3] {
		d := must.Get(e.drawer(shape))(t)
		skipped, primary, widths := 0, 0, make([]int, e.Width)
		unsafeBy, primaryBy := map[int]int{}, map[int]int{}
		for index := range *ties {
			r := tiedOffice(t, d, index, most)
			if r == nil {
				skipped++
				continue
			}
			for k := range r.Cells {
				w := r.Cells[k].Inner.Width()
				primary++
				primaryBy[r.Dim]++
				if w < e.Width {
					widths[w]++
					unsafeBy[r.Dim]++
				}
			}
		}
		n := 0
		for _, c := range widths {
			n += c
		}
		t.Logf("%s: %d of %d tables have more than %d candidates; %d sensitive cells, %d unsafe (%.3f), by width %v",
			d.name, skipped, *ties, most, primary, n, float64(n)/float64(max(1, primary)), widths)
		for k := 1; k < 9; k++ {
			if primaryBy[k] > 0 {
				t.Logf("dimension %d: %.3f (%d)", k, float64(unsafeBy[k])/float64(primaryBy[k]), primaryBy[k])
			}
		}
	}
}

// tiedOffice returns the effective intervals of the sensitive cells of one table, nil
// where it has too many candidates.
func tiedOffice(t *testing.T, d *drawer, index int, most int64) *attack.Result {
	t.Helper()
	var tab *table.Table
	var s *solver.Solution
	suppress := func(c *table.Table) *solver.Solution {
		for i, v := range c.Value {
			// Any cell costs more than 40 others can differ by.
			c.Cost[i] = 1000 + int64(num.Mix(uint64(v)<<16+uint64(i))%16)
		}
		sol, err := solver.Suppress(t.Context(), c, &solver.Options{Workers: 1, Canonical: true})
		if err != nil {
			return nil
		}
		return sol
	}
	for rng := tableSource(d.Seed, d.shape, index); s == nil; {
		var err error
		if tab, err = d.draw(rng, index); err != nil {
			t.Fatal(err)
		}
		if hasSensitive(tab) {
			s = suppress(tab)
		}
	}
	var cells []int32
	for i, w := range s.Pattern {
		if w {
			cells = append(cells, int32(i))
		}
	}
	f := must.Get(nullspace.New(tab.Rel, cells, tab.Value, tab.Lower, tab.Upper))(t)
	if _, exact, err := f.Count(t.Context(), big.NewInt(most)); err != nil || !exact {
		return nil
	}
	any := must.Get(attack.Run(t.Context(), attack.Published(tab, s.Pattern), &attack.Options{Office: attack.Office{Below: d.Below, Levels: d.levels()}, Workers: 1}))(t)
	inner := make([]attack.Range, len(cells))
	for k := range inner {
		inner[k].Empty = true
	}
	own := make([]int64, len(cells))
	for y := range f.Points(t.Context()) {
		c := tab.Clone()
		for k, i := range cells {
			c.Value[i], own[k] = y[k], tab.Value[i]
		}
		for i, st := range c.Status {
			if st == table.Sensitive {
				c.Status[i], c.Width[i] = table.Safe, 0
			}
		}
		if _, _, err := c.MinimumFrequency(d.Below, false); err != nil {
			t.Fatal(err)
		}
		must.Do(t, c.SetLevels(d.levels()))
		may := hasSensitive(c)
		for i, st := range c.Status {
			may = may && (st != table.Sensitive || s.Pattern[i])
		}
		matches := false
		if may {
			again := suppress(c)
			matches = again != nil && slices.Equal(again.Pattern, s.Pattern)
		}
		if !matches && slices.Equal(y, own) {
			t.Fatalf("%s: the true table does not match", tab.Name)
		}
		for k, v := range y {
			if matches {
				if inner[k].Empty {
					inner[k] = attack.Range{Lo: v, Hi: v}
				}
				inner[k].Lo, inner[k].Hi = min(inner[k].Lo, v), max(inner[k].Hi, v)
			}
		}
	}
	r := &attack.Result{Dim: f.Dim()}
	for k, i := range cells {
		if o := any.Cells[k].Outer; inner[k].Lo < o.Lo || inner[k].Hi > o.Hi || any.Cells[k].Index != int(i) {
			t.Errorf("%s: cell %s: [%d, %d] with ties broken by value, outside [%d, %d] of all ties", tab.Name, tab.CellName(int(i)), inner[k].Lo, inner[k].Hi, o.Lo, o.Hi)
		}
		if tab.Status[i] == table.Sensitive {
			r.Cells = append(r.Cells, attack.Cell{Index: int(i), Inner: inner[k]})
		}
	}
	return r
}
