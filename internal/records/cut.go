package records

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// BlockSize is how many bytes of text a worker gets at a time.
const BlockSize = 1 << 20

// Slack is how many bytes after the text of a block may be read, but are not used.
const Slack = 8

// A Cutter cuts a text into blocks of whole records.
type Cutter struct {
	Size int // size of a block in bytes
	// Max is the largest size of a record. A longer one is refused if it does not fit into a block.
	Max   int
	Lines bool // each record is one line; otherwise a quoted field may contain line ends
}

// Cut sends r to blocks, each record with its line end and each block with Slack after it. line is the number
// of the first line. The end mark of old DOS files is removed, and a missing line end at the end added. Errors
// are a *Fault or that of the context. Memory: Size and Max bytes beside the blocks under way.
func (c Cutter) Cut(ctx context.Context, r io.Reader, line int, to chan<- Block, spare <-chan []byte) error {
	var rest []byte
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var text []byte
		select {
		case text = <-spare:
		default:
		}
		text = append(text[:0], rest...)
		have := len(text)
		text = slices.Grow(text, c.Size+1+Slack)[:have+c.Size]
		n, last, err := fill(r, text[have:])
		if err != nil {
			return reading(err)
		}
		text = text[:have+n]
		end := 0
		if last {
			text = bytes.TrimRight(text, "\x1a")
			if n := len(text); n > 0 && text[n-1] != '\n' {
				text = append(text, '\n')
			}
			end = len(text)
		} else if end = c.whole(text); end == 0 || len(text)-end > c.Max {
			if len(text) > c.Max {
				return c.long(line + bytes.Count(text[:end], []byte{'\n'}))
			}
		}
		rest = append(rest[:0], text[end:]...)
		b := Block{Line: line, Text: text[:end]}
		line += bytes.Count(b.Text, []byte{'\n'})
		if end > 0 {
			select {
			case to <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if last {
			return nil
		}
	}
}

func (c Cutter) long(line int) error {
	if c.Lines {
		return &Fault{Line: line, Want: i18n.T("line longer than %d bytes", c.Max)}
	}
	return &Fault{Line: line, Want: i18n.T("a record longer than %d bytes, or a quote \" that is not closed", c.Max)}
}

// fill reads as much as fits into p; last says that the text ends there. io.ReadFull does not serve here: a
// compressed file that was cut off ends with the same error that it returns for a short read.
func fill(r io.Reader, p []byte) (n int, last bool, err error) {
	for n < len(p) {
		k, err := r.Read(p[n:])
		n += k
		if err == io.EOF {
			return n, true, nil
		}
		if err != nil {
			return n, false, err
		}
	}
	return n, false, nil
}

// whole returns where the last complete record of text ends. A line end ends a record if the number of quotes
// before it is even.
func (c Cutter) whole(text []byte) int {
	end := len(text)
	if c.Lines {
		return bytes.LastIndexByte(text, '\n') + 1
	}
	quotes := bytes.Count(text, []byte{'"'})
	for {
		i := bytes.LastIndexByte(text[:end], '\n')
		if i < 0 {
			return 0
		}
		if quotes -= bytes.Count(text[i:end], []byte{'"'}); quotes%2 == 0 {
			return i + 1
		}
		end = i
	}
}

// Blank returns the length of a blank line at the beginning of text, 0 if there is none.
func Blank(text []byte) int {
	switch {
	case text[0] == '\n':
		return 1
	case len(text) > 1 && text[0] == '\r' && text[1] == '\n':
		return 2
	}
	return 0
}

// Ruling returns the length, with its end, of a line at the beginning of text that separates the header from
// the records: every field consists of dashes or the like, some of three or more, as programs print them below
// the names of columns. It returns 0 for other lines; in these a dash may be a missing value.
func Ruling(text []byte, sep byte) int {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	drawn := false
	for field := range bytes.SplitSeq(line, []byte{sep}) {
		field = bytes.Trim(bytes.TrimSpace(field), `"`)
		if len(field) == 0 || !bytes.ContainsAny(field[:1], "-=_") || len(bytes.TrimLeft(field, string(field[:1]))) > 0 {
			return 0
		}
		drawn = drawn || len(field) >= 3
	}
	if !drawn {
		return 0
	}
	return min(len(line)+1, len(text))
}
