package arb

import (
	"bufio"
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// encoding is how inputs are read: as told, else as τ-ARGUS does on the machines it runs on, in CP1252, where they are not
// UTF-8. No letters are guessed.
func (b *batch) encoding() string { return cmp.Or(b.opt.Encoding, records.Western) }

// written is the encoding of the outputs of job n, which is that of its inputs: of the first that is more than ASCII, of
// data, metadata and whatever else was opened. It is UTF-8 where that has no such characters, which another input had.
func (b *batch) written(j *job, n string) string {
	enc := b.opt.Encoding
	if enc == "" {
		files := []string{j.data, j.meta}
		if j.from != nil {
			files = append(slices.Clone(j.from.files), j.from.meta)
		}
		for _, path := range append(files, b.inputs...) {
			if enc = encodingOf(path); enc != "" {
				break
			}
		}
	}
	if enc == "" || enc == records.UTF8 {
		return enc
	}
	for _, dims := range [][]table.Dimension{j.t.Dims, j.write.Trees} {
		for _, d := range dims {
			for _, s := range append([]string{d.Name}, d.Codes...) {
				if _, ok := records.Encode([]byte(s), enc); !ok {
					b.say("Table %s is written in UTF-8, as %s has no %s, which other inputs have", n, strings.ToUpper(enc), s)
					return records.UTF8
				}
			}
		}
	}
	return enc
}

// encodingOf is that of a file that nothing tells the encoding of, "" where all is ASCII.
func encodingOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _, err := records.Open(f, records.BlockSize, nil)
	if err != nil {
		return ""
	}
	text, enc, _, err := records.Begin(text, records.Western)
	for enc == records.Western && err == nil { // ASCII so far
		var line []byte
		if line, err = text.ReadSlice('\n'); err == bufio.ErrBufferFull {
			err = nil
		}
		if !records.ASCII(line) {
			enc, _, _ = records.Sniff(line, true, records.Western)
		}
	}
	if enc == records.Western {
		return ""
	}
	return enc
}
