package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
)

// nowhere is the code that cells of the other tables have in a dimension.
const nowhere = "—"

// mostTogether bounds the dimensions of tables that are protected as one, like those of any table.
const mostTogether = 6

// shares reports whether two codes of a dimension, other than totals, are also codes of a dimension of the other
// table: their numbers may then be related in a way that no sum shows.
func (t *Table) shares(other *Table) bool {
	for i := range t.Dimensions {
		d := &t.Dimensions[i]
		for k := range other.Dimensions {
			n := sets.Count(d.Codes, func(c Code) bool { return other.Dimensions[k].twin(c) >= 0 && !isTotalName(c.Label) })
			if n > 1 && d.Role != ofTime {
				return true
			}
		}
	}
	return false
}

// apart reports whether two tables have the same codes but different subjects: one is less than the other in some
// places and more in others, so that neither is contained in the other.
func (t *Table) apart(other *Table) bool {
	if len(t.Dimensions) != len(other.Dimensions) || len(t.Cells) != len(other.Cells) {
		return t.apartAtTotals(other)
	}
	values := map[string]int64{}
	for _, c := range t.Cells {
		if c.Value != nil {
			if v, ok := scaled(string(*c.Value), maxPlaces); ok {
				values[strings.Join(c.Codes, "\x00")] = v
			}
		}
	}
	more, less := false, false
	for _, c := range other.Cells {
		v, known := values[strings.Join(c.Codes, "\x00")]
		if c.Value == nil || !known {
			return false
		}
		w, ok := scaled(string(*c.Value), maxPlaces)
		if !ok {
			return false
		}
		more, less = more || w > v, less || w < v
	}
	return more && less
}

// apartAtTotals does the same for tables of which each has a dimension that the other lacks, by comparing totals
// for the codes they have in common. One must be far larger in one place and far smaller in another, and nowhere
// equal; totals of the same subject that were rounded or counted at another time are not so.
func (t *Table) apartAtTotals(other *Table) bool {
	if t.suppressed() || other.suppressed() {
		return false
	}
	order, mine, rest := t.inCommon(other)
	more, less := false, false
	for _, key := range order {
		v, known := t.sum(mine[key])
		w, also := other.sum(rest[key])
		if len(rest[key]) == 0 || len(mine[key]) != 1 || !known || !also {
			continue
		}
		if v == w && v != 0 {
			return false
		}
		more, less = more || far(w, v), less || far(v, w)
	}
	return more && less
}

// suppressed reports whether some cells are withheld already, so that the table cannot be protected beside others.
func (t *Table) suppressed() bool {
	return slices.ContainsFunc(t.Cells, func(c Cell) bool { return c.Value == nil && c.Means == Suppressed })
}

// far reports whether a exceeds b by more than a quarter of b and by more than a few units.
func far(a, b int64) bool {
	few, _ := scaled("5", maxPlaces)
	return a-b > b/4 && a-b > few
}

// together joins all tables of a file into one in which each keeps its dimensions and sums, so that secondary
// suppressions are chosen for all at once. It returns nil if the tables are of different kinds, have too many
// dimensions, or share codes but not the numbers.
func together(all []*Table) *Table {
	t := &Table{Name: all[0].Name, Title: all[0].Title, Kind: all[0].Kind, Unit: all[0].Unit, UnitMultiplier: all[0].UnitMultiplier, parts: all}
	at := 0
	names := map[string]bool{}
	for _, of := range all {
		n := 0
		for i := range of.Dimensions {
			if d := &of.Dimensions[i]; d.Role == Measure && len(d.Codes) > 1 {
				return nil
			} else if len(d.Codes) > 1 {
				n++
			}
		}
		if of.Kind != t.Kind || of.UnitMultiplier != t.UnitMultiplier || of.counted() || slices.ContainsFunc(of.Dimensions, func(d Dimension) bool { return d.find(nowhere) >= 0 }) {
			return nil
		}
		if at += n; at > mostTogether {
			return nil
		}
	}
	for _, of := range all {
		for _, d := range of.Dimensions {
			for names[d.Name] {
				d.Name += "'"
			}
			names[d.Name] = true
			d.Codes = append(slices.Clone(d.Codes), Code{Code: nowhere, Label: nowhere})
			t.Dimensions = append(t.Dimensions, d)
		}
	}
	if !t.tie() {
		return nil
	}
	at = 0
	for _, of := range all {
		place := func(codes []string) []string {
			out := slices.Repeat([]string{nowhere}, len(t.Dimensions))
			copy(out[at:], codes)
			return out
		}
		for i, c := range of.Cells {
			c.Codes = place(c.Codes)
			t.Cells = append(t.Cells, c)
			t.beside = append(t.beside, of.told(i))
		}
		for _, d := range of.Derived {
			codes := sets.List(len(d.Of), func(k int) []string { return place(d.Of[k]) })
			d.Of = codes
			t.Derived = append(t.Derived, d)
		}
		for _, r := range of.Relations {
			r.Dim += at
			t.Relations = append(t.Relations, r)
		}
		for _, r := range of.seen {
			r.Dim += at
			t.seen = append(t.seen, r)
		}
		for _, c := range of.unnamed {
			t.unnamed = append(t.unnamed, codeOf{c.dim + at, c.code})
		}
		t.Notes = append(t.Notes, of.Notes...)
		at += len(of.Dimensions)
	}
	t.ties = append(t.ties, t.spread()...)
	return t
}

