package xlsx

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/sets"
)

// secrets are the values that must not be told.
type secrets struct {
	cells []secret
	of    map[string][]int // secrets with a number
	sums  map[string][]int // those that another number tells in texts with their labels
	by    map[string][]int // secrets with a number and the label nearest to them, or their first
}

// A secret is a withheld cell.
type secret struct {
	id     spotID
	canon  string   // its number, "" where the workbook has none
	given  []string // its labels as the caller calls them, folded
	words  []string // those of them that are no totals, in words and without codes; the name of the sheet only where there are few others
	beside []string // texts to its left, nearest first, folded
	above  []string // texts above, nearest first, folded
}

// add notes a withheld cell.
func (s *secrets) add(c *copying, id spotID, canon string, labels []string, told ...string) {
	t := c.tabs[id.tab]
	one := secret{id: id, canon: canon, beside: t.beside(int(id.row), int(id.col)), above: t.above(int(id.row), int(id.col))}
	for _, l := range labels {
		if spoken := withoutCode(inWords(l)); spoken != "" && !totals[foldLabel(spoken)] {
			one.words = append(one.words, spoken)
		}
		if l = foldLabel(l); l != "" {
			one.given = append(one.given, l)
		}
	}
	if sheet := withoutCode(inWords(t.name)); len(one.words) > 2 {
		one.words = slices.DeleteFunc(one.words, func(l string) bool { return l == sheet })
	}
	for _, number := range told {
		ooxml.Numbers(number, func(n ooxml.Number) { s.sums[n.Canon] = append(s.sums[n.Canon], len(s.cells)) })
	}
	if canon != "" {
		s.of[canon] = append(s.of[canon], len(s.cells))
		var keys []string
		if given := specific(one.given); len(given) > 0 {
			keys = append(keys, given[0])
		}
		if len(one.beside) > 0 && !slices.Contains(keys, one.beside[0]) {
			keys = append(keys, one.beside[0])
		}
		for _, key := range keys {
			key = canon + "\x00" + key
			s.by[key] = append(s.by[key], len(s.cells))
		}
	}
	s.cells = append(s.cells, one)
}

// foldLabel gives labels that people take for the same one form: width, case, blanks and the dots that lead to the numbers do not matter.
func foldLabel(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(s))
	if t := strings.TrimRight(s, ".・"); len(t)+2 < len(s) && t != "" {
		return t
	}
	return s
}

// totals are labels that many rows and columns of other tables have, too.
var totals = map[string]bool{"総数": true, "総計": true, "計": true, "小計": true, "合計": true, "全体": true, "total": true, "all": true, "sum": true, "insgesamt": true, "ensemble": true, "totaal": true}

// specific are the labels that are no totals, or all where there are no such.
func specific(labels []string) []string {
	some := sets.Where(labels, func(l string) bool { return !totals[l] })
	if some == nil {
		return labels
	}
	return some
}

// isLabel reports whether a cell has text that may be a label: neither number nor mark.
func (s *spot) isLabel() bool {
	if s.text == "" || s.canon != "" || s.number {
		return false
	}
	letters := 0
	for _, r := range s.text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters > 1 || letters == 1 && utf8.RuneCountInString(s.text) == 1 && s.text[0] >= 0xe0
}

// labelled are the labels of a sheet.
type labelled struct {
	of      []string          // label of each cell, folded, "" for none
	columns map[int32][]int32 // numbers of the cells that have one, by column
	heads   [][]int32         // per row with several cells and no number: its cells
	all     map[string]bool
}

// labels finds the labels of the sheet, once.
func (t *tab) labels() *labelled {
	if t.found != nil {
		return t.found
	}
	l := &labelled{of: make([]string, len(t.cells)), columns: map[int32][]int32{}, all: map[string]bool{}}
	for from := 0; from < len(t.cells); {
		var head []int32
		numbers, k := 0, from
		for ; k < len(t.cells) && t.cells[k].row == t.cells[from].row; k++ {
			s := &t.cells[k]
			if s.canon != "" {
				numbers++
			}
			if s.isLabel() {
				l.of[k] = foldLabel(s.text)
				l.all[l.of[k]] = true
				l.columns[s.col] = append(l.columns[s.col], int32(k))
				head = append(head, int32(k))
			}
		}
		if numbers == 0 && len(head) > 1 {
			l.heads = append(l.heads, head)
		}
		from = k
	}
	t.found = l
	return l
}

// before returns how many of the cells, which are in order, stand above a row.
func (t *tab) before(cells []int32, row int) int {
	n, _ := slices.BinarySearchFunc(cells, row, func(at int32, row int) int { return int(t.cells[at].row) - row })
	return n
}

// maxFilled bounds the columns in which a label may be filled down.
const maxFilled = 40

