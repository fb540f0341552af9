package report

import (
	"strings"

	"github.com/hitoku/hitoku/table"
)

// protectionPart is one table as grids, or why it is not shown so.
type protectionPart struct {
	Title string // of a table of a set
	Grids []protectionGrid
	Note  string
}

type protectionGrid struct {
	Title, Corner string
	Head          []string
	Rows          []protectionRow
}

type protectionRow struct {
	Name  string
	Total bool
	Cells []protectionText
}

// protectionText is a cell of a grid: its value or, where that is not shown, what an
// intruder learns.
type protectionText struct{ Text, Interval, Mark, Class, Hover string }

// grids lays small tables out as cross-tabulations of the first two variables.
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

// part shows t, whose cell i is cell at(i) of the page's table.
func (p *protectionPage) part(t *table.Table, number int, at func(i int) int) (part protectionPart) {
	k := len(t.Dims)
	switch {
	case k == 0:
		part.Note = p.T("norelationgrid")
		return part
	case t.Len() > maxGridCells:
		part.Note = p.say("nogrid", t.Len(), maxGridCells)
		return part
	}
	cells := make(map[[6]int32]int, t.Len())
	for i := range t.Len() {
		var key [6]int32
		copy(key[:], t.Coord[i*k:i*k+k])
		cells[key] = at(i)
	}
	rows, names := t.Dims[0].Shown("\u2003")
	columns, head, corner := []int32{0}, []string{p.T("value")}, t.Dims[0].Name
	if k > 1 {
		columns, head = t.Dims[1].Shown("")
		corner += " \\ " + t.Dims[1].Name
	}
	var layer func(key [6]int32, d int, title string)
	layer = func(key [6]int32, d int, title string) {
		if d >= k {
			g := protectionGrid{Title: title, Corner: corner, Head: head}
			for n, r := range rows {
				row := protectionRow{Name: names[n], Total: r == 0}
				for _, c := range columns {
					key[0] = r
					if k > 1 {
						key[1] = c
					}
					x := protectionText{Text: "-"}
					if i, ok := cells[key]; ok {
						x = p.text(i, number)
					}
					row.Cells = append(row.Cells, x)
				}
				g.Rows = append(g.Rows, row)
			}
			part.Grids = append(part.Grids, p.split(g)...)
			return
		}
		order, labels := t.Dims[d].Shown("")
		for n, c := range order {
			key[d] = c
			next := t.Dims[d].Name + " = " + labels[n]
			if title != "" {
				next = title + p.T("andword") + next
			}
			layer(key, d+1, next)
		}
	}
	layer([6]int32{}, 2, "")
	return part
}

// split takes a grid apart whose lines are too long, column after column.
func (p *protectionPage) split(g protectionGrid) []protectionGrid {
	first := letters(g.Corner)
	room := make([]float64, len(g.Head)) // of each column
	for c, name := range g.Head {
		room[c] = letters(name)
	}
	for _, r := range g.Rows {
		first = max(first, letters(r.Name))
		for c, x := range r.Cells {
			room[c] = max(room[c], letters(x.Text+x.Interval))
		}
	}
	const between = 3.5 // letters of room between two columns
	var ends []int      // of the columns of each part
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
			x.Rows = append(x.Rows, protectionRow{r.Name, r.Total, r.Cells[from:to]})
		}
		all, from = append(all, x), to
	}
	return all
}

// text is a cell as the grid of a table shows it.
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
