package flags

import (
	"slices"
	"testing"

	"github.com/spf13/pflag"
)

// A flag shows its value as it was given, so help and errors can repeat it.
func TestFlagValues(t *testing.T) {
	var number, word string
	for _, tc := range []struct {
		v interface {
			Set(string) error
			String() string
		}
		s string
	}{
		{Decimal(&number), "-3.25"},
		{choice(&word, []string{"a", "b"}, same), "b"},
	} {
		if err := tc.v.Set(tc.s); err != nil || tc.v.String() != tc.s {
			t.Errorf("Set(%q) = %v, then String() = %q", tc.s, err, tc.v.String())
		}
	}
}

// Lists of flags are spelled, set and split as pflag's own are.
func TestListValue(t *testing.T) {
	for _, split := range []bool{false, true} {
		for _, start := range [][]string{nil, {"a"}, {"a", "b,c", `q"`}} {
			for _, given := range [][]string{nil, {""}, {"x"}, {"x,y", `"p,q",r`, ""}, {`"`}} {
				ours, theirs := slices.Clone(start), []string(nil)
				v := &listValue{to: &ours, split: split}
				var fs pflag.FlagSet
				if split {
					fs.StringSliceVar(&theirs, "f", slices.Clone(start), "")
				} else {
					fs.StringArrayVar(&theirs, "f", slices.Clone(start), "")
				}
				w := fs.Lookup("f").Value
				if v.Type() != w.Type() || v.String() != w.String() {
					t.Errorf("%q: %s %s, want %s %s", start, v.Type(), v.String(), w.Type(), w.String())
				}
				for _, s := range given {
					if a, b := v.Set(s), w.Set(s); (a == nil) != (b == nil) {
						t.Errorf("%q: %v, want %v", s, a, b)
					}
				}
				if !slices.Equal(ours, theirs) || v.String() != w.String() {
					t.Errorf("%v %q and %q: %q %s, want %q %s", split, start, given, ours, v, theirs, w)
				}
			}
		}
	}
}
