package layout

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// kind is what a field seems to be when seen by itself.
type kind uint8

const (
	blank kind = iota
	text
	number
	mark
)

// A view is a grid, or some of its columns, with the kind of each field.
type view struct {
	codes       map[int]bool // by column: whether it holds codes, where that was looked up
	g           *Grid
	style       *numberStyle
	left, right int // columns of the view; right is not included
	rows        []rowView
	merged      map[[2]int]int // (row, column) of a field in a merged range → index in g.Merged
	suffix      map[int]string // by column: a word that stands behind all its numbers
}

// A rowView is a row without its blank fields.
type rowView struct {
	at    []int32 // columns that are not blank, in ascending order
	kinds []kind
}

func newView(g *Grid, style *numberStyle) *view {
	v := &view{g: g, style: style, rows: make([]rowView, len(g.Rows)), merged: map[[2]int]int{}}
	for r, row := range g.Rows {
		v.right = max(v.right, len(row))
		rv := &v.rows[r]
		for c := range row {
			if k := v.kindOf(&row[c]); k != blank {
				rv.at = append(rv.at, int32(c))
				rv.kinds = append(rv.kinds, k)
			}
		}
	}
	v.settleUnited() // first, or letters behind the other numbers would be taken for ordinals
	v.settleOrdinals()
	v.settleSuffixes()
	v.settleOdd()
	v.settleCodes()
	fields := 0
	for i, m := range g.Merged {
		fields += (m.Bottom - m.Top + 1) * (m.Right - m.Left + 1)
		if fields > 1<<20 || m.Bottom >= len(g.Rows)+1 {
			continue
		}
		for r := m.Top; r <= m.Bottom; r++ {
			for c := m.Left; c <= m.Right; c++ {
				v.merged[[2]int{r, c}] = i
			}
		}
	}
	return v
}

// columns returns the part of v from column left up to, but not including, right.
func (v *view) columns(left, right int) *view {
	w := &view{g: v.g, style: v.style, left: left, right: right, merged: v.merged, suffix: v.suffix, rows: make([]rowView, len(v.rows))}
	for r := range v.rows {
		from, _ := slices.BinarySearch(v.rows[r].at, int32(left))
		to, _ := slices.BinarySearch(v.rows[r].at, int32(right))
		w.rows[r] = rowView{v.rows[r].at[from:to], v.rows[r].kinds[from:to]}
	}
	return w
}

func (v *view) kindOf(f *Field) kind {
	switch {
	case f.Text == "" && f.Formula == "":
		return blank
	case f.Number && (f.Style == nil || !f.Style.Date):
		return number
	case f.Number:
		return text
	case strings.TrimFunc(f.Text, isBlank) == "":
		return blank
	}
	w := v.style.read(f.Text)
	switch {
	case !w.OK, bracketYear(f.Text):
		return text
	case w.Mark != "":
		return mark
	case w.odd():
		return text
	}
	if isPadded(f.Text) {
		return text
	}
	return number
}

// odd reports whether a number counts as one only beside other numbers: elsewhere 2 人, p2 and [2] are labels and
// notes.
func (w written) odd() bool { return w.Odd || w.Unit != "" && w.Unit != "%" }

// settleOrdinals turns numbers into labels in rows where the same single letter stands behind every number: 6e,
// 5e, 4e are school years in a header. They must be consecutive, or a text must stand behind one.
func (v *view) settleOrdinals() {
	for r := range v.rows {
		row := &v.rows[r]
		flag, n, behind, steps, last := "", 0, false, true, ""
		for i, k := range row.kinds {
			if k != number {
				behind = behind || k == text && n > 0
				continue
			}
			f := v.g.At(r, int(row.at[i]))
			w := v.style.read(f.Text)
			if f.Number || w.Value == nil || lettersIn(w.Flag) != 1 || n > 0 && w.Flag != flag {
				n = -len(row.kinds)
				break
			}
			at := string(*w.Value)
			steps = steps && (n == 0 || at == increment(last) || last == increment(at))
			flag, last = w.Flag, at
			n++
		}
		if n < 2 || !behind && !steps {
			continue
		}
		for i, k := range row.kinds {
			if k == number {
				row.kinds[i] = text
			}
		}
	}
}

