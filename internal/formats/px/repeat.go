package px

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// factual are the keywords whose texts stay whatever numbers they hold: what the table needs to
// be read, what names it, where it comes from and when.
var factual = map[string]bool{}

func init() {
	for _, key := range strings.Fields(`CHARSET AXIS-VERSION CODEPAGE LANGUAGE LANGUAGES CREATION-DATE NEXT-UPDATE PX-SERVER
		DIRECTORY-PATH UPDATE-FREQUENCY TABLEID SYNONYMS DEFAULT-GRAPH DECIMALS SHOWDECIMALS ROUNDING MATRIX AGGREGALLOWED
		AUTOPEN SUBJECT-CODE SUBJECT-AREA CONFIDENTIAL COPYRIGHT TITLE DESCRIPTIONDEFAULT CONTENTS UNITS STUB HEADING
		CONTVARIABLE VALUES TIMEVAL CODES DOUBLECOLUMN PRESTEXT DOMAIN VARIABLE-TYPE HIERARCHIES HIERARCHYLEVELS
		HIERARCHYLEVELSOPEN HIERARCHYNAMES MAP PARTITIONED ELIMINATION PRECISION LAST-UPDATED STOCKFA CFPRICES DAYADJ
		SEASADJ CONTACT REFPERIOD BASEPERIOD DATABASE SOURCE SURVEY LINK INFOFILE FIRST-PUBLISHED META-ID
		OFFICIAL-STATISTICS DATANOTESUM DATASYMBOL1 DATASYMBOL2 DATASYMBOL3 DATASYMBOL4 DATASYMBOL5 DATASYMBOL6
		DATASYMBOLSUM DATASYMBOLNIL KEYS`) {
		factual[key] = true
	}
}

// repeating returns the statements in any language, marks that are statuses apart, that must
// not stay beside the cells withheld: a number in their text is the value of such a
// cell, or they are a note on one and hold a number at all.
func (p *parser) repeating(in *formats.Input, withheld []bool) []*statement {
	if withheld == nil || in.Style.Flag {
		return nil
	}
	t := in.Table
	values, cells := map[string]bool{}, map[string]bool{}
	for i, out := range withheld {
		if out && t.Known(i) {
			values[plain(strings.TrimLeft(table.FormatDecimal(t.Value[i], t.Decimals), "-"))] = true
		}
		if out && i < len(p.recs) {
			cells[strings.Join(p.recs[i].Codes, "\x00")] = true
		}
	}
	return p.telling(values, cells)
}

// telling returns the statements in which a number of values stands, or that are a note on one of cells and
// hold a number.
func (p *parser) telling(values, cells map[string]bool) []*statement {
	status := sets.Of(p.notes)
	var all []*statement
	for _, s := range p.head {
		if factual[s.key] || status[s] {
			continue
		}
		about := (s.key == "CELLNOTE" || s.key == "CELLNOTEX") && p.covers(s, cells)
		if slices.ContainsFunc(s.value, func(v token) bool {
			return !v.mark && (holds(v.text, values) || about && strings.ContainsFunc(v.text, unicode.IsDigit))
		}) {
			all = append(all, s)
		}
	}
	return all
}

// covers reports whether a note is on one of cells, as far as its arguments tell that: they may
// be in another language, and * stands for all values.
func (p *parser) covers(s *statement, cells map[string]bool) bool {
	if len(cells) == 0 || len(s.args) != len(p.vars) {
		return len(cells) > 0
	}
	var codes []string
	for n, a := range s.args {
		v := p.vars[n]
		i, ok := v.code(a)
		if !ok {
			return true
		}
		if v.dim >= 0 {
			codes = append(codes, v.codes[i])
		}
	}
	return cells[strings.Join(codes, "\x00")]
}

// Repeats implements formats.Repeater.
func (l *layout) Repeats(in *formats.Input, withheld []bool) []string {
	if len(l.p.o.Select) > 0 {
		return nil // a new file without notes
	}
	return sets.Each(l.p.repeating(in, withheld), func(s *statement) string { return fmt.Sprintf("line %d: %s", s.line, formats.Show(s.name())) })
}

// plain is a decimal number without zeros that do not count.
func plain(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return cmp.Or(s, "0")
}

// holds reports whether text has one of values as a number: with any thousands separators, with
// decimal point or comma, with zeros at its end, in wide digits, or in 万 and 億.
// Of several readings each counts, and each part of what may be a list.
func holds(text string, values map[string]bool) bool {
	if len(values) == 0 {
		return false
	}
	r := []rune(width.Narrow.String(text))
	for i := 0; i < len(r); i++ {
		if !digit(r, i) || digit(r, i-1) {
			continue
		}
		for _, v := range readings(r[i:]) {
			if values[v] {
				return true
			}
		}
	}
	return false
}

func digit(r []rune, i int) bool {
	return i >= 0 && i < len(r) && (r[i] >= '0' && r[i] <= '9')
}

// maxDigits is how many digits a value can have.
const maxDigits = 19

// readings returns the numbers that r, which begins with a digit, may begin with.
func readings(r []rune) []string {
	group := func(i int) int { // the end of the digits at i
		for digit(r, i) {
			i++
		}
		return i
	}
	end := group(0)
	whole := string(r[:end])
	all := []string{whole}
	decimals := func(whole string, end int) { // a mark and digits behind a whole number
		if end < len(r) && strings.ContainsRune(".,·٫", r[end]) && digit(r, end+1) {
			all = append(all, plain(whole+"."+string(r[end+1:group(end+1)])))
		}
	}
	decimals(whole, end)
	for len(whole) < maxDigits && end < len(r) && separates(r[end]) && digit(r, end+1) {
		next := group(end + 1)
		if n := next - end - 1; n < 2 || n > 4 { // by thousands, in India by hundreds, in East Asia by myriads
			break
		}
		whole += string(r[end+1 : next])
		end = next
		all = append(all, whole)
		decimals(whole, end)
	}
	return append(all, myriads(r)...)
}

// separates reports whether c may stand between groups of digits.
func separates(c rune) bool {
	return unicode.Is(unicode.Zs, c) || strings.ContainsRune(",.'’´`_·٬", c)
}

// myriads reads 1億2345万6789 and 12万.
func myriads(r []rune) []string {
	total, unit, found := int64(0), int64(1e16), false
	for i := 0; digit(r, i); {
		n := int64(0)
		for ; digit(r, i) || i < len(r) && r[i] == ',' && digit(r, i+1); i++ {
			if r[i] != ',' {
				if n = 10*n + int64(r[i]-'0'); n > 1e9 {
					return nil
				}
			}
		}
		this := int64(1)
		if i < len(r) {
			this = map[rune]int64{'兆': 1e12, '億': 1e8, '万': 1e4, '萬': 1e4}[r[i]]
		}
		if this = max(this, 1); this >= unit || n > 1e17/this {
			break
		}
		total, unit = total+n*this, this
		if this == 1 {
			break
		}
		found = true
		i++
	}
	if !found {
		return nil
	}
	return []string{fmt.Sprint(total)}
}
