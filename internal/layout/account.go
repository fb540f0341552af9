package layout

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// standalone matches a text that is a number by itself, whatever its marks: a sign or triangle, brackets, a letter or
// note before it, a per cent sign, a unit or notes of a few characters behind it.
var standalone = lazy.Regexp(`^[(（\[]?(?:[▲△−‐‑‒–—―－+\-]|[prePRE]?\s?)\s*[$€£¥]?[.,]?[0-9０-９](?:[0-9０-９.,．，'’\s\x{a0}\x{202f}]*[0-9０-９])?\s*[^0-9０-９\s]{0,4}(?:\s*[(（\[注]?[0-9０-９]{1,2}[)）\]/])?$`)

// figure matches a mark that begins like a number: a number with a note that nobody explains.
var figure = lazy.Regexp(`^[^\pL\pN]*(?:[prePRE]\s?)?[0-9０-９]`)

// year matches a number that heads a column or a block.
var year = lazy.Regexp(`^(?:1[89]|20)[0-9][0-9](?:\.0+)?\D?$`)

// dated matches a day, or the number of a page between dashes.
var dated = lazy.Regexp(`^(?:[0-9]{1,2}[./\-][0-9]{1,2}[./\-](?:[0-9]{2}|[0-9]{4})|(?:1[89]|20)[0-9]{2}[./\-][0-9]{1,2}(?:[./\-][0-9]{1,2})?|[-–—]\s?[0-9]{1,4}\s?[-–—])$`)

// mostNamed is how many addresses a message names at most.
const mostNamed = 12

// An Account says of every number of a file what it is.
type Account struct {
	Numbers int
	Roles   []Role   // in the order in which they are found, values first
	Unknown []string // addresses of numbers without a role: a copy would keep them, whatever is withheld
	copies  []copyOf
	notes   []noteOf
	fields  []fieldAt // those of the unknown numbers that stand in the grids
	beside  []string  // addresses of the unknown numbers beside the cells of a workbook
}

// A noteOf is a number in running text that may be the value of a cell, as the text has labels of the cell.
type noteOf struct {
	at     address
	text   string
	number string
	of     []string // where such cells stand
}

// A copyOf is a number of a sheet that repeats the table, and the fields that it may be the copy of.
type copyOf struct {
	at fieldAt
	of []fieldAt
}

// A Role is what some numbers of a file are, and where these stand.
type Role struct {
	What string
	Refs []string
}

// Roles of numbers, apart from those that say how derived numbers are computed.
const (
	asValue  = "values"
	asLabel  = "labels"
	asPeriod = "periods"
	asNote   = "in texts"
	asResult = "results of formulas"
	asCopy   = "repeated on other sheets"
	asBlank  = "to be blanked"
	asCount  = "contributors"
	asPoint  = "points of charts"
)

func (a *Account) add(what, ref string) {
	a.Numbers++
	k := slices.IndexFunc(a.Roles, func(r Role) bool { return r.What == what })
	if k < 0 {
		k = len(a.Roles)
		a.Roles = append(a.Roles, Role{What: what})
	}
	a.Roles[k].Refs = append(a.Roles[k].Refs, ref)
}

func (a *Account) unknown(ref string) {
	a.Numbers++
	a.Unknown = append(a.Unknown, ref)
}

// Words returns the account in one line.
func (a *Account) Words() i18n.Text {
	var roles i18n.List
	for _, r := range a.Roles {
		roles.Items = append(roles.Items, i18n.T("%d %s", len(r.Refs), i18n.Term(r.What)))
	}
	s := some(a.Numbers, "1 number", "%d numbers").Plus(": %s", roles)
	if len(a.Unknown) == 0 {
		return s.Plus("; none unknown")
	}
	return s.Plus("; %d unknown: %s", len(a.Unknown), a.named())
}

// mostFields bounds the unknown numbers for which areas looks for rectangles, mostAreas the rectangles that it returns.
const (
	mostFields = 1 << 10
	mostAreas  = 40
)

// areas returns rectangles that hold all unknown numbers and no known ones, and the texts beside the cells of a
// workbook; nil where there are too many.
func (s *Source) areas(a *Account) (refs []string) {
	if len(a.fields)+len(a.beside) < len(a.Unknown) || len(a.fields) > mostFields {
		return nil
	}
	open := sets.Of(a.fields)
	computed := map[address]bool{} // they may be taken out as well, as nobody needs them
	for _, t := range s.Reading.Tables {
		for i := range t.Derived {
			computed[address{nameOfSheet(t.Derived[i].Sheet), t.Derived[i].Ref}] = true
		}
	}
	for _, g := range s.grids {
		var areas []Rect
		for _, f := range a.fields {
			if f.sheet != g.Sheet {
				continue
			}
			k := slices.IndexFunc(areas, func(x Rect) bool {
				// parts of a shared field have one address in the file, so a rectangle would take all of them
				if x = x.with(f.r, f.c); x.Left < x.Right && g.origin(x.Left).share {
					return false
				}
				for r := x.Top; r <= x.Bottom; r++ {
					for c := x.Left; c <= x.Right; c++ {
						if at := g.At(r, c); (at.Number || hasDigit(at.Text)) && !open[fieldAt{g.Sheet, r, c}] && !computed[address{g.Sheet, g.ref(r, c)}] {
							return false
						}
					}
				}
				return true
			})
			if k < 0 {
				areas = append(areas, Rect{f.r, f.c, f.r, f.c})
			} else {
				areas[k] = areas[k].with(f.r, f.c)
			}
			if len(refs)+len(areas) > mostAreas {
				return nil
			}
		}
		for _, x := range areas {
			ref := g.span(x)
			if x.Top == x.Bottom && x.Left == x.Right {
				ref = g.ref(x.Top, x.Left)
			}
			refs = append(refs, address{g.Sheet, ref}.String())
		}
	}
	for _, where := range a.beside {
		if !slices.Contains(refs, where) {
			refs = append(refs, where)
		}
	}
	return refs
}

