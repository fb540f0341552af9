// Package records reads the records of text files: what is compressed, in which encoding
// and behind which separator, and where records and fields end. Package risk,
// tabulate and table/tableio read by it; what a field means is theirs.
package records

import (
	"errors"
	"fmt"
)

// A Fault says where a text is wrong; who reads it adds the file.
type Fault struct {
	Line int // 1-based, 0: the text as a whole
	Want string
	Err  error
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Want
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Want)
}

func (f *Fault) Unwrap() error { return f.Err }

// reading makes an error of what is read from a fault.
func reading(err error) error {
	if f := (*Fault)(nil); errors.As(err, &f) {
		return err
	}
	return &Fault{Want: err.Error(), Err: err}
}
