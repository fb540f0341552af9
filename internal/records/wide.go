package records

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/hitoku/hitoku/internal/i18n"
)

// UTF16 reports whether a text begins with the byte order mark of UTF-16.
func UTF16(head []byte) bool { return Wide(head) != nil }

// Wide returns UTF-16 in the byte order that the mark at the beginning of a text says, nil if there is no such
// mark. It reads and writes the mark, too.
func Wide(head []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM)
	}
	return nil
}

// Narrow returns b converted to UTF-8 if it is UTF-16 with a byte order mark, else b itself. An incomplete
// character gives a *Fault when it is read.
func Narrow(b *bufio.Reader) *bufio.Reader {
	head, _ := b.Peek(2)
	if e := Wide(head); e != nil {
		return bufio.NewReaderSize(&whole{r: transform.NewReader(b, e.NewDecoder())}, b.Size())
	}
	return b
}

// whole rejects text with the character by which decoders replace what they cannot read.
type whole struct {
	r    io.Reader
	seen int // how many bytes of that character have been read
}

func (w *whole) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	for _, c := range p[:n] {
		switch {
		case c == "\xef\xbf\xbd"[w.seen]:
			w.seen++
		case c == 0xef:
			w.seen = 1
		default:
			w.seen = 0
		}
		if w.seen == 3 {
			return 0, &Fault{Want: i18n.T("half a character; not UTF-16")}
		}
	}
	return n, err
}
