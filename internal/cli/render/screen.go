package render

import (
	"io"
	"os"
	"strconv"

	"github.com/muesli/termenv"
	"golang.org/x/term"
)

// A Screen is the terminal on which somebody reads the output.
type Screen struct {
	Width, Height int
	colours       termenv.Profile
	marks         *marks // separators of numbers; nil: as in files
}

// screenOf returns the terminal that w writes to; nil if it is not one, in which case the output is the same wherever
// it goes.
func screenOf(w io.Writer) *Screen {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	s := &Screen{Width: 80, Height: 24, colours: termenv.Ascii, marks: marksOf(FirstSet("LC_ALL", "LC_NUMERIC", "LANG"))}
	if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 0 && height > 0 {
		s.Width, s.Height = width, height
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		s.Width = n
	}
	out := termenv.NewOutput(f)
	if !out.EnvNoColor() && os.Getenv("TERM") != "dumb" {
		if _, err := termenv.EnableVirtualTerminalProcessing(out); err == nil { // needed on Windows, without effect elsewhere
			s.colours = out.EnvColorProfile() // from the environment, without querying the terminal
		}
	}
	return s
}

// FirstSet returns the value of the first of these environment variables that is not empty.
func FirstSet(names ...string) string {
	for _, name := range names {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	return ""
}

// ScreenOf returns the terminal that w, a console, writes to; nil if there is none.
func ScreenOf(w io.Writer) *Screen {
	if c, ok := w.(*console); ok {
		return c.screen
	}
	return nil
}

// A Look is how words appear on a screen. Colours are the terminal's own sixteen; a look is never the only sign of
// anything.
type Look int

// Looks.
const (
	Plain     Look = iota
	Heading        // bold
	Bad            // red and bold: a sensitive cell, a bad verdict
	Secondary      // yellow: a secondary suppression, or not settled
	Good           // green
)

// codes returns the control sequences before and after words with a look.
func (s *Screen) codes(l Look) (before, after string) {
	if s == nil || l == Plain || s.colours == termenv.Ascii {
		return "", ""
	}
	before = termenv.CSI
	switch l {
	case Heading:
		before += termenv.BoldSeq
	case Bad:
		before += termenv.BoldSeq + ";" + termenv.ANSIRed.Sequence(false)
	case Secondary:
		before += termenv.ANSIYellow.Sequence(false)
	case Good:
		before += termenv.ANSIGreen.Sequence(false)
	}
	return before + "m", termenv.CSI + termenv.ResetSeq + "m"
}

// Paint writes words with a look if w is the console of a screen.
func Paint(w io.Writer, look Look, words string) (err error) {
	c, ok := w.(*console)
	if !ok {
		_, err = io.WriteString(w, words)
		return err
	}
	before, after := c.screen.codes(look)
	c.raw(before)
	io.WriteString(c, words)
	c.raw(after)
	return c.err
}
