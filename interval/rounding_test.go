package interval

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

var _ = heavy.Properties()

// rounded is truth with values rounded to multiples of unit, halves upwards; the right-hand sides are what the sums lack.
func rounded(truth *table.Table, unit int64) *table.Table {
	t := truth.Clone()
	t.Rounding = make([]int64, t.Len())
	for i, v := range t.Value {
		t.Value[i], t.Rounding[i] = (2*v+unit)/(2*unit)*unit, unit
		t.Lower[i], t.Upper[i] = min(t.Lower[i], t.Value[i]), max(t.Upper[i], t.Value[i])
	}
	for j := range t.Rel.Len() {
		t.Rel.RHS[j] = 0
		v, _ := t.Rel.Residual(j, t.Value)
		t.Rel.RHS[j] = v.Int64()
	}
	return t
}

// publish takes the values of withheld cells out of t, and what sums with one of them lack.
func publish(t *table.Table, withheld []bool) *table.Table {
	p := hide(t, withheld)
	for j := range p.Rel.Len() {
		cells, _ := p.Rel.Row(j)
		for _, i := range cells {
			if withheld[i] {
				p.Rel.RHS[j] = 0
			}
		}
	}
	return p
}

// byErrors computes the end of cell k of t from the definition, in exact arithmetic: for each published cell an error e_i
// of at most half a unit, y_i − e_i = a_i, and the relations between the y_i. Numbers are twice those of t. nil: infinite.
func byErrors(t *rapid.T, p *table.Table, withheld []bool, k, sign int) *big.Rat {
	n := p.Len()
	ptr := []int32{0}
	var col, coef []int32
	var rhs []*big.Int
	lo, up := make([]int64, 2*n), make([]int64, 2*n)
	for j := range p.Rel.Len() {
		cells, c := p.Rel.Row(j)
		col, coef, rhs = append(col, cells...), append(coef, c...), append(rhs, new(big.Int))
		ptr = append(ptr, int32(len(col)))
	}
	for i := range n {
		if lo[i] = 2 * p.Lower[i]; p.Lower[i] == table.NegInf {
			lo[i] = -rational.Inf
		}
		if up[i] = 2 * p.Upper[i]; p.Upper[i] == table.PosInf {
			up[i] = rational.Inf
		}
		if withheld[i] {
			continue
		}
		lo[n+i], up[n+i] = -p.Rounding[i], p.Rounding[i]
		col, coef, rhs = append(col, int32(i), int32(n+i)), append(coef, 1, -1), append(rhs, big.NewInt(2*p.Value[i]))
		ptr = append(ptr, int32(len(col)))
	}
	a, err := rational.New(2*n, ptr, col, coef, rhs, lo, up).Maximise(context.Background(), k, sign, 0)
	if err != nil {
		t.Fatal(err)
	}
	switch a.Status {
	case rational.Unbounded:
		return nil
	case rational.Infeasible:
		t.Fatal("no table")
	}
	if a.X.Num[k] == nil {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(a.X.Num[k], new(big.Int).Mul(a.X.Den, big.NewInt(2)))
}

func same(a, b *big.Rat) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Cmp(b) == 0)
}

// Intervals of a publication with rounded values are those of its definition, the truth lies in them, witnesses attain them,
// and combinations give them.
func TestRounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		truth := tabletest.Random(rng, rapid.IntRange(0, 6).Draw(t, "shape"))
		withheld := tabletest.Pattern(rng, truth.Len())
		p := publish(rounded(truth, rapid.SampledFrom([]int64{1, 2, 3, 5, 10}).Draw(t, "unit")), withheld)
		for i := range withheld { // some are exact
			if !withheld[i] && rng.IntN(8) == 0 {
				p.Value[i], p.Rounding[i] = truth.Value[i], 0
			}
		}
		for j := range p.Rel.Len() { // what sums lack now
			cells, _ := p.Rel.Row(j)
			complete := true
			for _, i := range cells {
				complete = complete && !withheld[i]
			}
			if p.Rel.RHS[j] = 0; complete {
				v, _ := p.Rel.Residual(j, p.Value)
				p.Rel.RHS[j] = v.Int64()
			}
		}
		rep, err := Audit(context.Background(), p, withheld, &Options{Witness: true, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var of []int
		asked := rng.IntN(len(rep.Cells) + 1) // of the definition, which takes longest
		for n, c := range rep.Cells {
			k := c.Index
			v := new(big.Rat).SetInt64(truth.Value[k])
			if c.Lo != nil && c.Lo.Cmp(v) > 0 || c.Hi != nil && c.Hi.Cmp(v) < 0 {
				t.Fatalf("cell %s: %v … %v without the truth %v", p.CellName(k), c.Lo, c.Hi, v)
			}
			for sign, end := range map[int]*big.Rat{-1: c.Lo, 1: c.Hi} {
				if n != asked {
					continue
				}
				if want := byErrors(t, p, withheld, k, sign); !same(end, want) {
					t.Fatalf("cell %s: %v … %v, want end %v", p.CellName(k), c.Lo, c.Hi, want)
				}
			}
			for end, w := range map[*big.Rat]*Witness{c.Lo: c.LoWitness, c.Hi: c.HiWitness} {
				if err := w.Check(p, withheld); err != nil || end != nil && w.At(k).Cmp(end) != 0 {
					t.Fatalf("cell %s: witness at %v, want %v: %v", p.CellName(k), w.At(k), end, err)
				}
			}
			if n < 3 {
				of = append(of, n)
			}
		}
		found, err := rep.Explain(context.Background(), of, 1)
		if err != nil {
			t.Fatal(err)
		}
		for n, list := range found {
			cell := rep.Cells[of[n]]
			ends := map[Side]*big.Rat{LowerEnd: cell.Lo, UpperEnd: cell.Hi, TheValue: cell.Lo}
			for c := range list {
				if x := &list[c]; x.Result.Cmp(ends[x.Side]) != 0 || recombined(x).Cmp(x.Result) != 0 {
					t.Fatalf("%s, interval %v … %v", x.Text(p, p.CellName), cell.Lo, cell.Hi)
				}
			}
		}
	})
}

