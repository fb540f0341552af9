package report

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// protectionPart is one table as grids, or the reason why it is not shown in that form.
type protectionPart struct {
	Title string // for a table of a set
	Grids []protectionGrid
	Note  string
}

type protectionGrid struct {
	Title, Corner string
	Head          []string
	Rows          []protectionRow
}

// Span returns the number of columns, including that of the names.
func (g protectionGrid) Span() int { return len(g.Head) + 1 }

// protectionRow is a line of a grid: its cells, or a note on lines that are left out there.
type protectionRow struct {
	Name  string
	Total bool
	Fold  string
	Cells []protectionText
}

// protectionText is a cell of a grid: its value or, if that is not shown, what an intruder can compute.
type protectionText struct{ Text, Interval, Mark, Class, Hover string }

// grids lays out tables as cross-tabulations of the first two variables.
func (p *protectionPage) grids() {
	if !p.Set() {
		p.Parts = []protectionPart{p.part(p.Table, -1, func(i int) int { return i })}
		return
	}
	for k := range p.Linked {
		part := p.part(p.Linked[k].Table, k, func(i int) int { return int(p.Linked[k].Cell[i]) })
		part.Title = p.say("parttitle", k+1, p.Linked[k].Table.Name)
		p.Parts = append(p.Parts, part)
	}
}

// part shows t, whose cell i is cell at(i) of the page's table: the whole table if it is small enough to be
// read, else its withheld cells with their neighbourhood.
func (p *protectionPage) part(t *table.Table, number int, at func(i int) int) (part protectionPart) {
	if len(t.Dims) == 0 {
		part.Note = p.T("norelationgrid")
		return part
	}
	c := newCrossing(p, t, number, at)
	if t.Len() <= maxGridCells {
		for _, l := range c.layers() {
			part.Grids = append(part.Grids, p.split(c.grid(&l, sets.Upto(len(c.rows)), sets.Upto(len(c.columns))))...)
		}
		return part
	}
	part.Grids, part.Note = c.neighbourhoods()
	return part
}

// A crossing is a table seen as rows and columns, over its first two variables, in layers, one for each
// combination of codes of the others.
type crossing struct {
	p       *protectionPage
	t       *table.Table
	number  int             // number of the table in the set
	at      func(i int) int // maps cells of t to cells of the page's table
	cells   map[string]int  // cells of t by their codes
	rows    []int32         // codes of the rows in order
	columns []int32
	names   []string // names of the rows
	head    []string // names of the columns
	corner  string
	place   [][]int    // for each variable and code, its place in the order of rows or columns
	labels  [][]string // for each variable and place, its label
}

// A layer is a combination of codes of the third and further variables.
type layer struct {
	key   []int32 // the codes, preceded by space for those of row and column
	title string
}

func newCrossing(p *protectionPage, t *table.Table, number int, at func(i int) int) *crossing {
	c := &crossing{p: p, t: t, number: number, at: at, cells: make(map[string]int, t.Len()), columns: []int32{0}, head: []string{p.T("value")}, corner: t.Dims[0].Name}
	k := len(t.Dims)
	for i := range t.Len() {
		c.cells[cellKey(t.Coord[i*k:i*k+k])] = i
	}
	c.rows, c.names = t.Dims[0].Shown("\u2003")
	if k > 1 {
		c.columns, c.head = t.Dims[1].Shown("")
		c.corner += " \\ " + t.Dims[1].Name
	}
	for d := range t.Dims {
		place := make([]int, len(t.Dims[d].Codes))
		order, labels := t.Dims[d].Shown("")
		for n, code := range order {
			place[code] = n
		}
		c.place, c.labels = append(c.place, place), append(c.labels, labels)
	}
	return c
}

func cellKey(codes []int32) string {
	b := make([]byte, 0, 4*len(codes))
	for _, c := range codes {
		b = binary.LittleEndian.AppendUint32(b, uint32(c))
	}
	return string(b)
}

// layer returns the layer of these codes of the third and further variables.
func (c *crossing) layer(codes []int32) layer {
	l := layer{key: append(make([]int32, min(2, len(c.t.Dims))), codes...)}
	var names []string
	for n, code := range codes {
		names = append(names, c.t.Dims[2+n].Name+" = "+c.labels[2+n][c.place[2+n][code]])
	}
	l.title = strings.Join(names, c.p.T("andword"))
	return l
}

