package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Place is a range of whole rows or columns of a grid, counted from 0.
type Place struct {
	Rows     bool
	From, To int
}

// What rows and columns can be corrected to.
const (
	asHeader = "header" // rows
	AsLabel  = "label"  // columns
	AsValue  = "value"  // rows and columns of cells
	asTotal  = "total"  // one row or column: the total of the codes that are part of nothing yet
	asOut    = "out"    // notes, blank and repeated rows, columns that are no part of the table
)

// Draft returns a layout of a grid in which nothing was understood: its first row is the header, its first column the
// labels. Correct can start from it. nil where the grid has no such rectangle.
func Draft(g *Grid) *Layout {
	top, left, bottom, right := -1, -1, 0, 0
	for r := range g.Rows {
		for c := range g.Rows[r] {
			if strings.TrimSpace(g.Rows[r][c].Text) == "" {
				continue
			}
			if top < 0 {
				top = r
			}
			if left < 0 || c < left {
				left = c
			}
			bottom, right = r, max(right, c)
		}
	}
	if top < 0 || top == bottom || left == right {
		return nil
	}
	return &Layout{Format: wideFormat, Blocks: []Block{{Sheet: g.Sheet, Range: g.span(Rect{top, left, bottom, right}), HeaderRows: []int{g.line(top)},
		Labels: []Stub{{Column: g.column(left), Holds: "label"}}, Values: []string{g.column(left+1) + ":" + g.column(right)}}}}
}

// span returns a rectangle as layouts write it.
func (g *Grid) span(a Rect) string {
	between := ":"
	if g.Lines != nil {
		between = "-"
	}
	file, left, right := &Grid{Lines: g.Lines}, g.origin(a.Left), g.origin(a.Right)
	span := file.ref(a.Top, left.column) + between + file.ref(a.Bottom, right.column)
	if left.share && left == right {
		span += percent
	}
	return span
}

// Correct returns l with rows or columns of the grid made something else, in the block in which they stand or which is
// next to them. Only reading the file shows whether the table can then be read. tables are those that were read with l;
// asTotal takes codes from them.
func (l *Layout) Correct(g *Grid, tables []*Table, p Place, as string) (*Layout, error) {
	if l.Format != wideFormat {
		return nil, i18n.Errorf("the file has one cell in each line: its columns are told by --dims, --column and --response")
	}
	if p.From < 0 || p.From > p.To || p.Rows && p.To >= len(g.Rows) || !p.Rows && p.To >= maxColumn {
		return nil, i18n.Errorf("want rows or columns of the sheet")
	}
	n := &Layout{Format: l.Format, Blocks: slices.Clone(l.Blocks)}
	b := n.near(g, p)
	if b == nil {
		return nil, i18n.Errorf("no table stands on this sheet")
	}
	e := &edit{g: g, b: b, p: p}
	var ok bool
	if e.Rect, ok = g.Area(b.Range); !ok {
		return nil, i18n.Errorf("the layout has the range %q", b.Range)
	}
	var err error
	switch {
	case as == asTotal:
		err = e.total(tables)
	case p.Rows && (as == asHeader || as == AsValue || as == asOut):
		err = e.rows(as)
	case !p.Rows && (as == AsLabel || as == AsValue || as == asOut):
		err = e.columns(as)
	default:
		err = i18n.Errorf("%q is nothing that these can be", as)
	}
	return n, err
}

// near returns the block of a grid in which a place lies, or else the one next to it.
func (l *Layout) near(g *Grid, p Place) *Block {
	var best *Block
	least := 0
	for i := range l.Blocks {
		b := &l.Blocks[i]
		a, ok := g.Area(b.Range)
		if b.Sheet != g.Sheet && b.Sheet != "" || !ok {
			continue
		}
		far := max(a.Left-p.To, p.From-a.Right, 0)
		if p.Rows {
			far = max(a.Top-p.To, p.From-a.Bottom, 0)
		}
		if best == nil || far < least {
			best, least = b, far
		}
	}
	return best
}

// An edit corrects one block.
type edit struct {
	g    *Grid
	b    *Block
	p    Place
	Rect // the range of the block
}

// rows makes rows part of the header, rows of cells, or no part of the table.
func (e *edit) rows(as string) error {
	b, g := e.b, e.g
	lines := map[int]bool{}
	for r := e.p.From; r <= e.p.To; r++ {
		lines[g.line(r)] = true
	}
	without := func(list []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(at int) bool { return lines[at] })
	}
	wasHeader := len(without(b.HeaderRows)) < len(b.HeaderRows)
	b.HeaderRows, b.Skip = without(b.HeaderRows), without(b.Skip)
	add := func(list []int) []int {
		for at := range lines {
			list = append(list, at)
		}
		slices.Sort(list)
		return list
	}
	switch as {
	case asHeader:
		b.HeaderRows = add(b.HeaderRows)
	case asOut:
		b.Skip = add(b.Skip)
	case AsValue:
		if n := len(b.HeaderRows); n > 0 && g.Row(b.HeaderRows[n-1]) > e.p.From {
			return i18n.Errorf("row %d stands above the header, whose last row is %d", g.line(e.p.From), b.HeaderRows[n-1])
		}
	}
	if wasHeader || as == asHeader {
		b.Dimensions = nil // the dimensions may be others now, or have other codes
	}
	if as != asOut {
		e.Top, e.Bottom = min(e.Top, e.p.From), max(e.Bottom, e.p.To)
	}
	b.Range = g.span(e.Rect)
	return nil
}

