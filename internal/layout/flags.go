package layout

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/sets"
)

// withoutFlags returns the book, and the given grids of it, without the columns of flags between or behind those of
// values. Such columns belong to no dimension; each flag is kept with the cell beside it.
func (b *Book) withoutFlags(grids []*Grid) (*Book, []*Grid) {
	out := *b
	out.Grids, grids = slices.Clone(b.Grids), slices.Clone(grids)
	marks := marksOf(formatOf(b))
	for i, g := range b.Grids {
		if f := g.withoutFlags(marks); f != nil {
			out.Grids[i] = f
			if k := slices.Index(grids, g); k >= 0 {
				grids[k] = f
			}
		}
	}
	return &out, grids
}

// A flagColumn is a column of flags of the values before it.
type flagColumn struct {
	c, of int   // its index, and that of its column of values: the one before it, or before an empty one
	rows  []int // the rows in which a flag stands
	head  int   // the row of its header, −1 for none
	alone bool  // no number stands anywhere in the column
	sure  bool  // its texts alone show that it holds flags; else it needs the header of another such column
}

// withoutFlags returns g without its columns of flags, nil if it has none.
func (g *Grid) withoutFlags(marks *marks) *Grid {
	var found []flagColumn
	width := 0
	for _, row := range g.Rows {
		width = max(width, len(row))
	}
	top := 0 // years over several columns, the flags included, are no values
	for top < len(g.Rows) && (g.yearsOnly(top) && !g.yearsOnly(top+1) || !slices.ContainsFunc(sets.Upto(len(g.Rows[top])), func(c int) bool { return g.number(top, c) })) {
		top++
	}
	before, own, of := g.numbers(nil, 0, top), []bool(nil), 0
	for c := 1; c < width; c++ {
		if of == c-1 && g.emptyIn(c) {
			continue // the flags may stand behind the empty column
		}
		own = g.numbers(own, c, top)
		found = append(found, g.flagsIn(c, of, before, own, marks)...)
		before, own, of = own, before, c
	}
	found = slices.DeleteFunc(found, func(f flagColumn) bool { return !g.isFlagged(f, marks) })
	flags := map[string]bool{} // headers of columns of flags
	for _, f := range found {
		if f.sure {
			flags[g.plain(f.head, f.c)] = true
		}
	}
	var out *Grid
	for _, f := range found {
		head := g.plain(f.head, f.c)
		if !f.sure && !flags[head] {
			continue
		}
		if out == nil {
			one := *g
			out = &one
			out.Rows, out.flags = slices.Clone(g.Rows), map[[2]int]string{}
		}
		for _, r := range f.rows {
			out.flags[[2]int{r, f.of}] = g.plain(r, f.c)
			out.empty(r, f.c)
		}
		if head != "" {
			out.empty(f.head, f.c)
			for c := range g.Rows[f.head] { // also in columns with this header in which no flag stands
				if g.plain(f.head, c) == head && g.plain(f.head+1, c) == "" && !slices.ContainsFunc(f.rows, func(r int) bool { return g.plain(r, c) != "" }) && g.number(f.head+1, c-1) {
					out.empty(f.head, c)
				}
			}
		}
	}
	return out
}

// isFlagged reports whether the texts in a column may be flags, rather than marks of missing values or short words: its
// header says so, or nothing else stands in it.
func (g *Grid) isFlagged(f flagColumn, marks *marks) bool {
	head := g.plain(f.head, f.c)
	_, _, mark := marks.find(head)
	return head != "" && (statusNames[wordOf(head)] || isSmallFlag(head) && !mark) || f.alone && (head == "" || g.times(f.head, head) > 1)
}

// times returns how often a text stands in a header behind columns of numbers, perhaps with an empty one between.
func (g *Grid) times(r int, text string) (n int) {
	for c := range g.Rows[r] {
		if g.plain(r, c) == text && (g.number(r+1, c-1) || g.plain(r+1, c-1) == "" && g.plain(r, c-1) == "" && g.number(r+1, c-2)) {
			n++
		}
	}
	return n
}

// emptyIn reports whether nothing stands in a column.
func (g *Grid) emptyIn(c int) bool {
	for r := range g.Rows {
		if g.plain(r, c) != "" {
			return false
		}
	}
	return true
}

// empty clears a field in a copy of the grid.
func (g *Grid) empty(r, c int) {
	g.Rows[r] = slices.Clone(g.Rows[r])
	g.Rows[r][c] = Field{}
}

// plain returns the text of a field without the blanks around it.
func (g *Grid) plain(r, c int) string {
	if r < 0 {
		return ""
	}
	return strings.TrimFunc(g.At(r, c).Text, isBlank)
}

