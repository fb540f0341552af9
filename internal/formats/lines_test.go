package formats

import (
	"io"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// CP1252 is read and written by its name; where it may be found out, text in which no
// two bytes beyond ASCII stand together is taken for it.
func TestCP1252(t *testing.T) {
	text := "r\xe9gion,value\nSt. \xd6lten,1\n"
	in := read(t, text, Options{Encoding: "cp1252"})
	if in.Table.Dims[0].Name != "région" || in.Table.CellName(0) != "St. Ölten" {
		t.Error(in.Table.Dims[0].Name, in.Table.CellName(0))
	}
	if got := written(t, in, nil); got != "r\xe9gion,value,status\nSt. \xd6lten,1,s\nTotal,1,s\n" {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{
		"Pr\xe9fecture\n": "Préfecture", "\x8eY\x8b\xc6\n": "産業", "na\xefve": "naïve", "\xb1\xb2": "ｱｲ", "é": "é", "\xfc\xfc\xfd": "üüý",
	} {
		l := must.Get(NewLines(strings.NewReader(text), "t", ""))(t)
		if got, err := l.Next(); got != want || err != nil {
			t.Errorf("%q: %q %v", text, got, err)
		}
		if _, err := l.Next(); err != io.EOF {
			t.Error(err)
		}
	}
	for _, tc := range []struct{ text, encoding, want string }{
		{"a\xe9\x81\xff\x3f", "", "t:1:3: byte 0x81: not CP1252; want another --encoding"},
		{"\xef\xbb\xbfa", "cp1252", "t: starts with the byte order mark of UTF-8, but the encoding chosen is cp1252"},
		{"a", "latin1", "t: latin1: no such encoding; want utf-8, cp932 or cp1252"},
	} {
		l, err := NewLines(strings.NewReader(tc.text), "t", tc.encoding)
		if err == nil {
			_, err = l.Next()
		}
		if err == nil || err.Error() != tc.want {
			t.Errorf("%q: %v, want %s", tc.text, err, tc.want)
		}
	}
	in.Dialect.CP1252 = true
	in.Table.Dims[0].Codes[0] = "計"
	if err := Write(io.Discard, in, nil); err == nil || err.Error() != "t.csv:3: 計: CP1252 has no such character; write UTF-8" {
		t.Error(err)
	}
}