// suffixed matches a number and a word behind it that may be its unit. classWords matches words behind the
// numbers of classes, years and places.
var (
	suffixed   = lazy.Regexp(`^[0-9][0-9.,'’ \x{a0}\x{2009}\x{202f}]*\s*(\pL[\pL.]{0,11})$`)
	classWords = lazy.Regexp(`^(?:[年月日時分歳才級区条丁目号番次度回位階]|.*(?:以上|未満|以下|st|nd|rd|th|er|ème)$)`)
)

// settleSuffixes finds columns behind a label in which the same word, one that is in no list of units, stands
// behind all numbers, of which there are at least three.
func (v *view) settleSuffixes() {
	type column struct {
		word         string
		n            int
		other, count bool
	}
	all := map[int32]*column{}
	for r := range v.rows {
		row := &v.rows[r]
		if !slices.Contains(row.kinds, number) {
			continue
		}
		labelled := false
		for i, k := range row.kinds {
			at := row.at[i]
			s := strings.TrimFunc(v.g.At(r, int(at)).Text, isBlank)
			m := suffixed().FindStringSubmatch(s)
			if k != text || m == nil || units[m[1]] || classWords().MatchString(m[1]) || !labelled {
				if k == text {
					labelled = true
					if c := all[at]; c != nil {
						c.other = true
					} else {
						all[at] = &column{other: true}
					}
				}
				continue
			}
			c := all[at]
			if c == nil {
				c = &column{word: m[1], count: true}
				all[at] = c
			}
			if c.word != m[1] {
				c.other = true
			}
			c.n++
			c.count = c.count && strings.TrimSpace(strings.TrimSuffix(s, m[1])) == itoa(c.n)
		}
	}
	for at, c := range all {
		if c.other || c.n < 3 || c.count {
			continue
		}
		if v.suffix == nil {
			v.suffix = map[int]string{}
		}
		v.suffix[int(at)] = c.word
	}
	if v.suffix == nil {
		return
	}
	for r := range v.rows {
		row := &v.rows[r]
		for i, at := range row.at {
			word := v.suffix[int(at)]
			if s := strings.TrimFunc(v.g.At(r, int(at)).Text, isBlank); word != "" && row.kinds[i] == text && strings.HasSuffix(s, word) && suffixed().MatchString(s) {
				row.kinds[i] = number
			}
		}
	}
}

// settleCodes turns the codes in the first row of a header into labels: whole numbers of equal length that grow,
// perhaps starting again, directly above a row of texts that covers all of them and begins further left, with
// numbers below.
func (v *view) settleCodes() {
	heads := map[string]bool{} // what accepted rows say, since they may be repeated further down
	for r := 0; r+2 < len(v.rows); r++ {
		row, names, n, over, says := &v.rows[r], &v.rows[r+1], 0, 0, ""
		if !slices.Contains(row.kinds, number) || slices.ContainsFunc(names.kinds, func(k kind) bool { return k != text }) {
			continue
		}
		first, last := "", ""
		for i, k := range row.kinds {
			c := int(row.at[i])
			says += itoa(c) + v.g.At(r, c).Text + v.g.At(r+1, c).Text
			if k == text {
				continue
			}
			w := v.value(r, c)
			if k != number || w.Value == nil || strings.ContainsAny(string(*w.Value), "-.") || n > 0 && len(*w.Value) != len(last) || v.kind(r+1, c) != text || v.kind(r+2, c) == text {
				n = -1
				break
			}
			s := string(*w.Value)
			if n == 0 {
				first = s
			} else if s <= last && s != first {
				n = -1
				break
			}
			if last = s; v.kind(r-1, c) != blank {
				over++
			}
			n++
		}
		if n < 2 || 2*over >= n && !heads[says] || isYear(first) || int(names.at[0]) >= v.firstOf(r, number) || v.kind(r+2, v.firstOf(r, number)) == blank {
			continue
		}
		heads[says] = true
		for i := range row.kinds {
			row.kinds[i] = text
		}
	}
}

