package risk

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/records"
)

const (
	blockSize = records.BlockSize
	maxRecord = 1 << 24 // bytes of a record
	// maxWorkers is the default limit on the number of parsers: each has its own accumulators.
	maxWorkers = 8
)

// A Layout describes how records are laid out in files. The zero value detects it.
type Layout struct {
	// Separator between fields, an ASCII character. 0: whichever of comma, semicolon and tab occurs most often in the
	// header.
	Separator byte
	// Encoding is utf-8, cp932 or cp1252. Empty: UTF-8, unless the first MiB is not UTF-8 and clearly CP932 or CP1252.
	Encoding string
	// Guessed, if not nil, is called whenever a file is read whose encoding had to be guessed from its letters.
	Guessed func(file, encoding string)
	// Workers is the number of parsers, 0: one for each processor, up to 8. Results do not depend on it.
	Workers int
}

func (l Layout) check() error {
	switch {
	case !records.Known(l.Encoding):
		return i18n.Errorf("risk: encoding %q, want utf-8, cp932 or cp1252", l.Encoding)
	case l.Separator >= utf8.RuneSelf || strings.IndexByte("\"\r\n", l.Separator) >= 0:
		return i18n.Errorf("risk: separator %q, want an ASCII character that is no quote and no line end", l.Separator)
	case l.Workers < 0:
		return i18n.Errorf("risk: %d workers, want 1 or more, or 0 for the default", l.Workers)
	}
	return nil
}

// batchRows is the largest number of records in a Batch.
const batchRows = 512

// A Batch is some records with their values as numbers.
type Batch struct {
	N       int
	IDs     []uint32 // value number of record r in column c is at r·width+c
	Amounts []Amount // amount a of record r is at r·amounts+a

	width   int // number of columns
	amounts int
	groups  [batchRows]uint32
	lines   [batchRows]int // lines on which records begin
}

// Line returns the line of its file on which record r begins.
func (b *Batch) Line(r int) int { return b.lines[r] }

// A recordError is an error at one record of a batch.
type recordError struct {
	r    int
	want i18n.Text
}

func (e *recordError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *recordError) Message() i18n.Text {
	return e.want
}

// An Accumulator takes in batches of records. Merge adds what another one, made for the same Columns, has taken in;
// records may be divided among accumulators in any way.
type Accumulator[A any] interface {
	AddBatch(b *Batch) error
	Merge(other A) error
}

// A Scanner reads records from files into one accumulator for each worker.
type Scanner[A Accumulator[A]] struct {
	scan
	acc []A
}

// NewScanner prepares to read columns as values and the columns called amounts as numbers. fresh makes an accumulator.
func NewScanner[A Accumulator[A]](l Layout, columns *Columns, amounts []string, fresh func() A) (*Scanner[A], error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	s := &Scanner[A]{}
	s.layout, s.columns, s.amounts, s.size = l, columns, amounts, blockSize
	n := cmp.Or(l.Workers, min(runtime.GOMAXPROCS(0), maxWorkers))
	for range n {
		a := fresh()
		s.acc = append(s.acc, a)
		s.workers = append(s.workers, newWorker(&s.scan, a.AddBatch))
	}
	return s, nil
}

// Wanted returns the names of the columns that are read, amounts last.
func (s *Scanner[A]) Wanted() []string { return append(s.columns.Names(), s.amounts...) }

// Result merges the workers' accumulators. The scanner cannot be used afterwards.
func (s *Scanner[A]) Result() (A, error) {
	all := s.acc[0]
	if err := s.columns.fits(); err != nil {
		return all, err
	}
	for k, a := range s.acc[1:] {
		if err := all.Merge(a); err != nil {
			return all, err
		}
		s.acc[k+1] = *new(A)
	}
	s.acc, s.workers = nil, nil
	return all, nil
}

// A scan is the part of a Scanner that does not depend on the accumulator.
type scan struct {
	layout  Layout
	columns *Columns
	amounts []string
	// Known says that values without a number do not get one but count as unknown. It is for files whose values are
	// looked up among those read before.
	Known bool
	// ZeroBlank reads an empty amount as 0.
	ZeroBlank bool

	workers []*worker
	size    int // size of a block
	failed  bool
	records atomic.Int64
	bytes   atomic.Int64
}

// unknown is the number for values that have none in their column.
const unknown = ^uint32(0)

// Records returns how many records have been read so far; it may be called during reading.
func (s *scan) Records() int64 { return s.records.Load() }

// Bytes returns how many bytes have been read so far, before decompression.
func (s *scan) Bytes() int64 { return s.bytes.Load() }

// ReadFile reads the records of a file.
func (s *scan) ReadFile(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return formats.OSError(path, err)
	}
	defer f.Close()
	return s.Read(ctx, f, path)
}

// Read reads the records of r, CSV as in RFC 4180 with a header; name stands for it in messages. Text compressed with
// gzip is recognised, a byte order mark is ignored, and empty lines are skipped. An error is that of the first bad
// record, a *formats.Error, or wraps ctx.Err(); the scanner cannot be used after it.
func (s *scan) Read(ctx context.Context, r io.Reader, name string) error {
	if s.failed {
		return i18n.Errorf("%s: an earlier file has failed", name)
	}
	err := s.read(ctx, r, name)
	if err != nil {
		s.failed, err = true, parallel.Ended(ctx, err)
	}
	return err
}

