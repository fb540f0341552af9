package certificate

import (
	"bytes"
	"errors"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Part is a bound for a share w^s of the costs that is proved by some relations alone. An intruder who does not know
// the other relations knows less, so a pattern protected against all relations is protected against these: Σ w^s_i x_i
// ≥ Bound for every protected pattern x. Parts whose shares add up to at most the costs prove the sum of their bounds.
type Part struct {
	Bound     int64
	relations []int32
	cost      []int64 // the costs of the cells of the relations, ascending
	text      []byte  // the lines of its proof
	lines     int
}

// NewPart makes a part with the bound of proof, which must be about t.Among(relations) of some table t with the given
// costs. It keeps the slices, not proof.
func NewPart(relations []int32, cost []int64, proof *Certificate) (*Part, error) {
	if proof.impossible || proof.parts != nil {
		return nil, i18n.New("a part is a bound of one table")
	}
	var b bytes.Buffer
	w := newWriter(&b)
	w.bound(proof)
	return &Part{Bound: proof.Bound, relations: relations, cost: cost, text: b.Bytes(), lines: w.lines}, w.err
}

// Sum returns the certificate of the bound that parts prove together, and of pattern, which is nil or proved protected
// by the witnesses.
func Sum(t *table.Table, parts []*Part, pattern []bool, witnesses []*Witness) (*Certificate, error) {
	r, err := NewRecorder(t)
	if err != nil {
		return nil, err
	}
	c := r.Finish(0, pattern, witnesses)
	for _, p := range parts {
		if p.Bound > 0 {
			c.Bound, c.parts = c.Bound+p.Bound, append(c.parts, p)
		}
	}
	return c, nil
}

// For returns the certificate of the same bound and another pattern, which the witnesses prove protected.
func (c *Certificate) For(pattern []bool, witnesses []*Witness) *Certificate {
	d := *c
	d.pattern, d.witnesses = pattern, witnesses
	return &d
}

// A sharing holds what a verifier has read about parts.
type sharing struct {
	spent []int64   // by cell: the sum of the shares of its cost
	sum   int64     // sum of the bounds proved
	now   *verifier // reads the current part; nil between parts
	bound int64     // the bound of the current part
}

// nextPart begins a part.
func (v *verifier) nextPart(l *line) error {
	t := v.p.t
	switch {
	case v.inPart || v.shares != nil && v.shares.now != nil:
		return v.malformed("a part within a part")
	case v.alone:
		return v.malformed("a part beside a tree, or rows outside of parts")
	case v.rep.Unprotectable || v.p.m < v.p.n:
		return v.malformed("parts prove bounds, of one layer")
	case l.Bound == nil || *l.Bound < 0:
		return v.malformed("a part without a bound, or with a negative one")
	}
	seen := make(map[int32]bool, len(l.Relations))
	for _, j := range l.Relations {
		if seen[j] {
			return v.malformed("a part names relation %d twice", j)
		}
		seen[j] = true
	}
	if v.shares == nil {
		v.shares = &sharing{spent: make([]int64, v.p.n)}
	}
	sub, cells := t.Among(l.Relations)
	if len(l.Num) != len(cells) {
		return v.malformed("a part has %d cells, but %d costs", len(cells), len(l.Num))
	}
	for c, i := range cells {
		share := l.Num[c]
		if share < 0 || share > t.Cost[i]-v.shares.spent[i] {
			return v.refuted("part %d: the shares of cell %s are negative, or more than its cost in all", v.rep.Parts+1, t.CellName(int(i)))
		}
		v.shares.spent[i] += share
	}
	sub.Cost = slices.Clone(l.Num)
	p, err := newProblem(sub)
	if err != nil {
		return v.refuted("part %d: %v", v.rep.Parts+1, err)
	}
	v.rep.Parts++
	v.shares.bound = *l.Bound
	v.shares.now = &verifier{reader: &reader{p: p, most: maxNumbers(p)}, b: newBook(p), k: newProver(p), inPart: true, rep: &Report{Bound: *l.Bound}, above: make([]bool, p.n), target: p.multiples(*l.Bound)}
	return nil
}

// within checks one line of a part.
func (v *verifier) within(l *line) error {
	s := v.shares
	if s.now == nil {
		return v.malformed("a line of kind %q between parts", l.Is)
	}
	sub := s.now
	sub.line = v.line
	err := sub.check(l)
	if err == nil {
		err = sub.take(l)
	}
	var r *Refuted
	if errors.As(err, &r) {
		return v.refuted("part %d: %s", v.rep.Parts, r.What)
	}
	if err != nil || !sub.done {
		return err
	}
	v.rep.Nodes, v.rep.Fixings = v.rep.Nodes+sub.rep.Nodes, v.rep.Fixings+sub.rep.Fixings
	v.rep.Rows, v.rep.Duals = v.rep.Rows+len(sub.rows), v.rep.Duals+len(sub.duals)
	s.sum += min(s.bound, math.MaxInt64-s.sum)
	s.now = nil
	return nil
}

// whole checks that the parts are complete and prove the bound.
func (v *verifier) whole() error {
	switch s := v.shares; {
	case s.now != nil:
		return v.refuted("the tree of part %d is not complete", v.rep.Parts)
	case s.sum < v.rep.Bound:
		return v.refuted("the parts prove a cost of at least %s, not %s", v.money(s.sum), v.money(v.rep.Bound))
	}
	return nil
}
