package formats

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// An Error says where an input is wrong and what was wanted there. It prints as
//
//	file:line: column "x": value: what was wanted
//	file:line:column: value: what was wanted
//
// leaving out what is not set. It unwraps to the error of package table that it
// stands for, if any, so *table.AdditivityError and *table.HierarchyError can be
// found with errors.As.
type Error struct {
	File   string
	Line   int    // from 1; 0: the file as a whole
	Column int    // byte in the line, from 1; 0: not known
	Field  string // header of the column
	Value  string // as shown: quoted if it is not a plain word, shortened if long
	Want   i18n.Text
	Err    error
}

func (e *Error) Error() string { return e.Message().String() }

func (e *Error) Message() i18n.Text {
	t := i18n.T("%s", e.File)
	if e.Line > 0 {
		t = t.Plus(":%d", e.Line)
		if e.Column > 0 && e.Field == "" {
			t = t.Plus(":%d", e.Column)
		}
	}
	switch {
	case e.Field != "" && e.Value != "":
		return t.Plus(": column %q: %s: %s", e.Field, e.Value, e.Want)
	case e.Field != "":
		return t.Plus(": column %q: %s", e.Field, e.Want)
	case e.Value != "":
		return t.Plus(": %s: %s", e.Value, e.Want)
	}
	return t.Plus(": %s", e.Want)
}

func (e *Error) Unwrap() error { return e.Err }

// InFile adds the file to an error that the reader of records found or that is about a limit, and returns other
// errors as they are.
func InFile(file string, err error) error {
	var fault *records.Fault
	if errors.As(err, &fault) {
		return &Error{File: file, Line: fault.Line, Want: fault.Want, Err: fault.Err}
	}
	if large, ok := errors.AsType[*budget.TooLargeError](err); ok {
		return &Error{File: file, Want: large.Message(), Err: err}
	}
	return err
}

// maxShown is the length up to which a message repeats a text of an input.
const maxShown = 40

// Show prepares a text of an input for a message: it quotes it if it is not a plain word, and shortens it if it
// is long.
func Show(s string) string {
	cut := ""
	if utf8.RuneCountInString(s) > maxShown {
		cut = fmt.Sprintf("… (%d bytes)", len(s))
		s = string([]rune(s)[:maxShown-10])
	}
	for _, r := range s {
		if r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return strconv.Quote(s) + cut
		}
	}
	if s == "" {
		return `""`
	}
	return s + cut
}

// ShowList lists names in a message, at most ten of them.
func ShowList(names []string) string {
	var b strings.Builder
	for i, s := range names {
		if i == 10 {
			fmt.Fprintf(&b, ", … (%d in all)", len(names))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Show(s))
	}
	return b.String()
}

// tableError adds the file to an error of package table and, if it is about a cell, the line of that cell.
func (in *Input) tableError(err error) error {
	e := &Error{File: in.File, Err: err}
	switch t := unwrapAll(err).(type) {
	case *table.RecordError:
		e.Line, e.Field, e.Value, e.Want = t.Line, in.source.column(t.Record, t.Column), t.Value, t.Want
	case *table.AdditivityError:
		e.Line, e.Want = in.Line(t.Margin), i18n.T("%s%s", t, additivityAdvice(t))
	default:
		e.Want = i18n.T("%s", err).Without(i18n.T("table %s", in.name()))
	}
	return e
}

// additivityAdvice guesses why a table does not add up if parts have been counted more than once: its codes
// form a hierarchy that nobody has given.
func additivityAdvice(e *table.AdditivityError) i18n.Text {
	want, okWant := new(big.Rat).SetString(e.Want)
	got, okGot := new(big.Rat).SetString(e.Got)
	if !okWant || !okGot || want.Sign() == 0 {
		return i18n.Text{}
	}
	times := got.Quo(got, want)
	if !times.IsInt() || times.Num().Cmp(big.NewInt(2)) < 0 || times.Num().Cmp(big.NewInt(10)) > 0 {
		return i18n.Text{}
	}
	return i18n.T(", exactly %s times; if the codes of %s form a tree, say --hierarchy %s=FILE", times.Num(), e.Dim, e.Dim)
}

// unwrapAll returns the innermost error that err wraps.
func unwrapAll(err error) error {
	for {
		w, ok := err.(interface{ Unwrap() error })
		if !ok || w.Unwrap() == nil {
			return err
		}
		err = w.Unwrap()
	}
}

// OSError returns an error that says what the system refused to do with a file.
func OSError(file string, err error) error {
	if _, ok := errors.AsType[*budget.TooLargeError](err); ok {
		return InFile(file, err)
	}
	if p, ok := err.(*fs.PathError); ok {
		err = p.Err
	}
	return &Error{File: file, Want: systemWords(err), Err: err}
}

// systemWords returns the system's message. For the most frequent errors it uses the words of Unix, as Windows
// has its own, in the user's language.
func systemWords(err error) i18n.Text {
	if runtime.GOOS == "windows" {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return i18n.T("no such file or directory")
		case errors.Is(err, fs.ErrPermission):
			return i18n.T("permission denied")
		}
	}
	return i18n.T("%s", err)
}
