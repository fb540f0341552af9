package layout

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/test/memtest"
)

// encoded writes text as a file.
func encoded(t *testing.T, text, encoding string) []byte {
	t.Helper()
	switch encoding {
	case utf8Mark:
		return append([]byte("\xef\xbb\xbf"), text...)
	case utf16LE, utf16BE:
		b := []byte("\xff\xfe")
		if encoding == utf16BE {
			b = []byte("\xfe\xff")
		}
		for _, c := range utf16.Encode([]rune(text)) {
			if encoding == utf16BE {
				c = c<<8 | c>>8
			}
			b = append(b, byte(c), byte(c>>8))
		}
		return b
	}
	b, ok := records.Encode([]byte(text), encoding)
	if !ok {
		t.Fatalf("%s: %s", encoding, text)
	}
	return b
}

func texts(g *Grid) [][]string {
	var all [][]string
	for _, row := range g.Rows {
		var fields []string
		for _, f := range row {
			fields = append(fields, f.Text)
		}
		all = append(all, fields)
	}
	return all
}

func TestText(t *testing.T) {
	t.Parallel()
	japanese := "\"表ソ題：\",\"能登、一覧\"\n\n\"a,b\",\"1,234\",\"改\n行\"\n\"ポ|ソ\",\"\",\"\"\"x\"\"\"\n"
	want := [][]string{{"表ソ題：", "能登、一覧"}, nil, {"a,b", "1,234", "改\n行"}, {"ポ|ソ", "", `"x"`}}
	for _, encoding := range []string{records.UTF8, utf8Mark, records.CP932, utf16LE, utf16BE} {
		raw := encoded(t, japanese, encoding)
		x, err := newText(raw, "f.csv", "", "")
		if err != nil {
			t.Fatalf("%s: %v", encoding, err)
		}
		if x.File.Encoding != encoding || x.File.Separator != "," {
			t.Errorf("%s: %+v", encoding, x.File)
		}
		if d := cmp.Diff(want, texts(x.Grid)); d != "" {
			t.Errorf("%s: %s", encoding, d)
		}
		if d := cmp.Diff([]int{1, 2, 3, 5}, x.Grid.Lines); d != "" {
			t.Errorf("%s: %s", encoding, d)
		}
		got, err := x.replace(map[string]string{"3:2": "Ｘ", "5:1": "秘"})
		if err != nil {
			t.Fatal(err)
		}
		if after := encoded(t, strings.NewReplacer(`"1,234"`, `"Ｘ"`, "ポ|ソ", "秘").Replace(japanese), encoding); !bytes.Equal(got, after) {
			t.Errorf("%s: %q, want %q", encoding, got, after)
		}
	}
}

