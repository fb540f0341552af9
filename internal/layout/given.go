package layout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// maxColumn bounds the columns that a layout can name.
const maxColumn = 1 << 14

// wideFormat is the Format of layouts of cross-tabs.
const wideFormat = "wide"

// Row returns the row, counted from 0, that layouts call by an address. Where no row of a text file begins on that
// line, it is the next one.
func (g *Grid) Row(address int) int {
	if g.Lines == nil {
		return address - 1
	}
	i, _ := slices.BinarySearch(g.Lines, address)
	return i
}

// blocksOf returns the blocks that a layout has for a grid: those of its sheet or, if the sheets have other names than
// in the file the layout was made of, those of the sheet in its place.
func (l *Layout) blocksOf(b *Book, g *Grid) []*Block {
	if l == nil || l.Format != wideFormat {
		return nil
	}
	sheets := map[string]bool{}
	for _, of := range b.Grids {
		sheets[of.Sheet] = true
	}
	var names []string
	known := true
	for i := range l.Blocks {
		if s := l.Blocks[i].Sheet; !slices.Contains(names, s) {
			names = append(names, s)
			known = known && (sheets[s] || s == "")
		}
	}
	name := g.Sheet
	if !known { // renamed: take the sheets that are not hidden in their order
		place := 0
		for _, of := range b.Grids {
			if of == g {
				break
			}
			if of.State == "" {
				place++
			}
		}
		if place >= len(names) || g.State != "" {
			return nil
		}
		name = names[place]
	}
	var all []*Block
	for i := range l.Blocks {
		if s := l.Blocks[i].Sheet; s == name || s == "" {
			all = append(all, &l.Blocks[i])
		}
	}
	return all
}

// block returns the block of v that a layout describes. Rows of data may go on below its range, as the file of another
// year may have more.
func (s *Block) block(v *view, file string) (*block, error) {
	g := v.g
	fault := func(what i18n.Text, value, want string) error {
		return &formats.Error{File: file, Value: formats.Show(value), Want: i18n.T("%s of the layout: %s", what, want)}
	}
	b := &block{v: v, heads: map[int]int{}, saved: s}
	area, ok := g.Area(s.Range)
	if !ok {
		return nil, fault(i18n.T("range"), s.Range, "want a rectangle of the file, like A3:K40")
	}
	for _, st := range s.Labels {
		c := g.Column(st.Column)
		if c < 0 || c >= maxColumn {
			return nil, fault(i18n.T("column of a label"), st.Column, "want a column of the file")
		}
		if st.Holds != "nothing" {
			b.stub = append(b.stub, c)
		}
	}
	for _, span := range s.Values {
		first, last, ok := strings.Cut(span, ":")
		if !ok {
			last = first
		}
		from, to := g.Column(first), g.Column(last)
		if from < 0 || from > to || to >= maxColumn {
			return nil, fault(i18n.T("values"), span, "want a column or the first and last one, like C:H")
		}
		for c := from; c <= to; c++ {
			used := false
			for r := area.Top; r <= area.Bottom && !used; r++ {
				used = v.kind(r, c) != blank
			}
			if used {
				b.values = append(b.values, c)
			}
		}
	}
	slices.Sort(b.stub)
	slices.Sort(b.values)
	if len(b.values) == 0 {
		return nil, fault(i18n.T("values"), strings.Join(s.Values, " "), "want columns with numbers")
	}
	first := area.Top
	for _, at := range s.HeaderRows {
		r := g.Row(at)
		b.header = append(b.header, r)
		first = max(first, r+1)
	}
	slices.Sort(b.header)
	skip := map[int]bool{}
	for _, at := range s.Skip {
		skip[g.Row(at)] = true
	}
	has := func(r int) bool {
		for _, c := range b.values {
			if k := v.kind(r, c); k == number || k == mark {
				return true
			}
		}
		return false
	}
	for r := first; r < len(g.Rows); r++ {
		if r > area.Bottom && !has(r) {
			break
		}
		switch {
		case skip[r]:
		case has(r):
			b.data = append(b.data, r)
		case len(v.rows[r].at) == 0:
			b.between = append(b.between, r)
		default:
			b.heads[r] = int(v.rows[r].at[0])
		}
	}
	if len(b.data) == 0 {
		return nil, fault(i18n.T("range"), s.Range, "want rows with numbers in the columns "+strings.Join(s.Values, ", "))
	}
	for _, st := range s.Labels {
		if c := g.Column(st.Column); st.Holds == "nothing" && b.tellsDate(c, b.stub) {
			b.dates = append(b.dates, c)
		}
	}
	b.stub = slices.Sorted(slices.Values(slices.Concat(b.stub, b.dates)))
	return b, nil
}

