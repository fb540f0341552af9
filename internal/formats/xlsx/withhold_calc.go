package xlsx

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/sets"
)

// A dep is an area that a formula refers to. It is a whole sheet if the formula computes which cells of it to
// use.
type dep struct {
	tab  *tab
	area ooxml.Area
}

// whole is the area of a whole sheet.
var whole = ooxml.Area{Row: 1, Col: 1, LastRow: ooxml.MaxRows, LastCol: ooxml.MaxColumns}

// elsewhere are functions whose results come from cells that their arguments do not show.
var elsewhere = []string{"INDIRECT", "GETPIVOTDATA", "EVALUATE", "CALL"}

// literal matches INDIRECT of a constant.
var literal = lazy.Regexp(`(?i)\bINDIRECT\(\s*"((?:[^"]|"")*)"\s*[,)]`)

// maxNames is how deep names may be defined by other names.
const maxNames = 8

// deps returns what the formula of a cell refers to; dropped says that it refers to a defined name that is
// removed.
func (c *copying) deps(t *tab, s *spot) (all []dep, dropped bool) {
	all, dropped = c.depsOf(s.calc.formula, s.calc.refs, t, s, 0)
	if s.calc.opaque {
		all = append(all, c.anywhere()...)
	}
	return all, dropped
}

func (c *copying) anywhere() (all []dep) {
	for _, t := range c.tabs {
		all = append(all, dep{t, whole})
	}
	return all
}

func (c *copying) depsOf(f *ooxml.Formula, refs []ooxml.Ref, t *tab, s *spot, depth int) (all []dep, dropped bool) {
	if depth > maxNames {
		return c.anywhere(), false
	}
	for _, r := range refs {
		from, to := t.number, t.number
		if r.Sheet != "" {
			first, last := c.tabOf[foldSheet(r.Sheet)], c.tabOf[foldSheet(r.LastSheet)]
			if first == nil {
				continue // the sheet does not exist, as after #REF!
			}
			if from, to = first.number, first.number; last != nil {
				from, to = min(from, last.number), max(to, last.number)
			}
		}
		for k := from; k <= to; k++ {
			area := r.Area
			if r.End || f != nil && slices.Contains(f.Functions, "OFFSET") || depth > 0 && !r.Fixed() {
				area = whole
			}
			all = append(all, dep{c.tabs[k], area})
		}
	}
	if f == nil {
		return all, false
	}
	if f.Opaque {
		all = append(all, c.anywhere()...)
	}
	constants := literal().FindAllStringSubmatch(f.Text, -1)
	indirect := 0
	for _, name := range f.Functions {
		if name == "INDIRECT" {
			if indirect++; indirect <= len(constants) {
				continue
			}
		}
		if slices.Contains(elsewhere, name) {
			all = append(all, c.anywhere()...)
			break
		}
	}
	if indirect > 0 && indirect <= len(constants) {
		for _, m := range constants {
			of := ooxml.ParseFormula(strings.ReplaceAll(m[1], `""`, `"`))
			more, gone := c.depsOf(of, of.Refs, t, s, depth+1)
			all, dropped = append(all, more...), dropped || gone
		}
	}
	for _, n := range f.Names {
		more, gone := c.named(n, t, s, depth)
		all, dropped = append(all, more...), dropped || gone
	}
	for _, st := range f.Tables {
		all = append(all, c.structure(st, t, s)...)
	}
	return all, dropped
}

// named returns what a name refers to, whether a defined name or that of a table.
func (c *copying) named(name string, t *tab, s *spot, depth int) ([]dep, bool) {
	var best *copyName
	for _, n := range c.nameOf[foldSheet(name)] {
		if n.scope == t.number || n.scope < 0 && best == nil {
			best = n
		}
	}
	if best == nil {
		for _, l := range c.tables() {
			if strings.EqualFold(l.name, name) {
				return []dep{{l.tab, l.area}}, false
			}
		}
		return nil, false
	}
	if best.dropped {
		return nil, true
	}
	return c.depsOf(best.formula, best.formula.Refs, t, s, depth+1)
}

func (c *copying) tables() []*listTable {
	if c.lists == nil {
		c.lists = []*listTable{}
		for _, t := range c.tabs {
			c.lists = append(c.lists, t.tables...)
		}
	}
	return c.lists
}

