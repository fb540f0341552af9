package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// A chunk is a run of rows, and the columns in which they have numbers.
type chunk struct {
	n          *numbers
	rows, cols []int
	above      []int // its header rows, and the rows above them up to the chunk before
	header     []int
	stub       []int // columns of labels
	first      bool  // the first chunk of the sheet
	labelled   bool  // it was cut to the rows and columns that have the labels of another chunk
	part       bool  // and had more than these
}

// pages are chunks. A chunk that is the next page of another one is joined to it.
type pages struct {
	all   []chunk
	named []chunkNames
}

// add joins a chunk to the last one whose next page it is, or else appends it.
func (p *pages) add(k chunk) {
	x := k.named()
	for i := len(p.all) - 1; i >= 0; i-- {
		if a := &p.all[i]; slices.Equal(a.cols, k.cols) && (p.named[i].goesOn(&x) || p.named[i].headsAgain(&x) && slices.Equal(a.stub, k.stub) && a.unlike(k)) {
			a.rows = slices.Concat(a.rows, k.rows)
			for name := range x.ofRow {
				p.named[i].ofRow[name] = len(a.rows)
			}
			return
		}
	}
	p.all, p.named = append(p.all, k), append(p.named, x)
}

// goesOn reports whether the chunk below, which has the same columns, is the next page of x: it has the same header or
// none, and each of its rows has a label that no row of x has.
func (x *chunkNames) goesOn(below *chunkNames) bool {
	return x.headsAgain(below) && !slices.ContainsFunc(below.rows, func(r lineName) bool {
		_, again := x.ofRow[r]
		return again || r.label == ""
	})
}

// headsAgain reports whether the chunk below, which has the same columns, has the same header or none.
func (x *chunkNames) headsAgain(below *chunkNames) bool {
	for i := range x.cols {
		if below.cols[i].label != "" && below.cols[i].label != x.cols[i].label {
			return false
		}
	}
	return true
}

// unlike reports whether several columns of labels together tell each row of a chunk from each of another one below,
// whose first row has all of them.
func (k chunk) unlike(below chunk) bool {
	if len(k.stub) < 2 {
		return false
	}
	seen, outer := map[string]bool{}, make([]string, len(k.stub)-1)
	for i, c := range []chunk{k, below} {
		for j, r := range c.rows {
			for q := range outer {
				if t := c.n.v.text(r, c.stub[q]); t != "" {
					outer[q] = t
				} else if i > 0 && j == 0 {
					return false
				}
			}
			last := c.n.v.text(r, lastOf(c.stub))
			key := strings.Join(append(slices.Clone(outer), last), "\x00")
			if last == "" || seen[key] {
				return false
			}
			seen[key] = true
		}
	}
	return true
}

// titled reports whether is holds for a text above a chunk, such as its title.
func (k chunk) titled(is func(string) bool) bool {
	return slices.ContainsFunc(k.above, func(r int) bool {
		return slices.ContainsFunc(k.n.g.Rows[r], func(f Field) bool { return !f.Number && is(f.Text) })
	})
}

// label returns the innermost label of a row.
func (k chunk) label(r int) string {
	for i := len(k.stub) - 1; i >= 0; i-- {
		if s := strings.TrimFunc(k.n.v.text(r, k.stub[i]), isBlank); s != "" {
			return s
		}
	}
	return ""
}

// again returns the index of the next row that has the label of row i, −1 for none.
func (k chunk) again(i int) int {
	if i >= len(k.rows) || k.label(k.rows[i]) == "" {
		return -1
	}
	at := slices.IndexFunc(k.rows[i+1:], func(r int) bool { return k.label(r) == k.label(k.rows[i]) })
	if at < 0 {
		return -1
	}
	return i + 1 + at
}

// mostBalanced bounds the rows among which those two are looked for whose difference is a balance.
const mostBalanced = 64

// leastBalanced is in how many columns a row must be such a difference at least where only one number is below 0.
const leastBalanced = 4

// balance reports whether all numbers below 0 stand in one row that is the difference of two others, in two or more
// columns or in one of so many that this is no chance. Then only that balance is negative, and the columns are counts
// like any others.
func (k chunk) balance() bool {
	row, below := -1, 0
	for i, r := range k.rows {
		for _, c := range k.cols {
			if !k.n.open(r, c) || k.n.figure(r, c).v >= 0 {
				continue
			}
			if below++; row >= 0 && row != i {
				return false
			}
			row = i
		}
	}
	if below < 1 || below < 2 && len(k.cols) < leastBalanced || len(k.rows) > mostBalanced {
		return false
	}
	for _, x := range k.rows {
		for _, y := range k.rows {
			if x != y && x != k.rows[row] && y != k.rows[row] && !slices.ContainsFunc(k.cols, func(c int) bool {
				return !k.n.figure(k.rows[row], c).ok || math.Abs(k.n.figure(x, c).v-k.n.figure(y, c).v-k.n.figure(k.rows[row], c).v) > 1e-9
			}) {
				return true
			}
		}
	}
	return false
}

