package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
)

// stylesOf returns all ways the numbers and marks of a grid may be written, the likeliest first. Notes and
// legends anywhere in the book explain marks. Workbooks store numbers as such; numbers they store as text usually
// have a decimal point.
func stylesOf(b *Book, g *Grid, from *Layout) []*numberStyle {
	marks := marksOf(formatOf(b))
	for _, of := range b.Grids {
		of.learn(marks)
	}
	decimal, thousands := b.File.Decimal, b.File.Thousands
	for _, s := range from.blocksOf(b, g) {
		for m, means := range s.Marks {
			marks.tell(m, means)
		}
		if s.Decimal != "" {
			decimal, thousands = s.Decimal, s.Thousands
		}
	}
	var forms numberForms
	brackets := false
	for _, row := range g.Rows {
		for c := range row {
			if c > 0 && !row[c].Number && !isPadded(row[c].Text) { // not codes
				forms.add(row[c].Text)
				n, ok := takeApart(row[c].Text)
				brackets = brackets || ok && n.brackets
			}
		}
	}
	// brackets may make a number negative, or be a flag
	either := func(all []*numberStyle) []*numberStyle {
		for _, s := range slices.Clone(all) {
			if marked := *s; brackets {
				marked.Brackets = "()"
				all = append(all, &marked)
			}
		}
		return all
	}
	if g.Lines == nil && forms.decimal[1] == 0 && forms.groups[0] == 0 {
		style := numberStyle{Decimal: '.', Thousands: ",", Marks: marks}
		if forms.other != "" && forms.groups[1] == 0 && forms.either[1] == 0 {
			style.Thousands = forms.other
		}
		all := []*numberStyle{&style}
		if decimal != "" && forms.either[0] > 0 {
			style.Decimal, style.Thousands = decimal[0], thousands
		} else if forms.either[0] > 0 && forms.decimal[0] == 0 && forms.groups[1]+forms.either[1] == 0 && forms.other == "" {
			grouped := &numberStyle{Decimal: ',', Thousands: ".", Marks: marks}
			// otherwise the other numbers would have decimals, too
			if all = append(all, grouped); forms.small > 0 && forms.four == 0 {
				all[0], all[1] = grouped, &style
			}
		}
		return either(all)
	}
	separator := byte(0)
	if b.File.Separator != "" {
		separator = b.File.Separator[0]
	}
	var all []*numberStyle
	for _, style := range forms.styles(separator) {
		if decimal != "" {
			style.Decimal, style.Thousands = decimal[0], thousands
		}
		style.Marks = marks
		all = append(all, &style)
	}
	return either(all)
}

// formatOf returns the format whose marks a book uses, empty if it uses the usual ones.
func formatOf(b *Book) string {
	for _, g := range b.Grids {
		if g.Lines == nil {
			continue
		}
		for r, row := range g.Rows {
			if r > 20 && r < len(g.Rows)-5 || len(row) == 0 {
				continue
			}
			if s := strings.Trim(row[0].Text, `" `); strings.HasPrefix(s, "Bron: CBS") || s == "Onderwerp" {
				return cbs
			}
		}
	}
	return ""
}

// learn reads what the notes of a grid, which are rows of one or two texts, say about marks.
func (g *Grid) learn(m *marks) {
	for _, row := range g.Rows {
		if g.Lines != nil && len(row) > 2 && isNoteText(row[0].Text) { // a note split at its semicolons
			all := sets.List(len(row), func(c int) string { return row[c].Text })
			m.learn(strings.Join(all, ";"))
			continue
		}
		var texts []string
		for c := range row {
			if row[c].Text == "" {
				continue
			}
			if row[c].Number || len(texts) == 2 {
				texts = nil
				break
			}
			texts = append(texts, row[c].Text)
		}
		if len(texts) == 2 && m.learnPair(texts[0], texts[1]) {
			continue
		}
		for _, s := range texts {
			m.learn(s)
		}
	}
}
