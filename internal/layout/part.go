package layout

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// gather groups the parts that belong to one table: columns or rows that continue in another block or on another
// sheet, and tables that differ only by their heading or sheet.
func gather(parts []*part) [][]*part {
	var groups [][]*part
	for _, p := range parts {
		placed := false
		for _, q := range parts {
			if q == p {
				break
			}
			if placed = q.b.v.g != p.b.v.g && len(same([]*part{q}, p)) > 0; placed {
				q.copies = append(q.copies, p)
				break
			}
		}
		for g := len(groups) - 1; g >= 0 && !placed; g-- {
			if joins(groups[g], p) && p.called(groups[g]) {
				groups[g] = append(groups[g], p)
				placed = true
			}
		}
		if !placed {
			groups = append(groups, []*part{p})
		}
	}
	var kept [][]*part
	for _, g := range groups {
		p := g[0]
		k := slices.IndexFunc(kept, func(of []*part) bool { // a table in several parts that g repeats
			return len(g) == 1 && len(of) > 1 && of[0].b.v.g != p.b.v.g && len(same(of, p)) > 0
		})
		if k >= 0 {
			kept[k][0].copies, kept[k][0].pages = append(kept[k][0].copies, p), kept[k]
		} else {
			kept = append(kept, g)
		}
	}
	return kept
}

// called reports whether p has an outer label if the group has them; it takes over that of a part on the same
// sheet if it has none of its own.
func (p *part) called(group []*part) bool {
	for _, q := range group {
		if p.outer == nil && q.outer != nil && q.b.v.g == p.b.v.g {
			p.outer = q.outer
		}
	}
	return p.outer != nil || group[0].outer == nil
}

// same returns pairs of fields: those of the copy q and those of p, or of all pages of its table, that they
// repeat.
func (p *part) same(q *part) [][2]Rect {
	if pairs := same([]*part{p}, q); pairs != nil || p.pages == nil {
		return pairs
	}
	return same(p.pages, q)
}

// same pairs the fields of p with those of a table that has the same labels, if all their numbers agree; else it
// returns nil.
func same(table []*part, p *part) (pairs [][2]Rect) {
	q := table[0]
	if len(q.rows) != len(p.rows) || len(q.cols) != len(p.cols) {
		return nil
	}
	at := map[string]Rect{}
	for _, q := range table {
		if q.b.v.g != table[0].b.v.g || len(table) > 1 && q.outer != nil {
			return nil
		}
		q.each(func(key string, at1 Rect) { at[key] = at1 })
	}
	told, differ := 0, len(at) != len(p.data)*len(p.values)
	p.each(func(key string, f Rect) {
		o, ok := at[key]
		if !ok {
			differ = true
			return
		}
		a, b := p.b.v.value(f.Top, f.Left), q.b.v.value(o.Top, o.Left)
		if a.Value == nil || b.Value == nil {
			return
		}
		if !equal(*a.Value, *b.Value) {
			differ = true
		} else if *a.Value != "0" {
			told++
		}
		pairs = append(pairs, [2]Rect{f, o})
	})
	if differ || told < 3 {
		return nil
	}
	return pairs
}

// equal reports whether two decimals are the same number.
func equal(a, b Decimal) bool {
	x, ok := scaled(string(a), maxPlaces)
	y, also := scaled(string(b), maxPlaces)
	return ok && also && x == y
}

// each calls do with the labels and the place of every field of the part.
func (p *part) each(do func(key string, at Rect)) {
	for i, r := range p.data {
		row := ""
		for k := range p.rows {
			row += p.rows[k].at[i].key() + "\x00"
		}
		for j, c := range p.values {
			key := row
			for k := range p.cols {
				key += p.cols[k].at[j].key() + "\x00"
			}
			do(key, Rect{r, c, r, c})
		}
	}
}

