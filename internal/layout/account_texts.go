package layout

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/lazy"
)

// prose accounts for a text that stands in no grid.
func (k *accountant) prose(text, ref string) {
	if !hasDigit(text) {
		return
	}
	if what := k.proseRole(text); what != "" {
		k.a.add(what, ref)
	} else {
		k.a.unknown(ref)
	}
}

// proseRole returns the role of running text. A text with the value of a cell and all its labels but those of totals
// tells that cell: the copy of a text file puts the mark there if the cell is withheld; in other files such a text has
// no role. Numbers of tables, notes, pages, paragraphs and dates tell nothing.
func (k *accountant) proseRole(text string) string {
	if k.byValue == nil {
		k.byValue, k.tens = map[string][]toldCell{}, true
		for _, t := range k.told {
			k.tell(t)
		}
		slices.SortFunc(k.digits, func(a, b string) int { return len(b) - len(a) }) // one may be in another
	}
	folded := fold(text)
	other := folded // without the labels that have digits, as 15～24歳
	for _, l := range k.digits {
		other = strings.ReplaceAll(other, l, " ")
	}
	for _, w := range inProse().FindAllStringSubmatch(folded, -1) {
		if year().MatchString(w[2]) || numbered().MatchString(w[1]) || w[1] == "" {
			continue
		}
		number := strings.ReplaceAll(w[2], ",", "")
		note := noteOf{at: k.place, text: text, number: w[2]}
		most := 1.0
		for _, of := range k.tolds(number) {
			rest, named, periods := other, 0, 0
			for _, l := range of.labels {
				if strings.Contains(folded, l) {
					if named++; isTime(l) {
						periods++
					}
				}
				rest = strings.ReplaceAll(rest, l, " ")
			}
			if named == 0 || named < len(of.labels) && k.s.book != nil { // in a text file, some labels are enough
				continue
			}
			if named == periods && named < len(of.labels) { // many a note says of when the numbers are
				continue
			}
			if !slices.ContainsFunc(inProse().FindAllStringSubmatch(rest, -1), func(x []string) bool { return x[2] == w[2] }) {
				continue
			}
			if k.s.text == nil {
				return ""
			}
			switch share := float64(named) / float64(len(of.labels)); {
			case share == 1 && most > 0:
				note.of, most = []string{of.ref}, 0
			case share == 1 || most > 0:
				note.of = append(note.of, of.ref)
			}
		}
		if note.of != nil {
			k.a.notes = append(k.a.notes, note)
		}
	}
	return asNote
}

// closer returns the role of running text in a workbook, whose copy loses withheld values: none where the text has a
// cell's value with more digits than the cell.
func (k *accountant) closer(text string) string {
	k.rounded = true
	defer func() { k.rounded = false }()
	return k.proseRole(text)
}

// tolds returns the cells whose value a number is, and those whose value it becomes when it is rounded to fewer
// decimals or, where all values are multiples of ten, to tens.
func (k *accountant) tolds(number string) []toldCell {
	var all []toldCell
	if !k.rounded {
		all = slices.Clone(k.byValue[number])
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return all
	}
	_, part, _ := strings.Cut(number, ".")
	for places := range len(part) {
		all = append(all, k.byValue[strconv.FormatFloat(v, 'f', places, 64)]...)
	}
	if rounded := strconv.FormatFloat(10*math.Round(v/10), 'f', 0, 64); k.tens && rounded != number {
		all = append(all, k.byValue[rounded]...)
	}
	return all
}

// mostTold bounds the cells of a table that texts are compared with.
const mostTold = 1 << 16

