package layout

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// A block is a rectangle of values, with the header above and the labels left of it.
type block struct {
	v         *view
	above     []int // rows between the block before and the header: title, unit, notes
	header    []int
	data      []int       // the rows with values
	heads     map[int]int // heading rows: row → column of the text
	between   []int       // blank rows among the data
	after     []int       // rows below, up to the next block: notes
	stub      []int       // the columns of labels
	values    []int       // the columns of values
	remarks   []int       // columns of text behind the values
	dates     []int       // columns of the stub that tell no more than the days in others
	head      *head
	saved     *Block // what a saved layout says of it, nil if it was found
	separator string // the separator of a text file
	shares    bool   // another block stands on the same sheet
	stairs    bool   // a row fills as many columns of labels as it is deep in the hierarchy
}

// blocks finds the blocks of a view, from top to bottom.
func (v *view) blocks() (all []*block) {
	classes := sets.List(len(v.rows), func(r int) class { return v.classOf(r) })
	v.settle(classes)
	var now *block
	var since []int // rows since the last row of data
	for r := range v.rows {
		switch classes[r] {
		case dataRow, markRow:
			if now == nil && classes[r] == markRow && !v.dataFollows(classes, r) {
				since = append(since, r)
				continue
			}
			if now == nil || v.headerWithin(now, since, classes) {
				if now != nil {
					all = append(all, now)
				}
				now = &block{v: v, above: since, heads: map[int]int{}}
			} else {
				for _, s := range since {
					if len(v.rows[s].at) == 0 {
						now.between = append(now.between, s)
					} else {
						now.heads[s] = int(v.rows[s].at[0])
					}
				}
			}
			now.data = append(now.data, r)
			since = nil
		default:
			since = append(since, r)
		}
	}
	if now != nil {
		all = append(all, now)
		now.after = since
	}
	kept := all[:0]
	for i, b := range all {
		if i > 0 {
			b.divide(kept)
		}
		b.findColumns()
		b.findHeader()
		if b.sound() {
			kept = append(kept, b)
		}
	}
	return kept
}

// settle decides whether rows of years, or of 1, 2, 3, …, are headers or data.
func (v *view) settle(classes []class) {
	for r, c := range classes {
		if c != yearRow && c != countRow {
			continue
		}
		before := blankRow
		for p := r - 1; p >= 0 && before == blankRow; p-- {
			before = classes[p]
		}
		near := blankRow
		if r > 0 {
			near = classes[r-1]
		}
		next := r + 1
		for next < len(classes) && (classes[next] == blankRow || classes[next] == single || classes[next] == several || classes[next] == countRow) {
			next++
		}
		follows := next < len(classes) && (classes[next] == dataRow || classes[next] == markRow) && v.below(r, next)
		switch {
		case c == yearRow && near == several && v.labelled(r) && !v.monotone(r):
			classes[r] = dataRow // counts that could be years
		case c == yearRow && follows && before != dataRow, c == yearRow && follows && near != dataRow && near != yearRow:
			classes[r] = several
		case c == countRow && follows && (near == several || classes[r+1] == several) && v.numbers(r) >= 10:
			classes[r] = several // weeks or ages: no row of data is 1 to 10 in turn
		case c == countRow && r > 0 && len(v.rows[r-1].at) > 0 && v.labelled(r), c == countRow && follows && v.inTotal(classes, r):
			classes[r] = dataRow
		case c == countRow && follows && (near == several || near == single && v.spans(r)):
			classes[r] = several
		default:
			classes[r] = dataRow
		}
	}
}

// inTotal reports whether a row below, in the same table, is in every column the sum of the numbers from row r on, or
// half of it where subtotals are among them. Then row r does not number the columns.
func (v *view) inTotal(classes []class, r int) bool {
	if v.rows[r].kinds[0] != text {
		return false
	}
	sums := map[int]float64{}
	for n := r; n < len(classes) && (classes[n] == countRow || classes[n] == dataRow || classes[n] == markRow); n++ {
		met := [2]bool{n > r+1, n > r+2}
		for i, k := range v.rows[r].kinds {
			c := int(v.rows[r].at[i])
			if k != number {
				continue
			}
			x := 0.0
			if w := v.value(n, c); w.Value != nil {
				x, _ = strconv.ParseFloat(string(*w.Value), 64)
			}
			for times := range met {
				met[times] = met[times] && math.Abs(sums[c]-float64(times+1)*x) < 1e-6
			}
			sums[c] += x
		}
		if met[0] || met[1] {
			return true
		}
	}
	return false
}