// joins reports whether p is a further part of the table of group.
func joins(group []*part, p *part) bool {
	first := group[0]
	sameSheet := first.b.v.g == p.b.v.g
	if len(p.stub) > 1 && sameSheet && (!p.told || goesOn(p.title, first.title)) && sameKeys(first.cols, p.cols) &&
		(len(first.rows) != len(p.rows) || slices.ContainsFunc(group, func(q *part) bool { return rowsInCommon(q, p) })) {
		return readTogether(group, p)
	}
	if len(first.rows) != len(p.rows) || len(first.cols) != len(p.cols) {
		return false
	}
	rows, cols := sameKeys(first.rows, p.rows), sameKeys(first.cols, p.cols)
	told := p.told && !slices.Contains(first.h.constants, p.title) // a constant over the columns of both is no title
	goesOn := told && (goesOn(p.title, first.title) || cols && lengthens(p.title, first.title) && !slices.ContainsFunc(group, func(q *part) bool { return rowsInCommon(q, p) }))
	of, label := headings(first, p)
	if rows && cols && sameSheet && of != "" && encloseAs(group, p, of, label) {
		return true
	}
	// the names of the parts do not say which of them p continues
	if first.outer != nil && sameSheet && !(rows && cols) {
		return false
	}
	heading := !goesOn && told && !isTitleText(p.title) && len([]rune(p.title)) <= 12
	switch {
	case !sameSheet && slices.ContainsFunc(group, func(q *part) bool { return sameKeys(q.rows, p.rows) && sameKeys(q.cols, p.cols) }):
		return enclose(group, p)
	case !sameSheet && !goesOn && told && (first.title == "" || first.title != p.title),
		sameSheet && told && first.told && !heading && !goesOn && p.title != first.title:
		return false
	case rows && cols && sameSheet && heading && p.title != first.title:
		return enclose(group, p)
	case rows && len(p.cols) == 1 && !heading && inCommon(&first.cols[0], &p.cols[0]) == 0:
		return true
	case cols && len(p.rows) > 0 && !heading:
		k := len(p.rows) - 1
		if len(p.rows) > 1 {
			k = 0
		}
		for _, q := range group {
			if inCommon(&q.rows[k], &p.rows[k]) > 0 && (told && !goesOn || rowsInCommon(q, p)) {
				return false
			}
		}
		return true
	}
	return false
}

// rowsInCommon reports whether some row of one part has the same labels as a row of the other.
func rowsInCommon(a, b *part) bool {
	name := func(p *part, i int) (s string) {
		for k := range p.rows {
			s += p.rows[k].at[i].key() + "\x00"
		}
		return s
	}
	seen := map[string]bool{}
	for i := range a.data {
		seen[name(a, i)] = true
	}
	for i := range b.data {
		if seen[name(b, i)] {
			return true
		}
	}
	return false
}

// headings returns what stands directly over the columns of two parts and differs: a text that all columns of
// each part share, or the last text above each header. It returns nothing if there is no such pair, or if more
// stands above the second part.
func headings(a, b *part) (of, label string) {
	x, y := a.h.constants, b.h.constants
	above := b.texts()
	if len(x) != len(y) || len(above) > 1 {
		return "", ""
	}
	for i := range x {
		if x[i] != y[i] && len(above) == 0 {
			return x[i], y[i]
		}
	}
	first := a.texts()
	if len(first) == 0 || len(above) == 0 {
		return "", ""
	}
	of, label = akin(first, above[0]), above[0]
	for _, s := range []string{of, label} {
		if s == "" || of == label || isTitleText(s) || isNoteText(s) || goOnWords().MatchString(s) {
			return "", ""
		}
	}
	return of, label
}

// akin returns the text that has most words of another, the last one where several have: a title, rather than the day
// or unit below it, is what the title of the next table stands beside.
func akin(texts []string, other string) string {
	best, most := texts[len(texts)-1], 0
	words := strings.Fields(other)
	for _, text := range texts {
		n := 0
		for _, w := range strings.Fields(text) {
			if slices.Contains(words, w) {
				n++
			}
		}
		if n > most {
			best, most = text, n
		}
	}
	return best
}