// firstOf returns the first column of row r that is of kind k, or v.right if there is none.
func (v *view) firstOf(r int, k kind) int {
	if i := slices.Index(v.rows[r].kinds, k); i >= 0 {
		return int(v.rows[r].at[i])
	}
	return v.right
}

// settleOdd turns texts into numbers that are numbers only beside others: in rows with numbers, behind a label,
// and in columns that hold nothing else there and do not count from 1 as labels do.
func (v *view) settleOdd() {
	type column struct {
		odd, other, unit int
		counts           bool
	}
	all := map[int32]*column{}
	plain := map[int32]int{}
	for r := range v.rows {
		if v.allFlagged(r) || v.allUnits(r) {
			for i := 1; i < len(v.rows[r].kinds); i++ {
				v.rows[r].kinds[i] = number
			}
		}
		for i, k := range v.rows[r].kinds {
			if k == number {
				plain[v.rows[r].at[i]]++
			}
		}
	}
	each := func(do func(r, i int, w written)) {
		for r := range v.rows {
			row := &v.rows[r]
			labelled := false
			if !slices.Contains(row.kinds, number) {
				continue
			}
			for i, k := range row.kinds {
				w := written{}
				if k == text {
					w = v.style.read(v.g.At(r, int(row.at[i])).Text)
				}
				odd := w.OK && w.Value != nil && w.odd()
				if k == text && (labelled || !odd) {
					do(r, i, w)
				}
				labelled = labelled || k == text && !odd || k == number && i > 0
			}
		}
	}
	each(func(r, i int, w written) {
		if v.years(r) { // a header
			return
		}
		c := all[v.rows[r].at[i]]
		if c == nil {
			c = &column{counts: true}
			all[v.rows[r].at[i]] = c
		}
		if w.OK && w.Value != nil && w.odd() {
			c.odd++
			if w.Unit != "" {
				c.unit++
			}
			c.counts = c.counts && string(*w.Value) == itoa(c.odd)
		} else {
			c.other++
		}
	})
	for at, c := range all {
		c.counts = c.counts && !(c.unit > 1 && v.summed(int(at)))
	}
	each(func(r, i int, w written) {
		// a unit is written with most numbers of a column: １人 above plain 12, 30 and 8 is their label
		c := all[v.rows[r].at[i]]
		if c != nil && w.Value != nil && c.other == 0 && (c.unit == 0 && (c.odd == 1 || plain[v.rows[r].at[i]] > 0) || !c.counts) && (c.unit == 0 || c.odd > 1 && c.unit >= plain[v.rows[r].at[i]]) {
			v.rows[r].kinds[i] = number
		}
	})
}

// years reports whether all numbers of a row are years and no other text in it holds a number.
func (v *view) years(r int) bool {
	row := &v.rows[r]
	for i, k := range row.kinds {
		f := v.g.At(r, int(row.at[i]))
		if k == number && !isYear(clean(f.Text)) || k == text && v.style.read(f.Text).Value != nil {
			return false
		}
	}
	return true
}

// summed reports whether a column has odd numbers in two or more rows, and in each of these rows one number is
// the sum of the others.
func (v *view) summed(c int) bool {
	n := 0
	for r := range v.rows {
		if w := v.style.read(v.g.At(r, c).Text); w.Value != nil && w.odd() {
			if n++; !v.sumIn(r) {
				return false
			}
		}
	}
	return n > 1
}