// recombined adds a combination up.
func recombined(c *Combination) *big.Rat {
	sum := new(big.Rat).Set(c.Constant)
	for _, list := range [][]Term{c.Terms, c.Bounds} {
		for _, x := range list {
			sum.Add(sum, new(big.Rat).Mul(x.Coef, x.Value))
		}
	}
	if c.Rounding != nil {
		sum.Add(sum, new(big.Rat).Mul(big.NewRat(int64(c.Side), 1), c.Rounding))
	}
	return sum
}

// Where published values happen to add up, intervals with rounding contain those without, and the more so the coarser.
func TestRoundingWidens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		truth := tabletest.Random(rng, rapid.IntRange(0, 6).Draw(t, "shape"))
		withheld := tabletest.Pattern(rng, truth.Len())
		p := hide(truth, withheld)
		before, err := Audit(context.Background(), p, withheld, &Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []int64{1, 4} {
			p.Rounding = make([]int64, p.Len())
			for i := range p.Rounding {
				p.Rounding[i] = unit
			}
			rep, err := Audit(context.Background(), p, withheld, &Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for n := range rep.Cells {
				a, b := &before.Cells[n], &rep.Cells[n]
				if b.Lo != nil && (a.Lo == nil || b.Lo.Cmp(a.Lo) > 0) || b.Hi != nil && (a.Hi == nil || b.Hi.Cmp(a.Hi) < 0) {
					t.Fatalf("cell %s: %v … %v with rounding to %d, %v … %v with less", p.CellName(a.Index), b.Lo, b.Hi, unit, a.Lo, a.Hi)
				}
			}
			before = rep
		}
	})
}

// A pattern that protects a table with its values taken for exact need not protect it when they are rounded: of A + B = Total with true
// values 0.6, 0.6 and 1.2, published as 1, 1 and 1, A is at most 1.5, while 1 + 1 = 1 + 1 let it be 2.
func TestRoundingIsNoHelp(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{1, 1}, {5, 5}})
	withheld := withhold(t, tab, "r1/c1", "r1/c2", "r2/c1", "r2/c2", "T/c1", "T/c2")
	k := find(t, tab, "r1/c1")
	tab.Status[k], tab.UPL[k] = table.Sensitive, 1
	tab.Value[find(t, tab, "r1/T")] = 1
	tab.Value[find(t, tab, "T/T")] = 11
	for j := range tab.Rel.Len() {
		tab.Rel.RHS[j] = 0
		v, _ := tab.Rel.Residual(j, tab.Value)
		tab.Rel.RHS[j] = v.Int64()
	}
	naive, err := Audit(context.Background(), tab, withheld, nil)
	if err != nil || naive.Verdict() != Protected {
		t.Fatalf("values taken for exact: %v, %v", naive, err)
	}
	tab.Rounding = make([]int64, tab.Len())
	for i := range tab.Rounding {
		tab.Rounding[i] = 1
	}
	rep, err := Audit(context.Background(), tab, withheld, nil)
	if err != nil || rep.Verdict() != Unprotected {
		t.Fatalf("rounded values: %v, %v", rep, err)
	}
	exact, err := tab.Unrounded()
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := Audit(context.Background(), exact, withheld, nil); err != nil || rep.Verdict() != Unprotected {
		t.Fatalf("without help of rounding: %v, %v", rep, err)
	}
}

// What Unrounded protects is protected in the rounded table.
func TestUnroundedProtects(t *testing.T) {
	t.Parallel()
	seen := map[Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		truth := tabletest.Random(rng, rapid.IntRange(0, 6).Draw(t, "shape"))
		withheld := tabletest.Pattern(rng, truth.Len())
		tab := rounded(truth, rapid.SampledFrom([]int64{1, 2, 3, 5}).Draw(t, "unit"))
		for i := range withheld {
			if withheld[i] && rng.IntN(4) == 0 {
				tab.Status[i], tab.LPL[i], tab.UPL[i], tab.Width[i] = table.Sensitive, rng.Int64N(3), rng.Int64N(4), rng.Int64N(6)
			}
		}
		exact, err := tab.Unrounded()
		if err != nil {
			t.Fatal(err)
		}
		strict, err := Audit(context.Background(), exact, withheld, &Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := Audit(context.Background(), tab, withheld, &Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for n := range rep.Cells {
			if strict.Cells[n].Protected && !rep.Cells[n].Protected {
				c := &rep.Cells[n]
				t.Fatalf("cell %s: protected without rounding, unprotected in %v … %v", tab.CellName(c.Index), c.Lo, c.Hi)
			}
		}
		seen[strict.Verdict()]++
	})
	if seen[Protected] == 0 || seen[Unprotected] == 0 {
		t.Errorf("verdicts %v, want both", seen)
	}
}