// layers returns all layers in reading order.
func (c *crossing) layers() (all []layer) {
	var codes []int32
	var next func(d int)
	next = func(d int) {
		if d >= len(c.t.Dims) {
			all = append(all, c.layer(codes))
			return
		}
		order, _ := c.t.Dims[d].Shown("")
		for _, code := range order {
			codes = append(codes, code)
			next(d + 1)
			codes = codes[:len(codes)-1]
		}
	}
	next(2)
	return all
}

// grid shows the given rows and columns of a layer, in order, with notes on the rows left out between them.
func (c *crossing) grid(l *layer, rows, columns []int) protectionGrid {
	g := protectionGrid{Title: l.title, Corner: c.corner}
	for _, n := range columns {
		g.Head = append(g.Head, c.head[n])
	}
	key := slices.Clone(l.key)
	next := 0
	fold := func(to int) {
		if to > next {
			g.Rows = append(g.Rows, protectionRow{Fold: c.p.say("fold", to-next)})
		}
		next = to + 1
	}
	for _, n := range rows {
		fold(n)
		row := protectionRow{Name: c.names[n], Total: c.rows[n] == 0}
		key[0] = c.rows[n]
		for _, m := range columns {
			if len(key) > 1 {
				key[1] = c.columns[m]
			}
			x := protectionText{Text: "-"}
			if i, ok := c.cells[cellKey(key)]; ok {
				x = c.p.text(c.at(i), c.number)
			}
			row.Cells = append(row.Cells, x)
		}
		g.Rows = append(g.Rows, row)
	}
	fold(len(c.rows))
	return g
}

// split divides a grid whose lines are too long into several with fewer columns.
func (p *protectionPage) split(g protectionGrid) []protectionGrid {
	first := letters(g.Corner)
	room := make([]float64, len(g.Head)) // width of each column in letters
	for c, name := range g.Head {
		room[c] = letters(name)
	}
	for _, r := range g.Rows {
		first = max(first, letters(r.Name))
		for c, x := range r.Cells {
			room[c] = max(room[c], letters(x.Text+x.Interval))
		}
	}
	const between = 3.5 // space between two columns in letters
	var ends []int      // last column of each part
	used := first
	for c := range room {
		if used += room[c] + between; used > maxGridLetters && c > 0 {
			ends, used = append(ends, c), first+room[c]+between
		}
	}
	if ends == nil {
		return []protectionGrid{g}
	}
	var all []protectionGrid
	from := 0
	for _, to := range append(ends, len(g.Head)) {
		x := protectionGrid{Title: p.say("columns", from+1, to, len(g.Head)), Corner: g.Corner, Head: g.Head[from:to]}
		if g.Title != "" {
			x.Title = g.Title + p.T("andword") + x.Title
		}
		for _, r := range g.Rows {
			if r.Fold == "" {
				r.Cells = r.Cells[from:to]
			}
			x.Rows = append(x.Rows, r)
		}
		all, from = append(all, x), to
	}
	return all
}

// text returns a cell as the grid of a table shows it.
func (p *protectionPage) text(i, part int) protectionText {
	t := p.Table
	also := p.tables(i, part)
	shared := ""
	if also != "" {
		shared = "shared"
	}
	if !p.Withheld[i] {
		return protectionText{Text: p.value(i), Class: shared}
	}
	n, c := p.class(i), p.of[i]
	x := protectionText{Class: strings.TrimSpace(reasonClasses[n].class + " " + shared), Mark: p.mark(n)}
	if !c.Protected {
		x.Class += " fails"
	}
	parts := []string{p.say("hover", t.CellName(i), p.reason(n), p.span(c.Lo, c.Hi, " "+p.T("to")+" "))}
	if x.Interval = p.span(c.Lo, c.Hi, p.T("to")); t.Known(i) && !p.Mask {
		x.Text, x.Interval = p.value(i), ""
		parts = append(parts, p.say("hovervalue", x.Text))
	}
	if text := p.published(i); text != "" { // what readers of the table see
		x.Text, x.Interval = "", text
		parts = append(parts, p.say("hoverpublished", text))
	}
	if w := p.wanted(i); w != "" {
		parts = append(parts, p.say("hoverlevel", w))
	}
	if text, bad := p.verdict(i); bad {
		parts = append(parts, text)
		x.Mark += "!"
	}
	if also != "" {
		parts = append(parts, p.say("hovershared", also))
	}
	x.Hover = strings.Join(parts, "\n")
	return x
}
