package arb

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/private"
)

// begin writes the lines by which callers recognise where a run begins: the line of dashes and the last one.
// The log gets them again whenever <LOGBOOK> names another file; the words do not.
func (b *batch) begin(say func(format string, args ...any)) {
	say("--------------------------")
	say("Start of TauArgus run, hitoku %s", b.opt.Version)
	say("This log is %s", private.Only) // it shows values of cells that do not add up or cannot be protected
	say("Start of batch procedure; file: %s", b.file)
}

// say writes a line to the words and to the log and, while a method runs, to the report.
func (b *batch) say(format string, args ...any) {
	if b.heard != nil {
		*b.heard = append(*b.heard, fmt.Sprintf(format, args...))
	}
	b.tell(format, args...)
}

// tell is say for lines that depend on the machine, which no report may contain.
func (b *batch) tell(format string, args ...any) {
	if b.opt.Words != nil {
		fmt.Fprintf(b.opt.Words, format+"\n", args...)
	}
	b.note(format, args...)
}

// note writes a line to the log.
func (b *batch) note(format string, args ...any) {
	if b.log == "" {
		return
	}
	f, err := os.OpenFile(b.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, "%s : %s\n", time.Now().Format("02-Jan-2006 15:04:05"), fmt.Sprintf(format, args...))
		err = errors.Join(err, f.Close())
	}
	if err != nil && b.unlogged == nil {
		b.unlogged = i18n.Errorf("the log lacks lines: %w", err)
	}
}

// mostLines is how many lines of one kind are written.
const mostLines = 20

// several writes the first of n lines of one kind by say, and then how many more there are.
func several(say func(format string, args ...any), n int, line func(i int) string) {
	for i := range min(n, mostLines) {
		say("%s", line(i))
	}
	if n > mostLines {
		say("... and %d more like these", n-mostLines)
	}
}

// canLog returns an error if the log cannot be written, so that a caller does not wait for its lines in vain.
func (b *batch) canLog() error {
	if b.log == "" {
		return nil
	}
	f, err := os.OpenFile(b.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// number matches the part of a version that callers read: numbers and points.
var number = lazy.Regexp(`^v?([0-9]+(\.[0-9]+)*)`)

// VersionLine returns what <VERSIONINFO> writes of a version: its numbers only, 0.0 if it has none.
func VersionLine(version string) string {
	m := number().FindStringSubmatch(version)
	if m == nil {
		m = []string{"", "0.0"}
	}
	return "hitoku version: " + m[1] + "; build: 0"
}

// angled matches a command or keyword in angle brackets.
var angled = lazy.Regexp(`<([A-Za-z]+)>`)

// bare takes the angle brackets off commands and keywords: where a line of the log contains one, rtauargus
// stops showing an error.
func bare(s string) string { return angled().ReplaceAllString(s, "$1") }
