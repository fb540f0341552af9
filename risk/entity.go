package risk

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Entities measures k-anonymity by entity (エンティティ ID): besides the classes it counts how often each entity (a person
// with several records, say) has each tuple of quasi-identifiers. Memory is proportional to the number of entities and
// of their different tuples.
type Entities struct {
	Classes
	pairs *tally // (entity, class)
	pair  [2 * batchRows]uint32
	out   [batchRows]uint32
}

// NewEntities prepares entities: the last of columns is the entity's id, the others are quasi-identifiers.
func NewEntities(columns *Columns) *Entities {
	return &Entities{Classes: *NewClasses(columns, len(columns.names)-1), pairs: newTally(2)}
}

// AddBatch adds records that a Scanner has read.
func (e *Entities) AddBatch(b *Batch) error {
	if err := e.Classes.addRows(b); err != nil {
		return err
	}
	for r := range b.N {
		e.pair[2*r], e.pair[2*r+1] = b.IDs[r*b.width+e.t.w], b.groups[r]
	}
	e.pairs.addRows(e.pair[:], 2, b.N, e.out[:])
	if e.pairs.n >= maxGroups {
		return i18n.New("more than 2^31 pairs of entity and class")
	}
	return nil
}

// Add adds n equal records with these quasi-identifiers, followed by the id of their entity.
func (e *Entities) Add(n uint64, values ...string) error {
	ids, err := e.number(values)
	if err != nil || n == 0 {
		return err
	}
	g, err := e.addN(ids[:e.t.w], n)
	if err != nil {
		return err
	}
	e.pairs.add([]uint32{ids[e.t.w], g}, n)
	return e.fits()
}

// Merge adds what o has counted.
func (e *Entities) Merge(o *Entities) error {
	to, err := e.merge(&o.Classes)
	if err != nil {
		return err
	}
	translate := e.columns.translator(o.columns)
	for p := range o.pairs.n {
		x := o.pairs.tuple(p)
		e.pairs.add([]uint32{translate(e.t.w, x[0]), to[x[1]]}, o.pairs.count(p))
	}
	return nil
}

// EntityAnonymity is the result of Entities.KAnonymity: entities that have the same tuples equally often, in whatever
// order, form a class, and k is the smallest number of entities in a class. K is 0 without entities.
//
// With missing values as wildcards, k is the smallest number of entities compatible with one, itself included; two
// entities are compatible if their records can be paired so that all pairs are. Histogram then counts these numbers,
// and Classes different multisets of tuples.
type EntityAnonymity struct {
	Records  uint64 // number of records counted: all but Excluded
	Excluded uint64 // left out because of a missing quasi-identifier
	Entities uint64
	// WithoutID is the number of records without an entity's id; each counts as an entity.
	WithoutID   uint64
	WithMissing uint64
	AllMissing  uint64
	Classes     uint64
	K, MaxClass uint64
	Uniques     uint64    // entities alone in their class
	Histogram   Histogram // Records counts entities
	// RowK is k of the records regardless of entities; LeastPerTuple is the smallest number of different entities that
	// share a tuple.
	RowK, LeastPerTuple uint64
	Worst               []EntityClass

	entity, class []uint32 // entities in ascending order, and the class of each
	sizes         []uint64 // number of entities in each class
}

// An EntityClass is a class of entities with their tuples.
type EntityClass struct {
	Tuples   [][]string
	Times    []uint64 // how often each tuple occurs
	Entities uint64   // number of entities in the class or, with wildcards, compatible with it
}

// A multiset is the tuples of an entity: pairs of class and multiplicity, ordered by class.
type multiset []valueCount

// hash is the same for equal multisets.
func (s multiset) hash() uint32 {
	h := uint32(len(s))
	for _, x := range s {
		h = hashTuple([]uint32{h, x.id, uint32(x.n), uint32(x.n >> 32)})
	}
	return h
}

// multisets numbers different multisets, which are stored one after another.
type multisets struct {
	slot []uint64 // hash<<32 | number+1, 0 empty
	all  multiset
	end  []int
}

func (m *multisets) at(k int) multiset {
	from := 0
	if k > 0 {
		from = m.end[k-1]
	}
	return m.all[from:m.end[k]]
}

func (m *multisets) add(s multiset) uint32 {
	if 2*len(m.end) >= len(m.slot) {
		m.slot = rehash(m.slot, max(64, 2*len(m.slot)))
	}
	h := s.hash()
	mask := uint32(len(m.slot) - 1)
	for i := h & mask; m.slot[i] != 0; i = (i + 1) & mask {
		if k := uint32(m.slot[i]) - 1; uint32(m.slot[i]>>32) == h && slices.Equal(m.at(int(k)), s) {
			return k
		}
	}
	m.all = append(m.all, s...)
	m.end = append(m.end, len(m.all))
	place(m.slot, h, uint32(len(m.end)))
	return uint32(len(m.end) - 1)
}

// KAnonymity measures k-anonymity of entities and lists the n worst classes. Multisets are compared in full, not only
// by hash. Cost: sorting the pairs of entity and tuple; with wildcards also the pairs of multisets that share a
// compatible record, which may take long. If ctx ends, it returns an error that wraps ctx.Err().
func (e *Entities) KAnonymity(ctx context.Context, m Missing, n int) (*EntityAnonymity, error) {
	keep, missing, err := e.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	r := &EntityAnonymity{Excluded: missing.excluded, WithMissing: missing.records, AllMissing: missing.all}
	noID := e.columns.ids(e.t.w, m.Markers)
	for g, f := range keep {
		if f > 0 {
			r.Records += e.t.count(g)
		}
		if f > 0 && (r.RowK == 0 || f < r.RowK) {
			r.RowK = f
		}
	}
	var sets multisets
	add := func(s multiset, entities uint64) uint32 {
		k := sets.add(s)
		if int(k) == len(r.sizes) {
			r.sizes = append(r.sizes, 0)
		}
		r.sizes[k] += entities
		r.Entities += entities
		return k
	}
	perTuple, withoutID := e.byEntity(keep, noID, func(entity uint32, s multiset, entities uint64, named bool) {
		if k := add(s, entities); named {
			r.entity, r.class = append(r.entity, entity), append(r.class, k)
		}
	})
	r.WithoutID = withoutID
	for g, k := range perTuple {
		if keep[g] > 0 && (r.LeastPerTuple == 0 || k < r.LeastPerTuple) {
			r.LeastPerTuple = k
		}
	}
	have := r.sizes
	if m.Mode == Wildcard {
		if r.sizes, r.LeastPerTuple, err = e.compatibleSets(ctx, e.patterns(m.Markers), &sets, have); err != nil {
			return nil, err
		}
	}
	sizes, entities := map[uint64]uint64{}, map[uint64]uint64{}
	for k, s := range r.sizes {
		sizes[s]++
		entities[s] += have[k]
	}
	r.Classes = uint64(len(r.sizes))
	r.Histogram = histogram(sizes)
	for i, s := range r.Histogram {
		r.Histogram[i].Records = entities[s.Size]
	}
	r.Uniques = entities[1]
	if len(r.sizes) > 0 {
		r.K, r.MaxClass = r.Histogram[0].Size, r.Histogram[len(r.Histogram)-1].Size
	}
	if n > 0 { // sort by value from here on, as numbers depend on the order of records
		for k := range r.sizes {
			slices.SortFunc(sets.at(k), func(a, b valueCount) int { return e.compareTuples(int(a.id), int(b.id)) })
		}
	}
	for _, k := range worst(n, len(r.sizes), nil, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.sizes[a], r.sizes[b]), slices.CompareFunc(sets.at(a), sets.at(b), func(x, y valueCount) int {
			return cmp.Or(e.compareTuples(int(x.id), int(y.id)), cmp.Compare(x.n, y.n))
		}))
	}) {
		c := EntityClass{Entities: r.sizes[k]}
		for _, x := range sets.at(k) {
			c.Tuples = append(c.Tuples, e.Tuple(int(x.id)))
			c.Times = append(c.Times, x.n)
		}
		r.Worst = append(r.Worst, c)
	}
	return r, nil
}

