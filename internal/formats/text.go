package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
)

// A Dialect is how a text file writes a table. The zero value is UTF-8 without BOM, LF line ends, commas and
// decimal points.
type Dialect struct {
	CP932        bool
	CP1252       bool
	UTF16LE      bool // UTF-16, little-endian, with a byte order mark
	UTF16BE      bool // UTF-16, big-endian, with a byte order mark
	BOM          bool // a byte order mark before UTF-8
	CRLF         bool
	Separator    byte // ',', ';' or '\t'; 0 means ','
	Trailing     int  // number of extra separators at the end of every line
	DecimalComma bool
	Mark         string // mark of a withheld value
}

// Lines reads text line by line, as all readers of this package do: decompressed, decoded, limited in size,
// without line ends and empty lines. LF, CR LF and CR CR LF end a line.
type Lines struct {
	r       *Text
	file    string
	line    int // number of the line returned last
	dialect Dialect
	fixed   bool // the encoding is known; until then all text has been ASCII
	western bool // the encoding may be CP1252
	only    bool // the encoding cannot be CP932
	blank   int  // number of consecutive empty lines so far
	ended   bool
}

// newLines determines the encoding as far as the first MiB tells it.
func newLines(r *Text, file, enc string) (*Lines, error) {
	l := &Lines{r: r, file: file, fixed: enc != "" && enc != records.Western && enc != either, western: enc == records.Western || enc == either, only: enc == records.Western}
	l.dialect.CP932, l.dialect.CP1252 = enc == "cp932", enc == "cp1252"
	head, err := r.Peek(maxLine)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, records.Mark):
		if l.dialect.CP932 || l.dialect.CP1252 {
			return nil, &Error{File: file, Want: i18n.T("starts with the byte order mark of UTF-8, but the encoding chosen is %s", enc)}
		}
		l.dialect.BOM, l.fixed = true, true
		_, err := r.Discard(len(records.Mark))
		return l, err
	case records.UTF16(head):
		if l.fixed {
			return nil, &Error{File: file, Want: i18n.T("starts with the byte order mark of UTF-16, but the encoding chosen is %s", enc)}
		}
		l.dialect.UTF16LE, l.dialect.UTF16BE, l.fixed = head[0] == 0xff, head[0] == 0xfe, true
		text := transform.NewReader(r.Reader, l.dialect.utf16().NewDecoder())
		l.r = &Text{bufio.NewReaderSize(text, maxLine), r.packed}
		return l, nil
	}
	if l.fixed {
		return l, nil
	}
	if len(head) == maxLine { // the last character may be cut off
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	if !records.ASCII(head) {
		l.settle(head)
	}
	return l, nil
}

// settle determines the encoding from b, which is not ASCII.
func (l *Lines) settle(b []byte) {
	l.fixed = true
	if utf8.Valid(b) {
		return
	}
	enc, sure := records.Guess(b)
	switch {
	case l.only, l.western && enc != records.CP932 && enc != records.EUCJP:
		l.dialect.CP1252 = records.FindWestern(b) == records.CP1252 // any other byte is reported when it is read
	default:
		l.dialect.CP932 = enc == records.CP932 && (sure || l.western)
	}
}

// either stands for the encoding of text that is not UTF-8: CP1252 or CP932, whichever is likelier.
const either = "either"

// utf16 returns UTF-16 with a byte order mark, or nil for other encodings.
func (d *Dialect) utf16() encoding.Encoding {
	switch {
	case d.UTF16LE:
		return records.Wide([]byte("\xff\xfe"))
	case d.UTF16BE:
		return records.Wide([]byte("\xfe\xff"))
	}
	return nil
}

// encoding returns the name of the text's encoding; for UTF-16 it is UTF-8, to which such text is converted.
func (d *Dialect) encoding() string {
	switch {
	case d.CP932:
		return records.CP932
	case d.CP1252:
		return records.CP1252
	}
	return records.UTF8
}

// fault returns an error about a byte of the current line.
func (l *Lines) fault(column int, value string, want i18n.Text) error {
	return &Error{File: l.file, Line: l.line, Column: column, Value: value, Want: want}
}

// Next returns the next line that is not blank, without its line end, or io.EOF.
func (l *Lines) Next() (string, error) {
	for {
		if l.ended {
			return "", io.EOF
		}
		b, err := l.r.ReadSlice('\n')
		l.line++
		switch err {
		case nil:
		case io.EOF:
			l.ended = true
			if len(b) == 0 {
				return "", io.EOF
			}
		case bufio.ErrBufferFull:
			return "", l.fault(0, "", i18n.T("line longer than %d bytes", maxLine))
		default:
			return "", err
		}
		if n := len(b); n > 0 && b[n-1] == '\n' {
			b = b[:n-1]
			for n = len(b); n > 0 && b[n-1] == '\r'; n = len(b) { // CR LF, or CR CR LF as in samples of τ-ARGUS
				b = b[:n-1]
				l.dialect.CRLF = true
			}
		}
		if l.ended {
			b = bytes.TrimRight(b, "\r\x1a") // also removes the end mark of old DOS files
		}
		if len(bytes.TrimSpace(b)) == 0 {
			if l.blank++; l.blank > maxBlank {
				return "", l.fault(0, "", i18n.T("more than %d empty lines in a row", maxBlank))
			}
			continue
		}
		l.blank = 0
		return l.text(b)
	}
}

