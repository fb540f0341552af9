package risk

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// Accumulators are serialised as a mark, the columns with the values that occur in ascending order, the classes in
// order of their values with their counts, and the data specific to the kind. Equal contents give equal bytes. Numbers
// are varints.
const encodeMark = "hitoku risk 1 "

// encoder writes an accumulator.
type encoder struct {
	b     []byte
	c     *Classes
	rank  []map[uint32]uint64 // by column: the rank of each value
	place []uint64            // position of each class
}

func (e *encoder) uint(x uint64) { e.b = binary.AppendUvarint(e.b, x) }

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

// newEncoder writes columns and classes. values must call found with every value of the columns that are not
// quasi-identifiers.
func newEncoder(kind string, c *Classes, values func(found func(column int, id uint32))) *encoder {
	e := &encoder{c: c, b: []byte(encodeMark + kind)}
	e.uint(uint64(len(c.columns.names)))
	e.uint(uint64(c.t.w))
	used := sets.List(len(c.columns.names), func(_ int) map[uint32]uint64 { return map[uint32]uint64{} })
	for g := range c.t.n {
		for k, id := range c.t.tuple(g) {
			used[k][id] = 0
		}
	}
	values(func(column int, id uint32) { used[column][id] = 0 })
	for k, m := range used {
		type value struct {
			s  string
			id uint32
		}
		var list []value
		for id := range m {
			list = append(list, value{c.columns.Value(k, id), id})
		}
		slices.SortFunc(list, func(a, b value) int { return cmp.Compare(a.s, b.s) })
		e.text(c.columns.names[k])
		e.uint(uint64(len(list)))
		for i, v := range list {
			m[v.id] = uint64(i)
			e.text(v.s)
		}
	}
	e.rank = used
	order := sets.List(c.t.n, func(g int) uint32 { return uint32(g) })
	slices.SortFunc(order, func(a, b uint32) int {
		x, y := c.t.tuple(int(a)), c.t.tuple(int(b))
		for k := range x {
			if d := cmp.Compare(used[k][x[k]], used[k][y[k]]); d != 0 {
				return d
			}
		}
		return 0
	})
	e.place = make([]uint64, c.t.n)
	e.uint(uint64(c.t.n))
	for i, g := range order {
		e.place[g] = uint64(i)
		for k, id := range c.t.tuple(int(g)) {
			e.uint(used[k][id])
		}
		e.uint(c.t.count(int(g)))
	}
	return e
}

// pairs writes a tally of pairs; number returns the two numbers of a pair.
func (e *encoder) pairs(t *tally, number func(x []uint32) [2]uint64) {
	type pair struct {
		x [2]uint64
		n uint64
	}
	list := sets.List(t.n, func(p int) pair { return pair{number(t.tuple(p)), t.count(p)} })
	slices.SortFunc(list, func(a, b pair) int { return cmp.Or(cmp.Compare(a.x[0], b.x[0]), cmp.Compare(a.x[1], b.x[1])) })
	e.uint(uint64(len(list)))
	for _, p := range list {
		e.uint(p.x[0])
		e.uint(p.x[1])
		e.uint(p.n)
	}
}

// MarshalBinary encodes the classes.
func (c *Classes) MarshalBinary() ([]byte, error) {
	return newEncoder("classes", c, func(func(int, uint32)) {}).b, nil
}

// MarshalBinary encodes the counts.
func (s *Sensitive) MarshalBinary() ([]byte, error) {
	e := newEncoder("sensitive", &s.Classes, func(found func(int, uint32)) {
		for a, t := range s.pairs {
			for p := range t.n {
				found(s.t.w+a, t.tuple(p)[1])
			}
		}
	})
	for a, t := range s.pairs {
		e.pairs(t, func(x []uint32) [2]uint64 { return [2]uint64{e.place[x[0]], e.rank[s.t.w+a][x[1]]} })
	}
	return e.b, nil
}

// MarshalBinary encodes the counts.
func (e *Entities) MarshalBinary() ([]byte, error) {
	x := newEncoder("entities", &e.Classes, func(found func(int, uint32)) {
		for p := range e.pairs.n {
			found(e.t.w, e.pairs.tuple(p)[0])
		}
	})
	x.pairs(e.pairs, func(t []uint32) [2]uint64 { return [2]uint64{x.rank[e.t.w][t[0]], x.place[t[1]]} })
	return x.b, nil
}

// MarshalBinary encodes the sums.
func (w *Weighted) MarshalBinary() ([]byte, error) {
	e := newEncoder("weighted", &w.Classes, func(func(int, uint32)) {})
	sum := make([]Amount, w.t.n)
	for g, p := range e.place {
		sum[p] = w.sum[g]
	}
	for _, a := range sum {
		e.uint(a.n.Hi)
		e.uint(a.n.Lo)
	}
	return e.b, nil
}