// with returns the smallest rectangle that contains x and a field.
func (x Rect) with(r, c int) Rect {
	return Rect{min(x.Top, r), min(x.Left, c), max(x.Bottom, r), max(x.Right, c)}
}

// named returns the addresses of the first unknown numbers, and how many more there are.
func (a *Account) named() i18n.Text {
	where := i18n.T("%s", strings.Join(a.Unknown[:min(mostNamed, len(a.Unknown))], ", "))
	if n := len(a.Unknown) - mostNamed; n > 0 {
		where = where.Plus(" and %d more", n)
	}
	return where
}

func nameOfSheet(sheet *string) string {
	if sheet == nil {
		return ""
	}
	return *sheet
}

// hasNumber reports whether a row has a number.
func (g *Grid) hasNumber(r int) bool {
	return slices.ContainsFunc(g.Rows[r], func(f Field) bool { return f.Number })
}

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

// isNumber reports whether a field holds a number, in whatever spelling.
func (f *Field) isNumber() bool {
	return f.Number || standalone().MatchString(strings.TrimSpace(f.Text))
}

// An address is where a field stands, as messages have it.
type address struct{ sheet, ref string }

func (a address) String() string {
	if a.sheet != "" {
		return a.sheet + "!" + a.ref
	}
	return a.ref
}

// An accountant finds the roles of the numbers in a file from what was read of it.
type accountant struct {
	s       *Source
	a       Account
	known   map[address]string // roles of the cells and of what is computed from them
	apart   map[address]bool   // cells of other tables
	told    []*Table
	byValue map[string][]toldCell
	rounded bool            // in texts, look only for numbers that round to a value, not for the value itself
	tens    bool            // all values are multiples of ten
	place   address         // where the text stands that is looked at
	marks   map[string]bool // the marks of withheld cells
}

// A toldCell is a cell as a text may tell it: with its labels, but for those of totals.
type toldCell struct {
	labels []string
	ref    string
	value  float64
}

// Account finds the role of every number of the file, by all tables of the reading or, where t is not nil, by t alone.
// The cells of other tables are unknown then.
func (s *Source) Account(t *Table) *Account {
	k := &accountant{s: s, a: Account{Roles: []Role{{What: asValue}}}, known: map[address]string{}, apart: map[address]bool{}, marks: map[string]bool{}}
	for _, of := range s.Reading.Tables {
		for i := range of.Cells {
			c := &of.Cells[i]
			at := address{nameOfSheet(c.Sheet), c.Ref}
			if c.Mark != nil && c.Means == Suppressed {
				k.marks[*c.Mark] = true
			}
			if t != nil && !t.has(of) || c.figure() {
				k.apart[at] = true
				continue
			}
			k.known[at] = asValue
			if c.MarkRef != "" {
				k.known[address{at.sheet, c.MarkRef}] = asValue
			}
		}
		if t == nil || t.has(of) {
			k.told = append(k.told, of)
			for i := range of.Derived {
				k.known[address{nameOfSheet(of.Derived[i].Sheet), of.Derived[i].Ref}] = of.Derived[i].How
			}
		}
	}
	for at := range s.others {
		if k.known[at] == "" {
			k.apart[at] = true
		}
	}
	if s.cube != nil { // a cube has no fields apart from its data
		for _, at := range slices.SortedFunc(maps.Keys(k.known), func(a, b address) int { return strings.Compare(a.ref, b.ref) }) {
			k.a.add(k.known[at], at.String())
		}
		for _, of := range k.told {
			for _, n := range of.Notes {
				k.prose(n.Text, n.Ref)
			}
		}
		return &k.a
	}
	for _, at := range s.noted {
		k.a.add(asNote, at.String())
	}
	for _, at := range s.blanks {
		k.a.add(asBlank, at.String())
	}
	k.bracketed()
	cells := map[string][]fieldAt{} // where each text stands in the tables
	sheets := map[string]bool{}
	for at := range k.known {
		sheets[at.sheet] = true
	}
	beside := slices.ContainsFunc(s.grids, func(g *Grid) bool { return !sheets[g.Sheet] })
	for _, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				if beside && k.known[address{g.Sheet, g.ref(r, c)}] != "" {
					text := unmarked(&row[c])
					cells[text] = append(cells[text], fieldAt{g.Sheet, r, c})
				}
			}
		}
	}
	for _, g := range s.grids {
		var copied map[[2]int][]fieldAt
		whole := false
		if !sheets[g.Sheet] {
			if copied = repeats(g, cells); copied == nil {
				copied = k.listed(g)
			} else {
				whole = true
			}
		}
		for at, of := range copied {
			k.a.copies = append(k.a.copies, copyOf{fieldAt{g.Sheet, at[0], at[1]}, of})
			for c := range g.Rows[at[0]] {
				switch f := g.At(at[0], c); {
				case whole:
				case c == at[1]:
					k.known[address{g.Sheet, g.ref(at[0], c)}] = asCopy
				case hasDigit(f.Text):
					k.known[address{g.Sheet, g.ref(at[0], c)}] = asLabel
				}
			}
		}
		k.grid(g, whole)
	}
	slices.SortFunc(k.a.copies, func(a, b copyOf) int {
		return cmp.Or(strings.Compare(a.at.sheet, b.at.sheet), a.at.r-b.at.r, a.at.c-b.at.c)
	})
	k.around()
	return &k.a
}

