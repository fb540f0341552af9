package formats

import "testing"

// A mark must not read as a value.
func TestCheckSymbol(t *testing.T) {
	for _, mark := range []string{"", "x", "X", "χ", ":c", "..", ".", "(D)", "…", "NaN", "▲", "5x", "s", "nd"} {
		if err := CheckSymbol(mark, nil); err != nil {
			t.Errorf("%v", err)
		}
	}
	for _, mark := range []string{"0", "5", " 5 ", "-5", "1.5", "1,5", "1e3", "５", "−1", "-", "－", "–"} {
		if CheckSymbol(mark, nil) == nil {
			t.Errorf("%q stands for a withheld value", mark)
		}
	}
	if err := CheckSymbol("-", []string{"0"}); err != nil {
		t.Errorf("- where it is no structural zero: %v", err)
	}
	if CheckSymbol("n", []string{"n"}) == nil {
		t.Error("the mark of structural zeros stands for a withheld value")
	}
}
