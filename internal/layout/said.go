package layout

import (
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/i18n"
)

// said removes from the grids the numbers that somebody says are in no table: numbers of notes, which stay in a
// copy, and numbers to be blanked, which do not. A reference is a field, a rectangle, a column of a sheet, or a
// sheet (H8, Data!H8:H12, 7:3-9:3, Data!H, Data), and must cover at least one number.
func (s *Source) said(o *Options) error {
	for _, ref := range o.Note {
		at, err := s.take("--note", ref)
		if err != nil {
			return err
		}
		s.noted = append(s.noted, at...)
	}
	var shared []sharedField
	if len(o.Blank) > 0 {
		shared = s.shared()
	}
	for _, ref := range o.Blank {
		if s.takeText(ref) {
			continue
		}
		at, err := s.take("--blank", ref)
		if err != nil {
			return err
		}
		s.blanks = append(s.blanks, at...)
	}
	for _, f := range shared {
		if f.g.At(f.r, f.c).Text == "" && f.amid() {
			return f.refuse(s.name)
		}
	}
	return nil
}

// takeText takes the numbers out of the texts of a workbook outside its cells that an account calls by this name,
// and reports whether there are any.
func (s *Source) takeText(where string) bool {
	if s.book == nil {
		return false
	}
	n := len(s.texts)
	texts, _ := xlsx.Texts(s.book) // an error is reported when the copy is written
	for _, t := range texts {
		if t.Where == where && t.Kind != xlsx.Charted && hasDigit(t.Text) {
			s.texts = append(s.texts, t.Text)
		}
	}
	return len(s.texts) > n
}

// take empties the fields of a reference that have digits or else are marks of withheld numbers, and returns
// their addresses.
func (s *Source) take(flag, ref string) (taken []address, err error) {
	// not for whole columns, whose heading may be a letter that looks like a mark
	if taken = s.takeFields(ref, func(f *Field) bool { return f.Number || hasDigit(f.Text) }); taken == nil && strings.ContainsAny(ref, "0123456789") {
		taken = s.takeFields(ref, (*Field).withheld)
	}
	if taken == nil {
		return nil, &formats.Error{File: s.name, Value: formats.Show(ref), Want: i18n.T("%s: want fields of the file with numbers, like H8, H8:H12, a column or a sheet", flag)}
	}
	return taken, nil
}

// takeFields empties the fields of a reference for which such holds.
func (s *Source) takeFields(ref string, such func(*Field) bool) (taken []address) {
	sheet, rest := onSheet(ref)
	named := sheet != ""
	for _, g := range s.grids {
		area, all := Rect{}, false
		switch {
		case named && g.Sheet != sheet, !named && g.Sheet != ref && len(s.grids) > 1 && g != s.grids[0]:
			continue
		case !named && g.Sheet == ref && ref != "":
			all = true
		default:
			var ok bool
			if area, ok = g.Area(rest); !ok {
				c := g.Column(rest)
				if c < 0 || c >= maxColumn {
					continue
				}
				area = Rect{0, c, len(g.Rows), c}
			}
		}
		for r, row := range g.Rows {
			for c := range row {
				if f := &row[c]; (all || r >= area.Top && r <= area.Bottom && c >= area.Left && c <= area.Right) && such(f) {
					taken = append(taken, address{g.Sheet, g.ref(r, c)})
					*f = Field{Style: f.Style}
				}
			}
		}
	}
	return taken
}

// withheld reports whether a field is the mark of a number that is already withheld.
func (f *Field) withheld() bool {
	_, means, ok := (*marks)(nil).find(f.Text)
	return ok && means == Suppressed
}

// onSheet splits a reference such as Data!A3 or 'North West'!A3.
func onSheet(ref string) (sheet, rest string) {
	at := strings.LastIndexByte(ref, '!')
	if at < 0 {
		return "", ref
	}
	sheet = ref[:at]
	if inner, ok := strings.CutPrefix(sheet, "'"); ok {
		sheet = strings.ReplaceAll(strings.TrimSuffix(inner, "'"), "''", "'")
	}
	return sheet, ref[at+1:]
}
