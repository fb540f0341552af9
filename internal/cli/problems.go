package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
)

// JSONErrors is the flag of all verbs that asks for Problems.
const JSONErrors = "json-errors"

// AsksProblems reports whether a command line has that flag. It looks before the line is parsed, so that an error in
// parsing it is a document, too.
func AsksProblems(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--"+JSONErrors) || slices.Contains(args, "--"+JSONErrors+"=true")
}

// Note prints a line of the command, in the language of the reader of w.
func Note(w io.Writer, format string, args ...any) {
	t := i18n.T(format, args...)
	if l, ok := w.(i18n.Listener); ok {
		l.Hear(t)
		return
	}
	fmt.Fprintf(w, "hitoku: %s\n", brief(i18n.Of(w).Say(t)))
}

// Guessed returns a function that says, once per file, that its encoding was guessed from its letters alone.
func Guessed(words io.Writer) func(file, encoding string) {
	said := map[string]bool{}
	return func(file, encoding string) {
		if !said[file] {
			said[file] = true
			Note(words, "%s: read as %s, a guess by its letters; --encoding says what it is", file, strings.ToUpper(encoding))
		}
	}
}

// mostLine is how many bytes of a line are printed: an error may repeat text of an input, however long.
const mostLine = 4096

// brief shortens lines that are longer than mostLine with the prefix of messages, and says how long they were.
func brief(s string) string {
	const most = mostLine - 64
	if len(s) <= most {
		return s
	}
	lines := strings.Split(s, "\n")
	for k, l := range lines {
		if len(l) > most {
			cut := most
			for !utf8.RuneStart(l[cut]) {
				cut--
			}
			lines[k] = fmt.Sprintf("%s… (%d bytes)", l[:cut], len(l))
		}
	}
	return strings.Join(lines, "\n")
}

// Say prints an error on standard error, or adds it to the Problems in its place.
func Say(words io.Writer, err error) {
	if p, ok := words.(*Problems); ok {
		p.faults = append(p.faults, fault(err))
		return
	}
	Note(words, "%v", err)
}

// mostSaid is how many lines Problems keeps.
const mostSaid = 1000

// Problems takes the place of standard error and keeps what is written there for one document.
type Problems struct {
	faults []document.Fault
	said   []string
	line   []byte // a line that is not complete yet
}

// Write keeps the lines of b.
func (p *Problems) Write(b []byte) (int, error) {
	p.line = append(p.line, b...)
	for {
		line, rest, whole := bytes.Cut(p.line, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		p.keep(string(line))
		p.line = rest
	}
}

func (p *Problems) keep(line string) {
	if line = strings.TrimPrefix(line, "hitoku: "); strings.TrimSpace(line) == "" {
		return
	}
	if p.said = append(p.said, brief(line)); len(p.said) > 2*mostSaid {
		p.said = slices.Clone(p.said[len(p.said)-mostSaid:])
	}
}

// meanings are the kinds of the exit codes, and what is said about a run that has said nothing itself.
var meanings = map[Code][2]string{
	Verdict: {"verdict", "the verdict is bad; the result tells it"},
	Usage:   {"usage", "wrong usage or input"},
	Limit:   {"limit", "stopped by a limit or an interrupt"},
}

// Print writes the document of a run that ended with code; nothing if all went well and nothing was said.
func (p *Problems) Print(w io.Writer, code Code) {
	if p.keep(string(p.line)); code == Done && p.said == nil && p.faults == nil {
		return
	}
	doc := &document.Problem{ExitCode: int(code), Kind: "remark", Said: p.said[max(0, len(p.said)-mostSaid):]}
	if m, ok := meanings[code]; ok {
		doc.Kind, doc.Message = m[0], m[1]
	}
	if n := len(p.said); n > 0 && code != Verdict {
		doc.Message = p.said[n-1]
	}
	for _, f := range p.faults {
		if pattern := f.Kind == "pattern"; pattern != (code == Usage) {
			doc.Message, doc.Place = f.Message, f.Place
			if !pattern {
				doc.Kind = f.Kind
			}
			break
		}
	}
	if len(p.faults) > 1 {
		doc.Errors = p.faults
	}
	document.Write(w, doc) // if standard error is closed there is nobody to tell
}

// fault describes an error.
func fault(err error) document.Fault {
	f := document.Fault{Kind: "usage", Message: brief(err.Error())}
	var at *formats.Error
	var path *fs.PathError
	var number syscall.Errno
	var none *protect.NoPatternError
	switch {
	case errors.As(err, &none):
		f.Kind = "pattern"
	case errors.As(err, &at):
		f.Kind, f.Place = "input", document.Place{File: at.File, Line: at.Line, Column: at.Column, Field: at.Field, Value: brief(at.Value), Wanted: brief(at.Want.String())}
	case errors.As(err, &path):
		f.File = path.Path
	}
	if errors.As(err, &number) {
		f.Kind, f.Wanted = "system", ""
	}
	return f
}
