package formats

import (
	"fmt"
	"io"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// A field is a field of a CSV line: its text without quotes and surrounding blanks, and as it is in the file.
type field struct {
	text, raw string
	col       int // its first byte in the line, from 1
}

// rows splits lines into fields. The header determines how many fields each line has.
type rows struct {
	*Lines
	sep    byte
	header []field
	row    []field // the fields of the last line read; the next line overwrites them
	text   string  // the last line read
	notes  notes
	cells  int  // number of rows with cells read so far
	below  bool // notes may follow the table
	say    func(fmt.Stringer)

	bare  []field // the empty fields after trailing separators of the header
	wants string  // what to ask for if a column without a header is not empty
}

// newRows reads the header and finds the separator: whichever of comma, semicolon and tab occurs in it most
// often outside quotes.
func newRows(l *Lines) (*rows, error) {
	head, err := l.Next()
	if err == io.EOF {
		return nil, &Error{File: l.file, Want: i18n.T("the file is empty, want a header line")}
	}
	if err != nil {
		return nil, err
	}
	s := &rows{Lines: l, sep: records.Separator(head)}
	l.dialect.Separator = s.sep
	if s.header, err = s.split(nil, head); err != nil {
		return nil, unlaid(err) // the heading may take several lines, as in an office's layout
	}
	for n := len(s.header); n > 2 && s.header[n-1].text == "" && s.header[n-1].raw == ""; n-- {
		s.header, s.bare = s.header[:n-1], append(s.bare, s.header[n-1])
	}
	slices.Reverse(s.bare)
	l.dialect.Trailing = len(s.bare)
	s.text = head
	return s, nil
}

// again splits a line that has been read before.
func (s *rows) again(dst []field, line string) ([]field, error) {
	row, err := s.split(dst, line)
	return row[:min(len(row), len(s.header))], err
}

// trail removes the empty fields beyond those of the header.
func (s *rows) trail() error {
	n := len(s.header)
	for k := n; k < len(s.row); k++ {
		if s.row[k].text == "" {
			continue
		}
		if k-n < len(s.bare) {
			err := &Error{File: s.file, Line: 1, Column: s.bare[k-n].col, Want: i18n.T("column %d has no %s", k+1, s.wants)}
			if s.wants == "code" {
				return unlaid(err)
			}
			return err
		}
		return nil
	}
	if len(s.row) > n && len(s.row) <= n+len(s.bare) {
		s.row = s.row[:n]
	}
	return nil
}

// split appends the fields of a line to dst. A field that begins with a quote must end with one on the same
// line; inside, two quotes stand for one.
func (s *rows) split(dst []field, line string) ([]field, error) {
	for pos := 0; ; {
		start := pos
		for pos < len(line) && (line[pos] == ' ' || line[pos] == '\t' && s.sep != '\t') {
			pos++
		}
		if pos < len(line) && line[pos] == '"' {
			open := pos
			text, end, ok := records.Unquote(line, pos)
			if !ok {
				return nil, s.fault(open+1, "", i18n.T(`the quote " opened here is not closed on its line`))
			}
			next := end
			for next < len(line) && line[next] != s.sep {
				next++
			}
			if rest := strings.TrimSpace(line[end:next]); rest != "" {
				return nil, s.fault(end+1, Show(rest), i18n.T("text after a closing quote; want the separator, or two quotes for one inside"))
			}
			dst = append(dst, field{strings.TrimSpace(text), line[start:next], start + 1})
			pos = next
		} else {
			next := strings.IndexByte(line[start:], s.sep)
			if next < 0 {
				next = len(line)
			} else {
				next += start
			}
			dst = append(dst, field{strings.TrimSpace(line[start:next]), line[start:next], start + 1})
			pos = next
		}
		if pos == len(line) {
			return dst, nil
		}
		pos++ // skip the separator
	}
}

// Next returns the fields of the next line that has any, or io.EOF. They are valid until the next call.
func (s *rows) Next() ([]field, error) {
	for blank := 0; ; blank++ {
		line, err := s.Lines.Next()
		if err != nil {
			if err == io.EOF {
				s.told()
			}
			return nil, err
		}
		if s.row, err = s.split(s.row[:0], line); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(s.row, func(f field) bool { return f.text != "" }) {
			if blank == maxBlank {
				return nil, s.fault(0, "", i18n.T("more than %d empty lines in a row", maxBlank))
			}
			continue // an empty row of a spreadsheet
		}
		if err := s.trail(); err != nil {
			return nil, err
		}
		if s.below {
			if note, err := s.pass(s.row); err != nil {
				return nil, err
			} else if note {
				continue
			}
		}
		if len(s.row) != len(s.header) {
			return nil, s.fault(0, fmt.Sprintf("%d fields", len(s.row)), i18n.T("want %d, as in the header", len(s.header)))
		}
		s.text = line
		return s.row, nil
	}
}

// all yields the lines that Next returns, for as long as the table may have each more cells.
func (s *rows) all(cells *int, each int) iter.Seq2[[]field, error] {
	return func(yield func([]field, error) bool) {
		for {
			row, err := s.Next()
			if err == io.EOF {
				return
			}
			if err == nil {
				if want := s.r.Room(*cells + each); !want.IsZero() {
					err = s.fault(0, "", want)
				}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// at returns an error about the text of a column.
func (s *rows) at(column, value string, want i18n.Text) error {
	return &Error{File: s.file, Line: s.line, Field: column, Value: Show(value), Want: want}
}

// readCSV reads a tidy file or a cross-tab.
func readCSV(in *Input, l *Lines, o *Options) error {
	s, err := newRows(l)
	if err != nil {
		return err
	}
	s.below, s.say = true, o.Say
	if o.isTidy(s.header) {
		in.Format, s.wants = Tidy, "name"
		err = readTidy(in, s, o)
	} else {
		in.Format, s.wants = CrossTab, "code"
		err = readCrossTab(in, s, o)
	}
	in.Dialect = l.dialect
	return err
}

// recordsOf returns the function at of table.BuildFrom for records in memory.
func recordsOf(records []table.Record) func(i int) *table.Record {
	return func(i int) *table.Record { return &records[i] }
}

// build makes the table of a file from its n records, see table.BuildFrom. rounded is Options.Rounded.
func (in *Input) build(dims []table.Dimension, n int, at func(i int) *table.Record, counts, rounded bool) error {
	in.lines = make([]int32, n)
	for i := range n {
		rec := at(i)
		in.lines[i] = int32(rec.Line)
		in.Unsaid = in.Unsaid || !rec.Value.Set && rec.Status == table.Safe
	}
	var err error
	if in.Table, _, err = table.BuildFrom(in.name(), dims, n, at, counts, rounded); err != nil {
		return in.tableError(err)
	}
	if rounded {
		clear(in.Table.Rel.RHS)
	}
	return nil
}

// The sizes of blocks of gathered records, powers of two.
const (
	leastGathered = 1 << 4
	mostGathered  = 1 << 14
)

// gathered collects records in blocks, so that they are not moved when their number grows, and in a third of
// the space that table.Record takes.
type gathered struct {
	codes  []*codes // of each dimension; their field last holds the code of the record being added
	n      int
	blocks [][]held
	places [][]int32 // for each block, the numbers of the codes of its records
	one    table.Record
}

// held is a record in short. One with fields that few files have is kept whole in rest.
type held struct {
	number [3]int64 // value, freq and cost
	scale  [3]int8  // the scale of each of these; −1: not set
	status table.Status
	reason table.Reason
	line   int32
	max    []table.Number
	rest   *table.Record // nil: no other field is set
}

func (r *gathered) add(rec *table.Record) {
	last := len(r.blocks) - 1
	if last < 0 || len(r.blocks[last]) == cap(r.blocks[last]) {
		size := min(mostGathered, max(leastGathered, r.n))
		r.blocks, r.places = append(r.blocks, make([]held, 0, size)), append(r.places, make([]int32, 0, size*len(r.codes)))
		last++
	}
	none := table.Number{}
	h, whole := held{line: int32(rec.Line), status: rec.Status, reason: rec.Reason, max: rec.Max}, rec.LPL != none || rec.UPL != none || rec.Width != none || rec.Lower != none || rec.Upper != none || rec.Told != nil
	for k, x := range [...]table.Number{rec.Value, rec.Freq, rec.Cost} {
		if h.number[k], h.scale[k] = x.Unscaled, int8(x.Scale); !x.Set {
			h.scale[k] = -1
		}
		whole = whole || x.Inf != 0
	}
	if whole {
		rest := *rec
		h.rest = &rest
	}
	r.blocks[last] = append(r.blocks[last], h)
	for _, c := range r.codes {
		r.places[last] = append(r.places[last], int32(c.last))
	}
	r.n++
}

// at returns record i, in the order of adding; it is valid until the next call. Blocks double in size up to
// mostGathered, and then stay at that size.
func (r *gathered) at(i int) *table.Record {
	b, k := 0, i
	switch double := bits.Len(uint(i)) - bits.Len(leastGathered) + 1; {
	case i < leastGathered:
	case i < mostGathered:
		b, k = double, i-leastGathered<<(double-1)
	default:
		b, k = bits.Len(mostGathered)-bits.Len(leastGathered)+i/mostGathered, i%mostGathered
	}
	h, rec := &r.blocks[b][k], &r.one
	spelt := r.one.Codes[:0]
	for d, c := range r.codes {
		spelt = append(spelt, c.list[r.places[b][k*len(r.codes)+d]])
	}
	if h.rest != nil {
		rec = h.rest
	} else {
		*rec = table.Record{Line: int(h.line), Max: h.max, Status: h.status, Reason: h.reason}
		for k, to := range [...]*table.Number{&rec.Value, &rec.Freq, &rec.Cost} {
			if h.scale[k] >= 0 {
				*to = table.Num(h.number[k], int(h.scale[k]))
			}
		}
	}
	r.one.Codes, rec.Codes = spelt, spelt
	return rec
}

// dimensions returns the dimensions of a file that has been read and has that number of cells.
func dimensions(file string, cells int, n *numbers, codes []*codes) (dims []table.Dimension, err error) {
	if cells == 0 {
		return nil, &Error{File: file, Want: i18n.T("a header but no cells")}
	}
	if err := n.done(); err != nil {
		return nil, err
	}
	dims = make([]table.Dimension, len(codes))
	for d, c := range codes {
		if dims[d], err = c.dimension(); err != nil {
			return nil, err
		}
	}
	return dims, nil
}
