package layout

import (
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// perMany matches labels that count per ten, hundred or more of something.
var perMany = lazy.Regexp(`(?i)(?:\b(?:per|je|pro|par|pour|por|cada|auf)\s+|[/／]\s*)1(?:[.,'’ \x{a0}\x{202f}]?0+)+\b|[0-9０-９十百千万]\s*[^\s0-9]{0,3}(?:当たり|当り|あたり|対$|対[）)])`)

// perOne matches labels that divide by something of the same line: per thousand, per head, per square kilometre.
var perOne = lazy.Regexp(`(?i)‰|\bper (?:mil|mille|thousand|capita|head|person|household|farm|km)\b|\b(?:por mil|per mille|promille|je tausend|pro tausend|pour mille|pro kopf|je person|par personne|par habitant|por habitante|je km|par km|por km)\b|\bdensity\b|densité|densidad|densità|dichte|密度|[1１一][人所世帯事業所]+当たり`)

// ofLine reports whether a label says that numbers are quotients, of which number is open, but one of the same line:
// neither a share of a total nor a change, which tell of other lines.
func ofLine(label string) bool {
	return perMany().MatchString(label) || perOne().MatchString(label)
}

// quotients asks about codes in no sum that are called a quotient, or are the quotient of two others everywhere.
// In a small table the evidence for that is weak, but a reader can compute one of the two from the other.
func (d *draft) quotients(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if !d.unfound(dim) || f == nil || !f.additive || d.large || d.rates || len(dim.items) > mostForeign || len(d.cells) > mostForeignCells || t.doubted(dim.name) {
			continue
		}
		m, alone := d.matrix(k), f.alone(dim)
		if m == nil {
			continue
		}
		var names []string
		for i := range dim.items {
			if !alone(i) || isMemo(dim.items[i].raw) {
				continue
			}
			if perMany().MatchString(dim.items[i].label) || m.quotient(i, d.places) {
				names = append(names, dim.items[i].key())
			}
		}
		if names != nil && 2*len(names) < len(dim.items) {
			t.doubts = append(t.doubts, dim.besideSums(names))
		}
	}
}

// besideSums asks whether codes in no sum belong to another measure.
func (dim *draftDim) besideSums(names []string) doubt {
	flags := sets.Each(names, func(name string) string { return "--derived " + quoteName(bare(name)) })
	return doubt{dim.name, Ambiguity{
		Question: i18n.T("%s: %s is not what stands beside it, and in no sum", dim.name, strings.Join(names, ", ")),
		Readings: []i18n.Text{i18n.T("%s is a measure of its own, whose numbers go where they may tell", strings.Join(names, ", ")), i18n.T("it is one more code, without a sum")},
		Options:  []string{strings.Join(flags, " "), "--no-total " + quoteName(dim.name)},
	}}
}

// leastWhole is the least number of other codes that must have whole numbers when a single code has fractions.
const leastWhole = 3

// fractional asks about the only code with decimals, which is in no sum or 0 everywhere, in a table of counts, since an
// average has decimals: with it all numbers would have to be amounts instead of counts.
func (d *draft) fractional(t *Table) {
	if t.Kind == ofMagnitudes && (t.Unit != "" || t.UnitMultiplier != 0) || d.large || d.rates || len(t.doubts) > 0 || slices.ContainsFunc(d.dims, func(dim draftDim) bool { return dim.role == Measure }) {
		return
	}
	for k := range d.dims {
		dim := &d.dims[k]
		i, n := d.broken(k)
		if n == 0 || n == 1 && !d.left(k, i) || !d.unfound(dim) || dim.forest == nil || len(dim.items) <= leastWhole {
			continue
		}
		if m := d.matrix(k); dim.forest.alone(dim)(i) || m != nil && m.isNull(i) { // zeros fit into any sum
			t.doubts = append(t.doubts, dim.besideSums([]string{dim.items[i].key()}))
			return
		}
	}
}

// left reports whether most numbers of a code are computed from others, so that it has few cells.
func (d *draft) left(k, code int) bool {
	n := sets.Count(d.coord, func(c []int32) bool { return int(c[k]) == code })
	return 2*n*len(d.dims[k].items) < len(d.cells)
}

// broken returns the only code of dimension k that has numbers with decimals, and how many; n is 0 if several codes
// have some.
func (d *draft) broken(k int) (code, n int) {
	for i := range d.cells {
		if v := d.cells[i].Value; v != nil && v.places() > 0 { // 0.0 is a quotient, too, that is rounded
			if at := int(d.coord[i][k]); n == 0 || at == code {
				code, n = at, n+1
			} else {
				return 0, 0
			}
		}
	}
	return code, n
}

// evidenceOfQuotient is the evidence for a quotient, in bits, needed beyond what the choice of its two rows and
// its factor uses up.
const evidenceOfQuotient = 3

// quotient reports whether row i, of numbers with places decimals, is 10, 100, 1,000 … times one row divided by
// another wherever that is defined, and 0 or a mark where it is not.
func (m *matrix) quotient(i int, places int) bool {
	n, unit := m.n, math.Pow10(-places)
	least := evidenceOfQuotient + 2*math.Log2(float64(n)) + 2
	for of := range n {
		for x := range n {
			if x == of || x == i || of == i {
				continue
			}
			for many := 10.0; many <= 100000; many *= 10 {
				if m.divided(i, x, of, many, unit) > least {
					return true
				}
			}
		}
	}
	return false
}

// divided returns how many bits of evidence there are that row i is many times row x divided by row of, rounded
// to unit; −1 if it is not.
func (m *matrix) divided(i, x, of int, many, unit float64) (bits float64) {
	var seen []int64
	for j := range m.w {
		v, a, b := m.at(i, j), m.at(x, j), m.at(of, j)
		switch {
		case b == 0 && v != 0:
			return -1
		case b == 0:
			continue
		case math.Abs(float64(v)*unit-many*float64(a)/float64(b)) > unit/2+1e-9:
			return -1
		case v != 0 && !slices.Contains(seen, v): // equal quotients count once
			seen = append(seen, v)
			bits += math.Log2(math.Abs(float64(v)))
		}
	}
	return bits
}