// allUnits reports whether all fields behind the label of a row are numbers with units that were taken for texts;
// the label may be repeated among them, and flags may stand there. They are numbers if plain numbers stand
// directly above each of them, or if they stand below a header, above plain numbers, and do not run as classes
// do: some fall and some grow, or they fall and one is the sum of the others, or two zeros follow each other. A
// label that is a year above another year, as in no header, is evidence, too.
func (v *view) allUnits(r int) bool {
	row := &v.rows[r]
	if len(row.kinds) < 2 {
		return false
	}
	above, below, dated := v.neighbours(r)
	label := int(row.at[0])
	if row.kinds[0] != text && !dated {
		return false
	}
	plain := func(r, c int) bool { return v.kind(r, c) == number && !isYear(clean(v.g.At(r, c).Text)) }
	behind, first, falls, grows, zeros := true, true, false, false, false
	last, units := 0.0, 0
	for i := 1; i < len(row.kinds); i++ {
		c := int(row.at[i])
		if s := v.text(r, c); s == v.text(r, label) || utf8.RuneCountInString(s) == 1 && !hasDigit(s) {
			continue // the label again, or a flag
		}
		w := v.style.read(v.g.At(r, c).Text)
		if row.kinds[i] != text || w.Value == nil || w.Unit == "" {
			return false
		}
		n, _ := strconv.ParseFloat(string(*w.Value), 64)
		falls, grows = falls || units > 0 && n < last, grows || units > 0 && n > last
		zeros = zeros || units > 0 && n == 0 && last == 0
		last = n
		units++
		behind = behind && plain(above, c)
		first = first && v.kind(above, c) == text && (plain(below, c) || dated && v.kind(below, c) == mark)
	}
	return units > 0 && (behind || first && (dated || zeros || falls && grows || !grows && v.sumIn(r)))
}

// neighbours returns the next row above that is not blank and the next row below that has something in the column
// of the label, as a row of flags has not. dated says that the label is a year below a text and above another
// year, as in no header.
func (v *view) neighbours(r int) (above, below int, dated bool) {
	above, below = r-1, r+1
	for above >= 0 && len(v.rows[above].at) == 0 {
		above--
	}
	label := int(v.rows[r].at[0])
	for below < len(v.rows) && v.kind(below, label) == blank {
		below++
	}
	year := func(r int) bool { return isYear(clean(v.text(r, label))) }
	return above, below, year(r) && year(below) && v.kind(above, label) == text
}

// allFlagged reports whether all fields behind the label of a row, two or more, are numbers below a header, some
// taken for texts because of flags like p4 or units. The label may be a year above another year.
func (v *view) allFlagged(r int) bool {
	row := &v.rows[r]
	if len(row.kinds) < 3 || r == 0 || !slices.Contains(row.kinds[1:], text) {
		return false
	}
	if row.kinds[0] != text {
		if _, _, dated := v.neighbours(r); !dated {
			return false
		}
	}
	flagged := false
	for i := 1; i < len(row.kinds); i++ {
		if w := v.style.read(v.g.At(r, int(row.at[i])).Text); row.kinds[i] != text && row.kinds[i] != number || w.Value == nil || !w.odd() && w.Flag == "" || v.kind(r-1, int(row.at[i])) == blank {
			return false
		} else if w.Odd || w.Flag != "" {
			flagged = true
		}
	}
	return flagged
}

// bracketYear reports whether s is a year in brackets, which is no negative number.
func bracketYear(s string) bool {
	s = fold(s)
	return len(s) == 6 && s[0] == '(' && s[5] == ')' && isYear(s[1:5])
}

// isPadded reports whether s is a code: digits with a leading zero.
func isPadded(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9'
}

// kind returns the kind of the field in row r and column c.
func (v *view) kind(r, c int) kind {
	if r < 0 || r >= len(v.rows) {
		return blank
	}
	if k, ok := slices.BinarySearch(v.rows[r].at, int32(c)); ok {
		return v.rows[r].kinds[k]
	}
	return blank
}

