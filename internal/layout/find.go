package layout

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// findWide reads the cross-tabs on the grids of a book into r. Where 1,234 may be a whole number or have three
// decimals, or (5) may be below 0 or have a mark, the sums decide.
func findWide(b *Book, grids []*Grid, o *Options, r *Reading) error {
	b, grids = b.withHeaders(grids)
	b, grids = b.withoutFlags(grids)
	var first error
	var best *Reading
	most, n := 0, 1
	ways := map[string][]*numberStyle{} // by sheet, the likeliest first
	for _, g := range b.Grids {
		ways[g.Sheet] = stylesOf(b, g, o.From)
		n = max(n, len(ways[g.Sheet]))
	}
	for i := range n {
		style := func(g *Grid) *numberStyle {
			of := ways[g.Sheet]
			return of[min(i, len(of)-1)]
		}
		try := &Reading{File: r.File, Layout: &Layout{Format: wideFormat}, Aside: slices.Clone(r.Aside)}
		err := try.wide(b, grids, o, style)
		anew := func(o *Options, better func(more *Reading) bool) {
			if o == nil {
				return
			}
			more := &Reading{File: r.File, Layout: &Layout{Format: wideFormat}, Aside: slices.Clone(r.Aside)}
			why := more.wide(b, grids, o, style)
			if why == nil && better(more) {
				try, err = more, nil
			} else if err != nil && why != nil && o.rounded > 0 && asksTolerance(why) {
				err = why
			}
		}
		of := o.beside(try.others())
		anew(of, func(more *Reading) bool { return len(more.asks()) < len(try.asks()) || err != nil })
		anew(try.again(cmp.Or(of, o)), func(more *Reading) bool { return more.explains() > try.explains() })
		if err != nil || len(try.asks()) > 0 || try.mixed() { // numbers that were computed before others were rounded may stand among them
			anew(cmp.Or(of, o).units(), func(more *Reading) bool {
				shown := more.again(o) != nil || len(more.asks()) > 0 // else nothing says that they are rounded
				return shown && (err != nil || more.explains() > try.explains() && len(more.asks()) <= len(try.asks()))
			})
		}
		if i == 0 {
			first = err
		}
		if err != nil {
			continue
		}
		sums := -len(try.open) << 20
		for _, t := range try.Tables {
			if t.NotAdditive || len(t.refused) > 0 {
				sums -= 1 << 20
			}
			for _, rel := range t.Relations {
				sums += rel.Checked
			}
		}
		if best == nil || sums > most {
			best, most = try, sums
			if g := grids[0]; g.Lines != nil {
				best.File.Decimal, best.File.Thousands = string(rune(style(g).Decimal)), style(g).Thousands
			}
		}
	}
	if best == nil {
		return first
	}
	*r = *best
	return nil
}

// asksTolerance reports whether an error asks if sums are rounded.
func asksTolerance(err error) bool {
	var open *AmbiguityError
	return errors.As(err, &open) && slices.ContainsFunc(open.Options, func(o string) bool { return strings.HasPrefix(o, "--tolerance ") })
}

// wide reads the cross-tabs on the grids of a book, whose numbers are written in the given styles.
func (r *Reading) wide(b *Book, grids []*Grid, o *Options, style func(*Grid) *numberStyle) error {
	left, found := r.survey(b.Grids, o, style)
	var parts []*part
	for i, g := range left {
		if !slices.Contains(grids, b.Grids[i]) {
			continue
		}
		of, err := readGrid(b, g, style(g), o, r)
		if err != nil {
			return err
		}
		parts = append(parts, of...)
	}
	err := finishTables(b, parts, o, r)
	r.attach(b.Grids, found, style)
	return err
}

