package layout

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
)

// A part is a block that has been read: its rows and columns arranged in dimensions.
type part struct {
	b          *block
	h          *head
	rows, cols []level        // dimensions; their entries are one per row of data or column of values
	stub       []level        // label columns from which rows are made
	data       []int          // rows of the grid that hold data
	values     []int          // columns of the grid that hold values
	derived    map[int]string // columns computed from others, with the reason
	leftRows   map[int]string // rows computed from others, with the reason
	notes      []Note
	title      string
	name       string
	unit       unitText
	outer      *entry  // distinguishes parts that differ only by their heading or sheet
	told       bool    // whether it has a title of its own
	copies     []*part // parts on other sheets that repeat this one
	pages      []*part // the parts that copies repeat, where a copy repeats several
	open       []Ambiguity
}

// readPart reads a block.
func readPart(b *block, o *Options) *part {
	p := &part{b: b, h: b.readHeader(), derived: map[int]string{}, leftRows: map[int]string{}}
	b.head = p.h
	stub := b.readStub(p.h, o)
	keep := make([]bool, len(b.values))
	for i, c := range b.values {
		why := p.computed(i, c, o)
		if why != "" {
			p.derived[c] = why
			continue
		}
		keep[i] = true
		p.values = append(p.values, c)
	}
	p.h.keep(keep)
	p.h.settle()
	p.cols = factor(p.h.levels)
	// leave out rows that are computed from others, unless all are
	keepRow, why, left := make([]bool, len(b.data)), make([]string, len(b.data)), 0
	for i := range b.data {
		keepRow[i] = true
		for _, l := range stub {
			switch e := &l.at[i]; {
			case e.label == "":
			case slices.Contains(o.Derived, e.label) || slices.Contains(o.Derived, e.code) && e.code != "":
				keepRow[i], why[i] = false, asSaid
				if ofOthers(e.raw) {
					why[i] = asSaidOfAll
				}
			case slices.Contains(o.others, e.label):
				keepRow[i], why[i] = false, asMeasure
			case derivedRow(e.label):
				keepRow[i], why[i] = false, cmp.Or(why[i], "computed from other rows by its label")
			}
		}
		if keepRow[i] && called(o.Derived, stub, i) { // by what stands in several columns of labels
			keepRow[i], why[i] = false, asSaid
		}
		if !keepRow[i] {
			left++
		}
	}
	if left == len(b.data) {
		for i := range keepRow {
			keepRow[i] = true
		}
	}
	for i, r := range b.data {
		if keepRow[i] {
			p.data = append(p.data, r)
		} else {
			p.leftRows[r] = why[i]
		}
	}
	for k := range stub {
		var at []entry
		for i := range stub[k].at {
			if keepRow[i] {
				at = append(at, stub[k].at[i])
			}
		}
		stub[k].at = at
	}
	var levels []level
	for _, l := range stub {
		if labels := l.distinct(); len(labels) == 1 && labels[0] == "" {
			continue
		}
		levels = append(levels, l)
	}
	if len(levels) > 1 {
		p.stub = levels
	}
	p.rows = rowsOf(levels)
	if len(p.cols) == 1 {
		p.nameBlank(&p.cols[0])
	}
	for k := range p.cols {
		fillTotals(&p.cols[k])
	}
	for _, levels := range [][]level{p.rows, p.cols} {
		for k := range levels {
			levels[k].tellMemos()
		}
	}
	p.rename(p.cols, func(i int) bool {
		return addsUp(i, len(p.values), len(p.data), func(line, place int) (int64, bool) { return p.at(place, line) })
	})
	p.readNotes()
	return p
}

// rowsOf returns the dimensions that the label columns make up.
func rowsOf(stub []level) []level {
	if len(stub) > 1 { // factor changes its argument
		stub = slices.Clone(stub)
		for k := range stub {
			stub[k].at = slices.Clone(stub[k].at)
		}
	}
	rows := factor(stub)
	for k := range rows {
		fillTotals(&rows[k])
	}
	return rows
}

