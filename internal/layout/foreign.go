package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// mostForeign bounds the codes of which each is left out in turn, mostForeignCells the cells of the table.
const (
	mostForeign      = 64
	mostForeignCells = 1 << 14
)

// foreignWork bounds how many numbers are looked at in search of sums without a code, for all codes together.
const foreignWork = 1 << 25

// leastForeign is how many bits of evidence the sums need that are found without a code, beyond those that choosing the
// code costs; leastOuter, where that code is in no sum and others are.
const (
	leastForeign = 14
	leastOuter   = 5
)

// foreign asks about a line that is not of the same kind as the others: a rank, an area or another measure, in which
// the sums along the other dimension miss. Unless a total has the name of one, nobody would notice that these sums, and
// what readers know by them, are lacking.
func (d *draft) foreign(t *Table) {
	if d.large || d.rates || len(d.cells) > mostForeignCells || len(t.doubts) > 0 {
		return
	}
	work := foreignWork
	for k := range d.dims {
		dim := &d.dims[k]
		if dim.role != ofClassification || !d.unfound(dim) || dim.forest == nil || dim.forest.additive && len(dim.forest.outer()) == 0 {
			continue
		}
		for j := range d.dims {
			if j == k || d.dims[j].role == Measure || len(d.dims[j].items) < 3 || len(d.dims[j].items) > mostForeign {
				continue
			}
			for _, out := range d.strangers(j) {
				if work <= 0 {
					return
				}
				if total, parts, right, all := d.without(k, j, out, &work); total >= 0 {
					var names, flags, others []string
					for _, c := range out {
						names = append(names, d.dims[j].items[c].key())
						flags = append(flags, "--derived "+quoteName(bare(d.dims[j].items[c].key())))
					}
					m := d.matrix(k)
					if d.another(dim, m, total, parts, names) {
						others = sets.Each(names, bare)
					}
					ask := Ambiguity{
						Question: i18n.T("%s: %s is the sum of its parts in %d of %d cases", dim.name, dim.items[total].key(), right, all),
						Readings: []i18n.Text{i18n.T("%s is a measure of its own, whose numbers go where they may tell", strings.Join(names, ", ")), i18n.T("it is no total")},
						Options:  []string{strings.Join(flags, " "), "--no-total " + quoteName(dim.name)},
						others:   others,
					}
					// some of the lines may miss by chance what all of them hold within rounding
					rest := slices.DeleteFunc(sets.Upto(len(dim.items)), func(i int) bool { return i == total || dim.forest.memo[i] })
					if parts, ok := m.rounded(total, parts, rest); ok {
						ask.Readings = slices.Insert(ask.Readings, 0, i18n.T("the sums are meant and rounded or wrong"))
						ask.Options = slices.Insert(ask.Options, 0, d.within(parts))
					}
					t.doubts = append(t.doubts, doubt{dim.name, ask})
					return
				}
			}
		}
	}
}

// rounded returns the first of several lists of codes whose sum is code t wherever all are known, give or take rounding.
func (m *matrix) rounded(t int, lists ...[]int) ([]int, bool) {
	for _, parts := range lists {
		if m != nil && m.check(t, parts, rounded(parts)).holds() {
			return parts, true
		}
	}
	return nil, false
}

// sums reports whether code i is the sum of others. Memo codes do not count.
func (f *forest) sums(i int) bool {
	for c, p := range f.parent {
		if p == i && !f.memo[c] {
			return true
		}
	}
	return false
}

// outer returns the codes that are in no sum.
func (f *forest) outer() (all []int) {
	for i := range f.parent {
		if f.memo[i] && len(f.equals[i]) == 0 || f.parent[i] < 0 && !slices.Contains(f.parent, i) {
			all = append(all, i)
		}
	}
	return all
}

// strangers returns the sets of codes of dimension j to leave out: all that are in no sum together, where others are in
// one; else each code.
func (d *draft) strangers(j int) (sets [][]int) {
	dim := &d.dims[j]
	f := dim.forest
	if f != nil && f.additive {
		if out := f.outer(); len(out) > 0 && 2*len(out) < len(dim.items) {
			sets = append(sets, out)
		}
		return sets
	}
	for i := range dim.items {
		sets = append(sets, []int{i})
	}
	return sets
}

// without returns the total of dimension k that has the most evidence once some codes of dimension j are left out, −1
// for none; its parts; and how many of its sums are right, of how many in all, with these codes. It subtracts what it
// looks at from work.
func (d *draft) without(k, j int, out []int, work *int) (total int, parts []int, right, all int) {
	rest := &draft{dims: d.dims, amounts: d.amounts, measured: d.measured, work: *work}
	rest.value, rest.state = nil, nil
	for i, c := range d.coord {
		if !slices.Contains(out, int(c[j])) {
			rest.coord, rest.cells = append(rest.coord, c), append(rest.cells, d.cells[i])
			rest.value, rest.state = append(rest.value, d.value[i]), append(rest.state, d.state[i])
		}
	}
	g := rest.grow(k, 0, 0)
	*work = min(*work, g.work) - len(d.cells)
	was := d.dims[k].forest
	if f := d.dims[j].forest; g.m != nil && !g.f.additive && !was.additive && f != nil && f.additive {
		return d.whole(k, g.m)
	}
	if g.m == nil || !g.f.additive || g.f.broken || len(g.failed) > 0 || was.additive && len(g.f.outer()) > 0 {
		return -1, nil, 0, 0
	}
	total, most := -1, leastForeign-0.5
	if f := d.dims[j].forest; f != nil && f.additive {
		most = leastOuter - 0.5
	}
	for i, parts := range g.children {
		if len(parts) < 2 || was.sums(i) {
			continue
		}
		if c := g.check(i, parts); c.bits > most {
			total, most = i, c.bits
		}
	}
	if total < 0 {
		return -1, nil, 0, 0
	}
	c := d.matrix(k).check(total, g.children[total], 0)
	return total, g.children[total], c.exact, c.exact + c.bad
}

// whole returns the first or last code of dimension k if it is the sum of all others in m, as a table may be too small
// to find it by its numbers alone; −1 for none. right and all are how many of its sums are right, and how many it has.
func (d *draft) whole(k int, m *matrix) (total int, parts []int, right, all int) {
	for _, i := range []int{0, m.n - 1} {
		var parts []int
		for p := range m.n {
			if p != i {
				parts = append(parts, p)
			}
		}
		if c := m.check(i, parts, 0); len(parts) > 1 && c.holds() && c.unknown == 0 && c.exact > 1 && c.bits > leastOuter {
			c := d.matrix(k).check(i, parts, 0)
			return i, parts, c.exact, c.exact + c.bad
		}
	}
	return -1, nil, 0, 0
}
