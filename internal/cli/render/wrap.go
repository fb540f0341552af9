package render

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/hitoku/hitoku/internal/lazy"
)

// Wrap cuts a text into lines at most columns wide: at blanks, and between wide characters, which are not separated by
// blanks, but not before a mark that ends a clause or closes a bracket. A longer word has a line of its own.
func Wrap(text string, columns int) []string {
	var lines []string
	var line strings.Builder
	have := 0
	for _, p := range pieces(text) {
		gap := 0
		if p.blank && have > 0 {
			gap = 1
		}
		if n := TextWidth(p.text); have > 0 && have+gap+n > columns {
			lines, have = append(lines, line.String()), 0
			line.Reset()
		} else if gap > 0 {
			line.WriteByte(' ')
			have++
		}
		line.WriteString(p.text)
		have += TextWidth(p.text)
	}
	if have > 0 {
		lines = append(lines, line.String())
	}
	return lines
}

// A piece is text that stays on one line; blank says that a blank precedes it.
type piece struct {
	text  string
	blank bool
}

func pieces(text string) []piece {
	var all []piece
	for _, word := range strings.Fields(text) {
		from, before := 0, rune(0)
		first := true
		cut := func(to int) {
			all = append(all, piece{word[from:to], first})
			from, first = to, false
		}
		for k, r := range word {
			if k > 0 && (wide(before) || wide(r)) && !strings.ContainsRune(closing, r) && !strings.ContainsRune(opening, before) && !unicode.In(r, unicode.Mn) {
				cut(k)
			}
			before = r
		}
		cut(len(word))
	}
	return all
}

// Marks that may not begin a line, and marks that may not end one.
const (
	closing = "、。，．・：；？！）］｝」』】〉》〕ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)]}%…"
	opening = "（［｛「『【〈《〔([{"
)

func wide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// columned matches a line with a text in a column of its own.
var columned = lazy.Regexp(`^( *\S.*?  +)(\S.*)$`)

// Fill wraps the paragraphs of a text: lines that begin with a blank stay as they are, and a text in a column is
// wrapped within it.
func Fill(text string, columns int) string {
	var b strings.Builder
	var paragraph []string
	end := func() {
		for _, l := range Wrap(strings.Join(paragraph, " "), columns) {
			b.WriteString(l + "\n")
		}
		paragraph = nil
	}
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, " ") || strings.Contains(line, "  ") {
			end()
			if m := columned().FindStringSubmatch(line); m != nil && TextWidth(line) > columns {
				indent := TextWidth(m[1])
				line = m[1] + strings.Join(Wrap(m[2], max(columns-indent, 20)), "\n"+strings.Repeat(" ", indent))
			}
			b.WriteString(line + "\n")
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
	return b.String()
}
