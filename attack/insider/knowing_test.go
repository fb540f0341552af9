package insider

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// published takes the values of withheld cells out of a table, which are then sensitive and ask for a width.
func published(t *table.Table, withheld []bool, width int64) {
	t.Missing = make([]bool, t.Len())
	for i, w := range withheld {
		if w {
			t.Missing[i], t.Value[i], t.Status[i], t.Width[i] = true, 0, table.Sensitive, width
		}
	}
}

// multiplied returns t, a cross table, with 10^10 more in each inner cell and its bound, and relations of which each number is two billion times as large.
func multiplied(t *table.Table) *table.Table {
	c := t.Clone()
	for i := range c.Value {
		by := int64(1e10)
		for d, code := range c.Coord[i*len(c.Dims) : (i+1)*len(c.Dims)] {
			if code == 0 {
				by *= int64(len(c.Dims[d].Codes) - 1)
			}
		}
		if c.Lower[i] += by; c.Known(i) {
			c.Value[i] += by
		}
	}
	c.Rel = table.NewRelations(t.Len())
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		coef = slices.Clone(coef)
		for e := range coef {
			coef[e] *= 2_000_000_000
		}
		c.Rel.Add(cell, coef, 0)
	}
	return c
}

// The widest interval that is left to somebody who knows a cell is the largest of those that an audit finds with each value
// of that cell given. The width is concave in it, and the numbers are multiples of 12, so whole ones are enough.
func TestWidthsKnowing(t *testing.T) {
	t.Parallel()
	compared, less := 0, 0
	for n := range 40 {
		rng := rand.New(rand.NewPCG(uint64(n), 3))
		inner := make([][]int64, 2+n%2)
		for r := range inner {
			inner[r] = make([]int64, 3)
			for c := range inner[r] {
				inner[r][c] = 12 * rng.Int64N(4)
			}
		}
		tab := tabletest.CrossTab(t, inner)
		withheld := tabletest.Pattern(rng, tab.Len())
		published(tab, withheld, 5)
		rep := must.Get(interval.Audit(context.Background(), tab, withheld, nil))(t)
		if len(rep.Cells) < 2 {
			continue
		}
		q := rep.Cells[rng.IntN(len(rep.Cells))]
		var cells []int
		for _, c := range rep.Cells {
			if c.Index != q.Index {
				cells = append(cells, c.Index)
			}
		}
		if q.Hi == nil {
			continue
		}
		got, err := WidthsKnowing(context.Background(), tab, withheld, []int{q.Index}, cells, nil)
		if err == nil {
			var alike []Width
			if alike, err = WidthsKnowing(context.Background(), multiplied(tab), withheld, []int{q.Index}, cells, nil); fmt.Sprint(alike) != fmt.Sprint(got) {
				t.Fatalf("%v, with longer relations %v", got, alike)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		most := make([]*big.Rat, len(cells))
		endless := make([]bool, len(cells))
		known := append([]bool(nil), withheld...)
		known[q.Index] = false
		for v := q.Lo.Num().Int64(); v <= q.Hi.Num().Int64(); v++ {
			given := tab.Clone()
			given.Missing[q.Index], given.Value[q.Index] = false, v
			one := must.Get(interval.Audit(context.Background(), given, known, &interval.Options{Cells: cells}))(t)
			for k, c := range one.Cells {
				if c.Hi == nil || c.Lo == nil {
					endless[k] = true
				} else if w := new(big.Rat).Sub(c.Hi, c.Lo); most[k] == nil || w.Cmp(most[k]) > 0 {
					most[k] = w
				}
			}
		}
		for k := range cells {
			compared++
			switch {
			case endless[k] != (got[k].Most == nil), !endless[k] && most[k].Cmp(got[k].Most) != 0:
				t.Errorf("table %d: knowing cell %d leaves cell %d a width of %v at most, want %v (endless %v)", n, q.Index, cells[k], got[k].Most, most[k], endless[k])
			case !endless[k] && most[k].Sign() == 0:
				less++
			}
		}
	}
	if compared < 50 || less == 0 {
		t.Errorf("%d widths compared, %d of them 0: too few", compared, less)
	}
}

// In a published table every withheld cell may be one contributor's, who finds those that are too narrow whatever the values
// are, and those that only the bounds determine.
func TestInsidersOfPublishedTables(t *testing.T) {
	t.Parallel()
	// r1/c1 and r1/c2 add up to 6, so each leaves the other nothing; r2/c1 to r2/c3 add up to 100.
	tab := tabletest.CrossTab(t, [][]int64{{2, 4, 50, 7}, {30, 30, 40, 9}, {5, 6, 7, 8}})
	names := map[string]bool{"r1/c1": true, "r1/c2": true, "r2/c1": true, "r2/c2": true, "r2/c3": true, "r3/c3": true, "r3/c1": true}
	withheld := make([]bool, tab.Len())
	for i := range withheld {
		withheld[i] = names[tab.CellName(i)]
	}
	published(tab, withheld, 7)
	if _, err := Run(context.Background(), tab, withheld, nil); err != ErrNoContributors {
		t.Fatalf("%v, want %v", err, ErrNoContributors)
	}
	rep := must.Get(Run(context.Background(), tab, withheld, &Options{Anyone: true}))(t)
	if !rep.Widths || rep.Unknown != 0 || rep.Singletons != 7 {
		t.Errorf("%+v", rep)
	}
	// Against the audit with the value given, at each value that the cell may have.
	public := must.Get(interval.Audit(context.Background(), tab, withheld, nil))(t)
	found := map[[2]int]bool{}
	for _, x := range rep.Findings {
		found[[2]int{x.Coalition[0], x.Cell}] = true
	}
	for _, q := range public.Cells {
		for _, k := range public.Cells {
			if q.Index == k.Index || new(big.Rat).Sub(k.Hi, k.Lo).Cmp(big.NewRat(7, 1)) < 0 {
				continue
			}
			w := must.Get(WidthsKnowing(context.Background(), tab, withheld, []int{q.Index}, []int{k.Index}, nil))(t)
			if want := w[0].Most.Cmp(big.NewRat(7, 1)) < 0; found[[2]int{q.Index, k.Index}] != want {
				t.Errorf("%s, known: %s is left %s, found %v", tab.CellName(q.Index), tab.CellName(k.Index), w[0].Most.RatString(), !want)
			}
		}
	}
	if len(found) == 0 {
		t.Error("nothing found")
	}
}