// A tie is a cell of a joined table that another part repeats, as one cell or as the sum of several.
type tie struct {
	cell int
	same []int
}

// tie finds what the parts of a joined table have in common. It reports false if two parts share codes but their
// numbers do not say how they are related.
func (t *Table) tie() bool {
	first := make([]int, len(t.parts)) // index of the first cell of each part
	for i := 1; i < len(first); i++ {
		first[i] = first[i-1] + len(t.parts[i-1].Cells)
	}
	for i, a := range t.parts {
		for k, b := range t.parts[:i] {
			from, to := i, k
			ties := a.again(b)
			if ties == nil && (!a.shares(b) || a.apart(b)) {
				continue
			}
			if ties == nil {
				ties = a.tied(b)
			}
			if len(ties) == 0 { // a total of a may stand in b alone
				from, to, ties = k, i, b.tied(a)
			}
			if len(ties) == 0 {
				return false
			}
			for _, x := range ties {
				x.cell += first[from]
				for k := range x.same {
					x.same[k] += first[to]
				}
				t.ties = append(t.ties, x)
			}
		}
	}
	return true
}

// spread returns the sums of a line in one part that is the sum of all other lines in all parts, as where the
// rows below a total continue to its right under other headers. The lines are the codes of a dimension without a
// total, and are equally long in all parts.
func (t *Table) spread() (all []tie) {
	var lines [][]int // the cells of each line
	first := 0        // index of the first cell of the part
	for _, of := range t.parts {
		d := slices.IndexFunc(of.Dimensions, func(d Dimension) bool { return len(d.Codes) > 1 && !d.Additive && len(d.whole()) == len(d.Codes) })
		if d < 0 {
			return nil
		}
		at := map[string]int{}
		for c := range of.Cells {
			code := of.Cells[c].Codes[d]
			k, seen := at[code]
			if !seen {
				k = len(lines)
				at[code], lines = k, append(lines, nil)
			}
			lines[k] = append(lines[k], first+c)
		}
		first += len(of.Cells)
	}
	for total, cells := range lines {
		known := 0
		for j := range cells {
			x := tie{cell: cells[j]}
			for k, of := range lines {
				if len(of) != len(cells) {
					return nil
				} else if k != total {
					x.same = append(x.same, of[j])
				}
			}
			v, one := t.sum(cells[j : j+1])
			w, others := t.sum(x.same)
			if v != w || !one || !others {
				all, known = nil, 0
				break
			}
			if all = append(all, x); v != 0 {
				known++
			}
		}
		if known > 1 && len(lines) > 2 {
			return all
		}
		all = nil
	}
	return nil
}

// leastTied is the number of non-zero numbers that two tables must have in common.
const leastTied = 3

// tied returns the ties of t to other, which has some dimensions of t and is matched at the totals of the rest,
// as t is. It returns nil if a number differs.
func (t *Table) tied(other *Table) (all []tie) {
	order, mine, rest := t.inCommon(other)
	return t.tiesOf(other, order, mine, rest)
}

// inCommon returns the cells of t and of other at the totals of the dimensions that the other one lacks, keyed by
// the codes of those in common. order has the keys in the order of t.
func (t *Table) inCommon(other *Table) (order []string, mine, rest map[string][]int) {
	on := make([]int, len(t.Dimensions)) // the matching dimension of other, −1 for none
	code := make([]map[string]string, len(t.Dimensions))
	taken := map[int]bool{}
	for i := range t.Dimensions {
		on[i] = -1
		for k := range other.Dimensions {
			if m := t.Dimensions[i].common(&other.Dimensions[k]); !taken[k] && len(m) > max(1, len(code[i])) {
				on[i], code[i] = k, m
			}
		}
		taken[on[i]] = true
	}
	roots, others := t.wholes(), other.wholes()
	rest = map[string][]int{} // cells of other, keyed by their codes in the dimensions shared with t
	for j := range other.Cells {
		key, inside := make([]string, len(on)), true
		for k, c := range other.Cells[j].Codes {
			if i := slices.Index(on, k); i >= 0 {
				key[i] = c
			} else {
				inside = inside && slices.Contains(others[k], c)
			}
		}
		if inside {
			rest[strings.Join(key, "\x00")] = append(rest[strings.Join(key, "\x00")], j)
		}
	}
	mine = map[string][]int{}
	for j := range t.Cells {
		key, inside := make([]string, len(on)), true
		for i, c := range t.Cells[j].Codes {
			if on[i] < 0 {
				inside = inside && slices.Contains(roots[i], c)
			} else if key[i] = code[i][c]; key[i] == "" {
				inside = false
			}
		}
		if k := strings.Join(key, "\x00"); inside {
			if mine[k] == nil {
				order = append(order, k)
			}
			mine[k] = append(mine[k], j)
		}
	}
	return order, mine, rest
}

