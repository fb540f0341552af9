package render

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/words"
)

// looks are those of words that stand alone in a cell of a table, or as the verdict in a line.
var looks = map[string]Look{
	"X": Bad, "DISCLOSED": Bad, "disclosed": Bad, "UNPROTECTED": Bad, "unprotected": Bad, "UNSAFE": Bad, "unsafe": Bad, "unprotectable": Bad, "refuted": Bad, "VIOLATED": Bad,
	"x": Secondary, "unsettled": Secondary, "open": Secondary, "unknown": Secondary,
	"protected": Good, "safe": Good, "confirmed": Good, "holds": Good, "kept": Good,
}

// verdict is where a line that sums up gives one.
var verdict = regexp.MustCompile(`: (unprotectable|unprotected|protected|unsettled|unsafe|safe|unknown|confirmed|refuted)\b`)

// Verdict writes lines that sum up, and the end of the last, with the look of the verdict in the first of them that has one.
func Verdict(w io.Writer, lines string) error {
	look, word := Plain, ""
	for line := range strings.SplitSeq(lines, "\n") {
		said := words.Message(line)
		if at := verdict.FindStringSubmatch(line); at != nil && word == "" {
			look, word = looks[at[1]], words.Message(at[1])
			before, after, ok := strings.Cut(said, word)
			if k := strings.Index(said, ": "+word); k >= 0 { // not where the name of the table has the word
				before, after = said[:k+2], said[k+2+len(word):]
			}
			if ok {
				if _, err := io.WriteString(w, before); err != nil {
					return err
				}
				if err := Paint(w, look, word); err != nil {
					return err
				}
				said = after
			}
		}
		if _, err := io.WriteString(w, said+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Legend says what the marks of a protected table mean.
func Legend(w io.Writer) {
	Paint(w, Bad, "X")
	io.WriteString(w, words.Text(" sensitive, "))
	Paint(w, Secondary, "x")
	io.WriteString(w, words.Text(" withheld to protect it")+"\n\n")
}

// lookOf is the look of what stands in a cell.
func lookOf(cell string) Look { return looks[strings.TrimSpace(cell)] }

// Tell writes lines for people, in the language in use.
func Tell(w io.Writer, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if words.Language() != "en" {
		lines := strings.Split(text, "\n")
		for n, line := range lines {
			lines[n] = words.Message(line)
		}
		text = strings.Join(lines, "\n")
	}
	_, err := io.WriteString(w, text)
	return err
}
