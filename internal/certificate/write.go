package certificate

import (
	"crypto/sha256"
	"io"
)

// A writer writes lines and numbers duals and rows in order of first use.
type writer struct {
	w     io.Writer
	lines int
	duals map[[sha256.Size]byte]int32
	rows  map[Rule]int32
	err   error
}

func (w *writer) put(l line) {
	if w.err != nil {
		return
	}
	text, err := l.bytes()
	if err == nil {
		_, err = w.w.Write(text)
	}
	w.err = err
	w.lines++
}

// dual returns the number of d, writing it at its first use.
func (w *writer) dual(d *Dual) *int32 {
	if d == nil {
		return nil
	}
	l := line{Is: "dual", Cell: &d.Cell, Den: d.Den, Relations: d.Rel, Num: d.Mult}
	text, err := l.bytes()
	if err != nil {
		w.err = err
		return nil
	}
	key := sha256.Sum256(text)
	id, known := w.duals[key]
	if !known {
		id = int32(len(w.duals))
		w.duals[key] = id
		w.put(l)
	}
	return &id
}

// row returns the number of the row of rule, writing it at its first use.
func (w *writer) row(rule Rule) int32 {
	if id, known := w.rows[rule]; known {
		return id
	}
	l := rule.write(w)
	id := int32(len(w.rows))
	w.rows[rule] = id
	w.put(l)
	return id
}

// proof writes a proof as a line of kind is.
func (w *writer) proof(is string, r *Recorder, y *Proof) {
	l := line{Is: is, Scale: y.Scale, Ray: y.Ray, Mult: y.Mult, Of: make([]int32, len(y.Rows))}
	for s, id := range y.Rows {
		l.Of[s] = w.row(r.rules[id])
	}
	w.put(l)
}

func newWriter(out io.Writer) *writer {
	return &writer{w: out, duals: map[[sha256.Size]byte]int32{}, rows: map[Rule]int32{}}
}

// raw copies lines that are already written.
func (w *writer) raw(text []byte, lines int) {
	if w.err == nil {
		_, w.err = w.w.Write(text)
		w.lines += lines
	}
}

// bound writes the proof of the bound of c by its tree.
func (w *writer) bound(c *Certificate) {
	for _, y := range c.rec.fixes {
		w.proof("fix", c.rec, y)
	}
	c.node(w, c.rec.Root)
}

// Write writes the certificate as JSON Lines. Equal certificates give equal bytes.
func (c *Certificate) Write(out io.Writer) error {
	w := newWriter(out)
	r := c.rec
	head := line{Is: "certificate", Version: version, Digest: digest(r.t), Bound: &c.Bound}
	if c.impossible {
		head.Bound, head.Unprotectable = nil, true
	}
	if c.pattern != nil {
		cost := int64(0)
		for i, in := range c.pattern {
			if in && !r.b.p.given[i] {
				cost += r.t.Cost[i]
			}
		}
		head.Cost = &cost
	}
	w.put(head)
	if c.parts == nil {
		w.bound(c)
	}
	for _, p := range c.parts {
		w.put(line{Is: "part", Bound: &p.Bound, Relations: p.relations, Num: p.cost})
		w.raw(p.text, p.lines)
	}
	if c.pattern != nil {
		l := line{Is: "pattern"}
		for i, in := range c.pattern[:r.b.p.m] {
			if in && !r.b.p.given[i] {
				l.Cells = append(l.Cells, int32(i))
			}
		}
		w.put(l)
		for _, z := range c.witnesses {
			w.put(line{Is: "witness", Den: z.Den, Cells: z.Cells, Num: z.Num, Long: z.Long})
		}
	}
	w.put(line{Is: "end", Lines: w.lines + 1})
	return w.err
}

// node writes the tree below n, a node before its children, the published side first. A node whose own proof
// suffices is written without its children.
func (c *Certificate) node(w *writer, n *Node) {
	switch {
	case c.impossible:
		w.proof("leaf", c.rec, n.proof)
	case c.Bound <= 0:
		w.put(line{Is: "leaf"})
	case n.kids[0] == nil || n.proof != nil && n.bound >= c.Bound:
		w.proof("leaf", c.rec, n.proof)
	default:
		w.put(line{Is: "split", Cell: &n.cell})
		c.node(w, n.kids[0])
		c.node(w, n.kids[1])
	}
}