// text checks and decodes one line.
func (l *Lines) text(b []byte) (string, error) {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return "", l.fault(i+1, "NUL byte", i18n.T("want text; a binary file, or UTF-16 without its byte order mark?"))
	}
	if i := bytes.IndexByte(b, '\r'); i >= 0 {
		return "", l.fault(i+1, "carriage return", i18n.T("want lines that end in LF or CR LF"))
	}
	if !l.fixed && !records.ASCII(b) {
		l.settle(b)
	}
	if !l.dialect.CP932 && !l.dialect.CP1252 {
		if !utf8.Valid(b) {
			i := 0
			for {
				r, n := utf8.DecodeRune(b[i:])
				if r == utf8.RuneError && n == 1 {
					break
				}
				i += n
			}
			return "", l.fault(i+1, fmt.Sprintf("byte 0x%02X", b[i]), i18n.T("not UTF-8; say --encoding cp932 or cp1252 if it is one of these, else convert the file"))
		}
		if i := bytes.IndexRune(b, utf8.RuneError); i >= 0 && l.dialect.utf16() != nil {
			return "", l.fault(i+1, "half a character", i18n.T("not UTF-16"))
		}
		return string(b), nil
	}
	s, ok := records.Decode(b, l.dialect.encoding())
	if !ok {
		i := l.badByte(b)
		return "", l.fault(i+1, fmt.Sprintf("byte 0x%02X", b[i]), records.Not(l.dialect.encoding()))
	}
	return s, nil
}

// badByte returns the first byte of b that has no meaning in CP932.
func (l *Lines) badByte(b []byte) int {
	for i := 0; i < len(b); {
		n := 1
		if c := b[i]; !l.dialect.CP1252 && (c >= 0x81 && c <= 0x9f || c >= 0xe0) && i+1 < len(b) {
			n = 2
		}
		if _, ok := records.Decode(b[i:i+n], l.dialect.encoding()); !ok {
			return i
		}
		i += n
	}
	return len(b) - 1
}

// A textWriter encodes lines; close returns its first error.
type textWriter struct {
	w       *bufio.Writer
	coded   *transform.Writer // encodes the output of w as UTF-16; nil for other encodings
	file    string
	dialect Dialect
	line    int
	field   int // number of fields written to the current line
	buf     []byte
	err     error
}

func newTextWriter(w io.Writer, file string, d Dialect) *textWriter {
	d.Separator = cmp.Or(d.Separator, ',')
	t := &textWriter{w: bufio.NewWriter(w), file: file, dialect: d}
	if e := d.utf16(); e != nil {
		t.coded = transform.NewWriter(w, e.NewEncoder())
		t.w = bufio.NewWriter(t.coded)
	}
	if d.BOM && d.encoding() == records.UTF8 {
		t.w.Write(records.Mark)
	}
	return t
}

// cp932Twins replaces characters that CP932 has only under another code point.
var cp932Twins = strings.NewReplacer("〜", "～", "−", "－", "¥", "￥", "‖", "∥", "—", "―")

// raw adds a field exactly as given.
func (t *textWriter) raw(s string) {
	if t.field > 0 {
		t.buf = append(t.buf, t.dialect.Separator)
	}
	t.field++
	t.buf = append(t.buf, s...)
}

// text adds a field, with quotes if a reader needs them.
func (t *textWriter) text(s string) {
	if strings.TrimSpace(s) != s || strings.ContainsAny(s, "\"\r\n") || strings.IndexByte(s, t.dialect.Separator) >= 0 {
		s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	t.raw(s)
}

// number adds an exact decimal number.
func (t *textWriter) number(s string) {
	if t.dialect.DecimalComma {
		s = strings.Replace(s, ".", ",", 1)
	}
	t.text(s)
}

// end finishes a line.
func (t *textWriter) end() {
	t.line++
	for range t.dialect.Trailing {
		t.buf = append(t.buf, t.dialect.Separator)
	}
	if t.dialect.CRLF {
		t.buf = append(t.buf, '\r')
	}
	t.buf = append(t.buf, '\n')
	if enc := t.dialect.encoding(); enc != records.UTF8 && !records.ASCII(t.buf) {
		b, ok := records.Encode([]byte(t.twins()), enc)
		if !ok && t.err == nil {
			t.err = &Error{File: t.file, Line: t.line, Value: Show(t.unencodable()), Want: i18n.T("%s has no such character; write UTF-8", strings.ToUpper(enc))}
		}
		t.buf = append(t.buf[:0], b...)
	}
	if _, err := t.w.Write(t.buf); err != nil && t.err == nil {
		t.err = err
	}
	t.buf, t.field = t.buf[:0], 0
}

// twins returns the line with characters replaced as cp932Twins says.
func (t *textWriter) twins() string {
	if t.dialect.CP1252 {
		return string(t.buf)
	}
	return cp932Twins.Replace(string(t.buf))
}

func (t *textWriter) unencodable() string {
	for _, r := range t.twins() {
		if _, ok := records.Encode([]byte(string(r)), t.dialect.encoding()); !ok {
			return string(r)
		}
	}
	return ""
}

func (t *textWriter) close() error {
	if err := t.w.Flush(); err != nil && t.err == nil {
		t.err = err
	}
	if t.coded != nil {
		if err := t.coded.Close(); err != nil && t.err == nil {
			t.err = err
		}
	}
	return t.err
}
