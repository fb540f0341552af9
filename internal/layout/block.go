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

// strips cuts a sheet where tables stand side by side: at a column of labels that has numbers on both sides.
func strips(v *view) []*view {
	between := make([]int, v.right+1) // rows with a text there, and numbers on both sides
	texts := make([]int, v.right+1)   // rows with a text there, and numbers left of it
	beside := make([]int, v.right+1)  // rows with a number or mark there, and numbers left of it
	for r := range v.rows {
		row := &v.rows[r]
		if c := v.classOf(r); c != dataRow && c != markRow {
			continue
		}
		last := -1
		for i := len(row.kinds) - 1; i >= 0; i-- {
			if row.kinds[i] == number {
				last = i
				break
			}
		}
		// what was seen before the field: a label; a number behind one; how many numbers
		labelled, behind, numbers := false, false, 0
		for i, k := range row.kinds {
			// a single number before a label is a code or a year
			seen := behind || numbers > 1 && v.kind(r, int(row.at[i])-1) == blank
			switch {
			case k == number && (numbers > 0 || !v.coded(int(row.at[i]))):
				if seen {
					beside[row.at[i]]++
				}
				numbers++
				behind = behind || labelled
			case k == mark && seen:
				beside[row.at[i]]++
			case k == text:
				labelled = true
				if !seen {
					continue
				}
				texts[row.at[i]]++
				if i < last {
					between[row.at[i]]++
				}
			}
		}
	}
	var cuts []int
	for c := 0; c < v.right; c++ {
		if between[c] >= 2 && texts[c] > 2*beside[c] {
			if len(cuts) > 0 && adjacentText(between, cuts[len(cuts)-1], c) {
				continue // one more column of the same labels
			}
			// columns of labels before it that have a text in few rows belong to it, as do codes that stand before the
			// first labels
			for c > 0 && (texts[c-1] > 0 && beside[c-1] == 0 || v.again(c-1) || v.coded(c-1)) && (len(cuts) == 0 || c-1 > cuts[len(cuts)-1]) {
				c--
			}
			cuts = append(cuts, c)
			for c+1 < v.right && texts[c+1] > 0 && beside[c+1] == 0 {
				c++
			}
		}
	}
	for _, c := range slices.Concat(v.beyondBlank(), v.headedAgain()) {
		if !slices.Contains(cuts, c) {
			cuts = append(cuts, c)
		}
	}
	slices.Sort(cuts)
	cuts = v.named(v.apart(cuts))
	if len(cuts) == 0 || v.ofRecords(cuts) {
		return []*view{v}
	}
	var all []*view
	from := 0
	for _, c := range append(cuts, v.right) {
		all = append(all, v.columns(from, c))
		from = c
	}
	return all
}

// coded reports whether a column has codes of the rows: whole numbers with the same number of digits that grow from row
// to row, and may start again from the first. A few may do so by chance, unless they begin with 0 or the header says
// that they are codes.
func (v *view) coded(c int) bool {
	if is, ok := v.codes[c]; ok {
		return is
	}
	if v.codes == nil {
		v.codes = map[int]bool{}
	}
	last, first, n := "", "", 0
	is, sure := true, false
	for r := 0; r < len(v.rows) && is; r++ {
		if v.kind(r, c) != number || v.classOf(r) != dataRow {
			continue
		}
		s := strings.TrimSpace(v.g.At(r, c).Text)
		is = len(s) > 1 && strings.Trim(s, "0123456789") == "" && (n == 0 || len(s) == len(last)) && (n == 0 || s > last || s == first)
		if n == 0 {
			first, sure = s, s[0] == '0'
			for up := r - 1; up >= max(0, r-4); up-- {
				sure = sure || codeHeads().MatchString(squeeze(v.text(up, c)))
			}
		}
		last = s
		n++
	}
	v.codes[c] = is && (n > 5 || n > 2 && sure)
	return v.codes[c]
}

// again reports whether a column repeats one of the first two columns in every row of data, with three or more
// different texts.
func (v *view) again(c int) bool {
	for of := 0; of < 2 && of < c; of++ {
		n, different := 0, map[string]bool{}
		for r := range v.rows {
			a, b := v.g.At(r, of).Text, v.g.At(r, c).Text
			if b == "" || v.classOf(r) != dataRow {
				continue
			}
			if a != b {
				n = -1
				break
			}
			n++
			different[b] = true
		}
		if n > 2 && len(different) > 2 {
			return true
		}
	}
	return false
}

// named leaves out cuts behind columns that say the same in all rows, but for years. Such labels name no row, so these
// columns belong to the table behind the cut.
func (v *view) named(cuts []int) (kept []int) {
	from := 0
	for _, c := range cuts {
		if v.constant(from, c) {
			continue
		}
		kept, from = append(kept, c), c
	}
	return kept
}

