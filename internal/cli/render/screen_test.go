package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/test/must"
)

func TestMarks(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ locale, cell, want string }{
		{"en_US.UTF-8", "1234567.50", "1,234,567.50"},
		{"en_US.UTF-8", "[1440, 12345]", "[1,440, 12,345]"},
		{"en_US.UTF-8", "-1234", "-1,234"},
		{"en_US.UTF-8", "123", "123"},
		{"en_US.UTF-8", "2024-01", "2024-01"},
		{"en_US.UTF-8", "1/2000", "1/2000"},
		{"en_US.UTF-8", "x", "x"},
		{"de_DE.UTF-8@euro", "1234567.5", "1.234.567,5"},
		{"de_CH", "1234567", "1’234’567"},
		{"ja_JP.UTF-8", "1234567", "1,234,567"},
		{"hi_IN", "1234567", "12,34,567"},
		{"hi_IN", "123456789", "12,34,56,789"},
		{"C", "1234567", "1234567"},
		{"C.UTF-8", "1234567", "1234567"},
		{"POSIX", "1234567", "1234567"},
		{"", "1234567", "1234567"},
		{"no such locale", "1234567", "1234567"},
	} {
		if got := marksOf(tc.locale).in(tc.cell); got != tc.want {
			t.Errorf("%s: %s becomes %q, want %q", tc.locale, tc.cell, got, tc.want)
		}
	}
}

// on prints columns on a screen of a width.
func on(c *Columns, width int) string {
	var b bytes.Buffer
	out := NewConsole(&b, i18n.English)
	out.screen = &Screen{Width: width, Height: 24, colours: termenv.Ascii}
	c.Print(out)
	return b.String()
}

func TestColumnsFit(t *testing.T) {
	t.Parallel()
	columns := func() *Columns {
		c := NewColumns(1, "地域", "P1", "P2", "合計")
		c.Add("M1", "1234", "x", "20")
		return c
	}
	var all bytes.Buffer
	columns().Print(&all)
	if got := on(columns(), 22); got != all.String() {
		t.Errorf("all fit:\n%s", got)
	}
	want := "地域    P1  …\n-------------\nM1    1234  …\n… 2 of 4 columns do not fit into this window; a file or a pipe, as to less -S, gets all of them\n"
	for _, width := range []int{13, 16} {
		if got := on(columns(), width); got != want {
			t.Errorf("width %d:\n%s\nwant:\n%s", width, got, want)
		}
	}
	if got := on(columns(), 1); !strings.HasPrefix(got, "地域    P1  …\n") {
		t.Errorf("a column is shown of whatever window:\n%s", got)
	}
}

// A line that says one thing about all columns is printed, on a screen and off it.
func TestColumnsShortLine(t *testing.T) {
	t.Parallel()
	columns := func() *Columns {
		c := NewColumns(1, "X", "k", "loss")
		c.Add("a", "5", "0.1")
		c.Add("20 more with --json")
		return c
	}
	var all bytes.Buffer
	columns().Print(&all)
	if got := on(columns(), 80); got != all.String() || !strings.Contains(got, "\n20 more with --json\n") {
		t.Errorf("on a screen:\n%s\noff it:\n%s", got, all.String())
	}
}

// Colours stand around words, never inside what a file holds, and take no room.
func TestPaint(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	out := NewConsole(&b, i18n.English)
	out.screen = &Screen{Width: 80, Height: 24, colours: termenv.ANSI256}
	c := NewColumns(1, "X", "x")
	c.Add("X", "X")
	c.Add("x\x1b[31m", "12")
	c.Print(out)
	must.Do(t, Verdict(out, i18n.T("%s: %s, 3 of 9: safe", "safe", i18n.Word("unprotected"))))
	want := "X             x\n---------------\nX             \x1b[1;31mX\x1b[0m\nx\\u001b[31m  12\nsafe: \x1b[1;31munprotected\x1b[0m, 3 of 9: safe\n"
	if b.String() != want {
		t.Errorf("got:\n%q\nwant:\n%q", b.String(), want)
	}
}

func TestPagerOf(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"PAGER": ""}, ""},
		{map[string]string{"PAGER": "cat"}, ""},
		{map[string]string{"PAGER": "most -w", "TERM": "dumb"}, ""},
	} {
		got := pagerOf(func(name string) (string, bool) { v, ok := tc.env[name]; return v, ok })
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%v: %q, want %q", tc.env, got, tc.want)
		}
	}
}

// Every word is there, in order; no line is wider than asked but for a word alone.
func TestWrap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.SampledFrom([]rune("ab  秘匿、。（）x-"))).Draw(t, "text"))
		columns := rapid.IntRange(4, 20).Draw(t, "columns")
		lines := Wrap(text, columns)
		squeeze := strings.NewReplacer(" ", "")
		if got := squeeze.Replace(strings.Join(lines, "")); got != squeeze.Replace(text) {
			t.Fatalf("%q becomes %q", text, lines)
		}
		for _, l := range lines {
			if TextWidth(l) > columns && len(pieces(l)) > 1 {
				t.Fatalf("%q is wider than %d", l, columns)
			}
		}
	})
	got := strings.Join(Wrap("公表された数から、秘匿値を計算できない（区間の幅）。--width 8", 16), "|")
	if got != "公表された数か|ら、秘匿値を計算|できない（区間の|幅）。--width 8" {
		t.Error(got)
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	text := "One paragraph of\ntwo lines.\n\n  an example stays as it is, however long\n  name  a text in a column of its own\n"
	want := "One paragraph of two lines.\n\n  an example stays as it is, however long\n  name  a text in a column of\n        its own\n"
	if got := Fill(text, 30); got != want {
		t.Errorf("got:\n%s", got)
	}
}
