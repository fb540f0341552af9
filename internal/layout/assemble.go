package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// draftOf puts the parts of a table together. Cells stand in the order of the file.
func draftOf(group []*part) (*draft, error) {
	first := group[0]
	d := &draft{}
	add := func(l *level) {
		d.dims = append(d.dims, draftDim{name: l.name, index: map[string]int32{}})
	}
	outer := 0
	if first.outer != nil {
		outer = 1
		add(&level{})
	}
	for k := range first.rows {
		add(&first.rows[k])
	}
	for k := range first.cols {
		add(&first.cols[k])
	}
	seen := map[string]int{}
	for _, p := range group {
		v := p.b.v
		rows := make([][]int32, len(p.data))
		for i := range p.data {
			rows[i] = make([]int32, 0, len(d.dims))
			if outer > 0 {
				rows[i] = append(rows[i], d.dims[0].find(p.outer))
			}
			for k := range p.rows {
				rows[i] = append(rows[i], d.dims[outer+k].find(&p.rows[k].at[i]))
			}
		}
		cols := make([][]int32, len(p.values))
		for i := range p.values {
			for k := range p.cols {
				cols[i] = append(cols[i], d.dims[outer+len(p.rows)+k].find(&p.cols[k].at[i]))
			}
		}
		for i, r := range p.data {
			for j, c := range p.values {
				cell, ok := v.cell(r, c)
				if !ok {
					continue
				}
				coord := slices.Concat(rows[i], cols[j])
				key := fmt.Sprint(coord)
				if was, ok := seen[key]; ok {
					return nil, &repeatError{&formats.Error{Value: strings.Join(d.names(coord), "/") + " in " + cell.at(),
						Want: i18n.T("the cell already stands in %s; give --range, --label-columns or a layout, or, if lines are single units and no cells, make the table with hitoku tabulate", d.cells[was].at())}, p.twice(cols, i, j)}
				}
				seen[key] = len(d.cells)
				d.cells, d.coord = append(d.cells, cell), append(d.coord, coord)
			}
		}
	}
	longest := 0
	for k := range d.dims {
		items := d.dims[k].items
		d.dims[k].japanese = slices.ContainsFunc(items, func(e entry) bool { return strings.ContainsFunc(e.label, cjk) })
		longest = max(longest, len(items))
	}
	d.amounts = amountsOf(d.cells, longest)
	return d, nil
}

// names returns the codes of a cell.
func (d *draft) names(coord []int32) []string {
	var all []string
	for k, x := range coord {
		all = append(all, d.dims[k].items[x].key())
	}
	return all
}

// cell reads the cell in row r and column c; ok is false where nothing stands.
func (v *view) cell(r, c int) (Cell, bool) {
	f := v.g.At(r, c)
	cell := Cell{Formula: f.Formula, Sheet: sheetName(v.g), Ref: v.g.ref(r, c)}
	if v.kind(r, c) == blank && f.Formula == "" {
		if _, left := v.origin(r, c); left < c {
			return cell, false
		}
		m, means, ok := v.style.Marks.find("")
		if flag := v.g.flags[[2]int{r, c}]; flag != "" { // a flag that stands beside the field
			if m, means, ok = v.style.Marks.find(flag); ok {
				cell.MarkRef = v.g.ref(r, c+1)
			}
		}
		if !ok {
			return cell, false
		}
		cell.Mark, cell.Means = &m, means
		return cell, true
	}
	w := v.value(r, c)
	if !w.OK {
		s := strings.TrimFunc(f.Text, isBlank)
		cell.Mark, cell.Means = &s, isUnavailable
		return cell, true
	}
	cell.Value, cell.Flag = w.Value, w.Flag
	if flag := v.g.flags[[2]int{r, c}]; flag != "" && cell.Flag == "" {
		cell.Flag, cell.MarkRef = flag, v.g.ref(r, c+1)
	}
	if w.Mark != "" {
		m := w.Mark
		cell.Mark, cell.Means = &m, w.Means
	}
	return cell, true
}

