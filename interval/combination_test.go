package interval

import (
	"context"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	_ "github.com/hitoku/hitoku/lp/all"
	"github.com/hitoku/hitoku/table"
)

// endFrom is the end of cell k on one side where of the published cells only those of keep are known, as package
// rational computes it; nil if infinite. For TheValue nothing bounds a cell.
func endFrom(t *testing.T, tab *table.Table, withheld []bool, k int, side Side, keep func(i int) bool) *big.Rat {
	t.Helper()
	n := tab.Len()
	lo, up := make([]int64, n), make([]int64, n)
	for i := range n {
		lo[i], up[i] = -rational.Inf, rational.Inf
		switch {
		case !withheld[i] && keep(i):
			lo[i], up[i] = tab.Value[i], tab.Value[i]
		case withheld[i] && side != TheValue:
			if tab.Lower[i] != table.NegInf {
				lo[i] = tab.Lower[i]
			}
			if tab.Upper[i] != table.PosInf {
				up[i] = tab.Upper[i]
			}
		}
	}
	rhs := make([]*big.Int, tab.Rel.Len())
	for j := range rhs {
		rhs[j] = big.NewInt(tab.Rel.RHS[j])
	}
	sign := int(side)
	if side == TheValue {
		sign = 1
	}
	a, err := rational.New(n, tab.Rel.Ptr, tab.Rel.Cell, tab.Rel.Coef, rhs, lo, up).Maximise(context.Background(), k, sign, 0)
	switch {
	case err != nil:
		t.Fatal(err)
	case a.Status == rational.Unbounded:
		return nil
	case a.X.Num[k] == nil:
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(a.X.Num[k], a.X.Den)
}

// checkCombination asks that c is what it says, from the table alone.
func checkCombination(t *testing.T, tab *table.Table, withheld []bool, c *Combination) {
	t.Helper()
	sum, left := new(big.Rat).Set(c.Constant), map[int]*big.Rat{c.Cell: big.NewRat(1, 1)}
	constant := new(big.Rat)
	for _, m := range c.Relations {
		constant.Add(constant, new(big.Rat).Mul(m.Times, new(big.Rat).SetInt64(tab.Rel.RHS[m.Relation])))
		cell, coef := tab.Rel.Row(m.Relation)
		for e, i := range cell {
			if left[int(i)] == nil {
				left[int(i)] = new(big.Rat)
			}
			left[int(i)].Sub(left[int(i)], new(big.Rat).Mul(m.Times, new(big.Rat).SetInt64(int64(coef[e]))))
		}
	}
	if constant.Cmp(c.Constant) != 0 {
		t.Fatalf("cell %d: constant %s, want %s", c.Cell, c.Constant, constant)
	}
	if len(c.Relations) > 0 && left[c.Cell].Sign() == 0 {
		delete(left, c.Cell)
	}
	terms := 0
	for _, list := range [][]Term{c.Terms, c.Bounds} {
		for _, x := range list {
			terms++
			if left[x.Cell] == nil || left[x.Cell].Cmp(x.Coef) != 0 {
				t.Fatalf("cell %d: cell %d has coefficient %s, want %v", c.Cell, x.Cell, x.Coef, left[x.Cell])
			}
			delete(left, x.Cell)
			sum.Add(sum, new(big.Rat).Mul(x.Coef, x.Value))
		}
	}
	for i, v := range left {
		if v.Sign() != 0 {
			t.Fatalf("cell %d: cell %d is left out, with coefficient %s", c.Cell, i, v)
		}
	}
	for _, x := range c.Terms {
		if withheld[x.Cell] || x.Value.Cmp(new(big.Rat).SetInt64(tab.Value[x.Cell])) != 0 {
			t.Fatalf("cell %d: %d is no published cell of value %s", c.Cell, x.Cell, x.Value)
		}
	}
	for _, x := range c.Bounds {
		end := tab.Upper[x.Cell]
		if x.Coef.Sign() != int(c.Side) {
			end = tab.Lower[x.Cell]
		}
		if c.Side == TheValue || !withheld[x.Cell] || x.Value.Cmp(new(big.Rat).SetInt64(end)) != 0 {
			t.Fatalf("cell %d: %d has no bound %s that helps", c.Cell, x.Cell, x.Value)
		}
	}
	if sum.Cmp(c.Result) != 0 {
		t.Fatalf("cell %d: the terms give %s, not %s", c.Cell, sum, c.Result)
	}
}

// shorter reports whether fewer than size published cells give the end, by trying all sets of one less: with a set
// every larger one does.
func shorter(t *testing.T, tab *table.Table, withheld []bool, k int, side Side, end *big.Rat, size int) bool {
	t.Helper()
	var published []int
	for i, w := range withheld {
		if !w {
			published = append(published, i)
		}
	}
	for set := uint32(0); set < 1<<len(published); set++ {
		if bits.OnesCount32(set) != size-1 {
			continue
		}
		in := map[int]bool{}
		for b, i := range published {
			in[i] = set>>b&1 != 0
		}
		if got := endFrom(t, tab, withheld, k, side, func(i int) bool { return in[i] }); got != nil && got.Cmp(end) == 0 {
			return true
		}
	}
	return false
}

// Combinations give the ends that the audit finds, as anybody can compute from the table; and where they say that none is
// shorter, none is, by all sets of published cells.
func TestCombinations(t *testing.T) {
	t.Parallel()
	tables, tried, shortest, bounds, halves := 140, 0, 0, 0, 0
	for n := range tables {
		rng := rand.New(rand.NewPCG(uint64(n), 15))
		var tab *table.Table
		if n%2 == 0 {
			inner, width := make([][]int64, 2+rng.IntN(2)), 2+rng.IntN(2)
			for r := range inner {
				inner[r] = make([]int64, width)
				for c := range inner[r] {
					inner[r][c] = rng.Int64N(9)
				}
			}
			tab = tabletest.CrossTab(t, inner)
		} else {
			tab = tabletest.Random(rng, n)
		}
		withheld := tabletest.Pattern(rng, tab.Len())
		if n%3 == 0 { // as published: without the values
			tab.Missing = make([]bool, tab.Len())
			for i, w := range withheld {
				if tab.Missing[i] = w; w {
					tab.Value[i], tab.Status[i] = 0, table.Withheld
				}
			}
		}
		opt := &Options{}
		if n%5 == 0 {
			opt.Engine = "simplex"
		}
		rep := must.Get(Audit(context.Background(), tab, withheld, opt))(t)
		of := make([]int, len(rep.Cells))
		for c := range of {
			of[c] = c
		}
		combinations := must.Get(rep.Explain(context.Background(), of, 2))(t)
		for at, list := range combinations {
			cell := &rep.Cells[at]
			finite := 0
			for _, end := range [2]*big.Rat{cell.Lo, cell.Hi} {
				if end != nil {
					finite++
				}
			}
			given := 0
			for c := range list {
				x := &list[c]
				checkCombination(t, tab, withheld, x)
				want := cell.Hi
				switch x.Side {
				case LowerEnd:
					want = cell.Lo
				case TheValue:
					given++
					if !cell.Disclosed {
						t.Fatalf("table %d: cell %d is said to be disclosed", n, cell.Index)
					}
				}
				if want == nil || want.Cmp(x.Result) != 0 {
					t.Fatalf("table %d: cell %d: a combination gives %s on side %d, the audit %v", n, cell.Index, x.Result, x.Side, want)
				}
				given++
				bounds += len(x.Bounds)
				for _, m := range x.Terms {
					if !m.Coef.IsInt() {
						halves++
					}
				}
				published := 0
				for _, w := range withheld {
					if !w {
						published++
					}
				}
				if published > 10 || len(x.Terms) == 0 || tried > 120 {
					continue
				}
				tried++
				if x.Shortest && shorter(t, tab, withheld, cell.Index, x.Side, x.Result, len(x.Terms)) {
					t.Fatalf("table %d: cell %d, side %d: %d published cells are used, which is said to be the least, but fewer do", n, cell.Index, x.Side, len(x.Terms))
				}
				if x.Shortest {
					shortest++
				}
			}
			if given != finite {
				t.Fatalf("table %d: cell %d in [%v, %v]: %d ends are explained", n, cell.Index, cell.Lo, cell.Hi, given)
			}
		}
	}
	t.Logf("%d combinations compared with all sets of cells, %d of them shortest; %d bounds used, %d fractions", tried, shortest, bounds, halves)
	if tried < 100 || shortest < tried*9/10 || bounds == 0 {
		t.Errorf("%d combinations compared with all sets of cells, %d proved shortest, %d bounds used: too few", tried, shortest, bounds)
	}
}
