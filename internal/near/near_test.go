package near

import (
	"testing"

	"pgregory.net/rapid"
)

func TestHint(t *testing.T) {
	t.Parallel()
	names := []string{"suppress", "audit", "attack", "value", "freq", "価格", "合計", "合計額", "A1", "A2", "B1", "B2"}
	for word, want := range map[string]string{
		"supress":  " (did you mean suppress?)",
		"SUPPRESS": " (did you mean suppress?)",
		"aduit":    " (did you mean audit?)",
		"vlaue":    " (did you mean value?)",
		"合計総":      " (did you mean 合計 or 合計額?)",
		"A3":       "",
		"a1":       " (did you mean A1?)",
		"Z9":       "",
		"sup":      " (did you mean suppress?)",
		"audit":    "",
		"":         "",
		"x":        "",
	} {
		if got := Hint(word, names, "").String(); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := Hint("widht", []string{"width"}, "--").String(); got != " (did you mean --width?)" {
		t.Error(got)
	}
}

// The distance is a metric's: 0 for words alike only, the same from both sides, at most 1 for one letter taken out.
func TestSlips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SliceOfN(rapid.SampledFrom([]rune("abcあ")), 0, 6)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := slips(a, b)
		if d != slips(b, a) || (d == 0) != (string(a) == string(b)) || d > max(len(a), len(b)) {
			t.Fatalf("%q, %q: %d", string(a), string(b), d)
		}
		if len(a) > 0 {
			k := rapid.IntRange(0, len(a)-1).Draw(t, "k")
			if d := slips(append(append([]rune{}, a[:k]...), a[k+1:]...), a); d != 1 {
				t.Fatalf("%q without letter %d: %d", string(a), k, d)
			}
		}
	})
}
