package risk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/records"
)

// A record is one record of a file that is read in order.
type record struct {
	line   int
	text   []byte   // as in the file, with its line end
	values [][]byte // values of the columns asked for
	file   *file
}

// fault is an error about a column of r.
func (r *record) fault(column string, value []byte, want i18n.Text) error {
	shown, ok := records.Decode(value, r.file.encoding)
	if !ok {
		shown = fmt.Sprintf("%q", value)
	}
	return &formats.Error{File: r.file.name, Line: r.line, Field: column, Value: formats.Show(shown), Want: want}
}

// eachRecord reads a file record by record, in order. It calls before with the text up to the first record, then do
// with each record, whose values are those of columns. The arguments are valid only during the call.
func eachRecord(ctx context.Context, path string, l Layout, columns []string, before func(prefix []byte, f *file) error, do func(*record) error) error {
	if err := l.check(); err != nil {
		return err
	}
	in, err := os.Open(path)
	if err != nil {
		return formats.OSError(path, err)
	}
	defer in.Close()
	f, rest, err := open(in, path, l)
	if err != nil {
		return err
	}
	if err := f.places(columns, nil); err != nil {
		return err
	}
	if before != nil {
		if err := before(f.prefix, f); err != nil {
			return err
		}
	}
	r := &record{file: f, values: make([][]byte, len(columns))}
	split := records.Splitter{Sep: f.separator}
	err = records.Share(ctx, 1, func(ctx context.Context, to chan<- records.Block, spare <-chan []byte) error {
		return cutter(blockSize).Cut(ctx, rest, f.line, to, spare)
	}, func(_ int, b records.Block) (int, error) { return b.Line, r.block(b, &split, do) })
	if err != nil {
		return parallel.Ended(ctx, formats.InFile(path, err))
	}
	return nil
}

// block calls do for the records of one block.
func (r *record) block(bl records.Block, split *records.Splitter, do func(*record) error) error {
	text := bl.Text
	r.line = bl.Line
	for at := 0; at < len(text); {
		if n := records.Blank(text[at:]); n > 0 {
			at += n
			r.line++
			continue
		}
		next, want := split.Split(text, at)
		if !want.IsZero() {
			return &formats.Error{File: r.file.name, Line: r.line, Want: want}
		}
		if len(split.Fields) != len(r.file.names) {
			return &formats.Error{File: r.file.name, Line: r.line, Value: fmt.Sprintf("%d fields", len(split.Fields)), Want: i18n.T("want %d", len(r.file.names))}
		}
		for k, v := range split.Fields {
			if c := r.file.column[k]; c >= 0 {
				r.values[c] = v
			}
		}
		r.text = text[at:next]
		if err := do(r); err != nil {
			return err
		}
		r.line += bytes.Count(r.text, []byte{'\n'})
		at = next
	}
	return nil
}

// with appends r to b with the values of its columns replaced by texts, except where these are nil. Everything else
// stays byte by byte.
func (r *record) with(b []byte, texts [][]byte) []byte {
	from, start, field, quoted := 0, 0, 0, false
	put := func(end int) {
		if c := r.file.column[field]; c >= 0 && texts[c] != nil {
			b = append(append(b, r.text[from:start]...), texts[c]...)
			from = end
		}
	}
	for i, x := range r.text {
		switch {
		case x == '"':
			quoted = !quoted
		case x == r.file.separator && !quoted:
			put(i)
			field, start = field+1, i+1
		}
	}
	end := len(r.text) - 1 // without the line end
	if end > start && r.text[end-1] == '\r' {
		end--
	}
	put(end)
	return append(b, r.text[from:]...)
}

// value returns the value of column k of columns.
func (r *record) value(columns []string, k int) (string, error) {
	s, ok := records.Decode(r.values[k], r.file.encoding)
	if !ok {
		return "", r.fault(columns[k], r.values[k], records.Not(r.file.encoding))
	}
	return s, nil
}

// find sets ids to the numbers that the values of r got when c counted them.
func (r *record) find(c *Columns, ids []uint32) error {
	for k := range r.values {
		s, err := r.value(c.names, k)
		if err != nil {
			return err
		}
		var ok bool
		if ids[k], ok = c.Find(k, s); !ok {
			return errChanged
		}
	}
	return nil
}

// encoded returns a value of a column in the bytes of the file.
func (f *file) encoded(column, value string) ([]byte, error) {
	b, ok := records.Encode([]byte(value), f.encoding)
	if !ok {
		return nil, i18n.Errorf("column %s: value %q cannot be written in %s", column, value, strings.ToUpper(f.encoding))
	}
	return b, nil
}

// Replace writes the records of a file to w with new values in some columns: change gets the values of each record, in
// the order of the file, and returns the replacements. Everything else stays byte by byte. If w is nil, the values are
// read and nothing is written. If change returns a *formats.Error about a column, file and line are added.
func Replace(ctx context.Context, w io.Writer, path string, l Layout, columns []string, release Release, rng *rand.Rand, change func(values []string) ([]string, error)) error {
	var out *sink
	var before func([]byte, *file) error
	if w != nil {
		out = release.sink(w, rng)
		before = out.head
	}
	values, to := make([]string, len(columns)), make([][]byte, len(columns))
	var text []byte
	err := eachRecord(ctx, path, l, columns, before, func(r *record) error {
		for k := range values {
			var err error
			if values[k], err = r.value(columns, k); err != nil {
				return err
			}
		}
		texts, err := change(values)
		var fault *formats.Error
		if errors.As(err, &fault) && fault.File == "" {
			return &formats.Error{File: r.file.name, Line: r.line, Field: fault.Field, Value: fault.Value, Want: fault.Want}
		}
		if err != nil || w == nil {
			return err
		}
		for k, v := range texts {
			b, err := r.file.encoded(columns[k], v)
			if err != nil {
				return err
			}
			to[k] = r.file.quote(b)
		}
		text = r.with(text[:0], to)
		return out.put(text)
	})
	if err != nil || w == nil {
		return err
	}
	return out.end()
}

// quote spells a value of a field, with quotes only where needed. Equal values have equal texts, so that these do not
// tell whether a value was replaced.
func (f *file) quote(value []byte) []byte {
	if bytes.IndexByte(value, f.separator) < 0 && !bytes.ContainsAny(value, "\"\r\n") && (len(value) > 0 || len(f.names) > 1) {
		return bytes.Clone(value)
	}
	text := append([]byte{'"'}, bytes.ReplaceAll(value, []byte{'"'}, []byte(`""`))...)
	return append(text, '"')
}
