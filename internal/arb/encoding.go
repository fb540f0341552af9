package arb

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// encoding returns the encoding of inputs: the one that was given, else CP1252 for files that are not UTF-8,
// which is what τ-ARGUS reads on the machines it runs on. Nothing is guessed from the letters.
func (b *batch) encoding() string { return cmp.Or(b.opt.Encoding, records.Western) }

// comment matches a line that τ-ARGUS skips and by which a batch states the encoding of its files.
var comment = lazy.Regexp(`(?m)^[ \t]*//[ \t]*--encoding[ \t=]+([^ \t\r\n]+)[ \t]*\r?$`)

// told returns the encoding that a comment of the batch file states, empty if none does. head is the beginning
// of its text.
func told(head []byte, file string) (string, error) {
	if records.UTF16(head) {
		head, _ = io.ReadAll(records.Narrow(bufio.NewReader(bytes.NewReader(head))))
	}
	at := comment().FindSubmatchIndex(head)
	if at == nil {
		return "", nil
	}
	name := string(head[at[2]:at[3]])
	enc := records.Named(name)
	if enc == records.Western || !records.Known(enc) {
		return "", &formats.Error{File: file, Line: 1 + bytes.Count(head[:at[2]], []byte("\n")), Value: formats.Show(name), Want: i18n.T("no such encoding; want utf-8, cp932 or cp1252")}
	}
	return enc, nil
}

// A form is how a text is written: its encoding, empty where all is ASCII, and its line ends.
type form struct {
	encoding string
	lines    bool // the text has line ends
	crlf     bool
}

// mixed logs it when the inputs so far differ in their encoding.
func (b *batch) mixed() {
	if b.opt.Encoding != "" || b.toldMixed {
		return
	}
	first := map[string]string{}
	for _, path := range b.inputs {
		if enc := b.form(path).encoding; first[enc] == "" {
			first[enc] = filepath.Base(path)
		}
	}
	if utf8, western := first[records.UTF8], first[records.CP1252]; utf8 != "" && western != "" {
		b.say("Files of this batch differ in their encoding: %s is UTF-8, %s is read as CP1252", utf8, western)
		b.toldMixed = true
	}
}

// written returns the form in which the outputs of job n are written. It is that of the job's inputs (data,
// metadata and whatever else was opened): the encoding of the first that is not plain ASCII, and the line ends
// of the first that has any. The encoding is UTF-8 instead where that one lacks characters that another input
// has.
func (b *batch) written(j *job, n string) form {
	files := []string{j.data, j.meta}
	if j.from != nil {
		files = append(slices.Clone(j.from.files), j.from.meta)
	}
	f := form{encoding: b.opt.Encoding}
	for _, path := range append(files, b.inputs...) {
		of := b.form(path)
		f.encoding = cmp.Or(f.encoding, of.encoding)
		if !f.lines {
			f.lines, f.crlf = of.lines, of.crlf
		}
	}
	if f.encoding == "" || f.encoding == records.UTF8 {
		return f
	}
	for _, dims := range [][]table.Dimension{j.t.Dims, j.write.Trees} {
		for _, d := range dims {
			for _, s := range append([]string{d.Name}, d.Codes...) {
				if _, ok := records.Encode([]byte(s), f.encoding); !ok {
					b.say("Table %s is written in UTF-8, as %s has no %s, which other inputs have", n, strings.ToUpper(f.encoding), s)
					f.encoding = records.UTF8
					return f
				}
			}
		}
	}
	return f
}

// form returns the form of a file, which is read once.
func (b *batch) form(path string) form {
	f, ok := b.forms[path]
	if !ok {
		f = formOf(path)
		b.forms[path] = f
	}
	return f
}

// formOf finds the form of a file whose encoding nobody has stated.
func formOf(path string) (of form) {
	f, err := os.Open(path)
	if err != nil {
		return of
	}
	defer f.Close()
	text, _, err := records.Open(f, records.BlockSize, nil)
	if err != nil {
		return of
	}
	text, of.encoding, _, err = records.Begin(text, records.Western)
	head, _ := text.Peek(text.Size())
	if n := bytes.IndexByte(head, '\n'); n >= 0 {
		of.lines, of.crlf = true, n > 0 && head[n-1] == '\r'
	}
	for of.encoding == records.Western && err == nil { // only ASCII so far
		var line []byte
		if line, err = text.ReadSlice('\n'); err == bufio.ErrBufferFull {
			err = nil
		}
		if !records.ASCII(line) {
			of.encoding, _, _ = records.Sniff(line, true, records.Western)
		}
	}
	if of.encoding == records.Western {
		of.encoding = ""
	}
	return of
}
