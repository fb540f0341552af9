package option

import (
	"slices"
	"testing"
)

// Texts tell what an option is set to, and nothing where that is no more than holds without it.
func TestTexts(t *testing.T) {
	n, list, word, on, share := 3, []string{"a", "b"}, "", true, 0.5
	for _, c := range []struct {
		o    Option
		want []string
	}{
		{Option{To: &n}, []string{"3"}}, {Option{To: &n, Default: 3}, nil}, {Option{To: new(int)}, nil},
		{Option{To: &list}, list}, {Option{To: &word}, nil}, {Option{To: &on}, []string{"true"}}, {Option{To: &share}, []string{"0.5"}},
	} {
		if got := c.o.Texts(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c.o, got)
		}
	}
}

// A value is checked by its range and words; other options by their names, or names and values.
func TestCheck(t *testing.T) {
	given := map[string]bool{"x": true, "other": true, "kind": true, "kind=all": true}
	for _, c := range []struct {
		o     Option
		value string
		want  string
	}{
		{Option{Range: "[0, 1)"}, "0", ""}, {Option{Range: "[0, 1)"}, "1", "x 1: want a value in [0, 1)"}, {Option{Range: "[0, 1)"}, "NaN", "x NaN: want a value in [0, 1)"},
		{Option{Range: "[1, ∞)"}, "1e300", ""}, {Option{Range: "[1, ∞)"}, "1/2", "x 1/2: want 1 or more"}, {Option{Range: "[1, ∞)"}, "3/2", ""}, {Option{Range: "[1, ∞)"}, "all", ""},
		{Option{Range: "[1, ∞)"}, "1e999999999", ""}, {Option{Range: "(0, ∞)"}, "0", "x 0: want more than 0"}, {Option{Range: "(0, ∞)"}, "1ms", ""}, {Option{Range: "[0, ∞)"}, "-1s", "x -1s: want 0 or more"},
		{Option{Range: "[2, 6]", Want: "a number of cells from 2 to 6"}, "6", ""}, {Option{Range: "[2, 6]", Want: "a number of cells from 2 to 6"}, "7", "x 7: want a number of cells from 2 to 6"},
		{Option{From: []string{"quick", "slow"}}, "quik", `x "quik": want quick, slow (did you mean quick?)`},
		{Option{Only: true, Files: []string{"csv", "jj"}}, "a.txt", "x a.txt: want a name that ends in .csv or .jj"},
		{Option{Needs: []string{"other"}}, "", ""}, {Option{Needs: []string{"none"}, Why: "so it is"}, "", "x needs none: so it is"}, {Option{Needs: []string{"kind=some"}}, "", "x needs kind some"},
		{Option{One: []string{"none", "other"}}, "", ""}, {Option{One: []string{"no", "none"}}, "", "x needs no or none"},
		{Option{Excludes: []string{"none"}}, "", ""}, {Option{Excludes: []string{"kind=all"}}, "", "x and kind all do not go together"},
		{Option{Clashes: []Clash{{With: "other", Why: "the one is the other"}}}, "", "x and other do not go together: the one is the other"},
		{Option{Clashes: []Clash{{With: "other", If: "y"}}}, "", ""},
	} {
		c.o.Name = "x"
		if got := c.o.Check([]string{c.value}, func(s string) bool { return given[s] }).String(); got != c.want {
			t.Errorf("%+v of %q: %s", c.o, c.value, got)
		}
	}
}
