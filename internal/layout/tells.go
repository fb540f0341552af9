package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// attach adds to the tables the numbers that are computed from their cells.
func (r *Reading) attach(grids []*Grid, found []*computed, style func(*Grid) *numberStyle) {
	of, views := map[string]*Grid{}, map[string]*view{}
	for _, g := range grids {
		of[g.Sheet] = g
	}
	placed := r.placed()
	for _, t := range r.Tables {
		codes, sheets := map[address][]string{}, map[string]bool{}
		for i := range t.Cells {
			sheets[nameOfSheet(t.Cells[i].Sheet)] = true
			codes[address{nameOfSheet(t.Cells[i].Sheet), t.Cells[i].Ref}] = t.Cells[i].Codes
		}
		said := map[address][][]string{} // what numbers that somebody calls computed are made of
		for _, d := range t.Derived {
			said[address{nameOfSheet(d.Sheet), d.Ref}] = d.Of
		}
		tells := map[*fieldAt]telling{} // by where their list begins in memory, as all ranks of a column share one list
		for _, f := range found {
			g := of[f.at.sheet]
			if f.how == asMeasure && !sheets[f.at.sheet] {
				continue
			}
			v := views[g.Sheet]
			if v == nil {
				v = newView(g, style(g))
				views[g.Sheet] = v
			}
			at := g.At(f.at.r, f.at.c)
			d := Derived{How: f.how, Of: [][]string{}, Sheet: sheetName(g), Ref: g.ref(f.at.r, f.at.c), Formula: at.Formula, Value: v.value(f.at.r, f.at.c).Value}
			answered := false
			sources := f.of
			if d.itself = f.own != nil && !f.other && d.Value != nil && at.whole(*d.Value); d.itself {
				sources = f.own
			}
			if len(sources) > 0 {
				x, known := tells[&sources[0]]
				if !known {
					x = tellingOf(sources, of, codes, said, placed)
					tells[&sources[0]] = x
				}
				if d.Of = x.of; d.Of == nil {
					continue
				}
				answered = x.answered
			}
			t.Derived = append(t.Derived, d)
			if base := codes[address{f.base.sheet, of[f.at.sheet].ref(f.base.r, f.base.c)}]; base != nil && !answered {
				t.divided(base, d.Of)
			}
		}
		t.narrow()
	}
}

// whole reports whether the number of a field is 100 per cent, which every number is of itself.
func (f *Field) whole(v Decimal) bool {
	whole, part, _ := strings.Cut(string(v), ".")
	return strings.Trim(part, "0") == "" && (whole == "100" || whole == "1" && f.Style != nil && isPercent(f.Style.Format))
}

// placed returns the addresses of the cells of several tables, and of numbers that somebody calls computed from some.
func (r *Reading) placed() map[address]bool {
	if len(r.Tables) < 2 {
		return nil
	}
	all := map[address]bool{}
	for _, t := range r.Tables {
		for i := range t.Cells {
			all[address{nameOfSheet(t.Cells[i].Sheet), t.Cells[i].Ref}] = true
		}
		for _, d := range t.Derived {
			if d.Of != nil {
				all[address{nameOfSheet(d.Sheet), d.Ref}] = true
			}
		}
	}
	return all
}

// A telling is what a computed number tells of a table: the codes of its cells that the number is computed from, none
// where one of the sources is no cell of any table. What it tells of another table stands there.
type telling struct {
	of       [][]string
	answered bool // one of its sources is itself called computed, so nobody need be asked what is divided by what
}

// tellingOf returns the codes of the cells that a number is computed from. A source that somebody calls computed stands
// for the cells that said has for it.
func tellingOf(sources []fieldAt, grids map[string]*Grid, codes map[address][]string, said map[address][][]string, placed map[address]bool) (x telling) {
	for _, o := range sources {
		g := grids[o.sheet]
		if g == nil {
			return telling{}
		}
		at := address{o.sheet, g.ref(o.r, o.c)}
		if c, ok := codes[at]; ok {
			x.of = append(x.of, c)
		} else if tells := said[at]; tells != nil {
			x.of = append(x.of, tells...)
			x.answered = true
		} else if !placed[at] {
			return telling{}
		}
	}
	return x
}

// divided asks whether a code by which others are divided, such as households or an area, is a measure of its own,
// where it stands among classes.
func (t *Table) divided(base []string, of [][]string) {
	for k := range t.Dimensions {
		d := &t.Dimensions[k]
		apart := slices.ContainsFunc(of, func(codes []string) bool { return codes[k] != base[k] })
		if !apart || d.Role == Measure || d.Role == ofTime || len(d.Codes) < 3 || slices.ContainsFunc(t.doubts, func(x doubt) bool { return x.dim == d.Name }) {
			continue
		}
		ask := dividedBy(d.Name, base[k])
		for _, codes := range of { // what is divided by it may be the measure of its own instead
			option := "--derived " + quoteName(codes[k])
			if len(ask.Options) < 4 && !slices.Contains(ask.Options, option) {
				ask.Readings, ask.Options = append(ask.Readings, i18n.T("%s is a measure of its own, whose numbers go where they may tell", codes[k])), append(ask.Options, option)
			}
		}
		t.doubts = slices.Insert(t.doubts, 0, doubt{d.Name, ask})
	}
}

// bare returns a code without the brackets that enclose all of it.
func bare(code string) string {
	if s, ok := strings.CutPrefix(code, "("); ok && strings.HasSuffix(s, ")") && !strings.ContainsAny(s[:len(s)-1], "()") {
		return s[:len(s)-1]
	}
	return code
}

// dividedBy returns the question whether a code is a measure of its own.
func dividedBy(dim, code string) Ambiguity {
	return Ambiguity{
		Question: i18n.T("%s: others are divided by %s, which may be a measure of its own", dim, code),
		Readings: []i18n.Text{i18n.T("it is: its numbers go where they may tell"), i18n.T("the columns are measures")},
		Options:  []string{"--derived " + quoteName(bare(code)), `role = "measure" in the layout of --save-layout, read by --layout, then --response`},
	}
}

// based returns the question about a column of a part by which other columns are divided, nil where there is none.
func (r *Reading) based(p *part) *Ambiguity {
	if len(p.values) < 3 || len(p.cols) == 0 {
		return nil
	}
	for j, c := range p.values {
		for _, row := range p.data {
			if l := &p.cols[len(p.cols)-1]; r.bases[fieldAt{p.b.v.g.Sheet, row, c}] {
				name := l.name
				if name == "" {
					name = "Column"
				}
				ask := dividedBy(name, l.at[j].key())
				return &ask
			}
		}
	}
	return nil
}