// byEntity calls set for every entity with records in keep, in ascending order, with its multiset ordered by class,
// which set must not retain. Equal records without id count as that many entities, which are not named. It returns the
// number of entities of each class and of records without id.
func (e *Entities) byEntity(keep []uint64, noID []uint32, set func(entity uint32, s multiset, entities uint64, named bool)) (perTuple []uint64, withoutID uint64) {
	// The pairs to count are sorted by entity and then class: a counting sort by entity, whose numbers are nearly
	// dense, then short sorts within each.
	perTuple = make([]uint64, e.t.n)
	var from []uint32
	for p := range e.pairs.n {
		x := e.pairs.tuple(p)
		if keep[x[1]] == 0 {
			continue
		}
		if slices.Contains(noID, x[0]) {
			withoutID += e.pairs.count(p)
			perTuple[x[1]] += e.pairs.count(p)
		} else {
			perTuple[x[1]]++
		}
		if n := int(x[0]) + 2; n > len(from) {
			from = append(from, make([]uint32, max(n-len(from), len(from)/4))...)
		}
		from[x[0]+1]++
	}
	for k := 1; k < len(from); k++ {
		from[k] += from[k-1]
	}
	var order []uint32
	if len(from) > 0 {
		order = make([]uint32, from[len(from)-1])
	}
	for p := range e.pairs.n {
		if x := e.pairs.tuple(p); keep[x[1]] > 0 {
			order[from[x[0]]] = uint32(p)
			from[x[0]]++ // in the end, where this entity's pairs end
		}
	}
	var scratch multiset
	for entity, at := uint32(0), uint32(0); int(at) < len(order); entity++ {
		scratch = scratch[:0]
		for ; at < from[entity]; at++ {
			scratch = append(scratch, valueCount{e.pairs.tuple(int(order[at]))[1], e.pairs.count(int(order[at]))})
		}
		if len(scratch) == 0 {
			continue
		}
		slices.SortFunc(scratch, func(a, b valueCount) int { return cmp.Compare(a.id, b.id) })
		if slices.Contains(noID, entity) {
			for _, x := range scratch {
				set(entity, multiset{{x.id, 1}}, x.n, false)
			}
			continue
		}
		set(entity, scratch, 1, true)
	}
	return perTuple, withoutID
}

