package layout

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// readStub reads the row labels of a block as levels, outer ones first, with an entry for each row of data. A
// code and its name are one level; labels that stand further right the deeper they are, one level with
// indentation; and headings between the rows, a level of their own.
func (b *block) readStub(h *head, o *Options) []level {
	columns := b.unnumbered(b.labelColumns())
	if len(columns) == 0 {
		return nil
	}
	levels := b.stubLevels(columns, h)
	if len(levels) > 1 {
		if l, ok := staircase(levels); ok {
			levels = []level{l}
		}
	}
	stepped := false
	if b.stairs {
		if of, ok := stairs(levels); ok {
			levels, stepped = of, true
		}
	}
	for k := 0; k+1 < len(levels) && !stepped; k++ {
		if upright(&levels[k], &levels[k+1]); k+2 == len(levels) {
			letters(&levels[k], &levels[k+1])
		}
		centre(&levels[k], &levels[len(levels)-1], k > 0)
	}
	if len(levels) > 1 && !stepped && (o.FillDown == nil || *o.FillDown) {
		fillDown(levels)
	}
	last := &levels[len(levels)-1]
	for i, gap := range b.gaps() {
		last.at[i].gap = gap
	}
	under := len(levels) - 1 // the level below the headings: that of their column
	if b.headsFirst() {
		under = 0
	}
	panels := b.panels(last)
	if groups, memo, ok := b.headings(&levels[under], panels, begins(levels)); ok || memo != nil {
		for i := range memo {
			last.at[i].memo = last.at[i].memo || memo[i]
		}
		if ok {
			levels = slices.Insert(levels, under, groups)
		}
	}
	if panels != nil {
		levels = slices.Insert(levels, 0, *panels)
	}
	for k := range levels {
		for i := range levels[k].at {
			if e := &levels[k].at[i]; e.memo && e.label != "" {
				e.raw = e.label
			}
		}
	}
	if len(levels) == 1 {
		levels = split(&levels[0])
	}
	return levels
}

// staircase joins columns of which only one is filled in each row into one level: labels that stand further right
// the deeper they are.
func staircase(levels []level) (level, bool) {
	n := len(levels[0].at)
	out := level{name: levels[0].name, at: make([]entry, n)}
	deep := 0
	for i := range out.at {
		seen := 0
		for k := range levels {
			if e := levels[k].at[i]; e.label != "" {
				seen++
				e.indent += 100 * k
				out.at[i] = e
				if k > 0 {
					deep++
				}
			}
		}
		if seen != 1 {
			return level{}, false
		}
	}
	for k := range levels {
		if out.name == "" {
			out.name = levels[k].name
		}
	}
	return out, deep > 0 && deep < n
}

// upright joins labels that are written from top to bottom beside the rows of their group, a letter or digit per
// row. The groups are recognised by the inner labels, which are the same in each.
func upright(outer, inner *level) {
	n := len(outer.at)
	period := 0
	for i := 1; i < n && period == 0; i++ {
		if inner.at[i].key() == inner.at[0].key() {
			period = i
		}
	}
	if period < 2 || n%period != 0 || inner.at[0].label == "" {
		return
	}
	most := 0
	for i := range n {
		if inner.at[i].key() != inner.at[i%period].key() || len([]rune(outer.at[i].label)) > 3 && i%period != 0 {
			return
		}
	}
	words := make([]string, n/period)
	for i := range n {
		words[i/period] += outer.at[i].label
	}
	seen := map[string]bool{}
	for g, w := range words {
		texts, kinds := 0, map[string]bool{}
		for i := g * period; i < (g+1)*period; i++ {
			if s := outer.at[i].label; s != "" {
				texts++
				kinds[s] = true
			}
		}
		most = max(most, texts)
		if w == "" || seen[w] || texts > 1 && len(kinds) == 1 {
			return
		}
		seen[w] = true
	}
	if most < 2 {
		return
	}
	for i := range outer.at {
		outer.at[i] = entry{label: words[i/period], raw: words[i/period]}
	}
}