// beside are the labels to the left of a cell, folded, nearest first: those of its row, then those filled down from rows above.
func (t *tab) beside(row, col int) []string {
	l := t.labels()
	var all []string
	var filled [maxFilled]bool
	line := t.within(ooxml.Area{Row: row, LastRow: row})
	first := t.first(row)
	for k := range line {
		s := &line[k]
		if int(s.col) >= col {
			break
		}
		if s.text != "" && s.col < maxFilled {
			filled[s.col] = true
		}
		if label := l.of[first+k]; label != "" {
			all = append(all, label)
		}
	}
	slices.Reverse(all)
	for k := int32(1); int(k) < min(col, maxFilled); k++ {
		column := t.columns[k]
		if filled[k] || len(column) == 0 {
			continue
		}
		if n := t.before(column, row); n > 0 && l.of[column[n-1]] != "" {
			all = append(all, l.of[column[n-1]])
		}
	}
	return all
}

// first is the number of the first cell of a row, or of what comes behind it.
func (t *tab) first(row int) int {
	n, _ := slices.BinarySearchFunc(t.cells, int32(row), func(s spot, row int32) int { return cmp.Compare(s.row, row) })
	return n
}

// above are the labels above a cell, folded, nearest first: those of its column, of merged cells over it, and
// those to the left in rows of labels alone.
func (t *tab) above(row, col int) []string {
	l := t.labels()
	var all []string
	column := l.columns[int32(col)]
	for k := t.before(column, row) - 1; k >= 0 && len(all) < 12; k-- {
		all = append(all, l.of[column[k]])
	}
	for _, a := range t.over[col] {
		if a.LastRow < row && len(all) < 24 {
			if k := t.index(a.Row, a.Col); k >= 0 && l.of[k] != "" {
				all = append(all, l.of[k])
			}
		}
	}
	n, _ := slices.BinarySearchFunc(l.heads, row, func(head []int32, row int) int { return int(t.cells[head[0]].row) - row })
	for k := n - 1; k >= 0 && int(t.cells[l.heads[k][0]].row) >= row-60; k-- {
		last := ""
		for _, at := range l.heads[k] {
			if int(t.cells[at].col) >= col {
				break
			}
			last = l.of[at]
		}
		if last != "" {
			all = append(all, last)
		}
	}
	return all
}

// named reports whether a cell with these labels around it has those of the withheld cell k: all that the caller gave, or
// the nearest of its row and of its column.
func (s *secrets) named(k int, labels []string) bool {
	return s.namedIn(k, func(l string) bool { return slices.Contains(labels, l) })
}

func (s *secrets) namedIn(k int, has func(string) bool) bool {
	w := &s.cells[k]
	if len(w.given) > 0 {
		all := true
		for _, l := range specific(w.given) {
			all = all && has(l)
		}
		if all {
			return true
		}
	}
	return len(w.beside) > 0 && len(w.above) > 0 && has(w.beside[0]) && has(w.above[0])
}

