package layout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// Words summarises in a few lines what was understood of a file: its tables with their dimensions, measures,
// marks and sums, what was left aside, and the open questions.
func (r *Reading) Words() []i18n.Text {
	f := r.File
	line := i18n.T("%s: %s", f.Name, f.Format)
	if f.Encoding != "" {
		line = line.Plus(", %s", f.Encoding)
	}
	if f.Separator != "" && f.Format != "px" {
		line = line.Plus(", fields apart by %q", f.Separator)
	}
	switch {
	case f.Decimal != "" && f.Thousands != "":
		line = line.Plus(", numbers like %s", "1"+f.Thousands+"234"+f.Decimal+"5")
	case f.Decimal == ",":
		line = line.Plus(", numbers like %s", "1234,5")
	}
	all := []i18n.Text{line}
	for _, t := range r.Tables {
		all = append(all, t.describe()...)
	}
	if len(r.Tables) == 0 {
		all = append(all, i18n.T("no table was found"))
	}
	all = append(all, r.aside()...)
	for _, a := range r.Ambiguities {
		s := i18n.T("open: %s", a.Question)
		for i, reading := range a.Readings {
			if s = s.Plus("; %s", reading); i < len(a.Options) && a.Options[i] != "" {
				s = s.Plus(" (%s)", a.Options[i])
			}
		}
		all = append(all, s)
	}
	return all
}

// laid reports whether the file has a layout that a plain reader does not expect: the format of an office or,
// together with sums that hold, texts above its tables, headers of several rows, or several tables.
func (r *Reading) laid() bool {
	if r.known {
		return true
	}
	sums, notes := 0, 0
	for _, t := range r.Tables {
		for _, n := range t.Notes {
			if len(t.Cells) > 0 && rowOf(n.Ref) < rowOf(t.Cells[0].Ref)-1 {
				notes++
			}
		}
		for _, s := range t.Relations {
			sums += s.Checked
		}
	}
	switch {
	case sums == 0:
		return false
	case len(r.Tables) > 1 || notes > 0:
		return true
	case r.Layout == nil:
		return false
	}
	for _, b := range r.Layout.Blocks {
		if len(b.HeaderRows) > 1 || len(b.HeaderRows) == 1 && b.HeaderRows[0] > 1 {
			return true
		}
	}
	return false
}

// Fits reports whether a file is one for this reader: it has a layout that plain readers do not expect or, if
// they refused it, all of it is one table.
func (s *Source) Fits(refused bool) bool { return s.Reading.laid() || refused && s.sure() }

// Wide reports whether cross-tabs were read, rather than a list with one cell per line.
func (s *Source) Wide() bool { return s.Reading.Layout != nil && s.Reading.Layout.Format == wideFormat }

// One reports whether the file has only one table, in which sums hold, so that reading it takes no guess.
func (r *Reading) One() bool {
	return len(r.Tables) == 1 && len(r.open) == 0 && len(r.Tables[0].refused) == 0 && slices.ContainsFunc(r.Tables[0].Relations, func(s Relation) bool { return s.Checked > 0 })
}

// Apart reports whether the file has only one table, which has rows and columns but nothing that adds up, and no
// open question.
func (r *Reading) Apart() bool {
	if len(r.Tables) != 1 || len(r.open) > 0 {
		return false
	}
	t := r.Tables[0]
	across := sets.Count(t.Dimensions, func(d Dimension) bool { return len(d.Codes) > 1 })
	return across > 1 && !t.adds() && len(t.doubts)+len(t.refused) == 0
}

// Found reports whether there is a table in the file, understood or not.
func (r *Reading) Found() bool { return len(r.Tables)+len(r.open) > 0 }