// tiesOf ties cells of t to the cells of other with the same key. It returns nil if numbers differ or too few are
// known.
func (t *Table) tiesOf(other *Table, order []string, mine, rest map[string][]int) (all []tie) {
	n := 0
	for _, key := range order {
		a, b := mine[key], rest[key]
		if len(b) == 0 {
			continue
		}
		v, known := t.sum(a)
		w, also := other.sum(b)
		switch {
		case known && also && v != w:
			return nil
		case known && also && v != 0:
			n++
		}
		if len(a) != 1 { // a sum in t: a tie has only one cell there
			return nil
		}
		all = append(all, tie{a[0], b})
	}
	if n < leastTied {
		return nil
	}
	return all
}

// sum returns the sum of cells of t; known is false if one has no value.
func (t *Table) sum(cells []int) (sum int64, known bool) {
	for _, i := range cells {
		c := &t.Cells[i]
		if c.Value == nil {
			return 0, false
		}
		v, ok := scaled(string(*c.Value), maxPlaces)
		if !ok {
			return 0, false
		}
		sum += v
	}
	return sum, true
}

// twin returns the index of the code of d that equals c or, if none does, the label of c; −1 for none.
func (d *Dimension) twin(c Code) int {
	if k := d.find(c.Code); k >= 0 || c.Label == "" {
		return k
	}
	return d.find(c.Label)
}

// again ties all cells of t to those of another table that repeats it under whatever codes: its dimensions, in
// some order, have as many codes, and cells at the same places have the same numbers. It returns nil if there is
// no such order.
func (t *Table) again(other *Table) (all []tie) {
	if len(t.Cells) != len(other.Cells) {
		return nil
	}
	long := func(t *Table) (dims []int) {
		for i := range t.Dimensions {
			if len(t.Dimensions[i].Codes) > 1 {
				dims = append(dims, i)
			}
		}
		return dims
	}
	mine, theirs := long(t), long(other)
	if len(mine) != len(theirs) {
		return nil
	}
	at := t.placed(mine)
	var order func(k int) bool
	order = func(k int) bool { // the first k dimensions of the other table are matched
		if k == len(theirs) {
			all = t.equals(other, at, other.placed(theirs))
			return all != nil
		}
		for i := k; i < len(theirs); i++ {
			theirs[k], theirs[i] = theirs[i], theirs[k]
			if len(t.Dimensions[mine[k]].Codes) == len(other.Dimensions[theirs[k]].Codes) && order(k+1) {
				return true
			}
			theirs[k], theirs[i] = theirs[i], theirs[k]
		}
		return false
	}
	order(0)
	return all
}

// placed returns the cells of t by the positions of their codes in the dimensions dims.
func (t *Table) placed(dims []int) map[string]int {
	place := make([]map[string]int, len(dims))
	for k, d := range dims {
		place[k] = sets.Places[int](sets.Each(t.Dimensions[d].Codes, func(c Code) string { return c.Code }))
	}
	at := make(map[string]int, len(t.Cells))
	for j := range t.Cells {
		key := ""
		for k, d := range dims {
			key += itoa(place[k][t.Cells[j].Codes[d]]) + " "
		}
		at[key] = j
	}
	return at
}

// equals ties the cells at the same places. It returns nil if two numbers differ or too few are other than 0.
func (t *Table) equals(other *Table, at, on map[string]int) []tie {
	all, n := make([]tie, 0, len(at)), 0
	for key, i := range at {
		j, ok := on[key]
		if !ok {
			return nil
		}
		v, known := t.sum([]int{i})
		w, also := other.sum([]int{j})
		if known && also && v != w {
			return nil
		} else if known && also && v != 0 {
			n++
		}
		all = append(all, tie{i, []int{j}})
	}
	if n < 2*leastTied {
		return nil
	}
	slices.SortFunc(all, func(a, b tie) int { return a.cell - b.cell })
	return all
}

// common returns the codes of d that another dimension has as well, with their codes there: those with the same
// name, and the roots if each dimension has one.
func (d *Dimension) common(other *Dimension) map[string]string {
	if (d.Role == ofTime) != (other.Role == ofTime) {
		return nil
	}
	m := map[string]string{}
	for _, c := range d.Codes {
		if k := other.twin(c); k >= 0 {
			m[c.Code] = other.Codes[k].Code
		}
	}
	if a, b := d.whole(), other.whole(); len(m) > 1 && len(a) == 1 && len(b) == 1 {
		m[a[0]] = b[0]
	}
	return m
}

// wholes returns, for each dimension, the codes that together make up all of it.
func (t *Table) wholes() (all [][]string) {
	for i := range t.Dimensions {
		all = append(all, t.Dimensions[i].whole())
	}
	return all
}

// whole returns the codes that together make up all of a dimension: its root, or all codes that are parts of no
// other.
func (d *Dimension) whole() (codes []string) {
	for _, c := range d.Codes {
		if c.Parent == nil && !c.Memo {
			codes = append(codes, c.Code)
		}
	}
	return codes
}