// panels returns the groups of rows of a chunk that stand below each other under one header: those that have the same
// labels in all columns and in the same order, and those that have the same innermost labels.
func (k chunk) panels() []chunk {
	inner := k.groups(k.inner)
	if len(k.stub) < 2 {
		return inner
	}
	return append(k.groups(func(r, q int) bool {
		return !slices.ContainsFunc(k.stub, func(c int) bool { return k.n.v.text(r, c) != k.n.v.text(q, c) })
	}), inner...)
}

// inner reports whether two rows have the same innermost label.
func (k chunk) inner(r, q int) bool { return k.label(r) == k.label(q) }

// groups returns the groups of rows of which all have the like rows in the same order.
func (k chunk) groups(like func(r, q int) bool) (all []chunk) {
	n := 1
	for n < len(k.rows) && !like(k.rows[n], k.rows[0]) {
		n++
	}
	if n < 2 || n == len(k.rows) || len(k.rows)%n != 0 || len(k.rows)/n > mostGroups || k.label(k.rows[0]) == "" {
		return nil
	}
	for i, r := range k.rows {
		if !like(r, k.rows[i%n]) {
			return nil
		}
		if i%n == 0 {
			p := k
			if p.rows = k.rows[i : i+n]; i > 0 { // what it is stands between the panels
				p.above = sets.Upto(r)[k.rows[i-1]+1:]
			}
			all = append(all, p)
		}
	}
	return all
}

// besideEachOther returns the groups of columns of a chunk that have the same labels: those that stand side by side below
// the fields of an outer header, such as the areas of each year, and those below one label of the inner header, such as
// one year of each area.
func (k chunk) besideEachOther() (all []chunk) {
	_, names := k.names()
	n := slices.IndexFunc(names, func(x lineName) bool { return x.nth > 0 })
	if n < 2 || len(names)%n != 0 || len(names)/n > mostGroups {
		return nil
	}
	for i, x := range names {
		if x != (lineName{names[i%n].label, i / n}) || x.label == "" {
			return nil
		}
	}
	for from := 0; from < len(names); from += n {
		p := k
		p.cols = k.cols[from : from+n]
		all = append(all, p)
	}
	inner := slices.IndexFunc(k.header, func(r int) bool {
		return strings.EqualFold(strings.TrimFunc(k.n.v.text(r, k.cols[0]), isBlank), names[0].label)
	})
	if inner < 1 {
		return all
	}
	for from := range n {
		p := k
		p.cols, p.header = nil, k.header[:inner]
		for i := from; i < len(names); i += n {
			p.cols = append(p.cols, k.cols[i])
		}
		all = append(all, p)
	}
	return all
}

// pieces returns the tables of a chunk that stand side by side, with a column of labels or an empty one between them.
func (k chunk) pieces() (all []chunk) {
	piece := func(cols, stub []int) {
		p := k
		p.cols, p.stub, p.rows = cols, stub, nil
		for _, r := range k.rows {
			if slices.ContainsFunc(cols, func(c int) bool { return k.n.figure(r, c).ok }) {
				p.rows = append(p.rows, r)
			}
		}
		all = append(all, p)
	}
	from, stub := 0, k.stub
	for i := 1; i < len(k.cols); i++ {
		for c := k.cols[i-1] + 1; c < k.cols[i]; c++ {
			texts, distinct, again := 0, map[string]bool{}, len(k.stub) > 0
			for _, r := range k.rows {
				if t := k.n.v.text(r, c); t != "" && k.n.figure(r, k.cols[i]).ok {
					texts++
					distinct[t] = true
					again = again && t == k.n.v.text(r, lastOf(k.stub))
				}
			}
			empty := texts == 0 && !slices.ContainsFunc(slices.Concat(k.header, k.rows), func(r int) bool { return k.n.v.text(r, c) != "" })
			if empty || len(distinct) > 1 && (again || 5*len(distinct) >= 4*texts) {
				if from < i {
					piece(k.cols[from:i], stub)
				}
				if from = i; !empty {
					stub = []int{c}
				}
			}
		}
	}
	piece(k.cols[from:], stub)
	return all
}

// A lineName is the label of a line, and how many lines before it have the same one.
type lineName struct {
	label string
	nth   int
}

// chunkNames are the names of the rows and columns of a chunk, and the index of each name.
type chunkNames struct {
	rows, cols   []lineName
	ofRow, ofCol map[lineName]int
}

func (k chunk) named() (x chunkNames) {
	x.rows, x.cols = k.names()
	index := func(names []lineName) map[lineName]int {
		return sets.Places[int](names)
	}
	x.ofRow, x.ofCol = index(x.rows), index(x.cols)
	return x
}

