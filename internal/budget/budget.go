// Package budget bounds what an input may deliver: one contract for all readers. A limit is far above real files and far below
// what exhausts a machine; what goes beyond is refused with a message that names the limit, and Raise multiplies them all.
package budget

import (
	"errors"
	"io"
	"math"
	"os"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Limit is how much of one thing an input may deliver.
type Limit int64

// The limits that readers share. Beside them what is packed is bounded by its own size (internal/unpack).
const (
	Text     Limit = 4 << 30   // bytes of a table that is read line by line, unpacked
	Whole    Limit = 256 << 20 // bytes of a file that is kept in memory: a workbook, PX, SDMX-JSON, a table as offices lay it out
	Settings Limit = 16 << 20  // bytes of a policy, a ledger, a job, a saved layout, arguments
	Line     Limit = 1 << 20   // bytes of a line or a record
	Cells    Limit = 1 << 24   // cells of a table
	Fields   Limit = 1 << 23   // fields of a text as offices lay it out
	Terms    Limit = 1 << 27   // cells in relations of a JJ file
	Merged   Limit = 1 << 18   // merged ranges of a sheet
	Levels   Limit = 256       // levels of a tree of codes
	Nested   Limit = 64        // brackets within brackets of TOML, and parts of a key
)

// MostTimes is the most that Raise takes: cells are counted in 32 bits.
const MostTimes = 64

var times atomic.Int64 // 0: 1

// Times returns what Raise was given, else 1.
func Times() int64 { return max(1, times.Load()) }

// Raise multiplies all limits of this process by n, from 1 to MostTimes. They guard the memory of the process, so they are its
// own; it is called before anything is read.
func Raise(n int64) { times.Store(min(max(n, 1), MostTimes)) }

// Max returns the limit as it was raised.
func (l Limit) Max() int64 {
	most := int64(l) * Times()
	if l < math.MaxInt32 { // what is counted, or fits one slice
		most = min(most, math.MaxInt32-1)
	}
	return most
}

// Passed reports whether n is beyond the limit.
func (l Limit) Passed(n int) bool { return int64(n) > l.Max() }

// Remedy is what to do about a limit.
func Remedy() i18n.Text {
	return i18n.T("; --read-limit %d raises the limits of input", 2*Times())
}

// A TooLargeError is an input of more bytes than its limit.
type TooLargeError struct{ Limit Limit }

func (e *TooLargeError) Error() string { return e.Message().String() }

func (e *TooLargeError) Message() i18n.Text {
	return i18n.T("more than %d MiB%s", e.Limit.Max()>>20, Remedy())
}

// A bounded reader ends with a *TooLargeError where more bytes come than its limit.
type bounded struct {
	r    io.Reader
	l    Limit
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, &TooLargeError{b.l}
	}
	return n, err
}

// Reader is r up to the limit, beyond which its error is a *TooLargeError.
func Reader(r io.Reader, l Limit) io.Reader { return &bounded{r, l, l.Max()} }

// ReadAll reads r to its end, or to the limit, beyond which the error is a *TooLargeError.
func ReadAll(r io.Reader, l Limit) ([]byte, error) {
	b, err := io.ReadAll(Reader(r, l))
	if _, large := errors.AsType[*TooLargeError](err); large {
		return nil, err
	}
	return b, err
}

// ReadFile is ReadAll of a file. An end that never comes, as of a device, is a limit, too.
func ReadFile(path string, l Limit) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, l)
}
