package render

import (
	"io"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// looks are the looks of words that stand alone in a cell of a table, or as the verdict in a line.
var looks = map[string]Look{
	"X": Bad, "DISCLOSED": Bad, "disclosed": Bad, "UNPROTECTED": Bad, "unprotected": Bad, "UNSAFE": Bad, "unsafe": Bad, "unprotectable": Bad, "refuted": Bad, "VIOLATED": Bad, "DIFFERENT": Bad,
	"x": Secondary, "unsettled": Secondary, "open": Secondary, "unknown": Secondary,
	"protected": Good, "safe": Good, "confirmed": Good, "holds": Good, "kept": Good,
}

// Verdict writes the lines of a summary, and gives the verdict at the end of the last one its look.
func Verdict(w io.Writer, t i18n.Text) error {
	before, word, after := i18n.Of(w).Cut(t)
	_, english, _ := i18n.English.Cut(t)
	io.WriteString(w, before)
	Paint(w, looks[english], word)
	_, err := io.WriteString(w, after+"\n")
	return err
}

// Legend prints what the marks of a protected table mean.
func Legend(w io.Writer) {
	Paint(w, Bad, "X")
	io.WriteString(w, i18n.Of(w).Say(i18n.T(" sensitive, ")))
	Paint(w, Secondary, "x")
	io.WriteString(w, i18n.Of(w).Say(i18n.T(" withheld to protect it\n\n")))
}

// lookOf returns the look of the text in a cell.
func lookOf(cell string) Look { return looks[strings.TrimSpace(cell)] }

// Tell writes lines for people, in the language of the reader of w.
func Tell(w io.Writer, format string, args ...any) error {
	_, err := io.WriteString(w, i18n.Of(w).Say(i18n.T(format, args...)))
	return err
}

// English returns messages in the form of documents.
func English(all []i18n.Text) []string {
	return sets.Each(all, i18n.Text.String)
}
