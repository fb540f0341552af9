package formats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/i18n"
)

// noteWords are words with which notes below a table begin.
var noteWords = []string{
	"note", "notes", "nb", "n.b.", "source", "sources", "remark", "remarks", "footnote", "footnotes", "legend", "symbols",
	"anmerkung", "anmerkungen", "hinweis", "quelle", "fußnote", "fussnote", "注", "（注", "(注", "註", "備考", "出典", "資料", "凡例",
}

// noteSigns are characters that begin notes, or occur in them but hardly ever in codes.
const (
	noteFirst = "*※†‡＊"
	noteAny   = ":=：＝"
)

// longNote and longWords are numbers of characters and words: a text of more that is alone on its line is
// probably no code.
const longNote, longWords = 60, 5

// notes recognises the notes below a table.
type notes struct {
	first int // the line of the first note, 0 if there is none
	n     int
	text  string
	signs string // those of noteAny that occur in codes of this table
}

// code records which of the signs of notes occur in a code.
func (o *notes) code(text string) {
	for _, r := range noteAny {
		if strings.ContainsRune(text, r) && !strings.ContainsRune(o.signs, r) {
			o.signs += string(r)
		}
	}
}

// alone returns the first field of a line if all others are empty, else "".
func alone(row []field) string {
	for _, f := range row[1:] {
		if f.text != "" {
			return ""
		}
	}
	return row[0].text
}

// is reports whether a text that is alone on its line is a note; doubt says that it may be one.
func (o *notes) is(text string) (note, doubt bool) {
	r, _ := utf8.DecodeRuneInString(text)
	if strings.ContainsRune(noteFirst, r) {
		return true, false
	}
	for _, c := range noteAny {
		// Texts like "x = confidential" and "Note: x" are notes, "=A1" is not.
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

// pass reports whether a row is a note below the table. A row of cells after a note is an error, and so is a
// text that may be either a note or the code of a row of withheld values.
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

// told says which lines were skipped as notes.
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