// numbers counts the numbers of row r.
func (v *view) numbers(r int) (n int) {
	for _, k := range v.rows[r].kinds {
		if k == number {
			n++
		}
	}
	return n
}

// labelled reports whether row r and the one above both begin with a text in the same column.
func (v *view) labelled(r int) bool {
	a, b := &v.rows[r], &v.rows[r-1]
	return a.kinds[0] == text && b.kinds[0] == text && a.at[0] == b.at[0]
}

// monotone reports whether row r has several numbers that grow or fall throughout, or of which most come again.
func (v *view) monotone(r int) bool {
	var last string
	up, down, n := true, true, 0
	distinct := map[string]bool{}
	for i, k := range v.rows[r].kinds {
		if k != number {
			continue
		}
		s := clean(v.g.At(r, int(v.rows[r].at[i])).Text)
		if n++; n > 1 {
			up, down = up && s > last, down && s < last
		}
		last = s
		distinct[s] = true
	}
	return n > 1 && (up || down || 2*len(distinct) <= n)
}

// spans reports whether row r begins in the column in which row r−1 begins, or further right.
func (v *view) spans(r int) bool { return v.rows[r].at[0] >= v.rows[r-1].at[0] }

// below reports whether at least half of the numbers of row r stand above numbers or marks of row next.
func (v *view) below(r, next int) bool {
	n, hit := 0, 0
	for i, k := range v.rows[r].kinds {
		if k == number {
			n++
			if w := v.kind(next, int(v.rows[r].at[i])); w == number || w == mark {
				hit++
			}
		}
	}
	return 2*hit >= n
}

// dataFollows reports whether the next rows below a row of marks have numbers in its columns.
func (v *view) dataFollows(classes []class, r int) bool {
	for n := r + 1; n < len(classes) && n < r+50; n++ {
		switch classes[n] {
		case dataRow:
			return v.overlap(r, n)
		case markRow, blankRow, single:
		default:
			return false
		}
	}
	return false
}

func (v *view) overlap(r, n int) bool {
	for i, k := range v.rows[r].kinds {
		if k == mark && v.kind(n, int(v.rows[r].at[i])) == number {
			return true
		}
	}
	return false
}

// numberedTitle matches a title that begins with the number of a table.
var numberedTitle = lazy.Regexp(`(?i)^(?:第\s?[0-9０-９一二三四五六七八九十]+[-－ー‐の]?[0-9０-９]*\s?表|(?:表|table|tableau|tabelle|taulukko|tabell?)[:\s]*[0-9０-９])`)

// headerWithin reports whether the rows between two rows of data are the header of another block.
func (v *view) headerWithin(b *block, since []int, classes []class) bool {
	if len(since) == 0 {
		return false
	}
	first := v.firstNumber(b.data)
	titled := false // a title such as 第２表 stands above
	for _, r := range since {
		if len(v.rows[r].at) == 1 && numberedTitle().MatchString(squeeze(v.text(r, int(v.rows[r].at[0])))) {
			titled = true
			continue
		}
		if classes[r] != several && !(titled && len(v.rows[r].at) == 1) {
			continue
		}
		n := sets.Count(v.rows[r].at, func(c int32) bool { return int(c) >= first })
		if n > 0 {
			return true
		}
	}
	// a single text between rows of the same columns is a heading, and begins no other table
	return false
}

// firstNumber returns the leftmost column in which a row has a number or mark right behind its labels.
func (v *view) firstNumber(data []int) int {
	first := v.right
	for _, r := range data {
		row := &v.rows[r]
		last := -1
		for i, k := range row.kinds {
			if k == text {
				last = i
			}
			if (k == number || k == mark) && i > 0 && last == i-1 {
				first = min(first, int(row.at[i]))
				break
			}
		}
	}
	if first == v.right && len(data) > 0 && len(v.rows[data[0]].at) > 1 {
		first = int(v.rows[data[0]].at[1])
	}
	return first
}

// divide moves rows above a block that are notes of the block before to that one.
func (b *block) divide(before []*block) {
	if len(before) == 0 {
		return
	}
	last := before[len(before)-1]
	cut := 0
	for i, r := range b.above {
		row := &b.v.rows[r]
		if len(row.at) == 0 {
			continue
		}
		if isNoteText(b.v.text(r, int(row.at[0]))) || cut > 0 && i == cut && isContinued(b.v.text(r, int(row.at[0]))) {
			cut = i + 1
		} else if i > 0 || len(b.above) == 1 {
			break
		} else if !isNoteText(b.v.text(r, int(row.at[0]))) {
			break
		}
	}
	last.after = append(last.after, b.above[:cut]...)
	b.above = b.above[cut:]
}