// infer finds out which codes of a draft add up to which.
func (d *draft) infer(file string, o *Options) error {
	var tolerance int64
	if o.Tolerance != "" {
		v, ok := scaled(o.Tolerance, d.places)
		if !ok || v < 0 {
			if v, ok = scaled(o.Tolerance, maxPlaces); !ok || v < 0 {
				return i18n.Errorf("tolerance %q: want a number not below 0", o.Tolerance)
			}
			v = 0
		}
		tolerance = v
	}
	for k := range d.dims {
		dim := &d.dims[k]
		for _, n := range o.NoTotal {
			dim.noTotal = dim.noTotal || n == dim.name
		}
		g := d.grow(k, tolerance, 0)
		if least := g.loss(); least > 0 && o.Tolerance == "" { // the parts may have been rounded one by one
			if step := d.step(); step > 0 {
				if r := d.grow(k, 0, step); r.loss() < least {
					g = r
				}
			}
		}
		if err := g.object(file); err != nil {
			return err
		}
		dim.forest = g.f
		if g.step > 0 || g.tolerance > 0 {
			tolerance, step := g.tolerance, g.step
			g.f.slack = func(parts int) int64 { return allowed(parts, tolerance, step) }
		}
		for t := range g.children {
			if of := g.real(t); len(of) > 0 && g.m != nil {
				g.f.more = append(g.f.more, g.dim.relation(t, of, g.check(t, of)))
			}
		}
		if g.m != nil && g.f.additive && !g.f.broken {
			g.twins()
		}
		if dim.noTotal {
			g.f.seen = d.seen(k, tolerance)
		}
		for i := range g.f.more {
			g.f.more[i].Dim = k
		}
	}
	return nil
}

// real returns the children of t that are no memo codes.
func (g *grower) real(t int) []int {
	return sets.Where(g.children[t], func(i int) bool { return !g.f.memo[i] })
}

// object returns an error where the numbers leave a question open that must not be guessed.
func (g *grower) object(file string) error {
	name := g.dim.name
	for _, t := range g.doubt {
		return &AmbiguityError{File: file, Ambiguity: Ambiguity{
			Question: i18n.T("%s: %s is the sum of the rows before it and of those behind it", name, g.dim.items[t].key()),
			Readings: []i18n.Text{i18n.T("totals stand first"), i18n.T("totals stand last")},
			Options:  []string{"parents in the layout", "parents in the layout"},
		}}
	}
	for _, f := range g.failed {
		if c := f.check; c.exact+c.near <= c.bad { // it seems that nothing here adds up
			g.refuse(f)
			continue
		}
		r := g.refusal(f)
		return &AmbiguityError{File: file, Ambiguity: refused([]refusal{r})}
	}
	return nil
}

// refuse notes a claimed total that is not taken for one, as its sums miss.
func (g *grower) refuse(f claim) { g.f.refused = append(g.f.refused, g.refusal(f)) }

// refusal describes a claim whose sums miss.
func (g *grower) refusal(f claim) refusal {
	c := f.check
	r := refusal{dim: g.dim.name, total: g.dim.items[f.total].key(), right: c.exact + c.near, wrong: c.bad, miss: c.miss, places: g.d.places}
	if i := g.m.cell[f.total*g.m.w+c.worst]; i >= 0 {
		r.worst = &g.d.cells[i]
	}
	r.slack = allowed(len(f.parts), 0, g.unit(f))
	r.apart, r.among = g.apart(f)
	r.another = g.d.another(g.dim, g.m, f.total, f.parts, r.apart)
	return r
}

// unit returns what all numbers are multiples of in the sum that misses by most. They may be rounded to tens, say, and
// others not.
func (g *grower) unit(f claim) int64 {
	unit, tens := int64(0), int64(1)
	for _, i := range append(slices.Clone(f.parts), f.total) {
		if at := i*g.m.w + f.check.worst; g.m.state[at] == stateKnown {
			unit = num.GCD(unit, g.m.value[at])
		}
	}
	for unit%10 == 0 && unit > 0 {
		unit, tens = unit/10, tens*10
	}
	// offices round to multiples of these; another common divisor of few numbers is chance
	for _, base := range []int64{5, 3} {
		if unit%base == 0 && unit > 0 {
			return tens * base
		}
	}
	return tens
}

