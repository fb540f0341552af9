package layout

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// mostStray bounds the codes of a dimension in which stray looks for codes unlike the others.
const mostStray = 1 << 10

// stray asks about codes that are in no sum and differ in kind from the others: not a period among periods, or
// the only one with numbers below 0 among counts. They are computed from the others in a way nobody has told, and
// so may reveal each.
func (d *draft) stray(t *Table) {
	negative := slices.ContainsFunc(d.cells, func(c Cell) bool { return c.Value != nil && strings.HasPrefix(string(*c.Value), "-") })
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if !d.unfound(dim) || f == nil || d.large || len(dim.items) > mostStray || t.doubted(dim.name) {
			continue
		}
		if yearsInOrder(sets.Each(dim.items, func(e entry) string { return e.label })) {
			continue
		}
		alone, outer := f.alone(dim), f.outer()
		var out []int
		periods, balances := 0, 0
		for i := range dim.items {
			switch {
			case isTime(dim.items[i].label):
				periods++
			case alone(i):
				out = append(out, i)
			case slices.Contains(outer, i): // in a sum kept beside the tree, as the balance of two periods is
				balances++
			}
		}
		if periods < 2 || len(out)+periods+balances < len(dim.items) {
			if out = nil; negative {
				out = d.below(k, alone)
			}
		}
		if len(out) == 0 {
			continue
		}
		names := sets.Each(out, func(i int) string { return dim.items[i].key() })
		t.doubts = append(t.doubts, dim.besideSums(names))
	}
}

// amongPeriods returns the code that is the only one that is no period, and is in no sum, −1 for none: it may be a
// period under another name, by which a text refers to it.
func (dim *draftDim) amongPeriods() int {
	only := -1
	for i := range dim.items {
		if isTime(dim.items[i].label) {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = i
	}
	if f := dim.forest; only < 0 || len(dim.items) < 3 || f != nil && !f.alone(dim)(only) {
		return -1
	}
	return only
}

// unrounded asks about codes with more decimals than can be added up, if most other codes have fewer: they are
// computed, like an average in a workbook, and nobody has told from what.
func (d *draft) unrounded(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		out := make([]bool, len(dim.items))
		for i, c := range d.coord {
			if v := d.cells[i].Value; v != nil && v.places() > maxPlaces {
				out[c[k]] = true
			}
		}
		var names []string
		for i, is := range out {
			if is {
				names = append(names, dim.items[i].key())
			}
		}
		if d.large && d.unfound(dim) && len(names) > 0 && 2*len(names) < len(out) {
			t.doubts = append(t.doubts, dim.besideSums(names))
			return
		}
	}
}

// alone returns a function that reports whether a code is in no sum.
func (f *forest) alone(dim *draftDim) func(i int) bool {
	summed, outer := f.summed(), slices.Repeat([]bool{!f.additive}, len(dim.items))
	if f.additive {
		for _, i := range f.outer() {
			outer[i] = true
		}
	}
	return func(i int) bool { return outer[i] && !summed[dim.items[i].key()] }
}

// middles asks about pairs of codes in no sum of which another code is the middle everywhere, as an estimate is
// of its bounds: they reveal it. The middle stands before or between them. A lower bound that is 0 everywhere is
// placed in the tree only by where it stands.
func (d *draft) middles(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if !d.unfound(dim) || f == nil || d.large || len(dim.items) > mostForeign || len(d.cells) > mostForeignCells || t.doubted(dim.name) {
			continue
		}
		m, out := d.matrix(k), f.outer()
		if m == nil || m.w < 2 {
			continue
		}
		// sums beside the tree may be coincidental
		alone := func(i int) bool { return !f.additive || slices.Contains(out, i) }
		for lo := range dim.items {
			loose := alone(lo) || m.isNull(lo) && !m.hides(lo) && !slices.Contains(f.parent, lo)
			for up := lo + 1; up < min(lo+3, len(dim.items)); up++ {
				if !loose || !alone(up) || !m.between(lo, up) || !m.halved(lo, up) {
					continue
				}
				lower, upper := dim.items[lo].key(), dim.items[up].key()
				t.doubts = append(t.doubts, doubt{dim.name, Ambiguity{
					Question: i18n.T("%s: another code is the middle of %s and %s everywhere", dim.name, lower, upper),
					Readings: []i18n.Text{i18n.T("%s is a measure of its own, whose numbers go where they may tell", lower+", "+upper), i18n.T("it is one more code, without a sum")},
					Options:  []string{"--derived " + quoteName(bare(lower)) + " --derived " + quoteName(bare(upper)), "--no-total " + quoteName(dim.name)},
				}})
				return
			}
		}
	}
}

