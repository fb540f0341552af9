package certificate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Malformed is the error for what is no certificate: a damaged, cut or foreign file.
type Malformed struct {
	Line int
	Want string
}

func (e *Malformed) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Want) }

// maxLine returns the greatest length of a line about p, in bytes: there is room for
// a number with an index for every cell and relation.
func maxLine(p *problem) int { return 1<<24 + 64*(p.n+p.t.Rel.Len()) }

// A reader reads lines and resolves the numbers of duals and rows in them.
type reader struct {
	in    *bufio.Reader
	p     *problem
	line  int
	text  []byte
	duals []*Dual
	rules []Rule
}

func newReader(in io.Reader, p *problem) (*reader, error) {
	b := bufio.NewReaderSize(in, 1<<16)
	if magic, _ := b.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, &Malformed{1, "the compressed file is damaged: " + err.Error()}
		}
		b = bufio.NewReaderSize(z, 1<<16)
	}
	return &reader{in: b, p: p}, nil
}

func (r *reader) malformed(format string, args ...any) error {
	return &Malformed{r.line, fmt.Sprintf(format, args...)}
}

// next reads one line and checks what can be checked without knowing its kind:
// every index and length.
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
	if d.More() {
		return nil, r.malformed("more than one value")
	}
	n := int32(r.p.n)
	cell := func(i int32) bool { return i >= 0 && i < n }
	switch {
	case l.Cell != nil && !cell(*l.Cell) || slices.ContainsFunc(l.Cells, func(i int32) bool { return !cell(i) }):
		return nil, r.malformed("a cell outside 0 to %d", n-1)
	case slices.ContainsFunc(l.Relations, func(j int32) bool { return j < 0 || int(j) >= r.p.t.Rel.Len() }):
		return nil, r.malformed("a relation outside 0 to %d", r.p.t.Rel.Len()-1)
	case l.Scale < 0 || l.Scale > maxScale:
		return nil, r.malformed("scale %d outside 0 to %d", l.Scale, maxScale)
	}
	return l, nil
}

// dual reads a dual.
func (r *reader) dual(l *line) error {
	if l.Cell == nil || l.Den < 1 || l.Den > maxDen || len(l.Relations) != len(l.Num) {
		return r.malformed("a dual needs a cell, a denominator from 1 to 2^61 and a number for each relation")
	}
	r.duals = append(r.duals, &Dual{Cell: *l.Cell, Den: l.Den, Rel: l.Relations, Mult: l.Num})
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
	return &Proof{Scale: l.Scale, Rows: l.Of, Mult: l.Mult, Ray: l.Ray}, nil
}
