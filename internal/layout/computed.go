package layout

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// A computed number is one that other numbers of the file explain. It is no cell of a table, but it reveals something
// about the cells that it is computed from.
type computed struct {
	at  fieldAt
	how string
	of  []fieldAt

	in map[fieldAt]bool // of as a set, made where it is long

	said bool    // its header, label or format says that it is computed
	base fieldAt // the divisor of a quotient, where it stands in a line of its own
}

// How numbers are computed.
const (
	asColumnShare = "per cent of the column total"
	asRowShare    = "per cent of another column"
	asGrandShare  = "per cent of the grand total"
	asQuotient    = "quotients"
	asChange      = "changes in per cent"
	asDifference  = "differences"
	asRank        = "ranks"
	asRepeat      = "repeated values"
	asCumulated   = "sum of columns"
	asRounded     = "rounded values"
	asMeasure     = "of another measure"
)

// leastEvidence is how many bits of evidence a formula needs before a line of numbers is taken to be computed by it:
// some 2^12 formulas are tried for each line, and one line in 2^12 may be taken wrongly.
const leastEvidence = 24

// evidenceOfPair is how many bits of evidence a difference of two columns needs, beyond those that choosing the two
// costs, where its numbers are known to be computed.
const evidenceOfPair = 5

// evidenceOfPlaces is how many bits of evidence the order of numbers must give before they are taken for ranks of
// others. That they run from 1 to how many there are is evidence as well.
const evidenceOfPlaces = 15

// mostTried bounds how many formulas are tried in one file.
const mostTried = 1 << 26

// mostLooked bounds how many lines and numbers of one file are looked at to find formulas worth trying.
const mostLooked = 1 << 26

// A figureOf is a number of a grid and how many decimals it is written with.
type figureOf struct {
	v      float64
	places int
	ok     bool
}

// A surveyor looks for numbers that are computed from others, by the numbers alone.
type surveyor struct {
	sheets []*numbers
	tried  int
	looked int
	half   float64 // how far off a number may be by rounding, where others were computed from it before it was rounded
	found  map[fieldAt]*computed
}

// numbers are the numbers of a sheet, and the chunks in which they stand.
type numbers struct {
	g      *Grid
	v      *view
	at     [][]figureOf // by row and column
	chunks []chunk
	tables []chunk // the chunks, with the pages of one table joined
	parts  []chunk // the pieces of chunks that stand side by side, with their pages joined
	found  map[fieldAt]*computed
	words  map[string]spoken // what texts left of numbers say, as long tables repeat these
	heads  map[[2]int]heading
}

// A heading is what the texts above a field say of its column: that its numbers are changes (word), derived (said), per
// thousand (many) or per unit of something (each).
type heading struct{ word, said, many, each bool }

// heading returns what the texts above a field say. It looks at them only once.
func (n *numbers) heading(r, c int) heading {
	h, ok := n.heads[[2]int{r, c}]
	if !ok {
		h = heading{n.called(changeWords().MatchString, r, c), n.called(derivedWords().MatchString, r, c), n.called(thousandWords().MatchString, r, c), n.called(eachWords().MatchString, r, c)}
		n.heads[[2]int{r, c}] = h
	}
	return h
}

// A spoken is what a text says of the numbers in its row: that they are changes (word) or derived (said).
type spoken struct{ word, said bool }

// spoken returns what a text says. It keeps the answers for the first few thousand texts.
func (n *numbers) spoken(text string) spoken {
	s, ok := n.words[text]
	if !ok {
		s = spoken{changeWords().MatchString(text), derivedWords().MatchString(text) || derivedRow(text)}
		if len(n.words) < 1<<12 {
			n.words[text] = s
		}
	}
	return s
}

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

func (n *numbers) figure(r, c int) figureOf {
	if r >= len(n.at) || c >= len(n.at[r]) {
		return figureOf{}
	}
	return n.at[r][c]
}

// open reports whether a field holds a number that is not known to be computed.
func (n *numbers) open(r, c int) bool {
	return n.figure(r, c).ok && n.found[fieldAt{n.g.Sheet, r, c}] == nil
}