// columns makes columns labels, columns of cells, or no part of the table.
func (e *edit) columns(as string) error {
	b, g := e.b, e.g
	inside := func(c int) bool { return c >= e.p.From && c <= e.p.To }
	labels := slices.DeleteFunc(slices.Clone(b.Labels), func(s Stub) bool { return inside(g.Column(s.Column)) })
	if len(labels) < len(b.Labels) || as == AsLabel {
		b.Dimensions = nil
	}
	b.Labels = labels
	b.Derived = slices.DeleteFunc(slices.Clone(b.Derived), func(s string) bool { return inside(g.Column(s)) })
	values := map[int]bool{}
	for _, span := range b.Values {
		first, last, ok := strings.Cut(span, ":")
		if !ok {
			last = first
		}
		for c := g.Column(first); c <= g.Column(last); c++ {
			values[c] = !inside(c)
		}
	}
	for c := e.p.From; c <= e.p.To; c++ {
		switch as {
		case AsLabel:
			b.Labels = append(b.Labels, Stub{Column: g.column(c), Holds: "label"})
		case AsValue:
			values[c] = true
		}
	}
	slices.SortFunc(b.Labels, func(x, y Stub) int { return g.Column(x.Column) - g.Column(y.Column) })
	b.Values = nil
	for c := range maxColumn {
		if !values[c] {
			continue
		}
		if n := len(b.Values); n > 0 && values[c-1] {
			first, _, _ := strings.Cut(b.Values[n-1], ":")
			b.Values[n-1] = first + ":" + g.column(c)
		} else {
			b.Values = append(b.Values, g.column(c))
		}
	}
	if len(b.Values) == 0 {
		return i18n.Errorf("no column with numbers would be left")
	}
	if as != asOut {
		e.Left, e.Right = min(e.Left, e.p.From), max(e.Right, e.p.To)
	}
	b.Range = g.span(e.Rect)
	return nil
}

// total makes the code of a row or column the parent of all codes that have none.
func (e *edit) total(tables []*Table) error {
	if e.p.From != e.p.To {
		return i18n.Errorf("want one row or column as the total of others")
	}
	for _, t := range tables {
		d, code := t.codeAt(e.g, e.p)
		if d < 0 {
			continue
		}
		dim := &t.Dimensions[d]
		if len(e.b.Dimensions) != len(t.Dimensions) {
			e.b.Dimensions = make([]SavedDimension, len(t.Dimensions))
			for k := range t.Dimensions {
				e.b.Dimensions[k] = SavedDimension{Name: t.Dimensions[k].Name, Role: t.Dimensions[k].Role}
			}
		} else {
			e.b.Dimensions = slices.Clone(e.b.Dimensions)
		}
		parents := map[string]string{}
		above := map[string]bool{} // the codes of which the total is itself a part
		for at := code; ; {
			i := slices.IndexFunc(dim.Codes, func(c Code) bool { return c.Code == at })
			above[at] = true
			if i < 0 || dim.Codes[i].Parent == nil || above[*dim.Codes[i].Parent] {
				break
			}
			at = *dim.Codes[i].Parent
		}
		found := false
		for _, c := range dim.Codes {
			if c.Parent != nil {
				parents[c.Code] = *c.Parent
			} else if !above[c.Code] && !c.Memo {
				parents[c.Code], found = code, true
			}
		}
		if !found {
			return i18n.Errorf("all other codes of %s are parts of some total already", dim.Name)
		}
		one := &e.b.Dimensions[d]
		one.Total, one.NoTotal, one.Parents, one.Role = code, false, parents, ofClassification
		return nil
	}
	return i18n.Errorf("no code stands there")
}

// Names returns what --derived calls rows or columns: the letters of columns, the labels of rows.
func Names(g *Grid, tables []*Table, p Place) []string {
	var names []string
	for n := p.From; n <= p.To; n++ {
		one := Place{p.Rows, n, n}
		for _, t := range tables {
			d, code := t.codeAt(g, one)
			switch {
			case d < 0:
				continue
			case !p.Rows:
				names = append(names, g.column(n))
			default:
				i := slices.IndexFunc(t.Dimensions[d].Codes, func(c Code) bool { return c.Code == code })
				names = append(names, t.Dimensions[d].Codes[i].Label)
			}
			break
		}
	}
	return names
}

// Says reports whether a name given to --derived means one of some rows or columns: the letter of a column, or the text
// of a field.
func (g *Grid) Says(p Place, name string) bool {
	for n := p.From; n <= p.To; n++ {
		if !p.Rows {
			if g.Column(name) == n {
				return true
			}
		} else if slices.ContainsFunc(g.Rows[n], func(f Field) bool { return clean(f.Text) == name }) {
			return true
		}
	}
	return false
}

// codeAt returns the code that all cells of a row or column of a grid have in common, in the last dimension with
// several codes in which they do; dim is −1 for none.
func (t *Table) codeAt(g *Grid, p Place) (dim int, code string) {
	var here []*Cell
	for i := range t.Cells {
		c := &t.Cells[i]
		if c.Sheet == nil && g.Sheet != "" || c.Sheet != nil && *c.Sheet != g.Sheet {
			continue
		}
		if a, ok := g.Area(c.Ref); ok && (p.Rows && a.Top == p.From || !p.Rows && a.Left == p.From) {
			here = append(here, c)
		}
	}
	if len(here) == 0 {
		return -1, ""
	}
	for d := len(t.Dimensions) - 1; d >= 0; d-- {
		code := here[0].Codes[d]
		if len(t.Dimensions[d].Codes) > 1 && t.Dimensions[d].Role != Measure && !slices.ContainsFunc(here, func(c *Cell) bool { return c.Codes[d] != code }) {
			return d, code
		}
	}
	return -1, ""
}