// between reports whether row lo is nowhere above row up, and somewhere below it.
func (m *matrix) between(lo, up int) bool {
	below := false
	for j := range m.w {
		if m.at(lo, j) > m.at(up, j) {
			return false
		}
		below = below || m.at(lo, j) < m.at(up, j)
	}
	return below
}

// apart returns how many bits of evidence two rows give whose middle is another row: the larger they are where
// they differ, the more.
func (m *matrix) apart(lo, up int) (bits float64) {
	for j := range m.w {
		if v, w := m.at(lo, j), m.at(up, j); w > v {
			bits += math.Log2(1 + float64(w))
		}
	}
	return bits
}

// halved reports whether the row between rows lo and up or, if there is none, a row before them is their middle.
func (m *matrix) halved(lo, up int) bool {
	if up > lo+1 {
		return m.middle(lo+1, lo, up)
	}
	for i := range lo {
		if m.middle(i, lo, up) {
			return true
		}
	}
	return false
}

// middle reports whether row i is the middle of rows lo and up wherever all three are known, in at least two
// places.
func (m *matrix) middle(i, lo, up int) bool {
	n := 0
	for j := range m.w {
		if m.state[i*m.w+j] != stateKnown || m.state[lo*m.w+j] != stateKnown || m.state[up*m.w+j] != stateKnown {
			continue
		}
		if 2*m.at(i, j) != m.at(lo, j)+m.at(up, j) {
			return false
		}
		n++
	}
	return n > 1
}

// summed returns the codes in sums that are kept beside the tree.
func (f *forest) summed() map[string]bool {
	all := map[string]bool{}
	for _, r := range f.more {
		all[r.Total] = true
		for _, p := range r.Parts {
			all[p] = true
		}
	}
	return all
}

// leastRate is the smallest number of units for which a rate is given. mostRates bounds the codes among which a
// rate is looked for.
const (
	leastRate = 100
	mostRates = 1 << 8
)

// zeroRates asks about a code that is 0 everywhere while another code is so large that the rate of a third one to
// it, per hundred or more, would be rounded to 0: taken for a count, the code would hide what it tells about the
// third one.
func (d *draft) zeroRates(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if !d.unfound(dim) || f == nil || d.large || len(dim.items) > mostRates || t.doubted(dim.name) {
			continue
		}
		bases, other := f.outer(), "parents in the layout of --save-layout, read by --layout"
		if !f.additive {
			bases, other = sets.Upto(len(dim.items)), "--no-total "+quoteName(dim.name)
		}
		if len(bases) < 1 || dim.noTotal {
			continue
		}
		m := d.matrix(k)
		if m == nil {
			continue
		}
		for i := range dim.items {
			if it := &dim.items[i]; m.w < 2 || !m.isNull(i) || m.hides(i) || slices.Contains(f.parent, i) || isMemo(it.raw) || isTime(it.label) {
				continue // part of another code, or a period, is none
			}
			for _, base := range bases {
				some := false // the rate may refer to a part
				for of, p := range f.parent {
					some = some || (p >= 0 || !f.additive) && of != i && !m.isNull(of) && m.small(of, base)
				}
				if base == i || !some {
					continue
				}
				name := dim.items[i].key()
				t.doubts = append(t.doubts, doubt{dim.name, Ambiguity{
					Question: i18n.T("%s: %s is 0 everywhere, as the rate of another code to %s would be", dim.name, name, dim.items[base].key()),
					Readings: []i18n.Text{i18n.T("%s is a measure of its own, whose numbers go where they may tell", name), i18n.T("it is one more code")},
					Options:  []string{"--derived " + quoteName(bare(name)), other},
				}})
				return
			}
		}
	}
}

// small reports whether the rate of row i to row base rounds to 0 everywhere.
func (m *matrix) small(i, base int) bool {
	for j := range m.w {
		if v, of := m.at(i, j), m.at(base, j); of <= 0 || 2*leastRate*v >= of {
			return false
		}
	}
	return true
}

