package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// longFormat is the format of a saved layout of a long table.
const longFormat = "long"

// layout returns how the table was read, as a layout to be saved.
func (l *longForm) layout(g *Grid, t *Table, f File) *Layout {
	b := Block{Name: t.Name, Sheet: g.Sheet, HeaderRows: []int{g.line(l.header)}, Unit: t.Unit, Multiplier: t.UnitMultiplier, Kind: t.Kind, Decimal: f.Decimal, Thousands: f.Thousands, Marks: l.told}
	for d, x := range l.dims {
		name := t.Dimensions[d].Name
		holds := "code"
		if x.whole {
			holds = "code: label"
		}
		b.Labels = append(b.Labels, Stub{Column: g.column(x.code), Holds: holds, Dimension: name})
		if x.label >= 0 {
			b.Labels = append(b.Labels, Stub{Column: g.column(x.label), Holds: "label", Dimension: name})
		}
		b.Dimensions = append(b.Dimensions, SavedDimension{Name: name, Role: t.Dimensions[d].Role, NoTotal: t.Dimensions[d].Role == ofClassification && !t.Dimensions[d].Additive && !t.asks(t.Dimensions[d].Name)})
	}
	b.Values = []string{g.column(l.value)}
	apart := l.format == "sdmx-csv" || l.marks == statcan || slices.ContainsFunc(t.Cells, func(c Cell) bool { return c.Written != nil })
	for n, c := range l.status {
		holds := "flag"
		if n == 0 && apart {
			holds = "mark"
		}
		b.Labels = append(b.Labels, Stub{Column: g.column(c), Holds: holds})
	}
	if l.named > 0 {
		b.Labels = append(b.Labels, Stub{Column: g.column(l.named), Holds: "mark name"})
	}
	if l.unit >= 0 {
		b.Labels = append(b.Labels, Stub{Column: g.column(l.unit), Holds: "unit"})
	}
	if l.freq >= 0 {
		b.Labels = append(b.Labels, Stub{Column: g.column(l.freq), Holds: "contributors"})
	}
	for _, c := range l.office {
		b.Labels = append(b.Labels, Stub{Column: g.column(c), Holds: "unread"})
	}
	return &Layout{Format: longFormat, Blocks: []Block{b}}
}

// line returns the number that layouts give a row.
func (g *Grid) line(r int) int {
	if g.Lines != nil {
		return g.Lines[r]
	}
	return r + 1
}

// column returns the name that layouts give a column.
func (g *Grid) column(c int) string {
	name, h := "", g.origin(c)
	if h.share {
		name = percent
	}
	if g.Lines != nil {
		return fmt.Sprint(h.column+1) + name
	}
	return columnName(h.column) + name
}

// Column returns the column, counted from 0, that layouts call by a name, −1 for none.
func (g *Grid) Column(name string) int {
	if name, ok := strings.CutSuffix(name, percent); ok {
		return slices.Index(g.halves, half{(&Grid{}).Column(name), true})
	}
	if c, err := strconv.Atoi(name); err == nil {
		return g.place(c - 1)
	}
	n := 0
	for _, r := range strings.ToUpper(name) {
		if r < 'A' || r > 'Z' || n > 1<<20 {
			return -1
		}
		n = 26*n + int(r-'A') + 1
	}
	return g.place(n - 1)
}

// savedForm returns what a saved layout says of the columns. The header stands on the line that it names.
func (g *Grid) savedForm(f File, b *Block) (*longForm, error) {
	fault := func(want string, args ...any) error {
		return &formats.Error{File: f.Name, Want: i18n.T("the layout: %s", i18n.T(want, args...))}
	}
	l := &longForm{header: -1, format: f.Format, unit: -1, scale: -1, value: -1, freq: -1, told: b.Marks, saved: true}
	if len(b.Values) != 1 || len(b.HeaderRows) != 1 {
		return nil, fault("want one header row and one column of values")
	}
	l.value = g.Column(b.Values[0])
	for r := range g.Rows {
		if g.line(r) == b.HeaderRows[0] {
			l.header = r
		}
	}
	if l.header < 0 || l.value < 0 || l.value >= len(g.Rows[l.header]) {
		return nil, fault("no column %s below line %d", b.Values[0], b.HeaderRows[0])
	}
	for _, d := range b.Dimensions {
		x := longDim{name: d.Name, code: -1, label: -1, listed: true, role: d.Role}
		for _, s := range b.Labels {
			c := g.Column(s.Column)
			switch {
			case s.Dimension != d.Name:
			case c < 0 || c >= len(g.Rows[l.header]):
				return nil, fault("no column %s", s.Column)
			case s.Holds == "code", s.Holds == "code: label":
				x.code, x.whole = c, s.Holds != "code"
			case s.Holds == "label":
				x.label = c
			}
		}
		if x.code < 0 {
			x.code, x.label = x.label, -1
		}
		if x.code < 0 {
			return nil, fault("no column holds the codes of %s", formats.Show(d.Name))
		}
		if d.Role != ofTime && d.Role != Measure {
			x.role = ofClassification
		}
		l.dims = append(l.dims, x)
	}
	for _, s := range b.Labels {
		c := g.Column(s.Column)
		switch s.Holds {
		case "mark":
			l.status = slices.Insert(l.status, 0, c)
		case "flag":
			l.status = append(l.status, c)
		case "mark name":
			l.named = c
		case "unit":
			l.unit = c
		case "contributors":
			l.freq = c
		case "unread":
			l.office = append(l.office, c)
		}
	}
	if len(l.dims) == 0 {
		return nil, fault("no dimensions")
	}
	if column(wordsOf(g, l.header), "vector", "coordinate", "dguid") >= 0 {
		l.marks = statcan
	}
	return l, nil
}

// wordsOf returns the names of the columns, folded.
func wordsOf(g *Grid, r int) []string {
	return sets.Each(g.Rows[r], func(f Field) string { return wordOf(f.Text) })
}
