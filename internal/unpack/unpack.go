// Package unpack bounds what a compressed file may unpack to: a few KB can become gigabytes, which nobody who
// opens a table expects.
//
// The bound is a constant plus a multiple of the file's own size, both far above real tables, which compress to
// a quarter or a tenth. A larger file can be read after unpacking it by hand, when its size shows what it
// contains.
package unpack

import (
	"bufio"
	"compress/gzip"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
)

// The bounds on what is read from compressed bytes.
const (
	freeText, timesText = 16 << 20, 200 // bytes of text
	freeCells           = 1 << 18       // cells of a table
)

// Text returns how many bytes of text size compressed bytes may unpack to.
func Text(size int64) int64 { return budget.Times() * (freeText + timesText*size) }

// Cells returns how many cells size compressed bytes may contain, if each byte may be that many.
func Cells(size int64, each int) int {
	return int(budget.Times() * min(1<<40, freeCells+int64(each)*size))
}

// Remedy is what to do with a gzip file that is refused.
const Remedy = "; unpack the file first, if it is meant to hold as much"

// A TooLargeError ends a file that unpacks to more than Text allows.
type TooLargeError struct{ Size int64 } // number of compressed bytes read until then

func (e *TooLargeError) Error() string { return e.Message().String() }

func (e *TooLargeError) Message() i18n.Text {
	return i18n.T("%d compressed bytes unpack to more than %d MiB and %d times their size", e.Size, budget.Times()*freeText>>20, budget.Times()*timesText)
}

// A Reader reads gzip text; it ends with a *TooLargeError when the text is more than Text allows for the
// compressed bytes read so far.
type Reader struct {
	z    *gzip.Reader
	from counter
	out  int64
}

// A counter counts the bytes taken from r. It is a ByteReader, so that the decompressor takes no more than it
// needs.
type counter struct {
	r *bufio.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// Is reports whether r begins with gzip data.
func Is(r *bufio.Reader) bool {
	magic, _ := r.Peek(2)
	return len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b
}

// Gzip unpacks r; the error is that of package gzip.
func Gzip(r *bufio.Reader) (*Reader, error) {
	u := &Reader{from: counter{r: r}}
	var err error
	u.z, err = gzip.NewReader(&u.from)
	return u, err
}

// Size returns how many compressed bytes have been taken so far.
func (u *Reader) Size() int64 { return u.from.n }

func (u *Reader) Read(p []byte) (int, error) {
	n, err := u.z.Read(p)
	if u.out += int64(n); u.out > Text(u.from.n) {
		return 0, &TooLargeError{u.from.n}
	}
	return n, err
}