// findColumns divides the columns into labels, values and remarks.
func (b *block) findColumns() {
	v := b.v
	type tally struct{ numbers, marks, texts, years int }
	count := make(map[int]*tally)
	for _, r := range b.data {
		row := &v.rows[r]
		for i, k := range row.kinds {
			c := int(row.at[i])
			t := count[c]
			if t == nil {
				t = &tally{}
				count[c] = t
			}
			switch k {
			case number:
				t.numbers++
				if isYear(clean(v.g.At(r, c).Text)) {
					t.years++
				}
			case mark:
				t.marks++
			case text:
				t.texts++
			}
		}
	}
	columns := make([]int, 0, len(count))
	for c := range count {
		columns = append(columns, c)
	}
	slices.Sort(columns)
	labels := func(c int) bool { t := count[c]; return t.texts > t.numbers && 10*t.texts > t.marks }
	end := 0 // columns[:end] are labels
	for i, c := range columns {
		t := count[c]
		if labels(c) {
			end = i + 1
			continue
		}
		// a column of numbers before labels holds codes, years or row numbers
		ahead := i+1 < len(columns) && labels(columns[i+1]) || i+2 < len(columns) && labels(columns[i+2]) && t.years == t.numbers && t.marks == 0
		switch {
		case ahead && (i < 4 || b.headedAs(c, codeHeads().MatchString)), i == 0 && len(columns) > 1 && b.indexed(c):
			end = i + 1
			continue
		case i == 0 && t.marks == 0 && t.numbers > 0 && (t.years == t.numbers || b.ascending(c) || yearsInOrder(b.numbers(c))) && len(columns) > 1:
			end = i + 1
			continue
		case i < 4 && len(columns) > 1 && t.marks == 0 && b.headedAs(c, codeHeads().MatchString):
			end = i + 1
			continue
		// behind other labels
		case i+1 < len(columns) && t.marks == 0 && t.numbers >= leastRows && t.years == t.numbers && (b.headedAs(c, timeName) || b.joined(c)):
			end = i + 1
			continue
		}
		break
	}
	b.stub = append(b.stub, columns[:end]...)
	for _, c := range columns[end:] {
		if labels(c) {
			b.remarks = append(b.remarks, c)
		} else {
			b.values = append(b.values, c)
		}
	}
	b.withoutDates()
}

// ascending reports whether the numbers of column c grow by one, as ages do.
func (b *block) ascending(c int) bool {
	last, n := "", 0
	for _, r := range b.data {
		w := b.v.value(r, c)
		if w.Value == nil {
			continue
		}
		s := string(*w.Value)
		if n > 0 && s != increment(last) {
			return false
		}
		last = s
		n++
	}
	return n > 2
}

func increment(s string) string {
	if s == "" || len(s) > 9 {
		return ""
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return ""
		}
		n = n*10 + int(c-'0')
	}
	return itoa(n + 1)
}

// numbers returns the texts of the numbers in column c, without the marks of notes behind them.
func (b *block) numbers(c int) (all []string) {
	for _, r := range b.data {
		if b.v.kind(r, c) != number {
			continue
		}
		s := clean(b.v.g.At(r, c).Text)
		if w := b.v.value(r, c); w.Value != nil && strings.HasPrefix(s, string(*w.Value)) {
			s = string(*w.Value)
		}
		all = append(all, s)
	}
	return all
}

// joined reports whether a merged field above column c spans it and columns left of it, and ends with it.
func (b *block) joined(c int) bool {
	return slices.ContainsFunc(b.above, func(r int) bool {
		i, ok := b.v.merged[[2]int{r, c}]
		return ok && b.v.g.Merged[i].Left < c && b.v.g.Merged[i].Right == c && b.v.text(r, c) != ""
	})
}

// sound reports whether a block is a table rather than numbers in a text.
func (b *block) sound() bool {
	if len(b.values) == 0 {
		return false
	}
	cells := 0
	for _, r := range b.data {
		for _, c := range b.values {
			if k := b.v.kind(r, c); k == number || k == mark {
				cells++
			}
		}
	}
	switch {
	case len(b.header) == 0:
		return len(b.stub) > 0 && len(b.data) >= 2 && len(b.values) >= 2
	case len(b.stub) == 0:
		return cells >= 2
	}
	return true
}
