package layout

import (
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// outside asks about codes that are in no sum, or are told again without anybody's knowing of what, but whose numbers are the sum
// of others, or with others make up one: where few numbers speak for a sum it is not taken, and a reader may know better. Cells
// withheld in them would be protected by nothing but their bounds.
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

// complete reports whether every code is in a sum where those that f.outside finds, of which the first is known, are kept beside the tree, as they are then.
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

// differences are the sums of a code that is in no other with another one that stands anywhere, as of the balance of two: these are kept beside the tree,
// as a table with one sum more is protected, too, whatever the numbers speak for it.
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
				if c := m.check(x, parts, slack); c.holds() && c.unknown == 0 && len(all) < n && (slack == 0 || c.bits >= evidenceOfPair+2*math.Log2(float64(n))) {
					all = append(all, dim.relation(x, parts, c))
				}
			}
		}
	}
	return all
}

// equal are the sums of a code with another one that is 0 everywhere, where two codes are equal everywhere: it may be their balance.
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

// leastBits is the evidence from which codes of a dimension without any sum are taken to be one, chanceBits how many bits less than those that choose a
// total and its first part speak for one that is far from its parts.
const (
	leastBits  = 6
	chanceBits = 4
)

// maxOutside bounds the numbers that are looked at for such sums, nearOutside how far before their total the parts begin where codes are too many for all.
const (
	maxOutside  = 1 << 26
	nearOutside = 64
)

// outside is a sum that the numbers of m allow and the forest lacks although one of its codes is in no other; total is −1 where there
// is none. Looked for are sums of codes that stand together. also are those of codes of which only some are in no other, or that stand next to their
// total: whether they are meant or chance nobody has to say, as a table with one sum more is protected, too.
func (f *forest) outside(dim *draftDim, m *matrix) (total int, parts []int, also []Relation) {
	n := len(f.parent)
	leaf, out := slices.Repeat([]bool{true}, n), make([]bool, n)
	told, more := make([]bool, n), map[string]bool{} // in another sum, by place and by code
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
	some, zeros := false, false // rows of zeros have their place in the tree by nothing but where they stand
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
			parts, all, some := []int(nil), true, out[i] // parts are in no sum
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
				if need > 0 && parts[0] != i+1 && lastOf(parts) != i-1 { // far from its total, as sums of many codes are by chance
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
				case out[i] && !all && f.additive && len(parts) > 1 && len(also) < n && f.behind(i) && only(out, i): // told again of codes that are in the tree
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

// only reports whether i alone is set.
func only(set []bool, i int) bool {
	return slices.Index(set, true) == i && !slices.Contains(set[i+1:], true)
}

// behind reports whether code i stands behind all that is in sums.
func (f *forest) behind(i int) bool {
	for c, p := range f.parent {
		if p >= 0 && !f.memo[c] && (c > i || p > i) {
			return false
		}
	}
	return true
}

// known counts the numbers of row i other than zero.
func (m *matrix) known(i int) (n int) {
	for j := range m.w {
		if m.at(i, j) != 0 {
			n++
		}
	}
	return n
}

// besides are sums that hold beside those of the forest, of codes that stand next to their total: where the numbers allow two trees both are kept, as
// a table with one sum more is protected, too.
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
			whole := true // the parts are those of the forest
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
