package tables

import (
	"fmt"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

func TestParseKnown(t *testing.T) {
	for _, tc := range []struct{ s, name, value string }{
		{"M2/P3=14", "M2/P3", "14"},
		{"M2/P3= 0.50 ", "M2/P3", "0.5"},
		{"a=b/c=-3", "a=b/c", "-3"},
		{"a=b/c", "a=b/c", ""},
		{"=7", "", "7"},
		{"M2/P3=", "M2/P3=", ""},
	} {
		k, got := parseKnown(tc.s), ""
		if k.value != nil {
			got = k.value.String()
		}
		if k.name != tc.name || got != tc.value {
			t.Errorf("%q is %q = %q, want %q = %q", tc.s, k.name, got, tc.name, tc.value)
		}
	}
}

func TestFindCells(t *testing.T) {
	a := must.Get(table.FlatDimension("A", "T", []string{"a/b", "a"}))(t)
	b := must.Get(table.FlatDimension("B", "T", []string{"c", "b/c"}))(t)
	var rec []table.Record
	for _, codes := range [][]string{{"a/b", "c"}, {"a/b", "b/c"}, {"a", "c"}, {"a", "b/c"}} {
		rec = append(rec, table.Record{Codes: codes, Value: table.Num(1, 0)})
	}
	tab := must.Get(table.Build("t", []table.Dimension{a, b}, rec, true))(t)
	if got, err := findCells(tab, []string{"T/c", "a/c"}); err != nil || tab.CellName(got[0]) != "T/c" || got[1] != 2 {
		t.Errorf("%v, %v", got, err)
	}
	clear, err := findCells(tab, []string{`["a/b","c"]`, `["a", "b/c"]`, "T/c"})
	if err != nil || fmt.Sprint(tab.CellCodes(clear[0]), tab.CellCodes(clear[1]), tab.CellCodes(clear[2])) != "[a/b c] [a b/c] [T c]" {
		t.Errorf("%v, %v", clear, err)
	}
	for name, want := range map[string]string{
		"a/b/c":       "--knows a/b/c: several cells have this name, as codes contain a /; give its codes as [\"CODE\",\"CODE\"]",
		`["a/b","x"]`: `--knows ["a/b","x"]: no such cell; cells are named by their codes joined with /`,
		"x":           "--knows x: no such cell; cells are named by their codes joined with /",
	} {
		if _, err := findCells(tab, []string{name}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