// whose are the withheld cells of a number that a cell with these labels may stand for.
func (s *secrets) whose(canon string, labels []string) []int {
	var all []int
	for _, l := range labels {
		all = append(all, s.by[canon+"\x00"+l]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// touched reports whether one telling label of the withheld cell k is among these.
func (s *secrets) touched(k int, labels []string) bool {
	w := &s.cells[k]
	return slices.ContainsFunc(slices.Concat(w.given, w.beside, w.above), func(l string) bool { return !totals[l] && slices.Contains(labels, l) })
}

// told reports whether running text, folded, has the labels of the withheld cell k.
func (s *secrets) told(k int, text string) bool {
	w := &s.cells[k]
	has := func(l string) bool { return strings.Contains(text, l) }
	if len(w.given) > 0 && !slices.ContainsFunc(specific(w.given), func(l string) bool { return !has(l) }) {
		return true
	}
	return len(w.beside) > 0 && len(w.above) > 0 && (has(w.beside[0]) && has(w.above[0]) || slices.ContainsFunc(specific(w.beside), has) && slices.ContainsFunc(specific(w.above), has))
}

// A setting is where running text stands, which decides how large a number must be to be taken for a withheld one.
type setting byte

const (
	inOffice setting = iota // where readers do not look
	inView                  // in what they read
	inLabels                // the labels of the table itself
)

// isYear reports whether a number may be a year.
func isYear(canon string) bool { return len(canon) == 4 && canon >= "1900" && canon <= "2100" }

// A naming is a number in running text that is withheld.
type naming struct {
	from, to int
	of       int  // the withheld cell
	sure     bool // else it may be a coincidence
	computed bool // it may be computed from the number of the cell
}

// namings returns the numbers of a text that are withheld, in order, none within another. own are withheld cells
// the text belongs to, as a comment does.
func (s *secrets) namings(text string, in setting, own ...int) []naming {
	if len(s.of) == 0 || len(text) == 0 {
		return nil
	}
	var all []naming
	folded, words, named := "", "", -2
	ooxml.Numbers(text, func(n ooxml.Number) {
		ks := s.of[n.Canon]
		if ofTitle().MatchString(text[:n.From]) {
			return
		}
		share := func() bool {
			for _, k := range s.sums[n.Canon] {
				if in != inLabels && (s.told(k, foldLabel(text)) || s.cells[k].isIn(inWords(text))) {
					all = append(all, naming{from: n.From, to: n.To, of: k, sure: true, computed: true})
					return true
				}
			}
			is, signed := isShare(text, n)
			if !is || in == inLabels || named == -1 {
				return false
			}
			if words = cmp.Or(words, inWords(text)); named == -2 {
				named = s.toldOf(words)
			}
			if named < 0 || !signed && s.within(n, text, named) {
				return false
			}
			all = append(all, naming{from: n.From, to: n.To, of: named, sure: true, computed: true})
			return true
		}
		if len(ks) == 0 {
			share()
			return
		}
		if folded == "" {
			folded, words = foldLabel(text), inWords(text)
		}
		digits, telling := ooxml.Digits(n.Canon)
		one := naming{from: n.From, to: n.To, of: ks[0]}
		for _, k := range ks {
			if slices.Contains(own, k) || in != inLabels && (s.told(k, folded) || s.cells[k].isIn(words) || s.equated(k, text, n, in)) {
				one.of, one.sure = k, true
				break
			}
		}
		if !isYear(n.Canon) {
			one.sure = one.sure || in == inOffice && digits >= 3 || in == inView && telling >= 4 && !isClass(text, n)
		}
		if !one.sure && (share() || s.within(n, text, one.of) || in == inView && digits < 3 || in == inLabels && telling < 4) {
			return
		}
		all = append(all, one)
	})
	slices.SortStableFunc(all, func(a, b naming) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	kept := all[:0]
	for _, n := range all {
		if len(kept) > 0 && n.from < kept[len(kept)-1].to {
			if last := &kept[len(kept)-1]; !last.sure && n.sure {
				*last = n
			}
			continue
		}
		kept = append(kept, n)
	}
	return kept
}

// ofTitle is what stands before the number of a table or a figure in its title, which tells no cell whatever the title names.
var ofTitle = lazy.Regexp(`(?i)^\s*(?:table|tab\.?|tableau|tabelle|exhibit|figure|fig\.?)[ \x{a0}]$`)

// isClass reports whether a number is an end of a class, as in 1,000～4,999人 or 5,000人以上.
func isClass(text string, n ooxml.Number) bool {
	before, behind := strings.TrimRight(text[:n.From], " \u3000"), strings.TrimLeft(text[n.To:], " \u3000人円万千百")
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(behind)
	if strings.ContainsRune("～〜~–", last) || strings.ContainsRune("～〜~–+", first) {
		return true
	}
	return slices.ContainsFunc([]string{"以上", "以下", "未満", "超", "歳", "and over", "or more", "and more", "und mehr", "et plus"}, func(word string) bool { return strings.HasPrefix(behind, word) })
}

// equated reports whether a label of the withheld cell k that is no total stands at a number of a text with nothing but signs
// between, as in 一町=1 or "Men: 3", so that the text tells a number of those that have the label. Blanks alone are no sign
// in what readers see: "Table 1". Where the text has another label of the cell, they are, and behind a total as well: "Men, all ages 3".
func (s *secrets) equated(k int, text string, n ooxml.Number, in setting) bool {
	before, behind := strings.TrimSpace(text[:n.From]), strings.TrimSpace(text[n.To:])
	name, follower := strings.TrimRightFunc(before, isSign), strings.TrimLeftFunc(behind, isSign)
	w := &s.cells[k]
	labels, folded := slices.Concat(w.given, w.beside, w.above), foldLabel(text)
	return slices.ContainsFunc(labels, func(l string) bool {
		another := slices.ContainsFunc(labels, func(o string) bool { return !totals[o] && !strings.Contains(l, o) && strings.Contains(folded, o) })
		return (another || !totals[l] && (in == inOffice || name != before)) && endsWith(name, l) ||
			!totals[l] && (in == inOffice || follower != behind) && beginsWith(follower, l)
	})
}

// particles may stand between a label and its number in Japanese: 一町は1.
const particles = "はがの"

// isSign reports whether a rune can stand between a label and its number.
func isSign(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) || strings.ContainsRune(particles, r)
}

// endsWith reports whether a text ends with a label, in any form, as words of their own where the letters are those of an alphabet.
func endsWith(text, label string) bool {
	k := len(text)
	for range 4 * utf8.RuneCountInString(label) {
		_, size := utf8.DecodeLastRuneInString(text[:k])
		k -= size
		if size == 0 || foldLabel(text[k:]) == label {
			break
		}
	}
	r, _ := utf8.DecodeLastRuneInString(text[:k])
	return foldLabel(text[k:]) == label && !joins(r, label)
}

// beginsWith is endsWith for the begin of a text.
func beginsWith(text, label string) bool {
	k := 0
	for range 4 * utf8.RuneCountInString(label) {
		_, size := utf8.DecodeRuneInString(text[k:])
		k += size
		if size == 0 || foldLabel(text[:k]) == label {
			break
		}
	}
	r, _ := utf8.DecodeRuneInString(text[k:])
	return foldLabel(text[:k]) == label && !joins(r, label)
}

// joins reports whether a letter beside a label makes one word with it: where words are parted by blanks, and beside labels
// of one character, as 東 in 関東.
func joins(r rune, label string) bool {
	first, size := utf8.DecodeRuneInString(label)
	return unicode.IsLetter(r) && (size == len(label) || first < 0x2e80 && r < 0x2e80) && !strings.ContainsRune(particles, r)
}

// within reports whether a number is part of a label of the table, as in 15～24歳.
func (s *secrets) within(n ooxml.Number, text string, of int) bool {
	w := &s.cells[of]
	return slices.ContainsFunc(slices.Concat(w.given, w.beside, w.above), func(l string) bool {
		return len(l) > n.To-n.From && strings.Contains(l, foldLabel(text[n.From:n.To])) && strings.Contains(foldLabel(text), l)
	})
}

// withoutNumbers writes the mark for the numbers of texts, which make up one running text, and says so; where names the
// place. Texts in which only numbers stand that may be coincidences stay.
func (c *copying) withoutNumbers(part, where string, texts []ooxml.Text, in setting, own ...int) {
	c.withoutSure(part, where, texts, in, true, own...)
}

// withoutSure is withoutNumbers; look says whether numbers that may be coincidences are told.
func (c *copying) withoutSure(part, where string, texts []ooxml.Text, in setting, look bool, own ...int) {
	var whole strings.Builder
	for _, t := range texts {
		whole.WriteString(cmp.Or(t.Plain, t.S))
	}
	text := whole.String()
	if c.goes(text) {
		var every []naming
		ooxml.Numbers(text, func(n ooxml.Number) { every = append(every, naming{from: n.From, to: n.To}) })
		c.say(where, i18n.T("a number became the mark"), i18n.T("--blank says so"))
		c.edit(part, replaceTexts(texts, every, c.o.Mark)...)
		return
	}
	all := c.secrets.namings(text, in, own...)
	if len(all) == 0 {
		return
	}
	var sure []naming
	for _, n := range all {
		of := c.where(c.secrets.cells[n.of].id)
		if n.sure {
			switch last := len(sure) - 1; {
			case last >= 0 && sure[last].of == n.of && sure[last].computed == n.computed:
			case n.computed:
				c.say(where, i18n.T("a number became the mark"), i18n.T("it may be computed from the number of %s", of))
			default:
				c.say(where, i18n.T("a number became the mark"), i18n.T("it names the number of %s", of))
			}
			sure = append(sure, n)
		} else if look {
			c.look(where, i18n.T("names the number of %s, or another that is the same", of))
		}
	}
	if len(sure) > 0 {
		c.edit(part, replaceTexts(texts, sure, c.o.Mark)...)
	}
}

// goes reports whether a text is one whose numbers go, as somebody says.
func (c *copying) goes(text string) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || r == 0 {
				return -1
			}
			return r
		}, s)
	}
	return slices.ContainsFunc(c.o.Texts, func(t string) bool { return letters(t) == letters(text) })
}

// replaceTexts writes mark for the namings of a text that is cut into texts.
func replaceTexts(texts []ooxml.Text, all []naming, mark string) []ooxml.Edit {
	var edits []ooxml.Edit
	at := 0
	for _, t := range texts {
		var b strings.Builder
		changed := false
		k := 0 // index into t.S
		for _, n := range all {
			from, to := max(n.from-at, 0), min(n.to-at, len(t.S))
			if from >= to || from < k {
				continue
			}
			b.WriteString(t.S[k:from])
			if n.from >= at { // it begins here
				b.WriteString(mark)
			}
			k, changed = to, true
		}
		if changed {
			b.WriteString(t.S[k:])
			edits = append(edits, t.Set(b.String()))
		}
		at += len(t.S)
	}
	return edits
}
