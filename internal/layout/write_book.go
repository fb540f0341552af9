package layout

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
)

// writeBook writes a copy of a workbook, and notes what changes in it besides the withheld cells.
func (s *Source) writeBook(w io.Writer, b *built, style *formats.Style, withheld []bool) error {
	b.changes = nil
	cells := b.cells(withheld)
	if len(cells) == 0 && s.blanks == nil && s.texts == nil {
		_, err := w.Write(s.book)
		return err
	}
	o := xlsx.CopyOptions{Mark: style.Symbol, Drop: style.DropUnsearched, Keep: style.KeepUnsearched, Texts: s.texts}
	if o.Mark == "" {
		o.Mark = s.mark(b.t)
	}
	var out []xlsx.WithheldCell
	gone, secret := map[xlsx.Place]bool{}, map[string]bool{} // by place and by codes
	labels := b.t.labels()
	together := s.toldTogether(b.t)
	for _, c := range cells {
		at := place(c.Sheet, c.Ref)
		one := xlsx.WithheldCell{Place: at, Labels: labels(c)}
		if c.Value != nil && c.Mark == nil {
			one.Value, one.Text = string(*c.Value), s.textAt(at)
		}
		if text := s.inFile(at.Sheet, at.Ref); text != "" {
			one.Text, one.Mark = text, halfOf(text, o.Mark, o.Mark)
		}
		for _, n := range together {
			if slices.Contains(n.of, c.Ref) {
				one.Told = append(one.Told, n.number)
			}
		}
		out = append(out, one)
		gone[at], secret[strings.Join(c.Codes, "\x00")] = true, true
	}
	for _, b := range s.blanks {
		out = append(out, s.unshared(xlsx.WithheldCell{Place: xlsx.Place{Sheet: b.sheet, Ref: b.ref}}, o.Mark, gone)...)
	}
	at := map[string]xlsx.Place{} // by codes
	for i := range b.t.Cells {
		c := &b.t.Cells[i]
		p := place(c.Sheet, c.Ref)
		at[strings.Join(c.Codes, "\x00")] = p
		if !gone[p] {
			o.Published = append(o.Published, p)
		}
	}
	for _, d := range b.t.Derived {
		one := xlsx.DerivedCell{Place: place(d.Sheet, d.Ref)}
		if d.How != asTold && d.How != asMeasure && !d.reveals(secret) {
			o.Explained = append(o.Explained, one.Place)
		}
		if d.itself {
			continue
		}
		for _, of := range d.Of {
			if p, ok := at[strings.Join(of, "\x00")]; ok {
				one.Of = append(one.Of, p)
			}
		}
		if strings.HasSuffix(d.Ref, percent) { // no cell of the file itself
			if slices.ContainsFunc(one.Of, func(p xlsx.Place) bool { return gone[p] }) {
				out = append(out, s.unshared(xlsx.WithheldCell{Place: one.Place}, o.Mark, gone)...)
			}
			continue
		}
		o.Derived = append(o.Derived, one)
	}
	computed := map[xlsx.Place][]xlsx.Place{}
	for _, d := range o.Derived {
		computed[d.Place] = d.Of
	}
	for _, x := range s.Account(b.t).copies {
		one := xlsx.DerivedCell{Place: s.placeOf(x.at)}
		tells := xlsx.DerivedCell{Place: one.Place}
		for _, of := range x.of {
			p := s.placeOf(of)
			one.Of = append(one.Of, p)
			tells.Of = append(tells.Of, computed[p]...) // a copy of a share reveals what the share reveals
		}
		if !slices.ContainsFunc(slices.Concat(one.Of, tells.Of), func(p xlsx.Place) bool { return gone[p] }) {
			o.Explained = append(o.Explained, one.Place)
		}
		o.Copies = append(o.Copies, one)
		if tells.Of != nil {
			o.Derived = append(o.Derived, tells)
		}
	}
	o.Published = slices.DeleteFunc(o.Published, func(p xlsx.Place) bool { // some are withheld by themselves, as shares
		return slices.ContainsFunc(out, func(x xlsx.WithheldCell) bool { return x.Place == p })
	})
	var err error
	b.changes, err = xlsx.Copy(w, s.name, s.book, out, o)
	return err
}

// textAt returns the text of a field.
func (s *Source) textAt(p xlsx.Place) string {
	for _, g := range s.grids {
		if g.Sheet == p.Sheet {
			if at, ok := g.Area(p.Ref); ok {
				return g.At(at.Top, at.Left).Text
			}
		}
	}
	return ""
}

// placeOf returns a field as package xlsx refers to it.
func (s *Source) placeOf(f fieldAt) xlsx.Place {
	for _, g := range s.grids {
		if g.Sheet == f.sheet {
			return xlsx.Place{Sheet: f.sheet, Ref: g.ref(f.r, f.c)}
		}
	}
	return xlsx.Place{Sheet: f.sheet}
}

func place(sheet *string, ref string) xlsx.Place {
	p := xlsx.Place{Ref: ref}
	if sheet != nil {
		p.Sheet = *sheet
	}
	return p
}

// named reports whether a text that tells a cell has to name its code of a dimension: at least two codes are no totals,
// so that they tell cells apart, and they are no measures, of which a text such as "40 in Lorne" need not say what it
// counts.
func (d *Dimension) named() bool {
	if d.Role == Measure {
		return false
	}
	parts := map[string]bool{}
	for _, c := range d.Codes {
		parts[c.Code] = true
	}
	for _, c := range d.Codes {
		if c.Parent != nil {
			delete(parts, *c.Parent)
		}
	}
	return len(parts) > 1
}

// labels returns a function that gives what the file calls a cell: a label for each dimension whose code a text has to
// name.
func (t *Table) labels() func(c *Cell) []string {
	label := make([]map[string]string, len(t.Dimensions))
	for d := range t.Dimensions {
		if dim := &t.Dimensions[d]; dim.named() {
			label[d] = map[string]string{}
			for _, x := range dim.Codes {
				label[d][x.Code] = cmp.Or(x.Label, x.Code)
			}
			label[d][nowhere] = "" // the code of other tables, where tables are joined
		}
	}
	for _, x := range t.unnamed {
		if label[x.dim] != nil {
			label[x.dim][x.code] = ""
		}
	}
	return func(c *Cell) (all []string) {
		for d := range label {
			if label[d] == nil || d >= len(c.Codes) {
				continue
			}
			if name, ok := label[d][c.Codes[d]]; !ok {
				all = append(all, c.Codes[d])
			} else if name != "" {
				all = append(all, name)
			}
		}
		return all
	}
}

// Changes implements formats.Changer.
func (b *built) Changes() []fmt.Stringer { return b.changes }

// Calculated implements formats.calculated.
func (b *built) Calculated() []byte {
	if b.s.calculated {
		return b.s.book
	}
	return nil
}
