package interval

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A giveUp is a back end that has no verdict from its third program on, as those of others have now and then.
type giveUp struct {
	lp.Solver
	solves int
}

func (g *giveUp) Solve(ctx context.Context) (*lp.Result, error) {
	if g.solves++; g.solves > 2 {
		return &lp.Result{Status: lp.Unknown, Raw: "given up"}, nil
	}
	return g.Solver.Solve(ctx)
}

// Numerical trouble of a back end is no reason for audit --integer to end without an answer.
func TestIntegerAfterTrouble(t *testing.T) {
	name, end := lp.Lend("giveup", func() (lp.Solver, error) {
		s, err := lp.Open("simplex")
		return &giveUp{Solver: s}, err
	})
	defer end()
	// 2 y0 + 3 y1 + 4 y2 = 18 and y0 + y2 ≤ 5 in integers: y1 is even.
	n := 4
	tab := &table.Table{Value: []int64{3, 4, 0, 2}, Cost: make([]int64, n), Status: []table.Status{table.Withheld, table.Sensitive, table.Withheld, table.Withheld},
		LPL: make([]int64, n), UPL: make([]int64, n), Width: make([]int64, n), Lower: make([]int64, n), Upper: []int64{9, 9, 9, 9}, Rel: table.NewRelations(n)}
	tab.Rel.Add([]int32{0, 1, 2}, []int32{2, 3, 4}, 18)
	tab.Rel.Add([]int32{0, 2, 3}, []int32{1, 1, 1}, 5)
	withheld := []bool{true, true, true, true}
	for _, backend := range []string{"simplex", name} {
		rep, err := Audit(t.Context(), tab, withheld, &Options{Engine: "simplex", LP: backend, Integer: true, Workers: 1})
		if err != nil {
			t.Fatalf("%s: %v", backend, err)
		}
		// y1 = 6 − (2 y0 + 4 y2)/3 with y0 + y2 ≤ 5: 6, 4 (3, 0), 2 (2, 2), 0 (1, 4).
		if c := rep.Cells[1]; c.Lo.Cmp(big.NewRat(0, 1)) != 0 || c.Hi.Cmp(big.NewRat(6, 1)) != 0 {
			t.Errorf("%s: cell in [%v, %v], want [0, 6]", backend, c.Lo, c.Hi)
		}
	}
}

// box returns a table without relations of free cells within bounds and the sums of them in the last cells.
func box(value, lower, upper []int64, coef [][]int32) (*table.Table, []bool) {
	n := len(value) + len(coef)
	tab := &table.Table{Value: append([]int64(nil), value...), Cost: make([]int64, n), Status: make([]table.Status, n),
		LPL: make([]int64, n), UPL: make([]int64, n), Width: make([]int64, n), Lower: append([]int64(nil), lower...), Upper: append([]int64(nil), upper...), Rel: table.NewRelations(n)}
	withheld := make([]bool, n)
	for i := range value {
		withheld[i], tab.Status[i] = true, table.Withheld
	}
	for j, row := range coef {
		sum := int64(0)
		cells, cs := []int32{int32(len(value) + j)}, []int32{-1}
		for i, c := range row {
			if c != 0 {
				cells, cs = append(cells, int32(i)), append(cs, c)
				sum += int64(c) * value[i]
			}
		}
		tab.Value, tab.Lower, tab.Upper = append(tab.Value, sum), append(tab.Lower, table.NegInf), append(tab.Upper, table.PosInf)
		tab.Rel.Add(cells, cs, 0)
	}
	return tab, withheld
}

// wholeEnds tries every table of whole numbers within the bounds; the cells after the free ones are sums of them, as box makes them.
func wholeEnds(t *table.Table, free int) (lo, hi []int64) {
	lo, hi = append([]int64(nil), t.Value...), append([]int64(nil), t.Value...)
	y := append([]int64(nil), t.Value...)
	bounded := func(k int) bool { // by what is published, too
		if t.Status[k] == table.Safe {
			return y[k] == t.Value[k]
		}
		return y[k] >= t.Lower[k] && y[k] <= t.Upper[k]
	}
	var fill func(k int)
	fill = func(k int) {
		if k < free {
			for y[k] = t.Lower[k]; y[k] <= t.Upper[k]; y[k]++ {
				fill(k + 1)
			}
			return
		}
		for j := range t.Rel.Len() {
			cell, coef := t.Rel.Row(j)
			y[free+j] = 0
			sum := int64(0)
			for s, i := range cell {
				if int(i) < free {
					sum += int64(coef[s]) * y[i]
				}
			}
			if y[free+j] = sum; !bounded(free + j) {
				return
			}
		}
		for i := range y {
			lo[i], hi[i] = min(lo[i], y[i]), max(hi[i], y[i])
		}
	}
	fill(0)
	return lo, hi
}