// has reports whether of is t or a part of it.
func (t *Table) has(of *Table) bool { return of == t || slices.Contains(t.parts, of) }

// An onGrid is what the reading says of the rows and columns of a grid. Some of its maps keep answers, so that each is
// found once.
type onGrid struct {
	g           *Grid
	own         []bool         // which rows have cells
	first, left int            // the first row and the leftmost column of cells
	labels      map[int]string // what each column of labels holds
	headers     map[int]bool   // the rows of headers
	heads       map[string]bool
	values      map[int]bool // the columns of cells
	unread      map[int]bool // columns of labels that hold other numbers
	aside       []Rect
	units       map[int]bool   // by column of labels: whether it holds amounts
	words       map[string]int // in how many fields a word stands behind a number
	periods     map[[4]int]bool
	counts      map[int]bool    // by column: whether it numbers the rows of cells
	notes       []string        // the beginnings of lines without cells, which may explain a mark
	marks       map[string]bool // by text: whether a note explains it
	headed      map[int]bool    // by row: whether it repeats the numbers of the header
	again       map[[2]int]bool // by two columns: whether the first repeats the second
	long        bool
}

// read gathers what the reading says of a grid.
func (k *accountant) read(g *Grid) *onGrid {
	x := &onGrid{g: g, own: make([]bool, len(g.Rows)), first: -1, left: -1, labels: map[int]string{}, headers: map[int]bool{}, heads: map[string]bool{}, values: map[int]bool{}, unread: map[int]bool{}, units: map[int]bool{}, counts: map[int]bool{}, marks: map[string]bool{}, headed: map[int]bool{}, again: map[[2]int]bool{}}
	last := -1
	for r, row := range g.Rows {
		for c := range row {
			if what := k.known[address{g.Sheet, g.ref(r, c)}]; what != "" {
				x.values[c] = x.values[c] || what == asValue
				if x.own[r], last = true, r; x.first < 0 {
					x.first = r
				}
				if x.left < 0 || c < x.left {
					x.left = c
				}
			}
		}
	}
	r := k.s.Reading
	for _, a := range r.Aside {
		if area, ok := g.Area(a.Ref); ok && nameOfSheet(a.Sheet) == g.Sheet {
			x.aside = append(x.aside, area)
		}
	}
	if r.Layout == nil {
		return x
	}
	x.long = r.Layout.Format != wideFormat
	for _, b := range r.Layout.Blocks {
		if b.Sheet != g.Sheet && b.Sheet != "" {
			continue
		}
		for _, h := range b.HeaderRows {
			for row := range g.Rows {
				if g.line(row) == h {
					x.headers[row] = true
					for c := range g.Rows[row] {
						x.heads[fmt.Sprint(c, strings.TrimSpace(g.Rows[row][c].Text))] = true
					}
				}
			}
		}
		for _, l := range b.Labels {
			c := g.Column(l.Column)
			if l.Holds == "unread" && x.labels[c] != "contributors" {
				x.unread[c] = k.varies(g, c, x.own)
			}
			x.labels[c] = l.Holds
			if x.yearAbove(c) { // numbers below a year are no labels
				x.unread[c] = x.unread[c] || k.varies(g, c, x.own)
			}
			if l.Holds == "contributors" {
				delete(x.unread, c)
			}
		}
	}
	if x.long {
		for row := max(x.first, 0); row < last; row++ {
			x.own[row] = true
		}
	}
	return x
}

// yearAbove reports whether a year heads a column.
func (x *onGrid) yearAbove(c int) bool {
	for r := range x.headers {
		if year().MatchString(fold(x.g.At(r, c).Text)) {
			return true
		}
	}
	return false
}

// varies reports whether a column holds more than one number in the rows of cells.
func (k *accountant) varies(g *Grid, c int, own []bool) bool {
	was := ""
	for r := range g.Rows {
		if text := strings.TrimSpace(g.At(r, c).Text); own[r] && text != "" && g.At(r, c).isNumber() {
			if was != "" && text != was {
				return true
			}
			was = text
		}
	}
	return false
}