// numbersOf reads the numbers of a grid.
func numbersOf(g *Grid, style *numberStyle) *numbers {
	n := &numbers{g: g, v: newView(g, style), at: make([][]figureOf, len(g.Rows)), words: map[string]spoken{}, heads: map[[2]int]heading{}}
	for r := range n.v.rows {
		row := &n.v.rows[r]
		n.at[r] = make([]figureOf, len(g.Rows[r]))
		for i, k := range row.kinds {
			if k != number && k != mark {
				continue
			}
			c := int(row.at[i])
			if w := n.v.value(r, c); w.Value != nil { // a mark that stands for nothing has the value 0
				if v, err := strconv.ParseFloat(string(*w.Value), 64); err == nil {
					n.at[r][c] = figureOf{v, w.Value.places(), true}
				}
			}
		}
	}
	blocks := n.v.blocks()
	var tables, parts pages
	for i, b := range blocks {
		k := chunk{n: n, rows: b.data, above: slices.Concat(b.above, b.header), header: b.header, stub: b.stub, first: i == 0}
		seen := map[int]bool{}
		for _, r := range b.data {
			for c := range n.at[r] {
				if n.at[r][c].ok && !seen[c] && !slices.Contains(b.stub, c) {
					seen[c] = true
					k.cols = append(k.cols, c)
				}
			}
		}
		slices.Sort(k.cols)
		n.chunks = append(n.chunks, k)
		tables.add(k)
		for _, p := range k.pieces() {
			parts.add(p)
		}
	}
	n.tables, n.parts = tables.all, parts.all
	return n
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

// survey finds the numbers of the grids that are computed from others, and returns the grids without these, and what
// was found.
func (r *Reading) survey(grids []*Grid, o *Options, style func(*Grid) *numberStyle) ([]*Grid, []*computed) {
	s := &surveyor{found: map[fieldAt]*computed{}}
	// three roundings make a sum of two parts miss by one unit at most, so t is taken for the unit
	if t, err := strconv.ParseFloat(o.Tolerance, 64); err == nil && t > 0 {
		s.half = t / 2
	} else {
		s.half = float64(o.rounded) / 2
	}
	for _, g := range grids {
		n := numbersOf(g, style(g))
		n.found = s.found
		s.sheets = append(s.sheets, n)
	}
	for _, n := range s.sheets {
		s.hidden(n)
	}
	s.wholes()
	for _, n := range s.sheets {
		for _, k := range n.tables {
			columns := k.columns()
			s.lines(n, columns, math.MaxInt)
			s.cumulated(k, columns)
			s.means(columns)
		}
		for _, p := range n.parts {
			if len(n.parts) > len(n.tables) {
				columns := p.columns()
				s.lines(n, columns, math.MaxInt)
				s.cumulated(p, columns)
			}
			rows := p.rowLines()
			s.lines(n, rows, 3)
			s.means(rows)
			s.ranks(p)
		}
	}
	s.wholes() // now some of what is left may be computed from parts of others, or repeat them
	if s.tried > mostTried || s.looked > mostLooked {
		r.unlooked(o)
	}
	s.ground()
	if len(s.found) == 0 {
		return grids, nil
	}
	left := make([]*Grid, len(grids))
	for i, n := range s.sheets {
		left[i] = n.without(s.found)
	}
	r.labels = map[address]bool{}
	for _, n := range s.sheets {
		n.labels(r.labels)
	}
	r.bases = map[fieldAt]bool{}
	var all []*computed
	for _, f := range s.found {
		if f.base != (fieldAt{}) {
			r.bases[f.base] = true
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *computed) int { return a.at.compare(b.at) })
	return left, all
}

// unlooked asks about numbers that may be computed from others where there are too many to compare them all.
func (r *Reading) unlooked(o *Options) {
	if o.LeaveAside {
		return
	}
	r.open = append(r.open, &AmbiguityError{File: r.File.Name, Ambiguity: Ambiguity{
		Question: i18n.T("more numbers than are compared with each other: some may be computed from others, which would tell what is withheld"),
		Readings: []i18n.Text{i18n.T("somebody has looked, and none is"), i18n.T("the table is a part of them")},
		Options:  []string{"--leave-aside", "--sheet, --range"},
	}})
}

// labels notes in at where labels stand that no table has: those of chunks in which all numbers are computed, and those
// in columns that are needed no longer.
func (n *numbers) labels(at map[address]bool) {
	for _, k := range n.chunks {
		for _, c := range k.labelsAgain() {
			for _, r := range slices.Concat(k.header, k.rows) {
				at[address{n.g.Sheet, n.g.ref(r, c)}] = true
			}
		}
		if slices.ContainsFunc(k.rows, func(r int) bool {
			return slices.ContainsFunc(k.cols, func(c int) bool { return n.open(r, c) })
		}) {
			continue
		}
		for _, r := range k.header {
			for c := range n.g.Rows[r] {
				at[address{n.g.Sheet, n.g.ref(r, c)}] = true
			}
		}
		for _, r := range k.rows {
			for _, c := range k.stub {
				at[address{n.g.Sheet, n.g.ref(r, c)}] = true
			}
		}
	}
}

// without returns the grid without its computed numbers, and without the labels and headers of rows and columns that
// hold no others.
func (n *numbers) without(found map[fieldAt]*computed) *Grid {
	g := *n.g
	g.Rows = slices.Clone(g.Rows)
	own := make([]bool, len(g.Rows))
	clear := func(r, c int) {
		if c < len(g.Rows[r]) {
			if !own[r] {
				g.Rows[r], own[r] = slices.Clone(g.Rows[r]), true
			}
			g.Rows[r][c] = Field{}
		}
	}
	for r := range n.at {
		gone, rest := false, false
		for c, f := range n.at[r] {
			switch {
			case found[fieldAt{n.g.Sheet, r, c}] != nil:
				gone = true
				clear(r, c)
			case f.ok:
				rest = true
			}
		}
		if gone && !rest {
			g.Rows[r], own[r] = nil, true
		}
	}
	for _, p := range n.parts { // tables that stand side by side have labels of their own
		for _, r := range p.rows {
			told := slices.ContainsFunc(n.parts, func(q chunk) bool { // the same labels still name another number
				return slices.Equal(q.stub, p.stub) && slices.ContainsFunc(q.cols, func(c int) bool { return n.open(r, c) })
			})
			for _, c := range p.stub {
				if !told && slices.ContainsFunc(p.cols, func(c int) bool { return found[fieldAt{n.g.Sheet, r, c}] != nil }) {
					clear(r, c)
				}
			}
		}
	}
	for _, k := range n.chunks {
		left := 0
		for _, c := range k.cols {
			here := slices.ContainsFunc(k.rows, func(r int) bool { return n.open(r, c) })
			if here {
				left++
			}
			for _, r := range k.header {
				if i, merged := n.v.merged[[2]int{r, c}]; !here && (!merged || g.Merged[i].Left == g.Merged[i].Right) {
					clear(r, c)
				}
			}
		}
		for _, r := range k.above {
			if left == 0 && !k.first {
				g.Rows[r], own[r] = nil, true
			}
		}
		for _, c := range k.labelsAgain() {
			for _, r := range slices.Concat(k.header, k.rows) {
				clear(r, c)
			}
		}
	}
	return &g
}

// labelsAgain returns columns that are needed no longer: those between numbers that label nothing but computed ones,
// and columns of numbers with the header of a column of codes before them that repeat these codes in every row.
func (k chunk) labelsAgain() (all []int) {
	gone := func(c int) bool {
		return !slices.ContainsFunc(k.rows, func(r int) bool { return k.n.open(r, c) })
	}
	for i := 1; i < len(k.cols); i++ {
		for c := k.cols[i-1] + 1; c < k.cols[i]; c++ {
			j := i
			for j < len(k.cols) && gone(k.cols[j]) && (j == i || k.cols[j] == k.cols[j-1]+1) {
				j++
			}
			if j > i && (j == len(k.cols) || k.cols[j] > k.cols[j-1]+1) {
				all = append(all, c)
			}
		}
	}
	for _, c := range k.cols {
		if slices.ContainsFunc(k.stub, func(s int) bool {
			return s < c && k.n.v.codesAgain(k.rows, s, c) && k.n.v.text(k.rows[0]-1, s) == k.n.v.text(k.rows[0]-1, c)
		}) {
			all = append(all, c)
		}
	}
	return all
}

// codesAgain reports whether two columns say the same in each of two or more rows, and something else in each row.
func (v *view) codesAgain(rows []int, a, b int) bool {
	seen := map[string]bool{}
	for _, r := range rows {
		s := strings.TrimFunc(v.text(r, a), isBlank)
		if s == "" || seen[s] || s != strings.TrimFunc(v.text(r, b), isBlank) {
			return false
		}
		seen[s] = true
	}
	return len(rows) > 1
}

func (f fieldAt) compare(g fieldAt) int {
	return cmp.Or(strings.Compare(f.sheet, g.sheet), f.r-g.r, f.c-g.c)
}

// attach adds to the tables the numbers that are computed from their cells.
func (r *Reading) attach(grids []*Grid, found []*computed, style func(*Grid) *numberStyle) {
	of, views := map[string]*Grid{}, map[string]*view{}
	for _, g := range grids {
		of[g.Sheet] = g
	}
	for _, t := range r.Tables {
		codes, sheets := map[address][]string{}, map[string]bool{}
		for i := range t.Cells {
			sheets[nameOfSheet(t.Cells[i].Sheet)] = true
			codes[address{nameOfSheet(t.Cells[i].Sheet), t.Cells[i].Ref}] = t.Cells[i].Codes
		}
		said := map[address][][]string{} // what numbers that somebody calls computed are made of
		for _, d := range t.Derived {
			said[address{nameOfSheet(d.Sheet), d.Ref}] = d.Of
		}
		tells := map[*fieldAt]telling{} // by where their list begins in memory, as all ranks of a column share one list
		for _, f := range found {
			g := of[f.at.sheet]
			if f.how == asMeasure && !sheets[f.at.sheet] {
				continue
			}
			d := Derived{How: f.how, Of: [][]string{}, Sheet: sheetName(g), Ref: g.ref(f.at.r, f.at.c), Formula: g.At(f.at.r, f.at.c).Formula}
			answered := false
			if len(f.of) > 0 {
				x, known := tells[&f.of[0]]
				if !known {
					x = f.telling(of, codes, said)
					tells[&f.of[0]] = x
				}
				if d.Of = x.of; d.Of == nil {
					continue
				}
				answered = x.answered
			}
			v := views[g.Sheet]
			if v == nil {
				v = newView(g, style(g))
				views[g.Sheet] = v
			}
			d.Value = v.value(f.at.r, f.at.c).Value
			t.Derived = append(t.Derived, d)
			if base := codes[address{f.base.sheet, of[f.at.sheet].ref(f.base.r, f.base.c)}]; base != nil && !answered {
				t.divided(base, d.Of)
			}
		}
		t.narrow()
	}
}

// A telling is what a computed number tells of: the codes of the cells that it is computed from, none where one of its
// sources is no cell.
type telling struct {
	of       [][]string
	answered bool // one of its sources is itself called computed, so nobody need be asked what is divided by what
}

// telling returns the codes of the cells that f is computed from. A source that somebody calls computed stands for the
// cells that said has for it.
func (f *computed) telling(grids map[string]*Grid, codes map[address][]string, said map[address][][]string) (x telling) {
	for _, o := range f.of {
		at := address{o.sheet, grids[o.sheet].ref(o.r, o.c)}
		if c, ok := codes[at]; ok {
			x.of = append(x.of, c)
		} else if tells := said[at]; tells != nil {
			x.of = append(x.of, tells...)
			x.answered = true
		} else {
			return telling{}
		}
	}
	return x
}

// divided asks whether a code by which others are divided, such as households or an area, is a measure of its own,
// where it stands among classes.
func (t *Table) divided(base []string, of [][]string) {
	for k := range t.Dimensions {
		d := &t.Dimensions[k]
		apart := slices.ContainsFunc(of, func(codes []string) bool { return codes[k] != base[k] })
		if !apart || d.Role == Measure || d.Role == ofTime || len(d.Codes) < 3 || slices.ContainsFunc(t.doubts, func(x doubt) bool { return x.dim == d.Name }) {
			continue
		}
		ask := dividedBy(d.Name, base[k])
		for _, codes := range of { // what is divided by it may be the measure of its own instead
			option := "--derived " + quoteName(codes[k])
			if len(ask.Options) < 4 && !slices.Contains(ask.Options, option) {
				ask.Readings, ask.Options = append(ask.Readings, i18n.T("%s is a measure of its own, whose numbers go where they may tell", codes[k])), append(ask.Options, option)
			}
		}
		t.doubts = slices.Insert(t.doubts, 0, doubt{d.Name, ask})
	}
}

// bare returns a code without the brackets that enclose all of it.
func bare(code string) string {
	if s, ok := strings.CutPrefix(code, "("); ok && strings.HasSuffix(s, ")") && !strings.ContainsAny(s[:len(s)-1], "()") {
		return s[:len(s)-1]
	}
	return code
}

// dividedBy returns the question whether a code is a measure of its own.
func dividedBy(dim, code string) Ambiguity {
	return Ambiguity{
		Question: i18n.T("%s: others are divided by %s, which may be a measure of its own", dim, code),
		Readings: []i18n.Text{i18n.T("it is: its numbers go where they may tell"), i18n.T("the columns are measures")},
		Options:  []string{"--derived " + quoteName(bare(code)), `role = "measure" in the layout of --save-layout, read by --layout, then --response`},
	}
}

// based returns the question about a column of a part by which other columns are divided, nil where there is none.
func (r *Reading) based(p *part) *Ambiguity {
	if len(p.values) < 3 || len(p.cols) == 0 {
		return nil
	}
	for j, c := range p.values {
		for _, row := range p.data {
			if l := &p.cols[len(p.cols)-1]; r.bases[fieldAt{p.b.v.g.Sheet, row, c}] {
				name := l.name
				if name == "" {
					name = "Column"
				}
				ask := dividedBy(name, l.at[j].key())
				return &ask
			}
		}
	}
	return nil
}

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
var changeWords = lazy.Regexp(`(?i)增减|増減|伸び|前年比|差$|change|variation|évolution|differ|veränder|diff|\bnet\b|zu-|abnahme|variaci|variaz|variaç|verandering|muutos|förändring|ændring|zmiana|przyrost|změna|přírůstek|változás|değişim|\bfark\b|\bsald[eo]\b|\bsolde\b|증감`)

// eachWords match headings of what is counted per unit of something, such as a person or an area: a whole number below
// them may be a quotient that is rounded to no decimals.
var eachWords = lazy.Regexp(`(?i)当たり|当り|あたり|\bper\b|\bje\b|\bpar\b|\bpro\b`)

// thousandWords match headings of rates per thousand, ten thousand or hundred thousand.
var thousandWords = lazy.Regexp(`‰|[千万]人|[1１][0０]万|10{0,2}[,. ]?000|mille|thousand|tausend`)

// titled reports whether is holds for a text above a chunk, such as its title.
func (k chunk) titled(is func(string) bool) bool {
	return slices.ContainsFunc(k.above, func(r int) bool {
		return slices.ContainsFunc(k.n.g.Rows[r], func(f Field) bool { return !f.Number && is(f.Text) })
	})
}

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

// column returns all numbers of a column of the sheet, and where they stand.
func (n *numbers) column(c int) (at []fieldAt, v []figureOf) {
	for r := range n.at {
		if f := n.figure(r, c); f.ok {
			at, v = append(at, fieldAt{n.g.Sheet, r, c}), append(v, f)
		}
	}
	return at, v
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

// called reports whether is holds for the name of the sheet or a text above a field, in the eight rows before it: in
// its own column or, above empty fields, further left.
func (n *numbers) called(is func(string) bool, r, c int) bool {
	for up := r - 1; up >= 0 && up >= r-8; up-- {
		at := c
		for at > 0 && at > c-12 && n.v.text(up, at) == "" {
			at--
		}
		if s := n.v.text(up, at); s != "" && (at == c || !n.ofOne(up, s) && at > 0 && len(n.v.rows[up].at) > 0 && n.v.rows[up].at[0] < int32(at)) && n.v.kind(up, at) != number && is(s) {
			return true
		}
	}
	return is(n.g.Sheet)
}

// ofOne reports whether a text stands in a row directly before another one: then it is the header of one column, and no
// empty field behind it elsewhere belongs to it.
func (n *numbers) ofOne(r int, text string) bool {
	for _, c := range n.v.rows[r].at {
		if n.v.text(r, int(c)) == text && n.v.text(r, int(c)+1) != "" {
			return true
		}
	}
	return false
}

// A formula is how a line may be computed from lines x and y. By its form: '/' factor·x/y; '-' x−y; 'c' the change
// factor·(x−y)/y; 'k' the contribution factor·(x−y)/Y to the change of a total Y in y; 'm' the mean x/factor; 'a' the
// mean change a year from y to x, over factor years in per cent or, where factor is negative, over −factor years as a
// fraction; 'r' x in units of factor; 'u' x rounded to a multiple of factor; '=' x.
type formula struct {
	form   byte
	factor float64
	x, y   int // the lines, as offsets from the one computed
	// −1 where y is a line; where it is one number, its index in the line of x; of a contribution, the index of Y in y
	total int
}

var shareFactors = []float64{100, 1, 1000, 1e4, 1e5}

// mostContributing is among how many lines contributions to a change are looked for at most.
const mostContributing = 64

// mostMean is of how many numbers, such as months, a mean is looked for at most, and over how many years a mean change
// is.
const mostMean = 12

// slack returns how far a number may be from the exact result, as it is rounded to its decimals.
func slack(v float64, places int) float64 {
	if places >= 12 {
		return 1e-9 * max(1, math.Abs(v))
	}
	return float64(0.5*math.Pow10(-places)*(1+1e-7)) + float64(1e-12*math.Abs(v))
}

// Numbers with so many decimals are not rounded, and one with so few among them is, as somebody typed it.
const unroundedPlaces, typedPlaces = 9, 4

// slack returns how far a number of the line may be from the exact result.
func (l *line) slack(n figureOf) float64 {
	if l.places.places >= unroundedPlaces && n.places > 0 && n.places <= typedPlaces {
		return slack(n.v, n.places)
	}
	return slack(n.v, l.places.places)
}

// says compares a number with what a formula makes of two others. bits is how much evidence their agreement is.
func (f formula) says(n, of, by figureOf, l *line, half float64) (bits float64, ok bool) {
	w, trivial, v, x, y := 0.0, false, n.v, of.v, by.v
	if f.blind(by, half) {
		return 0, true
	}
	switch f.form {
	case '-':
		w = x - y
		trivial = x == 0 && y == 0
	case '/':
		if y == 0 {
			return 0, v == 0
		}
		w, trivial = f.factor*x/y, x == 0 || x == y || y == 1 && f.factor == 1
	case 'c':
		if y == 0 {
			return 0, true
		}
		w, trivial = f.factor*(x-y)/y, x == y
	case 'k': // the caller has divided factor by Y
		w, trivial = f.factor*(x-y), x == y
	case 'm':
		w, trivial = x/f.factor, x == 0
	case 'a':
		if x <= 0 || y <= 0 {
			return 0, true
		}
		if w, trivial = math.Pow(x/y, 1/math.Abs(f.factor))-1, x == y; f.factor > 0 {
			w *= 100
		}
	case 'r':
		w, trivial = x/f.factor, x == 0
	case 'u':
		return math.Log2(1 + math.Abs(v)/f.factor), math.Abs(v-x) <= f.factor/2
	}
	tol := l.slack(n) + f.loose(x, y, half)
	if half > 0 && (f.form == '/' || f.form == 'c') {
		lo, up := f.between(of, by, half)
		w, tol = (lo+up)/2, l.slack(n)+(up-lo)/2
	}
	if math.Abs(v-w) > tol {
		return 0, false
	}
	if trivial {
		return 0, true
	}
	span := l.most
	if half > 0 && f.form == '/' { // counts among the shares say nothing of how near a share comes by chance
		span = min(span, max(2*math.Abs(v), f.factor))
	}
	if f.form == '-' && l.neg { // the range of the numbers has another half below 0
		span *= 2
	}
	if bits = min(12, math.Log2(1+span/(2*tol))); f.form == 'm' { // one of several divisors may fit by chance
		bits = max(0, bits-math.Log2(mostMean)/float64(l.n))
	}
	return bits, true
}

// blind reports whether y may have been next to 0 before it was rounded, so that the formula may give any number.
func (f formula) blind(y figureOf, half float64) bool {
	return half > 0 && y.v <= y.off(half) && (f.form == '/' || f.form == 'c')
}

// off returns by how much rounding may have moved a number, where whole numbers were moved by half at most.
func (n figureOf) off(half float64) float64 {
	if n.places > 0 {
		return min(half, 0.5*math.Pow10(-n.places))
	}
	return half
}

// between returns the ends of what a quotient or a change may have been before its sources were rounded.
func (f formula) between(x, y figureOf, half float64) (lo, up float64) {
	lo, up = x.v-x.off(half), x.v+x.off(half)
	small, large := y.v-y.off(half), y.v+y.off(half)
	if lo < 0 {
		lo /= small
	} else {
		lo /= large
	}
	if up < 0 {
		up /= large
	} else {
		up /= small
	}
	if f.form == 'c' {
		lo, up = lo-1, up-1
	}
	return f.factor * lo, f.factor * up
}

// seen reports whether the numbers of l are all 0, or one that is not has a base that was not next to 0 before it was
// rounded: else any numbers are such shares, those of another sheet of values, too.
func (s *surveyor) seen(l *line, f formula, base func(i int) figureOf) bool {
	none := true
	for i, v := range l.v {
		if v.ok && v.v != 0 {
			if b := base(i); b.ok && !f.blind(b, s.half) {
				return true
			}
			none = none && s.half == 0
		}
	}
	return none
}

// loose returns how far the result of a formula may be from what it was before x and y were each rounded by up to half.
func (f formula) loose(x, y, half float64) float64 {
	switch {
	case half == 0:
		return 0
	case f.form == '/' || f.form == 'c':
		return f.factor * half * (1 + math.Abs(x)/y) / (y - half)
	case f.form == 'm' || f.form == 'r':
		return half / f.factor
	}
	return 2 * max(1, f.factor) * half
}

// try compares a line with what a formula makes of others. bits is the evidence for it; ok is false where a number
// disagrees, or too few can be compared.
func (s *surveyor) try(l, x, y *line, f formula) (bits float64, ok bool) {
	s.tried++
	n, marks := 0, 0
	if f.form == 'k' {
		f.factor /= y.allv[f.total].v
		bits = -math.Log2(float64(len(y.allv))) // any of them may be Y
	}
	base := func(i int) figureOf {
		if f.total >= 0 && f.form != 'k' {
			return x.allv[f.total]
		}
		return y.v[i]
	}
	if s.half > 0 && !s.seen(l, f, base) {
		return 0, false
	}
	for i, v := range l.v {
		if !v.ok {
			continue
		}
		a, b := x.v[i], base(i)
		if !a.ok || !b.ok {
			// a mark that stands for nothing, say, is evidence neither for the formula nor against it
			if f.form == '-' && (x.marks[i] || y.marks[i]) {
				marks++
			}
			continue
		}
		if l.finer(a.places) || l.finer(b.places) {
			return 0, false
		}
		e, agrees := f.says(v, a, b, l, s.half)
		if !agrees {
			return 0, false
		}
		bits += e
		n++
	}
	return bits, n > 0 && 5*(n+marks) >= 4*l.n
}

// A guess is a formula that agrees with line l.
type guess struct {
	l    int
	f    formula
	bits float64
}

// guesses returns the formulas that agree with line i, from lines at most near places away or, where few lines can be
// computed, from any.
func (s *surveyor) guesses(u *lookup, i, near int, few bool) (found []guess) {
	all := u.all
	l := &all[i]
	if l.fixed {
		return nil
	}
	// try its largest number first, which most wrong formulas miss
	top := -1
	for k, v := range l.v {
		if v.ok && (top < 0 || math.Abs(v.v) > math.Abs(l.v[top].v)) {
			top = k
		}
	}
	if top < 0 || l.n < 2 && near == math.MaxInt {
		return nil
	}
	add := func(x *line, y *line, f formula) {
		if bits, ok := s.try(l, x, y, f); ok {
			found = append(found, guess{i, f, bits})
		}
	}
	exact := l.places.places > 0 || l.percent()
	ratio := exact || l.says() // whole numbers are counts, unless they are called shares
	change := l.word || l.neg && near == math.MaxInt
	contributes := near == math.MaxInt && len(all) <= mostContributing
	from, to := 0, len(all)
	if near < len(all) && !(ratio && few) {
		from, to = max(0, i-near), min(len(all), i+near+1)
	}
	for j := from; j < to; j++ {
		x := &all[j]
		if j == i || x.fixed || l.finer(x.v[top].places) || x.says() && !l.says() || !x.v[top].ok || s.tried > mostTried {
			continue
		}
		for _, factor := range shareFactors {
			if factor == 1 && !exact && !l.each || factor >= 1000 && !l.many || !ratio {
				continue
			}
			for _, t := range s.totals(u, l, j, top, factor) {
				// divided by a share that is 100 itself, the line would only be repeated
				if x.allv[t].v == factor && x.most > factor {
					continue
				}
				f := formula{'/', factor, j - i, 0, t}
				if _, ok := f.says(l.v[top], x.v[top], x.allv[t], l, s.half); ok && x.allv[t].v > 0 {
					add(x, nil, f)
				}
			}
		}
		if !ratio && !change && !contributes {
			continue
		}
		for k := 2.0; k <= mostMean && exact && l.says(); k++ {
			f := formula{'m', k, j - i, j - i, -1}
			if _, ok := f.says(l.v[top], x.v[top], figureOf{}, l, s.half); ok {
				add(x, x, f)
			}
		}
		for q := from; q < to && ratio && l.says(); q++ {
			if y := &all[q]; q != i && q != j && !y.fixed {
				s.growth(l, x, y, top, formula{'a', 0, j - i, q - i, -1}, add)
			}
		}
		every := contributes || s.half > 0 // if the sources were rounded, a lookup by range would miss them
		for _, q := range s.others(u, l, x, top, every) {
			y := &all[q]
			if q == i || l.finer(y.v[top].places) || y.says() && !l.says() || !y.v[top].ok {
				continue
			}
			for _, factor := range shareFactors {
				if factor == 1 && !exact && !l.each || factor >= 1000 && !l.many || !ratio {
					continue
				}
				f := formula{'/', factor, j - i, q - i, -1}
				if _, ok := f.says(l.v[top], x.v[top], y.v[top], l, s.half); ok {
					add(x, y, f)
				}
				if f.form = 'c'; q == j || factor > 100 || !l.word && (!l.neg || near < math.MaxInt) {
					continue
				}
				if _, ok := f.says(l.v[top], x.v[top], y.v[top], l, s.half); ok {
					add(x, y, f)
				}
			}
			// any Y of about 100 fits a number that is that difference itself, as a part is of a total and the other
			if d := x.v[top].v - y.v[top].v; q != j && contributes && d != 0 && (d != l.v[top].v || exact || change) {
				tol := slack(l.v[top].v, l.places.places)
				for t, v := range y.allv {
					if f := (formula{'k', 100, j - i, q - i, t}); v.ok && v.v > 0 && v.v != f.factor && math.Abs(f.factor*d-l.v[top].v*v.v) <= tol*v.v {
						add(x, y, f)
					}
				}
			}
			if q != j && (l.word || l.neg && !x.neg && !y.neg && near == math.MaxInt) {
				add(x, y, formula{'-', 0, j - i, q - i, -1})
			}
		}
	}
	return found
}

// growth tries whether a line is the mean change a year from y to x, for each number of years that fits its number in
// place top.
func (s *surveyor) growth(l, x, y *line, top int, f formula, add func(x, y *line, f formula)) {
	for k := -float64(mostMean); k <= mostMean && y.v[top].ok && y.v[top].v > 0; k++ {
		// less than two years, or fractions without a per cent sign
		if f.factor = k; k > -2 && k < 2 || k < 0 && !l.pct {
			continue
		}
		if _, ok := f.says(l.v[top], x.v[top], y.v[top], l, s.half); ok {
			add(x, y, f)
		}
	}
}

// totals returns the indexes of those numbers of line j that may be the total if its number in place top is the part,
// and l has the share of it there.
func (s *surveyor) totals(u *lookup, l *line, j, top int, factor float64) []int {
	if s.half == 0 {
		return s.counted(u.whole(l, j, top, factor))
	}
	all := sets.Upto(len(u.all[j].allv))
	return s.counted(all)
}

// others returns the lines y from which, with x, l may be computed, or all lines where every is set.
func (s *surveyor) others(u *lookup, l, x *line, top int, every bool) []int {
	if every {
		return s.counted(u.everyLine())
	}
	return s.counted(u.others(l, x, top))
}

// counted counts the items that are looked at as work, and returns none of them once the work is used up.
func (s *surveyor) counted(all []int) []int {
	if s.looked += 1 + len(all); s.looked > mostLooked {
		return nil
	}
	return all
}

// rare reports whether few of the lines have decimals or are called shares, so that each may be computed from any two
// others, however far away.
func rare(all []line) bool {
	if len(all) > 256 {
		return false
	}
	n := 0
	for i := range all {
		if l := &all[i]; l.places.places > 0 || l.percent() || l.says() {
			n++
		}
	}
	return 4*n <= len(all)
}

// lines finds the lines that are computed from others. The evidence for a formula is summed over all lines for which it
// holds in the same way.
func (s *surveyor) lines(n *numbers, all []line, near int) {
	var every []guess
	pool := map[formula]float64{}
	few, u := rare(all), lookupOf(all)
	for i := range all {
		if s.whole(&all[i]) {
			continue
		}
		of := s.guesses(u, i, near, few)
		for _, g := range of {
			pool[g.f] += g.bits
			if g.f.total < 0 {
				pool[g.f.absolute(i)] += g.bits
			}
		}
		every = append(every, of...)
	}
	for i := range all {
		l := &all[i]
		if len(l.at) > 0 && !l.fixed && !s.whole(l) {
			s.repeat(all, i, n, near == math.MaxInt)
		}
	}
	var held []guess
	plain := map[int]bool{} // lines that are computed from lines which are not called computed themselves
	of := func(g guess) bool {
		return !all[g.l+g.f.x].says() && (g.f.total >= 0 || !all[g.l+g.f.y].says())
	}
	for _, g := range every {
		least := all[g.l].least()
		if g.f.form == '-' && all[g.l].word { // a difference is exact, and the heading says that it is one
			least /= 2
		}
		// no count is below 0, so the line is computed; the question is only from which two
		if (g.f.form == '-' || g.f.form == 'k') && all[g.l].neg && near == math.MaxInt {
			least = min(least, evidenceOfPair+2*math.Log2(float64(len(all))))
		}
		if g.bits >= least || pool[g.f] >= least || g.f.total < 0 && pool[g.f.absolute(g.l)] >= least {
			held = append(held, g)
			plain[g.l] = plain[g.l] || of(g)
		}
	}
	held = append(held, unsure(all, every, held)...)
	var ratios []ratio
	seen := map[ratio]bool{}
	for _, g := range held {
		if plain[g.l] && !of(g) {
			continue
		}
		l, x := &all[g.l], &all[g.l+g.f.x]
		for i := range l.v {
			switch {
			case !l.told(i) || l.v[i].ok && !x.v[i].ok:
			case g.f.form == 'k':
				y := &all[g.l+g.f.y]
				s.add(l.at[i], l.says(), asChange, x.at[i], y.at[i], y.all[g.f.total])
			case g.f.total >= 0:
				s.add(l.at[i], l.says(), g.f.how(near, l.most), x.at[i], x.all[g.f.total])
			default:
				y := &all[g.l+g.f.y]
				if q := (ratio{g.l, g.l + g.f.x, g.l + g.f.y}); g.f.form == '/' && g.f.factor == 1 && !seen[q] {
					ratios, seen[q] = append(ratios, q), true
				}
				if y.v[i].ok || l.marks[i] {
					how := g.f.how(near, l.most)
					if y.fixed && how != asChange && how != asDifference {
						how = asGrandShare
					}
					s.add(l.at[i], l.says(), how, x.at[i], y.at[i])
				}
			}
		}
	}
	if near == math.MaxInt {
		s.measures(all, ratios)
	}
}

// above reports whether some number of x is larger than the one beside it in y, as no part is.
func (x *line) above(y *line) bool {
	for i, v := range x.v {
		if v.ok && y.v[i].ok && v.v > y.v[i].v {
			return true
		}
	}
	return false
}

// unsure returns the other formulas that agree with lines whose own numbers do not tell which of them it is, as where
// they have one decimal, or all shares are 0 or 100 per cent: such a line may tell of the sources of any of them. A
// line that is not called computed has such formulas only where lines like it have shown one to hold.
func unsure(all []line, every, held []guess) (more []guess) {
	sure, some := map[int]bool{}, map[int]bool{}
	for _, g := range held {
		some[g.l] = true
		sure[g.l] = sure[g.l] || g.bits >= all[g.l].least()
	}
	for _, g := range every {
		if !sure[g.l] && g.f.form == '/' && (some[g.l] || all[g.l].says() && g.bits < leastEvidence/4) {
			more = append(more, g)
		}
	}
	return more
}

// repeat finds the shown columns, or rows, whose numbers line i repeats where it is hidden, or is a column further
// right with the same header.
func (s *surveyor) repeat(all []line, i int, n *numbers, down bool) {
	at := all[i].at[0]
	hides := func(at fieldAt) bool { return down && n.g.HiddenColumns[at.c] || !down && n.g.HiddenRows[at.r] }
	hidden := hides(at)
	for j := range all {
		x := &all[j]
		if x.fixed || len(x.at) == 0 || hides(x.at[0]) || !hidden && (!down || x.at[0].c >= at.c || !n.headedAlike(at.r, x.at[0].c, at.c)) {
			continue
		}
		same := hidden || x.n == all[i].n && x.n > 2
		if hidden && !down { // a row with a label of its own may count as many by chance
			_, same = n.alike(at.r, x.at[0].r)
		}
		for k, v := range all[i].v {
			same = same && (!v.ok || x.v[k].ok && x.v[k].v == v.v)
		}
		for k, v := range all[i].v {
			if same && v.ok {
				s.add(all[i].at[k], true, asRepeat, x.at[k])
			}
		}
	}
}

// hidden finds the hidden rows that repeat a shown one: the same numbers in the same columns, and no other label.
func (s *surveyor) hidden(n *numbers) {
	if len(n.g.HiddenRows) == 0 {
		return
	}
	key := func(r int) string {
		var k strings.Builder
		for c, f := range n.at[r] {
			if f.ok {
				fmt.Fprint(&k, c, " ", f.v, " ")
			}
		}
		return k.String()
	}
	shown := map[string][]int{}
	for r := range n.at {
		if k := key(r); k != "" && !n.g.HiddenRows[r] {
			shown[k] = append(shown[k], r)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(n.g.HiddenRows)) {
		if r >= len(n.at) {
			continue
		}
		for _, of := range shown[key(r)] {
			if some, same := n.alike(r, of); !some || !same {
				continue
			}
			for c, f := range n.at[r] {
				if f.ok {
					s.add(fieldAt{n.g.Sheet, r, c}, true, asRepeat, fieldAt{n.g.Sheet, of, c})
				}
			}
			break
		}
	}
}

// alike reports whether row r has labels, and whether row of has the same ones in the same columns.
func (n *numbers) alike(r, of int) (some, same bool) {
	for c := range n.g.Rows[r] {
		switch a, b := strings.TrimFunc(n.v.text(r, c), isBlank), strings.TrimFunc(n.v.text(of, c), isBlank); {
		case n.figure(r, c).ok || a == "":
		case a != b:
			return true, false
		default:
			some = true
		}
	}
	return some, true
}

// headedAlike reports whether columns a and b have the same header above row r: the same text directly above, and in
// the two rows before that the same texts, which may stand over several columns.
func (n *numbers) headedAlike(r, a, b int) bool {
	over := func(up, c int) string {
		for c > 0 && n.v.text(up, c) == "" {
			c--
		}
		return n.v.text(up, c)
	}
	for up := r - 1; up >= max(0, r-3); up-- {
		if over(up, a) != over(up, b) || up == r-1 && (n.v.text(up, a) == "" || n.v.text(up, b) == "") {
			return false
		}
	}
	return r > 0
}

// beside finds which of the lines l are shares of the line with the same index in of: of the totals that another of
// those lines has in each place, or of one number for all.
func (s *surveyor) beside(of, l []line, said, labelled bool, how string) {
	type held struct {
		l, x, y *line
		bits    float64
		own     bool // y is one number of x
	}
	var every []held
	pool, all := 0.0, labelled && said
	for i := range l {
		now, x := &l[i], &of[min(i, len(of)-1)]
		now.said = now.said || said
		if now.fixed || now.n == 0 {
			continue
		}
		if s.tried > mostTried || now.places.places == 0 && !now.says() {
			all = false
			continue
		}
		var fit []held
		most := -1.0
		try := func(y *line, own bool) {
			for _, factor := range shareFactors[:2] {
				if factor == 1 && now.places.places == 0 && !now.percent() {
					continue
				}
				f := formula{form: '/', factor: factor, total: -1}
				if bits, ok := s.try(now, x, y, f); ok && s.seen(now, f, func(i int) figureOf { return y.v[i] }) {
					fit, most = append(fit, held{now, x, y, bits, own}), max(most, bits)
				}
			}
		}
		for q := range of {
			try(&of[q], false)
		}
		first := 0
		for first < len(now.v) && !(now.v[first].ok && x.v[first].ok) {
			first++
		}
		number := func(y *line, at []fieldAt, all []figureOf) {
			for k, v := range all {
				// a look at one number of the line spares most candidates a line of their own
				if v.ok && v.v > 0 && !y.fixed && first < len(now.v) && s.mayDivide(now, x, v, first) && s.found[at[k]] == nil && !slices.Contains(now.at, at[k]) {
					try(&line{v: slices.Repeat([]figureOf{v}, len(x.v)), at: slices.Repeat([]fieldAt{at[k]}, len(x.v))}, x == y)
				}
			}
		}
		lined := most >= 0
		number(x, x.all, x.allv) // the total of several groups may stand behind the last of them
		for q := range of {
			if &of[q] != x && !lined {
				number(&of[q], of[q].at, of[q].v)
			}
		}
		all = all && most >= 0
		pool += max(most, 0)
		one := most >= leastEvidence/4 // else its numbers do not tell which of them it is
		// any number of its own line that fits as well may be the total, too
		taken := false
		for _, h := range fit {
			if (h.bits == most || !one) && (h.own || !taken) {
				every, taken = append(every, h), one
			}
		}
	}
	if pool < 2*leastEvidence && !all {
		return
	}
	for _, g := range every {
		for i := range g.l.v {
			if g.l.told(i) && g.x.v[i].ok && g.y.v[i].ok {
				s.add(g.l.at[i], g.l.says(), how, g.x.at[i], g.y.at[i])
			}
		}
	}
}

// mayDivide reports whether number i of the line may be that of x divided by v, or per cent of v.
func (s *surveyor) mayDivide(l, x *line, v figureOf, i int) bool {
	return slices.ContainsFunc(shareFactors[:2], func(factor float64) bool {
		s.tried++
		_, ok := formula{form: '/', factor: factor, total: -1}.says(l.v[i], x.v[i], v, l, s.half)
		return ok
	})
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

// absolute is a formula of line i with the index of y in place of its offset, to sum evidence over all lines that have
// the same y, like the total of all rows.
func (f formula) absolute(i int) formula {
	f.y += i + 1<<20
	return f
}

// how returns what a formula computes, of numbers up to most, in lines that go down or, where near is bounded, across.
func (f formula) how(near int, most float64) string {
	down := near == math.MaxInt
	switch {
	case f.form == '-':
		return asDifference
	case f.form == 'c', f.form == 'k', f.form == 'a':
		return asChange
	case f.form == 'm' || f.factor >= 1000 || f.total < 0 && !down:
		return asQuotient
	case f.total >= 0 && down:
		return asColumnShare
	case f.total >= 0 || f.factor == 100 || most <= 1:
		return asRowShare
	}
	return asQuotient
}

// whole reports whether all numbers of a line are known to be computed.
func (s *surveyor) whole(l *line) bool {
	if l.fixed {
		return true
	}
	for i, v := range l.v {
		if v.ok && s.found[l.at[i]] == nil {
			return false
		}
	}
	return true
}

// add notes what a number is computed from.
func (s *surveyor) add(at fieldAt, said bool, how string, of ...fieldAt) {
	f := s.found[at]
	if f == nil {
		f = &computed{at: at, how: how}
		s.found[at] = f
	}
	f.said = f.said || said
	if len(f.of) == 0 {
		f.of = slices.Clip(of) // other numbers may share the slice
		return
	}
	for _, o := range of {
		if !f.has(o) {
			f.of = append(f.of, o)
			if f.in != nil {
				f.in[o] = true
			}
		}
	}
}

// has reports whether a number is computed from the one at o.
func (f *computed) has(o fieldAt) bool {
	if len(f.of) < 32 {
		return slices.Contains(f.of, o)
	}
	if f.in == nil {
		f.in = map[fieldAt]bool{}
		for _, x := range f.of {
			f.in[x] = true
		}
	}
	return f.in[o]
}

// rankWords match headings of ranks.
var rankWords = lazy.Regexp(`(?i)順位|\brank|\brang\b|\bplatz\b|ランク|순위|puesto|posizione|\bordem\b|lokata|pořadí|helyezés|placering|\bsija\b|\bsıra\b`)

// ranks finds columns that rank the numbers of another one, from the largest or from the smallest. A dash, as beside a
// total, is no rank.
func (s *surveyor) ranks(k chunk) {
	all := k.columns()
	each := len(k.rows) // how many rows are ranked among each other
	if panels := k.panels(); len(panels) > 1 {
		each = len(panels[0].rows)
	}
	for i := range all {
		l := &all[i]
		if l.places.places > 0 || l.neg || l.n < 3 || l.most > float64(l.n) || s.whole(l) {
			continue
		}
		bits, placed := 0.0, 0
		for q, v := range l.v {
			if q%each == 0 {
				placed = 0
			}
			if v.ok && v.v != 0 { // a row without a rank has no number, or 0
				placed++
				bits += math.Log2(float64(placed))
			}
		}
		if placed < 3 || bits < evidenceOfPlaces && !k.n.called(rankWords().MatchString, k.rows[0], k.cols[i]) {
			continue
		}
		var of []fieldAt
		for j := range all {
			if x := &all[j]; j != i && !x.fixed && len(x.at) > 0 && !k.n.called(rankWords().MatchString, k.rows[0], x.at[0].c) && (l.ranks(x, each) || l.ranks(x, len(k.rows))) {
				for q, v := range l.v {
					if v.ok && v.v != 0 {
						of = append(of, x.at[q])
					}
				}
			}
		}
		for q, v := range l.v {
			if v.ok && of != nil {
				s.add(l.at[q], true, asRank, of...)
			}
		}
	}
}

// ranks reports whether the numbers of l rank those of x, from the largest or from the smallest, within each run of so
// many rows.
func (l *line) ranks(x *line, each int) bool {
	return l.ranked(x, each, false) || l.ranked(x, each, true)
}

func (l *line) ranked(x *line, each int, up bool) bool {
	for from := 0; from < len(l.v); from += each {
		var sorted []float64
		to := min(from+each, len(l.v))
		for i, v := range l.v[from:to] {
			if !v.ok || v.v == 0 {
				continue
			}
			if !x.v[from+i].ok {
				return false
			}
			sorted = append(sorted, x.v[from+i].v)
		}
		slices.Sort(sorted)
		for i, v := range l.v[from:to] {
			if !v.ok || v.v == 0 {
				continue
			}
			place, _ := slices.BinarySearch(sorted, x.v[from+i].v) // how many are smaller
			if !up {
				// the first larger one
				above, _ := slices.BinarySearchFunc(sorted, x.v[from+i].v, func(e, v float64) int {
					if e <= v {
						return -1
					}
					return 1
				})
				place = len(sorted) - above
			}
			if float64(place+1) != v.v {
				return false
			}
		}
	}
	return true
}

// wholes finds chunks that are computed from others, number by number: a sheet of shares, a panel below or beside, the
// change between two sheets. The numbers of two chunks are matched by their labels or, where these differ and the
// shapes do not, by their places.
func (s *surveyor) wholes() {
	var all, others []chunk
	for _, n := range s.sheets {
		chunks := n.parts
		if len(n.parts) > len(n.tables) { // an empty column may stand within a table, and elsewhere in its copy or its shares
			chunks = slices.Concat(n.parts, n.tables)
		}
		for _, p := range chunks {
			if p = p.left(); len(p.rows)*len(p.cols) >= 4 {
				all = append(all, p)
				others = append(append(append(others, p), p.panels()...), p.besideEachOther()...)
			}
		}
	}
	name := func(chunks []chunk) (names []chunkNames) {
		for _, k := range chunks {
			names = append(names, k.named())
		}
		return names
	}
	ofAll, ofOthers := name(all), name(others)
	for i, b := range all {
		var like []chunk
		for j, a := range others {
			if s.looked++; a.n == b.n && a.cols[0] == b.cols[0] && slices.Contains(b.rows, a.rows[0]) { // b itself, or a part of it
				continue
			}
			if of, ok := a.like(&ofOthers[j], &ofAll[i]); ok {
				like = append(like, of)
			} else if len(a.rows) == len(b.rows) && len(a.cols) == len(b.cols) {
				like = append(like, a)
			}
		}
		if len(like) == 0 && s.tried <= mostTried && s.looked <= mostLooked {
			for j, a := range others { // a column of b may have no counterpart
				if s.looked += len(b.cols); a.n == b.n && a.cols[0] == b.cols[0] {
					continue
				}
				cut, names := b.shared(&ofAll[i], &ofOthers[j])
				if of, ok := a.like(&ofOthers[j], names); ok && 2*len(cut.cols) >= len(b.cols) && len(cut.cols) > 1 {
					b, like = cut, append(like, of)
					break
				}
			}
		}
		if len(like) == 0 || s.tried > mostTried || s.looked > mostLooked {
			continue
		}
		l := b.flat()
		for _, a := range like {
			s.looked += len(b.rows) * len(b.cols)
			s.beside(a.bare(), b.down(), l.said, a.labelled, asRowShare)
			s.beside(a.rowLines(), b.rowLines(), l.said, a.labelled, asColumnShare)
			s.against(b, a, l, like)
		}
	}
}

// panels returns the groups of rows of a chunk that stand below each other under one header, where all of them have the
// same labels in the same order.
func (k chunk) panels() (all []chunk) {
	n := k.again(0)
	if n < 2 || len(k.rows)%n != 0 || len(k.rows)/n > mostGroups {
		return nil
	}
	for i, r := range k.rows {
		if k.label(r) != k.label(k.rows[i%n]) {
			return nil
		}
		if i%n == 0 {
			p := k
			p.rows = k.rows[i : i+n]
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

// against compares the numbers l of chunk b with what formulas make of chunk a, or of a and another of the chunks like
// b.
func (s *surveyor) against(b, a chunk, l *line, like []chunk) {
	x := a.inOne()
	exact := l.places.places > 0 || l.percent()
	w := len(b.cols)
	// the total of a share stands in its row, in its column, among the columns of a spanned header, or is one for all
	hundred := l.most == 100 && !l.neg // whole per cents without a sign: their totals are 100
	for _, factor := range shareFactors[:2] {
		if factor == 1 && !exact || !exact && !l.says() && !hundred || l.finer(x.places.places) {
			continue
		}
		least := float64(leastEvidence)
		if a.labelled && l.says() { // it is itself called computed
			least = 0
		}
		for t := range x.v {
			if !x.v[t].ok || x.v[t].v <= 0 || s.tried > mostTried {
				continue
			}
			for _, how := range []string{asColumnShare, asRowShare, asGrandShare} {
				if how == asColumnShare && t%w != 0 || how == asRowShare && t/w != 0 {
					continue
				}
				total := func(i int) int {
					switch how {
					case asColumnShare:
						return t/w*w + i%w
					case asRowShare:
						return i/w*w + t%w
					}
					return t
				}
				s.pairs(l, x, x, formula{form: '/', factor: factor}, total, how, least)
			}
			// n columns stand below each field of an outer header: the total is in the like column below the outer
			// total, or in the column of its own group that holds totals
			for n := 2; n <= w/2; n++ {
				share := formula{form: '/', factor: factor}
				if w%n == 0 && t%n == 0 {
					s.pairs(l, x, x, share, func(i int) int { return t + i%n }, asGrandShare, max(least, leastEvidence))
				}
				if w%n == 0 && t%w < n {
					s.pairs(l, x, x, share, func(i int) int { return t + i%w/n*n }, asGrandShare, max(least, leastEvidence))
				}
			}
		}
	}
	same := func(i int) int { return i }
	if a.labelled {
		for _, f := range l.roundings(x) {
			s.pairs(l, x, x, f, same, asRounded, leastEvidence)
		}
	}
	if a.n != b.n && !a.part && (b.n.g.State != "" && a.n.g.State == "" || b.n.g.State == a.n.g.State && slices.Index(s.sheets, b.n) > slices.Index(s.sheets, a.n)) {
		// two sheets of one shape with the same numbers
		s.pairs(l, x, x, formula{form: '='}, same, asRepeat, leastEvidence/3)
	}
	negative := l.neg && b.falls() // one column of changes is too little: every part is a total less the other parts
	year := a.year()
	between := year != "" && b.year() == ""
	if !l.word && !negative && !exact && !between {
		return
	}
	for _, o := range like {
		if o.n == a.n && o.rows[0] == a.rows[0] || s.looked > mostLooked {
			continue
		}
		s.looked += len(l.v)
		y := o.inOne()
		apart := between && o.n != a.n && o.year() != "" && o.year() != year
		if l.word || apart || negative && !x.neg && !y.neg {
			s.pairs(l, x, y, formula{form: '-'}, same, asDifference, leastEvidence)
		}
		if !exact || l.finer(x.places.places) || l.finer(y.places.places) {
			continue
		}
		for _, factor := range shareFactors {
			s.pairs(l, x, y, formula{form: '/', factor: factor}, same, asQuotient, leastEvidence)
			if factor <= 100 && (l.neg || l.word || apart) {
				s.pairs(l, x, y, formula{form: 'c', factor: factor}, same, asChange, leastEvidence)
			}
		}
	}
}

// roundings returns how the numbers of l may be those of x, rounded: to units that are powers of ten, of which not all
// of x are multiples (else l is an exact fraction of x), or to multiples of what all of l are multiples of.
func (l *line) roundings(x *line) (all []formula) {
	multiples := func(l *line, u float64) bool {
		return !slices.ContainsFunc(l.v, func(v figureOf) bool { return v.ok && math.Mod(v.v, u) != 0 })
	}
	for u := 10.0; u <= 1e6; u *= 10 {
		if !multiples(x, u) {
			all = append(all, formula{form: 'r', factor: u})
		}
	}
	for _, u := range []float64{1000, 100, 10, 5} {
		if l.places.places == 0 && l.most > 0 && multiples(l, u) {
			return append(all, formula{form: 'u', factor: u})
		}
	}
	return all
}

// pairs notes the formula f for the numbers of l if it holds for all of them, with x in the same place and y in the
// place that total gives, and enough can be compared.
func (s *surveyor) pairs(l, x, y *line, f formula, total func(int) int, how string, least float64) {
	s.tried++
	bits, n := 0.0, 0
	for i, v := range l.v {
		if !v.ok {
			continue
		}
		a, b := x.v[i], y.v[total(i)]
		if !a.ok || !b.ok {
			continue
		}
		if f.form == '=' {
			if v.v != a.v {
				return
			}
			bits += math.Log2(1 + math.Abs(v.v))
			n++
			continue
		}
		e, ok := f.says(v, a, b, l, s.half)
		if !ok {
			return
		}
		bits += e
		n++
	}
	if bits < least || 5*n < 4*l.n || !s.seen(l, f, func(i int) figureOf { return y.v[total(i)] }) {
		return
	}
	for i := range l.v {
		if k := total(i); l.told(i) && x.v[i].ok && y.v[k].ok {
			of := []fieldAt{x.at[i], y.at[k]}
			if strings.IndexByte("=ru", f.form) >= 0 {
				of = of[:1]
			}
			s.add(l.at[i], l.says() || f.form == '=', how, of...)
		}
	}
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
