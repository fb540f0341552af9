package adjust

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// inner is a drawn table of two by three, whose sensitive cells have levels.
func inner(t *testing.T, rng *rand.Rand) *table.Table {
	rows := make([][]int64, 2)
	for r := range rows {
		for range 3 {
			rows[r] = append(rows[r], rng.Int64N(6))
		}
	}
	tab := tabletest.CrossTab(t, rows)
	leaves := tab.Leaves()
	for i := range tab.Len() {
		if tab.Value[i] > 0 && !tab.IsMargin(i, leaves) && rng.IntN(3) == 0 {
			tab.Status[i] = table.Sensitive
			tab.LPL[i], tab.UPL[i] = 1+rng.Int64N(2), 1+rng.Int64N(2)
		}
		if tab.Value[i] > 0 && rng.IntN(12) == 0 && tab.Status[i] == table.Safe {
			tab.Status[i] = table.Published
		}
	}
	return tab
}

// best looks at all changes of inner cells of up to most, and returns the least distances.
func best(tab *table.Table, w []int64, most int64) (l1, l2 int64) {
	var cells []int
	leaves := tab.Leaves()
	for i := range tab.Len() {
		if !tab.IsMargin(i, leaves) {
			cells = append(cells, i)
		}
	}
	k := len(tab.Dims)
	l1, l2 = -1, -1
	y := make([]int64, tab.Len())
	copy(y, tab.Value)
	var try func(c int)
	try = func(c int) {
		if c == len(cells) {
			var one, two int64
			for i, v := range y {
				x := v - tab.Value[i]
				if v < 0 || num.Abs(x) > most || x != 0 && (tab.Status[i] == table.Published || tab.Value[i] == 0) {
					return
				}
				one += w[i] * num.Abs(x)
				two += w[i] * x * x
			}
			if short(tab, y, 1) != nil {
				return
			}
			if l1 < 0 || one < l1 {
				l1 = one
			}
			if l2 < 0 || two < l2 {
				l2 = two
			}
			return
		}
		i := cells[c]
		for x := -most; x <= most; x++ {
			if tab.Value[i]+x < 0 || tab.Value[i] == 0 && x != 0 {
				continue
			}
			for o := range tab.Len() {
				under := true
				for d := range k {
					q := tab.Coord[o*k+d]
					under = under && (q == 0 || q == tab.Coord[i*k+d])
				}
				if under {
					y[o] += x
				}
			}
			try(c + 1)
			for o := range tab.Len() {
				under := true
				for d := range k {
					q := tab.Coord[o*k+d]
					under = under && (q == 0 || q == tab.Coord[i*k+d])
				}
				if under {
					y[o] -= x
				}
			}
		}
	}
	try(0)
	return l1, l2
}

// TestBruteForce compares with all changes of up to 3 of small tables.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 12))
	found, none, proved := 0, 0, 0
	for n := range 24 {
		tab := inner(t, rng)
		w := make([]int64, tab.Len())
		for i := range w {
			w[i] = 1 + rng.Int64N(3)
		}
		one, two := best(tab, w, 3)
		r := must.Get(Adjust(context.Background(), tab, &Options{Weights: w, Most: 3}))(t)
		q := must.Get(Adjust(context.Background(), tab, &Options{Weights: w, Most: 3, Norm: L2}))(t)
		if one < 0 {
			none++
			if r.Status != solver.Infeasible || q.Status != solver.Infeasible {
				t.Errorf("%d: %s and %s, but there is no adjustment", n, r.Status, q.Status)
			}
			continue
		}
		found++
		if r.Status != solver.Optimal || r.Distance.Cmp(big.NewInt(one)) != 0 || r.Bound.Cmp(r.Distance) != 0 {
			t.Errorf("%d: %s %s (bound %s), the best is %d", n, r.Status, r.Distance, r.Bound, one)
		}
		if q.Value == nil || q.Distance.Cmp(big.NewInt(two)) < 0 || q.Bound.Cmp(big.NewInt(two)) > 0 {
			t.Errorf("%d: squares %s (bound %s), the best is %d", n, q.Distance, q.Bound, two)
		}
		if q.Status == solver.Optimal {
			proved++
		}
	}
	if found < 15 || proved < 2 {
		t.Errorf("%d found, %d without any, %d proved for squares", found, none, proved)
	}
}

// TestNoRoom names a cell that can go neither way.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{3, 4}, {5, 6}})
	tab.Status[0], tab.LPL[0], tab.UPL[0] = table.Sensitive, 4, 4
	tab.Upper[0] = tab.Value[0] + 1
	tab.Lower[0] = tab.Value[0] - 1
	if _, err := Adjust(context.Background(), tab, nil); !errors.Is(err, ErrImpossible) {
		t.Errorf("%v", err)
	}
}
