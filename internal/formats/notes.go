package formats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/i18n"
)

// noteWords begin notes below a table.
var noteWords = []string{
	"note", "notes", "nb", "n.b.", "source", "sources", "remark", "remarks", "footnote", "footnotes", "legend", "symbols",
	"anmerkung", "anmerkungen", "hinweis", "quelle", "fußnote", "fussnote", "注", "（注", "(注", "註", "備考", "出典", "資料", "凡例",
}

// noteSigns begin notes, or stand in them and hardly in codes.
const (
	noteFirst = "*※†‡＊"
	noteAny   = ":=：＝"
)

// longNote is a text that nobody takes for a code where nothing stands beside it: runes and words.
const longNote, longWords = 60, 5

// notes tells what is no row of a table below it.
type notes struct {
	first int // the line of the first note, 0 for none
	n     int
	text  string
	signs string // the signs of noteAny in codes
}

// code notes what codes look like.
func (o *notes) code(text string) {
	for _, r := range noteAny {
		if strings.ContainsRune(text, r) && !strings.ContainsRune(o.signs, r) {
			o.signs += string(r)
		}
	}
}

// alone returns the text of a line on which nothing else stands, "" for other lines.
func alone(row []field) string {
	for _, f := range row[1:] {
		if f.text != "" {
			return ""
		}
	}
	return row[0].text
}

// is reports whether a text without numbers beside it is a note; doubt, that it may be one.
func (o *notes) is(text string) (note, doubt bool) {
	r, _ := utf8.DecodeRuneInString(text)
	if strings.ContainsRune(noteFirst, r) {
		return true, false
	}
	for _, c := range noteAny {
		// "x = confidential" and "Note: x" are notes, "=A1" is not.
		if strings.IndexRune(text, c) > 0 && !strings.ContainsRune(o.signs, c) {
			return true, false
		}
	}
	low := strings.ToLower(text)
	for _, w := range noteWords {
		rest, ok := strings.CutPrefix(low, w)
		next, _ := utf8.DecodeRuneInString(rest)
		if ok && (rest == "" || !unicode.IsLetter(next) || r >= 0x2e80) {
			return true, false
		}
	}
	words := len(strings.Fields(text))
	if words > 2 && strings.HasSuffix(text, ".") || strings.HasSuffix(text, "。") {
		return true, false
	}
	return false, words >= longWords || utf8.RuneCountInString(text) > longNote
}

// pass reports whether a row is a note below the table. Rows of cells behind a note, and text that
// may as well be the code of a row of withheld values, are errors.
func (s *rows) pass(row []field) (bool, error) {
	text := alone(row)
	note, doubt := false, false
	if text != "" && len(s.header) > 1 && s.cells > 0 {
		note, doubt = s.notes.is(text)
	}
	switch {
	case note:
		if s.notes.n++; s.notes.first == 0 {
			s.notes.first, s.notes.text = s.line, text
		}
		return true, nil
	case s.notes.first > 0:
		return false, &Error{File: s.file, Line: s.notes.first, Value: Show(s.notes.text),
			Want: i18n.T("a note, but line %d has cells again; remove it, or write a mark like x where values are withheld", s.line)}
	case doubt && len(row) == len(s.header):
		return false, s.fault(0, Show(text), i18n.T("a note, or a row of withheld values? Remove it, or write a mark like x where values are withheld"))
	}
	s.cells++
	s.notes.code(row[0].text)
	return false, nil
}

// told says which lines were passed over.
func (s *rows) told() {
	if s.notes.n == 0 || s.say == nil {
		return
	}
	lines := i18n.T("line %d is a note", s.notes.first)
	if s.notes.n > 1 {
		lines = i18n.T("%d lines from %d on are notes", s.notes.n, s.notes.first)
	}
	s.say(i18n.T("%s: %s, passed over here and in what is written: %s", s.file, lines, Show(s.notes.text)))
}
