package render

import (
	"io"
	"regexp"
	"strings"
)

// looks are those of words that stand alone in a cell of a table, or as the verdict in a line.
var looks = map[string]Look{
	"X": Bad, "DISCLOSED": Bad, "disclosed": Bad, "UNPROTECTED": Bad, "unprotected": Bad, "UNSAFE": Bad, "unsafe": Bad, "unprotectable": Bad, "refuted": Bad, "VIOLATED": Bad,
	"x": Secondary, "unsettled": Secondary, "open": Secondary, "unknown": Secondary,
	"protected": Good, "safe": Good, "confirmed": Good, "holds": Good, "kept": Good,
}

// verdict is where a line that sums up gives one.
var verdict = regexp.MustCompile(`: (unprotectable|unprotected|protected|unsettled|unsafe|safe|unknown|confirmed|refuted)\b`)

// Verdict writes a line that sums up, and the end of it, with the look of its verdict.
func Verdict(w io.Writer, line string) error {
	at := verdict.FindStringSubmatchIndex(line)
	if at == nil {
		_, err := io.WriteString(w, line+"\n")
		return err
	}
	from, to := at[2], at[3]
	if _, err := io.WriteString(w, line[:from]); err != nil {
		return err
	}
	if err := Paint(w, looks[line[from:to]], line[from:to]); err != nil {
		return err
	}
	_, err := io.WriteString(w, line[to:]+"\n")
	return err
}

// Legend says what the marks of a protected table mean.
func Legend(w io.Writer) {
	Paint(w, Bad, "X")
	io.WriteString(w, " sensitive, ")
	Paint(w, Secondary, "x")
	io.WriteString(w, " withheld to protect it\n\n")
}

// lookOf is the look of what stands in a cell.
func lookOf(cell string) Look { return looks[strings.TrimSpace(cell)] }