// grid accounts for the fields of a grid. copied says that all its numbers repeat those of the tables.
func (k *accountant) grid(g *Grid, copied bool) {
	x := k.read(g)
	for r, row := range g.Rows {
		for c := range row {
			f := &row[c]
			at := address{g.Sheet, g.ref(r, c)}
			if !f.Number && !hasDigit(f.Text) {
				if x.values[c] && k.lost(x, r, c) && k.known[at] == "" && !k.apart[at] {
					k.a.unknown(at.String())
					k.a.fields = append(k.a.fields, fieldAt{g.Sheet, r, c})
				}
				continue
			}
			what := k.known[at]
			switch {
			case what != "":
			// the copy drops results that depend on withheld values
			case f.Formula != "" && refersTo().MatchString(f.Formula):
				what = asResult
			case copied && f.Number:
				what = asCopy
			case k.apart[at]:
			default:
				k.place = at
				if what = k.field(x, r, c); what == "" && k.s.Reading.labels[at] {
					what = asLabel
				}
			}
			if what == "" {
				k.a.unknown(at.String())
				k.a.fields = append(k.a.fields, fieldAt{g.Sheet, r, c})
			} else {
				k.a.add(what, at.String())
			}
		}
	}
}

// lost reports whether a field without digits is the mark of a withheld value in a row that no table has: it stands in
// a column of values, behind other texts. In a header it must be a mark of the table, and stand twice in the column: a
// single one is a code.
func (k *accountant) lost(x *onGrid, r, c int) bool {
	mark, means, ok := (*marks)(nil).find(x.g.At(r, c).Text)
	return ok && means == Suppressed && !x.own[r] && (!x.headers[r] || k.marks[mark] && x.twice(c, mark)) && slices.ContainsFunc(x.g.Rows[r][:c], func(f Field) bool { return strings.TrimSpace(f.Text) != "" }) &&
		!slices.ContainsFunc(x.aside, func(a Rect) bool { return r >= a.Top && r <= a.Bottom && c >= a.Left && c <= a.Right })
}

// twice reports whether a text stands in two rows of the header of a column.
func (x *onGrid) twice(c int, text string) bool {
	n := 0
	for r := range x.headers {
		if strings.TrimSpace(x.g.At(r, c).Text) == text {
			n++
		}
	}
	return n > 1
}

// refersTo finds a reference in a formula.
var refersTo = lazy.Regexp(`\$?[A-Za-z]{1,3}\$?[0-9]|\[`)

// alike reports whether all numbers in the column of a field, or in its row, within one area that was left aside, are
// periods of a kind. A single one may be an amount, such as 1985 or 2069.2.
func (x *onGrid) alike(at, r, c, kind int, is func(text string) bool) bool {
	a := x.aside[at]
	all := func(down, n int, in Rect) bool {
		key := [4]int{at, kind, down, n}
		if is, ok := x.periods[key]; ok {
			return is
		}
		alike := true
		for i := in.Top; i <= in.Bottom && alike; i++ {
			for j := in.Left; j <= in.Right && alike; j++ {
				f := x.g.At(i, j)
				alike = !f.isNumber() || is(strings.TrimSpace(f.Text))
			}
		}
		if x.periods == nil {
			x.periods = map[[4]int]bool{}
		}
		x.periods[key] = alike
		return alike
	}
	return all(1, c, Rect{a.Top, c, a.Bottom, c}) || a.Right > a.Left && all(0, r, Rect{r, a.Left, r, a.Right})
}

// united reports whether a text is a number and a word that also stands behind other numbers.
func (x *onGrid) united(text string) bool {
	word := unitWord(text)
	if word == "" {
		return false
	}
	if x.words == nil {
		x.words = map[string]int{}
		for r := range x.g.Rows {
			for c := range x.g.Rows[r] {
				x.words[unitWord(x.g.At(r, c).Text)]++
			}
		}
	}
	return x.words[word] > 2
}

// field returns the role of a field that is neither a cell nor computed from one, "" where it has none.
func (k *accountant) field(x *onGrid, r, c int) string {
	f := x.g.At(r, c)
	text := strings.TrimSpace(f.Text)
	number := f.isNumber()
	at := slices.IndexFunc(x.aside, func(a Rect) bool {
		return r >= a.Top && r <= a.Bottom && c >= a.Left && c <= a.Right && a != Rect{r, c, r, c}
	})
	within := at >= 0
	period := func(text string) bool { return year().MatchString(text) }
	day := func(text string) bool { return dated().MatchString(text) }
	switch {
	case x.headers[r] && (number || x.long):
		return asLabel
	case f.Number && f.Style != nil && f.Style.Date:
		return asPeriod
	case x.headers[r] && !number && x.own[r]: // the row belongs to a table beside this one
		return k.proseRole(text)
	case within && number:
		if period(text) && x.alike(at, r, c, 0, period) || day(text) && x.alike(at, r, c, 1, day) {
			return asPeriod
		}
		if x.own[r] && c < x.left && x.consecutive(c) { // it counts the rows
			return asLabel
		}
		return ""
	case number && !x.own[r] && period(text) || day(text) && !(x.own[r] && f.Number):
		if !x.own[r] && slices.ContainsFunc(x.g.Rows[r], func(f Field) bool { // beside other numbers it is one of them
			s := strings.TrimSpace(f.Text)
			return f.isNumber() && !period(s) && !day(s)
		}) {
			return k.loose(x, r, c)
		}
		return asPeriod
	case !number && !x.own[r] && !x.headers[r] && (x.g.hasNumber(r) && amount().MatchString(text) || x.united(text)) && !k.s.Reading.labels[address{x.g.Sheet, x.g.ref(r, c)}] &&
		slices.ContainsFunc(x.g.Rows[r][:c], func(f Field) bool { return strings.TrimSpace(f.Text) != "" }):
		return "" // a number with an unknown unit, beside other numbers or like many others
	case !number && !x.own[r] && !x.headers[r] && x.several(r, c):
		return ""
	case !number && !x.own[r]:
		if k.s.book != nil { // the copy of a workbook keeps no withheld number beside its labels
			return k.closer(text)
		}
		return k.proseRole(text)
	case x.own[r]:
		return k.beside(x, r, c, number)
	}
	return k.loose(x, r, c)
}

