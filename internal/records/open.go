package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/unpack"
)

// Open returns the text of r, buffered by size bytes and decompressed if it is gzip; packed is nil if it is
// not. Faults of compressed text, also later while it is read, are a *Fault. wrap, if not nil, limits what is
// read, both before and after decompression.
func Open(r io.Reader, size int, wrap func(io.Reader) io.Reader) (text *bufio.Reader, packed *unpack.Reader, err error) {
	if wrap == nil {
		wrap = func(r io.Reader) io.Reader { return r }
	}
	text = bufio.NewReaderSize(wrap(r), size)
	if !unpack.Is(text) {
		return text, nil, nil
	}
	if packed, err = unpack.Gzip(text); err != nil {
		return nil, nil, damage(err)
	}
	text = bufio.NewReaderSize(wrap(worded{packed}), size)
	if unpack.Is(text) {
		return nil, nil, &Fault{Want: i18n.T("is compressed twice")}
	}
	return text, packed, nil
}

// worded turns the errors of compressed text into faults.
type worded struct{ r io.Reader }

func (w worded) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && err != io.EOF {
		err = damage(err)
	}
	return n, err
}

func damage(err error) error {
	var large *unpack.TooLargeError
	switch {
	case errors.As(err, &large):
		return &Fault{Want: i18n.T("%s%s", large, unpack.Remedy), Err: err}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Fault{Want: i18n.T("the compressed file ends too early; it is cut short"), Err: err}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), strings.HasPrefix(err.Error(), "flate:"):
		return &Fault{Want: i18n.T("the compressed file is damaged: %s", err), Err: err}
	}
	return err
}

// Carriage turns carriage returns into line feeds, if they are the only line ends of a text as far as it is in
// the buffer; returns reports whether it did.
func Carriage(b *bufio.Reader) (text *bufio.Reader, returns bool) {
	head, _ := b.Peek(b.Size())
	if bytes.IndexByte(head, '\r') < 0 || bytes.IndexByte(head, '\n') >= 0 {
		return b, false
	}
	return bufio.NewReaderSize(feeds{b}, b.Size()), true
}

// feeds replaces each carriage return by a line feed.
type feeds struct{ r io.Reader }

func (f feeds) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