// Area returns the rectangle of an address in the grid: a field as Ref writes it, or a rectangle as layouts do, A3:K40
// in a workbook, 3:1-40:11 in a text file.
func (g *Grid) Area(ref string) (Rect, bool) {
	if ref, ok := strings.CutSuffix(ref, percent); ok {
		r, ok := g.Area(ref)
		r.Left++
		r.Right = r.Left
		return r, ok && g.origin(r.Left).share
	}
	if r, ok := parseRect(ref); ok {
		return g.widened(r, strings.Contains(ref, ":")), true
	}
	if g.Lines == nil {
		return Rect{}, false
	}
	first, last, area := strings.Cut(ref, "-")
	top, left, ok := lineAndField(first)
	bottom, right := top, left
	if area && ok {
		bottom, right, ok = lineAndField(last)
	}
	if !ok || bottom < top || right < left {
		return Rect{}, false
	}
	r := g.widened(Rect{g.Row(top), left - 1, g.Row(bottom), right - 1}, area)
	return r, area || r.Top < len(g.Lines) && g.Lines[r.Top] == top
}

// lineAndField reads an address of a text file, line:field, both counted from 1.
func lineAndField(s string) (line, field int, ok bool) {
	first, second, ok := strings.Cut(s, ":")
	line, err := strconv.Atoi(first)
	field, err2 := strconv.Atoi(second)
	return line, field, ok && err == nil && err2 == nil && line > 0 && field > 0
}

// around gives the notes above and below to the blocks that a layout describes.
func (v *view) around(parts []*part) {
	before := 0
	for i, p := range parts {
		b := p.b
		top := b.data[0]
		for _, r := range b.header {
			top = min(top, r)
		}
		for r := range b.heads {
			top = min(top, r)
		}
		for r := before; r < top; r++ {
			b.above = append(b.above, r)
		}
		before = max(before, lastOf(b.data)+1)
		if i == len(parts)-1 {
			for r := before; r < len(v.rows); r++ {
				b.after = append(b.after, r)
			}
		} else {
			next := parts[i+1].b
			b.divideAt(next, before)
			before += len(b.after)
		}
		p.readNotes()
	}
}

// divideAt gives b the rows of notes that follow it before next.
func (b *block) divideAt(next *block, from int) {
	for r := from; r < next.data[0]; r++ {
		row := &b.v.rows[r]
		if len(row.at) > 0 && !isNoteText(b.v.text(r, int(row.at[0]))) {
			return
		}
		b.after = append(b.after, r)
	}
}

