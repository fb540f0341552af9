package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/lazy"
)

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
