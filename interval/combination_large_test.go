package interval

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// In a large table combinations are looked for among the relations that a first one uses: they give the ends too, and none is said to be the shortest.
func TestCombinationsOfLargeTables(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 0))
	inner := make([][]int64, 70)
	for r := range inner {
		inner[r] = make([]int64, 70)
		for c := range inner[r] {
			inner[r][c] = rng.Int64N(50)
		}
	}
	tab := tabletest.CrossTab(t, inner)
	withheld := make([]bool, tab.Len())
	for i := range withheld {
		if withheld[i] = rng.IntN(40) == 0; withheld[i] {
			tab.Status[i] = table.Withheld
		}
	}
	rep := must.Get(Audit(t.Context(), tab, withheld, nil))(t)
	of := []int{0, len(rep.Cells) / 3, len(rep.Cells) / 2, len(rep.Cells) - 1}
	lists := must.Get(rep.Explain(t.Context(), of, 2))(t)
	made := 0
	for n, list := range lists {
		cell := &rep.Cells[of[n]]
		for c := range list {
			x := &list[c]
			checkCombination(t, tab, withheld, x)
			if want := map[Side]*big.Rat{LowerEnd: cell.Lo, TheValue: cell.Lo, UpperEnd: cell.Hi}[x.Side]; want == nil || x.Result.Cmp(want) != 0 {
				t.Errorf("cell %d: a combination gives %s, the end is %v", cell.Index, x.Result, want)
			}
			if made++; x.Shortest && len(x.Relations) > 0 {
				t.Errorf("cell %d: the shortest among all, which nobody has looked for", cell.Index)
			}
		}
	}
	if made < len(of) {
		t.Errorf("%d combinations of %d cells", made, len(of))
	}
}

// What a combination says in words, whatever takes part in it.
func TestCombinationWords(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{1, 2}, {3, 4}})
	a, b, c, d := find(t, tab, "r1/c1"), find(t, tab, "r1/c2"), find(t, tab, "r2/c1"), find(t, tab, "r2/c2")
	rat := func(n, den int64) *big.Rat { return big.NewRat(n, den) }
	used := []Multiplier{{0, rat(1, 1)}}
	for _, x := range []struct {
		c           Combination
		text, cells string
		reasons     int
	}{
		{Combination{Cell: a, Side: LowerEnd, Result: rat(7, 1), Constant: new(big.Rat)}, "r1/c1 ≥ 7, as everybody is taken to know", "", 1},
		{Combination{Cell: a, Relations: used, Terms: []Term{{b, rat(1, 2), rat(-3, 1)}, {c, rat(-3, 2), rat(4, 1)}}, Constant: rat(5, 1), Result: rat(-5, 2)},
			"r1/c1 = ((-3) − 3·4 + 2·5) / 2 = -2.5", "(r1/c2 − 3·r2/c1) / 2", 0},
		{Combination{Cell: a, Relations: used, Terms: []Term{{b, rat(-1, 3), rat(6, 1)}}, Constant: new(big.Rat), Result: rat(-2, 1)}, "r1/c1 = −6 / 3 = -2", "−r1/c2 / 3", 0},
		{Combination{Cell: a, Side: UpperEnd, Relations: used, Terms: []Term{{b, rat(1, 1), rat(6, 1)}}, Bounds: []Term{{c, rat(-1, 1), rat(0, 1)}, {d, rat(-1, 1), rat(0, 1)}},
			Constant: new(big.Rat), Result: rat(6, 1)}, "r1/c1 ≤ 6, as r2/c1 and r2/c2 are at least 0", "r1/c2", 2},
		{Combination{Cell: a, Side: UpperEnd, Relations: used, Terms: []Term{{b, rat(1, 1), rat(6, 1)}}, Bounds: []Term{{c, rat(-1, 1), rat(2, 1)}, {d, rat(1, 1), rat(9, 1)}},
			Constant: new(big.Rat), Result: rat(13, 1)}, "r1/c1 ≤ 6 − 2 + 9 = 13, as r2/c1 is at least 2 and r2/c2 is at most 9", "r1/c2", 2},
		{Combination{Cell: a, Side: LowerEnd, Relations: used, Terms: []Term{{b, rat(1, 1), rat(6, 1)}}, Rounding: rat(3, 2), Bounds: []Term{{c, rat(-1, 1), rat(2, 1)}},
			Constant: new(big.Rat), Result: rat(5, 2)}, "r1/c1 ≥ 6 − 2 − 1.5 = 2.5, as rounding moves the sum by 1.5 at most and r2/c1 is at most 2", "r1/c2", 2},
		{Combination{Cell: a, Side: UpperEnd, Relations: used, Terms: []Term{{b, rat(1, 1), rat(6, 1)}}, Rounding: rat(1, 1),
			Bounds: []Term{{c, rat(-1, 1), rat(1, 1)}, {d, rat(-1, 1), rat(2, 1)}, {a, rat(-1, 1), rat(2, 1)}}, Constant: new(big.Rat), Result: rat(2, 1)},
			"r1/c1 ≤ 6 − 1 − 2 − 2 + 1 = 2, as rounding moves the sum by 1 at most, r2/c1 is at least 1, r2/c2 and r1/c1 are at least 2", "r1/c2", 4},
		{Combination{Cell: a, Relations: used, Constant: new(big.Rat), Result: new(big.Rat)}, "r1/c1 = 0", "", 0},
	} {
		if got := x.c.Text(tab, tab.CellName); got != x.text {
			t.Errorf("%q, want %q", got, x.text)
		}
		if got := x.c.Cells(tab.CellName); got != x.cells {
			t.Errorf("cells %q, want %q", got, x.cells)
		}
		if got := x.c.Reasons(tab, tab.CellName); len(got.Items) != x.reasons {
			t.Errorf("reasons %q, want %d", got, x.reasons)
		}
	}
}

