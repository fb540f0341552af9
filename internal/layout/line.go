package layout

import (
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
)

// A line is the numbers of one column or one row of a chunk.
type line struct {
	at    []fieldAt
	v     []figureOf
	marks []bool    // where a mark stands in the place of a number
	all   []fieldAt // the whole column or row of the sheet, as the total may stand outside the chunk
	allv  []figureOf
	total int // its index among the lines
	n     int // how many numbers it has
	most  float64
	// it holds totals that its numbers may be shares of: the largest number of the chunk or of a group, in every place
	fixed bool
	places
	pct  bool // a number is written with a per cent sign
	part bool // a number is a fraction that is formatted as per cent
	bare bool // a number other than 0 is written without either
	word bool // it is called a change
	said bool // it is called a share or otherwise derived
	many bool // it is called a rate per thousand or more
	each bool // it is called a rate per unit of something
	neg  bool
}

// places is the largest number of decimals that numbers of a line are written with.
type places struct{ places int }

// changeWords match headings of differences and changes.
var changeWords = lazy.Regexp(`(?i)增减|増減|增減|伸び|前年比|差$|change|variation|évolution|écart|differ|diferenci|verschil|skillnad|forskel|forskjell|mutatie|veränder|diff|(?:^|\PL)net(?:\PL|$)|zu-|abnahme|variaci|variaz|variaç|verandering|muutos|förändring|ændring|zmiana|przyrost|změna|přírůstek|változás|değişim|\bfark\b|\bsald[eo]\b|\bsolde\b|증감`)

// eachWords match headings of what is counted per unit of something, such as a person or an area: a whole number below
// them may be a quotient that is rounded to no decimals.
var eachWords = lazy.Regexp(`(?i)当たり|当り|あたり|\bper\b|\bje\b|\bpar\b|\bpro\b`)

// thousandWords match headings of rates per thousand, ten thousand or hundred thousand.
var thousandWords = lazy.Regexp(`‰|[千万]人|[1１][0０]万|10{0,2}[,. ]?000|mille|thousand|tausend`)

// columns returns the columns of a chunk as lines, and the totals of groups that their numbers may be shares of.
func (k chunk) columns() []line { return append(k.down(), k.within()...) }

// down returns the columns of a chunk as lines, and its grand total.
func (k chunk) down() []line {
	var all []line
	balance := k.balance()
	for i, c := range k.cols {
		l := k.column(c)
		l.total, l.neg = i, l.neg && !balance
		h := k.n.heading(k.rows[0], c)
		l.word, l.said, l.each = h.word, h.said, h.each
		// nobody says per how many where a program computed a rate, of which all decimals agree with no other formula
		l.many = h.many || l.said && (k.titled(thousandWords().MatchString) || l.places.places >= unroundedPlaces)
		l.all, l.allv = k.n.column(c)
		all = append(all, l)
	}
	return append(all, k.grand(len(k.rows))...)
}

// sources is bare for chunk b to be computed from. In the rows of b itself, columns that are called computed have no
// numbers: those of b would be shares of shares, which fit by accident where columns are proportional, and would hide
// what they are shares of.
func (k chunk) sources(b chunk) []line {
	all := k.bare()
	for i, c := range k.cols {
		if k.n == b.n && k.rows[0] == b.rows[0] && k.n.heading(k.rows[0], c).said {
			n := len(all[i].v)
			all[i] = line{at: all[i].at, v: make([]figureOf, n), marks: make([]bool, n), fixed: true}
		}
	}
	return all
}

// bare is down without what the headings say of the columns.
func (k chunk) bare() (all []line) {
	for _, c := range k.cols {
		l := k.column(c)
		l.all, l.allv = k.n.column(c)
		all = append(all, l)
	}
	return append(all, k.grand(len(k.rows))...)
}

// grand returns a line that has the largest number of the chunk, which may be the total of all, in so many places; and
// one with the largest number of the columns that do not say that they are computed, where it is another.
func (k chunk) grand(places int) (all []line) {
	for _, plain := range []bool{false, true} {
		cols := k.cols
		if plain {
			cols = k.plain(cols)
		}
		at, f := k.largest(k.rows, cols)
		if !f.ok && plain || len(all) > 0 && all[0].at[0] == at {
			break
		}
		all = append(all, line{fixed: true, at: slices.Repeat([]fieldAt{at}, places), v: slices.Repeat([]figureOf{f}, places), marks: make([]bool, places)})
	}
	return all
}