func TestTextSeparators(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, separator string
		want            [][]string
	}{
		{"freq,geo\\TIME\t2022 \t2021 \nA,AT\t282 \t: c \nA,EE\t8 \t6 bu \n", "\t", [][]string{{"freq,geo\\TIME", "2022 ", "2021 "}, {"A,AT", "282 ", ": c "}, {"A,EE", "8 ", "6 bu "}}},
		{"Tabelle: 1\r\nBetriebe, Umsatz: Jahre, Zweige;;\r\n;a;b\r\nx;24,8;1,5\r\ny;3;4,5\r\n", ";", [][]string{{"Tabelle: 1"}, {"Betriebe, Umsatz: Jahre, Zweige", "", ""}, {"", "a", "b"}, {"x", "24,8", "1,5"}, {"y", "3", "4,5"}}},
		{"a|b\n1|2,3\n", "|", [][]string{{"a", "b"}, {"1", "2,3"}}},
		{"a,b,\r1,2,\r", ",", [][]string{{"a", "b", ""}, {"1", "2", ""}}},
		{"a,b\n\"5\" disk,2\n\"open,3\n", ",", [][]string{{"a", "b"}, {`"5" disk`, "2"}, {`"open`, "3"}}},
		{"a, \"b, c\" ,d\n1,2,3\n\x1a", ",", [][]string{{"a", "b, c", "d"}, {"1", "2", "3"}}},
	} {
		x, err := newText([]byte(c.text), "f", "", "")
		if err != nil {
			t.Fatal(err)
		}
		if x.File.Separator != c.separator {
			t.Errorf("%q: separator %q", c.text, x.File.Separator)
		}
		if d := cmp.Diff(c.want, texts(x.Grid)); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
	x, err := newText([]byte("a\t1 \t2 p\n"), "f", "", "tab")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := x.replace(map[string]string{"1:2": ": c", "1:3": ""}); err != nil || string(got) != "a\t: c \t\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := x.replace(map[string]string{"1:9": "x"}); err == nil {
		t.Error("a field that is not there was replaced")
	}
	if _, err := newText([]byte("a\x00b"), "f", "", ""); err == nil {
		t.Error("a byte 0 was read")
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\"a\"\"b\";c\r\n;;\r\n", "\xff\xfea\x00,\x00b\x00", "\x83|\x83\x5c,1\n", "a\tb,c\n\x1a", "\"x\ny\",1\n\"", "\xef\xbb\xbf\"a\"|b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		memtest.Bound(t, len(raw), 1<<20, 4000, func() {
			x, err := newText(raw, "f", "", "")
			if err != nil {
				return
			}
			same, err := x.replace(nil)
			if err != nil || !bytes.Equal(same, raw) {
				t.Fatalf("%q became %q, %v", raw, same, err)
			}
			r := slices.IndexFunc(x.Grid.Rows, func(row []Field) bool { return len(row) > 0 })
			if r < 0 {
				return
			}
			b, err := x.replace(map[string]string{x.Grid.ref(r, 0): "Q"}) // one field replaced, all others stay
			if err != nil {
				t.Fatal(err)
			}
			y, err := newText(b, "f", x.File.Encoding, x.File.Separator)
			if err != nil {
				t.Fatalf("%q: %v", b, err)
			}
			if got := y.Grid.At(r, 0).Text; strings.TrimSpace(got) != "Q" && x.Grid.Rows[r][0].Quoted {
				t.Fatalf("%q: %q", b, got)
			}
		})
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1,234", "▲12.5", "(7)", "27.7 p", "1 234,5", "[c]", ": c", "１２", "1e5", "12 1)"} {
		f.Add(s, byte('.'), ",")
		f.Add(s, byte(','), ".")
	}
	f.Fuzz(func(t *testing.T, text string, decimal byte, thousands string) {
		if decimal != '.' && decimal != ',' {
			return
		}
		s := numberStyle{Decimal: decimal, Thousands: thousands}
		w := s.read(text)
		if !w.OK || w.Value == nil {
			return
		}
		if v, ok := parseNumber(string(*w.Value)); !ok || strings.ContainsAny(string(*w.Value), "eE+, ") {
			t.Fatalf("%q became %q, %v", text, *w.Value, v)
		}
		var forms numberForms
		forms.add(text)
		forms.styles(',')
	})
}

// TestDatedNote: a note that says of when the numbers are tells no cell of that year, though its day is a number of the table.
func TestDatedNote(t *testing.T) {
	t.Parallel()
	for _, note := range []string{"As of 1 October 2023.", "Stand: 1. Oktober 2023.", "North, 2023: 1"} {
		text := "Area,Men,Men,Women,Women\n,2022,2023,2022,2023\nNorth,4,1,7,9\nSouth,12,15,8,11\nAll,16,16,15,20\n\n\"" + note + "\"\n"
		s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if strings.Contains(note, "North") {
			want = 1
		}
		if notes := s.Account(nil).notes; len(notes) != want {
			t.Errorf("%s: %v", note, notes)
		}
	}
	for _, label := range []string{"2023년", "2023년도", "民國112年"} {
		if !isTime(label) {
			t.Errorf("%s is a year", label)
		}
	}
}
