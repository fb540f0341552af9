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
	Line   int    // 1-based, 0: the file as a whole
	Column int    // byte in the line, 1-based; 0: not known
	Field  string // header of the column
	Value  string // as shown: quoted where it is not a plain word, shortened where long
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

// InFile gives a fault that the reader of records found, or an end at a limit, its file, and leaves other errors alone.
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

// maxShown is the longest text of an input that a message repeats.
const maxShown = 40

// Show prepares text of an input for a message: quoted where it is not a plain
// word, shortened where it is long.
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

// ShowList shows names for a message, at most ten of them.
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

// tableError gives an error of package table its file and, where it concerns a
// cell, its line.
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

// additivityAdvice guesses why a table does not add up where parts were counted
// more than once: its codes form a tree that the reader does not know.
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

// unwrapAll follows an error to the cause it wraps.
func unwrapAll(err error) error {
	for {
		w, ok := err.(interface{ Unwrap() error })
		if !ok || w.Unwrap() == nil {
			return err
		}
		err = w.Unwrap()
	}
}

// OSError says what the system refused to do with a file.
func OSError(file string, err error) error {
	if _, ok := errors.AsType[*budget.TooLargeError](err); ok {
		return InFile(file, err)
	}
	if p, ok := err.(*fs.PathError); ok {
		err = p.Err
	}
	return &Error{File: file, Want: systemWords(err), Err: err}
}

// systemWords is what the system says, in the words of Unix for what is most frequent: Windows has others, in the language of its user.
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
