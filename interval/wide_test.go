package interval

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// chained is a table of no value but the first, of whose cells each is a share of that before: 97·y_i = y_{i−1}. The last but one of them
// is split in two. 97^12 is beyond 64 bits, so that no table that agrees with what is published can be written in them.
func chained(t *testing.T) (*table.Table, []bool) {
	t.Helper()
	const n = 15
	codes := make([]string, n)
	for i := range codes {
		codes[i] = fmt.Sprintf("c%d", i)
	}
	d := must.Get(table.FlatDimension("cell", "all", codes))(t)
	recs := make([]table.Record, n)
	for i := range recs {
		recs[i] = table.Record{Codes: []string{codes[i]}, Status: table.Withheld}
	}
	recs = append(recs, table.Record{Codes: []string{"all"}, Status: table.Withheld})
	recs[0].Value, recs[0].Status = table.Num(1000, 0), table.Safe
	tab := must.Get(table.Build("chained", []table.Dimension{d}, recs, true))(t)
	for i := int32(1); i < n-2; i++ {
		tab.Rel.Add([]int32{i - 1, i}, []int32{1, -97}, 0)
	}
	tab.Rel.Add([]int32{n - 3, n - 2, n - 1}, []int32{1, -1, -1}, 0)
	tab.Upper[n-2] = 1
	withheld := make([]bool, tab.Len())
	for i := range withheld {
		withheld[i] = i > 0
	}
	return tab, withheld
}

// Ends that 64 bits do not hold are exact even so.
func TestWideEnds(t *testing.T) {
	t.Parallel()
	tab, withheld := chained(t)
	rep := must.Get(Audit(t.Context(), tab, withheld, &Options{Witness: true}))(t)
	if !rep.base.Wide() || len(rep.Cells) != 15 {
		t.Fatalf("a base in 64 bits, or %d cells", len(rep.Cells))
	}
	want := big.NewRat(1000, 1)
	for c := range rep.Cells {
		cell := &rep.Cells[c]
		if cell.Index == 15 { // that of all
			continue
		}
		lo, hi := want, want
		if cell.Index < 13 {
			want = new(big.Rat).Quo(want, big.NewRat(97, 1))
			lo, hi = want, want
		}
		if cell.Index >= 12 { // the two parts of the last
			lo, hi = new(big.Rat), new(big.Rat).SetInt64(1000)
			for range 12 {
				hi.Quo(hi, big.NewRat(97, 1))
			}
		}
		if cell.Index == 12 {
			lo = hi
		}
		if cell.Inexact || cell.Lo.Cmp(lo) != 0 || cell.Hi.Cmp(hi) != 0 || cell.Disclosed != (lo.Cmp(hi) == 0) {
			t.Errorf("cell %d: %s … %s, disclosed %v, want %s … %s", cell.Index, cell.Lo, cell.Hi, cell.Disclosed, lo, hi)
		}
		for side, w := range []*Witness{cell.LoWitness, cell.HiWitness} {
			if err := w.Check(tab, withheld); err != nil || w.At(cell.Index).Cmp([]*big.Rat{lo, hi}[side]) != 0 {
				t.Errorf("cell %d, side %d: the witness has %s: %v", cell.Index, side, w.At(cell.Index), err)
			}
		}
		if lo, hi := cell.Inner(); lo.Cmp(cell.Lo) != 0 || hi.Cmp(cell.Hi) != 0 {
			t.Errorf("cell %d: witnesses show %s … %s", cell.Index, lo, hi)
		}
	}
	if list, err := rep.Explain(t.Context(), []int{0}, 1); err != nil || list[0] != nil {
		t.Errorf("explained by %v, %v", list, err)
	}
}

// Without time every end is a bound that everybody knows, and one table stands for what witnesses show.
func TestWideWithoutTime(t *testing.T) {
	t.Parallel()
	tab, withheld := chained(t)
	full := must.Get(Audit(t.Context(), tab, withheld, nil))(t)
	some := 0
	// Longer and longer, until there is time to find a table and none to find more.
	for limit := time.Microsecond; limit < time.Second; limit += limit/4 + 1 {
		rep, err := Audit(t.Context(), tab, withheld, &Options{TimeLimit: limit, Witness: true})
		if errors.Is(err, context.DeadlineExceeded) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		open := 0
		for c := range rep.Cells {
			cell, want := &rep.Cells[c], &full.Cells[c]
			lo, hi := cell.Inner()
			if lo.Cmp(want.Lo) < 0 || hi.Cmp(want.Hi) > 0 || cell.Lo != nil && cell.Lo.Cmp(want.Lo) > 0 || cell.Hi != nil && cell.Hi.Cmp(want.Hi) < 0 {
				t.Fatalf("cell %d: %v … %v outside, %v … %v inside, want %v … %v between them", cell.Index, cell.Lo, cell.Hi, lo, hi, want.Lo, want.Hi)
			}
			must.Do(t, cell.LoWitness.Check(tab, withheld))
			if cell.Inexact {
				open++
			}
		}
		if open != rep.Open() {
			t.Fatalf("%d cells are open, %d are said to be", open, rep.Open())
		}
		if some += open; open == 0 {
			break
		}
	}
	if s := (&stream{inspection: &inspection{rep: full, opt: &Options{Witness: true}, base: full.base}}); true {
		c := s.atLeast(13)
		if lo, hi := c.Inner(); !c.Inexact || c.Lo.Sign() != 0 || c.Hi.Cmp(big.NewRat(1, 1)) != 0 || lo.Cmp(hi) != 0 || c.LoWitness.Check(tab, withheld) != nil {
			t.Errorf("cell 13: %+v", c)
		}
		if c := s.atLeast(14); c.Hi != nil {
			t.Errorf("cell 14 is at most %s, which nobody says", c.Hi)
		}
	}
}
