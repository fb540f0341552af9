package formats

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"os"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/unpack"
	"github.com/hitoku/hitoku/table"
)

// Limits of a file that is read as a stream.
const (
	maxStreamBytes = 1 << 40
	maxStreamCells = math.MaxInt32
)

// A Whole is the size of a table of which only the cells in play were read.
type Whole struct{ Cells, Relations int }

// ReadInPlay is Read for a table of which most cells must stay published: it reads the file in one pass, and
// keeps only the other cells in memory. Input.Table is what table.Table.InPlay makes of the table that Read
// returns, and Input.Whole tells the size of that one. It refuses the same files as Read does, with cells given
// twice or wrong sums. Write reads the file again, and fails if that has changed. A file that cannot be read in
// this way (other formats, margins without rows, missing values, hierarchies that may belong to other files) is
// read by Read, unless it is too large for that. Memory: that of the cells in play, one bit for each
// combination of codes and 8 bytes for each relation.
func ReadInPlay(path string, o Options) (*Input, error) {
	var said []fmt.Stringer
	own := o
	if o.Say != nil {
		own.Say = func(words fmt.Stringer) { said = append(said, words) }
	}
	in, plain, err := readInPlay(path, own)
	if err != nil && plain {
		return Read(path, o)
	}
	if err == nil {
		for _, words := range said {
			o.Say(words)
		}
	}
	return in, err
}

// errOther says that a file cannot be read as a stream.
var errOther = i18n.Errorf("this file %w", i18n.New("cannot be read as a stream"))

// readInPlay is ReadInPlay without falling back on Read; plain says that the file is small enough for Read.
func readInPlay(path string, o Options) (in *Input, plain bool, err error) {
	if err := o.check(); err != nil {
		return nil, true, err
	}
	if o.From == string(JJ) || o.From == string(CrossTab) || len(o.Responses) > 0 || o.Response != "" {
		return nil, true, errOther
	}
	st := &stream{path: path, encoding: o.Encoding, seed: maphash.MakeSeed()}
	p, err := st.open()
	if err != nil {
		return nil, true, err
	}
	defer p.close()
	in = &Input{File: path, Format: Tidy}
	s, err := newRows(p.Lines)
	if err != nil || !o.isTidy(s.header) {
		return nil, true, errors.Join(err, errOther)
	}
	s.below, s.say, s.wants = true, o.Say, "name"
	r := &streamReader{in: in, st: st, pass: p, s: s, o: &o}
	err = r.read()
	in.Dialect = p.dialect
	cells := float64(st.lines) * float64(p.size) / float64(max(1, p.count)) // estimate for the whole file
	return in, cells <= float64(budget.Cells.Max()) && p.size <= budget.Text.Max(), err
}

// A stream is a tidy file that is read again when it is written.
type stream struct {
	path     string
	encoding string
	seed     maphash.Seed
	sum      uint64 // checksum of the file's bytes
	lines    int    // number of lines with cells
	same     []bool // for each column, whether it has the same text on all those lines
	kept     []int32
	next     int
}

// cell returns the number of the cell on a line, −1 if it is not in play. It must be called for one line after
// another.
func (st *stream) cell(line int) int {
	if line == 0 {
		st.next = 0
	}
	if st.next == len(st.kept) || int(st.kept[st.next]) != line {
		return -1
	}
	st.next++
	return st.next - 1
}

// A streamPass is one pass over the file.
type streamPass struct {
	*Lines
	file  *os.File
	hash  maphash.Hash
	size  int64
	count int64 // bytes read so far
}