// fillDown repeats the labels of outer columns that stand only in the first row of their group.
func fillDown(levels []level) {
	inner := len(levels) - 1
	for k := range inner {
		empty := 0
		for i := range levels[k].at {
			if levels[k].at[i].label == "" {
				empty++
			}
		}
		if empty == 0 {
			continue
		}
		var now entry
		totals := map[string]bool{} // bare totals seen in the group
		closed := ""
		for i := range levels[k].at {
			e, below := &levels[k].at[i], levels[k+1].at[i].label
			for m := k + 1; m <= inner && below == ""; m++ {
				below = levels[m].at[i].label
			}
			upper := false // a new group begins in a column further left
			for m := range k {
				upper = upper || i > 0 && levels[m].at[i].key() != levels[m].at[i-1].key()
			}
			switch {
			case e.label != "" && below == "" && isBareTotal(e.label) && now.label != "" && len(totals) == 0 && subtotals[wordOf(e.label)] && (closed == "" || closed == e.label) && !isLastTotal(levels, k, i):
				// 小計 in the column of the groups is the total of its group
				closed = e.label
				indent := e.indent
				*e = now
				e.indent = indent
			case e.label != "":
				now, closed = *e, ""
				clear(totals)
			case upper && e.label == "":
				now = entry{}
			case below != "" && isBareTotal(below) && len(totals) > 0 && !totals[below]:
				now = entry{} // a second total behind that of the group is the grand total
			default:
				*e = now
			}
			if below != "" && isBareTotal(below) && levels[k+1].at[i].code == "" {
				totals[below] = true
			}
		}
	}
}

// isLastTotal reports whether row i is the last one and its group already has a total.
func isLastTotal(levels []level, k, i int) bool {
	return i == len(levels[k].at)-1 && i > 0 && levels[k].at[i-1].key() != "" && levels[k+1].at[i-1].label == ""
}

// headsFirst reports whether all headings stand in the first label column, each above several of its labels.
func (b *block) headsFirst() bool {
	for _, c := range b.heads {
		if c != b.stub[0] {
			return false
		}
	}
	return len(b.heads) > 0
}

// gaps says, for each row of data, whether a blank row stands before it.
func (b *block) gaps() []bool {
	out := make([]bool, len(b.data))
	blankRow := sets.Of(b.between)
	for i, r := range b.data {
		out[i] = i > 0 && blankRow[r-1]
	}
	return out
}

// panels returns a level of the headings that stand across the table, where headings of groups stand among the labels as
// well and the same labels come again below each of the former; nil if they do not.
func (b *block) panels(last *level) *level {
	var across []int
	for r, c := range b.heads {
		if c >= b.left() {
			across = append(across, r)
		}
	}
	if len(across) < 2 || len(across) == len(b.heads) || len(b.data)%len(across) != 0 {
		return nil
	}
	slices.Sort(across)
	n, seen := len(b.data)/len(across), map[string]bool{}
	out := &level{at: make([]entry, len(b.data))}
	for i, r := range b.data {
		h := across[i/n]
		if r < h || i/n+1 < len(across) && r > across[i/n+1] || last.at[i].label == "" || last.at[i].key() != last.at[i%n].key() {
			return nil
		}
		f := b.v.g.At(h, b.heads[h])
		out.at[i] = entry{label: clean(f.Text), raw: f.Text, bold: f.bold()}
		seen[out.at[i].label] = true
	}
	if len(seen) < len(across) {
		return nil
	}
	return out
}

// headings reads the rows of headings between rows of data, without those of panels. memo says which rows stand below a
// heading like （再掲）; ok says that the other headings make a level.
func (b *block) headings(last, panels *level, begins []bool) (l level, memo []bool, ok bool) {
	if len(b.heads) == 0 {
		return level{}, nil, false
	}
	l, memo, ok = b.headingsOver(last, panels, begins, false)
	if first, n := b.firstHeading(last); n > 0 {
		for i := range n {
			l.at[i] = first
		}
	}
	under, memoUnder, okUnder := b.headingsOver(last, panels, begins, true)
	bare := map[string]bool{}
	for i := range l.at {
		if l.at[i].label != "" {
			continue
		}
		key := last.at[i].key()
		if panels != nil {
			key += "\x00" + panels.at[i].label
		}
		// "Total 2021" behind the rows below 2021, or the total of each panel
		if _, own := ownTotal(last.at[i].label, under.at[i].label); own || bare[key] {
			return under, memoUnder, okUnder
		}
		bare[key] = true
	}
	return l, memo, ok
}

// dull returns headings that repeat, each time directly below a different heading, which alone tells the rows
// apart.
func (b *block) dull() map[int]bool {
	over := map[string][]int{} // rows, by text and column
	for h, c := range b.heads {
		key := itoa(c) + clean(b.v.text(h, c))
		over[key] = append(over[key], h)
	}
	all := map[int]bool{}
	for _, rows := range over {
		names := map[string]bool{}
		for _, h := range rows {
			if c, ok := b.heads[h-1]; ok && c == b.heads[h] && len(over[itoa(c)+clean(b.v.text(h-1, c))]) == 1 && indentOf(b.v.g.At(h-1, c)) == indentOf(b.v.g.At(h, c)) {
				names[clean(b.v.text(h-1, c))] = true
			}
		}
		for _, h := range rows {
			all[h] = len(rows) > 1 && len(names) == len(rows)
		}
	}
	return all
}

