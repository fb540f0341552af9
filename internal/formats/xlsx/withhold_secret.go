package xlsx

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/sets"
)

// secrets holds the withheld values.
type secrets struct {
	cells []secret
	of    map[string][]int // indices of cells by their number
	sums  map[string][]int // indices of cells by other numbers that tell them in texts with their labels
	// by has indices of cells by their number and a label: the nearest to the left, or the first that the caller gave.
	by map[string][]int
	// numbered are the labels with a digit that the caller gave, and those of headers.
	numbered []string
}

// A secret is a withheld cell.
type secret struct {
	id    spotID
	canon string   // its number, "" if the workbook has none
	given []string // the labels that the caller gave, folded
	// words are those of the labels given that are not totals, in words and without codes, and without the name
	// of the sheet if there are enough others.
	words  []string
	beside []string // texts to its left, nearest first, folded
	above  []string // texts above it, nearest first, folded
}

// add records a withheld cell.
func (s *secrets) add(c *copying, id spotID, canon string, labels []string, told ...string) {
	t := c.tabs[id.tab]
	one := secret{id: id, canon: canon, beside: t.beside(int(id.row), int(id.col)), above: t.above(int(id.row), int(id.col))}
	for _, l := range labels {
		if spoken := withoutCode(inWords(l)); spoken != "" && !totals[foldLabel(spoken)] {
			one.words = append(one.words, spoken)
			s.number(foldLabel(spoken))
		}
		if l = foldLabel(l); l != "" {
			one.given = append(one.given, l)
			s.number(l)
		}
	}
	if l := t.labels(); !l.listed {
		l.listed = true
		for _, head := range l.heads {
			if len(head) < 3 { // a note and its mark
				continue
			}
			for _, k := range head {
				if column := t.columns[t.cells[k].col]; len(column) == 0 || column[len(column)-1] != k { // a text above nothing heads no column
					s.number(l.of[k])
				}
			}
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

// foldLabel returns the same text for labels that people take for the same: it ignores width, case, blanks and
// leader dots.
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

// totals are labels that many rows and columns of other tables have too.
var totals = map[string]bool{"総数": true, "総計": true, "計": true, "小計": true, "合計": true, "全体": true, "total": true, "all": true, "sum": true, "insgesamt": true, "ensemble": true, "totaal": true}

// specific returns the labels that are not totals, or all labels if there are none.
func specific(labels []string) []string {
	some := sets.Where(labels, func(l string) bool { return !totals[l] })
	if some == nil {
		return labels
	}
	return some
}

// isLabel reports whether a cell has a text that may be a label: neither a number nor a mark.
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

// labelled holds the labels of a sheet.
type labelled struct {
	of      []string          // label of each cell, folded, "" if it has none
	columns map[int32][]int32 // indices of the cells with a label, by column
	heads   [][]int32         // for each row with several cells but no number, its cells
	all     map[string]bool
	listed  bool // whether the labels of heads with a digit are among those of the secrets
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

// before returns how many of the cells, which are in order, are above a row.
func (t *tab) before(cells []int32, row int) int {
	n, _ := slices.BinarySearchFunc(cells, row, func(at int32, row int) int { return int(t.cells[at].row) - row })
	return n
}

// maxFilled is the number of columns in which a label may hold for the rows below it.
const maxFilled = 40

// beside returns the labels to the left of a cell, folded, nearest first: those in its row, then those of rows
// above that hold for it.
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

// first returns the index of the first cell of a row, or of the next cell after it.
func (t *tab) first(row int) int {
	n, _ := slices.BinarySearchFunc(t.cells, int32(row), func(s spot, row int32) int { return cmp.Compare(s.row, row) })
	return n
}

// above returns the labels above a cell, folded, nearest first: those in its column, those of merged cells over
// it, and those to the left in rows that contain only labels.
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

// named reports whether a cell with these labels around it has those of the withheld cell k: either all that
// the caller gave, or the nearest of its row and the nearest of its column.
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

// whose returns the withheld cells with that number which a cell with these labels may stand for.
func (s *secrets) whose(canon string, labels []string) []int {
	var all []int
	for _, l := range labels {
		all = append(all, s.by[canon+"\x00"+l]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// touched reports whether some label of the withheld cell k that is not a total is among these.
func (s *secrets) touched(k int, labels []string) bool {
	w := &s.cells[k]
	return slices.ContainsFunc(slices.Concat(w.given, w.beside, w.above), func(l string) bool { return !totals[l] && slices.Contains(labels, l) })
}

// told reports whether running text, folded, contains the labels of the withheld cell k.
func (s *secrets) told(k int, text string) bool {
	w := &s.cells[k]
	has := func(l string) bool { return strings.Contains(text, l) }
	if len(w.given) > 0 && !slices.ContainsFunc(specific(w.given), func(l string) bool { return !has(l) }) {
		return true
	}
	return len(w.beside) > 0 && len(w.above) > 0 && (has(w.beside[0]) && has(w.above[0]) || slices.ContainsFunc(specific(w.beside), has) && slices.ContainsFunc(specific(w.above), has))
}

// A setting is where running text occurs. It decides how many digits a number must have to be taken for a
// withheld one.
type setting byte

const (
	inOffice setting = iota // where readers do not look
	inView                  // in what readers see
	inLabels                // in the labels of the table itself
)

// isYear reports whether a number may be a year.
func isYear(canon string) bool { return len(canon) == 4 && canon >= "1900" && canon <= "2100" }

// A naming is a withheld number in running text.
type naming struct {
	from, to int
	of       int  // the withheld cell
	sure     bool // otherwise it may be a coincidence
	computed bool // it may have been computed from the number of the cell
}

// namings returns the withheld numbers in a text, in order and without overlaps. own are withheld cells to
// which the text belongs, such as the cell of a comment.
func (s *secrets) namings(text string, in setting, own ...int) []naming {
	if len(s.of) == 0 || len(text) == 0 {
		return nil
	}
	var all []naming
	folded, words, named := "", "", -2
	ooxml.Numbers(text, func(n ooxml.Number) {
		ks := s.of[n.Canon]
		if numbersTable(text, n) {
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
				if named = s.toldOf(words); named < 0 && len(own) == 1 { // what stands on a cell need not name it
					named = own[0]
				}
			}
			if named < 0 || !signed && s.within(n, text, named) {
				return false
			}
			all = append(all, naming{from: n.From, to: n.To, of: named, sure: true, computed: true})
			return true
		}
		if len(own) == 1 && !isYear(n.Canon) && nearBy(s.cells[own[0]].canon, n.Canon) { // the comment of a cell may have its exact number
			all = append(all, naming{from: n.From, to: n.To, of: own[0], sure: true, computed: s.cells[own[0]].canon != n.Canon})
			return
		}
		if len(ks) == 0 {
			share()
			return
		}
		if folded == "" {
			folded, words = foldLabel(text), inWords(text)
		}
		digits, telling := ooxml.Digits(n.Canon)
		label := s.labels(text, n)
		one := naming{from: n.From, to: n.To, of: ks[0]}
		for _, k := range ks {
			in := in
			if in == inLabels && !label && len(s.cells[k].given) > 1 && s.told(k, folded) {
				in = inView // a label names its own line: this is a note in a row of another table
			}
			if slices.Contains(own, k) || !label && in != inLabels && (s.told(k, folded) || s.cells[k].isIn(words) || s.equated(k, text, n, in)) {
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

// nearBy reports whether two numbers differ by no more than rounding or a correction of a tenth explains.
func nearBy(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, bad := strconv.ParseFloat(b, 64)
	return err == nil && bad == nil && math.Abs(x-y) <= max(1, math.Abs(x)/10)
}

// ofTitle matches what precedes the number of a table or a figure in its title. That number is not the value of
// a cell, whatever labels the title has.
var ofTitle = lazy.Regexp(`(?i)^\s*(?:(?:tab(?:le|\.|ul?ka|leau|elle|ell|ela|el|la|lica|lo|l\.)?|tavola|taulukko|quadro|cuadro|exhibit|figur[ae]?|fig\.?)[ \x{a0}]|表|図|표)$`)

// ofTable matches the beginning of 第25表.
var ofTable = lazy.Regexp(`^\s*第\s*[0-9０-９]+\s*[表図]`)

// ofNote matches the mark of a note before its text, as 1) and (1).
var ofNote = lazy.Regexp(`^\s*[(（]?[0-9０-９]{1,2}[)）]\s*\pL`)

// numbersTable reports whether a number is that of a table or a figure in its title, or of a note before its text.
func numbersTable(text string, n ooxml.Number) bool {
	return ofTitle().MatchString(text[:n.From]) || n.To <= max(len(ofTable().FindString(text)), len(ofNote().FindString(text)))
}

// number records a label of a table if it has a digit.
func (s *secrets) number(label string) {
	if strings.ContainsAny(label, "0123456789") && !slices.Contains(s.numbered, label) {
		s.numbered = append(s.numbered, label)
	}
}

// labels reports whether a number is what a label of the table has at its place, as the 15 of "under 15".
func (s *secrets) labels(text string, n ooxml.Number) bool {
	number := foldLabel(text[n.From:n.To])
	before, behind := foldLabel(text[:n.From]), foldLabel(text[n.To:])
	return slices.ContainsFunc(s.numbered, func(l string) bool {
		for at := 0; len(l) > len(number); at++ {
			k := strings.Index(l[at:], number)
			if k < 0 {
				break
			}
			if at += k; strings.HasSuffix(before, l[:at]) && strings.HasPrefix(behind, l[at+len(number):]) {
				return true
			}
		}
		return false
	})
}

// isClass reports whether a number is a bound of a class, as in 1,000～4,999人 or 5,000人以上.
func isClass(text string, n ooxml.Number) bool {
	before, behind := strings.TrimRight(text[:n.From], " \u3000"), strings.TrimLeft(text[n.To:], " \u3000人円万千百")
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(behind)
	if strings.ContainsRune("～〜~–", last) || strings.ContainsRune("～〜~–+", first) {
		return true
	}
	return slices.ContainsFunc([]string{"以上", "以下", "未満", "超", "歳", "and over", "or more", "and more", "und mehr", "et plus"}, func(word string) bool { return strings.HasPrefix(behind, word) })
}

// equated reports whether a label of the withheld cell k is beside a number of a text with only signs in
// between, as in 一町=1 or "Men: 3", so that the text tells a number of what the label names. Unless the text has
// another label of the cell, the label must not be a total, and in visible text blanks alone are not enough,
// because of texts such as "Table 1". With another label both are allowed, as in "Men, all ages 3".
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

// isSign reports whether a rune may stand between a label and its number.
func isSign(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) || strings.ContainsRune(particles, r)
}

// endsWith reports whether a text ends with a label, however written; in alphabetic scripts the label must
// consist of whole words there.
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

// beginsWith is endsWith for the beginning of a text.
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

// joins reports whether a letter beside a label makes the label part of a longer word: in scripts with blanks
// between words, and beside a label of a single character, as 東 in 関東.
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

// withoutNumbers replaces withheld numbers by the mark in texts, which together form one running text, and
// reports it; where names the place. Texts are kept whose only such numbers may be coincidences.
func (c *copying) withoutNumbers(part, where string, texts []ooxml.Text, in setting, own ...int) {
	c.withoutSure(part, where, texts, in, true, own...)
}

// withoutSure is withoutNumbers; look says whether to list numbers that may be coincidences.
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

// goes reports whether the caller wants all numbers of a text removed.
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

// replaceTexts returns the edits that replace the namings in a text, which is cut into texts, by mark.
func replaceTexts(texts []ooxml.Text, all []naming, mark string) []ooxml.Edit {
	var edits []ooxml.Edit
	at := 0
	for _, t := range texts {
		var b strings.Builder
		changed := false
		k := 0 // position in t.S
		for _, n := range all {
			from, to := max(n.from-at, 0), min(n.to-at, len(t.S))
			if from >= to || from < k {
				continue
			}
			b.WriteString(t.S[k:from])
			if n.from >= at { // the number begins in this text
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
