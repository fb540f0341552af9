package risk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
)

// A worker parses blocks into batches for its own accumulator.
type worker struct {
	s      *scan
	f      *file
	add    func(*Batch) error
	batch  *Batch
	caches []*cache
	split  records.Splitter
	line   int // where the current record begins
}

func newWorker(s *scan, add func(*Batch) error) *worker {
	w := &worker{s: s, add: add}
	w.batch = &Batch{width: len(s.columns.names), amounts: len(s.amounts)}
	w.batch.IDs = make([]uint32, batchRows*w.batch.width)
	w.batch.Amounts = make([]Amount, batchRows*w.batch.amounts)
	return w
}

// open begins a file. Caches depend on its encoding.
func (w *worker) open(f *file) {
	w.f = f
	w.split.Sep = f.separator
	w.caches = nil
	for c := range w.s.columns.dicts {
		w.caches = append(w.caches, &cache{d: w.s.columns.dicts[c], encoding: f.encoding, known: w.s.Known})
	}
}

// fault returns an error about the current record.
func (w *worker) fault(field, value string, want i18n.Text) *formats.Error {
	return &formats.Error{File: w.f.name, Line: w.line, Field: field, Value: value, Want: want}
}

// block adds the records of one block.
func (w *worker) block(b records.Block) *formats.Error {
	w.line = b.Line
	text := b.Text
	n := int64(0)
	quotes := bytes.IndexByte(text, '"') >= 0
	for at := 0; at < len(text); {
		if n := records.Blank(text[at:]); n > 0 {
			at += n
			w.line++
			continue
		}
		var e *formats.Error
		lines := 1
		if quotes {
			at, lines, e = w.quoted(text, at)
		} else {
			at, e = w.plain(text, at)
		}
		if e != nil {
			if first := w.flush(); first != nil {
				return first
			}
			return e
		}
		w.batch.lines[w.batch.N] = w.line
		w.line += lines
		n++
		if w.batch.N++; w.batch.N == batchRows {
			if e := w.flush(); e != nil {
				return e
			}
		}
	}
	if e := w.flush(); e != nil {
		return e
	}
	w.s.records.Add(n)
	return nil
}

// flush passes the batch to the accumulator.
func (w *worker) flush() *formats.Error {
	if w.batch.N == 0 {
		return nil
	}
	err := w.add(w.batch)
	w.batch.N = 0
	var at *recordError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &at):
		w.line = w.batch.lines[at.r]
		return w.fault("", "", at.want)
	}
	return w.fault("", "", i18n.T("%s", err))
}

