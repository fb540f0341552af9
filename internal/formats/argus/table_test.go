package argus

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// statuses counts the cells of each status.
func statuses(t *table.Table) map[table.Status]int {
	n := map[table.Status]int{}
	for _, st := range t.Status {
		n[st]++
	}
	return n
}

func TestReadSamples(t *testing.T) {
	pp := sample(t, "tableinput_pp", "pp.tab")
	_, err := ReadTable(pp, Options{})
	var bad *table.AdditivityError
	if !errors.As(err, &bad) || !strings.HasSuffix(err.Error(), "pp.tab:6: Total/Os = sum over Size: the parts add up to 3703895, the margin is 3703896; READTABLE 1 or 1T computes margins, 2 accepts them") {
		t.Error(err)
	}
	for mode, changed := range map[Mode]int{Recompute: 4, Keep: 4, Accept: 3} {
		want := map[table.Status]int{table.Safe: 110, table.Sensitive: 9, table.Published: 43}
		tab := must.Get(ReadTable(pp, Options{Mode: mode}))(t)
		if n := statuses(tab.Table); tab.Table.Len() != 162 || fmt.Sprint(n) != fmt.Sprint(want) {
			t.Errorf("mode %d: %v of %d cells", mode, n, tab.Table.Len())
		}
		if len(tab.Changed) != changed {
			t.Errorf("mode %d: %v", mode, tab.Changed)
		}
	}
}

func TestReadPadded(t *testing.T) {
	tab := must.Get(ReadTable(sample(t, "checkargus_ex1", "tabdata_ex1.tab"), Options{Metadata: sample(t, "checkargus_ex1", "metadata_ex1.rda")}))(t)
	if n := statuses(tab.Table); tab.Table.Len() != 15 || n[table.Sensitive] != 1 || tab.Table.Freq != nil {
		t.Error(n, tab.Table.Freq)
	}
	for i, want := range []string{"Total/Total", "Total/male", "Total/female", "A/Total", "A/male", "A/female"} {
		if got := tab.Table.CellName(i); got != want || tab.Line(i) != i+1 {
			t.Errorf("cell %d on line %d is %s", i, tab.Line(i), got)
		}
	}
	if tab.Spelling[1]["male"] != "  male" || tab.Table.LPL[5] != 1 || tab.Table.LPL[4] != 0 {
		t.Error(tab.Spelling, tab.Table.LPL)
	}
}