// mostApart is how many codes one question asks about at most, whether they are measures.
const mostApart = 3

// apart returns the few codes that occur in all sums which miss, if the sums with the other codes of their dimension
// are right; nil for none. among are these other codes, also where too many codes miss.
func (g *grower) apart(f claim) (some, among []string) {
	var wrong, right [][]int32
	s := newSum(g.m)
	for _, p := range f.parts {
		s.add(p)
	}
	for j := range g.m.w {
		at := f.total*g.m.w + j
		if s.told[j] == 0 || s.open[j] > 0 || g.m.state[at] != stateKnown {
			continue
		}
		if of := g.d.coord[g.m.cell[at]]; num.Abs(s.value[j]-g.m.value[at]) > g.allowed(len(f.parts)) {
			wrong = append(wrong, of)
		} else if g.m.value[at] != 0 {
			right = append(right, of)
		}
	}
	if len(wrong) == 0 || len(right) == 0 {
		return nil, nil
	}
	for k := range g.d.dims {
		dim := &g.d.dims[k]
		misses, adds := make([]bool, len(dim.items)), make([]bool, len(dim.items))
		for _, of := range wrong {
			misses[of[k]] = true
		}
		for _, of := range right {
			adds[of[k]] = true
		}
		codes, said, apart := 0, []string(nil), dim != g.dim
		for c := range dim.items {
			e := &dim.items[c]
			switch apart = apart && !(misses[c] && adds[c]); {
			case misses[c]:
				if codes++; !isTotalName(e.label) && (!e.guess || strings.HasPrefix(e.label, "(")) {
					some = append(some, e.key())
				}
			case adds[c]:
				said = append(said, e.key())
				apart = apart && !e.guess && !strings.Contains(e.key(), ",")
			}
		}
		if apart {
			if among = said; codes > 1 && (codes > mostApart || len(some) < codes || codes >= len(said)) || len(dim.items) < 3 {
				some = nil
			}
			return some, among
		}
		if some = nil; dim != g.dim {
			if some = g.d.bounds(k, misses); some != nil {
				return some, nil
			}
		}
	}
	return nil, nil
}

// bounds returns the codes of dimension k that are the largest or smallest of the others, and those in no sum that miss
// as well, if no other codes miss: the largest number of a total is not the sum of the largest of its parts, though by
// chance it often is.
func (d *draft) bounds(k int, misses []bool) (names []string) {
	dim := &d.dims[k]
	m := d.matrix(k)
	if dim.role == Measure || len(dim.items) < 4 || len(dim.items) > mostForeign || len(d.cells) > mostForeignCells || m == nil {
		return nil
	}
	f := d.grow(k, 0, 0).f
	bound, alone, some := m.bound(dim, f), f.alone(dim), false
	for c := range dim.items {
		is := bound(c)
		switch {
		case is || misses[c] && (alone(c) || f.memo[c]):
			names = append(names, dim.items[c].key())
		case misses[c]:
			return nil
		}
		some = some || is && misses[c]
	}
	if !some {
		return nil
	}
	return names
}