// sure reports whether the only table of the file has sums that hold, covers every number except labels, has no
// numbers below 0, and lacks the columns of a tidy file.
func (s *Source) sure() bool {
	r := s.Reading
	if !r.One() || len(s.Account(r.Tables[0]).Unknown) > 0 {
		return false
	}
	for i := range r.Tables[0].Cells { // which a plain reader reports better
		if v := r.Tables[0].Cells[i].Value; v != nil && strings.HasPrefix(string(*v), "-") {
			return false
		}
	}
	for _, d := range r.Tables[0].Dimensions {
		for _, c := range d.Codes {
			if tidyNames[strings.ToLower(strings.TrimSpace(c.Label))] {
				return false
			}
		}
	}
	return true
}

// Tidy reports whether the first row of a grid names a column of a file with one cell per line: read as a
// cross-tab, its statements about cells would be left aside.
func (s *Source) Tidy() bool {
	return slices.ContainsFunc(s.grids, func(g *Grid) bool {
		return len(g.Rows) > 0 && slices.ContainsFunc(g.Rows[0], func(f Field) bool { return tidyNames[strings.ToLower(strings.TrimSpace(f.Text))] })
	})
}

// tidyNames are column names of files with one cell per line.
var tidyNames = wordSet("value freq status cost lpl upl spl lower upper max1 max2")

// Doubts reports whether a question about a table is open, as where a code is called a total but its parts were not
// found.
func (r *Reading) Doubts() bool { return slices.ContainsFunc(r.Tables, (*Table).asked) }

