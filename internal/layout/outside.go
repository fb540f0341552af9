package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// outside asks about codes that are in no sum, or are memo items of unknown parts, but whose numbers are the sum
// of others or part of such a sum. Where too few numbers support a sum it is not taken, but a reader may know
// better, and cells withheld in these codes would be protected only by their bounds.
func (d *draft) outside(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if f == nil || !d.unfound(dim) || d.large {
			continue
		}
		m := d.matrix(k)
		if m == nil {
			continue
		}
		keep := func(all []Relation) {
			for _, r := range all {
				r.Dim = k
				if !slices.ContainsFunc(f.more, func(x Relation) bool { return x.Total == r.Total && slices.Equal(x.Parts, r.Parts) }) {
					f.more = append(f.more, r)
				}
			}
		}
		total, parts, also := f.outside(dim, m)
		keep(also)
		keep(f.besides(dim, m))
		keep(f.equal(dim, m))
		all := f.differences(dim, m)
		keep(all)
		f.additive = f.additive || len(all) > 0
		f.apart(dim, m, keep)
		if total < 0 || f.complete(dim, m, total, parts, keep) {
			continue
		}
		names := sets.Each(parts, func(p int) string { return dim.items[p].key() })
		t.doubts = append(t.doubts, doubt{dim.name, Ambiguity{
			Question: i18n.T("%s: %s may be the sum of %s, which is not in the tree that was found", dim.name, dim.items[total].key(), formats.ShowList(names)),
			Readings: []i18n.Text{i18n.T("it is, or the tree is another one"), i18n.T("nothing there adds up")},
			Options:  []string{"parents in the layout of --save-layout, read by --layout", "--no-total " + quoteName(dim.name)},
		}})
	}
}

// complete reports whether every code is in a sum once the sums that f.outside finds, beginning with the given
// one, are kept beside the tree. If so, they stay there.
func (f *forest) complete(dim *draftDim, m *matrix, total int, parts []int, keep func([]Relation)) bool {
	kept := f.more
	additive := f.additive
	f.additive = true
	for n := 0; total >= 0 && n < len(f.parent); n++ {
		c := m.check(total, parts, f.allowed(len(parts)))
		before := len(f.more)
		if keep([]Relation{dim.relation(total, parts, c)}); c.unknown > 0 || len(f.more) == before {
			break
		}
		var also []Relation
		total, parts, also = f.outside(dim, m)
		keep(also)
	}
	alone := f.alone(dim)
	for i := range dim.items {
		if total >= 0 || alone(i) && !m.isNull(i) {
			f.more, f.additive = kept, additive
			return false
		}
	}
	return true
}

// differences returns the sums of a code that is in no other sum and another code, wherever it stands, like the
// balance of two codes. They are kept beside the tree on any evidence, since a table with one sum too many is
// protected all the same.
func (f *forest) differences(dim *draftDim, m *matrix) (all []Relation) {
	n, work := len(f.parent), maxOutside
	for i := range n {
		if f.parent[i] >= 0 && !f.memo[i] || slices.Contains(f.parent, i) || len(f.equals[i]) > 0 || m.known(i) < 2 {
			continue
		}
		below := slices.ContainsFunc(m.value[i*m.w:(i+1)*m.w], func(v int64) bool { return v < 0 })
		if !below && !f.additive {
			continue
		}
		for x := range n {
			for y := range n {
				if work -= m.w; work < 0 || x == y || x == i || y == i || m.isNull(y) {
					continue
				}
				parts := []int{min(y, i), max(y, i)}
				slack := f.allowed(2)
				if c := m.check(x, parts, slack); c.holds() && c.unknown == 0 && len(all) < n && !m.lacks(x, i) && (slack == 0 || c.bits >= evidenceOfPair+2*math.Log2(float64(n))) {
					all = append(all, dim.relation(x, parts, c))
				}
			}
		}
	}
	return all
}