// unlikeLine returns the only line in which two lists of texts differ, or nothing if they differ in more than
// one.
func unlikeLine(a, b []string) (of, label string) {
	if len(a) != len(b) {
		return "", ""
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if of != "" || a[i] == "" || b[i] == "" {
			return "", ""
		}
		of, label = a[i], b[i]
	}
	if isTitleText(of) || isTitleText(label) {
		return "", ""
	}
	return of, label
}

// texts returns the texts above the header of the part, one per row; a row of several texts gives an empty one.
func (p *part) texts() (all []string) {
	for _, r := range p.b.above {
		switch row := &p.b.v.rows[r]; len(row.at) {
		case 0:
		case 1:
			all = append(all, strings.TrimFunc(p.b.v.text(r, int(row.at[0])), isBlank))
		default:
			all = append(all, "")
		}
	}
	return all
}

// names returns its texts without those that are units. A panel for persons may be headed by the same word as a
// unit.
func (p *part) names() []string {
	return slices.DeleteFunc(p.texts(), func(text string) bool {
		_, _, unit := unitIn(text)
		return unit || isUnit(text)
	})
}

// goOnWords matches words that say that a table continues from another page.
var goOnWords = lazy.Regexp(`(?i)[（(\[]?\s*(?:つ\s*づ\s*き|続\s*き|前頁より|continued|cont(?:inuation|\.?'?d\.?|\.)|noch\b:?|fortsetzung|forts\.|suite(?:\s+et\s+fin)?\b|fin\b|continúa|continuación|segue|vervolg|dok\.|c\.?d\.|jatk(?:oa?|uu)|forts(?:at|ättning)?|folytatás|devamı?|continuação|pokračování|계속)\s*[)）\]]?`)

// goesOn reports whether a title says that it continues the table titled first.
func goesOn(title, first string) bool {
	rest := goOnWords().ReplaceAllString(title, "")
	if rest == title {
		return false
	}
	rest = strings.TrimRight(squeeze(rest), " .,:–—-")
	first = squeeze(first)
	return strings.HasPrefix(first, rest) || strings.HasSuffix(first, rest) || nameIn(rest) == rest && nameIn(first) == "" || // the title without, or nothing but, the number of the table
		isNameAlone(rest, first)
}

// lengthens reports whether a title repeats another, of several words, with a word or two before or behind it: those for
// going on, in whatever language.
func lengthens(title, first string) bool {
	title, first = squeeze(title), squeeze(first)
	more, ok := strings.CutPrefix(title, first)
	if !ok {
		more, ok = strings.CutSuffix(title, first)
	}
	return ok && utf8.RuneCountInString(first) >= 12 && more != "" && utf8.RuneCountInString(more) <= 16 && !hasDigit(more) && len(strings.Fields(more)) < 4
}

// tableWords matches the word for a table, and its number.
var tableWords = lazy.Regexp(`(?i)^(?:table(?:au)?|tabelle?|tabell|tabla|tabela|tablica|tavola|cuadro|taulukko|表)\b\.?\s*([0-9]+[a-z]?(?:[.-][0-9]+[a-z]?)*)?`)

// isNameAlone reports whether a title is only the word for a table, with or without a number, and other has no
// different number.
func isNameAlone(title, other string) bool {
	name, of := tableWords().FindStringSubmatch(title), tableWords().FindStringSubmatch(other)
	return name != nil && name[0] == title && (name[1] == "" || of == nil || of[1] == "" || name[1] == of[1])
}