// below returns the codes of dimension k with numbers below 0, or nil if one of these is not alone or if they are
// most of the codes.
func (d *draft) below(k int, alone func(i int) bool) (out []int) {
	m := d.matrix(k)
	if m == nil {
		return nil
	}
	for i := range d.dims[k].items {
		switch neg := slices.ContainsFunc(m.value[i*m.w:(i+1)*m.w], func(v int64) bool { return v < 0 }); {
		case neg && !alone(i):
			return nil
		case neg:
			out = append(out, i)
		}
	}
	if 2*len(out) > len(d.dims[k].items) {
		return nil
	}
	return out
}

// almost asks about memo items with which a sum would hold within rounding: a code so small that the other parts
// add up exactly by coincidence, or a group whose own total misses by rounding.
func (d *draft) almost(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if !d.unfound(dim) || f == nil || d.large || t.doubted(dim.name) || len(f.refused) > 0 {
			continue
		}
		summed := f.summed()
		total, parts, beside := -1, []int(nil), []int(nil)
		if !f.additive {
			total, parts = d.almostAll(k)
		} else if total, parts, beside = d.almostTotal(k, summed); total < 0 {
			total, parts, beside = d.almostGroup(k, summed)
		}
		if total < 0 && f.additive {
			total, parts, beside = d.almostNamed(k, summed)
		}
		if total < 0 {
			continue
		}
		names := func(of []int) string {
			return formats.ShowList(sets.Each(of, func(p int) string { return dim.items[p].key() }))
		}
		ask := Ambiguity{
			Question: i18n.T("%s: %s may be the sum of %s, which is not in the tree that was found", dim.name, dim.items[total].key(), names(parts)),
			Readings: []i18n.Text{i18n.T("the sums are meant and rounded or wrong"), i18n.T("%s is told beside it", names(beside))},
			Options:  []string{d.within(parts), "parents in the layout of --save-layout, read by --layout"},
		}
		if !f.additive {
			ask.Readings[1], ask.Options[1] = i18n.T("nothing there adds up"), "--no-total "+quoteName(dim.name)
		}
		t.doubts = append(t.doubts, doubt{dim.name, ask})
	}
}

// almostAll returns, for a dimension without sums, its first or last code and all others if they add up to it within
// rounding everywhere, with as much evidence as foreign needs; total is −1 if neither is such a total.
func (d *draft) almostAll(k int) (total int, parts []int) {
	m, n := d.matrix(k), len(d.dims[k].items)
	if m == nil || n < 3 {
		return -1, nil
	}
	for _, total := range []int{0, n - 1} {
		parts := slices.DeleteFunc(sets.Upto(n), func(i int) bool { return i == total || d.dims[k].items[i].memo })
		if c := m.check(total, parts, rounded(parts)); c.holds() && c.unknown == 0 && c.bits >= leastForeign {
			return total, parts
		}
	}
	return -1, nil
}

// rounded returns by how much a sum can miss if its parts and total are rounded to units.
func rounded(parts []int) int64 { return int64(len(parts)+1) / 2 }

// within returns the flag for sums of so many rounded parts.
func (d *draft) within(parts []int) string {
	return "--tolerance " + table.Decimal{Unscaled: rounded(parts), Scale: d.places}.String()
}

// almostTotal returns a total, its parts, and the part that is a memo item in the tree; total is −1 if there is
// none. summed has the codes in sums beside the tree.
func (d *draft) almostTotal(k int, summed map[string]bool) (total int, parts, beside []int) {
	dim := &d.dims[k]
	f := dim.forest
	var m *matrix
	for i := range dim.items {
		if summed[dim.items[i].key()] || !f.memo[i] || f.parent[i] < 0 || len(f.equals[i]) > 0 || slices.Contains(f.parent, i) || isMemo(dim.items[i].label) {
			continue
		}
		total, parts := f.parent[i], []int{i}
		for c, p := range f.parent {
			if p == total && !f.memo[c] {
				parts = append(parts, c)
			}
		}
		if slices.Sort(parts); len(parts) < 3 || lastOf(parts)-parts[0] >= len(parts) { // it stands among them
			continue
		}
		if m == nil {
			if m = d.matrix(k); m == nil {
				break
			}
		}
		again := slices.ContainsFunc(parts, func(p int) bool { // the only code of a group
			return p != i && slices.Equal(m.value[p*m.w:(p+1)*m.w], m.value[i*m.w:(i+1)*m.w])
		})
		if c := m.check(total, parts, rounded(parts)); !again && !m.isNull(i) && c.bad == 0 && c.unknown == 0 {
			return total, parts, []int{i}
		}
	}
	return -1, nil, nil
}

