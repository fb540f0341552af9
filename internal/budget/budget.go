// Package budget bounds how much an input may contain, by one set of limits for all readers. Each limit is far
// above real files and far below what exhausts a machine. Larger inputs are refused with a message that names
// the limit; Raise multiplies all limits.
package budget

import (
	"errors"
	"io"
	"math"
	"os"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Limit is how much of one thing an input may contain.
type Limit int64

// The limits that readers share. In addition, what a compressed file unpacks to is bounded by the size of that
// file (internal/unpack).
const (
	Text Limit = 4 << 30 // bytes of a table that is read line by line, unpacked
	// bytes of a file that is kept in memory: a workbook, PX, SDMX-JSON, a table in an office's layout
	Whole    Limit = 256 << 20
	Settings Limit = 16 << 20 // bytes of a policy, a ledger, a job, a saved layout, arguments
	Line     Limit = 1 << 20  // bytes of a line or a record
	Cells    Limit = 1 << 24  // cells of a table
	Fields   Limit = 1 << 23  // fields of a text file in an office's layout
	Terms    Limit = 1 << 27  // cells in relations of a JJ file
	Merged   Limit = 1 << 18  // merged ranges of a sheet
	Levels   Limit = 256      // levels of a tree of codes
	Nested   Limit = 64       // nested brackets in TOML, and parts of a key
)

// MostTimes is the largest factor that Raise takes: cells are counted in 32 bits.
const MostTimes = 64

var times atomic.Int64 // 0 means 1

// Times returns the factor given to Raise, else 1.
func Times() int64 { return max(1, times.Load()) }

// Raise multiplies all limits by n, from 1 to MostTimes, for the whole process, whose memory they guard. It is
// called before anything is read.
func Raise(n int64) { times.Store(min(max(n, 1), MostTimes)) }

// Max returns the limit after Raise.
func (l Limit) Max() int64 {
	most := int64(l) * Times()
	if l < math.MaxInt32 { // limits on counts, or on what one slice holds, must stay in 32 bits
		most = min(most, math.MaxInt32-1)
	}
	return most
}

// Passed reports whether n exceeds the limit.
func (l Limit) Passed(n int) bool { return int64(n) > l.Max() }

// Remedy says what a user can do about a limit.
func Remedy() i18n.Text {
	return i18n.T("; --read-limit %d raises the limits of input", 2*Times())
}

// A TooLargeError is returned for an input of more bytes than its limit.
type TooLargeError struct{ Limit Limit }

func (e *TooLargeError) Error() string { return e.Message().String() }

func (e *TooLargeError) Message() i18n.Text {
	return i18n.T("more than %d MiB%s", e.Limit.Max()>>20, Remedy())
}

// A bounded reader ends with a *TooLargeError when its input has more bytes than the limit.
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

// Reader returns a reader of r that ends with a *TooLargeError beyond the limit.
func Reader(r io.Reader, l Limit) io.Reader { return &bounded{r, l, l.Max()} }

// ReadAll reads r to its end; beyond the limit the error is a *TooLargeError.
func ReadAll(r io.Reader, l Limit) ([]byte, error) {
	b, err := io.ReadAll(Reader(r, l))
	if _, large := errors.AsType[*TooLargeError](err); large {
		return nil, err
	}
	return b, err
}

// ReadFile is ReadAll of a file. Thanks to the limit it also ends on a device that never does.
func ReadFile(path string, l Limit) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, l)
}
