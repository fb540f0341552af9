package formats

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/hitoku/hitoku/internal/test/must"
)

// wide writes text in UTF-16 with its byte order mark.
func wide(text string, big bool) string {
	var b strings.Builder
	for _, c := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		if big {
			c = c<<8 | c>>8
		}
		b.WriteByte(byte(c))
		b.WriteByte(byte(c >> 8))
	}
	return b.String()
}

// TestUTF16 reads a table in UTF-16, as Excel saves "Unicode text", and writes it back so.
func TestUTF16(t *testing.T) {
	t.Parallel()
	for _, big := range []bool{false, true} {
		in := must.Get(ReadFrom(strings.NewReader(wide("地域\t男\t女\tTotal\r\n東𠮷\t3\t4\t7\r\n西\t5\t1\t6\r\nTotal\t8\t5\t13\r\n", big)), "t.txt", Options{}))(t)
		if in.Table.Len() != 9 || in.Table.CellName(0) != "東𠮷/男" {
			t.Errorf("%d cells, the first is %s", in.Table.Len(), in.Table.CellName(0))
		}
		pattern := make([]bool, 9)
		pattern[0], pattern[1], pattern[3], pattern[4] = true, true, true, true
		var b strings.Builder
		must.Do(t, Write(&b, in, pattern))
		if want := wide("地域\t男\t女\tTotal\r\n東𠮷\t\t\t7\r\n西\t\t\t6\r\nTotal\t8\t5\t13\r\n", big); b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}

// TestTrailingSeparators reads lines that end in separators, as spreadsheets write them, and
// writes them back so.
func TestTrailingSeparators(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"r,a,b,Total,,\nx,1,2,3,,\ny,3,4,7,,\nTotal,4,6,10,,\n", "r,a,b,Total,,\nx,,,3,,\ny,,,7,,\nTotal,4,6,10,,\n"},
		{"r,a,b,Total,,\nx,1,2,3\ny,3,4,7,\nTotal,4,6,10,,\n", "r,a,b,Total,,\nx,,,3,,\ny,,,7,,\nTotal,4,6,10,,\n"},
	} {
		in, err := ReadFrom(strings.NewReader(c.text), "t.csv", Options{})
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		pattern := make([]bool, in.Table.Len())
		for i := range pattern {
			pattern[i] = !strings.Contains(in.Table.CellName(i), "Total")
		}
		var b strings.Builder
		if err := Write(&b, in, pattern); err != nil || b.String() != c.want {
			t.Errorf("%q became %q, want %q; %v", c.text, b.String(), c.want, err)
		}
	}
	in, err := ReadFrom(strings.NewReader("r,c,value,\nx,a,1,\nx,b,2,\ny,a,3,\ny,b,4,\n"), "t.csv", Options{})
	if err != nil || in.Format != Tidy || in.Table.Len() != 9 {
		t.Errorf("a tidy file: %v", err)
	}
}
