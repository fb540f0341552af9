package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/table/tableio"
)

// Words say in a few lines what was understood of a file: its tables with their dimensions,
// measures, marks and sums, what was left aside and what is open.
func (r *Reading) Words() []string {
	f := r.File
	line := fmt.Sprintf("%s: %s", f.Name, f.Format)
	if f.Encoding != "" {
		line += ", " + f.Encoding
	}
	if f.Separator != "" && f.Format != "px" {
		line += ", fields apart by " + fmt.Sprintf("%q", f.Separator)
	}
	switch {
	case f.Decimal != "" && f.Thousands != "":
		line += fmt.Sprintf(", numbers like 1%s234%s5", f.Thousands, f.Decimal)
	case f.Decimal == ",":
		line += ", numbers like 1234,5"
	}
	all := []string{line}
	for _, t := range r.Tables {
		all = append(all, t.describe()...)
	}
	if len(r.Tables) == 0 {
		all = append(all, "no table was found")
	}
	const most = 12
	for i, a := range r.Aside {
		if i == most {
			all = append(all, fmt.Sprintf("left aside: %d more", len(r.Aside)-most))
			break
		}
		where := a.Ref
		if a.Sheet != nil {
			if where = "sheet " + tableio.Show(*a.Sheet); a.Ref != "" {
				where += " " + a.Ref
			}
		}
		all = append(all, "left aside: "+where+": "+a.Why)
	}
	for _, a := range r.Ambiguities {
		s := "open: " + a.Question
		for i, reading := range a.Readings {
			if s += "; " + reading; i < len(a.Options) && a.Options[i] != "" {
				s += " (" + a.Options[i] + ")"
			}
		}
		all = append(all, s)
	}
	return all
}

// Laid reports whether the file is laid out as no plain reader expects it: in a format of an
// office, or with texts above its tables, headers of several rows, several tables, and with
// sums that are right.
func (r *Reading) Laid() bool {
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

// One reports whether the only table in the file has sums that are right, so that nothing is guessed by
// reading it.
func (r *Reading) One() bool {
	return len(r.Tables) == 1 && len(r.open) == 0 && len(r.Tables[0].refused) == 0 && slices.ContainsFunc(r.Tables[0].Relations, func(s Relation) bool { return s.Checked > 0 })
}

// rowOf is the row of an address, A1 or line:field.
func rowOf(ref string) int {
	ref, _, _ = strings.Cut(ref, ":")
	n, _ := strconv.Atoi(strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	return n
}

// describe is what Words says of a table.
func (t *Table) describe() []string {
	line := "table"
	if t.Name != "" {
		line += " " + tableio.Show(t.Name)
	}
	if t.Title != "" && t.Title != t.Name {
		line += ": " + t.Title
	}
	kind := t.Kind
	if t.Unit != "" {
		kind += " in " + t.Unit
	}
	if t.UnitMultiplier > 1 {
		kind += fmt.Sprintf(" × %d", t.UnitMultiplier)
	}
	first, last := "", ""
	if n := len(t.Cells); n > 0 {
		first, last = t.Cells[0].at(), t.Cells[n-1].Ref
	}
	all := []string{line, fmt.Sprintf("  %s, %s … %s; %s", some(len(t.Cells), "cell"), first, last, kind)}
	for d := range t.Dimensions {
		all = append(all, "  "+t.Dimensions[d].describe())
	}
	if s := t.describeMarks(); s != "" {
		all = append(all, "  marks: "+s)
	}
	checked, unknown, missed := 0, 0, 0
	for _, r := range t.Relations {
		checked, unknown, missed = checked+r.Checked, unknown+r.Unknown, missed+r.Missed
	}
	switch {
	case t.NotAdditive:
		all = append(all, "  nothing adds up")
	case len(t.Relations) == 0:
		all = append(all, "  no sums were found")
	default:
		s := fmt.Sprintf("  sums: %d right", checked)
		if missed > 0 {
			s += fmt.Sprintf(", %d of them give or take rounding", missed)
		}
		if unknown > 0 {
			s += fmt.Sprintf(", %d with a number that is not in the file", unknown)
		}
		all = append(all, s)
	}
	if n := len(t.Derived); n > 0 {
		all = append(all, fmt.Sprintf("  derived: %d numbers, %s … %s, %s", n, t.Derived[0].Ref, t.Derived[n-1].Ref, t.Derived[0].How))
	}
	return all
}

// at is where a cell stands, with its sheet.
func (c *Cell) at() string {
	if c.Sheet != nil {
		return *c.Sheet + "!" + c.Ref
	}
	return c.Ref
}

// describe is one line about a dimension.
func (d *Dimension) describe() string {
	s := d.Name + ": " + some(len(d.Codes), "code")
	switch d.Role {
	case Time:
		if len(d.Codes) == 1 {
			return s + ", a period"
		}
		return s + ", periods, which do not add up"
	case Measure:
		var names []string
		for _, c := range d.Codes {
			n := c.Label
			if c.Unit != "" {
				n += " [" + c.Unit + "]"
			}
			if c.Use == "freq" {
				n += " (counts the contributors of the others)"
			}
			names = append(names, n)
		}
		return d.Name + ": " + some(len(names), "measure") + ": " + tableio.ShowList(names)
	}
	if !d.Additive {
		return s + ", no total"
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
	s += fmt.Sprintf(", depth %d, total %s", depth, tableio.ShowList(roots))
	if len(outside) > 0 {
		s += ", in no sum " + tableio.ShowList(outside)
	}
	if memos > 0 {
		s += fmt.Sprintf(", %d told again", memos)
	}
	return s
}

// some is a number of things.
func some(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// describeMarks lists the marks with what they mean and how often they stand.
func (t *Table) describeMarks() string {
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
	var all []string
	for _, u := range order {
		mark := u.mark
		if mark == "" {
			mark = "empty"
		}
		all = append(all, fmt.Sprintf("%s %s (%d)", mark, u.means, count[u]))
	}
	return strings.Join(all, ", ")
}