// counting counts the bytes read from r.
type counting struct {
	r io.Reader
	n *atomic.Int64
}

func (c counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

func (s *scan) read(ctx context.Context, r io.Reader, name string) error {
	f, b, err := open(counting{r, &s.bytes}, name, s.layout)
	if err != nil {
		return err
	}
	if err := f.places(s.columns.names, s.amounts); err != nil {
		return err
	}
	for _, w := range s.workers {
		w.open(f)
	}
	err = records.Share(ctx, len(s.workers), func(ctx context.Context, to chan<- records.Block, spare <-chan []byte) error {
		return cutter(s.size).Cut(ctx, b, f.line, to, spare)
	}, func(k int, b records.Block) (int, error) {
		if e := s.workers[k].block(b); e != nil {
			return e.Line, e
		}
		return 0, nil
	})
	return formats.InFile(name, err)
}

func cutter(size int) records.Cutter { return records.Cutter{Size: size, Max: maxRecord} }

// A file is an input while it is being read.
type file struct {
	name      string
	encoding  string
	separator byte
	names     []string
	returns   bool   // lines end in carriage returns, which are converted to line feeds
	line      int    // first line after the header
	prefix    []byte // the text before that line

	// By field: the index of its column or amount, −1 for none.
	column, amount []int
	last           int // last field that is read
}

// open reads up to the first record.
func open(r io.Reader, name string, l Layout) (*file, *bufio.Reader, error) {
	b, _, err := records.Open(r, blockSize, nil)
	if err != nil {
		return nil, nil, formats.InFile(name, err)
	}
	f := &file{name: name, separator: l.Separator, line: 1}
	b, f.returns = records.Carriage(b)
	mark := false
	if b, f.encoding, mark, err = records.Begin(b, l.Encoding); err != nil {
		return nil, nil, formats.InFile(name, err)
	}
	if l.Encoding == "" && f.encoding != records.UTF8 && l.Guessed != nil {
		l.Guessed(name, f.encoding)
	}
	if mark {
		f.prefix = append(f.prefix, records.Mark...)
	}
	return f, b, f.header(b)
}

// header reads the names of the columns.
func (f *file) header(b *bufio.Reader) error {
	head, _ := b.Peek(blockSize)
	at := 0
	for at < len(head) {
		n := records.Blank(head[at:])
		if n == 0 {
			break
		}
		at += n
		f.line++
	}
	if at == len(head) {
		return &formats.Error{File: f.name, Want: i18n.T("no header, want a line of names")}
	}
	text := head[at:]
	quoted := false
	for i, c := range text {
		if c == '"' {
			quoted = !quoted
		}
		if c == '\n' && !quoted {
			text = text[:i]
			break
		}
	}
	if len(text) >= blockSize-4 {
		return &formats.Error{File: f.name, Line: f.line, Want: i18n.T(`a header longer than 1 MiB, or a quote " that is not closed`)}
	}
	size := min(at+len(text)+1, len(head))
	if f.separator == 0 {
		f.separator = records.Separator(text)
	}
	if f.encoding == records.CP932 && f.separator >= 0x40 {
		return &formats.Error{File: f.name, Want: i18n.T("separator %q can be part of a character in CP932; convert the file to UTF-8", f.separator)}
	}
	p := records.Splitter{Sep: f.separator}
	line := append(bytes.Clone(text), '\n')
	if _, want := p.Split(line, 0); !want.IsZero() {
		return &formats.Error{File: f.name, Line: f.line, Want: want}
	}
	for _, x := range p.Fields {
		n, ok := records.Decode(x, f.encoding)
		if !ok {
			return &formats.Error{File: f.name, Line: f.line, Value: fmt.Sprintf("%q", n), Want: records.Not(f.encoding)}
		}
		f.names = append(f.names, n)
	}
	f.line += bytes.Count(line, []byte{'\n'})
	if n := records.Ruling(head[size:], f.separator); n > 0 {
		size, f.line = size+n, f.line+1
	}
	f.prefix = append(f.prefix, head[:size]...)
	b.Discard(size)
	return nil
}

// places finds the fields of columns and amounts in the header.
func (f *file) places(columns, amounts []string) error {
	f.column, f.amount = slices.Repeat([]int{-1}, len(f.names)), slices.Repeat([]int{-1}, len(f.names))
	find := func(name string) (int, error) {
		k := slices.Index(f.names, name)
		if k < 0 {
			return 0, &formats.Error{File: f.name, Line: 1, Value: formats.Show(name), Want: i18n.T("no such column%s; the columns are %s", near.Hint(name, f.names, ""), i18n.Names("", f.names))}
		}
		if slices.Contains(f.names[k+1:], name) {
			return 0, &formats.Error{File: f.name, Line: 1, Value: formats.Show(name), Want: i18n.T("several columns have this name")}
		}
		f.last = max(f.last, k)
		return k, nil
	}
	for c, name := range columns {
		k, err := find(name)
		if err != nil {
			return err
		}
		f.column[k] = c
	}
	for a, name := range amounts {
		k, err := find(name)
		if err != nil {
			return err
		}
		f.amount[k] = a
	}
	return nil
}

// Header returns the names of the columns of a file.
func Header(path string, l Layout) ([]string, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer in.Close()
	f, _, err := open(in, path, l)
	if err != nil {
		return nil, err
	}
	return f.names, nil
}
