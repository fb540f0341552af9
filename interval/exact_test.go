package interval

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/gonum"
	"github.com/hitoku/hitoku/table"
)

// readExact reads a table of testdata/exact and marks its withheld cells.
func readExact(t *testing.T, name string) (*table.Table, []bool) {
	t.Helper()
	in := must.Get(formats.Read(filepath.Join("testdata", "exact", name+".jj"), formats.Options{}))(t)
	withheld := make([]bool, in.Table.Len())
	for i, s := range in.Table.Status {
		withheld[i] = s == table.Sensitive || s == table.Withheld
	}
	return in.Table, withheld
}

func ends(c Cell) string {
	text := func(r *big.Rat, none string) string {
		if r == nil {
			return none
		}
		return r.RatString()
	}
	return fmt.Sprintf("%d: %s %s", c.Index, text(c.Lo, "-inf"), text(c.Hi, "inf"))
}

// The duals behind these intervals are no short fractions, or floating point arithmetic
// gets them wrong. Every back end leads to the same exact ends, proved by witnesses.
func TestLongFractions(t *testing.T) {
	t.Parallel()
	disclosed := func(cells ...int) (want []string) { // at 10
		for _, i := range cells {
			want = append(want, fmt.Sprintf("%d: 10 10", i))
		}
		return want
	}
	far := []string{"1: 200000000000012 300000000695002", "2: 100000000000005 200000000694995", "4: 16 16",
		"7: 0 100000000694990", "8: 0 100000000694990"}
	for _, c := range []struct {
		name      string
		want      []string
		protected bool
	}{
		{"x1", []string{"0: 0 12", "1: 0 12", "2: 0 12", "3: 0 12", "4: 0 12"}, false},
		{"x3", disclosed(0, 1, 2, 3, 4, 5), false},
		{"default_false_p30", disclosed(0, 1, 2, 3, 4, 5, 6, 7), false},
		{"default_false_p100", disclosed(0, 1, 2, 3, 4, 5, 6), false},
		{"default_false_p1000", disclosed(0, 1, 2, 3, 4, 5), false},
		{"default_false_smallprimes", disclosed(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), false},
		{"pm1_false_protected_n26", nil, false}, // every cell is disclosed
		{"min_gonum_false_protected", []string{"0: -7 -7", "1: -11 -11"}, false},
		{"lpx1_b1_38", far, true},
		{"audit_inf_wide", far, false},
		{"lpx1_b3_0", []string{"3: -7 -7", "8: -inf inf", "9: 30 30", "10: -11 -11"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, backend := range lp.Backends() {
				tab, withheld := readExact(t, c.name)
				if c.name == "lpx1_b1_38" { // as the command has it: no exact disclosure
					tab.Strict = true
				}
				rep, err := Audit(t.Context(), tab, withheld, &Options{LP: backend, Witness: true})
				if err != nil {
					t.Fatalf("%s: %v", backend, err)
				}
				var got []string
				for _, cell := range rep.Cells {
					got = append(got, ends(cell))
					if cell.Inexact {
						t.Errorf("%s: cell %d is inexact", backend, cell.Index)
					}
					if c.want == nil && !cell.Disclosed {
						t.Errorf("%s: cell %d: %s, want it disclosed", backend, cell.Index, ends(cell))
					}
					for _, w := range []*Witness{cell.LoWitness, cell.HiWitness} {
						if err := w.Check(tab, withheld); err != nil {
							t.Errorf("%s: cell %d: %v", backend, cell.Index, err)
						}
					}
					if cell.Lo != nil && cell.LoWitness.At(cell.Index).Cmp(cell.Lo) != 0 || cell.Hi != nil && cell.HiWitness.At(cell.Index).Cmp(cell.Hi) != 0 {
						t.Errorf("%s: cell %d: the witnesses do not attain %s", backend, cell.Index, ends(cell))
					}
				}
				if c.want != nil && strings.Join(got, "\n") != strings.Join(c.want, "\n") {
					t.Errorf("%s: got\n%s\nwant\n%s", backend, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
				if rep.Protected != c.protected {
					t.Errorf("%s: protected %v, want %v", backend, rep.Protected, c.protected)
				}
			}
		})
	}
}

// The same where the values of the withheld cells are not known: only the published
// part and the bounds count.
func TestLongFractionsPublished(t *testing.T) {
	t.Parallel()
	files := must.Get(os.ReadDir("testdata/exact"))(t)
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".jj")
		tab, withheld := readExact(t, name)
		known := must.Get(Audit(t.Context(), tab, withheld, nil))(t)
		tab, _ = readExact(t, name)
		tab.Missing = make([]bool, tab.Len())
		for i, w := range withheld {
			if w {
				tab.Missing[i], tab.Value[i], tab.LPL[i], tab.UPL[i] = true, 0, 0, 0
			}
		}
		for _, backend := range lp.Backends() {
			rep, err := Audit(t.Context(), tab, withheld, &Options{LP: backend, Witness: true})
			if err != nil {
				t.Fatalf("%s: %s: %v", name, backend, err)
			}
			for c, cell := range rep.Cells {
				if a, b := ends(cell), ends(known.Cells[c]); a != b {
					t.Errorf("%s: %s: %s without the values, %s with them", name, backend, a, b)
				}
				for _, w := range []*Witness{cell.LoWitness, cell.HiWitness} {
					if err := w.Check(tab, withheld); err != nil {
						t.Errorf("%s: %s: cell %d: %v", name, backend, cell.Index, err)
					}
				}
			}
		}
	}
}

// A verdict rests on what is proved: where exact arithmetic gave up, Lo and Hi are outer
// values, and neither they nor infinity protect a cell.
func TestVerdictOnProvedEndsOnly(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{10, 10}, {10, 10}})
	k := 0
	tab.Status[k], tab.LPL[k], tab.UPL[k] = table.Sensitive, 5, 5
	ten := big.NewRat(10, 1)
	for _, c := range []struct {
		cell       Cell
		want, open bool
	}{
		{Cell{Inexact: true, inner: [2]*big.Rat{ten, ten}}, false, true},
		{Cell{Inexact: true, Lo: new(big.Rat), Hi: big.NewRat(20, 1), inner: [2]*big.Rat{ten, ten}}, false, true},
		{Cell{Inexact: true, Lo: big.NewRat(6, 1), Hi: big.NewRat(20, 1), inner: [2]*big.Rat{ten, ten}}, false, false},
		{Cell{Inexact: true, Lo: new(big.Rat), inner: [2]*big.Rat{big.NewRat(5, 1), big.NewRat(15, 1)}}, true, false},
		{Cell{Lo: new(big.Rat), inner: [2]*big.Rat{new(big.Rat), nil}}, true, false},
	} {
		cell := c.cell
		cell.Index = k
		if judge(tab, &cell, false); cell.Protected != c.want || cell.Unsettled != c.open || cell.Disclosed {
			t.Errorf("%+v: protected %v, unsettled %v, want %v, %v, and not disclosed", c.cell, cell.Protected, cell.Unsettled, c.want, c.open)
		}
	}
}