// plain returns those of some columns that do not say that they are computed.
func (k chunk) plain(cols []int) []int {
	return slices.DeleteFunc(slices.Clone(cols), func(c int) bool {
		l := k.column(c)
		return k.n.heading(k.rows[0], c).said || l.percent()
	})
}

// largest returns the largest number of some rows and columns that is not known to be computed.
func (k chunk) largest(rows, cols []int) (at fieldAt, f figureOf) {
	for _, c := range cols {
		for _, r := range rows {
			if x := k.n.figure(r, c); x.ok && (!f.ok || x.v > f.v) && k.n.found[fieldAt{k.n.g.Sheet, r, c}] == nil {
				at, f = fieldAt{k.n.g.Sheet, r, c}, x
			}
		}
	}
	return at, f
}

// mostGroups bounds how many groups of rows are looked at for totals that shares may be of.
const mostGroups = 64

// within returns lines with the largest number of each group of rows, for each column and for all columns: totals that
// shares may be of, such as those of one sex. A group is a run of rows with labels that come again in other runs, or
// all rows with one label. It adds the lines of besides.
func (k chunk) within() (all []line) {
	if k.again(0) < 0 && k.again(1) < 0 { // where labels come again, the first or the second one does
		return k.besides()
	}
	segment, label := make([]int, len(k.rows)), make([]int, len(k.rows))
	seen, number := map[string]bool{}, map[string]int{}
	segments := 0
	for i, r := range k.rows {
		name := k.label(r)
		if name == "" {
			return k.besides()
		}
		if seen[name] {
			segments++
			clear(seen)
		}
		seen[name] = true
		if _, ok := number[name]; !ok {
			number[name] = len(number)
		}
		segment[i], label[i] = segments, number[name]
	}
	plain := k.plain(k.cols)
	for g, groups := range [][]int{segment, label} {
		if segments == 0 || len(number) == 1 || []int{segments, len(number)}[g] > mostGroups {
			continue
		}
		rows := map[int][]int{}
		for i, g := range groups {
			rows[g] = append(rows[g], k.rows[i])
		}
		for from := range len(k.cols) + 1 {
			cols := plain
			if from < len(k.cols) {
				cols = k.cols[from : from+1]
			}
			l := line{fixed: true, marks: make([]bool, len(k.rows))}
			at, of := map[int]fieldAt{}, map[int]figureOf{}
			for g := range rows {
				at[g], of[g] = k.largest(rows[g], cols)
			}
			for _, g := range groups {
				l.at, l.v = append(l.at, at[g]), append(l.v, of[g])
			}
			all = append(all, l)
		}
	}
	return append(all, k.besides()...)
}

// besides returns, for each header text that stands above several but not all columns, a line with the largest number
// below it.
func (k chunk) besides() (all []line) {
	for _, r := range k.header {
		cols, order, last := map[string][]int{}, []string(nil), ""
		for _, c := range k.cols {
			if s := strings.TrimFunc(k.n.v.text(r, c), isBlank); s != "" {
				last = s
			}
			if cols[last] == nil {
				order = append(order, last)
			}
			cols[last] = append(cols[last], c)
		}
		for _, s := range order {
			if len(order) > 1 && len(cols[s]) > 1 {
				if at, f := k.largest(k.rows, k.plain(cols[s])); f.ok {
					n := len(k.rows)
					all = append(all, line{fixed: true, at: slices.Repeat([]fieldAt{at}, n), v: slices.Repeat([]figureOf{f}, n), marks: make([]bool, n)})
				}
			}
		}
	}
	return all
}

// column returns one column as a line.
func (k chunk) column(c int) line {
	l := line{}
	for _, r := range k.rows {
		l.at = append(l.at, fieldAt{k.n.g.Sheet, r, c})
		neg := l.neg
		// a row of changes may be below 0 whatever the column counts
		if l.add(k.n, r, c); l.neg && !neg && k.n.spoken(k.label(r)).word {
			l.neg = false
		}
	}
	return l
}

