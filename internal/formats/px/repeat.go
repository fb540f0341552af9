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

// factual are the keywords whose texts are kept whatever numbers they contain, because they are needed to read
// the table, or give its name, source or dates.
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

// repeating returns the statements, in any language, that must be removed beside the withheld cells: those with
// the value of such a cell in their text, and notes on such a cell that contain any number. Marks that are
// statuses are not among them.
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

// telling returns the statements that contain one of values, or that are a note on one of cells and contain any
// number.
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

// covers reports whether a note is about one of cells. As far as its arguments do not tell, because they are in
// another language or *, it is taken to be.
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
		return nil // it is written as a new file, without notes
	}
	return sets.Each(l.p.repeating(in, withheld), func(s *statement) string { return fmt.Sprintf("line %d: %s", s.line, formats.Show(s.name())) })
}

// plain returns a decimal number without the zeros at its end that do not count.
func plain(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return cmp.Or(s, "0")
}

// holds reports whether text contains one of values as a number: with any thousands separators, a decimal point
// or comma, trailing zeros, wide digits, or 万 and 億. If it can be read in several ways, or as a list, each
// reading and each item counts.
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

// maxDigits is the largest number of digits of a value.
const maxDigits = 19

// readings returns all numbers as which the beginning of r, a digit, can be read.
func readings(r []rune) []string {
	group := func(i int) int { // returns where the digits from i on end
		for digit(r, i) {
			i++
		}
		return i
	}
	end := group(0)
	whole := string(r[:end])
	all := []string{whole}
	decimals := func(whole string, end int) { // adds the number with decimals after a whole number
		if end < len(r) && strings.ContainsRune(".,·٫", r[end]) && digit(r, end+1) {
			all = append(all, plain(whole+"."+string(r[end+1:group(end+1)])))
		}
	}
	decimals(whole, end)
	for len(whole) < maxDigits && end < len(r) && separates(r[end]) && digit(r, end+1) {
		next := group(end + 1)
		if n := next - end - 1; n < 2 || n > 4 { // groups have three digits, in India two, in East Asia four
			break
		}
		whole += string(r[end+1 : next])
		end = next
		all = append(all, whole)
		decimals(whole, end)
	}
	return append(all, myriads(r)...)
}

// separates reports whether c can stand between groups of digits.
func separates(c rune) bool {
	return unicode.Is(unicode.Zs, c) || strings.ContainsRune(",.'’´`_·٬", c)
}

// myriads reads numbers such as 1億2345万6789 and 12万.
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
