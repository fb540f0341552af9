// Package records reads the records of text files: what is compressed, in which encoding
// and behind which separator, and where records and fields end. Package risk,
// tabulate and internal/formats read by it; what a field means is theirs.
package records

import (
	"errors"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Fault says where a text is wrong; who reads it adds the file.
type Fault struct {
	Line int // 1-based, 0: the text as a whole
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

// reading makes an error of what is read from a fault.
func reading(err error) error {
	if f := (*Fault)(nil); errors.As(err, &f) {
		return err
	}
	return &Fault{Want: i18n.T("%s", err), Err: err}
}

// ErrNone is the error of what needs a record, for a file that has none behind its header.
var ErrNone = i18n.New("no records")