// rowLines returns the rows of a chunk as lines. Rows with the same label share their number of decimals: 45 among
// shares like 20.37 is 45.00.
func (k chunk) rowLines() []line {
	var all []line
	places := map[string]int{}
	for i, r := range k.rows {
		l := line{total: i}
		for c := range k.n.g.Rows[r] {
			beside := len(k.stub) > 0 && c < k.stub[0] || len(k.cols) > 0 && c > lastOf(k.cols) && slices.ContainsFunc(k.n.at[r][c:], func(f figureOf) bool { return f.ok })
			if k.n.v.kind(r, c) == text && !beside { // a text beside the chunk tells of other numbers
				of := k.n.spoken(k.n.g.At(r, c).Text)
				l.word, l.said = l.word || of.word, l.said || of.said
			}
		}
		for _, c := range k.cols {
			l.at = append(l.at, fieldAt{k.n.g.Sheet, r, c})
			l.add(k.n, r, c)
		}
		l.all, l.allv = l.at, l.v
		all = append(all, l)
		places[k.label(r)] = max(places[k.label(r)], l.places.places)
	}
	for i, r := range k.rows {
		if name := k.label(r); name != "" {
			all[i].places.places = places[name]
		}
	}
	return append(all, k.grand(len(k.cols))...)
}

func (l *line) add(n *numbers, r, c int) {
	f := n.figure(r, c)
	// what is computed from a computed number is computed from the sources of that one
	computed := n.found[fieldAt{n.g.Sheet, r, c}] != nil
	if computed {
		f = figureOf{}
	}
	l.marks = append(l.marks, !computed && n.v.kind(r, c) == mark)
	if l.v = append(l.v, f); !f.ok {
		return
	}
	l.n++
	l.most = max(l.most, math.Abs(f.v))
	l.places.places = max(l.places.places, f.places)
	l.neg = l.neg || f.v < 0
	at := n.g.At(r, c)
	switch {
	case strings.Contains(at.Text, "%"):
		l.pct = true
	case at.Style != nil && isPercent(at.Style.Format):
		l.part = true
	case f.v != 0:
		l.bare = true
	}
}

// percent reports whether the numbers of a line are written as per cents. Where only some are fractions formatted as
// per cent, the others are counts, and the line is none of shares.
func (l *line) percent() bool { return l.pct || l.part && !l.bare }

// told reports whether a line has a number in a place, or a mark for one.
func (l *line) told(i int) bool { return l.v[i].ok || l.marks[i] }

// above reports whether some number of x is larger than the one beside it in y, as no part is.
func (x *line) above(y *line) bool {
	for i, v := range x.v {
		if v.ok && y.v[i].ok && v.v > y.v[i].v {
			return true
		}
	}
	return false
}

// finer reports whether numbers have more decimals than those of l, which are then not computed from them, unless they
// are called computed, and no quotients of something else.
func (l *line) finer(places int) bool { return places > l.places.places && (!l.says() || l.each) }

// says reports whether the header, label or format of a line says that it is computed.
func (l *line) says() bool { return l.word || l.said || l.percent() }

// least returns how many bits of evidence a formula of the line needs: half as many where the line says that it is
// computed.
func (l *line) least() float64 {
	if l.says() {
		return leastEvidence / 2
	}
	return leastEvidence
}

// inOne returns all numbers of a chunk as one line.
func (k chunk) inOne() *line {
	l := &line{}
	for _, r := range k.rows {
		for _, c := range k.cols {
			l.at = append(l.at, fieldAt{k.n.g.Sheet, r, c})
			l.add(k.n, r, c)
		}
	}
	return l
}

// flat returns all numbers of a chunk as one line, with what the texts above say of it.
func (k chunk) flat() *line {
	l := k.inOne()
	h := k.n.heading(k.rows[0], k.cols[0])
	l.word, l.said = h.word, h.said
	for _, r := range k.above {
		word, every := false, true
		for c := k.left0(); c <= k.cols[len(k.cols)-1]; c++ {
			t := k.n.v.text(r, c)
			is := t != "" && k.n.v.kind(r, c) == text
			change := is && changeWords().MatchString(t)
			l.said, word = l.said || is && derivedWords().MatchString(t), word || change
			every = every && (change || t == "" || c < k.cols[0])
		}
		l.word = l.word || word && every // else the text belongs to the one column below it
	}
	l.said = l.said || k.hundreds()
	return l
}

// isPercent reports whether a number format shows per cents. Quoted text is only printed beside the number.
func isPercent(format string) bool {
	for k, part := range strings.Split(format, `"`) {
		if k%2 == 0 && strings.Contains(part, "%") {
			return true
		}
	}
	return false
}