// structure returns what Table[…] refers to in a cell.
func (c *copying) structure(st ooxml.Structure, t *tab, s *spot) []dep {
	for _, l := range c.tables() {
		if st.Table == "" && (l.tab != t || !l.area.Has(int(s.row), int(s.col))) || st.Table != "" && !strings.EqualFold(st.Table, l.name) {
			continue
		}
		area := l.area
		spec := strings.TrimSpace(st.Spec)
		if l.tab == t && int(s.row) >= area.Row && int(s.row) <= area.LastRow && (strings.Contains(spec, "#This Row") || strings.HasPrefix(spec, "@")) {
			area.Row, area.LastRow = int(s.row), int(s.row)
		}
		spec = strings.TrimPrefix(spec, "@")
		parts := []string{spec}
		if strings.HasPrefix(spec, "[") {
			parts = strings.FieldsFunc(spec, func(r rune) bool { return strings.ContainsRune("[],:", r) })
		}
		first, last := 0, 0
		for _, p := range parts {
			p = strings.TrimSpace(strings.ReplaceAll(p, "'", ""))
			if p == "" || strings.HasPrefix(p, "#") {
				continue
			}
			k := slices.IndexFunc(l.columns, func(name string) bool { return strings.EqualFold(strings.ReplaceAll(name, "'", ""), p) })
			if k < 0 {
				return []dep{{l.tab, area}}
			}
			first = cmp.Or(first, l.area.Col+k)
			last = l.area.Col + k
		}
		if first > 0 {
			area.Col, area.LastCol = min(first, last), max(first, last)
		}
		return []dep{{l.tab, area}}
	}
	return c.anywhere()
}

// How far a formula has been followed.
const (
	notFollowed byte = iota
	underway
	followed
)

// follow finds the formulas that depend on the table, and masks those that tell a withheld value.
func (c *copying) follow() {
	f := c.newFollowing()
	c.unpublish(f)
	for _, t := range c.tabs {
		for _, n := range t.formulas {
			f.cell(t, &t.cells[n])
		}
	}
	for _, t := range c.tabs {
		for n := range t.cells {
			s := &t.cells[n]
			id := t.id(s)
			master := f.spread[id]
			switch {
			case s.calc != nil && s.calc.tells && s.valued && s.canon == "" && !s.calc.direct && !hasDigit(s.text):
				// Text that comes from a withheld cell only if references lead there that cannot be followed.
			case s.calc != nil && s.calc.tells:
				c.hide(id, mask{why: i18n.T("computed from what is withheld"), of: -1})
			case s.calc != nil && !s.calc.touches && c.constant(s.calc.formula):
				c.hide(id, mask{why: i18n.T("its formula has a withheld number"), of: -1})
			case master != nil && master.tells:
				c.hide(id, mask{why: i18n.T("filled by a formula that is computed from what is withheld"), of: -1})
			}
		}
	}
}

// unpublish removes from the published cells those that are computed from a withheld one otherwise than by
// sums, such as a mean, because no relation of the table says what they tell.
func (c *copying) unpublish(f *following) {
	for _, t := range c.tabs {
		for _, n := range t.formulas {
			s := &t.cells[n]
			id := t.id(s)
			if !c.published[id] || s.calc.formula == nil || s.calc.formula.Adds() {
				continue
			}
			deps, _ := c.deps(t, s)
			if slices.ContainsFunc(deps, func(d dep) bool { return d.area != whole && f.meets(f.masked[d.tab.number], d.area) }) {
				delete(c.published, id)
			}
		}
	}
}

// constant reports whether a formula contains a withheld number as a constant.
func (c *copying) constant(f *ooxml.Formula) bool {
	if f == nil {
		return false
	}
	for _, text := range slices.Concat(f.Numbers, f.Strings) {
		for _, m := range c.secrets.namings(text, inOffice) {
			if m.sure {
				return true
			}
		}
	}
	return false
}

func hasDigit(s string) bool {
	return strings.ContainsAny(s, "0123456789０１２３４５６７８９")
}

