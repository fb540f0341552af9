package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Columns aligns lines of text: the first left columns to the left, as codes
// are, the others to the right, as numbers are.
type Columns struct {
	left  int
	Lines [][]string // the header first
	codes bool       // the header consists of codes of a table, not words
	words []int      // columns that contain words, too
	texts map[[2]int]i18n.Text
	named map[string]i18n.Text // messages with data in them, by their English
}

// NewColumns returns columns with a header of English words, which are printed in the reader's language, as are words
// in a column of verdicts or changes.
func NewColumns(left int, header ...string) *Columns {
	return &Columns{left: left, Lines: [][]string{header}}
}

// Words says that the columns with these numbers, from 0, also contain words of ours below their headers. It returns c.
func (c *Columns) Words(columns ...int) *Columns {
	c.words = append(c.words, columns...)
	return c
}

// Named says that words in the columns may be these messages. It returns c.
func (c *Columns) Named(all map[string]i18n.Text) *Columns {
	c.named = all
	return c
}

// Say sets column k of the last line to a message, or to a name from the data. It returns c.
func (c *Columns) Say(k int, t i18n.Text) *Columns {
	if c.texts == nil {
		c.texts = map[[2]int]i18n.Text{}
	}
	n := len(c.Lines) - 1
	c.texts[[2]int{n, k}], c.Lines[n][k] = t, t.String()
	return c
}

// said returns the text of line n in column k.
func (c *Columns) said(l *i18n.Language, n, k int) string {
	s := c.Lines[n][k]
	if t, ok := c.texts[[2]int{n, k}]; ok {
		return Visible(l.Say(t))
	}
	if c.codes || n > 0 && c.Lines[0][k] != "verdict" && c.Lines[0][k] != "change" && !slices.Contains(c.words, k) {
		return s
	}
	if t, ok := c.named[s]; ok {
		return Visible(l.Say(t))
	}
	return l.Label(s)
}

func (c *Columns) Add(cells ...string) { c.Lines = append(c.Lines, cells) }

// Print writes the columns two blanks apart, with a rule below the header. On a screen, numbers have its separators,
// words have their look, and the last columns are left out if there is no room, which is said.
func (c *Columns) Print(w io.Writer) {
	screen := ScreenOf(w)
	widths := make([]int, len(c.Lines[0]))
	for n, line := range c.Lines {
		for k, s := range line {
			if line[k] = Visible(s); screen != nil && n > 0 && k >= c.left {
				line[k] = screen.marks.in(line[k])
			}
			widths[k] = max(widths[k], TextWidth(c.said(i18n.Of(w), n, k)))
		}
	}
	shown, rule := c.fit(widths, screen)
	for n := range c.Lines {
		c.line(w, n, shown, widths)
		if n == 0 {
			fmt.Fprintln(w, strings.Repeat("-", rule))
		}
	}
	if left := len(widths) - shown; left > 0 {
		Paint(w, Secondary, i18n.Of(w).Say(i18n.T("… %d of %d columns do not fit into this window; a file or a pipe, as to less -S, gets all of them", left, len(widths))))
		fmt.Fprintln(w)
	}
}

// fit returns how many columns a screen has room for (all if there is no screen), and how long the rule is.
func (c *Columns) fit(widths []int, screen *Screen) (shown, rule int) {
	rule = -2
	for _, n := range widths {
		rule += n + 2
	}
	if screen == nil || rule <= screen.Width {
		return len(widths), rule
	}
	shown, rule = 0, 1 // room for the mark that columns are missing
	for shown < len(widths) && (shown <= c.left || rule+widths[shown]+2 <= screen.Width) {
		rule += widths[shown] + 2
		shown++
	}
	return shown, rule
}

// line writes the columns of line n that are shown; words to the right of the codes have their look.
func (c *Columns) line(w io.Writer, n, shown int, widths []int) {
	blanks := 0                                                        // blanks to write before further text
	for k, english := range c.Lines[n][:min(shown, len(c.Lines[n]))] { // a line may be a single remark
		s := c.said(i18n.Of(w), n, k)
		if k > 0 {
			blanks += 2
		}
		fill := widths[k] - TextWidth(s)
		if k >= c.left {
			blanks, fill = blanks+fill, 0
		}
		if s != "" {
			io.WriteString(w, strings.Repeat(" ", blanks))
			look := Plain
			if n > 0 && k >= c.left {
				look = lookOf(english)
			}
			Paint(w, look, s)
			blanks = 0
		}
		blanks += fill
	}
	if shown < len(c.Lines[n]) {
		io.WriteString(w, strings.Repeat(" ", blanks)+"  …")
	}
	io.WriteString(w, "\n")
}

// TextWidth returns the number of columns that s takes on a terminal: 2 for wide characters, 0 for marks that combine
// with the one before, whatever the locale.
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