// finishTables makes tables of the parts found. Parts that seem to belong together but have the same labels twice
// become tables of their own.
func finishTables(b *Book, parts []*part, o *Options, r *Reading) error {
	var first error
	var failed []*block
	var read [][]*part // the parts of each table
	groups := gather(parts)
	for len(groups) > 0 {
		group := groups[0]
		groups = groups[1:]
		t, err := tableOf(b, group, o)
		var repeat *repeatError
		if errors.As(err, &repeat) && len(group) > 1 {
			groups = slices.Concat(apart(group), groups)
			continue
		}
		if err != nil {
			if first == nil {
				first = err
			}
			var open *AmbiguityError
			if errors.As(err, &open) {
				for _, p := range group { // no sum holds where a measure of its own stands among classes
					if ask := r.based(p); ask != nil && (o.rounded == 0 || !asksTolerance(err)) && !slices.ContainsFunc(open.Options, func(o string) bool { return strings.HasPrefix(o, "--derived ") }) {
						open.Ambiguity = *ask
						break
					}
				}
				r.open = append(r.open, open)
			}
			for _, p := range group {
				failed = append(failed, p.b)
			}
			bl := group[0].b
			r.Aside = append(r.Aside, Aside{Sheet: sheetName(bl.v.g), Ref: bl.rect(), Why: i18n.T("no reading fits: %s", i18n.T("%s", err).Without(b.File.Name))})
			continue
		}
		if t != nil {
			r.Tables = append(r.Tables, t)
			read = append(read, group)
			for _, p := range group {
				r.Ambiguities = append(r.Ambiguities, p.open...)
				p.leaveAside(r, t)
				p.tellRepeats(t)
				r.Layout.Blocks = append(r.Layout.Blocks, p.save(t, o))
			}
		}
	}
	r.pieces(read, failed)
	if len(r.Tables) == 0 {
		return first
	}
	return nil
}

// tellRepeats notes the parts that repeat p: each of their numbers tells of the cell that it repeats.
func (p *part) tellRepeats(t *Table) {
	codes := map[address][]string{}
	for i := range t.Cells {
		codes[address{nameOfSheet(t.Cells[i].Sheet), t.Cells[i].Ref}] = t.Cells[i].Codes
	}
	for _, q := range p.copies {
		g := q.b.v.g
		for _, pair := range p.same(q) {
			at, of := pair[0], pair[1]
			cell, _ := q.b.v.cell(at.Top, at.Left)
			if c := codes[address{p.b.v.g.Sheet, p.b.v.g.ref(of.Top, of.Left)}]; c != nil {
				t.Derived = append(t.Derived, Derived{How: asRepeat, Of: [][]string{c}, Value: cell.Value, Sheet: sheetName(g), Ref: cell.Ref, Formula: cell.Formula})
			}
		}
	}
}

// headed reports whether the header of a block tells most of its columns apart.
func (b *block) headed() bool {
	seen := map[string]bool{}
	for i := range b.values {
		key := ""
		for _, l := range b.head.levels {
			if i < len(l.at) {
				key += l.at[i].key() + "\x00"
			}
		}
		seen[key] = true
	}
	return 2*len(seen) > len(b.values)
}

// pieces leaves aside tables whose rows go on, below or above, in a block without a header of its own that no reading
// fits: a piece of a table must not pass for all of it.
func (r *Reading) pieces(read [][]*part, failed []*block) {
	var kept []*Table
	for i, group := range read {
		at := slices.IndexFunc(failed, func(f *block) bool {
			return !f.headed() && len(f.data) > 2 && slices.ContainsFunc(group, func(p *part) bool {
				common := sets.Count(f.values, func(c int) bool { return slices.Contains(p.b.values, c) })
				return p.b.v.g == f.v.g && 2*common > len(p.b.values)
			})
		})
		if at < 0 {
			kept = append(kept, r.Tables[i])
			continue
		}
		bl := group[0].b
		r.Aside = append(r.Aside, Aside{Sheet: sheetName(bl.v.g), Ref: bl.rect(), Why: i18n.T("its rows go on in %s, which no reading fits; give --range to read this part alone", failed[at].rect())})
	}
	r.Tables = kept
}

