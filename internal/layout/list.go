package layout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hitoku/hitoku/internal/lazy"
)

// listed returns what the numbers of a sheet repeat that lists cells, one in each row with its labels beside it: each
// row has one number that is no label, and a cell of a table with that value has labels that agree with all of the
// row's. Where a row has no such cell, as in a list of ratios, the others agree by chance, and the result is nil.
func (k *accountant) listed(g *Grid) map[[2]int][]fieldAt {
	column := listColumn(g)
	if column < 0 {
		return nil
	}
	where := map[string]*Grid{}
	for _, of := range k.s.grids {
		where[of.Sheet] = of
	}
	type told struct {
		labels []string
		at     fieldAt
		sheet  map[string]bool // of a computed number: the texts of its sheet, one of which names what it is
	}
	cells := map[string][]told{} // by value
	for _, t := range k.told {
		labels := make([]map[string]string, len(t.Dimensions))
		for d := range t.Dimensions {
			labels[d] = map[string]string{}
			for _, c := range t.Dimensions[d].Codes {
				labels[d][c.Code] = plainLabel(c.Code) + "\x00" + plainLabel(c.Label)
			}
		}
		for i := range t.Cells {
			c := &t.Cells[i]
			of := where[nameOfSheet(c.Sheet)]
			if c.Value == nil || of == nil {
				continue
			}
			area, ok := of.Area(c.Ref)
			if !ok {
				continue
			}
			x := told{at: fieldAt{of.Sheet, area.Top, area.Left}}
			for d, code := range c.Codes {
				x.labels = append(x.labels, labels[d][code])
			}
			cells[string(*c.Value)] = append(cells[string(*c.Value)], x)
		}
		texts := map[*Grid]map[string]bool{}
		for i := range t.Derived {
			n := &t.Derived[i]
			of := where[nameOfSheet(n.Sheet)]
			if n.Value == nil || of == nil || len(n.Of) == 0 {
				continue
			}
			area, ok := of.Area(n.Ref)
			if !ok {
				continue
			}
			if texts[of] == nil {
				texts[of] = of.texts()
			}
			x := told{at: fieldAt{of.Sheet, area.Top, area.Left}, sheet: texts[of]}
			for d, code := range n.Of[0] {
				if !slices.ContainsFunc(n.Of, func(codes []string) bool { return codes[d] != code }) {
					x.labels = append(x.labels, labels[d][code])
				}
			}
			cells[string(*n.Value)] = append(cells[string(*n.Value)], x)
		}
	}
	found, rows, hits := map[[2]int][]fieldAt{}, 0, 0 // rows counts those with a number other than 0
	for r := range g.Rows {
		f := g.At(r, column)
		values := listValues(unmarked(f))
		if values == nil {
			continue
		}
		var names []string
		for c := range g.Rows[r] {
			if s := plainLabel(g.Rows[r][c].Text); c != column && s != "" {
				names = append(names, s)
			}
		}
		for _, value := range values {
			for _, x := range cells[value] {
				if len(names) > 0 && (agree(names, x.labels) || x.sheet != nil && agree(unnamed(names, x.labels, x.sheet), x.labels)) {
					found[[2]int{r, column}] = append(found[[2]int{r, column}], x.at)
				}
			}
		}
		if !slices.Contains(values, "0") {
			if rows++; found[[2]int{r, column}] != nil {
				hits++
			}
		}
	}
	if hits < rows {
		return nil
	}
	return found
}

// texts returns the texts of a grid that are no numbers, as labels.
func (g *Grid) texts() map[string]bool {
	all := map[string]bool{}
	for _, row := range g.Rows {
		for c := range row {
			if s := plainLabel(row[c].Text); s != "" && !row[c].isNumber() {
				all[s] = true
			}
		}
	}
	return all
}

// unnamed returns the names without the first one that none of the labels has, if it is a text of the sheet.
func unnamed(names, labels []string, sheet map[string]bool) []string {
	i := slices.IndexFunc(names, func(n string) bool { return sheet[n] && !agree([]string{n}, labels) })
	if i < 0 {
		return names
	}
	return slices.Delete(slices.Clone(names), i, i+1)
}

// listValues returns the numbers that a text may mean: one with decimals, and a whole one with separators between its
// thousands. The labels of the row show which it is.
func listValues(text string) (all []string) {
	if value, ok := parseNumber(text); ok {
		all = append(all, string(value))
	}
	if groupedText().MatchString(text) {
		all = append(all, strings.NewReplacer(".", "", ",", "", " ", "", "'", "").Replace(text))
	}
	return all
}

// groupedText matches a whole number with separators between its thousands.
var groupedText = lazy.Regexp(`^-?[1-9][0-9]{0,2}(?:[., '][0-9]{3})+$`)

// listColumn returns the column with the numbers of a sheet that lists cells, −1 for none: each row that has a number
// and other fields has its last number there.
func listColumn(g *Grid) int {
	column, rows := -1, 0
	for _, row := range g.Rows {
		last, filled := -1, 0
		for c := range row {
			if strings.TrimSpace(row[c].Text) == "" {
				continue
			}
			filled++
			// a mark that stands for nothing is one as well
			if row[c].isNumber() || listValues(unmarked(&row[c])) != nil {
				last = c
			}
		}
		if last < 0 || filled < 2 {
			continue
		}
		if column >= 0 && column != last {
			return -1
		}
		column = last
		rows++
	}
	if rows < 2 {
		return -1
	}
	return column
}

// unmarked returns the text of a field without the mark of a note behind its number, and 0 for a mark that stands for
// nothing.
func unmarked(f *Field) string {
	text := strings.TrimSpace(f.Text)
	if f.Number || listValues(text) != nil {
		return text
	}
	if _, means, ok := (*marks)(nil).find(text); ok && means == isNil {
		return "0"
	}
	if n, ok := takeApart(text); ok && !n.brackets {
		return n.digits
	}
	return text
}

// agree reports whether every name is in a label of its own; digits must be a complete number in it.
func agree(names, labels []string) bool {
	in := func(all, s string) bool {
		if strings.Trim(s, "0123456789") == "" && !isYear(s) { // a year may stand behind the number of a part: 1. 2021
			return slices.Contains(numerals(all), s)
		}
		return strings.Contains(all, s)
	}
	used := make([]bool, len(labels))
	for _, n := range names {
		k := -1
		for i, l := range labels {
			code, label, _ := strings.Cut(l, "\x00")
			if !used[i] && (code == n || label == n || k < 0 && (in(l, n) || label != "" && in(n, label))) {
				k = i
			}
		}
		if k < 0 {
			return false
		}
		used[k] = true
	}
	return slices.Contains(used, true)
}

// plainLabel returns the letters and digits of a label, in lower case.
func plainLabel(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, fold(s))
}
