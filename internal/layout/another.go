package layout

import (
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// another reports whether numbers show that some codes of one dimension belong to another measure than the rest. In
// each of them, the sum along dim that holds in other codes misses wherever it can be checked, by more than rounding
// explains. Besides, they are two codes that have a third one in their middle, or the sum misses by more than a slip
// explains and each code has fractions where no other code has, ranks another one, or is called a quotient. A middle
// alone does not do: years between which somebody interpolated have it, too, and their cells need protection.
func (d *draft) another(dim *draftDim, m *matrix, total int, parts []int, names []string) bool {
	j := slices.IndexFunc(d.dims, func(of draftDim) bool {
		return of.name != dim.name && !slices.ContainsFunc(names, func(name string) bool { return !of.has(name) })
	})
	if m == nil || j < 0 || len(names) == 0 {
		return false
	}
	s := newSum(m)
	for _, p := range parts {
		s.add(p)
	}
	misses, near, right := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for col := range m.w {
		at := total*m.w + col
		if m.cell[at] < 0 || m.state[at] != stateKnown || s.open[col] > 0 || s.told[col] == 0 {
			continue
		}
		name := d.dims[j].items[d.coord[m.cell[at]][j]].key()
		switch miss := num.Abs(s.value[col] - m.value[at]); {
		case miss > max(rounded(parts), num.Abs(m.value[at])/10):
			misses[name] = true
		case miss > rounded(parts):
			near[name] = true
		case m.value[at] != 0 || miss != 0:
			right[name] = true
		}
	}
	of := d.matrix(j)
	if of == nil || slices.ContainsFunc(names, func(name string) bool { return right[name] || !misses[name] && !near[name] }) {
		return false
	}
	if len(names) == 2 {
		if lo, up := int(d.dims[j].index[names[0]]), int(d.dims[j].index[names[1]]); of.between(lo, up) && of.halved(lo, up) && of.apart(lo, up) >= leastEvidence {
			return true
		}
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		c := int(d.dims[j].index[name])
		return near[name] || !perMany().MatchString(d.dims[j].items[c].label) && of.places(c) < leastPlaces && !d.decimals(j, c, names)
	})
}

// has reports whether a dimension has a code.
func (dim *draftDim) has(name string) bool {
	_, ok := dim.index[name]
	return ok
}

// leastFractions is how many numbers of a code must have decimals where no others do.
const leastFractions = 2

// decimals reports whether code c of dimension j has numbers with decimals, and no other code does, apart from those
// named in but.
func (d *draft) decimals(j, c int, but []string) bool {
	n, whole := 0, 0
	for i := range d.cells {
		v := d.cells[i].Value
		if v == nil {
			continue
		}
		switch at := int(d.coord[i][j]); {
		case at == c && v.places() > 0:
			n++
		case slices.Contains(but, d.dims[j].items[at].key()):
		case v.places() > 0:
			return false
		default:
			whole++
		}
	}
	return n >= leastFractions && whole > n
}

// others returns, from all open questions of a reading, the codes that their numbers show to belong to another measure,
// so that nobody need say it.
func (r *Reading) others() (names []string) {
	for _, a := range r.asks() {
		names = append(names, a.others...)
	}
	return names
}

// asks returns the questions that a reading leaves open.
func (r *Reading) asks() (all []Ambiguity) {
	for _, open := range r.open {
		all = append(all, open.Ambiguity)
	}
	for _, t := range r.Tables {
		for _, d := range t.doubts {
			all = append(all, d.Ambiguity)
		}
		if len(t.refused) > 0 {
			all = append(all, refused(t.refused))
		}
	}
	return all
}

// beside returns the options of a second reading without codes of another measure; nil where there are none, or
// somebody said which codes are computed.
func (o *Options) beside(names []string) *Options {
	if len(names) == 0 || len(o.Derived) > 0 {
		return nil
	}
	more := *o
	more.others = names
	return &more
}
