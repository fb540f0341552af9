package certificate

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/table"
)

// A Report is what Verify confirms; costs are in units of 10^−CostDecimals.
type Report struct {
	// Pattern is protected: every level of every sensitive cell has a witness. It is nil, and Cost 0, if the
	// certificate is about a bound only.
	Pattern []bool
	Cost    int64
	// Unprotectable: no pattern is protected; then there is no bound.
	Unprotectable bool
	// Bound: no protected pattern costs less.
	Bound                                  int64
	Nodes, Rows, Duals, Fixings, Witnesses int
	// Parts is the number of parts whose bounds add up to Bound; 0 if one tree proves it.
	Parts int
}

// Refuted is the error for a certificate that does not prove what it claims.
type Refuted struct {
	Line int
	What i18n.Text
}

func (e *Refuted) Error() string { return e.Message().String() }

func (e *Refuted) Message() i18n.Text {
	return i18n.T("line %d: %s", e.Line, e.What)
}

// A verifier is the state of Verify.
type verifier struct {
	*reader
	b    *book
	k    *prover
	rows []*row
	rep  *Report

	target int64   // the bound, in multiples of the unit of costs
	stack  []frame // splits whose children are being read
	above  []bool  // by cell: decided by a split on the stack
	done   bool    // the tree is complete
	begun  bool
	alone  bool // there is a line of the proof outside parts

	cost *int64
	show *shower

	shares *sharing // how costs are shared among parts; nil: no parts so far
	inPart bool     // this verifier reads a part
}

// A frame is a split: its cell has the value v, and had the value old in the box.
type frame struct {
	cell   int32
	v, old int8
}

// Verify checks a certificate: see the public function.
func Verify(ctx context.Context, in io.Reader, t *table.Table) (*Report, error) {
	v, err := newVerifier(in, t)
	if err != nil {
		return nil, err
	}
	return v.run(ctx)
}

func newVerifier(in io.Reader, t *table.Table) (*verifier, error) {
	p, err := newProblem(t)
	if err != nil {
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	}
	r, err := newReader(in, p)
	if err != nil {
		return nil, err
	}
	return &verifier{reader: r, b: newBook(p), k: newProver(p), rep: &Report{}, above: make([]bool, p.n)}, nil
}

func (v *verifier) run(ctx context.Context) (*Report, error) {
	if err := v.head(); err != nil {
		return nil, err
	}
	for {
		if ctx.Err() != nil {
			return nil, parallel.Ended(ctx, nil)
		}
		l, err := v.next()
		if err != nil {
			return nil, err
		}
		if l.Is == "end" {
			if l.Lines != v.line {
				return nil, v.malformed("the end line says %d lines", l.Lines)
			}
			if _, err := v.in.ReadByte(); err != io.EOF {
				return nil, v.malformed("something follows the end line")
			}
			return v.rep, v.finish()
		}
		if err := v.take(l); err != nil {
			return nil, err
		}
	}
}

func (v *verifier) refuted(format string, args ...any) error {
	return &Refuted{v.line, i18n.T(format, args...)}
}

// head reads the first line.
func (v *verifier) head() error {
	l, err := v.next()
	switch {
	case err != nil:
		return err
	case l.Is != "certificate":
		return v.malformed("not a certificate: its first line is of kind %q", l.Is)
	case l.Version != version:
		return v.malformed("version %d of the format; this program reads version %d", l.Version, version)
	case l.Unprotectable && (l.Bound != nil || l.Cost != nil):
		return v.malformed("a cost or a bound of an unprotectable table")
	case !l.Unprotectable && (l.Bound == nil || *l.Bound < 0):
		return v.malformed("no bound, or a negative one")
	}
	if have := digest(v.p.t); l.Digest != have {
		return v.refuted("the certificate is about another table, or about other levels, costs or bounds: its digest is %.12s…, that of the table %.12s…", l.Digest, have)
	}
	if l.Unprotectable { // every leaf must be empty
		v.rep.Unprotectable, v.target = true, math.MaxInt64
		return nil
	}
	v.rep.Bound, v.cost = *l.Bound, l.Cost
	v.target = v.p.multiples(*l.Bound)
	return nil
}

// take checks one line between the first and the last.
func (v *verifier) take(l *line) error {
	switch {
	case l.Is == "part":
		return v.nextPart(l)
	case v.shares != nil && l.Is != "pattern" && l.Is != "witness":
		return v.within(l)
	}
	v.alone = v.alone || l.Is != "pattern" && l.Is != "witness"
	switch l.Is {
	case "dual":
		return v.dual(l)
	case "fix":
		if v.begun {
			return v.malformed("cells are fixed before the tree, not within it")
		}
		y, rows, err := v.sum(l)
		if err != nil {
			return err
		}
		if v.k.settle(rows, y, v.target, func(int32, int8) { v.rep.Fixings++ }) {
			v.k.clash++ // no cheaper pattern is left, whatever follows
		}
		return nil
	case "split":
		return v.split(l)
	case "leaf":
		return v.leaf(l)
	case "pattern":
		return v.pattern(l)
	case "witness":
		if v.show == nil {
			return v.malformed("a witness before the pattern")
		}
		v.rep.Witnesses++
		if err := v.show.add(l); err != nil {
			return v.refuted("witness: %v", err)
		}
		return nil
	}
	read, known := kinds[l.Is]
	if !known {
		return v.malformed("a line of unknown kind %q", l.Is)
	}
	rule, err := read(v.reader, l)
	if err != nil {
		var m *Malformed
		if errors.As(err, &m) {
			return err
		}
		return v.malformed("%s: %v", l.Is, err)
	}
	row, err := v.b.once(rule)
	if err != nil {
		return v.refuted("row %d (%s): %v", len(v.rules), l.Is, err)
	}
	v.rules, v.rows = append(v.rules, &derived{row}), append(v.rows, row)
	return nil
}

