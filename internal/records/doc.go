// Package records reads the records of text files: it handles compression, encoding and separators, and finds
// where records and fields end. Packages risk, tabulate and internal/formats use it; they decide what a field
// means.
package records

import (
	"errors"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Fault says where a text is wrong; the caller adds the file.
type Fault struct {
	Line int // from 1; 0: the text as a whole
	Want i18n.Text
	Err  error
}

func (f *Fault) Error() string { return f.Message().String() }

func (f *Fault) Message() i18n.Text {
	if f.Line == 0 {
		return f.Want
	}
	return i18n.T("line %d: %s", f.Line, f.Want)
}

func (f *Fault) Unwrap() error { return f.Err }

// reading turns an error met while reading into a fault if it is about the content.
func reading(err error) error {
	if f := (*Fault)(nil); errors.As(err, &f) {
		return err
	}
	return &Fault{Want: i18n.T("%s", err), Err: err}
}

// ErrNone is the error for a file without records after its header, where some are needed.
var ErrNone = i18n.New("no records")