// readTogether reads the row labels of a group and of p again, as those of one table: an outer label that tells
// the rows of different pages apart may stand alone on its page. It reports whether all rows can then be told
// apart.
func readTogether(group []*part, p *part) bool {
	all := append(slices.Clone(group), p)
	stub := make([]level, len(p.stub))
	for _, q := range all {
		if len(q.stub) != len(stub) || q.outer != nil {
			return false
		}
		for k := range stub {
			stub[k].name = cmp.Or(stub[k].name, q.stub[k].name)
			stub[k].at = append(stub[k].at, q.stub[k].at...)
		}
	}
	rows := rowsOf(stub)
	seen := map[string]bool{}
	for i := range stub[0].at {
		key := ""
		for k := range rows {
			key += rows[k].at[i].key() + "\x00"
		}
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	from := 0
	for _, q := range all {
		q.rows = nil
		for k := range rows {
			l := rows[k]
			l.at = rows[k].at[from : from+len(q.data)]
			l.tellMemos()
			q.rows = append(q.rows, l)
		}
		from += len(q.data)
	}
	return true
}

// tellMemos renames memo entries ("of which …") whose label without these words is also the label of another
// entry: they get their label as written.
func (l *level) tellMemos() {
	own := map[string]bool{}
	for i := range l.at {
		if !l.at[i].memo {
			own[l.at[i].key()] = true
		}
	}
	for i := range l.at {
		if e := &l.at[i]; e.memo && e.code == "" && own[e.label] && clean(e.raw) != e.label {
			e.label = clean(e.raw)
		}
	}
}

// computed returns why column i of values, column c of the grid, is taken to be computed from others, "" if it is not.
func (p *part) computed(i, c int, o *Options) string {
	b := p.b
	why := p.h.derived[i]
	if why != "" && (ofLine(why) || ofLine(p.h.units[i].unit)) {
		why = asMeasure
	}
	if b.saved != nil {
		why = "" // the saved layout names them
		if slices.Contains(b.saved.Derived, b.v.g.column(c)) {
			why = asLaid
		}
	}
	switch {
	case isDerived(o.Derived, b.v.g, c, p.h, i):
		why = asSaid
	case isDerived(o.others, b.v.g, c, p.h, i):
		why = asMeasure
	}
	if (why == asSaid || why == asLaid) && p.h.called(i, ofOthers) {
		why = asSaidOfAll
	}
	return why
}

// readNotes sets title, name, unit and notes of the part.
func (p *part) readNotes() {
	p.title, p.name, p.unit, p.told = "", "", unitText{}, false
	p.notes = p.b.notesOf()
	for _, n := range p.notes {
		switch {
		case n.What == "title" && p.title == "":
			p.title = n.Text
			p.told = true
		}
	}
	// a heading over all columns of a table to the right of another
	if c := p.h.constants; !p.told && p.b.v.left > 0 && len(c) > 0 {
		p.title, p.told = c[0], true
	}
	if u, rest, ok := unitIn(p.title); ok {
		p.unit = u
		p.title = beforeUnit(p.title, rest)
	}
	p.title = strings.TrimFunc(strings.ReplaceAll(p.title, "\n", " "), isBlank)
	p.name = nameIn(p.title)
	for _, n := range p.notes {
		if m := scaled1000().FindStringSubmatch(n.Text); m != nil && p.unit == (unitText{}) {
			p.unit.times = timesOf(m[1])
		}
		if u, _, ok := unitIn(n.Text); ok && n.What == "unit" {
			p.unit = u
		}
	}
}

var scaled1000 = lazy.Regexp(`(?i)\b(?:numbers?|figures|data|persons|employees|jobs) in (thousands|millions)\b`)

// derivedRow reports whether a row label says that the row is computed from others.
func derivedRow(label string) bool {
	w := wordOf(label)
	for _, d := range []string{"構成比", "構成率", "割合", "前年比", "対前年比", "対前年増減率", "増減率", "増減", "増減数", "percent", "percentage", "%", "in%", "en%", "inprozent", "share", "change"} {
		if w == d || strings.HasPrefix(w, d+"(") || strings.HasPrefix(w, d+"（") || strings.HasPrefix(d, "構成") && strings.HasSuffix(w, d) {
			return true
		}
	}
	return false
}

// isDerived reports whether names has column c, by its number, its letter or one of its labels.
func isDerived(names []string, g *Grid, c int, h *head, i int) bool {
	for _, d := range names {
		if d == g.column(c) || d == columnName(g.origin(c).column) || d == "("+g.column(c)+")" { // as nameBlank calls a column without a header
			return true
		}
	}
	return called(names, h.levels, i)
}

// called reports whether one of the names is the code or label of line i in a level, or its labels in adjacent levels,
// which make one code where the inner ones alone would not be distinct.
func called(names []string, levels []level, i int) bool {
	for from := range levels {
		name := ""
		for _, l := range levels[from:] {
			if i >= len(l.at) {
				break
			}
			e := &l.at[i]
			name = strings.TrimLeft(name+" "+e.label, " ")
			if e.label != "" && slices.Contains(names, name) || e.code != "" && slices.Contains(names, e.code) {
				return true
			}
		}
	}
	return false
}

// nameIn returns the number of a table in its title: Table 2a, 表3.
func nameIn(title string) string {
	s := tableName().FindString(title)
	return strings.TrimRight(s, ".: ")
}

// nameBlank names columns without a header after their letters where they cannot be the total: another column is
// the total, or several have no header.
func (p *part) nameBlank(l *level) {
	var blank []int
	total := false
	for i := range l.at {
		if l.at[i].key() == "" {
			blank = append(blank, i)
		}
		total = total || isTotalName(l.at[i].label)
	}
	if !total && len(blank) < 2 || len(blank) == len(l.at) {
		return
	}
	for _, i := range blank {
		name := "(" + p.b.v.g.column(p.values[i]) + ")"
		l.at[i].label, l.at[i].raw, l.at[i].guess = name, name, true
	}
}

// fillTotals gives empty labels among others the name of the total.
func fillTotals(l *level) {
	var total *entry
	empty := false
	for i := range l.at {
		e := &l.at[i]
		if e.key() == "" {
			empty = true
		} else if total == nil && isTotalName(e.label) {
			total = e
		}
	}
	if !empty {
		return
	}
	e := entry{label: "Total", guess: true}
	if isJapanese(l) || len(l.at) > 0 && hasJapanese(l) {
		e.label = "総数"
	}
	if total != nil {
		e = *total
	}
	for i := range l.at {
		if l.at[i].key() == "" {
			gap := l.at[i].gap
			l.at[i] = e
			l.at[i].gap, l.at[i].whole = gap, true
		}
	}
}

func hasJapanese(l *level) bool {
	for i := range l.at {
		if strings.ContainsFunc(l.at[i].label, cjk) {
			return true
		}
	}
	return false
}

// keys returns the set of keys of a dimension.
func keys(l *level) map[string]bool {
	m := map[string]bool{}
	for i := range l.at {
		m[l.at[i].key()] = true
	}
	return m
}

func sameKeys(a, b []level) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		x, y := keys(&a[k]), keys(&b[k])
		if len(x) != len(y) {
			return false
		}
		for s := range x {
			if !y[s] {
				return false
			}
		}
	}
	return true
}

// inCommon counts the keys that two levels share.
func inCommon(a, b *level) (n int) {
	x, y := keys(a), keys(b)
	for s := range x {
		if y[s] {
			n++
		}
	}
	return n
}