// constant reports whether the columns from one up to another have texts and say the same in all rows of data, but for
// years.
func (v *view) constant(from, to int) bool {
	n, first, labelled := 0, "", false
	for r := range v.rows {
		if v.classOf(r) != dataRow {
			continue
		}
		says := ""
		for i, k := range v.rows[r].kinds {
			if at := int(v.rows[r].at[i]); at >= from && at < to && (k != number || !isYear(clean(v.text(r, at)))) {
				says += itoa(at) + "\x00" + v.text(r, at) + "\x00"
				labelled = labelled || k == text
			}
		}
		if n++; n > 1 && says != first {
			return false
		}
		first = says
	}
	return labelled && n >= leastRows
}

// leastRows is in how many rows a label must stand before it is taken to name none of them.
const leastRows = 3

// apart leaves out cuts with no more than one number between them and the cut before.
func (v *view) apart(cuts []int) (kept []int) {
	from := 0
	for _, c := range cuts {
		n := 0
		for r := range v.rows {
			row := &v.rows[r]
			for i, k := range row.kinds {
				if k == number && int(row.at[i]) >= from && int(row.at[i]) < c {
					n++
				}
			}
		}
		if n > 1 {
			kept = append(kept, c)
			from = c
		}
	}
	return kept
}

// headedAgain returns the columns at which a header of labels and numbers starts again from its first field: there the
// table continues beside itself, perhaps with only a row or two.
func (v *view) headedAgain() (cuts []int) {
	for r := range v.rows {
		row := &v.rows[r]
		n := len(row.at)
		if n < 4 || row.kinds[0] != text || v.classOf(r) == dataRow {
			continue
		}
		head := func(i int) string { return squeeze(v.text(r, int(row.at[i]))) }
		period := 1
		for period < n && head(period) != head(0) {
			period++
		}
		if period < 2 || n%period != 0 {
			continue
		}
		again := true
		for i := period; i < n; i++ {
			again = again && head(i) == head(i-period)
		}
		for i := period; again && i < n; i += period {
			labels := 0
			for below := r + 1; below < len(v.rows); below++ {
				switch k := v.kind(below, int(row.at[i])); {
				case k == text:
					labels++
				case k == number || k == mark:
					again = false
				}
			}
			if again && labels > 0 {
				cuts = append(cuts, int(row.at[i]))
			}
		}
	}
	return cuts
}

// beyondBlank returns columns of labels behind a column that is blank from top to bottom and has numbers on both sides.
func (v *view) beyondBlank() (cuts []int) {
	used, numbers := make([]bool, v.right), make([]bool, v.right)
	labels := make([]int, v.right) // rows with a text there, and a number somewhere behind it
	for r := range v.rows {
		row := &v.rows[r]
		last := -1
		for i, k := range row.kinds {
			used[row.at[i]] = true
			if k == number {
				numbers[row.at[i]] = true
				last = i
			}
		}
		for i := range max(last, 0) {
			if row.kinds[i] == text {
				labels[row.at[i]]++
			}
		}
	}
	before := false // numbers stand further left
	for c := 1; c < v.right; c++ {
		before = before || numbers[c-1]
		if used[c] && !used[c-1] && before && !numbers[c] {
			n := 0
			for k := c; k < v.right && used[k] && !numbers[k]; k++ {
				n += labels[k]
			}
			if n >= 2 {
				cuts = append(cuts, c)
			}
		}
	}
	return cuts
}