// several reports whether a field behind a label holds several numbers in the same form as fields above or below it,
// like 12; 34.5 % or 12/35, where needed also beside it: they are a table that was not understood.
func (x *onGrid) several(r, c int) bool {
	form := func(r, c int) string {
		return anyNumber().ReplaceAllString(strings.TrimSpace(x.g.At(r, c).Text), "#")
	}
	is := form(r, c)
	if strings.Count(is, "#") < 2 || !slices.ContainsFunc(x.g.Rows[r][:c], func(f Field) bool { return strings.TrimSpace(f.Text) != "" }) || form(r, 0) == is {
		return false
	}
	near := false
	for k := r - 5; k <= r+5; k++ {
		near = near || k != r && form(k, c) == is
	}
	if !near || strings.ContainsAny(is, "%％‰±(（[;|") {
		return near
	}
	for k := range x.g.Rows[r] {
		if k != c && form(r, k) == is {
			return true
		}
	}
	return false
}

// beside returns the role of a field in a row of cells.
func (k *accountant) beside(x *onGrid, r, c int, number bool) string {
	g := x.g
	f := g.At(r, c)
	text := strings.TrimSpace(f.Text)
	holds, label := x.labels[c]
	switch {
	case x.unread[c] && number, !x.long && x.amounts(c):
		return ""
	case holds == "contributors":
		return asCount
	case label || x.long && c != x.left:
		return asLabel
	case c < x.left && (!number || x.consecutive(c)):
		return asLabel
	}
	row := g.Rows[r]
	digits := map[string]bool{} // numbers in the labels of the row
	for i := range row {
		if _, ok := x.labels[i]; i != c && (ok || i < x.left && !row[i].isNumber()) {
			if strings.TrimSpace(row[i].Text) == text && (!number || x.repeats(c, i)) {
				return asLabel
			}
			for _, n := range numerals(row[i].Text) {
				digits[n] = true
			}
		}
	}
	switch {
	case number:
		return ""
	case x.explained(text):
		return asNote
	}
	for _, n := range numerals(text) {
		if !digits[n] && !year().MatchString(n) {
			return ""
		}
	}
	return asNote
}

// repeats reports whether the numbers of column c are those of column i in all rows of cells that have both: a single
// one may be equal by chance.
func (x *onGrid) repeats(c, i int) bool {
	yes, known := x.again[[2]int{c, i}]
	if !known {
		yes = true
		for r := range x.g.Rows {
			a, b := strings.TrimSpace(x.g.At(r, c).Text), strings.TrimSpace(x.g.At(r, i).Text)
			if x.own[r] && a != "" && b != "" && a != b {
				yes = false
				break
			}
		}
		x.again[[2]int{c, i}] = yes
	}
	return yes
}

// explained reports whether a text is the mark of a note, like ※1 or 2), that explains it: a line without cells begins
// with the mark and goes on in words.
func (x *onGrid) explained(text string) bool {
	if without(footnote(), text) != "" {
		return false
	}
	if x.notes == nil {
		x.notes = x.beginnings()
	}
	yes, known := x.marks[text]
	if !known {
		yes = slices.ContainsFunc(x.notes, func(note string) bool {
			rest, ok := strings.CutPrefix(note, text)
			next, _ := utf8.DecodeRuneInString(rest)
			return ok && !unicode.IsDigit(next) && strings.ContainsFunc(rest, unicode.IsLetter)
		})
		x.marks[text] = yes
	}
	return yes
}

// beginnings returns the first text of each line that has no cells and is no header.
func (x *onGrid) beginnings() []string {
	all := []string{}
	for r, row := range x.g.Rows {
		if i := slices.IndexFunc(row, func(f Field) bool { return strings.TrimSpace(f.Text) != "" }); i >= 0 && !x.own[r] && !x.headers[r] {
			all = append(all, strings.TrimSpace(row[i].Text))
		}
	}
	return all
}

// amount matches a number with its unit.
var amount = lazy.Regexp(`^[(（]?[0-9０-９][0-9０-９.,．，\s]*[^0-9０-９.,．，\s][^0-9０-９]*$`)