// A following is the search for formulas that depend on the table.
type following struct {
	c      *copying
	table  map[int][]spotID // cells of the tables by tab, in order
	masked map[int][]spotID
	spread map[spotID]*calc // the formula for each cell that is filled by that of another cell
}

func (c *copying) newFollowing() *following {
	f := &following{c, map[int][]spotID{}, map[int][]spotID{}, map[spotID]*calc{}}
	for id := range c.table {
		f.table[int(id.tab)] = append(f.table[int(id.tab)], id)
	}
	for id := range c.masked {
		f.masked[int(id.tab)] = append(f.masked[int(id.tab)], id)
	}
	for _, m := range []map[int][]spotID{f.table, f.masked} {
		for _, ids := range m {
			inOrder(ids)
		}
	}
	for _, t := range c.tabs {
		for _, sp := range t.spreads {
			first := t.at(sp.row, sp.col)
			if first == nil || first.calc == nil {
				continue
			}
			cells := t.within(sp.area)
			for n := range cells {
				if s := &cells[n]; sp.area.Has(int(s.row), int(s.col)) && s.calc == nil {
					f.spread[t.id(s)] = first.calc
				}
			}
		}
	}
	return f
}

// meets reports whether one of the cells, which are in order, is in the area.
func (f *following) meets(ids []spotID, a ooxml.Area) bool {
	n, _ := slices.BinarySearchFunc(ids, a.Row, func(id spotID, row int) int { return int(id.row) - row })
	for ; n < len(ids) && int(ids[n].row) <= a.LastRow; n++ {
		if f.c.steps--; f.c.steps < 0 || a.Has(int(ids[n].row), int(ids[n].col)) {
			return true
		}
	}
	return false
}

// cell follows the formula of a cell. One that cannot be followed to its end counts as telling a withheld
// value.
func (f *following) cell(t *tab, s *spot) {
	calc := s.calc
	if calc.state == followed {
		return
	}
	calc.state = underway
	deps, dropped := f.c.deps(t, s)
	touches, tells, direct := dropped, dropped, dropped
	add := func(of *calcOf) {
		if of.calc.state == underway {
			touches, tells = true, true
			return
		}
		if of.calc.state == notFollowed {
			f.cell(of.tab, of.spot)
		}
		id := of.tab.id(of.spot)
		touches = touches || of.calc.touches
		if !f.c.published[id] && of.calc.tells {
			tells, direct = true, direct || of.calc.direct
		}
	}
	for _, d := range deps {
		if f.meets(f.masked[d.tab.number], d.area) {
			touches, tells = true, true
			direct = direct || d.area != whole
		}
		touches = touches || f.meets(f.table[d.tab.number], d.area)
		for _, n := range d.tab.calcs(d.area) {
			o := &d.tab.cells[n]
			if f.c.steps--; f.c.steps < 0 {
				touches, tells = true, true
				break
			}
			if d.area.Has(int(o.row), int(o.col)) && o != s {
				add(&calcOf{d.tab, o, o.calc})
			}
		}
		for _, sp := range d.tab.spreads {
			if o := d.tab.at(sp.row, sp.col); o != nil && o.calc != nil && o != s && sp.area.Meets(d.area) {
				add(&calcOf{d.tab, o, o.calc})
			}
		}
	}
	calc.state, calc.touches, calc.tells, calc.direct = followed, touches, tells, direct
}

type calcOf struct {
	tab  *tab
	spot *spot
	calc *calc
}

// calcs returns the indices of the cells with formulas in the rows of an area.
func (t *tab) calcs(a ooxml.Area) []int32 {
	first, _ := slices.BinarySearchFunc(t.formulas, a.Row, func(n int32, row int) int { return int(t.cells[n].row) - row })
	last, _ := slices.BinarySearchFunc(t.formulas, a.LastRow+1, func(n int32, row int) int { return int(t.cells[n].row) - row })
	return t.formulas[first:last]
}