// adjacentText reports whether all columns from a to b hold texts.
func adjacentText(texts []int, a, b int) bool {
	for c := a; c <= b; c++ {
		if texts[c] == 0 {
			return false
		}
	}
	return true
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

// headedAs reports whether is holds for a field in the four rows above column c, and that text stands above no other
// column.
func (b *block) headedAs(c int, is func(string) bool) bool {
	for i := len(b.above) - 1; i >= 0 && i >= len(b.above)-4; i-- {
		head := squeeze(b.v.text(b.above[i], c))
		if !is(head) {
			continue
		}
		alike := 0 // "no." above several columns counts what these hold
		for _, k := range b.v.rows[b.above[i]].at {
			if squeeze(b.v.text(b.above[i], int(k))) == head {
				alike++
			}
		}
		if alike == 1 {
			return true
		}
	}
	return false
}

// findHeader separates the header from the other rows above.
func (b *block) findHeader() {
	v := b.v
	if len(b.values) == 0 {
		return
	}
	first, end := b.values[0], len(b.above)
	for end > 0 && len(v.rows[b.above[end-1]].at) == 0 {
		end--
	}
	// a heading may stand between the header and the first row of data
	for k, skipped := end, 0; k > 0 && skipped < 4; k-- {
		r := b.above[k-1]
		row := &v.rows[r]
		if skipped > 0 && (len(row.at) > 1 && int(row.at[len(row.at)-1]) >= first || len(row.at) == 1 && int(row.at[0]) == first && b.namesAbove(r, first)) {
			for _, h := range b.above[k:end] {
				if len(v.rows[h].at) > 0 {
					b.heads[h] = b.headIn(h)
				}
			}
			end = k
			break
		}
		if len(row.at) > 1 && b.headIn(r) < 0 || len(row.at) == 1 && (int(row.at[0]) >= first && b.acrossHead(r) || isNoteText(v.text(r, int(row.at[0]))) || isTitleText(v.text(r, int(row.at[0])))) {
			break
		}
		skipped++
	}
	from := end
	for from > 0 {
		r := b.above[from-1]
		if len(v.rows[r].at) == 0 {
			k := b.beyondGap(from, end, first)
			if k == from {
				break
			}
			from = k
		} else if !b.isHead(r, first, from == end) {
			break
		} else {
			from--
		}
	}
	b.header = slices.Clone(b.above[from:end])
	b.above = b.above[:from]
}

// headIn returns the column of the only label in a row above the values that the first row of data does not repeat, −1
// for none: the others tell to which outer group the heading belongs.
func (b *block) headIn(r int) int {
	at, row := -1, b.v.rows[r].at
	if len(row) == 1 {
		return int(row[0])
	}
	for _, c := range row {
		switch {
		case int(c) >= b.values[0]:
			return -1
		case len(b.data) > 0 && b.v.text(r, int(c)) == b.v.text(b.data[0], int(c)):
		case at >= 0:
			return -1
		default:
			at = int(c)
		}
	}
	return at
}

// widestGap is how many consecutive empty rows a header may contain.
const widestGap = 4

// beyondGap returns where the header begins if it goes on above empty rows, else from. It does so where its rows so far
// do not tell the columns apart, and the row above the gap names two of them or more.
func (b *block) beyondGap(from, end, first int) int {
	v := b.v
	k := from
	for k > 0 && from-k < widestGap && len(v.rows[b.above[k-1]].at) == 0 {
		k--
	}
	if k == 0 || from == end {
		return from
	}
	named := sets.Count(v.rows[b.above[k-1]].at, func(c int32) bool { return int(c) >= first })
	if named < 2 || !b.isHead(b.above[k-1], first, false) {
		return from
	}
	seen := map[string]bool{}
	for _, c := range b.values {
		var head strings.Builder
		for _, r := range b.above[from:end] {
			head.WriteString(squeeze(v.text(r, c)) + "\n")
		}
		if seen[head.String()] {
			return k
		}
		seen[head.String()] = true
	}
	return from
}

// acrossHead reports whether a text alone in its row heads columns below, rather than being a heading across the table.
func (b *block) acrossHead(r int) bool {
	c := int(b.v.rows[r].at[0])
	if i, ok := b.v.merged[[2]int{r, c}]; ok {
		return b.v.g.Merged[i].Right-b.v.g.Merged[i].Left+1 < len(b.values)
	}
	for _, other := range b.heads {
		if other == c {
			return false // further headings stand in the same column below
		}
	}
	return true
}

// isHead reports whether row r belongs to the header: it says something above the values.
func (b *block) isHead(r, first int, last bool) bool {
	v := b.v
	row := &v.rows[r]
	n := sets.Count(row.at, func(c int32) bool { return int(c) >= first })
	if n == 0 {
		if last && len(row.at) >= 2 && len(row.at) <= len(b.stub)+1 && r > 0 {
			up := &v.rows[r-1] // names of the label columns, below the header of the values
			return len(up.at) > 0 && int(up.at[len(up.at)-1]) >= first && v.classOf(r-1) == several
		}
		// only names of label columns, within the header
		return !last && len(row.at) > 0 && len(row.at) <= len(b.stub) && int(row.at[0]) < first && b.onlyStubHeads(r)
	}
	c := int(row.at[0])
	if len(row.at) == 1 {
		s := v.text(r, c)
		if _, rest, ok := unitIn(s); ok && rest == "" && len(b.values) > 1 && !(last && c == first && b.namesAbove(r, first)) {
			return false // a line that tells the unit
		}
		if isNoteText(s) || isTitleText(s) {
			return false
		}
		if i, ok := v.merged[[2]int{r, c}]; ok && v.g.Merged[i].Left < first {
			return false // a title over all columns
		}
		return true
	}
	if n == 1 && len(row.at) == 2 && c < first {
		s := v.text(r, int(row.at[1]))
		if u, rest, ok := unitIn(s); ok && rest == "" && u.unit != "" && len(b.values) > 1 {
			return false // a title and the unit at the right
		}
	}
	return true
}

// namesAbove reports whether the row above row r names two columns of values or more, so that a unit in row r is part
// of the header.
func (b *block) namesAbove(r, first int) bool {
	if r == 0 {
		return false
	}
	at := b.v.rows[r-1].at
	return len(at) > 1 && int(at[len(at)-2]) >= first
}

// onlyStubHeads reports whether all fields of row r are merged, as heads of the stub are.
func (b *block) onlyStubHeads(r int) bool {
	for _, c := range b.v.rows[r].at {
		if _, ok := b.v.merged[[2]int{r, int(c)}]; !ok {
			return false
		}
	}
	return true
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