// withShare matches a number with another one in brackets behind it, as 12 (34.5 %). It is no label, wherever it
// stands.
var withShare = lazy.Regexp(`^[0-9０-９][0-9０-９.,．，\s]*[(（][0-9０-９.,．，\s]*[%％‰]?[)）]$`)

// amounts reports whether a column that is taken for labels holds amounts: numbers with units where the other labels
// already tell all rows apart, or numbers with shares.
func (x *onGrid) amounts(c int) bool {
	if known, ok := x.units[c]; ok {
		return known
	}
	seen := map[string]bool{}
	n, units := 0, 0
	x.units[c] = false
	for r, row := range x.g.Rows {
		text := strings.TrimSpace(x.g.At(r, c).Text)
		if !x.own[r] || text == "" {
			continue
		}
		key := ""
		for i := range row {
			if _, label := x.labels[i]; i != c && (label || i < x.left) {
				key += strings.TrimSpace(row[i].Text) + "\x00"
			}
		}
		if withShare().MatchString(text) {
			n, units = n+1, units+1
			continue
		}
		if seen[key] || hasDigit(text) && !amount().MatchString(text) && !x.g.At(r, c).isNumber() || !hasDigit(text) && utf8.RuneCountInString(text) > 3 {
			return false
		}
		if seen[key] = true; hasDigit(text) {
			n++
			if amount().MatchString(text) {
				units++
			}
		}
	}
	x.units[c] = 2*units > n
	return x.units[c]
}

// numerals returns the runs of digits in a text.
func numerals(text string) []string {
	return strings.FieldsFunc(fold(text), func(r rune) bool { return r < '0' || r > '9' })
}

// consecutive reports whether the numbers of a column count the rows of cells from 1.
func (x *onGrid) consecutive(c int) bool {
	yes, known := x.counts[c]
	if !known {
		yes = consecutive(x.g, c, x.own)
		x.counts[c] = yes
	}
	return yes
}

// consecutive reports whether the numbers of a column count the given rows, or all, from 1.
func consecutive(g *Grid, c int, rows []bool) bool {
	n := 0
	for r := range g.Rows {
		if f := g.At(r, c); (rows == nil || rows[r]) && f.isNumber() {
			if n++; fold(f.Text) != strconv.Itoa(n) {
				return false
			}
		}
	}
	return n > 1
}

// loose returns the role of a number in a row without cells: none unless it is the number of a note with text behind
// it, stands in a repeated header, or numbers the lines of a sheet without a table.
func (k *accountant) loose(x *onGrid, r, c int) string {
	g := x.g
	row := g.Rows[r]
	var before, behind []*Field
	for i := range row {
		switch f := &row[i]; {
		case strings.TrimSpace(f.Text) == "" || i == c:
		case i < c:
			before = append(before, f)
		default:
			behind = append(behind, f)
		}
	}
	f := &row[c]
	switch {
	case len(before) == 0 && len(behind) > 0 && !slices.ContainsFunc(behind, (*Field).isNumber):
		return asNote
	// what stands behind it is judged by itself
	case len(before) == 0 && !f.Number && strings.ContainsFunc(f.Text, unicode.IsLetter):
		return asLabel
	case r > x.first && x.headAgain(r):
		return asLabel
	case x.first < 0 && consecutive(g, c, nil):
		return asLabel
	case !f.Number && g.Lines == nil && len(before) == 0 && len(behind) == 0:
		return asNote
	}
	return ""
}

// headAgain reports whether each number of a row stands in the header in the same column: a single one may be equal by
// chance.
func (x *onGrid) headAgain(r int) bool {
	yes, known := x.headed[r]
	if !known {
		yes = len(x.heads) > 0
		for c := range x.g.Rows[r] {
			if f := x.g.At(r, c); yes && f.isNumber() {
				yes = x.heads[fmt.Sprint(c, strings.TrimSpace(f.Text))]
			}
		}
		x.headed[r] = yes
	}
	return yes
}

// prose accounts for a text that stands in no grid.
func (k *accountant) prose(text, ref string) {
	if !hasDigit(text) {
		return
	}
	if what := k.proseRole(text); what != "" {
		k.a.add(what, ref)
	} else {
		k.a.unknown(ref)
	}
}

