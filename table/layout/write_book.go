package layout

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/table/tableio"
	"github.com/hitoku/hitoku/table/xlsx"
)

// writeBook writes a copy of a workbook, and notes what changed in it beyond the cells withheld.
func (s *Source) writeBook(w io.Writer, b *built, style *tableio.Style, withheld []bool) error {
	b.changes = nil
	cells := b.cells(withheld)
	if len(cells) == 0 {
		_, err := w.Write(s.book)
		return err
	}
	o := xlsx.CopyOptions{Mark: style.Symbol, Drop: style.DropUnsearched, Keep: style.KeepUnsearched}
	if o.Mark == "" {
		o.Mark = s.mark(b.t)
	}
	var out []xlsx.WithheldCell
	gone := map[xlsx.Place]bool{}
	for _, c := range cells {
		at := place(c.Sheet, c.Ref)
		one := xlsx.WithheldCell{Place: at, Labels: b.t.labels(c)}
		if c.Value != nil && c.Mark == nil {
			one.Value = string(*c.Value)
		}
		out = append(out, one)
		gone[at] = true
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
		for _, of := range d.Of {
			if p, ok := at[strings.Join(of, "\x00")]; ok {
				one.Of = append(one.Of, p)
			}
		}
		o.Derived = append(o.Derived, one)
	}
	changes, err := xlsx.Withhold(w, s.book, out, o)
	var refused *xlsx.RefusedError
	switch {
	case errors.As(err, &refused):
		return &tableio.Error{File: s.name, Want: refusals(err)}
	case err != nil:
		return &tableio.Error{File: s.name, Want: err.Error()}
	}
	for _, c := range changes {
		text := c.String()
		if c.Look {
			text = "look: " + text
		}
		b.changes = append(b.changes, text)
	}
	return nil
}

// refusals says why a workbook is refused, and what to do.
func refusals(err error) string {
	all := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		all = many.Unwrap()
	}
	var texts []string
	drop := false
	for _, e := range all {
		var r *xlsx.RefusedError
		if errors.As(e, &r) {
			drop = drop || r.Drop
		}
		if len(texts) < 10 {
			texts = append(texts, e.Error())
		}
	}
	if len(all) > len(texts) {
		texts = append(texts, fmt.Sprintf("and %d more", len(all)-len(texts)))
	}
	text := strings.Join(texts, "; ")
	if drop {
		text += "; --drop-unsearched leaves it out, --keep-unsearched PART keeps a part that you have looked at"
	}
	return text
}

func place(sheet *string, ref string) xlsx.Place {
	p := xlsx.Place{Ref: ref}
	if sheet != nil {
		p.Sheet = *sheet
	}
	return p
}

// labels are what the file calls a cell, a label for each dimension of more than one code.
func (t *Table) labels(c *Cell) []string {
	var all []string
	for d := range t.Dimensions {
		dim := &t.Dimensions[d]
		if len(dim.Codes) < 2 || d >= len(c.Codes) {
			continue
		}
		k := slices.IndexFunc(dim.Codes, func(x Code) bool { return x.Code == c.Codes[d] })
		if k >= 0 && dim.Codes[k].Label != "" {
			all = append(all, dim.Codes[k].Label)
		} else {
			all = append(all, c.Codes[d])
		}
	}
	return all
}

// Changes implements tableio.Changer.
func (b *built) Changes() []string { return b.changes }
