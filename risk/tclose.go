package risk

import (
	"cmp"
	"context"
	"maps"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Distance is a distance between distributions.
type Distance string

const (
	// Equal is half the sum of absolute differences: all values are at the same distance from each other.
	Equal Distance = "equal"
	// Ordered is the earth mover's distance over the ranks of the different numeric values, with distance 1/(m−1)
	// between neighbouring ranks: Σ_i |Σ_{j≤i} (Q_j − P_j)| / (m−1), and 0 for m = 1.
	Ordered Distance = "ordered"
)

// Hierarchical sets a tree of values for attribute a, for the distance ByTree: the earth mover's distance where moving
// a record between values that first agree h steps up, of H, costs h/H. It is Σ h(v)/H · min(pos(v), neg(v)) over the
// inner nodes v, where pos and neg are the sums of the positive and negative differences of the children.
func (s *Sensitive) Hierarchical(a int, h *Hierarchy) error {
	if s.trees == nil {
		s.trees = make([]*Hierarchy, len(s.pairs))
	}
	if h.Levels() < 2 {
		return i18n.Errorf("risk: %s: a hierarchy without steps", s.columns.names[s.t.w+a])
	}
	s.trees[a] = h
	return nil
}

// ByTree is the distance of a hierarchy, set by Sensitive.Hierarchical.
const ByTree Distance = "hierarchical"

// TCloseness is the result of Sensitive.TCloseness for one attribute: the largest distance between the distribution in
// a class and that over all records counted (Li, Li and Venkatasubramanian, t-closeness: privacy beyond k-anonymity and
// l-diversity, ICDE 2007).
type TCloseness struct {
	Attribute string
	Distance  Distance
	Classes   uint64 // classes with a value
	// Values is the number of different values; under Ordered, equal numbers are one value.
	Values        uint64
	MissingValues uint64
	T             *big.Rat // nil without records
	Worst         []ClassDistance
}

// A ClassDistance is a class with the distance of an attribute in it.
type ClassDistance struct {
	Tuple    []string
	Records  uint64
	Distance float64
}

// TCloseness measures t-closeness of every sensitive attribute separately and exactly, with one distance for each
// attribute, and lists the n worst classes. Missing sensitive values are left out of both distributions, unless
// ownSensitive. With missing quasi-identifiers as wildcards, the distribution in a class is that of all records
// compatible with it, which may take long. Cost: as for LDiversity, times a search among the values under Ordered. If
// ctx ends, it returns an error that wraps ctx.Err().
func (s *Sensitive) TCloseness(ctx context.Context, m Missing, ownSensitive bool, distances []Distance, n int) ([]*TCloseness, error) {
	return s.closenessTo(ctx, s, m, ownSensitive, distances, n)
}

// TClosenessTo measures t-closeness if s is a part of the classes (Split) and whole has the same attributes over all
// records: whole is the merger of the parts' Whole.
func (s *Sensitive) TClosenessTo(ctx context.Context, whole *Sensitive, m Missing, ownSensitive bool, distances []Distance, n int) ([]*TCloseness, error) {
	if err := m.check(Own, Drop); err != nil {
		return nil, err
	}
	return s.closenessTo(ctx, whole, m, ownSensitive, distances, n)
}

func (s *Sensitive) closenessTo(ctx context.Context, whole *Sensitive, m Missing, ownSensitive bool, distances []Distance, n int) ([]*TCloseness, error) {
	keep, _, err := s.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	all := keep
	if whole != s {
		if !slices.Equal(whole.columns.names[whole.t.w:], s.columns.names[s.t.w:]) {
			return nil, errColumns
		}
		if all, _, err = whole.frequencies(ctx, m); err != nil {
			return nil, err
		}
	}
	if len(distances) != len(s.pairs) {
		return nil, i18n.Errorf("risk: %d distances, want %d", len(distances), len(s.pairs))
	}
	var out []*TCloseness
	for a, d := range distances {
		total := whole.totals(a, all, m.Markers, ownSensitive)
		if whole != s {
			here := make(map[uint32]uint64, len(total))
			for id, c := range total {
				here[s.columns.id(s.t.w+a, whole.columns.Value(whole.t.w+a, id))] = c
			}
			total = here
		}
		r, err := s.closeness(ctx, a, total, m, keep, ownSensitive, d, n)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// Whole returns how often each value of each attribute occurs over all classes that count, as the counts of a single
// class without quasi-identifiers.
func (s *Sensitive) Whole(ctx context.Context, m Missing) (*Sensitive, error) {
	if err := m.check(Own, Drop); err != nil {
		return nil, err
	}
	keep, _, err := s.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	c, err := NewColumns(s.columns.names[s.t.w:]...)
	if err != nil {
		return nil, err
	}
	w := NewSensitive(c, 0)
	records := uint64(0)
	for _, n := range keep {
		records += n
	}
	if records == 0 {
		return w, nil
	}
	g := uint32(w.t.add(nil, records))
	for a := range s.pairs {
		for id, n := range s.totals(a, keep, nil, true) {
			w.pairs[a].add([]uint32{g, c.id(a, s.columns.Value(s.t.w+a, id))}, n)
		}
	}
	return w, nil
}

// ignored returns the numbers of the values of an attribute that do not count.
func (s *Sensitive) ignored(a int, markers []string, own bool) []uint32 {
	if own {
		return nil
	}
	return s.columns.ids(s.t.w+a, markers)
}

// totals counts the values of attribute a in the classes with records in keep.
func (s *Sensitive) totals(a int, keep []uint64, markers []string, own bool) map[uint32]uint64 {
	total, ignore := map[uint32]uint64{}, s.ignored(a, markers, own)
	t := s.pairs[a]
	for p := range t.n {
		if x := t.tuple(p); keep[x[0]] > 0 && !slices.Contains(ignore, x[1]) {
			total[x[1]] += t.count(p)
		}
	}
	return total
}

// closeness measures attribute a; total is how often each value occurs in all records.
func (s *Sensitive) closeness(ctx context.Context, a int, total map[uint32]uint64, m Missing, keep []uint64, own bool, d Distance, n int) (*TCloseness, error) {
	column := s.t.w + a
	r := &TCloseness{Attribute: s.columns.names[column], Distance: d, Values: uint64(len(total))}
	switch {
	case d != Equal && d != Ordered && d != ByTree:
		return nil, i18n.Errorf("risk: distance %q, want equal, ordered or hierarchical", d)
	case d == ByTree && (s.trees == nil || s.trees[a] == nil):
		return nil, i18n.Errorf("risk: %s: no hierarchy for its distance", s.columns.names[column])
	}
	ignore := s.ignored(a, m.Markers, own)
	r.MissingValues = s.without(a, keep, ignore)
	records := uint64(0)
	for _, c := range total {
		records += c
	}
	if records == 0 {
		return r, nil
	}
	var tree *Hierarchy
	if d == ByTree {
		tree = s.trees[a]
	}
	y, err := s.columns.yardstick(column, d, tree, total)
	if err != nil {
		return nil, err
	}
	if d == Ordered {
		r.Values = uint64(len(y.below))
	}
	// Distances are numerators over n·N, or n·N·(m−1). Floating point decides which class is worst unless they are
	// close.
	distance := make([]float64, s.t.n)
	var best *big.Rat
	bestFloat := -1.0
	err = s.eachClass(ctx, a, m, keep, ignore, func(g int, counts []valueCount) {
		n := uint64(0)
		for _, c := range counts {
			n += c.n
		}
		if n == 0 {
			return
		}
		r.Classes++
		x := y.distance(counts, n)
		den := float64(n) * float64(records)
		if d != Equal {
			den *= float64(y.steps)
		}
		f := double(x) / den
		distance[g] = f
		if f < bestFloat*(1-1e-12) {
			return
		}
		q := new(big.Int).SetUint64(n)
		q.Mul(q, new(big.Int).SetUint64(records))
		q.Mul(q, new(big.Int).SetUint64(y.steps))
		if t := new(big.Rat).SetFrac(x.Big(), q); best == nil || t.Cmp(best) > 0 {
			best, bestFloat = t, f
		}
	})
	if err != nil {
		return nil, err
	}
	r.T = best
	for _, g := range worst(n, s.t.n, func(g int) bool { return keep[g] > 0 }, func(x, y int) int {
		return cmp.Or(cmp.Compare(distance[y], distance[x]), s.compareTuples(x, y))
	}) {
		r.Worst = append(r.Worst, ClassDistance{s.Tuple(g), keep[g], distance[g]})
	}
	return r, nil
}

// A yardstick measures how far the distribution of an attribute's values in a class is from that over all records.
type yardstick struct {
	d       Distance
	total   map[uint32]uint64
	records uint64 // N
	steps   uint64 // denominator of distances: m−1 ranks, the steps of a hierarchy, or 1
	byTree  *treeDistance
	rank    map[uint32]int
	below   []uint64 // C_i, the number of records of rank ≤ i
	prefix  []uint64 // sums of the C_j, j < i
}

// yardstick prepares the distance d for a column; total is how often each value occurs in all records, h the column's
// hierarchy for ByTree.
func (c *Columns) yardstick(column int, d Distance, h *Hierarchy, total map[uint32]uint64) (*yardstick, error) {
	y := &yardstick{d: d, total: total, steps: 1}
	for _, n := range total {
		y.records += n
	}
	var err error
	switch d {
	case ByTree:
		t, err := h.tree(c, column, slices.Sorted(maps.Keys(total)))
		if err != nil {
			return nil, err
		}
		if t.count[len(t.count)-1] > 1 {
			return nil, i18n.Errorf("risk: %s: the last step of the hierarchy has %d values, want one that all values come to", c.names[column], t.count[len(t.count)-1])
		}
		if y.byTree, err = newTreeDistance(t, total, y.records); err != nil {
			return nil, i18n.Errorf("risk: %s: %w", c.names[column], err)
		}
		y.steps = uint64(len(t.parent))
	case Ordered:
		y.rank, y.below, y.prefix, err = c.cumulated(column, total)
		y.steps = uint64(max(1, len(y.below)-1))
	}
	return y, err
}

// distance returns the distance of n records with these values, as an integer over n·N·steps. It may sort counts.
func (y *yardstick) distance(counts []valueCount, n uint64) (x num.Uint128) {
	switch y.d {
	case ByTree:
		return y.byTree.distance(counts, n)
	case Ordered:
		slices.SortFunc(counts, func(a, b valueCount) int { return cmp.Compare(y.rank[a.id], y.rank[b.id]) })
		return ordered(counts, y.rank, n, y.records, y.below, y.prefix)
	}
	for _, c := range counts {
		x = gap(x, num.Mul128(c.n, y.records), num.Mul128(y.total[c.id], n))
	}
	return x
}

// cumulated returns the ranks of the values of a column, the numbers C_i of records with rank at most i, and the sums
// of the C_j, j < i.
func (c *Columns) cumulated(column int, total map[uint32]uint64) (rank map[uint32]int, below, prefix []uint64, err error) {
	rank, m, err := c.ranks(column, total)
	if err != nil {
		return nil, nil, nil, err
	}
	below, prefix = make([]uint64, m), make([]uint64, m+1)
	for id, n := range total {
		below[rank[id]] += n
	}
	carry := uint64(0)
	for i := range below {
		if i > 0 {
			below[i] += below[i-1]
		}
		var over uint64
		prefix[i+1], over = bits.Add64(prefix[i], below[i], 0)
		carry |= over
	}
	// The sums in ordered are at most N·ΣC_i, as q_i ≤ C_i and n ≤ N, which fits 128 bits.
	if carry > 0 {
		return nil, nil, nil, i18n.Errorf("risk: %s: too many records and values for the ordered distance", c.names[column])
	}
	return rank, below, prefix, nil
}

// gap adds max(0, b−c) to a, a sum of at most n·N·m.
func gap(a, b, c num.Uint128) num.Uint128 {
	if !c.Less(b) {
		return a
	}
	a, _ = a.Add(b.Sub(c))
	return a
}

// ordered returns Σ_i |N·q_i − n·C_i| over the ranks i, where q_i is the number of records of the class with rank ≤ i.
// Between two ranks that occur in the class, q is constant while C grows: C crosses N·q/n at most once, where a search
// finds it, and prefix sums of C do the rest.
func ordered(counts []valueCount, rank map[uint32]int, n, records uint64, below, prefix []uint64) num.Uint128 {
	var x num.Uint128
	q := uint64(0)
	at := 0
	span := func(to int) { // ranks at … to−1, where q is constant
		if at >= to {
			return
		}
		goal := num.Mul128(records, q)
		times := func(k int) num.Uint128 {
			x, _ := goal.Mul(uint64(k))
			return x
		}
		cross := at
		for lo, hi := at, to; lo < hi; {
			mid := (lo + hi) / 2
			if !goal.Less(num.Mul128(n, below[mid])) {
				lo = mid + 1
			} else {
				hi = mid
			}
			cross = lo
		}
		x = gap(x, times(cross-at), num.Mul128(n, prefix[cross]-prefix[at]))
		x = gap(x, num.Mul128(n, prefix[to]-prefix[cross]), times(to-cross))
		at = to
	}
	for _, c := range counts {
		span(rank[c.id])
		q += c.n
	}
	span(len(below))
	return x
}

// ranks numbers the values of a column by numeric size; equal numbers share a rank. m is the number of ranks.
func (c *Columns) ranks(column int, values map[uint32]uint64) (rank map[uint32]int, m int, err error) {
	type number struct {
		id uint32
		f  float64
		s  string
	}
	var all []number
	var bad []string
	for id := range values {
		s := c.Value(column, id)
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || strings.Trim(s, "0123456789+-.eE") != "" {
			bad = append(bad, s)
			continue
		}
		all = append(all, number{id, f, s})
	}
	if len(bad) > 0 {
		return nil, 0, i18n.Errorf("risk: column %q: %q: want numbers for the ordered distance", c.names[column], slices.Min(bad))
	}
	// Numbers may differ although their doubles are equal.
	compare := func(a, b number) int {
		if d := cmp.Compare(a.f, b.f); d != 0 {
			return d
		}
		x, okX := new(big.Rat).SetString(a.s)
		y, okY := new(big.Rat).SetString(b.s)
		if !okX || !okY {
			err = i18n.New("risk: a number has too large an exponent")
			return 0
		}
		return x.Cmp(y)
	}
	slices.SortFunc(all, compare)
	rank = make(map[uint32]int, len(all))
	for i, v := range all {
		if i == 0 || compare(all[i-1], v) != 0 {
			m++
		}
		rank[v.id] = m - 1
	}
	return rank, m, err
}