// A dual that leaves a part of the cell itself on the other side is solved for the cell; one that leaves all of it, or more, gives nothing.
func TestCombineSolvesForTheCell(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{1, 2}, {3, 4}})
	w := withhold(t, tab, "r1/c1", "r1/c2", "r2/c1", "r2/c2")
	k := find(t, tab, "r1/c1")
	var with []int // the relations of the cell, and its sign there
	var sign int64
	for j := range tab.Rel.Len() {
		cell, coef := tab.Rel.Row(j)
		for e, i := range cell {
			if int(i) == k {
				with, sign = append(with, j), int64(coef[e])
			}
		}
	}
	dual := func(mult, den int64) *oracle.Dual {
		return &oracle.Dual{K: int32(k), Den: den, Rel: []int32{int32(with[0])}, Mult: []int64{mult * sign}}
	}
	want := combine(tab, w, w, k, UpperEnd, dual(1, 1))
	checkCombination(t, tab, w, want)
	for _, part := range [][2]int64{{1, 2}, {2, 3}, {3, 1}} {
		got := combine(tab, w, w, k, UpperEnd, dual(part[0], part[1]))
		checkCombination(t, tab, w, got)
		if got.Result.Cmp(want.Result) != 0 || got.Relations[0].Times.Cmp(want.Relations[0].Times) != 0 {
			t.Errorf("%d/%d of a relation: %s, want %s", part[0], part[1], got.Text(tab, tab.CellName), want.Text(tab, tab.CellName))
		}
	}
	for _, none := range []*Combination{
		combine(tab, w, w, k, UpperEnd, dual(0, 1)), combine(tab, w, w, k, UpperEnd, dual(-1, 1)), // not solved for the cell
		combine(tab, w, w, k, TheValue, dual(1, 1)), combine(tab, w, w, k, LowerEnd, dual(1, 1)), // a bound that there is not
	} {
		if none != nil {
			t.Errorf("a combination %s", none.Text(tab, tab.CellName))
		}
	}
}
