package interval_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// drawnTable draws a table, perhaps with a relation that weighs its cells, which leads to fractions, and the cells that are
// withheld, some of them sensitive.
func drawnTable(rt *rapid.T) (*table.Table, []bool) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
	tab := tabletest.Random(rng, rng.IntN(7))
	if rng.IntN(2) == 0 {
		var cells, coefs []int32
		sum := int64(0)
		for i, v := range tab.Value {
			if c := rng.Int32N(7) - 3; c != 0 {
				cells, coefs, sum = append(cells, int32(i)), append(coefs, c), sum+int64(c)*v
			}
		}
		tab.Rel.Add(cells, coefs, sum)
	}
	withheld := tabletest.Pattern(rng, tab.Len())
	for i, w := range withheld {
		if !w {
			continue
		}
		if tab.Status[i] = table.Withheld; rng.IntN(4) == 0 {
			tab.Status[i], tab.UPL[i], tab.LPL[i] = table.Sensitive, rng.Int64N(9), rng.Int64N(9)
		}
	}
	return tab, withheld
}

// oracle solves for an end by the exact simplex method alone, from no basis, over all relations.
func brute(t *table.Table, withheld []bool, k, sign int) *big.Rat {
	n := t.Len()
	lo, up := make([]int64, n), make([]int64, n)
	for i := range lo {
		lo[i], up[i] = t.Value[i], t.Value[i]
		if withheld[i] {
			if lo[i] = t.Lower[i]; lo[i] == table.NegInf {
				lo[i] = -rational.Inf
			}
			up[i] = t.Upper[i]
		}
	}
	rhs := make([]*big.Int, t.Rel.Len())
	for j := range rhs {
		rhs[j] = big.NewInt(t.Rel.RHS[j])
	}
	a, err := rational.New(n, t.Rel.Ptr, t.Rel.Cell, t.Rel.Coef, rhs, lo, up).Maximise(context.Background(), k, sign, 0)
	if err != nil || a.Status == rational.Infeasible {
		panic(fmt.Sprint(err, a))
	}
	if a.Status == rational.Unbounded {
		return nil
	}
	if a.X.Num[k] == nil {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(a.X.Num[k], a.X.Den)
}

func same(a, b *big.Rat) bool { return a == nil && b == nil || a != nil && b != nil && a.Cmp(b) == 0 }

// Every interval is that of the exact simplex method, with witnesses that attain it, and the same bytes whatever the workers.
func TestIntervalsAreThoseOfTheOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tab, withheld := drawnTable(rt)
		opt := interval.Options{Engine: rapid.SampledFrom([]string{"", "simplex"}).Draw(rt, "engine"), Witness: true, Workers: 1}
		rep, err := interval.Audit(context.Background(), tab, withheld, &opt)
		if err != nil {
			rt.Fatal(err)
		}
		of := rapid.IntRange(0, 6).Draw(rt, "of") // the oracle takes its time
		for c := range rep.Cells {
			cell := &rep.Cells[c]
			if cell.Inexact {
				rt.Fatalf("cell %d is not settled", cell.Index)
			}
			if c%7 != of {
				continue
			}
			for side, end := range []*big.Rat{cell.Lo, cell.Hi} {
				sign := 2*side - 1
				if want := brute(tab, withheld, cell.Index, sign); !same(end, want) {
					rt.Fatalf("cell %d, end %+d: %v, want %v", cell.Index, sign, end, want)
				}
				w := []*interval.Witness{cell.LoWitness, cell.HiWitness}[side]
				if err := w.Check(tab, withheld); err != nil {
					rt.Fatal(err)
				}
				if end != nil && w.At(cell.Index).Cmp(end) != 0 {
					rt.Fatalf("cell %d: the witness has %v, the end is %v", cell.Index, w.At(cell.Index), end)
				}
			}
		}
		opt.Workers = 3
		again, err := interval.Audit(context.Background(), tab, withheld, &opt)
		if err != nil || !reflect.DeepEqual(rep.Cells, again.Cells) {
			rt.Fatalf("other cells with other workers: %v", err)
		}
	})
}

// An audit without time says what bounds prove and what the true table shows, and no more.
func TestNoTimeLeavesProvedEnds(t *testing.T) {
	t.Parallel()
	settled, unsettled := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		tab, withheld := drawnTable(rt)
		opt := interval.Options{Engine: rapid.SampledFrom([]string{"", "simplex"}).Draw(rt, "engine")}
		full, err := interval.Audit(context.Background(), tab, withheld, &opt)
		if err != nil {
			rt.Fatal(err)
		}
		opt.TimeLimit = time.Nanosecond
		rep, err := interval.Audit(context.Background(), tab, withheld, &opt)
		if err != nil {
			rt.Fatal(err)
		}
		if len(rep.Cells) != len(full.Cells) {
			rt.Fatalf("%d cells, want %d", len(rep.Cells), len(full.Cells))
		}
		for c := range rep.Cells {
			a, b := &rep.Cells[c], &full.Cells[c]
			lo, hi := a.Inner()
			if less(a.Lo, b.Lo, -1) || less(b.Lo, lo, -1) || less(a.Hi, b.Hi, 1) || less(b.Hi, hi, 1) {
				rt.Fatalf("cell %d: [%v, %v] and [%v, %v] do not hold [%v, %v] between them", a.Index, a.Lo, a.Hi, lo, hi, b.Lo, b.Hi)
			}
			switch {
			case a.Unsettled:
				unsettled++
			case a.Index != b.Index:
				rt.Fatalf("cell %d, want %d", a.Index, b.Index)
			case a.Protected && !b.Protected, !a.Protected && !a.Unsettled && b.Protected, a.Disclosed && !b.Disclosed:
				rt.Fatalf("cell %d: %+v, but %+v", a.Index, *a, *b)
			case !a.Inexact && (!same(a.Lo, b.Lo) || !same(a.Hi, b.Hi)):
				rt.Fatalf("cell %d is not settled at [%v, %v]", a.Index, a.Lo, a.Hi)
			default:
				settled++
			}
		}
		if v := rep.Verdict(); v == interval.Protected && !full.Protected || v == interval.Unprotected && full.Protected {
			rt.Fatalf("%s, but %s", v, full.Verdict())
		}
	})
	if settled == 0 || unsettled == 0 {
		t.Errorf("%d cells were settled, %d were not", settled, unsettled)
	}
}

// less reports whether end a is nearer than end b in direction sign, nil being infinitely far.
func less(a, b *big.Rat, sign int) bool {
	if a == nil || b == nil {
		return a != nil
	}
	return a.Cmp(b) == -sign
}
