package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/stranger"
)

// strange examines a copy as somebody would who knows nothing about its tables. The error names a withheld number
// that follows from what is left in the copy, but not from the relations of the table, which the audit of the
// table covers. A sum with several withheld numbers reveals one of them if it does so together with all
// relations.
func (s *Source) strange(b *built, secret map[address]bool, copied []*Grid) error {
	// the columns of a long table are not comparable
	if s.leave || len(secret) == 0 || s.Reading.Layout.Format != wideFormat {
		return nil
	}
	places := map[stranger.Place]bool{}
	for i, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				if secret[address{g.Sheet, g.ref(r, c)}] {
					places[stranger.Place{Sheet: i, Row: r, Col: c}] = true
				}
			}
		}
	}
	after := fieldsOf(copied)
	facts, ratios, _ := stranger.Find(fieldsOf(s.grids), after, places, s.apart(b.t))
	for _, x := range ratios {
		return s.strangely(b.t, x)
	}
	unknown := map[address]int32{} // to be replaced by their numbers in the equations
	for _, f := range facts {
		for _, p := range f.Place {
			if places[p] || !stranger.IsNumber(after, p) {
				unknown[s.addressOf(p)] = -1
			}
		}
	}
	equations := b.equations(secret, unknown)
	own, ok := stranger.Open(len(unknown), equations)
	more := make([]stranger.Equation, len(facts))
	for k, f := range facts {
		for t, p := range f.Place {
			if v, ok := unknown[s.addressOf(p)]; ok {
				more[k].Var, more[k].Coef = append(more[k].Var, v), append(more[k].Coef, f.Coef[t])
			}
		}
	}
	all, also := stranger.Open(len(unknown), slices.Concat(equations, more))
	if !ok || !also {
		return nil
	}
	told := func(open []bool, facts []stranger.Fact) error {
		for _, f := range facts {
			for t, p := range f.Place {
				if v := unknown[s.addressOf(p)]; places[p] && own[v] && !open[v] {
					others := slices.Delete(slices.Clone(f.Place), t, t+1)
					return s.strangely(b.t, stranger.Ratio{Secret: p, By: others[0], Of: others[len(others)-1], Down: f.Down})
				}
			}
		}
		return nil
	}
	if slices.Equal(own, all) {
		return nil
	}
	for k := range min(len(facts), mostAlone) { // name a fact that reveals something by itself, if there is one
		if open, ok := stranger.Open(len(unknown), append(slices.Clip(equations), more[k])); ok {
			if err := told(open, facts[k:k+1]); err != nil {
				return err
			}
		}
	}
	return told(all, facts)
}

// apart returns a function that reports whether two numbers are cells of the table whose codes, where they
// differ, are parts of sums or totals. Such numbers were counted independently; shares or averages of each other
// would not add up. Lines of small counts are often proportional by coincidence.
func (s *Source) apart(t *Table) func(a, b stranger.Place) bool {
	cells, coded := make(map[address]*Cell, len(t.Cells)), make(map[string]*Cell, len(t.Cells))
	for i := range t.Cells {
		c := &t.Cells[i]
		cells[address{nameOfSheet(c.Sheet), c.Ref}], coded[strings.Join(c.Codes, "\x00")] = c, c
	}
	for _, d := range t.Derived { // a copy of a cell tells what that cell does
		if d.How == asRepeat && len(d.Of) == 1 {
			cells[address{nameOfSheet(d.Sheet), d.Ref}] = coded[strings.Join(d.Of[0], "\x00")]
		}
	}
	at := map[stranger.Place]*Cell{}
	for i, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				if x := cells[address{g.Sheet, g.ref(r, c)}]; x != nil {
					at[stranger.Place{Sheet: i, Row: r, Col: c}] = x
				}
			}
		}
	}
	counted := make([]map[string]bool, len(t.Dimensions)) // codes in a sum
	for k := range t.Dimensions {
		counted[k] = map[string]bool{}
		for _, c := range t.Dimensions[k].Codes {
			switch {
			case t.NotAdditive:
			case c.Memo:
				counted[k][c.Code] = len(c.Equals) > 0
			case c.Parent != nil:
				counted[k][c.Code], counted[k][*c.Parent] = true, true
			}
		}
	}
	return func(a, b stranger.Place) bool {
		x, y := at[a], at[b]
		if x == nil || y == nil || x == y {
			return false
		}
		for k := range counted {
			if x.Codes[k] != y.Codes[k] && !(counted[k][x.Codes[k]] && counted[k][y.Codes[k]]) {
				return false
			}
		}
		return true
	}
}

