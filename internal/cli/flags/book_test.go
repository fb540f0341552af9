package flags

import (
	"bytes"
	"strings"
	"testing"
)

// What is written of a ledger is read again.
func FuzzReadBook(f *testing.F) {
	f.Add("periods = [\"1\"]\n[[release]]\nfile = \"a.csv\"\nat = {x = \"y\"}\nread = {total = \"T\", hierarchy = [\"a=b\"]}\n")
	f.Add("[[release]]\nfile = \"a\"\nrevision = true\n[release.codes.x]\na = \"b\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := readBook(strings.NewReader(text), "l.toml")
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := b.Write(&out, "l.toml"); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		again, err := readBook(bytes.NewReader(out.Bytes()), "l.toml")
		if err != nil || len(again.Releases) != len(b.Releases) {
			t.Fatalf("%q written as %q: %v", text, out.String(), err)
		}
	})
}
