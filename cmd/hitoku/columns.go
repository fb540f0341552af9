package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns aligns lines of text: the first left columns to the left, as codes
// are, the others to the right, as numbers are.
type columns struct {
	left  int
	lines [][]string // the header first
}

func newColumns(left int, header ...string) *columns {
	return &columns{left, [][]string{header}}
}

func (c *columns) add(cells ...string) { c.lines = append(c.lines, cells) }

// print writes the columns two blanks apart, a rule below the header.
func (c *columns) print(w io.Writer) {
	widths := make([]int, len(c.lines[0]))
	for _, line := range c.lines {
		for k, s := range line {
			line[k] = visible(s)
			widths[k] = max(widths[k], textWidth(line[k]))
		}
	}
	rule := -2
	for _, n := range widths {
		rule += n + 2
	}
	for n, line := range c.lines {
		var b strings.Builder
		for k, s := range line {
			blanks := strings.Repeat(" ", widths[k]-textWidth(s))
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

// textWidth returns the columns s takes on a terminal: 2 for wide characters,
// 0 for marks that combine with the one before, whatever the locale.
func textWidth(s string) int {
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