// readGrid finds the parts of tables on a grid.
func readGrid(b *Book, g *Grid, style *numberStyle, o *Options, r *Reading) ([]*part, error) {
	v := newView(g, style)
	if o.Range != "" {
		rect, ok := parseRect(o.Range)
		if !ok {
			return nil, i18n.Errorf("range %q: want A1:B2", o.Range)
		}
		rect = g.widened(rect, true)
		v = v.columns(rect.Left, rect.Right+1)
		for row := range v.rows {
			if row < rect.Top || row > rect.Bottom {
				v.rows[row] = rowView{}
			}
		}
	}
	var parts []*part
	if saved := o.From.blocksOf(b, g); len(saved) > 0 {
		for _, s := range saved {
			bl, err := s.block(v, b.File.Name)
			if err != nil {
				return nil, err
			}
			bl.shares, bl.separator = len(saved) > 1, b.File.Separator
			if err := bl.override(o); err != nil {
				return nil, err
			}
			parts = append(parts, readPart(bl, o).unlike(o))
		}
		v.around(parts)
		return parts, nil
	}
	copies := v.repeats()
	for _, strip := range strips(v) {
		blocks := strip.blocks()
		for _, bl := range blocks {
			bl.shares, bl.separator = len(blocks) > 1, b.File.Separator
			if err := bl.override(o); err != nil {
				return nil, err
			}
		}
		for _, bl := range blocks {
			if copies {
				r.Aside = append(r.Aside, Aside{Sheet: sheetName(g), Ref: bl.rect(), Why: i18n.T("formulas that repeat cells of other sheets")})
				continue
			}
			parts = append(parts, readPart(bl, o).unlike(o))
		}
	}
	if len(parts) == 0 && len(g.Rows) > 0 {
		if len(r.Aside) == 0 || r.Aside[len(r.Aside)-1].Sheet == nil || *r.Aside[len(r.Aside)-1].Sheet != g.Sheet {
			why := "no table stands here"
			if copies {
				why = "formulas that repeat cells of other sheets"
			}
			r.Aside = append(r.Aside, Aside{Sheet: sheetName(g), Why: i18n.Term(why)})
		}
	}
	return parts, nil
}

// rect returns the address of the data of a block.
func (b *block) rect() string {
	g := b.v.g
	left, right := b.values[0], b.values[len(b.values)-1]
	if len(b.stub) > 0 {
		left = b.stub[0]
	}
	return g.ref(b.data[0], left) + ":" + g.ref(b.data[len(b.data)-1], right)
}

// repeats reports whether most numbers of a sheet are formulas that only refer to a cell of another sheet.
func (v *view) repeats() bool {
	n, copies := 0, 0
	for r := range v.rows {
		for i, k := range v.rows[r].kinds {
			if k != number {
				continue
			}
			n++
			if f := v.g.At(r, int(v.rows[r].at[i])).Formula; strings.Contains(f, "!") && !strings.ContainsAny(f, "(+*/") {
				copies++
			}
		}
	}
	return n > 0 && 2*copies > n
}

// override sets the depth of header and labels that the options give. It refuses a header row with a label and numbers
// that neither grow nor fall, or of which one is the sum of the others: data that are taken for a header would stay in
// the copy whatever they tell.
func (b *block) override(o *Options) error {
	if o.LabelColumns > 0 {
		all := slices.Concat(b.stub, b.values, b.remarks)
		slices.Sort(all)
		n := min(o.LabelColumns, len(all))
		b.stub, b.values = all[:n:n], nil
		for _, c := range all[n:] {
			if !slices.Contains(b.remarks, c) {
				b.values = append(b.values, c)
			}
		}
	}
	if o.HeaderRows > 0 {
		rows := slices.Concat(b.above, b.header)
		slices.Sort(rows)
		first := b.data[0]
		for r := range b.heads {
			first = min(first, r)
		}
		var upper []int
		for _, r := range append(rows, b.data...) {
			if len(upper) < o.HeaderRows && len(b.v.rows[r].at) > 0 && r >= first-o.HeaderRows {
				upper = append(upper, r)
			}
		}
		b.header, b.above = nil, nil
		for _, r := range rows {
			if slices.Contains(upper, r) {
				b.header = append(b.header, r)
			} else {
				b.above = append(b.above, r)
			}
		}
		for _, r := range upper {
			if i := slices.Index(b.data, r); i >= 0 {
				if b.v.holdsData(r) {
					return i18n.Errorf("--header-rows %d: %s: this row holds data; want as many rows as the header has", o.HeaderRows, b.v.g.ref(r, int(b.v.rows[r].at[0])))
				}
				b.data = slices.Delete(b.data, i, i+1)
				b.header = append(b.header, r)
			}
		}
	}
	return nil
}