// names returns the names of the rows and columns of a chunk.
func (k chunk) names() (rows, cols []lineName) {
	seen := map[string]int{}
	name := func(all []lineName, label string) []lineName {
		seen[label]++
		return append(all, lineName{label, seen[label] - 1})
	}
	last := func(was string, r, c int) string {
		return cmp.Or(strings.ToLower(strings.TrimFunc(k.n.v.text(r, c), isBlank)), was)
	}
	for _, r := range k.rows {
		label := ""
		for _, c := range k.stub {
			label = last(label, r, c)
		}
		rows = name(rows, label)
	}
	clear(seen)
	for _, c := range k.cols {
		label := ""
		for _, r := range k.header {
			if text := last(label, r, c); label == "" || !isUnit(text) && !k.uniform(r) { // a row of units does not name the columns
				label = text
			}
		}
		cols = name(cols, label)
	}
	return rows, cols
}

// uniform reports whether a row says the same of two or more columns, and nothing else, like a unit.
func (k chunk) uniform(r int) bool {
	first := k.n.v.text(r, k.cols[0])
	return len(k.cols) > 1 && !slices.ContainsFunc(k.cols, func(c int) bool { return k.n.v.text(r, c) != first })
}

// like returns the rows and columns of k that have the names in other, in the order of these; false where one of the
// names is empty or missing in k.
func (k chunk) like(own, other *chunkNames) (chunk, bool) {
	of := k
	of.labelled = true
	pick := func(own []int, names map[lineName]int, wanted []lineName) (all []int) {
		if len(wanted) > len(own) {
			return nil
		}
		for _, w := range wanted {
			i, ok := names[w]
			if !ok || w.label == "" {
				return nil
			}
			all = append(all, own[i])
		}
		return all
	}
	if of.cols = pick(k.cols, own.ofCol, other.cols); of.cols != nil {
		of.rows = pick(k.rows, own.ofRow, other.rows)
	}
	of.part = len(of.rows) < len(k.rows) || len(of.cols) < len(k.cols)
	return of, of.rows != nil && of.cols != nil
}

// shared returns the columns of k that have a name in other, the rows with numbers there, and the names of both.
func (k chunk) shared(own, other *chunkNames) (chunk, *chunkNames) {
	of, names := k, &chunkNames{}
	of.rows, of.cols = nil, nil
	for i, c := range k.cols {
		if _, ok := other.ofCol[own.cols[i]]; ok {
			of.cols, names.cols = append(of.cols, c), append(names.cols, own.cols[i])
		}
	}
	for i, r := range k.rows {
		if slices.ContainsFunc(of.cols, func(c int) bool { return k.n.open(r, c) }) {
			of.rows, names.rows = append(of.rows, r), append(names.rows, own.rows[i])
		}
	}
	return of, names
}

// left returns a chunk without the rows and columns in which all numbers are computed.
func (k chunk) left() chunk {
	of := k
	of.rows, of.cols = nil, nil
	for _, r := range k.rows {
		if slices.ContainsFunc(k.cols, func(c int) bool { return k.n.open(r, c) }) {
			of.rows = append(of.rows, r)
		}
	}
	for _, c := range k.cols {
		if slices.ContainsFunc(k.rows, func(r int) bool { return k.n.open(r, c) }) {
			of.cols = append(of.cols, c)
		}
	}
	return of
}

// falls reports whether at least half of the columns of a chunk have a number below 0 in a row that is not called a
// change.
func (k chunk) falls() bool {
	n := 0
	for _, c := range k.cols {
		if slices.ContainsFunc(k.rows, func(r int) bool { return k.n.open(r, c) && k.n.figure(r, c).v < 0 && !k.n.spoken(k.label(r)).word }) {
			n++
		}
	}
	return 2*n >= len(k.cols)
}

// year returns the only year that the name of the sheet and the texts above a chunk tell, empty where there is none or
// several.
func (k chunk) year() string {
	all := slices.Clone(someYear().FindAllString(fold(k.n.g.Sheet), -1))
	for _, r := range k.above {
		for c := range k.n.g.Rows[r] {
			if k.n.v.kind(r, c) == text {
				all = append(all, someYear().FindAllString(fold(k.n.v.text(r, c)), -1)...)
			}
		}
	}
	if slices.Sort(all); len(slices.Compact(all)) != 1 {
		return ""
	}
	return all[0]
}

// someYear matches a year in a text.
var someYear = lazy.Regexp(`\b(?:19|20)[0-9]{2}\b|(?:令和|平成|昭和)(?:元|[0-9]{1,2})`)

// left0 returns the first column of a chunk or of its labels.
func (k chunk) left0() int {
	if len(k.stub) == 0 {
		return k.cols[0]
	}
	return min(k.stub[0], k.cols[0])
}

// hundreds reports whether a row or a column has two or more numbers, all of them 100: the totals of shares.
func (k chunk) hundreds() bool {
	all := func(own, across []int, figure func(i, j int) (r, c int)) bool {
		return slices.ContainsFunc(own, func(i int) bool {
			n := 0
			return !slices.ContainsFunc(across, func(j int) bool {
				r, c := figure(i, j)
				if !k.n.open(r, c) {
					return false
				}
				n++
				return k.n.figure(r, c).v != 100
			}) && n > 1
		})
	}
	return all(k.cols, k.rows, func(c, r int) (int, int) { return r, c }) || all(k.rows, k.cols, func(r, c int) (int, int) { return r, c })
}
