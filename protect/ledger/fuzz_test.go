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

// A line without end is refused where it stands.
func TestLongSum(t *testing.T) {
	_, err := ReadSums(strings.NewReader("a = b + c\n"+strings.Repeat("d", 2<<20)), "f")
	if err == nil || err.Error() != "f:2: line longer than 1048576 bytes" {
		t.Error(err)
	}
}