// lacks reports whether row i has a number where row x has no cell: a sum of which x is the total says nothing there.
func (m *matrix) lacks(x, i int) bool {
	for j := range m.w {
		if m.state[x*m.w+j] == stateAbsent && m.state[i*m.w+j] == stateKnown {
			return true
		}
	}
	return false
}

// equal returns the sums of a code and one that is 0 everywhere, where two codes are equal everywhere: the zeros
// may be their balance.
func (f *forest) equal(dim *draftDim, m *matrix) (all []Relation) {
	n, work := len(f.parent), maxOutside
	for i := range n {
		if !f.additive || !m.isNull(i) || m.hides(i) || slices.Contains(f.parent, i) {
			continue
		}
		for x := range n {
			for y := range x {
				if work -= m.w; work < 0 || len(all) == n {
					return all
				}
				if x == i || y == i || m.known(x) < 2 || f.parent[x] == y || f.parent[y] == x {
					continue
				}
				parts := []int{min(y, i), max(y, i)}
				if c := m.check(x, parts, 0); c.holds() && c.unknown == 0 && c.exact > 1 {
					all = append(all, dim.relation(x, parts, c))
				}
			}
		}
	}
	return all
}

// leastBits is the evidence, in bits, needed for a sum of codes in a dimension without any other sum. chanceBits
// is how much less evidence is needed for a sum far from its parts than is used up by choosing its total and
// first part.
const (
	leastBits  = 6
	chanceBits = 4
)

// maxOutside bounds the numbers looked at in the search for such sums. nearOutside is how far before their total
// parts may begin if there are too many codes to try all.
const (
	maxOutside  = 1 << 26
	nearOutside = 64
)

// outside returns a sum of neighbouring codes that the numbers of m allow and the forest lacks although one of
// its codes is in no other sum; total is −1 if there is none. also has sums of which only some codes are in no
// other sum, or that stand next to their total: nobody need say whether they are meant or coincidental, since a
// table with one sum too many is protected all the same.
func (f *forest) outside(dim *draftDim, m *matrix) (total int, parts []int, also []Relation) {
	n := len(f.parent)
	leaf, out := slices.Repeat([]bool{true}, n), make([]bool, n)
	told, more := make([]bool, n), map[string]bool{} // in another sum, by index and by code
	for i, p := range f.parent {
		if p >= 0 {
			leaf[p] = false
		}
		told[i] = told[i] || len(f.equals[i]) > 0
		for _, part := range f.equals[i] {
			told[part] = true
		}
	}
	for _, r := range f.more {
		for _, code := range r.Parts {
			more[code] = true
		}
	}
	some, zeros := false, false // the place of a row of zeros in the tree depends only on where it stands
	for i := range out {
		zeros = zeros || m.isNull(i)
		out[i] = leaf[i] && !told[i] && !more[dim.items[i].key()] && !m.isNull(i) && (f.memo[i] || f.parent[i] < 0)
		some = some || out[i]
	}
	if !some {
		return -1, nil, nil
	}
	least := 0.0
	if !f.additive {
		least = leastBits
		if f.amid(m) {
			return -1, nil, nil
		}
	}
	work := maxOutside
	for i := range n {
		if !leaf[i] || m.isNull(i) {
			continue
		}
		first, last := 0, n
		if n*n > maxOutside/max(1, m.w) { // parts stand near their total
			first, last = max(0, i-nearOutside), min(n, i+2)
		}
		for from := first; from < last && work > 0; from++ {
			s := newSum(m)
			parts, all, some := []int(nil), true, out[i] // all: all parts are in no other sum
			for p := from; p < n && p != i; p++ {
				if m.isNull(p) {
					if p == from {
						break
					}
					continue
				}
				s.add(p)
				work -= m.w
				parts, all, some = append(parts, p), all && out[p], some || out[p]
				slack := f.allowed(len(parts))
				if s.exceeds(i, slack) {
					break
				}
				if len(parts) == 1 && (!out[i] || m.known(i) < 2 || !f.additive) {
					continue
				}
				c := s.against(i, slack)
				if slack > 0 {
					least = leastBits
				}
				need := least
				// far from its total, where sums of many codes are often coincidental
				if need > 0 && parts[0] != i+1 && lastOf(parts) != i-1 {
					need = max(need, 2*math.Log2(float64(n))-chanceBits)
				}
				switch {
				case !some || c.bad > 0 || c.exact+c.near == 0 || c.bits <= need:
				case (all || out[i]) && f.additive && len(parts) > 1 && !zeros && (parts[0] == i+1 || lastOf(parts) == i-1): // kept beside the tree
					also = append(also, dim.relation(i, slices.Clone(parts), c))
					out[i] = false
					for _, p := range parts {
						out[p] = false
					}
				case out[i] && !all && f.additive && len(parts) > 1 && len(also) < n && f.behind(i) && only(out, i): // a memo item: the sum of codes that are in the tree
					also = append(also, dim.relation(i, slices.Clone(parts), c))
					out[i] = false
				case all || out[i]:
					return i, parts, also
				case len(also) < n:
					also = append(also, dim.relation(i, parts, c))
				}
			}
		}
	}
	return -1, nil, also
}