// firstHeading returns the heading of the first n rows of data if it stands above the header while the rows of
// all other panels, which have the same labels, have theirs directly above them; n is 0 if there is none. If the
// other headings are years, it must be one.
func (b *block) firstHeading(last *level) (e entry, n int) {
	if len(b.header) == 0 {
		return entry{}, 0
	}
	years := true
	head := slices.Min(slices.Collect(maps.Keys(b.heads)))
	for r, c := range b.heads {
		years = years && yearIn().MatchString(fold(b.v.g.At(r, c).Text))
	}
	for n < len(b.data) && b.data[n] < head {
		n++
	}
	above := b.header[0] - 1
	// a year that was taken for a part of the header
	if first := b.v.rows[above+1].at; years && len(b.header) > 1 && len(first) == 1 && b.v.kind(above+2, int(first[0])) == text {
		above++
	}
	if above < 0 || n == 0 || n == len(b.data) || len(b.data)%n != 0 || len(b.v.rows[above].at) != 1 || last.at[0].label == "" {
		return entry{}, 0
	}
	for i := n; i < len(b.data); i++ {
		headed := false
		for r := b.data[i-1] + 1; r < b.data[i]; r++ {
			_, is := b.heads[r]
			headed = headed || is
		}
		if last.at[i].key() != last.at[i%n].key() || headed != (i%n == 0) {
			return entry{}, 0
		}
	}
	f := b.v.g.At(above, int(b.v.rows[above].at[0]))
	text := clean(f.Text)
	_, _, unit := unitIn(f.Text)
	titled := slices.ContainsFunc(b.v.rows[:above], func(r rowView) bool { return len(r.at) > 0 })
	if unit || isUnit(text) || years != yearIn().MatchString(fold(text)) || !years && !titled || utf8.RuneCountInString(text) > longestHeading {
		return entry{}, 0
	}
	return entry{label: text, raw: f.Text, indent: indentOf(f), bold: f.bold()}, n
}

// longestHeading is the maximum length, in characters, of a heading above a header; longer texts are titles.
const longestHeading = 30

// yearIn matches a text that is a year, perhaps with a word, an era or a day.
var yearIn = lazy.Regexp(`^(?:\pL{0,2}\s?)?(?:[0-9]{1,2}\.\s?[0-9]{1,2}\.\s?)?(?:(?:1[89]|20)[0-9]{2}|(?:令和|平成|昭和)[0-9元]{1,2})(?:年度?)?(?:\s?\(?\pL\)?)?$`)

// begins says with which rows a group of the outer columns begins.
func begins(levels []level) []bool {
	out := make([]bool, len(levels[0].at))
	for _, l := range levels[:len(levels)-1] {
		for i := range out {
			out[i] = out[i] || i > 0 && l.at[i].key() != l.at[i-1].key()
		}
	}
	return out
}

// headingsOver reads the headings. With all, each applies to all rows up to the next one, else only to the rows
// indented below it if there are any. A heading in an inner column ends where a group of the outer columns
// begins.
func (b *block) headingsOver(last, panels *level, begins []bool, all bool) (l level, memo []bool, ok bool) {
	v := b.v
	l = level{at: make([]entry, len(b.data))}
	memo = make([]bool, len(b.data))
	type heading struct {
		e      entry
		deeper bool // the first row below is indented further
		inner  bool // it stands behind other label columns
	}
	var stack []heading
	remember := false
	from := 0
	if len(b.header) > 0 {
		from = lastOf(b.header) + 1
	} else if len(b.data) > 0 {
		from = b.data[0]
	}
	found := false
	dull := b.dull()
	for i, r := range b.data {
		if begins[i] {
			stack = slices.DeleteFunc(stack, func(h heading) bool { return h.inner })
		}
		for h := from; h < r; h++ {
			c, isHead := b.heads[h]
			if !isHead || dull[h] {
				continue
			}
			f := v.g.At(h, c)
			label := clean(f.Text)
			if isMemo(squeeze(f.Text)) {
				remember, stack = true, nil
				continue
			}
			remember = false
			e := entry{label: label, raw: f.Text, indent: indentOf(f), bold: f.bold()}
			if c >= b.left() {
				if panels != nil { // no group goes on in the next panel
					stack = nil
					continue
				}
				e.indent = -1 // across the table
			}
			for len(stack) > 0 && stack[len(stack)-1].e.indent >= e.indent {
				stack = stack[:len(stack)-1]
			}
			stack = append(stack, heading{e: e, deeper: last.at[i].indent > e.indent, inner: c < b.left() && c > b.stub[0]})
		}
		from = r + 1
		memo[i] = remember
		for !all && len(stack) > 0 && stack[len(stack)-1].deeper && last.at[i].indent <= stack[len(stack)-1].e.indent {
			stack = stack[:len(stack)-1]
		}
		if len(stack) > 0 {
			l.at[i] = stack[len(stack)-1].e
			found = true
		}
	}
	return l, memo, found
}
