package layout

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

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
	p.recode(first)
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

// recode gives the rows of a part without codes those that another one has beside the same labels.
func (p *part) recode(of *part) {
	if len(p.rows) != 1 || len(of.rows) != 1 || len(p.data) != len(of.data) {
		return
	}
	codes := map[string]string{}
	for _, e := range of.rows[0].at {
		codes[e.label] = e.code
	}
	if at := p.rows[0].at; len(codes) == len(at) && !slices.ContainsFunc(at, func(e entry) bool { return e.code != "" || e.label == "" || codes[e.label] == "" }) {
		for i := range at {
			at[i].code = codes[at[i].label]
		}
	}
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
	all := sets.Of(strings.Fields(other))
	for _, text := range texts {
		n := len(sets.Of(sets.Where(strings.Fields(text), func(w string) bool { return all[w] })))
		if n > 0 && n >= most {
			best, most = text, n
		}
	}
	return best
}

// lengthened reports whether a text is a title that goes on where another one ends: then the other names nothing.
func lengthened(title, other string) bool {
	return strings.HasPrefix(title, other) && utf8.RuneCountInString(title) > longestHeading
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
var tableWords = lazy.Regexp(`(?i)^(?:tab\pL*|tavola|[cq]uadro|taulukko|表)\b\.?\s*([0-9]+[a-z]?(?:[.-][0-9]+[a-z]?)*)?`)

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
		if of, label = unlikeIn(unnumbered(first.title), unnumbered(p.title)); of == "" || label == "" {
			of, label = unlikeLine(first.names(), p.names())
		}
		if of == "" || label == "" || lengthened(of, label) || lengthened(label, of) {
			of, label = first.b.v.g.Sheet, p.b.v.g.Sheet
		}
	}
	return encloseAs(group, p, of, label)
}

// unnumbered returns a title without the number of its table, as two tables have different ones whatever they are of.
func unnumbered(title string) string {
	return strings.TrimLeft(strings.TrimPrefix(title, cmp.Or(nameIn(title), tableWords().FindString(title))), " .:–—-")
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