// holdsData reports whether a row has a label, and numbers that cannot be labels of columns.
func (v *view) holdsData(r int) bool {
	row := &v.rows[r]
	if v.classOf(r) != dataRow || row.kinds[0] != text {
		return false
	}
	return !v.monotone(r) || v.sumIn(r)
}

// sumIn reports whether one of three or more numbers of a row is the sum of the others. Numbers with units count as
// well.
func (v *view) sumIn(r int) bool {
	row := &v.rows[r]
	var numbers []float64
	all := 0.0
	for i, k := range row.kinds {
		if w := v.value(r, int(row.at[i])); (k == number || w.Unit != "") && w.Value != nil {
			n, _ := strconv.ParseFloat(string(*w.Value), 64)
			numbers = append(numbers, n)
			all += n
		}
	}
	return len(numbers) > 2 && slices.ContainsFunc(numbers, func(n float64) bool { return math.Abs(all-2*n) < 1e-6 })
}

// tableOf makes the table of parts that belong together. It returns nil if they have no cells.
func tableOf(b *Book, group []*part, o *Options) (*Table, error) {
	d, err := draftOf(group)
	if err != nil {
		if e, ok := err.(*repeatError); ok {
			e.fault.File = b.File.Name
		}
		return nil, err
	}
	if len(d.cells) == 0 || len(d.dims) == 0 {
		return nil, nil
	}
	if err := d.labelledByShares(b.File.Name); err != nil {
		return nil, err
	}
	first := group[0]
	t := &Table{Title: first.title, Name: first.name}
	for _, p := range group {
		t.Notes = append(t.Notes, p.notes...)
	}
	d.setRoles(group, o.Measures)
	d.setUnits(t, group)
	rows := len(d.dims) - len(first.cols)
	d.setNames(t.Title, rows, t.Notes)
	d.nestedLast(rows)
	d.correct(t, first.b.saved)
	if d.rates = d.rates && !d.adds(); d.rates {
		t.NotAdditive = true
	}
	if s := first.b.saved; s != nil && o.Tolerance == "" {
		by := *o
		by.Tolerance = s.Tolerance
		o = &by
	}
	if err := d.infer(b.File.Name, o); err != nil {
		return nil, err
	}
	if err := d.unlabelled(b.File.Name, o); err != nil {
		return nil, err
	}
	d.outside(t)
	d.foreign(t)
	d.middles(t)
	d.extremes(t)
	d.quotients(t)
	d.unrounded(t)
	d.stray(t)
	d.fractional(t)
	d.zeroRates(t)
	d.almost(t)
	d.running(t)
	d.single(t)
	d.loose(t)
	d.finish(t)
	d.counted(t, o)
	for k := range d.dims {
		if f := d.dims[k].forest; f != nil {
			t.unsure = append(t.unsure, f.unsure...)
		}
	}
	d.derive(t, group)
	return t, nil
}

// inOneLine reports whether two or more codes of dimension k have no label, and all their numbers stand in one of several
// lines.
func (d *draft) inOneLine(k int) bool {
	codes, own, others := map[int32]bool{}, map[string]bool{}, map[string]bool{}
	for c := range d.cells {
		if d.state[c] != stateKnown {
			continue
		}
		code, line := d.coord[c][k], fmt.Sprint(slices.Delete(slices.Clone(d.coord[c]), k, k+1))
		if others[line] = true; d.dims[k].items[code].guess {
			codes[code], own[line] = true, true
		}
	}
	return len(codes) > 1 && len(own) == 1 && len(others) > 1
}

// labelledByShares returns an error where most codes of a dimension are numbers with four or more decimals, as no
// labels are: shares were taken for labels, and what stands beside them may belong to a table further left.
func (d *draft) labelledByShares(file string) error {
	for k := range d.dims {
		n, one := 0, ""
		for i := range d.dims[k].items {
			if label := d.dims[k].items[i].label; longFraction().MatchString(label) {
				n, one = n+1, label
			}
		}
		if n > 1 && 2*n > len(d.dims[k].items) {
			return &formats.Error{File: file, Want: i18n.T("labels such as %s are fractions, computed from numbers beside them (--label-columns, --range, --layout)", one)}
		}
	}
	return nil
}

// longFraction matches a number with four or more decimals.
var longFraction = lazy.Regexp(`^-?[0-9]*[.,][0-9]{4,}(?: \([0-9]+\))?$`)

