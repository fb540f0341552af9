package records

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/hitoku/hitoku/internal/i18n"
)

// The encodings of text. CP932 is Windows' variant of Shift_JIS.
const (
	UTF8   = "utf-8"
	CP932  = "cp932"
	CP1252 = "cp1252"
)

// EUCJP is recognised, so that it is not mistaken for another encoding, but not read.
const EUCJP = "euc-jp"

// Western is not an encoding but a way to find one: UTF-8 if the text is valid, else CP1252 and never CP932,
// for programs that Western offices start.
const Western = "western"

// Mark is the byte order mark of UTF-8.
var Mark = []byte("\xef\xbb\xbf")

// Known reports whether enc is the name of an encoding, or empty, which means to detect it.
func Known(enc string) bool { return slices.Contains([]string{"", UTF8, CP932, CP1252, Western}, enc) }

// Named returns the encoding that other programs call s, or s itself.
func Named(s string) string {
	switch s = strings.ToLower(s); s {
	case "utf8":
		return UTF8
	case "sjis", "shift_jis", "shift-jis", "windows-31j", "ms932":
		return CP932
	case "windows-1252", "latin1", "iso-8859-1":
		return CP1252
	}
	return s
}

// Transcoder returns the encoding called enc, nil for UTF-8.
func Transcoder(enc string) encoding.Encoding {
	switch enc {
	case CP932:
		return japanese.ShiftJIS
	case CP1252:
		return charmap.Windows1252
	case EUCJP:
		return japanese.EUCJP
	}
	return nil
}

// Decode decodes text; ok is false if the encoding does not allow some of its bytes.
func Decode(b []byte, enc string) (s string, ok bool) {
	if enc == Western {
		if enc = UTF8; !utf8.Valid(b) {
			enc = CP1252
		}
	}
	t := Transcoder(enc)
	if t == nil {
		return string(b), utf8.Valid(b)
	}
	if ASCII(b) {
		return string(b), true
	}
	s, err := t.NewDecoder().String(string(b))
	if err != nil || strings.ContainsRune(s, utf8.RuneError) {
		return s, false
	}
	// The five bytes that have no character in CP1252 are decoded as controls.
	return s, enc != CP1252 || !strings.ContainsAny(s, "\u0081\u008d\u008f\u0090\u009d")
}

// Encode encodes text; ok is false if the encoding lacks some of its characters.
func Encode(text []byte, enc string) (b []byte, ok bool) {
	t := Transcoder(enc)
	if t == nil || ASCII(text) {
		return text, true
	}
	b, err := t.NewEncoder().Bytes(text)
	return b, err == nil
}

// Not returns a message that bytes are not valid in an encoding.
func Not(enc string) i18n.Text {
	return i18n.T("not %s; want another --encoding", strings.ToUpper(enc))
}

// ASCII reports whether all bytes are those of ASCII.
func ASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= utf8.RuneSelf })
}

// Begin detects the encoding of a text, as Sniff does, from what fits into the buffer, and skips its byte order
// mark. UTF-16 is converted to UTF-8: text is b or, in that case, the converted text.
func Begin(b *bufio.Reader, chosen string) (text *bufio.Reader, enc string, mark bool, err error) {
	if head, _ := b.Peek(4); string(head) == "PK\x03\x04" || string(head) == "\xd0\xcf\x11\xe0" {
		return b, "", false, &Fault{Want: i18n.T("a workbook or another packed file, no text; save the sheet as CSV")}
	}
	if head, _ := b.Peek(2); UTF16(head) {
		if chosen != "" && chosen != UTF8 {
			return b, "", false, &Fault{Want: i18n.T("starts with the byte order mark of UTF-16, but the encoding chosen is %s", chosen)}
		}
		b, chosen = Narrow(b), UTF8
	}
	head, err := b.Peek(b.Size())
	if err != nil && err != io.EOF {
		return b, "", false, reading(err)
	}
	if enc, mark, err = Sniff(head, len(head) < b.Size(), chosen); mark {
		b.Discard(len(Mark))
	}
	return b, enc, mark, err
}

// Sniff detects the encoding of a text from its head. all says that this is all of the text; otherwise it may
// end within a character. The encoding is UTF-8 if a byte order mark says so, else the chosen one, else CP932
// or CP1252 if the head is not UTF-8 and certainly one of these. If Western is chosen, it is found as described
// there, and remains open if the head is ASCII.
func Sniff(head []byte, all bool, chosen string) (enc string, mark bool, err error) {
	switch {
	case bytes.HasPrefix(head, Mark):
		return UTF8, true, nil
	case chosen != "" && chosen != Western:
		return chosen, false, nil
	}
	if !all {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	switch enc, sure := Guess(head); {
	case chosen == Western && ASCII(head):
		return Western, false, nil
	case chosen == Western:
		return FindWestern(head), false, nil
	case sure && enc == EUCJP:
		return "", false, &Fault{Want: i18n.T("EUC-JP; convert the file to UTF-8, as iconv -f EUC-JP -t UTF-8 does")}
	case sure:
		return enc, false, nil
	}
	return UTF8, false, nil
}
