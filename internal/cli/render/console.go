// Package render is what the command prints for people and programs: a console that no text can control, columns and
// grids, exact numbers, progress.
package render

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
	"golang.org/x/term"
)

// A console writes text and JSON to standard output or standard error. Characters that would control a terminal, or
// reverse its text, become visible: ESC as \u001b. In JSON that is the same string. It remembers the first error.
type console struct {
	w      io.Writer
	err    error
	part   []byte // the first bytes of an incomplete character
	text   []byte
	screen *Screen // nil if w is not a terminal
	paging *paging // nil if everything is written at once

	language *i18n.Language // the language of the reader of w
}

func NewConsole(w io.Writer, language *i18n.Language) *console {
	return &console{w: w, screen: screenOf(w), language: language}
}

// Speaks returns the language of the reader of w.
func (c *console) Speaks() *i18n.Language { return c.language }

func (c *console) Write(b []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	c.text = c.text[:0]
	from := b
	if len(c.part) > 0 {
		from = append(c.part, b...)
		c.part = nil
	}
	for len(from) > 0 {
		r, n := utf8.DecodeRune(from)
		switch {
		case r == utf8.RuneError && n == 1 && !utf8.FullRune(from):
			c.part = append([]byte(nil), from...)
			n = len(from)
		case r == utf8.RuneError && n == 1:
			c.text = fmt.Appendf(c.text, `\x%02x`, from[0])
		case steers(r) && r != '\n' && r != '\t':
			c.text = fmt.Appendf(c.text, `\u%04x`, r)
		default:
			c.text = append(c.text, from[:n]...)
		}
		from = from[n:]
	}
	if c.put(c.text); c.err != nil {
		return 0, c.err
	}
	return len(b), nil
}

// put writes text, with control characters made visible.
func (c *console) put(text []byte) {
	if c.paging != nil {
		c.err = c.paging.write(c, text)
		return
	}
	_, c.err = c.w.Write(text)
}

// raw writes control sequences for a terminal.
func (c *console) raw(codes string) {
	if c.err == nil && codes != "" {
		c.put([]byte(codes))
	}
}

// Close writes what is left and returns the first error.
func (c *console) Close() error {
	if len(c.part) > 0 && c.err == nil {
		for _, b := range c.part {
			c.text = fmt.Appendf(c.text[:0], `\x%02x`, b)
			if c.put(c.text); c.err != nil {
				break
			}
		}
	}
	if c.paging != nil {
		c.paging.close(c)
	}
	return c.err
}

// steers reports whether a terminal obeys r instead of showing it: control characters, marks that override the
// direction of text, and ends of lines or paragraphs.
func steers(r rune) bool {
	return r < 0x20 || r >= 0x7f && r <= 0x9f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Visible returns a label as it is shown in a line of text.
func Visible(s string) string {
	if strings.IndexFunc(s, steers) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Under returns the writer below w, if w is a console.
func Under(w io.Writer) io.Writer {
	if c, ok := w.(*console); ok {
		return c.w
	}
	return w
}

// FileOn returns the writer for the bytes of a file that w shows: unchanged, unless w is a terminal.
func FileOn(w io.Writer) io.Writer {
	c, ok := w.(*console)
	if !ok {
		return w
	}
	if f, ok := c.w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return c
	}
	return &unchanged{c}
}

// unchanged writes to a console without making anything visible.
type unchanged struct{ c *console }

func (u *unchanged) Write(b []byte) (n int, err error) {
	if u.c.err == nil {
		n, u.c.err = u.c.w.Write(b)
	}
	return n, u.c.err
}

// ShowsProgress reports whether progress may be drawn on w: on a terminal, or anywhere if HITOKU_PROGRESS=always asks
// for it, as in the log of a long job.
func ShowsProgress(w io.Writer) bool {
	if os.Getenv("HITOKU_PROGRESS") == "always" {
		return true
	}
	f, ok := Under(w).(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && term.IsTerminal(int(f.Fd()))
}

// Say tells the user something about a table.
func Say(w io.Writer, t *table.Table, format string, args ...any) {
	cli.Note(w, "%s: %s", Visible(t.Name), i18n.T(format, args...))
}
