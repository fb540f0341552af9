package budget

import (
	"errors"
	"io"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A TOMLError is a fault of TOML text. Line is 0 where it concerns the text as a whole.
type TOMLError struct {
	Line int
	Want i18n.Text
}

func (e *TOMLError) Error() string { return e.Message().String() }

// Message returns the text of e without its line.
func (e *TOMLError) Message() i18n.Text { return e.Want }

// In returns e as an error of the file of that name, in the form file:line: what was wanted.
func (e *TOMLError) In(file string) error {
	if e.Line > 0 {
		return i18n.Errorf("%s:%d: %s", file, e.Line, e.Want)
	}
	return i18n.Errorf("%s: %s", file, e.Want)
}

// DecodeTOML decodes a text of settings into to. Faults of the text are *TOMLError; other errors are those of
// r.
func DecodeTOML(r io.Reader, to any) (toml.MetaData, error) {
	text, err := ReadAll(r, Settings)
	if err != nil {
		var large *TooLargeError
		if errors.As(err, &large) {
			err = &TOMLError{Want: large.Message()}
		}
		return toml.MetaData{}, err
	}
	if line, want := tooDeep(text); !want.IsZero() {
		return toml.MetaData{}, &TOMLError{line, want}
	}
	meta, err := toml.Decode(string(text), to)
	var fault toml.ParseError
	if errors.As(err, &fault) {
		return meta, &TOMLError{fault.Position.Line, i18n.T("%s", fault.Message)}
	}
	var tree map[string]any
	if _, err := toml.Decode(string(text), &tree); err == nil {
		if key, want := misfit(reflect.TypeOf(to), tree, ""); key != "" {
			return meta, &TOMLError{Want: i18n.T("%s: %s", key, want)}
		}
	}
	switch {
	case err != nil:
		return meta, &TOMLError{Want: i18n.T("%s", strings.TrimPrefix(err.Error(), "toml: "))}
	}
	return meta, nil
}

// tooDeep returns the line of TOML text, 0 for none, on which brackets are nested too deeply or a key has too
// many parts, and what is wrong there. The parser would overflow its stack on the former and take quadratic
// time and memory for the latter.
func tooDeep(text []byte) (line int, want i18n.Text) {
	line = 1
	depth, dots := 0, 0
	quote, times := byte(0), 0 // the quote of the open string, and whether it takes one or three
	same := func(i int) int {  // counts equal quotes from i on, three at most
		n := 1
		for n < 3 && i+n < len(text) && text[i+n] == text[i] {
			n++
		}
		return n
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\n' {
			line++
			dots = 0
			if times == 1 {
				quote = 0 // the string is not closed on its line, which the parser reports
			}
		}
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				if i++; i < len(text) && text[i] == '\n' {
					line++
				}
			} else if c == quote && (times == 1 || same(i) == 3) {
				i += times - 1
				quote = 0
			}
		case c == '"' || c == '\'':
			quote, times = c, same(i)
			switch times {
			case 2: // an empty string
				quote = 0
				i++
			case 3:
				i += 2
			}
		case c == '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == '[' || c == '{':
			depth++
			dots = 0
		case c == ']' || c == '}':
			depth = max(0, depth-1)
		case c == '.':
			dots++
		case c == '=' || c == ',':
			dots = 0
		}
		switch {
		case Nested.Passed(depth):
			return line, i18n.T("more than %d brackets within each other%s", Nested.Max(), Remedy())
		case Nested.Passed(dots + 1):
			return line, i18n.T("a key of more than %d parts%s", Nested.Max(), Remedy())
		}
	}
	return 0, i18n.Text{}
}