// masks[n] keeps the first n of eight bytes.
var masks = [9]uint64{0, 0xff, 0xffff, 0xff_ffff, 0xffff_ffff, 0xff_ffff_ffff, 0xffff_ffff_ffff, 0xff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain parses the record at a position of a text without quotes and returns where the next begins. It examines eight
// bytes at a time: xor turns a byte that equals the separator into 0, and the lowest set bit of (v − 0x01…) &^ v &
// 0x80… is at the first 0.
func (w *worker) plain(text []byte, at int) (int, *formats.Error) {
	f := w.f
	wide := text[:len(text)+records.Slack]
	sep := uint64(f.separator) * ones
	const end = uint64('\n') * ones
	for field := 0; ; field++ {
		from := at
		word := binary.LittleEndian.Uint64(wide[at:])
		a, b := word^sep, word^end
		if m := ((a-ones)&^a | (b-ones)&^b) & highs; m != 0 {
			at += bits.TrailingZeros64(m) >> 3
		} else {
			for at += 8; text[at] != f.separator && text[at] != '\n'; at++ {
			}
		}
		to, done := at, text[at] == '\n'
		if done && to > from && text[to-1] == '\r' {
			to--
		}
		at++
		if field < len(f.column) { // otherwise there are too many fields, reported below
			if e := w.value(field, text[from:to], word); e != nil {
				return at, e
			}
		}
		if !done && field == f.last {
			line := text[at:]
			line = line[:bytes.IndexByte(line, '\n')]
			at += len(line) + 1
			field += 1 + bytes.Count(line, []byte{f.separator})
			done = true
		}
		if done {
			if field+1 != len(f.names) {
				return at, w.wrongNumber(field + 1)
			}
			return at, nil
		}
	}
}

func (w *worker) wrongNumber(fields int) *formats.Error {
	return w.fault("", fmt.Sprintf("%d fields", fields), i18n.T("want %d", len(w.f.names)))
}

// quoted is plain for a text with quotes; it also returns the number of lines of the record.
func (w *worker) quoted(text []byte, at int) (int, int, *formats.Error) {
	next, want := w.split.Split(text, at)
	if !want.IsZero() {
		return at, 0, w.fault("", "", want)
	}
	n := len(w.split.Fields)
	for k, v := range w.split.Fields[:min(n, len(w.f.names))] {
		if w.f.column[k] < 0 && w.f.amount[k] < 0 {
			continue
		}
		var word [8]byte
		copy(word[:], v)
		if e := w.value(k, v, binary.LittleEndian.Uint64(word[:])); e != nil {
			return at, 0, e
		}
	}
	if n != len(w.f.names) {
		return at, 0, w.wrongNumber(n)
	}
	return next, bytes.Count(text[at:next], []byte{'\n'}), nil
}

// value adds the value of a field to the batch. word holds its first eight bytes, followed by others if it is shorter.
func (w *worker) value(field int, v []byte, word uint64) *formats.Error {
	b := w.batch
	if c := w.f.column[field]; c >= 0 {
		id, ok := w.caches[c].id(v, word&masks[min(len(v), 8)])
		if !ok {
			return w.fault(w.s.columns.names[c], fmt.Sprintf("%q", v), records.Not(w.f.encoding))
		}
		b.IDs[b.N*b.width+c] = id
	}
	if a := w.f.amount[field]; a >= 0 {
		v = bytes.TrimSpace(v)
		if len(v) == 0 && w.s.ZeroBlank {
			b.Amounts[b.N*b.amounts+a] = Amount{}
			return nil
		}
		x, want := parseAmount(v)
		if !want.IsZero() {
			return w.fault(w.s.amounts[a], formats.Show(string(v)), want)
		}
		b.Amounts[b.N*b.amounts+a] = x
	}
	return nil
}

// A cache stores the numbers of values, so that a worker rarely needs the shared dictionary. It stops learning when it
// is full.
type cache struct {
	d        *dict
	encoding string
	known    bool

	slot []cached // open addressing, at most half full
	n    int
	text []byte // texts of values of more than eight bytes
}

// A cached is one value. word is the value itself if it is short, else its hash.
type cached struct {
	word uint64
	size uint32 // length+1, 0: free slot
	id   uint32
	at   uint32 // offset of the value in text
}

// maxCached is the largest number of values in a cache, about 4 MB.
const maxCached = 1 << 16

// id returns the number of a value; ok is false if the value is invalid in the encoding.
func (c *cache) id(v []byte, word uint64) (id uint32, ok bool) {
	if len(v) > 8 {
		word = longHash(v)
	}
	if len(c.slot) == 0 {
		c.slot = make([]cached, 64)
	}
	size := uint32(len(v) + 1)
	mask := uint64(len(c.slot) - 1)
	i := c.place(word, size)
	for ; c.slot[i].size != 0; i = (i + 1) & mask {
		s := &c.slot[i]
		if s.word == word && s.size == size && (size <= 9 || string(c.text[s.at:s.at+size-1]) == string(v)) {
			return s.id, true
		}
	}
	s, ok := records.Decode(v, c.encoding)
	if !ok {
		return 0, false
	}
	if c.known {
		if id, ok = c.d.find([]byte(s)); !ok {
			id = unknown
		}
	} else {
		id = c.d.id([]byte(s))
	}
	if c.n == maxCached || len(c.text)+len(v) > 1<<24 {
		return id, true
	}
	c.slot[i] = cached{word, size, id, uint32(len(c.text))}
	if size > 9 {
		c.text = append(c.text, v...)
	}
	if c.n++; 2*c.n > len(c.slot) {
		old := c.slot
		c.slot = make([]cached, 2*len(old))
		mask := uint64(len(c.slot) - 1)
		for _, s := range old {
			if s.size == 0 {
				continue
			}
			i := c.place(s.word, s.size)
			for c.slot[i].size != 0 {
				i = (i + 1) & mask
			}
			c.slot[i] = s
		}
	}
	return id, true
}

func longHash(v []byte) uint64 { return maphash.Bytes(dictSeed, v) }

// place returns the first slot to try for a value.
func (c *cache) place(word uint64, size uint32) uint64 {
	hi, lo := bits.Mul64(word^uint64(size)<<56, 0x9e3779b97f4a7c15)
	return (hi ^ lo) & uint64(len(c.slot)-1)
}
