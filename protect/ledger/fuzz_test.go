package ledger

import (
	"strings"
	"testing"
)

// Whatever a file of sums holds, it is read or refused with its line; what is read says something.
func FuzzReadSums(f *testing.F) {
	for _, s := range []string{"a = b + c", `d: "x y" = 2*a - b`, "[x=1, y=2] = [z=3]", "a = = b", "[[", "a:b:c = d", "\xff = b", `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ReadSums(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		for _, s := range all {
			if len(s.Terms) < 2 || s.Line < 1 {
				t.Errorf("%q: %+v", text, s)
			}
		}
	})
}
