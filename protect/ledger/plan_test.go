package ledger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// sales are eight tables of one hierarchy of regions and one of activities.
func sales() []Described {
	var all []Described
	for _, line := range strings.Fields(`T1,2023,pizza,nuts2/hrc_nuts,size T2,2023,pizza,nuts3/hrc_nuts,size T3,2023,pizza,a10/hrc_naf,nuts2/hrc_nuts T4,2023,pizza,size
		T5,2023,batavia,a10/hrc_naf,size T6,2023,arugula,a10/hrc_naf,size T7,2023,lettuce,a21/hrc_naf,size T8,2024,pizza,nuts2/hrc_nuts,size`) {
		field := strings.Split(line, ",")
		d := Described{Name: field[0], Field: field[1], Indicator: field[2]}
		for _, dim := range field[3:] {
			name, link, _ := strings.Cut(dim, "/")
			d.Dims = append(d.Dims, DescribedDim{name, link})
		}
		all = append(all, d)
	}
	return all
}

// Tables by levels of the same hierarchies are one table, indicators that a sum joins are one cluster, and other fields or indicators are others.
func TestPlan(t *testing.T) {
	t.Parallel()
	tables := sales()
	text := func(stated []Sum) string {
		clusters := must.Get(Plan(tables, stated))(t)
		var b strings.Builder
		for _, c := range clusters {
			fmt.Fprint(&b, c.Fields, c.Indicators, c.Sums)
			for _, x := range c.Tables {
				fmt.Fprint(&b, " ", x.Tables, x.Dims, x.Within, x.Total)
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	want := "[2023][pizza][] [T1 T2][hrc_nuts size][][] [T3][hrc_naf hrc_nuts][][2] [T4][size][0][1]\n" +
		"[2023][batavia arugula lettuce][lettuce = batavia + arugula] [T5 T6 T7][hrc_naf size][][]\n[2024][pizza][] [T8][hrc_nuts size][][]\n"
	if got := strings.ReplaceAll(text(sums(t, "lettuce = batavia + arugula")), "] [", "]["); got != strings.ReplaceAll(want, "] [", "][") {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := text(nil); strings.Count(got, "\n") != 5 {
		t.Errorf("without a sum:\n%s", got)
	}
	if _, err := Plan(tables, sums(t, "a = b + c")); err == nil || !strings.HasPrefix(err.Error(), "sums.txt:1: ") {
		t.Errorf("%v", err)
	}
}

// Cells are counted as shared by their codes, wherever the tables stand.
func TestShares(t *testing.T) {
	t.Parallel()
	a := read(t, "a", "region,size,value\nN,s,1\nN,l,2\nN,Total,3\nTotal,s,1\nTotal,l,2\nTotal,Total,3\n")
	b := read(t, "b", "size,value\ns,1\nl,2\nTotal,3\n", "region", "N")
	c := read(t, "c", "zone,value\nZ,9\nTotal,9\n")
	got, err := Shares([]*Release{a, b, c}, nil)
	if err != nil || got[0][1] != 3 || got[1][2] != 0 || got[0][2] != 1 {
		t.Errorf("%v, %v", got, err)
	}
}
