package render

import "testing"

func TestTextWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "北海道": 6, "Ａ": 2, "ｱ": 1, "×": 1, "か\u3099": 2, "é": 1} {
		if got := TextWidth(s); got != want {
			t.Errorf("textWidth(%q) = %d, want %d", s, got, want)
		}
	}
}