// Ends over whole numbers are those of all tables there are, at values whose units floating point arithmetic does not see.
func TestIntegerAgainstAllTables(t *testing.T) {
	t.Parallel()
	name, end := lp.Lend("never", func() (lp.Solver, error) {
		s, err := lp.Open("simplex")
		return &giveUp{Solver: s, solves: 2}, err
	})
	defer end()
	rng := rand.New(rand.NewPCG(1, 13))
	narrower := 0
	for round := range 150 {
		free, sums := 2+rng.IntN(3), 1+rng.IntN(3)
		value, lower, upper := make([]int64, free), make([]int64, free), make([]int64, free)
		for i := range value {
			value[i] = rng.Int64N([]int64{1, 10, 1e5}[rng.IntN(3)])
			lower[i], upper[i] = value[i]-rng.Int64N(5), value[i]+rng.Int64N(5)
		}
		coef := make([][]int32, sums)
		largest := []int32{5, 1e4, 1e9}[rng.IntN(3)]
		for j := range coef {
			coef[j] = make([]int32, free)
			for i := range coef[j] {
				coef[j][i] = rng.Int32N(2*largest) - largest
			}
		}
		tab, withheld := box(value, lower, upper, coef)
		if largest > 5 { // the sums move, too, within bounds of their own
			for k := free; k < tab.Len(); k++ {
				withheld[k], tab.Status[k] = true, table.Withheld
				tab.Lower[k], tab.Upper[k] = tab.Value[k]-rng.Int64N(4*int64(largest)), tab.Value[k]+rng.Int64N(4*int64(largest))
			}
		}
		lo, hi := wholeEnds(tab, free)
		linear := must.Get(Audit(t.Context(), tab, withheld, &Options{Engine: "simplex", Workers: 1}))(t)
		rep, err := Audit(t.Context(), tab, withheld, &Options{Engine: "simplex", LP: []string{"", name}[round%2], Integer: true, Witness: true, Workers: 1})
		if err != nil {
			t.Fatalf("table %d: %v", round, err)
		}
		for k := range rep.Cells {
			c := rep.Cells[k]
			if c.Inexact || c.Lo.Cmp(new(big.Rat).SetInt64(lo[k])) != 0 || c.Hi.Cmp(new(big.Rat).SetInt64(hi[k])) != 0 {
				t.Errorf("table %d: cell %d in [%s, %s], inexact %v, want [%d, %d]", round, k, c.Lo.RatString(), c.Hi.RatString(), c.Inexact, lo[k], hi[k])
			}
			for side, w := range []*Witness{c.LoWitness, c.HiWitness} {
				if err := w.Check(tab, withheld); err != nil || w.Wide != nil || w.Den != 1 || w.Num[k] != []int64{lo[k], hi[k]}[side] {
					t.Errorf("table %d: cell %d: witness %v, %v", round, k, w, err)
				}
			}
			if l := linear.Cells[k]; l.Lo.Cmp(c.Lo) != 0 || l.Hi.Cmp(c.Hi) != 0 {
				narrower++
			}
		}
	}
	if narrower < 50 {
		t.Errorf("whole numbers told more of %d cells only", narrower)
	}
}

// Of 30011 y0 = 29989 y1 whole numbers are known by divisors, without a search.
func TestIntegerMultiples(t *testing.T) {
	t.Parallel()
	const far = int64(1e15)
	tab, withheld := box([]int64{29989 * 5, 30011 * 5, 0}, []int64{0, 0, 0}, []int64{far, far, 0}, [][]int32{{30011, -29989, 0}})
	withheld[2] = false
	rep := must.Get(Audit(t.Context(), tab, withheld, &Options{Integer: true, Engine: "simplex"}))(t)
	for k, step := range []int64{29989, 30011} {
		want := big.NewRat(far/30011*step, 1)
		if c := rep.Cells[k]; c.Inexact || c.Lo.Sign() != 0 || c.Hi.Cmp(want) != 0 {
			t.Errorf("cell %d in [%s, %s], inexact %v, want [0, %s]", k, c.Lo.RatString(), c.Hi.RatString(), c.Inexact, want.RatString())
		}
	}
}