// proseRole returns the role of running text. A text with the value of a cell and all its labels but those of totals
// tells that cell: the copy of a text file puts the mark there if the cell is withheld; in other files such a text has
// no role. Numbers of tables, notes, pages, paragraphs and dates tell nothing.
func (k *accountant) proseRole(text string) string {
	if k.byValue == nil {
		k.byValue, k.tens = map[string][]toldCell{}, true
		for _, t := range k.told {
			k.tell(t)
		}
	}
	folded := fold(text)
	for _, w := range inProse().FindAllStringSubmatch(folded, -1) {
		if year().MatchString(w[2]) || numbered().MatchString(w[1]) || w[1] == "" {
			continue
		}
		number := strings.ReplaceAll(w[2], ",", "")
		note := noteOf{at: k.place, text: text, number: w[2]}
		most := 1.0
		for _, of := range k.tolds(number) {
			rest, named := folded, 0
			for _, l := range of.labels {
				if strings.Contains(folded, l) {
					named++
				}
				rest = strings.ReplaceAll(rest, l, " ")
			}
			if named == 0 || named < len(of.labels) && k.s.book != nil { // in a text file, some labels are enough
				continue
			}
			if !slices.ContainsFunc(inProse().FindAllStringSubmatch(rest, -1), func(x []string) bool { return x[2] == w[2] }) {
				continue
			}
			if k.s.text == nil {
				return ""
			}
			switch share := float64(named) / float64(len(of.labels)); {
			case share == 1 && most > 0:
				note.of, most = []string{of.ref}, 0
			case share == 1 || most > 0:
				note.of = append(note.of, of.ref)
			}
		}
		if note.of != nil {
			k.a.notes = append(k.a.notes, note)
		}
	}
	return asNote
}

// closer returns the role of running text in a workbook, whose copy loses withheld values: none where the text has a
// cell's value with more digits than the cell.
func (k *accountant) closer(text string) string {
	k.rounded = true
	defer func() { k.rounded = false }()
	return k.proseRole(text)
}

// tolds returns the cells whose value a number is, and those whose value it becomes when it is rounded to fewer
// decimals or, where all values are multiples of ten, to tens.
func (k *accountant) tolds(number string) []toldCell {
	var all []toldCell
	if !k.rounded {
		all = slices.Clone(k.byValue[number])
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return all
	}
	_, part, _ := strings.Cut(number, ".")
	for places := range len(part) {
		all = append(all, k.byValue[strconv.FormatFloat(v, 'f', places, 64)]...)
	}
	if rounded := strconv.FormatFloat(10*math.Round(v/10), 'f', 0, 64); k.tens && rounded != number {
		all = append(all, k.byValue[rounded]...)
	}
	return all
}

// inProse finds numbers and what stands before them. numbered matches what stands before the numbers of tables, notes,
// pages and paragraphs.
var (
	inProse  = lazy.Regexp(`(\pL*[^0-9]?\s*)([0-9]+(?:[.,][0-9]+)*)`)
	numbered = lazy.Regexp(`(?i)^(?:tab(?:le|leau|el|elle|ela|la|ella|lica)?\.?|tavola|cuadro|exhibit|worksheet|figure|fig\.?|no\.?|nr\.?|note|fußnote|page|p\.|s\.|seite|art\.?|article|第|表|図|注|§)\s*$`)
)

// mostTold bounds the cells of a table that texts are compared with.
const mostTold = 1 << 16

// tell indexes the labels of a table's cells by their values.
func (k *accountant) tell(t *Table) {
	if len(t.Cells) > mostTold {
		return
	}
	total := make([]map[string]bool, len(t.Dimensions))
	label := make([]map[string]string, len(t.Dimensions)) // of the codes in dimensions that tell cells apart
	for d := range t.Dimensions {
		total[d], label[d] = map[string]bool{}, map[string]string{}
		if !t.Dimensions[d].named() {
			continue
		}
		for _, c := range t.Dimensions[d].Codes {
			if c.Parent != nil {
				total[d][*c.Parent] = true
			}
			if !slices.Contains(t.unnamed, codeOf{d, c.Code}) {
				label[d][c.Code] = fold(c.Label)
			}
		}
	}
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Value == nil || len(c.Codes) != len(t.Dimensions) {
			continue
		}
		k.tens = k.tens && strings.HasSuffix(string(*c.Value), "0") && c.Value.places() == 0
		var labels, totals []string
		for d, code := range c.Codes {
			switch {
			case label[d][code] == "":
			case total[d][code]:
				totals = append(totals, label[d][code])
			default:
				labels = append(labels, label[d][code])
			}
		}
		if len(labels) == 0 {
			labels = totals
		}
		if len(labels) > 0 {
			value, _ := strconv.ParseFloat(string(*c.Value), 64) // a Number always parses
			k.byValue[string(*c.Value)] = append(k.byValue[string(*c.Value)], toldCell{labels, c.Ref, value})
		}
	}
}

// around accounts for what a workbook holds beside its cells: comments, named constants, headers, footers, text boxes
// and properties.
func (k *accountant) around() {
	if k.s.book == nil {
		return
	}
	texts, err := xlsx.Texts(k.s.book)
	if err != nil {
		return // writing the copy reports the error
	}
	for _, t := range texts {
		if !hasDigit(t.Text) {
			continue
		}
		what := asNote
		if slices.Contains(k.s.texts, t.Text) {
			k.a.add(asBlank, t.Where)
			continue
		}
		if t.Kind == xlsx.Charted {
			what = asPoint
		} else if t.Kind != xlsx.Running && k.proseRole(t.Text) != "" {
			told := numerals(dates().ReplaceAllString(fold(t.Text), ""))
			if _, err := strconv.ParseFloat(t.Text, 64); err == nil && t.Kind == xlsx.Constant {
				told = []string{t.Text}
			}
			for _, n := range told {
				if !year().MatchString(n) && !k.repeats(n, t) {
					what = ""
				}
			}
		}
		if what == "" || what != asPoint && k.closer(t.Text) == "" {
			k.a.unknown(t.Where)
			k.a.beside = append(k.a.beside, t.Where)
		} else {
			k.a.add(what, t.Where)
		}
	}
}

