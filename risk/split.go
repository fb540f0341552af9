package risk

import (
	"hash/fnv"
	"math/bits"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A partition assigns tuples to n parts by a hash of their values which, unlike their numbers, is the same in every
// process.
type partition struct {
	columns *Columns
	n       int
	hash    []map[uint32]uint64 // by column: the hash of each value
}

func newPartition(c *Columns, n int) (*partition, error) {
	if n < 1 {
		return nil, i18n.New("risk: no parts, want at least one")
	}
	p := &partition{columns: c, n: n}
	for range c.names {
		p.hash = append(p.hash, map[uint32]uint64{})
	}
	return p, nil
}

// value hashes a value of a column.
func (p *partition) value(column int, id uint32) uint64 {
	h, ok := p.hash[column][id]
	if !ok {
		f := fnv.New64a()
		f.Write([]byte(p.columns.Value(column, id)))
		h = f.Sum64()
		p.hash[column][id] = h
	}
	return h
}

// part returns the part for the values of columns first, first+1, ….
func (p *partition) part(first int, ids []uint32) int {
	h := uint64(len(ids))
	for k, id := range ids {
		hi, lo := bits.Mul64(h^p.value(first+k, id), 0x9e3779b97f4a7c15)
		h = hi ^ lo
	}
	hi, _ := bits.Mul64(h, uint64(p.n))
	return int(hi)
}

// Split divides the classes into n parts by their values: in every process, equal tuples go to the part with the same
// number. Parts without classes are nil. Results measured in each part separately can be merged (KAnonymity.Merge).
func (c *Classes) Split(n int) ([]*Classes, error) {
	p, err := newPartition(c.columns, n)
	if err != nil {
		return nil, err
	}
	parts := make([]*Classes, n)
	for g := range c.t.n {
		k := p.part(0, c.t.tuple(g))
		if parts[k] == nil {
			parts[k] = NewClasses(c.columns, c.t.w)
		}
		parts[k].t.add(c.t.tuple(g), c.t.count(g))
	}
	return parts, nil
}

// Split divides the classes, and the values in them, as Classes.Split does.
func (s *Sensitive) Split(n int) ([]*Sensitive, error) {
	p, err := newPartition(s.columns, n)
	if err != nil {
		return nil, err
	}
	parts := make([]*Sensitive, n)
	part, to := make([]int, s.t.n), make([]uint32, s.t.n)
	for g := range s.t.n {
		k := p.part(0, s.t.tuple(g))
		if parts[k] == nil {
			parts[k] = NewSensitive(s.columns, s.t.w)
		}
		part[g], to[g] = k, uint32(parts[k].t.add(s.t.tuple(g), s.t.count(g)))
	}
	for a, t := range s.pairs {
		for i := range t.n {
			x := t.tuple(i)
			parts[part[x[0]]].pairs[a].add([]uint32{to[x[0]], x[1]}, t.count(i))
		}
	}
	return parts, nil
}

// Split divides the entities into n parts by their ids, as Classes.Split does with classes: a part has all records of
// its entities.
func (e *Entities) Split(n int) ([]*Entities, error) {
	p, err := newPartition(e.columns, n)
	if err != nil {
		return nil, err
	}
	parts := make([]*Entities, n)
	for i := range e.pairs.n {
		x, count := e.pairs.tuple(i), e.pairs.count(i)
		k := p.part(e.t.w, x[:1])
		if parts[k] == nil {
			parts[k] = NewEntities(e.columns)
		}
		g := parts[k].t.add(e.t.tuple(int(x[1])), count)
		parts[k].pairs.add([]uint32{x[0], uint32(g)}, count)
	}
	return parts, nil
}