// tell indexes the labels of a table's cells by their values.
func (k *accountant) tell(t *Table) {
	if len(t.Cells) > mostTold {
		return
	}
	total := make([]map[string]bool, len(t.Dimensions))
	label := make([]map[string]string, len(t.Dimensions)) // of the codes in dimensions that tell cells apart
	for d := range t.Dimensions {
		total[d], label[d] = map[string]bool{}, map[string]string{}
		if !t.Dimensions[d].named() {
			continue
		}
		for _, c := range t.Dimensions[d].Codes {
			if c.Parent != nil {
				total[d][*c.Parent] = true
			}
			if !slices.Contains(t.unnamed, codeOf{d, c.Code}) {
				label[d][c.Code] = fold(c.Label)
				if l := fold(c.Label); hasDigit(l) && strings.Trim(l, "0123456789., ") != "" {
					k.digits = append(k.digits, l)
				}
			}
		}
		if names := t.Dimensions[d].unnumbered(); names != nil {
			for code := range label[d] {
				label[d][code] = fold(names[code])
			}
		}
	}
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Value == nil || len(c.Codes) != len(t.Dimensions) {
			continue
		}
		k.tens = k.tens && strings.HasSuffix(string(*c.Value), "0") && c.Value.places() == 0
		var labels, totals []string
		for d, code := range c.Codes {
			switch {
			case label[d][code] == "":
			case total[d][code]:
				totals = append(totals, label[d][code])
			default:
				labels = append(labels, label[d][code])
			}
		}
		if len(labels) == 0 {
			labels = totals
		}
		if len(labels) > 0 {
			value, _ := strconv.ParseFloat(string(*c.Value), 64) // a Number always parses
			k.byValue[string(*c.Value)] = append(k.byValue[string(*c.Value)], toldCell{labels, c.Ref, value})
		}
	}
}

// unnumbered returns the labels of a dimension without the numbers before them, as texts name them; nil if these do not
// tell all codes apart.
func (d *Dimension) unnumbered() map[string]string {
	names, seen := map[string]string{}, map[string]bool{}
	for _, c := range d.Codes {
		number, name, _ := strings.Cut(c.Label, " ")
		if strings.Trim(number, "0123456789") != "" || name == "" {
			name = c.Label
		}
		if seen[name] {
			return nil
		}
		seen[name], names[c.Code] = true, name
	}
	return names
}

// around accounts for what a workbook holds beside its cells: comments, named constants, headers, footers, text boxes
// and properties.
func (k *accountant) around() {
	if k.s.book == nil {
		return
	}
	texts, err := xlsx.Texts(k.s.book)
	if err != nil {
		return // writing the copy reports the error
	}
	for _, t := range texts {
		if !hasDigit(t.Text) {
			continue
		}
		what := asNote
		if slices.Contains(k.s.texts, t.Text) {
			k.a.add(asBlank, t.Where)
			continue
		}
		if t.Kind == xlsx.Charted {
			what = asPoint
		} else if t.Kind != xlsx.Running && k.proseRole(t.Text) != "" {
			told := numerals(dates().ReplaceAllString(fold(t.Text), ""))
			if _, err := strconv.ParseFloat(t.Text, 64); err == nil && t.Kind == xlsx.Constant {
				told = []string{t.Text}
			}
			for _, n := range told {
				if !year().MatchString(n) && !k.repeats(n, t) {
					what = ""
				}
			}
		}
		if what == "" || what != asPoint && k.closer(t.Text) == "" {
			k.a.unknown(t.Where)
			k.a.beside = append(k.a.beside, t.Where)
		} else {
			k.a.add(what, t.Where)
		}
	}
}

// repeats reports whether n is a number of the tables that the copy drops from such a text where the cell is withheld:
// the number of the cell that a comment is on, the value of a named constant, or a long number.
func (k *accountant) repeats(n string, t xlsx.Text) bool {
	for _, of := range k.told {
		for i := range of.Cells {
			c := &of.Cells[i]
			if c.Value != nil && string(*c.Value) == n && (len(n) > 2 || t.Kind == xlsx.Constant || c.Ref == t.On) {
				return true
			}
		}
	}
	return false
}

// dates match days and times within a text.
var dates = lazy.Regexp(`[0-9]{1,4}[./\-][0-9]{1,2}[./\-][0-9]{1,4}|[0-9]{1,2}月[0-9]{1,2}日|(?:1[89]|20)[0-9]{2}年|[0-9]{1,2}:[0-9]{2}`)

// bracketed leaves it open whether counts in brackets are numbers below 0 or numbers with a mark.
func (k *accountant) bracketed() {
	for _, t := range k.told {
		if t.Kind != ofCounts {
			continue
		}
		for i := range t.Cells {
			c := &t.Cells[i]
			at := address{nameOfSheet(c.Sheet), c.Ref}
			if c.Value == nil || !strings.HasPrefix(string(*c.Value), "-") {
				continue
			}
			for _, g := range k.s.grids {
				if area, ok := g.Area(c.Ref); ok && g.Sheet == at.sheet && strings.HasPrefix(fold(g.At(area.Top, area.Left).Text), "(") {
					delete(k.known, at)
				}
			}
		}
	}
}
