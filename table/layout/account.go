package layout

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/table/tableio"
)

// standalone is a text that is a number by itself, whatever its marks: a sign or triangle, a per cent sign, a unit or footnote of a few characters behind it.
var standalone = regexp.MustCompile(`^[(▲△−+\-]?\s*[0-9０-９](?:[0-9０-９.,，．'’\s\x{a0}\x{202f}]*[0-9０-９])?\s*[^0-9０-９\s]{0,4}$`)

// year is a number that heads a column or a block.
var year = regexp.MustCompile(`^(?:1[89]|20)[0-9][0-9](?:\.0+)?\D?$`)

// mostNamed is how many addresses a message names.
const mostNamed = 12

// unread lists, by address, the numbers of the file that are neither cells of t, nor computed from them, nor its labels and header: what a copy in which cells of t are
// withheld would still have. Of rows above and below the table, and of other sheets, fields that are numbers count, and years where no cell stands beside them do not.
func (s *Source) unread(t *Table) []string {
	type address struct{ sheet, ref string }
	name := func(sheet *string) string {
		if sheet == nil {
			return ""
		}
		return *sheet
	}
	known, sheets := map[address]bool{}, map[string]bool{}
	for k := range t.Cells {
		c := &t.Cells[k]
		known[address{name(c.Sheet), c.Ref}], sheets[name(c.Sheet)] = true, true
		if c.MarkRef != "" {
			known[address{name(c.Sheet), c.MarkRef}] = true
		}
	}
	for k := range t.Derived {
		known[address{name(t.Derived[k].Sheet), t.Derived[k].Ref}] = true
	}
	apart := map[address]bool{} // cells of other tables
	for _, other := range s.Reading.Tables {
		for k := range other.Cells {
			if c := &other.Cells[k]; other != t {
				apart[address{name(c.Sheet), c.Ref}] = true
			}
		}
	}
	cells := map[string][][2]int{} // where a text stands in the table
	for _, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				if known[address{g.Sheet, g.Ref(r, c)}] {
					text := strings.TrimSpace(row[c].Text)
					cells[text] = append(cells[text], [2]int{r, c})
				}
			}
		}
	}
	var all []string
	for _, g := range s.grids {
		if !sheets[g.Sheet] && repeats(g, cells) {
			continue
		}
		first, left := -1, -1 // of the cells known
		own := make([]bool, len(g.Rows))
		for r, row := range g.Rows {
			for c := range row {
				if known[address{g.Sheet, g.Ref(r, c)}] {
					if own[r] = true; first < 0 {
						first = r
					}
					if left < 0 || c < left {
						left = c
					}
				}
			}
		}
		var aside []Rect
		for _, a := range s.Reading.Aside {
			if area, ok := g.Area(a.Ref); ok && name(a.Sheet) == g.Sheet {
				aside = append(aside, area)
			}
		}
		for r, row := range g.Rows {
			for c := range row {
				f, at := &row[c], address{g.Sheet, g.Ref(r, c)}
				within := apart[at] || slices.ContainsFunc(aside, func(a Rect) bool { return r >= a.Top && r <= a.Bottom && c >= a.Left && c <= a.Right })
				text := strings.TrimSpace(f.Text)
				unread := false
				switch {
				case text == "" || !f.Number && !standalone.MatchString(text) || known[at]:
				case f.Formula != "": // the copy has no result of a formula that rests on what is withheld
				case within:
					unread = !year.MatchString(text)
				case sheets[g.Sheet] && (r < first || c < left): // its header and labels
				case !own[r] && (year.MatchString(text) || !f.Number && g.Lines == nil):
				case own[r] && slices.ContainsFunc(row[:min(left, len(row))], func(l Field) bool { return strings.TrimSpace(l.Text) == text }): // a label again
				default:
					unread = true
				}
				if !unread {
					continue
				}
				if g.Sheet != "" {
					at.ref = g.Sheet + "!" + at.ref
				}
				all = append(all, at.ref)
			}
		}
	}
	return all
}

// repeats says that all numbers of a sheet are the table's, as far to the right and below of these or, where it is turned, of those with rows and columns exchanged: a
// copy, which loses what the table loses.
func repeats(g *Grid, cells map[string][][2]int) bool {
	type field struct {
		at   [2]int
		text string
	}
	var numbers []field
	for r, row := range g.Rows {
		for c := range row {
			if f := &row[c]; f.Number && f.Formula == "" {
				numbers = append(numbers, field{[2]int{r, c}, strings.TrimSpace(f.Text)})
			}
		}
	}
	if len(numbers) == 0 {
		return false
	}
	for _, turned := range []bool{false, true} {
		for _, from := range cells[numbers[0].text] {
			at := func(f field) [2]int {
				d := [2]int{f.at[0] - numbers[0].at[0], f.at[1] - numbers[0].at[1]}
				if turned {
					d[0], d[1] = d[1], d[0]
				}
				return [2]int{from[0] + d[0], from[1] + d[1]}
			}
			if !slices.ContainsFunc(numbers, func(f field) bool { return !slices.Contains(cells[f.text], at(f)) }) {
				return true
			}
		}
	}
	return false
}

// account is an error where numbers of the file are accounted for by nobody, or a remark where somebody has looked.
func (s *Source) account(t *Table, o *tableio.Options) error {
	if s.Reading.Layout == nil || s.Reading.Layout.Format != wideFormat {
		return nil
	}
	left := s.unread(t)
	if len(left) == 0 {
		return nil
	}
	where := strings.Join(left[:min(mostNamed, len(left))], ", ")
	if n := len(left) - mostNamed; n > 0 {
		where += fmt.Sprintf(" and %d more", n)
	}
	if s.leave {
		if o.Say != nil {
			o.Say(fmt.Sprintf("%d numbers are left aside, as --leave-aside says, and no verdict covers them: %s", len(left), where))
		}
		return nil
	}
	return s.fault("%d numbers of the file are in no table that is read, and may tell what is withheld: %s; if they are computed from others say which (--derived), where the table stands (--range, --header-rows, --sheet), take them out, or, if somebody has looked at them, --leave-aside", len(left), where)
}
