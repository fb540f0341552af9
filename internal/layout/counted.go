package layout

import (
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
)

// leastCounted is how many cells must agree before one code is taken to count what makes up another.
const leastCounted = 6

// fewest is how many contributors no rule takes for few. Whatever a code with larger numbers counts, no amount is
// sensitive for their number, so that nothing has to be asked.
const fewest = 100

// counted asks about codes without a total of which one may count what the other measures.
func (d *draft) counted(t *Table, o *Options) {
	for k := range d.dims {
		if ask, ok := d.counts(k, o.Below); ok {
			t.doubts = append(t.doubts, doubt{d.dims[k].name, ask})
		}
	}
}

// counts returns a question about dimension k, if it has codes without a total of which one may count what the other
// measures, like farms and their cattle: it is nowhere more than the other, and zero exactly where that is. Read as
// classes, each would be protected by itself, and amounts of a single farm would be published. Amounts of fewer than
// below contributors are sensitive.
func (d *draft) counts(k int, below int64) (ask Ambiguity, ok bool) {
	dim := &d.dims[k]
	f := dim.forest
	if f == nil || !d.unfound(dim) || d.large || len(dim.items) < 2 || len(dim.items) > maxMeasures || dim.classes() {
		return ask, false
	}
	if f.additive {
		return d.countsTree(k, max(below, fewest))
	}
	a, b := d.measures(k, max(below, fewest))
	if a < 0 {
		return ask, false
	}
	measured := "--response, --freq" // somebody has to say which
	if countsContributors(dim.items[a].label) || !d.matrix(k).exceeds(a, f) {
		measured = "--response " + quoteNames(dim.counting(a)) + " --freq " + quoteName(dim.items[a].key())
	}
	return Ambiguity{
		Question: i18n.T("%s: %s may count what makes up %s", dim.name, dim.items[a].key(), dim.items[b].key()),
		Readings: []i18n.Text{i18n.T("they are measures"), i18n.T("they are classes without a total")},
		Options:  []string{measured, "--no-total " + quoteName(dim.name)},
	}, true
}

// countsTree is counts for a dimension of several totals, such as farms by sex and below them their cattle by sex: the
// parts of one total, in their order, may count what the parts of another measure. The columns of no single response
// are those of one total, so that no flag tells which is which.
func (d *draft) countsTree(k int, below int64) (ask Ambiguity, ok bool) {
	dim, m := &d.dims[k], d.matrix(k)
	if m == nil {
		return ask, false
	}
	parts := make([][]int, len(dim.items))
	for i, p := range dim.forest.parent {
		if p >= 0 && !dim.forest.memo[i] {
			parts[p] = append(parts[p], i)
		}
	}
	for a := range parts {
		for b := range parts {
			if a == b || len(parts[a]) < 2 || len(parts[a]) != len(parts[b]) || dim.forest.parent[a] >= 0 || dim.forest.parent[b] >= 0 || !m.counts(a, b) {
				continue
			}
			few := m.few(a, d.places, below)
			for i, x := range parts[a] {
				_, _, may := m.under(x, parts[b][i])
				few, ok = few || m.few(x, d.places, below), may
				if !may {
					break
				}
			}
			if ok && few {
				return Ambiguity{
					Question: i18n.T("%s: %s may count what makes up %s", dim.name, dim.items[a].key(), dim.items[b].key()),
					Readings: []i18n.Text{i18n.T("they are measures")},
					Options:  []string{"--range, --layout"},
				}, true
			}
		}
	}
	return ask, false
}

// measures returns codes a and b of dimension k such that a may count what b measures, by their numbers, some of which
// are below the given one, or by the name of a; −1 for none. A period counts nothing that another one measures.
func (d *draft) measures(k int, below int64) (a, b int) {
	m := d.matrix(k)
	if m == nil {
		return -1, -1
	}
	items, f := d.dims[k].items, d.dims[k].forest
	few := make([]bool, len(items))
	for a := range items {
		few[a] = m.few(a, d.places, below)
	}
	for a := range items {
		for b := range items {
			if a != b && !f.under(a, b) && !isTime(items[a].label) && (few[a] && m.counts(a, b) || countsContributors(items[a].label)) {
				return a, b
			}
		}
	}
	return -1, -1
}

// counting lists the codes as measures that a counts, and a last, as all codes that stay tell what one contributor adds
// to each of them. What has no label is not meant.
func (dim *draftDim) counting(a int) []string {
	names := make([]string, 0, len(dim.items))
	for i := range dim.items {
		if i != a && !dim.items[i].guess {
			names = append(names, dim.items[i].key())
		}
	}
	return append(names, dim.items[a].key())
}

// maxMeasures bounds the codes that may be measures.
const maxMeasures = 12

// under reports whether code a is part of code b: a part is less than its total without counting what makes that up.
func (f *forest) under(a, b int) bool {
	for p := f.parent[a]; p >= 0; p = f.parent[p] {
		if p == b {
			return true
		}
	}
	return false
}

// counts reports whether row a may count what row b measures.
func (m *matrix) counts(a, b int) bool {
	n, less, ok := m.under(a, b)
	return ok && n >= leastCounted && 5*less >= 4*n
}

// under reports whether row a is nowhere more than row b, and zero exactly where that is; in how many places it is more
// than zero, and in how many less than row b.
func (m *matrix) under(a, b int) (n, less int, ok bool) {
	for j := range m.w {
		x, y := m.value[a*m.w+j], m.value[b*m.w+j]
		switch {
		case m.state[a*m.w+j] != stateKnown || m.state[b*m.w+j] != stateKnown:
			continue
		case x < 0 || x > y || x == 0 && y != 0:
			return n, less, false
		case x > 0:
			n++
		}
		if x < y {
			less++
		}
	}
	return n, less, true
}

// few reports whether row a may count fewer contributors than the given number somewhere: it has a smaller number, or a
// withheld one. Its numbers have so many places; where some are no whole ones, a count is in thousands or a larger unit.
func (m *matrix) few(a, places int, below int64) bool {
	one, fraction := int64(math.Pow10(places)), false
	least := int64(math.MaxInt64)
	for j := a * m.w; j < (a+1)*m.w; j++ {
		switch x := m.value[j]; {
		case m.state[j] == stateUnknown:
			return true
		case m.state[j] == stateKnown && x > 0:
			least, fraction = min(least, x), fraction || x%one != 0
		}
	}
	if fraction {
		return least < (below*one+999)/1000
	}
	return least/one < below
}

// exceeds reports whether row a is somewhere more than another row that is not zero and of which it is no part. Then,
// if row a counted contributors, a small number of that other row would be published.
func (m *matrix) exceeds(a int, f *forest) bool {
	for b := range m.n {
		if b == a || f.under(a, b) {
			continue
		}
		for j := range m.w {
			if x, y := m.value[a*m.w+j], m.value[b*m.w+j]; m.state[a*m.w+j] == stateKnown && m.state[b*m.w+j] == stateKnown && x > y && y > 0 {
				return true
			}
		}
	}
	return false
}

// className matches the beginning of the name of a class of numbers, or a word in it.
var className = lazy.Regexp(`(?i)^[0-9]|歳|以上|未満|\b(?:unter|under|over|moins|plus|mehr|more)\b`)

// classes reports whether two codes or more are classes of numbers, such as ages or sizes, which measure nothing.
func (dim *draftDim) classes() bool {
	n := 0
	for i := range dim.items {
		if className().MatchString(fold(dim.items[i].label)) {
			n++
		}
	}
	return n > 1
}