// enclose makes the heading or sheet by which the parts of a table differ a dimension of its own.
func enclose(group []*part, p *part) bool {
	first := group[0]
	of, label := first.title, p.title
	for _, q := range group {
		if q.b.v.g == p.b.v.g && q.outer != nil { // the next page of a sheet
			p.outer = q.outer
			return true
		}
	}
	if first.b.v.g != p.b.v.g {
		if of, label = unlikeIn(first.title, p.title); of == "" || label == "" {
			of, label = unlikeLine(first.names(), p.names())
		}
		if of == "" || label == "" {
			of, label = first.b.v.g.Sheet, p.b.v.g.Sheet
		}
	}
	return encloseAs(group, p, of, label)
}

// encloseAs gives the parts of a group the outer label of, if they have none yet, and p the outer label label. It
// reports whether that tells p apart from them.
func encloseAs(group []*part, p *part, of, label string) bool {
	first := group[0]
	if first.outer == nil {
		if isTitleText(of) || of == "" || slices.ContainsFunc(group, func(q *part) bool { return q.b.v.g != first.b.v.g }) {
			return false
		}
		for _, q := range group {
			q.outer = &entry{label: clean(of), raw: of, tab: of == first.b.v.g.Sheet}
		}
	}
	for _, q := range group {
		if q.outer == nil || q.outer.label == clean(label) {
			return false
		}
	}
	p.outer = &entry{label: clean(label), raw: label, tab: label == p.b.v.g.Sheet}
	return true
}

// unlikeIn returns the parts of two titles that differ: what stands between their common beginning and end, or
// nothing if that is most of a title.
func unlikeIn(a, b string) (string, string) {
	if a == b { // else a year at the end of both would be taken for a difference
		return "", ""
	}
	x, y := []rune(a), []rune(b)
	start, end := 0, 0
	for start < len(x) && start < len(y) && x[start] == y[start] {
		start++
	}
	for end < len(x)-start && end < len(y)-start && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	inWord := func(s []rune, k int) bool { // inside a word, except in CJK, which does not separate words
		return k > 0 && k < len(s) && isWord(s[k-1]) && isWord(s[k])
	}
	for start > 0 && (inWord(x, start) || inWord(y, start)) {
		start--
	}
	for end > 0 && (inWord(x, len(x)-end) || inWord(y, len(y)-end)) {
		end--
	}
	if s, e := wholeYear(x, start, end); s < start || e < end { // 令和3年, not just 3
		if t, f := wholeYear(y, start, end); s == t && e == f {
			start, end = s, e
		}
	}
	trim := func(s []rune) string {
		return strings.Trim(string(s[start:len(s)-end]), " \u3000–—-:：,，、()（）")
	}
	of, label := trim(x), trim(y)
	if 2*utf8.RuneCountInString(of) > len(x) || 2*utf8.RuneCountInString(label) > len(y) {
		return "", ""
	}
	return of, label
}

// japaneseYear matches a year as Japanese titles write it.
var japaneseYear = lazy.Regexp(`(?:明治|大正|昭和|平成|令和)(?:元|[0-9０-９]{1,2})年度?|[0-9０-９]{4}年度?`)

// wholeYear extends a difference that cuts into a year to the whole year: it returns start and end so that
// nothing of the year is left outside, or as they are if no year is cut.
func wholeYear(s []rune, start, end int) (int, int) {
	text := string(s)
	for _, m := range japaneseYear().FindAllStringIndex(text, -1) {
		if from, to := utf8.RuneCountInString(text[:m[0]]), utf8.RuneCountInString(text[:m[1]]); from <= start && to >= len(s)-end {
			return from, len(s) - to
		}
	}
	return start, end
}

func isWord(r rune) bool {
	return unicode.IsDigit(r) || r == '/' || unicode.IsLetter(r) && !cjk(r)
}

// beforeUnit returns a title without the unit at its end, with its blanks as they are.
func beforeUnit(title, rest string) string {
	for k := len(title); k > 0; k-- {
		if utf8.RuneStart(title[min(k, len(title)-1)]) && squeeze(title[:k]) == rest {
			return title[:k]
		}
	}
	return rest
}