// Sets returns what KAnonymity of entities is computed from, for entities that were divided (Split): sets counts
// entities by a text that encodes their multiset of tuples, shared counts the entities of each tuple; withoutID is the
// number of records without id. Both Classes can be divided again by their values, and merged. Then k is that of sets,
// and LeastPerTuple that of shared.
func (e *Entities) Sets(ctx context.Context, m Missing) (sets, shared *Classes, withoutID uint64, err error) {
	if err := m.check(Own, Drop); err != nil {
		return nil, nil, 0, err
	}
	keep, _, err := e.frequencies(ctx, m)
	if err != nil {
		return nil, nil, 0, err
	}
	c, err := NewColumns("records")
	if err != nil {
		return nil, nil, 0, err
	}
	sets, shared = NewClasses(c, 1), NewClasses(e.columns, e.t.w)
	var text []byte
	var byValue multiset
	perTuple, withoutID := e.byEntity(keep, e.columns.ids(e.t.w, m.Markers), func(_ uint32, s multiset, entities uint64, _ bool) {
		byValue = append(byValue[:0], s...)
		slices.SortFunc(byValue, func(a, b valueCount) int { return e.compareTuples(int(a.id), int(b.id)) })
		text = text[:0]
		for _, x := range byValue {
			text = append(strconv.AppendUint(text, x.n, 10), '*')
			for k, id := range e.t.tuple(int(x.id)) {
				v := e.columns.Value(k, id)
				text = append(append(strconv.AppendUint(text, uint64(len(v)), 10), ':'), v...)
			}
		}
		sets.t.add([]uint32{c.dicts[0].id(text)}, entities)
	})
	for g, n := range perTuple {
		if n > 0 {
			shared.t.add(e.t.tuple(g), n)
		}
	}
	if err := c.fits(); err != nil {
		return nil, nil, 0, err
	}
	return sets, shared, withoutID, sets.fits()
}
