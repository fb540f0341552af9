// Package argus reads and writes the files of τ-ARGUS: metadata (.rda), tables (.tab), hierarchies (.hrc), code
// lists (.cdl), recodings (.grc), a-priori files (.hst) and the output types. docs/formats.md describes them as
// implemented here.
//
// Readers are strict where τ-ARGUS guesses: an unknown keyword, a code that is in no list or a malformed number
// is a *formats.Error with its file and line. They accept UTF-8 with and without byte order mark, CP1252 and
// CP932, and all common line ends.
package argus

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// defaultTotal is the total code of a variable without <TOTCODE>.
const defaultTotal = formats.DefaultTotal

// fault returns an error about a line of a file; line is 0 for the file as a whole.
func fault(file string, line int, value, want string, args ...any) error {
	return &formats.Error{File: file, Line: line, Value: value, Want: i18n.T(want, args...)}
}

// Resolve returns the path of a file that is named in the file from: the name itself if it is absolute, else
// beside from. Backslashes, too, separate directories. If no such file exists but exactly one whose name
// differs only in case, that one is meant, as on the systems that τ-ARGUS runs on. A name that is Elsewhere and
// does not exist stands for the file of its last part beside from, if there is one.
func Resolve(from, name string) string {
	path := name
	if filepath.Separator != '\\' {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(from), path)
	}
	path = anyCase(path)
	if _, err := os.Stat(path); err != nil && Elsewhere(name) {
		beside := anyCase(filepath.Join(filepath.Dir(from), filepath.Base(path)))
		if _, err := os.Stat(beside); err == nil {
			return beside
		}
	}
	return path
}

// Elsewhere reports whether a name is on a share (//server/share/x, also with backslashes) or on a drive (C:\x)
// that this machine does not have.
func Elsewhere(name string) bool {
	s := strings.ReplaceAll(name, `\`, "/")
	if strings.HasPrefix(s, "//") {
		return true
	}
	if len(s) < 2 || s[1] != ':' || (s[0]|32) < 'a' || (s[0]|32) > 'z' {
		return false
	}
	_, err := os.Stat(s[:2] + "/")
	return err != nil
}

// anyCase returns path or, if that does not exist, the only file whose name differs from it in case.
func anyCase(path string) string {
	if _, err := os.Stat(path); err == nil {
		return path
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return path
	}
	found := ""
	for _, e := range entries {
		if strings.EqualFold(e.Name(), filepath.Base(path)) {
			if found != "" {
				return path
			}
			found = e.Name()
		}
	}
	if found == "" {
		return path
	}
	return filepath.Join(filepath.Dir(path), found)
}

// eachLine calls do with every line of r that is not empty nor, if comments are allowed, a comment, which
// begins with //. It ends at the first error of do.
func eachLine(r io.Reader, file, encoding string, comments bool, do func(line int, text string) error) error {
	l, err := formats.NewLines(r, file, encoding)
	if err != nil {
		return err
	}
	for n := 1; ; n++ { // one line for each cell or code
		text, err := l.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if want := l.Room(n); !want.IsZero() {
			return fault(file, l.Number(), "", "%s", want)
		}
		if comments && strings.HasPrefix(strings.TrimSpace(text), "//") {
			continue
		}
		if err := do(l.Number(), text); err != nil {
			return err
		}
	}
}

// A token is a word of a line, delimited by quotes or blanks.
type token struct {
	text   string
	quoted bool
}

// tokens splits a line at blanks and tabs outside quotes. A quote cannot be written inside quotes.
func tokens(file string, line int, text string) ([]token, error) {
	var all []token
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" {
			return all, nil
		}
		if text[0] == '"' {
			end := strings.IndexByte(text[1:], '"')
			if end < 0 {
				return nil, fault(file, line, formats.Show(text), "the quote is not closed on its line")
			}
			all = append(all, token{text[1 : 1+end], true})
			text = text[end+2:]
			continue
		}
		end := strings.IndexAny(text, " \t\"")
		if text[0] == '<' { // a keyword may be followed directly by its value
			if k := strings.IndexByte(text, '>'); k >= 0 && (end < 0 || k < end) {
				end = k + 1
			}
		}
		if end < 0 {
			end = len(text)
		}
		all = append(all, token{text[:end], false})
		text = text[end:]
	}
}

// keyword returns the upper-case name of a token such as <NUMERIC>.
func (t token) keyword() (name string, ok bool) {
	if n := len(t.text); !t.quoted && n > 2 && t.text[0] == '<' && t.text[n-1] == '>' {
		return strings.ToUpper(t.text[1 : n-1]), true
	}
	return "", false
}
