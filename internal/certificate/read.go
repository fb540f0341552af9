package certificate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Malformed is the error for a file that is not a certificate: damaged, truncated or of another kind.
type Malformed struct {
	Line int
	Want i18n.Text
}

func (e *Malformed) Error() string { return e.Message().String() }

func (e *Malformed) Message() i18n.Text {
	return i18n.T("line %d: %s", e.Line, e.Want)
}

// A reader reads lines and resolves the numbers of duals and rows in them.
type reader struct {
	in    *bufio.Reader
	p     *problem
	line  int
	text  []byte
	duals []*Dual
	terms int // number of terms of all duals together
	most  int // limit on terms
	rules []Rule
}

func newReader(in io.Reader, p *problem) (*reader, error) {
	b := bufio.NewReaderSize(in, 1<<16)
	if magic, _ := b.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, &Malformed{1, i18n.T("the compressed file is damaged: %s", err)}
		}
		b = bufio.NewReaderSize(z, 1<<16)
	}
	return &reader{in: b, p: p, most: maxNumbers(p)}, nil
}

func (r *reader) malformed(format string, args ...any) error {
	return &Malformed{r.line, i18n.T(format, args...)}
}

// next reads one line and checks what does not depend on its kind: every index and length.
func (r *reader) next() (*line, error) {
	r.line++
	r.text = r.text[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.text = append(r.text, part...)
		if limit := maxLine(r.p); len(r.text) > limit {
			return nil, r.malformed("longer than %d MiB", limit>>20)
		}
		if err == nil {
			break
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(r.text) == 0 {
			return nil, r.malformed("the certificate ends before its end line")
		}
		if err == io.EOF {
			return nil, r.malformed("the last line is cut short")
		}
		var corrupt flate.CorruptInputError
		if errors.As(err, &corrupt) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) {
			return nil, r.malformed("the compressed file is damaged: %v", err)
		}
		return nil, err
	}
	l := &line{}
	d := json.NewDecoder(bytes.NewReader(r.text))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil {
		return nil, r.malformed("%v", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, r.malformed("more than one value")
	}
	return l, r.check(l)
}

// check checks every index of a line.
func (r *reader) check(l *line) error {
	n := int32(r.p.n)
	cell := func(i int32) bool { return i >= 0 && i < n }
	switch {
	case l.Cell != nil && !cell(*l.Cell) || slices.ContainsFunc(l.Cells, func(i int32) bool { return !cell(i) }):
		return r.malformed("a cell outside 0 to %d", n-1)
	case slices.ContainsFunc(l.Relations, func(j int32) bool { return j < 0 || int(j) >= r.p.t.Rel.Len() }):
		return r.malformed("a relation outside 0 to %d", r.p.t.Rel.Len()-1)
	case l.Scale < 0 || l.Scale > maxScale:
		return r.malformed("scale %d outside 0 to %d", l.Scale, maxScale)
	}
	return nil
}

// dual reads a dual.
func (r *reader) dual(l *line) error {
	if l.Cell == nil || l.Den < 1 || l.Den > maxDen || len(l.Relations) != len(l.Num) {
		return r.malformed("a dual needs a cell, a denominator from 1 to 2^61 and a number for each relation")
	}
	var ok bool
	if l.Relations, l.Num, ok = merged(l.Relations, l.Num); !ok {
		return r.malformed("a dual names a relation again and again, with numbers beyond 64 bits in all")
	}
	if r.terms += overhead + len(l.Num); r.terms > r.most {
		return r.malformed("more than %d multipliers in all duals", r.most)
	}
	r.duals = append(r.duals, &Dual{Cell: *l.Cell, Den: l.Den, Rel: slices.Clone(l.Relations), Mult: slices.Clone(l.Num)})
	return nil
}

// dualOf returns the dual numbered id, nil for nil.
func (r *reader) dualOf(id *int32) (*Dual, error) {
	switch {
	case id == nil:
		return nil, nil
	case *id < 0 || int(*id) >= len(r.duals):
		return nil, r.malformed("dual %d, but there are %d so far", *id, len(r.duals))
	}
	return r.duals[*id], nil
}

// rulesOf returns the rules numbered ids.
func (r *reader) rulesOf(ids []int32) ([]Rule, error) {
	rules := make([]Rule, len(ids))
	for s, id := range ids {
		if id < 0 || int(id) >= len(r.rules) {
			return nil, r.malformed("row %d, but there are %d so far", id, len(r.rules))
		}
		rules[s] = r.rules[id]
	}
	return rules, nil
}

// proof reads the multipliers of a line.
func (r *reader) proof(l *line) (*Proof, error) {
	if len(l.Of) != len(l.Mult) {
		return nil, r.malformed("%d rows but %d multipliers", len(l.Of), len(l.Mult))
	}
	if _, err := r.rulesOf(l.Of); err != nil {
		return nil, err
	}
	var ok bool
	if l.Of, l.Mult, ok = merged(l.Of, l.Mult); !ok {
		return nil, r.malformed("a row again and again, with multipliers beyond 64 bits in all")
	}
	return &Proof{Scale: l.Scale, Rows: l.Of, Mult: l.Mult, Ray: l.Ray}, nil
}

// merged adds up, in place, the numbers with equal indices, so that a line takes no more work than there are rows or
// relations. ok is false if a sum overflows 64 bits.
func merged(ids []int32, num []int64) (_ []int32, _ []int64, ok bool) {
	if len(ids) < 2 {
		return ids, num, true
	}
	at := make(map[int32]int, min(len(ids), 1<<12))
	n := 0
	for s, id := range ids {
		k, again := at[id]
		if !again {
			at[id] = n
			ids[n], num[n] = id, num[s]
			n++
			continue
		}
		sum := num[k] + num[s]
		if (sum > num[k]) != (num[s] > 0) && num[s] != 0 {
			return nil, nil, false
		}
		num[k] = sum
	}
	return ids[:n:n], num[:n:n], true
}

// The memory for a certificate depends only on the table and on constants, never on the claims or the length of the
// file.

// maxLine returns the largest length of a line about p, in bytes: there is room for a number with an index for every
// cell and relation.
func maxLine(p *problem) int { return 1<<22 + 64*(p.n+p.t.Rel.Len()) }

// maxNumbers returns how many numbers with an index all rows derived about p may hold together, and likewise all duals.
// Proofs of long searches stay far below it.
func maxNumbers(p *problem) int { return 1<<24 + 64*(p.n+len(p.t.Rel.Cell)) }

// overhead is the size counted for a row or dual in addition to its numbers.
const overhead = 8
