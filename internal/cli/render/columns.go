package render

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Columns aligns lines of text: the first left columns to the left, as codes
// are, the others to the right, as numbers are.
type Columns struct {
	left  int
	Lines [][]string // the header first
}

func NewColumns(left int, header ...string) *Columns {
	return &Columns{left, [][]string{header}}
}

func (c *Columns) Add(cells ...string) { c.Lines = append(c.Lines, cells) }

// Print writes the columns two blanks apart, a rule below the header.
func (c *Columns) Print(w io.Writer) {
	widths := make([]int, len(c.Lines[0]))
	for _, line := range c.Lines {
		for k, s := range line {
			line[k] = Visible(s)
			widths[k] = max(widths[k], TextWidth(line[k]))
		}
	}
	rule := -2
	for _, n := range widths {
		rule += n + 2
	}
	for n, line := range c.Lines {
		var b strings.Builder
		for k, s := range line {
			blanks := strings.Repeat(" ", widths[k]-TextWidth(s))
			if k > 0 {
				b.WriteString("  ")
			}
			if k < c.left {
				b.WriteString(s + blanks)
			} else {
				b.WriteString(blanks + s)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
		if n == 0 {
			fmt.Fprintln(w, strings.Repeat("-", rule))
		}
	}
}

// TextWidth returns the columns s takes on a terminal: 2 for wide characters,
// 0 for marks that combine with the one before, whatever the locale.
func TextWidth(s string) int {
	n := 0
	for _, r := range s {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
