package px

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/records"
)

var (
	codepage = lazy.Regexp(`(?i)\bCODEPAGE\s*=\s*"([^"]*)"`)
	ansi     = lazy.Regexp(`(?i)\bCHARSET\s*=\s*"ANSI"`)
)

// decode returns the text of a file. Its encoding is that of the options, else that of its CODEPAGE, else
// UTF-8, else Windows-1252 if CHARSET says ANSI. enc is nil for UTF-8. told says so if CODEPAGE names another
// encoding than the bytes have.
func decode(b []byte, file, chosen string) (text string, enc encoding.Encoding, told i18n.Text, err error) {
	fail := func(value string, want i18n.Text) (string, encoding.Encoding, i18n.Text, error) {
		return "", nil, i18n.Text{}, &formats.Error{File: file, Value: value, Want: want}
	}
	head := b[:min(len(b), 1<<16)]
	name := ""
	if m := codepage().FindSubmatch(head); m != nil {
		name = strings.ToLower(string(m[1]))
	}
	switch {
	case bytes.HasPrefix(b, records.Mark):
		b, name = b[len(records.Mark):], "utf-8"
	case records.UTF16(b):
		if enc = records.Wide(b); chosen != "" && chosen != records.UTF8 {
			return fail("", i18n.T("starts with the byte order mark of UTF-16, but the encoding chosen is %s", chosen))
		}
		name = "utf-16"
	case chosen != "":
		name = chosen
	default:
		if is := actual(b, name); is != "" {
			told = i18n.T("CODEPAGE says %s, but the text is %s, and was read as that", formats.Show(name), is)
			name = is
		}
	}
	switch name {
	case "utf-8", "utf8", "65001":
	case "utf-16":
		if enc == nil {
			return fail("CODEPAGE "+formats.Show(name), i18n.T("the text has no byte order mark of UTF-16; want utf-8, windows-1252, shift_jis, …"))
		}
	case "cp932", "932", "ms932":
		enc = records.Transcoder(records.CP932)
	case "ansi", "cp1252", "1252":
		enc = records.Transcoder(records.CP1252)
	case "":
		if !utf8.Valid(b) {
			if !ansi().Match(head) {
				return fail("", i18n.T("neither UTF-8, nor does CODEPAGE or CHARSET say what; say --encoding cp932 if it is that"))
			}
			enc = records.Transcoder(records.CP1252)
		}
	default:
		if enc, err = htmlindex.Get(name); err != nil {
			return fail("CODEPAGE "+formats.Show(name), i18n.T("not a known encoding; want utf-8, windows-1252, shift_jis, …"))
		}
		if n, _ := htmlindex.Name(enc); n == "utf-8" {
			enc = nil
		} else if strings.HasPrefix(n, "utf-16") || n == "replacement" || n == "x-user-defined" {
			return fail("CODEPAGE "+formats.Show(name), i18n.T("not an encoding of PX files; want utf-8, windows-1252, shift_jis, …"))
		}
	}
	if i := bytes.IndexByte(b, 0); i >= 0 && name != "utf-16" {
		return "", nil, i18n.Text{}, &formats.Error{File: file, Line: 1 + bytes.Count(b[:i], []byte("\n")), Value: "NUL byte", Want: i18n.T("want text; a binary file, or UTF-16 without its byte order mark?")}
	}
	if enc == nil {
		for i := 0; i < len(b); {
			if b[i] < utf8.RuneSelf {
				i++
				continue
			}
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return "", nil, i18n.Text{}, &formats.Error{File: file, Line: 1 + bytes.Count(b[:i], []byte("\n")), Value: fmt.Sprintf("byte 0x%02X", b[i]),
					Want: i18n.T("not UTF-8; CODEPAGE names the encoding, and --encoding cp932 replaces it")}
			}
			i += n
		}
		return string(b), nil, told, nil
	}
	d, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return fail("", i18n.T("not %s: %s", name, err))
	}
	if i := bytes.IndexRune(d, utf8.RuneError); i >= 0 {
		return "", nil, i18n.Text{}, &formats.Error{File: file, Line: 1 + bytes.Count(d[:i], []byte("\n")), Want: i18n.T("a byte that %s gives no meaning to", formats.Show(name))}
	}
	return string(d), enc, told, nil
}

// actual returns the encoding of a text if it is certainly not the one that CODEPAGE names, else "". Non-ASCII
// letters that are valid UTF-8 are not by chance in another encoding. ISO-8859-15 has no characters between
// 0x80 and 0x9F; programs that name it write quotes and dashes of Windows-1252 there.
func actual(b []byte, named string) string {
	if named == "" || records.ASCII(b) {
		return ""
	}
	enc, err := htmlindex.Get(named)
	if err != nil {
		return "" // this is reported elsewhere
	}
	n, _ := htmlindex.Name(enc)
	switch {
	case n == "utf-8":
	case utf8.Valid(b):
		return "utf-8"
	case n == "iso-8859-15" && slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 && c <= 0x9F }):
		if _, ok := records.Decode(b, records.CP1252); ok {
			return "windows-1252"
		}
	}
	return ""
}
