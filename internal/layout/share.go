package layout

import (
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A sharedField has a number with its share, like 12 (34.5 %). It is read as neither. If it is blanked, the other
// numbers of its line reveal it, since they add up with it.
type sharedField struct {
	g    *Grid
	r, c int
	text string
}

// shared returns all such fields of the file.
func (s *Source) shared() (all []sharedField) {
	for _, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				text := strings.TrimSpace(row[c].Text)
				if g.origin(c + 1).share { // the reader split the two
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

// amid reports whether two or more numbers stand in the row or column of the field.
func (f *sharedField) amid() bool {
	column := 0
	for r := range f.g.Rows {
		if f.g.At(r, f.c).isNumber() {
			column++
		}
	}
	return column > 1 || sets.Count(f.g.Rows[f.r], func(x Field) bool { return x.isNumber() }) > 1
}

// refuse returns the error for such a field.
func (f *sharedField) refuse(file string) error {
	return &formats.Error{File: file, Value: formats.Show(f.text), Want: i18n.T("%s has a number and its share, and the numbers of its line tell it where it is taken out; give the share a column of its own", address{f.g.Sheet, f.g.ref(f.r, f.c)}.String())}
}