// repeats reports whether n is a number of the tables that the copy drops from such a text where the cell is withheld:
// the number of the cell that a comment is on, the value of a named constant, or a long number.
func (k *accountant) repeats(n string, t xlsx.Text) bool {
	for _, of := range k.told {
		for i := range of.Cells {
			c := &of.Cells[i]
			if c.Value != nil && string(*c.Value) == n && (len(n) > 2 || t.Kind == xlsx.Constant || c.Ref == t.On) {
				return true
			}
		}
	}
	return false
}

// dates match days and times within a text.
var dates = lazy.Regexp(`[0-9]{1,4}[./\-][0-9]{1,2}[./\-][0-9]{1,4}|[0-9]{1,2}月[0-9]{1,2}日|(?:1[89]|20)[0-9]{2}年|[0-9]{1,2}:[0-9]{2}`)

// bracketed leaves it open whether counts in brackets are numbers below 0 or numbers with a mark.
func (k *accountant) bracketed() {
	for _, t := range k.told {
		if t.Kind != ofCounts {
			continue
		}
		for i := range t.Cells {
			c := &t.Cells[i]
			at := address{nameOfSheet(c.Sheet), c.Ref}
			if c.Value == nil || !strings.HasPrefix(string(*c.Value), "-") {
				continue
			}
			for _, g := range k.s.grids {
				if area, ok := g.Area(c.Ref); ok && g.Sheet == at.sheet && strings.HasPrefix(fold(g.At(area.Top, area.Left).Text), "(") {
					delete(k.known, at)
				}
			}
		}
	}
}

// A fieldAt is where a field stands.
type fieldAt struct {
	sheet string
	r, c  int
}

// repeats returns the fields of the tables that the numbers of a sheet repeat, where all of them do at one distance
// down and to the right, or with rows and columns exchanged. Such a sheet is a copy and loses what the table loses. It
// returns nil for any other sheet.
func repeats(g *Grid, cells map[string][]fieldAt) map[[2]int][]fieldAt {
	type field struct {
		at   [2]int
		text string
	}
	var numbers []field
	for r, row := range g.Rows {
		for c := range row {
			if f := &row[c]; f.Number && f.Formula == "" {
				numbers = append(numbers, field{[2]int{r, c}, strings.TrimSpace(f.Text)})
			}
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	var found map[[2]int][]fieldAt
	for _, turned := range []bool{false, true} {
		for _, from := range cells[numbers[0].text] {
			at := func(f field) fieldAt {
				d := [2]int{f.at[0] - numbers[0].at[0], f.at[1] - numbers[0].at[1]}
				if turned {
					d[0], d[1] = d[1], d[0]
				}
				return fieldAt{from.sheet, from.r + d[0], from.c + d[1]}
			}
			if slices.ContainsFunc(numbers, func(f field) bool { return !slices.Contains(cells[f.text], at(f)) }) {
				continue
			}
			if found == nil {
				found = map[[2]int][]fieldAt{}
			}
			for _, f := range numbers {
				found[f.at] = append(found[f.at], at(f))
			}
		}
	}
	return found
}

// takesOut returns the flags that take the unknown numbers out.
func (s *Source) takesOut(a *Account) string {
	refs := s.areas(a)
	if len(refs) == 0 {
		return "--blank"
	}
	return "--blank " + strings.Join(sets.Each(refs, quoteName), " --blank ")
}

// leftOpen returns a question about a table other than t, as its answer may be why numbers are in no table that is
// read; nil for none.
func (s *Source) leftOpen(t *Table) *AmbiguityError {
	for _, of := range s.Reading.Tables {
		if ask := s.asks(of); !t.has(of) && ask != nil {
			return ask
		}
	}
	return nil
}

// account returns an error where some numbers of the file have no role, or says how many they are where somebody has
// looked at them.
func (s *Source) account(t *Table, o *formats.Options) error {
	a := s.Account(t)
	n := len(a.Unknown)
	switch {
	case n == 0:
	case !s.leave:
		for _, f := range s.shared() {
			if slices.Contains(a.fields, fieldAt{f.g.Sheet, f.r, f.c}) && f.amid() {
				return f.refuse(s.name)
			}
		}
		out := s.takesOut(a)
		if ask := s.leftOpen(t); ask != nil {
			ask.Readings, ask.Options = append(slices.Clone(ask.Readings), i18n.T("%d numbers in no table that is read are taken out", n)), append(slices.Clone(ask.Options), out)
			return ask
		}
		return s.fault("%d numbers of the file are in no table that is read, and may tell what is withheld: %s; if they are computed from others say which (--derived), where the table stands (--range, --header-rows, --sheet), which are numbers of notes (--note), take them out (%s), or, if somebody has looked at them, --leave-aside", n, a.named(), out)
	case o.Say != nil:
		o.Say(i18n.T("%d numbers are left aside, as --leave-aside says, and no verdict covers them: %s", n, a.named()))
	}
	return nil
}
