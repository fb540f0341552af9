package interval

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// small is a table of two industries by four sizes; withheld cells have no value.
func small(t *testing.T, values map[string]int64, hidden ...string) (*table.Table, []bool) {
	t.Helper()
	a, _ := table.FlatDimension("industry", "Total", []string{"Metal", "Wood"})
	b, _ := table.FlatDimension("size", "Total", []string{"Large", "Medium", "Small", "Tiny"})
	var recs []table.Record
	for _, r := range []string{"Metal", "Wood", "Total"} {
		for _, c := range []string{"Large", "Medium", "Small", "Tiny", "Total"} {
			rec := table.Record{Codes: []string{r, c}, Value: table.Num(values[r+"/"+c], 0)}
			if rec.Status = table.Safe; slices.Contains(hidden, r+"/"+c) {
				rec.Value, rec.Status = table.Number{}, table.Withheld
			}
			recs = append(recs, rec)
		}
	}
	tab := must.Get(table.Build("small", []table.Dimension{a, b}, recs, true))(t)
	withheld := make([]bool, tab.Len())
	for i := range withheld {
		withheld[i] = !tab.Known(i)
	}
	return tab, withheld
}

func TestCombinationText(t *testing.T) {
	t.Parallel()
	values := map[string]int64{
		"Metal/Large": 12, "Metal/Medium": 12, "Metal/Small": 30, "Metal/Tiny": 21, "Metal/Total": 75,
		"Wood/Large": 40, "Wood/Medium": 7, "Wood/Small": 8, "Wood/Tiny": 9, "Wood/Total": 64,
		"Total/Large": 52, "Total/Medium": 19, "Total/Small": 38, "Total/Tiny": 30, "Total/Total": 139,
	}
	for _, x := range []struct {
		hidden []string
		want   []string
		cells  string
	}{
		{[]string{"Metal/Large"}, []string{"Metal/Large = 52 − 40 = 12"}, "Total/Large − Wood/Large"},
		{[]string{"Metal/Large", "Wood/Large", "Total/Large", "Total/Total"}, []string{"Metal/Large = 75 − 12 − 30 − 21 = 12"}, "Metal/Total − Metal/Medium − Metal/Small − Metal/Tiny"},
		{[]string{"Metal/Large", "Metal/Medium", "Wood/Large", "Wood/Medium"},
			[]string{"Metal/Large ≥ 75 − 30 − 21 − 19 = 5, as Wood/Medium is at least 0", "Metal/Large ≤ 75 − 30 − 21 = 24, as Metal/Medium is at least 0"},
			"Metal/Total − Metal/Small − Metal/Tiny − Total/Medium"},
		{[]string{"Metal/Large", "Metal/Medium", "Metal/Small", "Wood/Large", "Wood/Medium", "Wood/Small"},
			[]string{"Metal/Large ≥ 0, as everybody is taken to know", "Metal/Large ≤ 52, as Wood/Large is at least 0"}, ""},
	} {
		tab, withheld := small(t, values, x.hidden...)
		rep := must.Get(Audit(context.Background(), tab, withheld, nil))(t)
		list := must.Get(rep.Explain(context.Background(), []int{0}, 1))(t)
		var got []string
		for _, c := range list[0] {
			got = append(got, c.Text(tab, tab.CellName))
			parts := []string{c.Arithmetic(tab, tab.CellName)}
			for _, reason := range c.Reasons(tab, tab.CellName).Items {
				parts = append(parts, i18n.English.Say(reason))
			}
			if text := strings.Join(parts, ", as "); text != c.Text(tab, tab.CellName) { // each has a reason at most
				t.Errorf("%q in parts, want %q", text, c.Text(tab, tab.CellName))
			}
			if !c.Shortest {
				t.Errorf("%s: not proved to be shortest", c.Text(tab, tab.CellName))
			}
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("withheld %v:\n got %q\nwant %q", x.hidden, got, x.want)
		}
		if cells := list[0][0].Cells(tab.CellName); cells != x.cells {
			t.Errorf("withheld %v: cells %q, want %q", x.hidden, cells, x.cells)
		}
	}
}