// A search that is given up leaves ends that are proved, and says that they may not be met.
func TestIntegerGivenUp(t *testing.T) {
	t.Parallel()
	value, lower, upper := make([]int64, 6), make([]int64, 6), make([]int64, 6)
	for i := range value {
		value[i], lower[i], upper[i] = 4, 0, 9
	}
	tab, withheld := box(value, lower, upper, [][]int32{{12, 15, 20, 21, 28, 35}, {4, 9, 1, -7, 3, 2}})
	lo, hi := wholeEnds(tab, 6)
	rep, err := Audit(t.Context(), tab, withheld, &Options{Integer: true, TimeLimit: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 6 {
		tab.Status[k], tab.UPL[k] = table.Sensitive, 1
		c := rep.Cells[k]
		if !c.Inexact || c.Disclosed || c.Lo == nil || c.Hi == nil || c.Lo.Cmp(big.NewRat(lo[k], 1)) > 0 || c.Hi.Cmp(big.NewRat(hi[k], 1)) < 0 {
			t.Errorf("cell %d in [%v, %v], inexact %v, want some interval around [%d, %d] that is not exact", k, c.Lo, c.Hi, c.Inexact, lo[k], hi[k])
		}
	}
	if rep, err = Audit(t.Context(), tab, withheld, &Options{Integer: true, TimeLimit: time.Nanosecond}); err != nil || rep.Protected {
		t.Errorf("protected without a witness, or %v", err)
	}
}

// The table that a published one is looked at from must be of whole numbers, and is found; or it is proved that there is none.
func TestIntegerPublished(t *testing.T) {
	t.Parallel()
	published := func(value []int64, coef [][]int32) (*table.Table, []bool) {
		lower, upper := make([]int64, len(value)), make([]int64, len(value))
		for i := range upper {
			upper[i] = 9
		}
		tab, withheld := box(value, lower, upper, coef)
		tab.Missing = make([]bool, tab.Len())
		for i := range value {
			tab.Missing[i], tab.Value[i] = true, 0
		}
		return tab, withheld
	}
	coef := [][]int32{{6, 10, 15}, {3, -4, 2}}
	for v := range int64(216) {
		value := []int64{v % 6, v / 6 % 6, v / 36}
		tab, withheld := published(value, coef)
		rep, err := Audit(t.Context(), tab, withheld, &Options{Integer: true, Workers: 1})
		if err != nil {
			t.Fatalf("%v: %v", value, err)
		}
		copy(tab.Value, value)
		lo, hi := wholeEnds(tab, 3)
		for k, c := range rep.Cells {
			if c.Inexact || c.Lo.Cmp(big.NewRat(lo[k], 1)) != 0 || c.Hi.Cmp(big.NewRat(hi[k], 1)) != 0 {
				t.Errorf("%v: cell %d in [%v, %v], want [%d, %d]", value, k, c.Lo, c.Hi, lo[k], hi[k])
			}
		}
	}
	tab, withheld := published([]int64{1, 1, 1}, [][]int32{{2, 4, 6}})
	tab.Value[3] = 13
	if _, err := Audit(t.Context(), tab, withheld, &Options{Integer: true}); !errors.Is(err, ErrNotWhole) && !errors.Is(err, ErrFractional) {
		t.Errorf("2 y0 + 4 y1 + 6 y2 = 13 has %v", err)
	}
}

// An end without end has witnesses of whole numbers, too.
func TestIntegerEndless(t *testing.T) {
	t.Parallel()
	tab, withheld := box([]int64{3, 5, 7}, []int64{0, 0, 0}, []int64{table.PosInf, table.PosInf, table.PosInf}, [][]int32{{6, -10, 15}, {1, 1, -3}})
	rep := must.Get(Audit(t.Context(), tab, withheld, &Options{Integer: true, Witness: true}))(t)
	for k, c := range rep.Cells {
		for _, w := range []*Witness{c.LoWitness, c.HiWitness} {
			if err := w.Check(tab, withheld); err != nil {
				t.Errorf("cell %d: %v", k, err)
			}
			for i := range tab.Len() {
				if !w.At(i).IsInt() {
					t.Errorf("cell %d: a witness has %s", k, w.At(i).RatString())
				}
			}
		}
	}
	if c := rep.Cells[0]; c.Hi != nil && c.Inexact {
		t.Errorf("cell 0 up to %v", c.Hi)
	}
}