var errEncoding = i18n.New("risk: not the encoding of such an accumulator")

// A decoder reads an accumulator. After an error it returns zeros.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uint() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return x
}

// below reads a number less than n.
func (d *decoder) below(n int) int {
	x := d.uint()
	if x >= uint64(n) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(x)
}

// length reads the number of items that follow, each of at least one byte.
func (d *decoder) length() int { return d.below(len(d.b) + 1) }

func (d *decoder) text() string {
	n := d.length()
	if n > len(d.b) {
		d.bad, n = true, len(d.b)
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

// classes reads columns and classes; ids holds the numbers of values by column.
func (d *decoder) classes(kind string) (c *Classes, ids [][]uint32, err error) {
	mark := encodeMark + kind
	if len(d.b) < len(mark) || string(d.b[:len(mark)]) != mark {
		return nil, nil, errEncoding
	}
	d.b = d.b[len(mark):]
	n := d.below(maxColumns + 1)
	qi := d.below(n + 1)
	var names []string
	var values [][]string
	for range n {
		names = append(names, d.text())
		var list []string
		for range d.length() {
			list = append(list, d.text())
		}
		values = append(values, list)
	}
	if d.bad {
		return nil, nil, errEncoding
	}
	columns, err := NewColumns(names...)
	if err != nil {
		return nil, nil, err
	}
	for k, list := range values {
		x := sets.Each(list, func(v string) uint32 { return columns.id(k, v) })
		ids = append(ids, x)
	}
	c = NewClasses(columns, qi)
	tuple := make([]uint32, qi)
	for g := range d.length() {
		for k := range tuple {
			if at := d.below(len(ids[k])); !d.bad {
				tuple[k] = ids[k][at]
			}
		}
		if at := c.t.add(tuple, d.uint()); d.bad || at != g {
			return nil, nil, errEncoding
		}
	}
	return c, ids, nil
}

// end returns the error, or one about trailing data.
func (d *decoder) end() error {
	if d.bad || len(d.b) > 0 {
		return errEncoding
	}
	return nil
}

// pairs reads a tally of pairs into t; left and right translate their numbers, or, if nil, leave numbers below n as
// they are.
func (d *decoder) pairs(t *tally, left, right []uint32, n int) {
	number := func(of []uint32) uint32 {
		if of == nil {
			return uint32(d.below(n))
		}
		if at := d.below(len(of)); !d.bad {
			return of[at]
		}
		return 0
	}
	for range d.length() {
		x := []uint32{number(left), number(right)}
		if count := d.uint(); !d.bad {
			t.add(x, count)
		}
	}
}

// UnmarshalBinary replaces the classes and their Columns by those encoded by MarshalBinary.
func (c *Classes) UnmarshalBinary(b []byte) error {
	d := &decoder{b: b}
	x, _, err := d.classes("classes")
	if err != nil {
		return err
	}
	if err := d.end(); err != nil {
		return err
	}
	*c = *x
	return nil
}

// UnmarshalBinary replaces the counts and their Columns by those encoded by MarshalBinary.
func (s *Sensitive) UnmarshalBinary(b []byte) error {
	d := &decoder{b: b}
	c, ids, err := d.classes("sensitive")
	if err != nil {
		return err
	}
	x := NewSensitive(c.columns, c.t.w)
	x.Classes = *c
	for a, t := range x.pairs {
		d.pairs(t, nil, notNil(ids[c.t.w+a]), c.t.n)
	}
	if err := d.end(); err != nil {
		return err
	}
	*s = *x
	return nil
}

// UnmarshalBinary replaces the counts and their Columns by those encoded by MarshalBinary.
func (e *Entities) UnmarshalBinary(b []byte) error {
	d := &decoder{b: b}
	c, ids, err := d.classes("entities")
	if err != nil {
		return err
	}
	if len(c.columns.names) != c.t.w+1 {
		return errEncoding
	}
	x := NewEntities(c.columns)
	x.Classes = *c
	d.pairs(x.pairs, notNil(ids[c.t.w]), nil, c.t.n)
	if err := d.end(); err != nil {
		return err
	}
	*e = *x
	return nil
}

// UnmarshalBinary replaces the sums and their Columns by those encoded by MarshalBinary.
func (w *Weighted) UnmarshalBinary(b []byte) error {
	d := &decoder{b: b}
	c, _, err := d.classes("weighted")
	if err != nil {
		return err
	}
	x := &Weighted{Classes: *c}
	for g := range c.t.n {
		if err := x.addSum(g, Amount{num.Uint128{Hi: d.uint(), Lo: d.uint()}}); err != nil {
			return i18n.Errorf("risk: %w", err)
		}
	}
	if err := d.end(); err != nil {
		return err
	}
	*w = *x
	return nil
}

func notNil(x []uint32) []uint32 {
	if x == nil {
		return []uint32{}
	}
	return x
}
