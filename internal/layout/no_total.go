package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/sets"
)

// withoutTotal returns an error if a dimension of --no-total is in no table, picked or not, or if a code of it
// that is called a total is the sum of all others wherever that can be checked: readers see such a sum, too, and
// a verdict without it would be wrong.
func (r *Reading) withoutTotal(o *Options, file string) error {
	names := r.names()
	for _, name := range o.NoTotal {
		// else it may be in a table about which a question is asked
		if !slices.Contains(names, name) && len(r.open) == 0 && !o.without.mayName(name) {
			return &formats.Error{File: file, Want: i18n.T("--no-total %s: no such dimension%s; they are %s", formats.Show(name), near.Hint(name, names, ""), formats.ShowList(names))}
		}
		for _, t := range r.Tables {
			for d := range t.Dimensions {
				if t.Dimensions[d].Name != name {
					continue
				}
				if err := t.adding(d, file); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// names returns the names of the dimensions of all tables.
func (r *Reading) names() (all []string) {
	for _, t := range r.Tables {
		for i := range t.Dimensions {
			if !slices.Contains(all, t.Dimensions[i].Name) {
				all = append(all, t.Dimensions[i].Name)
			}
		}
	}
	return all
}

// mayName reports whether a table that is read, or about which a question is asked, may have a dimension of this
// name.
func (r *Reading) mayName(name string) bool {
	return r != nil && (len(r.open) > 0 || slices.Contains(r.names(), name))
}

// adding returns an error if a code of dimension d that is called a total is the sum of all other codes in two or
// more places, and wrong nowhere. If some code is in no such sum, the statement may refer to that one; then the
// sums are noted as seen.
func (t *Table) adding(d int, file string) error {
	cells, sizes, _, err := sumCells(t)
	if err != nil {
		return err
	}
	dim := &t.Dimensions[d]
	hints := make([]codeHint, len(dim.Codes))
	for c, code := range dim.Codes {
		hints[c] = codeHint{code: code.Code, total: isTotalName(code.Label) || isTotalCode(code.Code), level: -1}
	}
	s := newSums(cells, sizes, d)
	tree := s.tree(hints)
	for c, parts := range tree.children() {
		if !hints[c].total || len(parts) < 2 {
			continue
		}
		e := s.claim(c, parts)
		if e.checked < 2 || e.wrong > 0 || e.bits <= 0 {
			continue
		}
		of := sets.Each(parts, func(p int) string { return dim.Codes[p].Code })
		if tree.apartFrom(c) {
			sum := Relation{Dim: d, Total: dim.Codes[c].Code, Parts: of, Checked: e.checked, Unknown: e.unknown, Missed: e.missed}
			if !slices.ContainsFunc(t.seen, sum.same) {
				t.seen = append(t.seen, sum)
			}
			continue
		}
		return &formats.Error{File: file, Want: i18n.T("--no-total %s: %s is the sum of %s in all %d cases, which every reader sees; take the flag out", quoteName(dim.Name), dim.Codes[c].Code, formats.ShowList(of), e.checked)}
	}
	return nil
}

// same reports whether two sums have the same codes, in the order of the file.
func (r Relation) same(x Relation) bool {
	return r.Dim == x.Dim && r.Total == x.Total && slices.Equal(r.Parts, x.Parts)
}

// seen returns the sums in dimension k, which is said to add up to nothing, that hold in some places more often
// than by chance. The statement may have been made because they do not hold everywhere, for instance beside
// numbers of another kind; where they hold, a reader computes with them.
func (d *draft) seen(k int, tolerance int64) (all []Relation) {
	dim := &d.dims[k]
	dim.noTotal = false
	defer func() { dim.noTotal = true }()
	g := d.grow(k, tolerance, 0)
	if g.m == nil {
		return nil
	}
	add := func(t int, parts []int) {
		exact, near := g.m.check(t, parts, 0), g.m.check(t, parts, allowed(len(parts), tolerance, 1))
		if exact.exact < 2 || exact.exact <= exact.bad && near.bits < 8 {
			return
		}
		if near.bits < exact.bits+8 { // it may be near by chance
			near = exact
		}
		r := dim.relation(t, parts, near)
		r.Dim, r.Wrong = k, near.bad
		all = append(all, r)
	}
	var leaves []int
	for t := range g.children {
		if of := g.real(t); len(of) > 1 {
			add(t, of)
		} else if !g.f.memo[t] {
			leaves = append(leaves, t)
		}
	}
	for t := range g.children {
		if !g.f.memo[t] {
			continue
		}
		of := g.f.equals[t]
		if of == nil {
			of = g.spoken(t, whichPart().ReplaceAllString(dim.items[t].label, ""), leaves)
		}
		if len(of) > 1 {
			add(t, of)
		}
	}
	for _, f := range g.failed {
		add(f.total, f.parts)
	}
	for _, t := range []int{0, len(g.children) - 1} { // a line of another kind that misses its sum prevents a tree
		if slices.ContainsFunc(all, func(r Relation) bool { return r.Total == dim.items[t].key() }) {
			continue
		}
		var others []int
		for i := range g.children {
			if i != t && !g.f.memo[i] {
				others = append(others, i)
			}
		}
		if len(others) > 1 && !g.f.memo[t] {
			add(t, others)
		}
	}
	return append(all, dim.changes(k, g.m)...)
}

// changes returns, in a dimension most of whose codes are periods, sums of one period and a code that is none,
// which are another period wherever all are known, three or more times: a change between two periods that a
// reader recognises.
func (dim *draftDim) changes(k int, m *matrix) (all []Relation) {
	var stray, periods []int
	for i := range dim.items {
		if isTime(dim.items[i].label) {
			periods = append(periods, i)
		} else {
			stray = append(stray, i)
		}
	}
	if len(periods) < 2 || len(stray) >= len(periods) {
		return nil
	}
	work := maxOutside
	for _, i := range stray {
		for _, x := range periods {
			for _, y := range periods {
				if work -= m.w; x == y || work < 0 || m.known(i) < 3 {
					continue
				}
				if c := m.check(x, []int{min(i, y), max(i, y)}, 0); c.holds() && c.unknown == 0 {
					r := dim.relation(x, []int{min(i, y), max(i, y)}, c)
					r.Dim = k
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// seen returns the sums of the kept dimension k that hold in places, as relations of cells; at maps codes to
// cells. A sum that is wrong nowhere is taken to hold for withheld numbers, too.
func (b *built) seen(k int, at map[string]int) (all []relation) {
	for i := range b.cell {
		var codes []string
		for _, sum := range b.t.seen {
			if sum.Dim != b.kept[k] {
				continue
			}
			if codes == nil {
				codes = strings.Split(b.keys[i], "\x00")
			}
			own := codes[k]
			if own != sum.Total {
				continue
			}
			r := relation{dim: k, total: i, seen: sum.Wrong+sum.Missed > 0, near: sum.Missed > 0}
			for _, p := range sum.Parts {
				codes[k] = p
				if c, ok := at[strings.Join(codes, "\x00")]; ok {
					r.parts = append(r.parts, c)
				}
			}
			if codes[k] = own; len(r.parts) > 1 {
				all = append(all, r)
			}
		}
	}
	return all
}

// holds reports whether all values are known and add up, within what rounding of the parts allows if r.near.
func (r *relation) holds(v []int64, state []uint8) bool {
	miss, known := r.misses(v, state)
	slack := int64(0)
	if r.near {
		if slack = int64(len(r.parts)+1) / 2; num.Abs(v[r.total]) < 10*slack { // it may be near by chance
			slack = 0
		}
	}
	return known && num.Abs(miss) <= slack
}

// misses returns by how much the total exceeds its parts; known says that all of them are known.
func (r *relation) misses(v []int64, state []uint8) (miss int64, known bool) {
	miss, known = v[r.total], state[r.total] == isKnown
	for _, p := range r.parts {
		miss, known = miss-v[p], known && state[p] == isKnown
	}
	return miss, known
}