// text returns the text of a field; for merged fields, their common text.
func (v *view) text(r, c int) string {
	if s := v.g.At(r, c).Text; strings.TrimFunc(s, isBlank) != "" {
		return s
	}
	if i, ok := v.merged[[2]int{r, c}]; ok {
		m := v.g.Merged[i]
		return v.g.At(m.Top, m.Left).Text
	}
	return ""
}

// origin returns the first of the fields merged with the one in row r and column c.
func (v *view) origin(r, c int) (int, int) {
	if i, ok := v.merged[[2]int{r, c}]; ok {
		return v.g.Merged[i].Top, v.g.Merged[i].Left
	}
	return r, c
}

// value reads a field as a value.
func (v *view) value(r, c int) written {
	f := v.g.At(r, c)
	if f.Number {
		if d, ok := parseNumber(f.Text); ok {
			return written{Value: &d, OK: true}
		}
		return written{}
	}
	text := f.Text
	if s := v.suffix[c]; s != "" {
		text = strings.TrimSuffix(strings.TrimFunc(text, isBlank), s)
	}
	return v.style.read(text)
}

// class is what a row seems to be when seen by itself.
type class uint8

const (
	blankRow    class = iota
	single            // one text
	several           // several texts
	dataRow           // numbers
	markRow           // marks behind labels
	yearRow           // all its numbers are years
	countRow          // all its numbers are 1, 2, 3, …
	numberAlone       // nothing but a number
)

func (v *view) classOf(r int) class {
	row := &v.rows[r]
	numbers, marks, texts, ranges, lastText, firstNumber := 0, 0, 0, 0, -1, -1
	years, counts, goOn, last := true, true, true, ""
	marked := slices.Contains(row.kinds, mark)
	for i, k := range row.kinds {
		switch k {
		case text:
			if marked && !v.worded(r, i) {
				marks++ // perhaps an unknown mark
				continue
			}
			texts++
			lastText = i
			if hasDigit(v.g.At(r, int(row.at[i])).Text) {
				ranges++
			}
		case mark:
			marks++
		case number:
			if firstNumber < 0 {
				firstNumber = i
			}
			numbers++
			f := v.g.At(r, int(row.at[i]))
			if y := clean(f.Text); !isYear(y) || f.Style != nil && strings.Contains(f.Style.Format, ",") {
				years = false
			}
			w := v.value(r, int(row.at[i]))
			if w.Value == nil || strings.TrimPrefix(string(*w.Value), "-") != itoa(numbers) {
				counts = false
			}
			if w.Value == nil || numbers > 1 && string(*w.Value) != increment(last) {
				goOn = false
			} else {
				last = string(*w.Value)
			}
		}
	}
	switch {
	case len(row.at) == 0:
		return blankRow
	case numbers == 0 && len(row.at) == 1:
		return single
	case numbers == 0 && marks > 0 && !v.overNumbers(r) && !v.headsAgain(r) && (lastText < 0 || row.kinds[len(row.kinds)-1] == mark && lastText < len(row.kinds)-marks):
		return markRow
	case numbers == 0:
		return several
	case len(row.at) == 1:
		return numberAlone
	case numbers == 1 && row.kinds[0] == text && strings.HasPrefix(clean(v.g.At(r, int(row.at[0])).Text), "©"):
		return several // a copyright sign and its year
	case numbers == 1 && ranges > leastRanges && !v.g.At(r, int(row.at[firstNumber])).Number && v.value(r, int(row.at[firstNumber])).Flag != "":
		return several // one class among others, as 85 y over más
	case marks == 0 && ranges > 0 && v.openClasses(r):
		return several
	case years && marks == 0 && (numbers > 1 || firstNumber > 0 || lastText > firstNumber):
		return yearRow
	case counts && marks == 0 && numbers > 1, goOn && numbers == len(row.at) && numbers > 2 && row.at[0] > 0: // 5, 6, 7 without a label: school years, ages
		return countRow
	case lastText > firstNumber && firstNumber+numbers == lastText && numbers == 1 && firstNumber == 0 && marks == 0:
		return several // a number before a text: an item of a list
	case lastText == len(row.kinds)-1 && numbers > 0 && firstNumber == 0 && texts == len(row.at)-numbers && lastText >= numbers && marks == 0 && allBefore(row.kinds):
		return several
	}
	return dataRow
}