// sum reads the proof of a line and the rows that it sums.
func (v *verifier) sum(l *line) (*Proof, []*row, error) {
	y, err := v.proof(l)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]*row, len(y.Rows))
	for s, id := range y.Rows {
		if rows[s] = v.rows[id]; y.Mult[s] < 0 {
			return nil, nil, v.refuted("row %d has a negative multiplier", id)
		}
	}
	return y, rows, nil
}

// split opens the child with the cell published.
func (v *verifier) split(l *line) error {
	switch {
	case l.Cell == nil:
		return v.malformed("a split without a cell")
	case v.done:
		return v.malformed("a split after the end of the tree")
	case !v.p.free[*l.Cell]:
		return v.refuted("a split on cell %s, which is not free to be withheld", v.p.t.CellName(int(*l.Cell)))
	case v.above[*l.Cell]:
		return v.malformed("a split on cell %s below a split on it", v.p.t.CellName(int(*l.Cell)))
	}
	v.above[*l.Cell] = true
	v.begun = true
	v.rep.Nodes++
	v.stack = append(v.stack, frame{*l.Cell, 0, v.k.fix(*l.Cell, 0)})
	return nil
}

// leaf checks the proof of a node without children and continues with the next.
func (v *verifier) leaf(l *line) error {
	if v.done {
		return v.malformed("a leaf after the end of the tree")
	}
	y, rows, err := v.sum(l)
	if err != nil {
		return err
	}
	v.begun = true
	v.rep.Nodes++
	switch b := v.k.bound(rows, y); {
	case b < v.target && v.rep.Unprotectable:
		return v.refuted("node %d: its multipliers do not prove that it holds no protected pattern", v.rep.Nodes)
	case b < v.target:
		return v.refuted("node %d: its multipliers prove a cost of at least %s, not %s", v.rep.Nodes,
			v.money(v.p.raw(b)), v.money(v.rep.Bound))
	}
	for len(v.stack) > 0 {
		f := &v.stack[len(v.stack)-1]
		v.k.undo(f.cell, f.v, f.old)
		if f.v == 0 {
			f.v = 1
			f.old = v.k.fix(f.cell, 1)
			return nil
		}
		v.above[f.cell] = false
		v.stack = v.stack[:len(v.stack)-1]
	}
	v.done = true
	return nil
}

func (v *verifier) money(cost int64) string {
	if cost == math.MaxInt64 {
		return "infinity"
	}
	return table.FormatDecimal(cost, v.p.t.CostDecimals)
}

// pattern reads the cells withheld in addition to the given ones.
func (v *verifier) pattern(l *line) error {
	t := v.p.t
	if v.cost == nil || v.rep.Pattern != nil {
		return v.malformed("a pattern without a cost, or a second one")
	}
	x := append([]bool(nil), v.p.given...)
	cost := int64(0)
	for _, i := range l.Cells {
		if x[i] || t.Status[i] != table.Safe || int(i) >= v.p.m {
			return v.refuted("pattern: cell %s may not be withheld besides the given ones, or occurs twice", t.CellName(int(i)))
		}
		for k := int(i); k < v.p.n; k += v.p.m {
			x[k] = true
			cost += t.Cost[k]
		}
	}
	if cost != *v.cost {
		return v.refuted("pattern: it costs %s, the certificate says %s", v.money(cost), v.money(*v.cost))
	}
	v.rep.Pattern, v.rep.Cost = x, cost
	v.show = newShower(v.p, x)
	return nil
}

// finish checks that nothing is missing.
func (v *verifier) finish() error {
	v.rep.Rows, v.rep.Duals = v.rep.Rows+len(v.rows), v.rep.Duals+len(v.duals)
	if v.shares != nil {
		if err := v.whole(); err != nil {
			return err
		}
	}
	switch {
	case !v.done && v.shares == nil:
		return v.refuted("the tree is not complete: %d nodes lack a child", max(1, len(v.stack)))
	case v.cost != nil && v.rep.Pattern == nil:
		return v.refuted("a cost, but no pattern")
	case v.rep.Pattern != nil && v.rep.Bound > v.rep.Cost:
		return v.refuted("the bound %s exceeds the cost %s", v.money(v.rep.Bound), v.money(v.rep.Cost))
	}
	if v.show == nil {
		return nil
	}
	if err := v.show.levels(); err != nil {
		return v.refuted("%v", err)
	}
	return nil
}
