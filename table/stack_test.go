package table

import (
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// row returns a table of three cells and their total.
func row(t *testing.T, status string, values ...int64) *Table {
	t.Helper()
	d := must.Get(FlatDimension("d", "Total", []string{"a", "b", "c"}))(t)
	letters := map[byte]Status{'s': Safe, 'u': Sensitive, 'z': Published, 'm': Withheld}
	var records []Record
	for i, code := range []string{"a", "b", "c", "Total"} {
		records = append(records, Record{Codes: []string{code}, Value: Num(values[i], 0), Status: letters[status[i]]})
	}
	return must.Get(Build("t", []Dimension{d}, records, false))(t)
}

func TestStack(t *testing.T) {
	a := row(t, "uszs", 5, 6, 0, 11)
	b := row(t, "szsz", 1, 0, 3, 4)
	must.Do(t, b.Rescale(2))
	a.LPL[0], b.Width[0] = 2, 0
	s := must.Get(Stack("both", []string{"x", "y"}, []*Table{a, b}))(t)
	var status strings.Builder
	for _, st := range s.Status {
		status.WriteString(st.String())
	}
	if got := status.String(); got != "usszmssz" {
		t.Errorf("statuses %s", got)
	}
	if !slices.Equal(s.Value, []int64{500, 600, 0, 1100, 100, 0, 300, 400}) || s.LPL[0] != 200 {
		t.Errorf("values %v, level %d", s.Value, s.LPL[0])
	}
	// A zero that would have stayed published in one response is known to everybody there.
	for i := range s.Len() {
		known := i == 2 || i == 5
		if got := s.Lower[i] == s.Upper[i]; got != known {
			t.Errorf("cell %s: known %v", s.CellName(i), got)
		}
	}
	if s.CellName(1) != "b/x" || s.CellName(4) != "a/y" || s.Rel.Len() != 2 || s.CheckAdditive(0) != nil {
		t.Errorf("cells %s, %s, %d relations", s.CellName(1), s.CellName(4), s.Rel.Len())
	}
	if all, err := Stack("z", []string{"x", "y"}, []*Table{row(t, "zsss", 1, 2, 3, 6), row(t, "zsss", 1, 2, 3, 6)}); err != nil || all.Status[0] != Published || all.Status[4] != Published {
		t.Errorf("a cell that stays everywhere does not: %v", err)
	}
	c, err := Stack("c", []string{"x", "y"}, []*Table{row(t, "zsss", 5, 6, 0, 11), row(t, "usss", 1, 0, 3, 4)})
	if err != nil || c.Status[0] != Withheld || c.Lower[0] != 5 || c.Upper[0] != 5 || c.Status[4] != Sensitive {
		t.Errorf("a cell that must stay in one response and is sensitive in another: %v", err)
	}
	if s.Status[4] = Safe; s.Validate() == nil {
		t.Error("a mask in one layer only is valid")
	}
	s.Status[4], s.Rel.Cell[4] = Withheld, 5
	if s.Validate() == nil {
		t.Error("layers with different relations are valid")
	}
}

func TestStackRefuses(t *testing.T) {
	a, b := row(t, "ssss", 5, 6, 0, 11), row(t, "usss", 1, 0, 3, 4)
	a.Strict, b.Width[0] = true, 3
	if _, err := Stack("w", []string{"x", "y"}, []*Table{a, b}); err == nil || !strings.Contains(err.Error(), "response y asks for widths that are reached") {
		t.Errorf("widths of two kinds: %v", err)
	}
	d, _ := FlatDimension("d", "Total", []string{"a", "b", "c"})
	c := must.Get(Build("c", []Dimension{d}, []Record{{Codes: []string{"a"}, Value: Num(1, 0)}}, false))(t)
	if _, err := Stack("w", []string{"x", "y"}, []*Table{a, c}); err == nil || !strings.Contains(err.Error(), "other cells") {
		t.Errorf("other cells: %v", err)
	}
}