// sources masks cells outside the table from which formulas of withheld cells compute these.
func (c *copying) sources(ids []spotID) error {
	type source struct {
		id   spotID
		from spotID
	}
	seen := map[spotID]bool{}
	queue := []source{}
	for _, id := range ids {
		queue = append(queue, source{id, id})
	}
	for len(queue) > 0 {
		now := queue[0]
		queue = queue[1:]
		t := c.tabs[now.id.tab]
		s := t.at(int(now.id.row), int(now.id.col))
		if s == nil || s.calc == nil || seen[now.id] {
			continue
		}
		seen[now.id] = true
		deps, _ := c.deps(t, s)
		of := c.where(now.from)
		var found []spotID
		for _, d := range deps {
			if d.area == whole && (s.calc.opaque || s.calc.formula == nil || len(s.calc.formula.Functions) > 0) && !d.tab.hidden {
				continue // the source may be any cell of a sheet that readers see
			}
			cells := d.tab.within(d.area)
			for n := range cells {
				o := &cells[n]
				id := d.tab.id(o)
				if c.steps--; c.steps < 0 {
					return &refusedError{Part: of, What: i18n.T("its formula depends on too many cells to follow; paste it as a value first")}
				}
				hidden := d.tab.unseen(int(o.row), int(o.col))
				if !d.area.Has(int(o.row), int(o.col)) || o.text == "" || c.table[id] || c.masked[id] != nil || !hidden && (o.canon == "" || c.heads(id, now.from)) {
					continue
				}
				found = append(found, id)
			}
		}
		open := sets.Count(found, func(id spotID) bool { return !c.tabs[id.tab].unseen(int(id.row), int(id.col)) })
		if open > 1 && !c.o.Drop {
			first := slices.IndexFunc(found, func(id spotID) bool { return !c.tabs[id.tab].unseen(int(id.row), int(id.col)) })
			return &refusedError{Part: of, Drop: true, What: i18n.T("it is withheld, and its formula computes it from %d cells that stay in view, the first %s: protect these together with it, take them out, or have them withheld, too", open, c.where(found[first]))}
		}
		for _, id := range found {
			unseen := c.tabs[id.tab].unseen(int(id.row), int(id.col))
			c.hide(id, mask{why: i18n.T("%s is computed from it", of), of: -1, empty: unseen})
			queue = append(queue, source{id, now.from})
		}
	}
	return nil
}

// heads reports whether a number is above or to the left of the table, as years in its header are.
func (c *copying) heads(id, of spotID) bool {
	if id.tab != of.tab {
		return false
	}
	row, col := int32(ooxml.MaxRows), int32(ooxml.MaxColumns)
	for k := range c.table {
		if k.tab == of.tab {
			row, col = min(row, k.row), min(col, k.col)
		}
	}
	return id.row < row || id.col < col
}

// drop removes a defined name.
func (c *copying) drop(n *copyName, why i18n.Text) {
	n.dropped = true
	c.edit(c.main, n.node.Delete())
	c.say(i18n.T("name %s", n.name), i18n.T("left out"), why)
}

// dropNames removes the defined names whose value is, or contains, a withheld number.
func (c *copying) dropNames() {
	for _, n := range c.names {
		if c.goes(n.text) {
			c.drop(n, i18n.T("--blank says so"))
			continue
		}
		why := ""
		for _, number := range n.formula.Numbers {
			canon, _ := ooxml.Canon(number)
			ks := c.secrets.of[canon]
			digits, _ := ooxml.Digits(canon)
			if len(ks) > 0 && (number == strings.TrimLeft(n.text, "+-= ") || digits >= 3 && !isYear(canon) || strings.HasPrefix(n.text, "{")) {
				why = c.where(c.secrets.cells[ks[0]].id)
			}
		}
		for _, text := range append([]string{n.name, n.node.Get("comment"), n.node.Get("description")}, n.formula.Strings...) {
			for _, m := range c.secrets.namings(text, inOffice) {
				if m.sure || wholeNumber(text) != "" {
					why = c.where(c.secrets.cells[m.of].id)
				}
			}
		}
		if why == "" || strings.HasPrefix(n.name, "_xlnm.") {
			continue
		}
		c.drop(n, i18n.T("it has the number of %s", why))
	}
	kept := sets.Count(c.names, func(n *copyName) bool { return !n.dropped })
	if list := c.book.Kid("definedNames"); list != nil && kept == 0 && len(c.names) > 0 {
		c.edit(c.main, list.Delete())
	}
}
