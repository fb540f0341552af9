package arb

import (
	"fmt"
	"io"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A command is one line of a batch file.
type command struct {
	line int
	name string // upper case, without brackets
	args string
}

// parse reads a batch file: on each line a command in angle brackets, followed by its arguments. Blank lines
// and lines that begin with // are skipped.
func parse(r io.Reader, file, encoding string) ([]command, error) {
	lines, err := formats.NewLines(r, file, encoding)
	if err != nil {
		return nil, err
	}
	var list []command
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(plain.Replace(line))
		if text == "" || strings.HasPrefix(text, "//") || strings.HasPrefix(text, `\\`) {
			continue
		}
		name, args, ok := strings.Cut(strings.TrimPrefix(text, "<"), ">")
		if !ok || text[0] != '<' {
			return nil, &formats.Error{File: file, Line: lines.Number(), Value: fmt.Sprintf("%q", text), Want: i18n.T("want a command like <SUPPRESS>")}
		}
		name = strings.ToUpper(strings.TrimSpace(name))
		if !verbatim[name] {
			args = withoutComment(args)
		}
		list = append(list, command{lines.Number(), name, strings.TrimSpace(args)})
	}
}

// verbatim are commands whose arguments may begin with // outside quotes, as the name of a file on a share
// does.
var verbatim = map[string]bool{"OPENMICRODATA": true, "OPENTABLEDATA": true, "OPENMETADATA": true, "LOGBOOK": true, "VERSIONINFO": true, "COMMENT": true}

// withoutComment returns args up to a // that stands outside quotes and follows a blank.
func withoutComment(args string) string {
	quoted := false
	for i := range len(args) {
		switch {
		case args[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(args[i:], "//") && (i == 0 || args[i-1] == ' '):
			return args[:i]
		}
	}
	return args
}

// plain turns tabs into blanks, and typographic quotes, which R writes unless told otherwise, into straight
// ones.
var plain = strings.NewReplacer("\t", " ", "“", `"`, "”", `"`)

// fields splits s at sep outside quotes, and takes blanks and quotes off the parts.
func fields(s string, sep byte) []string {
	var out []string
	var b strings.Builder
	quoted := false
	flush := func() {
		out = append(out, strings.TrimSpace(b.String()))
		b.Reset()
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == sep && !quoted:
			flush()
		default:
			b.WriteByte(c)
		}
	}
	flush()
	return out
}

// names reads names of variables: quoted ones in a row, or bare ones with commas or blanks between them.
func names(s string) []string {
	var out []string
	for s = strings.TrimLeft(s, " ,"); s != ""; s = strings.TrimLeft(s, " ,") {
		if s[0] == '"' {
			name, rest, _ := strings.Cut(s[1:], `"`)
			out, s = append(out, strings.TrimSpace(name)), rest
			continue
		}
		n := strings.IndexAny(s, ` ,"`)
		if n < 0 {
			n = len(s)
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

// unquote takes blanks and quotes off a file name.
func unquote(s string) string { return strings.Trim(strings.TrimSpace(s), `"`) }