// almostNamed returns a memo item whose label names codes that add up to it within rounding, although the total
// is exactly the sum of its parts.
func (d *draft) almostNamed(k int, summed map[string]bool) (total int, parts, beside []int) {
	dim := &d.dims[k]
	f, g := dim.forest, &grower{dim: dim}
	inner := make([]bool, len(dim.items)) // which codes have parts; a memo item below one is none
	for i, p := range f.parent {
		if p >= 0 && !f.memo[i] {
			inner[p] = true
		}
	}
	var leaves []int
	for i := range dim.items {
		if !f.memo[i] && !inner[i] {
			leaves = append(leaves, i)
		}
	}
	for i := range dim.items {
		if !f.memo[i] || len(f.equals[i]) > 0 || summed[dim.items[i].key()] {
			continue
		}
		parts := g.tellsOf(i, leaves)
		if m := d.matrix(k); len(parts) > 1 && m != nil && m.check(i, parts, rounded(parts)).holds() {
			return i, parts, []int{i}
		}
	}
	return -1, nil, nil
}

// almostGroup returns a part of a total and the memo items, or codes in no sum, directly below or above it that add up
// to it, or one of these and the parts directly beside it that do; beside has those of them that are in no sum of their
// own, and total is −1 if there is no such group. Codes that stand together like this need less evidence for their sum.
func (d *draft) almostGroup(k int, summed map[string]bool) (total int, parts, beside []int) {
	dim := &d.dims[k]
	f := dim.forest
	divided := make([]bool, len(dim.items))
	for _, p := range f.parent {
		if p >= 0 {
			divided[p] = true
		}
	}
	open := func(i int) bool { return (f.memo[i] || f.parent[i] < 0) && !divided[i] && !isMemo(dim.items[i].label) }
	told := func(i int) bool { return open(i) && !summed[dim.items[i].key()] }
	leaf := func(i int) bool { return !f.memo[i] && f.parent[i] >= 0 && !divided[i] }
	least := leastBits + math.Log2(float64(len(dim.items)))
	var m *matrix
	for total := range dim.items {
		again := told(total)
		is := open // beside the tree, they may add up to the total of the totals of their groups
		if again {
			is = leaf
		} else if f.parent[total] < 0 {
			continue
		}
		for _, step := range [2]int{1, -1} {
			var parts []int
			for i := total + step; i >= 0 && i < len(dim.items) && is(i); i += step {
				parts = append(parts, i)
			}
			if len(parts) < 2 {
				continue
			}
			if m == nil {
				if m = d.matrix(k); m == nil {
					return -1, nil, nil
				}
			}
			slices.Sort(parts)
			if c := m.check(total, parts, rounded(parts)); c.bad == 0 && c.unknown == 0 && c.bits > least {
				if beside = parts; again {
					beside = []int{total}
				}
				return total, parts, beside
			}
		}
	}
	return -1, nil, nil
}

// mostBeside is the largest number of codes in no sum for which all sums among them are tried.
const mostBeside = 12

// apart keeps beside the tree the sums of codes that are parts of nothing and add up to another such code,
// wherever they stand, as where a total in the middle splits a group.
func (f *forest) apart(dim *draftDim, m *matrix, keep func([]Relation)) {
	for n := -1; f.additive && n < len(f.more); {
		n = len(f.more)
		part := map[string]bool{}
		for _, r := range f.more {
			for _, p := range r.Parts {
				part[p] = true
			}
		}
		var tops []int
		for i := range dim.items {
			if e := &dim.items[i]; !part[e.key()] && !m.isNull(i) && !isMemo(e.label) && (f.parent[i] < 0 || f.memo[i] && len(f.equals[i]) == 0) {
				tops = append(tops, i)
			}
		}
		if len(tops) > mostBeside {
			return
		}
		least := leastBits + float64(len(tops))
		for _, total := range tops {
			for set := range 1 << len(tops) {
				parts, sum := []int(nil), int64(0)
				for b, i := range tops {
					if set>>b&1 != 0 {
						parts, sum = append(parts, i), sum+m.at(i, 0)
					}
				}
				if len(parts) < 2 || sum != m.at(total, 0) || slices.Contains(parts, total) {
					continue
				}
				if c := m.check(total, parts, 0); c.bad == 0 && c.unknown == 0 && c.bits > least {
					keep([]Relation{dim.relation(total, parts, c)})
				}
			}
		}
	}
}