// finish makes the table of a draft whose roles, names and trees are known.
func (d *draft) finish(t *Table) {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		names, only := dim.codes(), dim.amongPeriods()
		out := Dimension{Name: dim.name, Role: dim.role, Additive: f != nil && f.additive}
		for i := range dim.items {
			c := Code{Code: names[i], Label: dim.labelOf(i, names[i])}
			if dim.items[i].guess || dim.items[i].tab || i == only {
				t.unnamed = append(t.unnamed, codeOf{k, names[i]})
			}
			if f != nil {
				if p := f.parent[i]; p >= 0 {
					c.Parent = &names[p]
				}
				c.Memo = f.memo[i]
				for _, e := range f.equals[i] {
					c.Equals = append(c.Equals, names[e])
				}
			}
			if m := d.measured; dim.role == Measure && m != nil {
				if !unitTold(c.Label) {
					c.Unit, c.Kind = m.units[i], m.kinds[i]
				}
				if contributors().MatchString(c.Label) && slices.Contains(m.kinds, ofMagnitudes) {
					c.Use = "freq"
				}
			}
			out.Codes = append(out.Codes, c)
		}
		if f != nil {
			named := func(all []Relation) []Relation {
				for k := range all {
					r := &all[k]
					r.Total = names[dim.index[r.Total]]
					for i := range r.Parts {
						r.Parts[i] = names[dim.index[r.Parts[i]]]
					}
				}
				return all
			}
			t.Relations, t.seen = append(t.Relations, named(f.more)...), append(t.seen, named(f.seen)...)
			t.NotAdditive = t.NotAdditive || f.broken
			t.refused = append(t.refused, f.refused...)
		}
		t.Dimensions = append(t.Dimensions, out)
	}
	t.Cells = d.cells
	for i := range t.Cells {
		codes := make([]string, len(d.dims))
		for k, x := range d.coord[i] {
			codes[k] = t.Dimensions[k].Codes[x].Code
		}
		t.Cells[i].Codes = codes
	}
}

// codes returns the codes of a dimension: those of the file, else the labels. The subtotal of a group gets the name of
// the group if it has no code.
func (dim *draftDim) codes() []string {
	names := make([]string, len(dim.items))
	used := map[string]bool{}
	for i := range dim.items {
		names[i] = dim.items[i].key()
		used[names[i]] = true
	}
	f := dim.forest
	if f == nil {
		return names
	}
	parts := make([]bool, len(names))
	for i, p := range f.parent {
		if p >= 0 && !f.memo[i] {
			parts[p] = true
		}
	}
	for i := range dim.items {
		it := &dim.items[i]
		if it.code != "" {
			continue
		}
		if parts[i] {
			if it.own != "" && !used[it.own] && dim.beyond(i) {
				names[i], used[it.own] = it.own, true
			} else if s, ok := groupName(names[i]); ok && !used[s] {
				names[i], used[s] = s, true
			} else if isBareTotal(names[i]) && dim.isPrefecture(i) && !used["全県"] {
				names[i], used["全県"] = "全県", true
			}
		}
		if f.memo[i] {
			if s := memoName(names[i]); s != names[i] && !used[s] {
				names[i], used[s] = s, true
			}
			// 素材型産業 in 産業中分類: the name of the dimension need not be repeated
			if s, ok := strings.CutSuffix(names[i], "産業"); ok && s != "" && strings.HasPrefix(dim.name, "産業") && !used[s] {
				names[i], used[s] = s, true
			}
		}
	}
	return names
}

// beyond reports whether code i, which has the name of a group, has a part in another group. Then it is the total of
// more than its group, like a total of all that stands at the end below a heading.
func (dim *draftDim) beyond(i int) bool {
	for k, p := range dim.forest.parent {
		if p == i && !dim.forest.memo[k] && dim.items[k].group != dim.items[i].group {
			return true
		}
	}
	return false
}

// isPrefecture reports whether the parts of code i are its towns and its counties.
func (dim *draftDim) isPrefecture(i int) bool {
	towns, counties := false, false
	for k, p := range dim.forest.parent {
		if p == i && !dim.forest.memo[k] {
			towns = towns || strings.HasPrefix(dim.items[k].label, "市部")
			counties = counties || strings.HasPrefix(dim.items[k].label, "郡部") || strings.HasPrefix(dim.items[k].label, "町村部")
		}
	}
	return towns && counties
}

// labelOf returns the label of code i.
func (dim *draftDim) labelOf(i int, code string) string {
	it := &dim.items[i]
	if code == "全県" && it.code == "" {
		return code
	}
	if it.own != "" && code == it.own {
		return code
	}
	if it.memo && it.raw != "" {
		return clean(it.raw)
	}
	if it.label != "" {
		return it.label
	}
	return code
}

// unitTold reports whether a label names its unit itself.
func unitTold(label string) bool {
	_, _, ok := unitIn(label)
	return ok
}