// rowOf returns the row of an address, either A1 or line:field.
func rowOf(ref string) int {
	ref, _, _ = strings.Cut(ref, ":")
	n, _ := strconv.Atoi(strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	return n
}

// describe returns the lines of Words about a table.
func (t *Table) describe() []i18n.Text {
	line := i18n.T("table")
	if t.Name != "" {
		line = i18n.T("table %s", formats.Show(t.Name))
	}
	if t.Title != "" && t.Title != t.Name {
		line = line.Plus(": %s", t.Title)
	}
	kind := i18n.Term(t.Kind)
	if t.Unit != "" {
		kind = i18n.T("%s in %s", kind, t.Unit)
	}
	if t.UnitMultiplier > 1 {
		kind = kind.Plus(" × %d", t.UnitMultiplier)
	}
	first, last := "", ""
	if n := len(t.Cells); n > 0 {
		first, last = t.Cells[0].at(), t.Cells[n-1].Ref
	}
	all := []i18n.Text{line, i18n.T("  %s, %s … %s; %s", some(len(t.Cells), "1 cell", "%d cells"), first, last, kind)}
	for d := range t.Dimensions {
		all = append(all, i18n.T("  %s: %s", t.Dimensions[d].Name, t.Dimensions[d].describe()))
	}
	if marks := t.describeMarks(); len(marks.Items) > 0 {
		all = append(all, i18n.T("  marks: %s", marks))
	}
	checked, unknown, missed := 0, 0, 0
	for _, r := range t.Relations {
		checked, unknown, missed = checked+r.Checked, unknown+r.Unknown, missed+r.Missed
	}
	switch {
	case t.NotAdditive:
		all = append(all, i18n.T("  nothing adds up"))
	case len(t.Relations) == 0:
		all = append(all, i18n.T("  no sums were found"))
	default:
		s := i18n.T("  sums: %d right", checked)
		if missed > 0 {
			s = s.Plus(", %d of them give or take rounding", missed)
		}
		if unknown > 0 {
			s = s.Plus(", %d with a number that is not in the file", unknown)
		}
		all = append(all, s)
	}
	if n := len(t.Derived); n > 0 {
		all = append(all, i18n.T("  derived: %d numbers, %s … %s, %s", n, t.Derived[0].Ref, t.Derived[n-1].Ref, i18n.Term(t.Derived[0].How)))
	}
	return all
}

// at returns where a cell stands, with its sheet.
func (c *Cell) at() string {
	if c.Sheet != nil {
		return *c.Sheet + "!" + c.Ref
	}
	return c.Ref
}

// describe says in a few words what a dimension has.
func (d *Dimension) describe() i18n.Text {
	s := some(len(d.Codes), "1 code", "%d codes")
	switch d.Role {
	case ofTime:
		if len(d.Codes) == 1 {
			return s.Plus(", a period")
		}
		return s.Plus(", periods, which do not add up")
	case Measure:
		var names i18n.List
		for _, c := range d.Codes {
			n := c.Label
			if c.Unit != "" {
				n += " [" + c.Unit + "]"
			}
			name := i18n.T("%s", formats.Show(n))
			if c.Use == "freq" {
				name = i18n.T("%s", formats.Show(n+" (counts the contributors of the others)"))
			}
			names.Items = append(names.Items, name)
		}
		return some(len(names.Items), "1 measure", "%d measures").Plus(": %s", names)
	}
	if !d.Additive {
		return s.Plus(", no total")
	}
	depth, memos := 0, 0
	parent := map[string]string{}
	var roots []string
	for _, c := range d.Codes {
		switch {
		case c.Memo:
			memos++
		case c.Parent != nil:
			parent[c.Code] = *c.Parent
		default:
			roots = append(roots, c.Code)
		}
	}
	for _, c := range d.Codes {
		n := 0
		for at, ok := parent[c.Code]; ok && n < len(d.Codes); at, ok = parent[at] {
			n++
		}
		depth = max(depth, n)
	}
	total := map[string]bool{}
	for _, p := range parent {
		total[p] = true
	}
	outside := slices.DeleteFunc(slices.Clone(roots), func(c string) bool { return total[c] })
	roots = slices.DeleteFunc(roots, func(c string) bool { return !total[c] })
	s = s.Plus(", depth %d, total %s", depth, formats.ShowList(roots))
	if len(outside) > 0 {
		s = s.Plus(", in no sum %s", formats.ShowList(outside))
	}
	if memos > 0 {
		s = s.Plus(", %s", some(memos, "1 memo item", "%d memo items"))
	}
	return s
}

// some returns the words for n things: one, or format with n.
func some(n int, one, format string) i18n.Text {
	if n == 1 {
		return i18n.Term(one)
	}
	return i18n.T(format, n)
}

// describeMarks lists the marks with their meaning and how often they occur.
func (t *Table) describeMarks() (all i18n.List) {
	type use struct {
		mark, means string
	}
	count := map[use]int{}
	var order []use
	for i := range t.Cells {
		if c := &t.Cells[i]; c.Mark != nil {
			u := use{*c.Mark, c.Means}
			if count[u]++; count[u] == 1 {
				order = append(order, u)
			}
		}
	}
	for _, u := range order {
		if u.mark == "" {
			all.Items = append(all.Items, i18n.T("empty %s (%d)", i18n.Term(u.means), count[u]))
		} else {
			all.Items = append(all.Items, i18n.T("%s %s (%d)", u.mark, i18n.Term(u.means), count[u]))
		}
	}
	return all
}

// aside lists the first of the parts of the file that are in no table.
func (r *Reading) aside() (all []i18n.Text) {
	const most = 12
	for i, a := range r.Aside {
		if i == most {
			all = append(all, i18n.T("left aside: %d more", len(r.Aside)-most))
			break
		}
		where := a.Ref
		if a.Sheet != nil {
			where = formats.Show(*a.Sheet)
			if a.Ref != "" {
				where += " " + a.Ref
			}
			all = append(all, i18n.T("left aside: sheet %s: %s", where, a.Why))
			continue
		}
		all = append(all, i18n.T("left aside: %s: %s", where, a.Why))
	}
	return all
}

// AsideOf returns the parts of the file of in that were left aside, and why; nothing if in has no layout.
func AsideOf(in *formats.Input) []i18n.Text {
	if b, ok := formats.LayoutOf(in).(*built); ok {
		return b.s.Reading.aside()
	}
	return nil
}