// amid makes the first code between others that is the sum of all of them their total, and reports whether there is one.
// The forest has no sums.
func (f *forest) amid(m *matrix) bool {
	n := len(f.parent)
	if n*n > maxOutside/max(1, m.w) || slices.Contains(f.memo, true) {
		return false
	}
	for i := 1; i < n-1; i++ {
		if m.isNull(i) || slices.Contains(f.parent, i) {
			continue
		}
		parts := slices.DeleteFunc(sets.Upto(n), func(p int) bool { return p == i || m.isNull(p) })
		if c := m.check(i, parts, f.allowed(len(parts))); len(parts) > 1 && c.holds() && c.unknown == 0 && c.bits > leastBits {
			for p := range n {
				f.parent[p] = i
			}
			f.parent[i], f.additive = -1, true
			return true
		}
	}
	return false
}

// only reports whether i is the only one set.
func only(set []bool, i int) bool {
	return slices.Index(set, true) == i && !slices.Contains(set[i+1:], true)
}

// behind reports whether code i stands behind all codes that are in sums.
func (f *forest) behind(i int) bool {
	for c, p := range f.parent {
		if p >= 0 && !f.memo[c] && (c > i || p > i) {
			return false
		}
	}
	return true
}

// known returns how many numbers of row i are other than 0.
func (m *matrix) known(i int) (n int) {
	for j := range m.w {
		if m.at(i, j) != 0 {
			n++
		}
	}
	return n
}

// besides returns sums of neighbouring codes that hold in addition to those of the forest. Where the numbers
// allow two trees both are kept, since a table with one sum too many is protected all the same.
func (f *forest) besides(dim *draftDim, m *matrix) (all []Relation) {
	n, work := len(f.parent), maxOutside
	if !f.additive {
		return nil
	}
	for i := range n {
		if m.isNull(i) {
			continue
		}
		for _, step := range []int{1, -1} {
			s := newSum(m)
			var parts []int
			whole := true // the parts are those in the forest
			for p := i + step; p >= 0 && p < n && len(all) < n && work > 0; p += step {
				if work -= m.w; m.isNull(p) {
					continue
				}
				s.add(p)
				parts, whole = append(parts, p), whole && f.parent[p] == i
				slack := f.allowed(len(parts))
				if s.exceeds(i, slack) {
					break
				}
				if c := s.against(i, slack); len(parts) > 1 && !whole && c.bad == 0 && c.unknown == 0 && c.exact > 0 && (slack == 0 || c.bits > leastBits) {
					all = append(all, dim.relation(i, slices.Sorted(slices.Values(parts)), c))
				}
			}
		}
	}
	return all
}
