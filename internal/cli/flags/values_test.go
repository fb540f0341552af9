package flags

import "testing"

// A flag shows its value as it was given, so help and errors can repeat it.
func TestFlagValues(t *testing.T) {
	var level, number, word string
	for _, tc := range []struct {
		v interface {
			Set(string) error
			String() string
		}
		s string
	}{
		{levelValue{&level}, "12.5%"},
		{levelValue{&level}, "8"},
		{decimalValue{&number}, "-3.25"},
		{durationValue{&word}, "1m30s"},
		{wholeValue{&word}, "18446744073709551615"},
		{marginsValue{&word}, "weight:2.5"},
		{Choice(&word, []string{"a", "b"}), "b"},
	} {
		if err := tc.v.Set(tc.s); err != nil || tc.v.String() != tc.s {
			t.Errorf("Set(%q) = %v, then String() = %q", tc.s, err, tc.v.String())
		}
	}
}