// number reports whether a field holds a number.
func (g *Grid) number(r, c int) bool {
	f := g.At(r, c)
	switch {
	case f.Number || !hasDigit(f.Text):
		return f.Number
	case strings.Trim(f.Text, "0123456789,.") == "":
		return true
	}
	_, ok := takeApart(f.Text)
	return ok
}

// numbers returns for each row from top on whether it has a number in column c. It reuses in.
func (g *Grid) numbers(in []bool, c, top int) []bool {
	in = slices.Grow(in[:0], len(g.Rows))
	for r := range g.Rows {
		in = append(in, r >= top && g.number(r, c))
	}
	return in
}

// flagsIn returns the columns of flags in column c: one for each run of rows in which all texts there are flags of the
// numbers in column of. before and own say which rows have numbers in that column and in c. Behind an empty column,
// flags are letters and signs that are hardly labels, without a header or with that of another column of flags.
func (g *Grid) flagsIn(c, of int, before, own []bool, marks *marks) (all []flagColumn) {
	alone := !slices.Contains(own, true)
	valued := func(r int) bool {
		if r < 0 || before[r] {
			return r >= 0
		}
		text := g.plain(r, of)
		_, _, mark := marks.find(text)
		return mark && text != ""
	}
	for r := 0; r < len(g.Rows); r++ {
		if !valued(r) || valued(r-1) && g.plain(r-1, c) == "" {
			continue
		}
		f := flagColumn{c: c, of: of, head: -1, alone: alone}
		if r > 0 && g.plain(r-1, c) != "" && !valued(r-1) {
			f.head = r - 1
		}
		values, seen := 0, map[string]int(nil)
		ok, told := true, false
		for ; r < len(g.Rows); r++ {
			flag, value := g.plain(r, c), valued(r)
			if flag == "" && !value && g.plain(r, of) == "" {
				break
			}
			// a year above the values
			if value && values == 0 && f.head < 0 && flag != "" && (!isFlag(flag) || g.yearsOnly(r)) && !own[r] {
				f.head = r
				continue
			}
			if value {
				values++
			}
			switch _, _, mark := marks.find(flag); {
			case flag == "":
			case own[r], !isFlag(flag) && !mark, !value && !mark && g.plain(r, of) != "":
				ok = false
			default:
				told = told || before[r]
				if seen == nil {
					seen = map[string]int{}
				}
				seen[flag]++
				f.rows = append(f.rows, r)
			}
		}
		small, head := smallOnly(seen), g.plain(f.head, c)
		told = told || len(f.rows) > 0 && (statusNames[wordOf(head)] || small && head != "" && g.times(f.head, head) > 1) // flags of values that are missing
		if f.sure = flagsOnly(seen, values) || small && statusNames[wordOf(head)]; ok && told && (f.sure || small) && (of == c-1 || small && (f.sure || head != "")) {
			f.sure = f.sure && (of == c-1 || head == "") // else they may be labels of what stands further right
			all = append(all, f)
		}
	}
	return all
}

// yearsOnly reports whether a row has several numbers, all of them years.
func (g *Grid) yearsOnly(r int) bool {
	years := 0
	if r >= len(g.Rows) {
		return false
	}
	for c := range g.Rows[r] {
		switch {
		case !g.number(r, c):
		case !year().MatchString(g.plain(r, c)):
			return false
		default:
			years++
		}
	}
	return years > 1
}

// mostFlags is how many different flags a column has at most if some of them may be words.
const mostFlags = 4

// flagsOnly reports whether texts beside so many values are flags, by how often each of them stands there: they are
// neither labels, which all differ, nor a unit that stands beside every value.
func flagsOnly(seen map[string]int, values int) bool {
	texts, some, small := 0, false, true
	for flag, n := range seen {
		texts += n
		some = some || n > 1
		if isSmallFlag(flag) {
			continue
		}
		if small = false; n == values {
			return false
		}
	}
	return small && (texts < values || len(seen) < texts || texts < 3) || some && texts < values && len(seen) <= mostFlags
}

// smallOnly reports whether there are texts, and each of them is hardly a label.
func smallOnly(seen map[string]int) bool {
	for text := range seen {
		if !isSmallFlag(text) {
			return false
		}
	}
	return len(seen) > 0
}

// isFlag reports whether a text may be a flag: up to three letters or signs, perhaps in brackets.
func isFlag(s string) bool {
	s = strings.Trim(s, "()[]（）")
	return utf8.RuneCountInString(s) <= 3 && s != "" && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsDigit(r) || isBlank(r) })
}

// isSmallFlag reports whether a text is made of letters that Eurostat has as flags, or of signs, so that it is hardly a
// label.
func isSmallFlag(s string) bool {
	return strings.Trim(s, "abcdefilmnprsuvxz()[]*†‡#°§¹²³⁴⁵⁶⁷⁸⁹⁰⁽⁾※.:") == ""
}
