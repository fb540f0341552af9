package risk

import (
	"cmp"
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Sensitive counts, besides the classes, how often each value of each sensitive attribute occurs in each class. Memory
// is proportional to the number of different pairs of class and value.
type Sensitive struct {
	Classes
	pairs []*tally // by attribute: the count of each (class, value)
	trees []*Hierarchy
	pair  [2 * batchRows]uint32
	out   [batchRows]uint32
}

// NewSensitive prepares classes by the first qi of columns; the other columns are sensitive attributes.
func NewSensitive(columns *Columns, qi int) *Sensitive {
	s := &Sensitive{Classes: *NewClasses(columns, qi)}
	for range len(columns.names) - qi {
		s.pairs = append(s.pairs, newTally(2))
	}
	return s
}

// AddBatch adds records that a Scanner has read.
func (s *Sensitive) AddBatch(b *Batch) error {
	if err := s.Classes.addRows(b); err != nil {
		return err
	}
	for a, t := range s.pairs {
		for r := range b.N {
			s.pair[2*r], s.pair[2*r+1] = b.groups[r], b.IDs[r*b.width+s.t.w+a]
		}
		t.addRows(s.pair[:], 2, b.N, s.out[:])
		if t.n >= maxGroups {
			return i18n.Errorf("more than 2^31 pairs of class and value of %s", s.columns.names[s.t.w+a])
		}
	}
	return nil
}

// Add adds n equal records with these values of all columns.
func (s *Sensitive) Add(n uint64, values ...string) error {
	ids, err := s.number(values)
	if err != nil || n == 0 {
		return err
	}
	g, err := s.addN(ids[:s.t.w], n)
	if err != nil {
		return err
	}
	for a, t := range s.pairs {
		t.add([]uint32{g, ids[s.t.w+a]}, n)
	}
	return s.fits()
}

// Merge adds what o has counted.
func (s *Sensitive) Merge(o *Sensitive) error {
	to, err := s.merge(&o.Classes)
	if err != nil {
		return err
	}
	translate := s.columns.translator(o.columns)
	for a, t := range o.pairs {
		for p := range t.n {
			x := t.tuple(p)
			s.pairs[a].add([]uint32{to[x[0]], translate(s.t.w+a, x[1])}, t.count(p))
		}
	}
	return nil
}

// A valueCount is a value and how often it occurs in a class.
type valueCount struct {
	id uint32
	n  uint64
}

// byClass calls f for every class with records in keep, with the counts of attribute a there, except for the values in
// ignore; f must not retain them.
func (s *Sensitive) byClass(a int, keep []uint64, ignore []uint32, f func(g int, counts []valueCount)) {
	t := s.pairs[a]
	from, order := t.byFirst(s.t.n)
	var counts []valueCount
	for g := range s.t.n {
		if keep[g] == 0 {
			continue
		}
		counts = counts[:0]
		for _, p := range order[from[g]:from[g+1]] {
			if id := t.tuple(int(p))[1]; !slices.Contains(ignore, id) {
				counts = append(counts, valueCount{id, t.count(int(p))})
			}
		}
		f(g, counts)
	}
}

// eachClass is byClass or, with missing values as wildcards, byCompatible; only the latter can fail.
func (s *Sensitive) eachClass(ctx context.Context, a int, m Missing, keep []uint64, ignore []uint32, f func(g int, counts []valueCount)) error {
	if m.Mode == Wildcard {
		return s.byCompatible(ctx, a, s.patterns(m.Markers), ignore, f)
	}
	s.byClass(a, keep, ignore, f)
	return nil
}

// without counts the records in keep whose value of attribute a is in ignore.
func (s *Sensitive) without(a int, keep []uint64, ignore []uint32) (n uint64) {
	if len(ignore) == 0 {
		return 0
	}
	t := s.pairs[a]
	for p := range t.n {
		if x := t.tuple(p); keep[x[0]] > 0 && slices.Contains(ignore, x[1]) {
			n += t.count(p)
		}
	}
	return n
}

// descending sorts counts, largest first.
func descending(c []valueCount) {
	slices.SortFunc(c, func(a, b valueCount) int { return cmp.Compare(b.n, a.n) })
}
