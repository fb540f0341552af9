package ledger

import (
	"bytes"
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

// What is written of a ledger is read again.
func FuzzReadBook(f *testing.F) {
	f.Add("periods = [\"1\"]\n[[release]]\nfile = \"a.csv\"\nat = {x = \"y\"}\nread = {total = \"T\", hierarchy = [\"a=b\"]}\n")
	f.Add("[[release]]\nfile = \"a\"\nrevision = true\n[release.codes.x]\na = \"b\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ReadBook(strings.NewReader(text), "l.toml")
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := b.Write(&out, "l.toml"); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		again, err := ReadBook(bytes.NewReader(out.Bytes()), "l.toml")
		if err != nil || len(again.Releases) != len(b.Releases) {
			t.Fatalf("%q written as %q: %v", text, out.String(), err)
		}
	})
}
