package table

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// marital is the table of hours worked by marital status of the Handbook on Statistical Disclosure Control, section 5.2.
func marital(t *testing.T) *Table {
	t.Helper()
	var records []Record
	for _, r := range []struct {
		status     string
		full, part int64
	}{{"Married", 6, 0}, {"Divorced", 5, 1}, {"Single", 2, 2}} {
		records = append(records, Record{Codes: []string{r.status, "Full"}, Value: Num(r.full, 0)}, Record{Codes: []string{r.status, "Part"}, Value: Num(r.part, 0)})
	}
	dims := make([]Dimension, 2)
	for d, codes := range [][]string{{"Married", "Divorced", "Single"}, {"Full", "Part"}} {
		var edges []Edge
		for _, c := range codes {
			edges = append(edges, Edge{Code: c, Parent: "Total"})
		}
		var err error
		if dims[d], err = NewDimension([]string{"status", "hours"}[d], "Total", edges); err != nil {
			t.Fatal(err)
		}
	}
	return must.Get(Build("marital", dims, records, true))(t)
}

// All married persons work full time, which everybody learns; that the other divorced do learns the one who works part time.
func TestGroupsHandbook(t *testing.T) {
	t.Parallel()
	for k, want := range [][]string{
		{"Married/Full of Married/Total: 0"},
		{"Divorced/Full of Divorced/Total: 1", "Married/Full of Married/Total: 0", "Single/Part of Total/Part: 1"},
	} {
		tab := marital(t)
		groups, fixed, err := (&GroupRule{K: int64(k), D: 1}).Groups(tab)
		if err != nil || len(fixed) > 0 {
			t.Fatal(fixed, err)
		}
		var got []string
		for _, g := range groups {
			got = append(got, fmt.Sprintf("%s of %s: %d", tab.CellName(g.Cell), tab.CellName(g.Margin), g.Others.Value))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("k = %d: %q, want %q", k, got, want)
		}
	}
}

// A zero that cannot be anything else tells no group anything that was not known: it is told apart.
func TestGroupsFixed(t *testing.T) {
	t.Parallel()
	tab := marital(t)
	for i := range tab.Len() {
		if tab.CellName(i) == "Married/Part" {
			tab.Upper[i] = 0
		}
	}
	groups, fixed, err := (&GroupRule{D: 1}).Groups(tab)
	if err != nil || len(groups) > 0 || len(fixed) != 1 {
		t.Errorf("groups %v, fixed %v, %v", groups, fixed, err)
	}
}

func TestParseGroupRule(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]GroupRule{"0": {0, 1}, "1": {1, 1}, "2,3": {2, 3}} {
		if r, err := ParseGroupRule(s); err != nil || *r != want {
			t.Errorf("%s: %v, %v", s, r, err)
		}
	}
	for _, s := range []string{"", "-1", "1,0", "0.5", "1,2,3", "x"} {
		if r, err := ParseGroupRule(s); err == nil {
			t.Errorf("%q is read as %v", s, *r)
		}
	}
}
