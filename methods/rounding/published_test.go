package rounding

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Region × size of the manual of τ-ARGUS 4.1 (4.2.5, pages 70 and 72), contributors and what it makes of them with base 5; - is an empty cell, two spaces a level.
const (
	manualSizes = `Alles 2 4 5 6 7 8 9 99`
	manualTrue  = `
Total 42723 9 5 20002 8831 5498 4594 3779 5
  Nr 11395 6 1 5137 2471 1487 1426 862 5
    1 6112 1 1 2856 1334 770 744 406 -
    2 3798 5 - 1657 802 497 527 305 5
    3 1485 - - 624 335 220 155 151 -
  Os 10227 3 1 4808 2041 1380 1101 893 -
    4 538 1 - 293 111 58 46 29 -
    5 1597 - - 676 370 283 152 116 -
    6 5446 2 1 2648 1014 658 572 551 -
    7 2646 - - 1191 546 381 331 197 -
  Ws 10054 - - 4696 2062 1294 1026 976 -
    8 1182 - - 467 303 178 127 107 -
    9 8018 - - 3866 1627 997 799 729 -
    10 854 - - 363 132 119 100 140 -
  Zd 11047 - 3 5361 2257 1337 1041 1048 -
    11 7511 - 3 3791 1521 822 666 708 -
    12 3536 - - 1570 736 515 375 340 -`
	manualRounded = `
Total 42725 10 5 20000 8830 5500 4595 3780 5
  Nr 11395 5 0 5135 2470 1490 1430 860 5
    1 6110 0 0 2855 1335 770 745 405 -
    2 3800 5 - 1655 800 500 530 305 5
    3 1485 - - 625 335 220 155 150 -
  Os 10230 5 0 4810 2040 1380 1100 895 -
    4 540 0 - 295 110 60 45 30 -
    5 1600 - - 675 370 285 155 115 -
    6 5445 5 0 2650 1015 655 570 550 -
    7 2645 - - 1190 545 380 330 200 -
  Ws 10055 - - 4695 2065 1295 1025 975 -
    8 1180 - - 465 305 180 125 105 -
    9 8020 - - 3865 1630 995 800 730 -
    10 855 - - 365 130 120 100 140 -
  Zd 11045 - 5 5360 2255 1335 1040 1050 -
    11 7510 - 5 3790 1520 820 665 710 -
    12 3535 - - 1570 735 515 375 340 -`
)

// manual makes a table of one of them.
func manual(t *testing.T, text string) *table.Table {
	t.Helper()
	sizes := strings.Fields(manualSizes)
	size := must.Get(table.FlatDimension("Size", sizes[0], sizes[1:]))(t)
	var edges []table.Edge
	var records []table.Record
	area := ""
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(line)
		switch depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2; depth {
		case 1:
			area = f[0]
			edges = append(edges, table.Edge{Code: area, Parent: "Total", Line: n})
		case 2:
			edges = append(edges, table.Edge{Code: f[0], Parent: area, Line: n})
		}
		for k, cell := range f[1:] {
			v := must.Get(strconv.ParseInt(strings.Replace(cell, "-", "0", 1), 10, 64))(t)
			records = append(records, table.Record{Codes: []string{f[0], sizes[k]}, Value: table.Num(v, 0)})
		}
	}
	region := must.Get(table.NewDimension("Region", "Total", edges))(t)
	return must.Get(table.Build("manual", []table.Dimension{region, size}, records, true))(t)
}

// TestManual compares with the example of τ-ARGUS's manual: a zero-restricted rounding, whose distance none undercuts.
func TestManual(t *testing.T) {
	t.Parallel()
	truth, theirs := manual(t, manualTrue), manual(t, manualRounded)
	res := must.Get(Round(context.Background(), truth, &Options{Base: 5}))(t)
	var sum int64
	for i, y := range theirs.Value {
		by := num.Abs(y - truth.Value[i])
		if y%5 != 0 || by >= 5 || truth.Value[i]%5 == 0 && by > 0 {
			t.Errorf("%s: %d is published as %d", truth.CellName(i), truth.Value[i], y)
		}
		sum += by
	}
	if res.Status != solver.Optimal || res.Engine != Network {
		t.Errorf("%s by %s", res.Status, res.Engine)
	}
	t.Logf("distance %d, that of the manual %d; %d cells differ", res.Distance, sum, different(res.Value, theirs.Value))
	if res.Distance != sum {
		t.Errorf("distance %d, that of the manual is %d", res.Distance, sum)
	}
}

func different(a, b []int64) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// TestManualIntervals compares with the section on what rounding protects (2.14): with b = 5 a published 0 was 0 to 4 and another number at most 4
// away; with one step a published 15 was from 6 to 24; and 7 may become 5 or 10, with one step 0, 5, 10 or 15.
func TestManualIntervals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		published int64
		steps     int
		lo, up    int64
	}{{0, 0, 0, 4}, {20, 0, 16, 24}, {5, 0, 1, 9}, {15, 1, 6, 24}, {5, 1, 0, 14}, {0, 1, 0, 9}} {
		dim := must.Get(table.FlatDimension("D", "T", []string{"a"}))(t)
		tab := must.Get(table.Build("t", []table.Dimension{dim}, []table.Record{{Codes: []string{"a"}, Value: table.Num(c.published, 0)}}, true))(t)
		rep := must.Get(Learned(context.Background(), tab, Within(tab.Value, Reach(5, c.steps, 0)), nil, &interval.Options{}))(t)
		for _, x := range rep.Cells {
			if lo, _ := x.Lo.Float64(); int64(lo) != c.lo {
				t.Errorf("%d with %d steps: from %s, want %d", c.published, c.steps, x.Lo, c.lo)
			}
			if up, _ := x.Hi.Float64(); int64(up) != c.up {
				t.Errorf("%d with %d steps: to %s, want %d", c.published, c.steps, x.Hi, c.up)
			}
		}
	}
	for steps, want := range [][]int64{{5, 10}, {0, 5, 10, 15}} {
		dim := must.Get(table.FlatDimension("D", "T", []string{"a"}))(t)
		tab := must.Get(table.Build("t", []table.Dimension{dim}, []table.Record{{Codes: []string{"a"}, Value: table.Num(7, 0)}}, true))(t)
		l := must.Get(nearest(tab, &Options{Base: 5}, steps))(t)
		var got []int64
		for z := l.lo[0]; z <= l.up[0]; z++ {
			got = append(got, 5*z)
		}
		if !slices.Equal(got, want) {
			t.Errorf("7 with %d steps may become %d, want %d", steps, got, want)
		}
	}
}