// closedClass matches a class of numbers from one to another, openClass one without a least or a largest number.
var (
	closedClass = lazy.Regexp(`^(\d+)\s?[-–−]\s?(\d+)(?:\D|$)`)
	openClass   = lazy.Regexp(`^(?:[-–−]\s?(\d+)|(\d+)\s?[-–−])$`)
)

// openClasses reports whether all numbers of a row are open classes, like –19 and 65–, which go on where a closed class
// of that row ends.
func (v *view) openClasses(r int) bool {
	row := &v.rows[r]
	wholeOf := func(s string) int { n, _ := strconv.Atoi(s); return n }
	begin, end := map[int]bool{}, map[int]bool{}
	for _, c := range row.at {
		if m := closedClass().FindStringSubmatch(clean(v.g.At(r, int(c)).Text)); m != nil {
			begin[wholeOf(m[1])], end[wholeOf(m[2])] = true, true
		}
	}
	for i, c := range row.at {
		if row.kinds[i] != number {
			continue
		}
		m := openClass().FindStringSubmatch(clean(v.g.At(r, int(c)).Text))
		switch {
		case m == nil || v.g.At(r, int(c)).Number:
			return false
		case m[1] != "" && !begin[wholeOf(m[1])] && !begin[wholeOf(m[1])+1], m[2] != "" && !end[wholeOf(m[2])] && !end[wholeOf(m[2])-1]:
			return false
		}
	}
	return len(begin) > 0
}

// leastRanges is the number of texts with digits beyond which a number with a flag in their row is a class like
// them.
const leastRanges = 4

// overNumbers reports whether the texts of a row, except for the first, stand above numbers: then the row is a
// header, some of whose labels (like 不詳) are marks elsewhere.
func (v *view) overNumbers(r int) bool {
	next := r + 1
	for next < len(v.rows) && len(v.rows[next].at) == 0 {
		next++
	}
	over, first := 0, true
	for i, k := range v.rows[r].kinds {
		if k != text || !v.worded(r, i) {
			continue
		}
		if first {
			first = false
			continue
		}
		c := int(v.rows[r].at[i])
		switch below := v.kind(next, c); {
		case below == number && !isYear(clean(v.g.At(next, c).Text)):
			over++
		case below != mark:
			return false
		}
	}
	return over > 0
}

// headsAgain reports whether a row repeats, field by field, a header of numbers in one of the rows above: it is that of
// another panel, whatever stands below it.
func (v *view) headsAgain(r int) bool {
	for up := r - 1; up >= max(0, r-farAbove); up-- {
		if len(v.rows[up].at) == len(v.rows[r].at) && len(v.rows[r].at) > 2 && v.overNumbers(up) && !slices.ContainsFunc(sets.Upto(len(v.rows[r].at)), func(i int) bool {
			return squeeze(v.text(up, int(v.rows[up].at[i]))) != squeeze(v.text(r, int(v.rows[r].at[i])))
		}) {
			return true
		}
	}
	return false
}

// farAbove is how many rows above one a header is looked for that it repeats.
const farAbove = 100

// worded reports whether field number i of a row has a letter or digit; a text without any may be an unknown
// mark.
func (v *view) worded(r, i int) bool {
	return strings.ContainsFunc(v.g.At(r, int(v.rows[r].at[i])).Text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// allBefore reports whether all numbers stand before all texts.
func allBefore(kinds []kind) bool {
	seen := false
	for _, k := range kinds {
		if k == text {
			seen = true
		} else if seen {
			return false
		}
	}
	return true
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