// save describes a part in a layout, for the next file like it.
func (p *part) save(t *Table, o *Options) Block {
	b, g := p.b, p.b.v.g
	s := Block{Name: t.Name, Sheet: g.Sheet, Unit: t.Unit, Multiplier: t.UnitMultiplier, Kind: t.Kind, Tolerance: o.Tolerance, Marks: map[string]string{}}
	if s.Tolerance == "" && b.saved != nil {
		s.Tolerance = b.saved.Tolerance
	}
	top, left, right := b.data[0], b.v.right, 0
	for _, r := range b.header {
		s.HeaderRows = append(s.HeaderRows, g.line(r))
		top = min(top, r)
	}
	for _, c := range slices.Concat(b.stub, b.values) {
		left, right = min(left, c), max(right, c)
	}
	s.Range = g.span(Rect{top, left, lastOf(b.data), right})
	if g.Lines != nil {
		s.Decimal, s.Thousands = string(rune(b.v.style.Decimal)), b.v.style.Thousands
	}
	for i, c := range b.stub {
		one := Stub{Column: g.column(c), Holds: "label", Dimension: b.head.stubNames[c]}
		empty, codes := 0, 0
		for _, r := range b.data {
			switch s := b.v.text(r, c); {
			case strings.TrimFunc(s, isBlank) == "":
				empty++
			case isCodeLike(clean(s)):
				codes++
			}
		}
		if i < len(b.stub)-1 {
			one.FillDown = 2*empty > len(b.data)
			if codes+empty == len(b.data) && codes > 0 && !one.FillDown {
				one.Holds = "code"
			}
		}
		if slices.Contains(b.dates, c) {
			one.Holds = "nothing"
		}
		s.Labels = append(s.Labels, one)
	}
	for i := 0; i < len(b.values); {
		k := i
		for k+1 < len(b.values) && b.values[k+1] == b.values[k]+1 {
			k++
		}
		span := g.column(b.values[i])
		if k > i {
			span += ":" + g.column(b.values[k])
		}
		s.Values = append(s.Values, span)
		i = k + 1
	}
	for _, c := range slices.Sorted(maps2(p.derived)) {
		s.Derived = append(s.Derived, g.column(c))
	}
	for _, r := range slices.Sorted(maps2(p.leftRows)) {
		s.Skip = append(s.Skip, g.line(r))
	}
	if b.saved != nil {
		s.Skip = append(s.Skip, b.saved.Skip...)
		slices.Sort(s.Skip)
		s.Skip = slices.Compact(s.Skip)
	}
	for i := range t.Dimensions {
		d := &t.Dimensions[i]
		one := SavedDimension{Name: d.Name, Role: d.Role, NoTotal: d.Role == ofClassification && !d.Additive && !t.asks(d.Name)}
		for k := range d.Codes {
			if c := &d.Codes[k]; c.Parent == nil && d.Additive && one.Total == "" && slices.ContainsFunc(d.Codes, func(x Code) bool { return x.Parent != nil && *x.Parent == c.Code && !x.Memo }) {
				one.Total = c.Code
			}
		}
		if b.saved != nil && len(b.saved.Dimensions) == len(t.Dimensions) {
			one.Parents = b.saved.Dimensions[i].Parents
		}
		s.Dimensions = append(s.Dimensions, one)
	}
	sheet := sheetName(g)
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Mark != nil && *c.Mark != "" && (c.Sheet == nil) == (sheet == nil) && (sheet == nil || *c.Sheet == *sheet) {
			s.Marks[*c.Mark] = c.Means
		}
	}
	return s
}

// correct applies what a layout says of the dimensions and the unit of a table.
func (d *draft) correct(t *Table, s *Block) {
	if s == nil {
		return
	}
	if s.Name != "" {
		t.Name = s.Name
	}
	if s.Unit != "" {
		t.Unit, t.UnitMultiplier = s.Unit, s.Multiplier
	}
	if s.Kind != "" {
		t.Kind = s.Kind
	}
	if len(s.Dimensions) != len(d.dims) {
		return
	}
	for k := range d.dims {
		dim, of := &d.dims[k], &s.Dimensions[k]
		if of.Name != "" {
			dim.name = of.Name
		}
		if of.Role == ofClassification || of.Role == ofTime || of.Role == Measure {
			if dim.role != of.Role && (dim.role == Measure || of.Role == Measure) {
				d.measured = nil // it describes the codes of another dimension
			}
			dim.role = of.Role
		}
		dim.noTotal = of.NoTotal
		if len(of.Parents) > 0 {
			dim.parents = of.Parents
		}
	}
}