// loose asks about codes that are in no sum, in a table where no other dimension adds up either: only their
// bounds would protect their cells, for instance where their sum was overlooked. It comes last, as other
// questions are more specific.
func (d *draft) loose(t *Table) {
	at := -1
	for k := range d.dims {
		switch dim := &d.dims[k]; {
		case dim.noTotal, dim.forest == nil, len(dim.forest.refused) > 0: // somebody said so, or is asked already
			return
		case dim.forest.additive && at >= 0:
			return
		case dim.forest.additive:
			at = k
		}
	}
	if at < 0 || d.large || len(t.doubts) > 0 || !d.unfound(&d.dims[at]) {
		return
	}
	dim := &d.dims[at]
	alone := dim.forest.alone(dim)
	t.askBeside(dim, func(i int) bool {
		return alone(i) && !isMemo(dim.items[i].raw) && !isTime(dim.items[i].label)
	})
}

// single asks about codes in no sum that have one number each, in a table where most others have several: a line of key
// figures below a table looks like a row of it, and may repeat any of its cells.
func (d *draft) single(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if dim.noTotal || f == nil || !f.additive || d.large || t.doubted(dim.name) {
			continue
		}
		numbers, last := make([]int, len(dim.items)), make([]int, len(dim.items))
		for c := range d.cells {
			if d.state[c] == stateKnown {
				numbers[d.coord[c][k]]++
				last[d.coord[c][k]] = c
			}
		}
		alone, several := f.alone(dim), 0
		var names, refs []string
		for i := range dim.items {
			switch e := &dim.items[i]; {
			case numbers[i] >= leastRows:
				several++
			case numbers[i] == 1 && alone(i) && !isMemo(e.raw) && !isTime(e.label):
				names, refs = append(names, e.key()), append(refs, quoteName(d.address(last[i]).String()))
			}
		}
		if names != nil && 2*several > len(dim.items) {
			all := strings.Join(names, ", ")
			t.doubts = append(t.doubts, doubt{dim.name, Ambiguity{
				Question: i18n.T("%s: %s has a single number, and is in no sum", dim.name, all),
				Readings: []i18n.Text{i18n.T("it repeats or sums up others, and goes"), i18n.T("it is one more code, without a sum")},
				Options:  []string{"--blank " + strings.Join(refs, " --blank "), "--no-total " + quoteName(dim.name)},
			}})
			return
		}
	}
}

// running asks about codes in no sum that are called cumulative, as their parts may stand in another table, or after two
// others, of which they may be the quotient.
func (d *draft) running(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		if dim.noTotal || dim.forest == nil {
			continue
		}
		alone := dim.forest.alone(dim)
		t.askBeside(dim, func(i int) bool {
			if dim.forest.additive && dim.namesTwo(i) && !t.doubted(dim.name) { // zeros fit into any sum
				m := d.matrix(k)
				return alone(i) || m != nil && m.isNull(i) && !m.hides(i) && !dim.forest.memo[i]
			}
			return cumulWords().MatchString(dim.items[i].label) && (!dim.forest.additive || alone(i))
		})
	}
}

// namesTwo reports whether the label of a code has those of two others in it, one behind the other.
func (dim *draftDim) namesTwo(i int) bool {
	label, n := dim.items[i].label, 0
	for k := range dim.items {
		if name := dim.items[k].label; k != i && utf8.RuneCountInString(name) > 1 && len(name) < len(label) {
			if before, after, ok := strings.Cut(label, name); ok {
				label, n = before+"\x00"+after, n+1
			}
		}
	}
	return n > 1
}

// askBeside asks about the codes of dim for which such holds, if there are any.
func (t *Table) askBeside(dim *draftDim, such func(i int) bool) {
	var names []string
	for i := range dim.items {
		if such(i) {
			names = append(names, dim.items[i].key())
		}
	}
	if names != nil {
		t.doubts = append(t.doubts, dim.besideSums(names))
	}
}