func (st *stream) open() (*streamPass, error) {
	f, err := Open(st.path)
	if err != nil {
		return nil, err
	}
	p := &streamPass{file: f}
	p.hash.SetSeed(st.seed)
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errOther
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	p.size = info.Size()
	text, err := newTextUpTo(p, st.path, maxLine, maxStreamBytes)
	if err == nil {
		p.Lines, err = newLines(text, st.path, st.encoding)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// Read implements io.Reader.
func (p *streamPass) Read(b []byte) (int, error) {
	n, err := p.file.Read(b)
	p.hash.Write(b[:n])
	p.count += int64(n)
	return n, err
}

func (p *streamPass) close() { p.file.Close() }

// each is tidySource.each.
func (st *stream) each(do func(i int, row []field) (more bool)) error {
	p, err := st.open()
	if err != nil {
		return err
	}
	defer p.close()
	s, err := newRows(p.Lines)
	if err != nil {
		return err
	}
	s.below = true
	changed := &Error{File: st.path, Want: i18n.T("has changed since it was read; protect it again")}
	for n := 0; ; n++ {
		row, err := s.Next()
		switch {
		case err == io.EOF && n == st.lines && p.hash.Sum64() == st.sum:
			return nil
		case err != nil || n == st.lines:
			return changed
		}
		if !do(n, row) {
			return nil
		}
	}
}

// streamReader reads a file into a table.Sieve.
type streamReader struct {
	in    *Input
	st    *stream
	pass  *streamPass
	s     *rows
	o     *Options
	y     *layout
	codes []*codes
	sieve *table.Sieve
	id    [][]int32 // for each dimension and each code as numbered in codes, its number in the tree
	ids   []int32
	lacks bool // some code is not in its tree
	first []string
	pairs *pairs
}

func (r *streamReader) read() (err error) {
	if r.y, err = newLayout(r.s, r.o); err != nil {
		return err
	}
	src := &tidySource{layout: r.y, rows: rows{sep: r.s.sep, header: r.s.header}, head: r.s.text, stream: r.st}
	r.in.source = src
	if r.codes, err = newCodes(r.in.File, r.y.dimNames(), r.o); err != nil {
		return err
	}
	if err := r.newSieve(); err != nil {
		return err
	}
	n := newNumbers(r.s, r.o)
	if err := r.all(n); err != nil {
		return err
	}
	r.st.sum = r.pass.hash.Sum64()
	if err := n.done(); err != nil {
		return err
	}
	if r.st.lines == 0 {
		return &Error{File: r.in.File, Want: i18n.T("a header but no cells")}
	}
	dims := make([]table.Dimension, len(r.codes))
	for d, c := range r.codes {
		if dims[d], err = c.dimension(); err != nil {
			return err
		}
	}
	r.in.columns(r.y)
	if len(r.o.Dims) == 0 {
		told := true
		err := suspect(r.in.File, r.codes, r.st.lines, r.pairs.oneToOne, func(int) bool { told = false; return false }, n.withheld)
		if err != nil {
			return err
		}
		r.lacks = r.lacks || !told
	}
	if r.lacks {
		return errOther
	}
	whole := &Whole{}
	if r.in.Table, whole.Cells, whole.Relations, err = r.sieve.Table(dims); err != nil {
		return r.in.tableError(err)
	}
	r.in.Whole = whole
	return nil
}

// newSieve makes a sieve with the trees that are known before the file is read.
func (r *streamReader) newSieve() (err error) {
	trees := make([]table.Dimension, len(r.codes))
	for d, c := range r.codes {
		if c.fitting {
			return errOther
		}
		var edges []table.Edge
		if c.tree != nil {
			edges = c.tree.edges(c.total)
		}
		if trees[d], err = table.NewDimension(c.name, c.total, edges); err != nil {
			return err
		}
	}
	r.id, r.ids, r.pairs = make([][]int32, len(trees)), make([]int32, len(trees)), newPairs(len(trees))
	r.sieve, err = table.NewSieve(r.in.name(), trees, r.y.counts)
	return err
}

// all reads the lines.
func (r *streamReader) all(n *numbers) error {
	s := r.s
	rec := table.Record{Codes: make([]string, len(r.y.dims))}
	for {
		row, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if r.st.lines == maxStreamCells || budget.Cells.Passed(len(r.st.kept)+1) {
			return s.fault(0, "", i18n.T("more than %d cells in play, or more than %d%s", budget.Cells.Max(), maxStreamCells, budget.Remedy()))
		}
		if p := s.r.packed; p != nil && r.st.lines >= unpack.Cells(p.Size(), cellsPerByte) {
			return s.fault(0, "", i18n.T("%d cells of %d compressed bytes%s", r.st.lines, p.Size(), unpack.Remedy))
		}
		rec = table.Record{Line: s.line, Codes: rec.Codes}
		if err := r.y.codes(rec.Codes, r.codes, row, s); err != nil {
			return err
		}
		if err := r.y.cell(&rec, row, n, r.o); err != nil {
			return err
		}
		if err := r.add(&rec, row); err != nil {
			return err
		}
		r.st.lines++
	}
}

// add passes a record to the sieve.
func (r *streamReader) add(rec *table.Record, row []field) error {
	r.in.HasCosts = r.in.HasCosts || rec.Cost.Set
	r.constant(row)
	for d, c := range r.codes {
		if c.last == len(r.id[d]) {
			id, err := r.sieve.Code(d, c.list[c.last])
			if err != nil {
				return err
			}
			r.id[d] = append(r.id[d], id)
		}
		if r.ids[d] = r.id[d][c.last]; r.ids[d] < 0 {
			r.lacks = true
		}
	}
	r.pairs.add(r.codes)
	if r.lacks {
		return nil
	}
	kept, err := r.sieve.Add(r.ids, rec)
	if err != nil {
		return r.in.tableError(err)
	}
	if kept {
		r.st.kept, r.in.lines = append(r.st.kept, int32(r.st.lines)), append(r.in.lines, int32(rec.Line))
	}
	return nil
}

// constant marks columns whose text is not the same on all lines.
func (r *streamReader) constant(row []field) {
	if r.first == nil {
		r.st.same = make([]bool, len(row))
		for c, f := range row {
			r.st.same[c], r.first = true, append(r.first, strings.Clone(f.text))
		}
		return
	}
	for c, same := range r.st.same {
		if same && row[c].text != r.first[c] {
			r.st.same[c] = false
		}
	}
}

// pairs finds out which pairs of dimensions have codes that always occur together.
type pairs struct {
	k int
	// with has, for dimensions d and e, at d·k + e, and each code of d: 1 + the code of e that occurs with it; nil if
	// some code has several.
	with [][]int32
}

func newPairs(k int) *pairs {
	p := &pairs{k, make([][]int32, k*k)}
	for d := range k {
		for e := range k {
			if d != e {
				p.with[d*k+e] = []int32{}
			}
		}
	}
	return p
}

// add records the codes of the line read last.
func (p *pairs) add(codes []*codes) {
	for d, c := range codes {
		for e, b := range codes {
			w := p.with[d*p.k+e]
			if w == nil {
				continue
			}
			for len(w) <= c.last {
				w = append(w, 0)
			}
			w[c.last] = cmp.Or(w[c.last], int32(b.last)+1)
			if w[c.last] != int32(b.last)+1 {
				w = nil
			}
			p.with[d*p.k+e] = w
		}
	}
}

func (p *pairs) oneToOne(d, e int) bool { return p.with[d*p.k+e] != nil && p.with[e*p.k+d] != nil }