// unlabelled returns an error where a row or column without a label, which is taken for the total of the labelled ones,
// is in no sum, as its label may stand elsewhere in its group; or where several have numbers in a single line only, which
// may be one of another table.
func (d *draft) unlabelled(file string, o *Options) error {
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		i := slices.IndexFunc(dim.items, func(e entry) bool { return e.guess })
		if i < 0 || f == nil || !d.unfound(dim) || d.large || !d.inOneLine(k) && (slices.Contains(f.parent, i) || f.parent[i] >= 0 && !f.memo[i]) {
			continue
		}
		if ask, ok := d.counts(k, o.Below); ok { // else --no-total would answer this too
			return &AmbiguityError{File: file, Ambiguity: ask}
		}
		for c := range d.cells {
			if int(d.coord[c][k]) == i {
				ask := Ambiguity{
					Question: i18n.T("%s: %s has no label, and is not the sum of those that have one", dim.name, d.cells[c].Ref),
					Readings: []i18n.Text{i18n.T("it is one more code, without a sum"), i18n.T("its label stands elsewhere")},
					Options:  []string{"--no-total " + quoteName(dim.name), "--fill-down, --header-rows, --label-columns, --layout"},
				}
				// with its fractions the table would be none of counts
				if other, n := d.broken(k); n > 1 && other != i {
					name := dim.items[other].key()
					ask.Readings = append(ask.Readings, i18n.T("it is one more code, and %s is a measure of its own", name))
					ask.Options = append(ask.Options, ask.Options[0]+" --derived "+quoteName(bare(name)))
				}
				if column := d.inColumn(k, i); column != "" {
					ask.Readings = slices.Insert(ask.Readings, 0, i18n.T("%s is a measure of its own, whose numbers go where they may tell", column))
					ask.Options = slices.Insert(ask.Options, 0, "--derived "+column)
				}
				return &AmbiguityError{File: file, Ambiguity: ask}
			}
		}
	}
	return nil
}

// inColumn returns the column, as --derived names it, of which all numbers have code i of dimension k, and which is on
// the only sheet with cells, else nothing.
func (d *draft) inColumn(k, i int) (column string) {
	name := func(ref string) string {
		if _, field, ok := strings.Cut(ref, ":"); ok {
			return field
		}
		return strings.TrimRight(ref, "0123456789")
	}
	for c := range d.cells {
		if nameOfSheet(d.cells[c].Sheet) != nameOfSheet(d.cells[0].Sheet) {
			return ""
		}
		if own := int(d.coord[c][k]) == i; own && column == "" {
			column = name(d.cells[c].Ref)
		} else if own && name(d.cells[c].Ref) != column {
			return ""
		}
	}
	return column
}

// leaveAside notes which rows and columns of a part are in no table.
func (p *part) leaveAside(r *Reading, t *Table) {
	r.Ambiguities = append(r.Ambiguities, t.unsure...)
	t.unsure = nil
	g := p.b.v.g
	explained := map[string]bool{}
	for _, d := range t.Derived {
		explained[d.Ref] = true
	}
	for _, c := range slices.Sorted(maps2(p.derived)) {
		if len(p.data) > 0 && !explained[g.ref(p.data[0], c)] && !explained[g.ref(lastOf(p.data), c)] {
			r.Aside = append(r.Aside, Aside{Sheet: sheetName(g), Ref: g.ref(p.b.data[0], c) + ":" + g.ref(lastOf(p.b.data), c), Why: i18n.T("computed from other columns: %s", p.derived[c])})
		}
	}
	for _, row := range slices.Sorted(maps2(p.leftRows)) {
		if why := p.leftRows[row]; isSaid(why) || why == asMeasure {
			continue
		}
		r.Aside = append(r.Aside, Aside{Sheet: sheetName(g), Ref: g.ref(row, p.b.left()), Why: i18n.Term(p.leftRows[row])})
	}
	for _, c := range p.b.remarks {
		r.Aside = append(r.Aside, Aside{Sheet: sheetName(g), Ref: g.ref(p.b.data[0], c) + ":" + g.ref(lastOf(p.b.data), c), Why: i18n.T("remarks or labels repeated behind the values")})
	}
}