// mostAlone bounds the facts that are examined each by itself.
const mostAlone = 200

// equations returns the relations of the table among the withheld numbers, for each of its responses, and numbers
// the entries of unknown, to which it adds the withheld ones.
func (b *built) equations(secret map[address]bool, unknown map[address]int32) (all []stranger.Equation) {
	at := map[string][]address{} // addresses of the cells, by response
	measure := b.measure()
	for i, key := range b.keys {
		for _, k := range b.same[key] {
			c := &b.t.Cells[k]
			response := ""
			if measure >= 0 {
				response = c.Codes[measure]
			}
			if at[response] == nil {
				at[response] = make([]address, len(b.keys))
			}
			one := address{nameOfSheet(c.Sheet), c.Ref}
			if at[response][i] = one; secret[one] {
				unknown[one] = -1
			}
		}
	}
	n := int32(0)
	for one := range unknown {
		unknown[one] = n
		n++
	}
	for j := range b.table.Rel.Len() {
		cells, coef := b.table.Rel.Row(j)
		for _, of := range at {
			var e stranger.Equation
			for t, i := range cells {
				if v, ok := unknown[of[i]]; ok {
					e.Var, e.Coef = append(e.Var, v), append(e.Coef, coef[t])
				}
			}
			if e.Var != nil {
				all = append(all, e)
			}
		}
	}
	return all
}

// addressOf returns a place as users refer to it.
func (s *Source) addressOf(p stranger.Place) address {
	g := s.grids[p.Sheet]
	return address{g.Sheet, g.ref(p.Row, p.Col)}
}

// strangely returns the error that names a withheld number, two numbers that reveal it, and what to remove.
func (s *Source) strangely(t *Table, x stranger.Ratio) error {
	secret, a, b, out := s.addressOf(x.Secret), s.addressOf(x.By), s.addressOf(x.Of), s.lineOf(t, x.By, x.Down)
	if a == b { // one line is proportional to another
		return &formats.Error{File: s.name, Want: i18n.T("%s, which would be withheld, is in proportion to %s, as all numbers of the two lines are; nothing is written. Say that one of them is computed (--derived), take it out (--blank %s), or, if it is by chance, --leave-aside", secret, a, out)}
	}
	return &formats.Error{File: s.name, Want: i18n.T("%s, which would be withheld, follows from %s and %s, as all numbers there have it; nothing is written. Say that one of them is computed (--derived), take it out (--blank %s), or, if it is by chance, --leave-aside", secret, a, b, out)}
}

// lineOf returns the part of the column or row of a place that holds cells of t and what is computed from them,
// in the form that --blank takes.
func (s *Source) lineOf(t *Table, p stranger.Place, down bool) string {
	g := s.grids[p.Sheet]
	known := map[string]bool{}
	for i := range t.Cells {
		if nameOfSheet(t.Cells[i].Sheet) == g.Sheet {
			known[t.Cells[i].Ref] = true
		}
	}
	for i := range t.Derived {
		if nameOfSheet(t.Derived[i].Sheet) == g.Sheet {
			known[t.Derived[i].Ref] = true
		}
	}
	area := Rect{p.Row, p.Col, p.Row, p.Col}
	if down {
		for r := range g.Rows {
			if known[g.ref(r, p.Col)] {
				area = area.with(r, p.Col)
			}
		}
	} else {
		for c := range g.Rows[p.Row] {
			if known[g.ref(p.Row, c)] {
				area = area.with(p.Row, c)
			}
		}
	}
	return quoteName(address{g.Sheet, g.span(area)}.String())
}

// fieldsOf returns the fields of grids in the form that package stranger takes.
func fieldsOf(grids []*Grid) []stranger.Sheet {
	all := make([]stranger.Sheet, len(grids))
	for i, g := range grids {
		for _, row := range g.Rows {
			fields := sets.List(len(row), func(c int) string { return row[c].Text })
			all[i] = append(all[i], fields)
		}
	}
	return all
}
