package layout

import (
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A sharedField has a number and its share, as 12 (34.5 %). It is read as neither, and where other numbers stand in its line, these tell it though it is taken
// out: they add up with it.
type sharedField struct {
	g    *Grid
	r, c int
	text string
}

// shared are all such fields of the file.
func (s *Source) shared() (all []sharedField) {
	for _, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				text := strings.TrimSpace(row[c].Text)
				if g.origin(c + 1).share { // the two stand apart
					text = strings.TrimSpace(g.file.At(r, g.origin(c).column).Text)
				}
				if strings.ContainsAny(text, "(（") && withShare().MatchString(text) {
					all = append(all, sharedField{g, r, c, text})
				}
			}
		}
	}
	return all
}

// amid reports whether two numbers or more stand in the row or in the column of the field.
func (f *sharedField) amid() bool {
	column := 0
	for r := range f.g.Rows {
		if f.g.At(r, f.c).isNumber() {
			column++
		}
	}
	return column > 1 || sets.Count(f.g.Rows[f.r], func(x Field) bool { return x.isNumber() }) > 1
}

// refuse is the error of such a field.
func (f *sharedField) refuse(file string) error {
	return &formats.Error{File: file, Value: formats.Show(f.text), Want: i18n.T("%s has a number and its share, and the numbers of its line tell it where it is taken out; give the share a column of its own", address{f.g.Sheet, f.g.ref(f.r, f.c)}.String())}
}
