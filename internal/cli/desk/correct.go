package desk

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
)

// correctCall gives rows or columns of a sheet another meaning.
type correctCall struct {
	File     string
	Flags    map[string][]string
	Sheet    string
	Rows     bool
	From, To int
	As       string // a role that layout.Correct takes, or derived, fill or nofill
}

// Roles of rows and columns beyond those of layout.Correct.
const (
	asDerived = "derived"
	asFill    = "fill" // the labels of a column fill down
	asNoFill  = "nofill"
)

// cloned returns a copy of flags that may be changed.
func cloned(given map[string][]string) map[string][]string {
	own := map[string][]string{}
	for name, values := range given {
		own[name] = slices.Clone(values)
	}
	return own
}

// correct returns flags of reading with the correction. It stands in a layout that the desk keeps as a file, except for
// what has a flag of its own.
func (d *desk) correct(a correctCall) (any, error) {
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	flags := cloned(a.Flags)
	switch a.As {
	case asFill:
		flags["fill-down"] = []string{"true"}
		return &document.Corrected{Flags: flags}, nil
	case asNoFill:
		flags["fill-down"] = []string{"false"}
		return &document.Corrected{Flags: flags}, nil
	}
	book, err := bookOf(f.path)
	if err != nil {
		return nil, d.plain(err)
	}
	k := slices.IndexFunc(book.Grids, func(g *layout.Grid) bool { return g.Sheet == a.Sheet })
	if k < 0 {
		return nil, i18n.New("the file has no such sheet")
	}
	g := book.Grids[k]
	was, tables, err := d.understood(f, a.Flags, g)
	if err != nil {
		return nil, err
	}
	place := layout.Place{Rows: a.Rows, From: a.From, To: a.To}
	if a.As == asDerived {
		names := layout.Names(g, tables, place)
		if len(names) == 0 {
			return nil, i18n.New("no cells of a table stand there")
		}
		flags["derived"] = slices.Compact(append(flags["derived"], names...))
		return &document.Corrected{Flags: flags}, nil
	}
	now, err := was.Correct(g, tables, place, a.As)
	if err != nil {
		return nil, err
	}
	if a.As == layout.AsValue {
		flags["derived"] = slices.DeleteFunc(flags["derived"], func(x string) bool { return g.Says(place, x) })
		if len(flags["derived"]) == 0 {
			delete(flags, "derived")
		}
	}
	var text bytes.Buffer
	if err := now.Save(&text); err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(f.name, filepath.Ext(f.name)) + ".layout.toml"
	if _, err := d.Upload(name, &text); err != nil {
		return nil, err
	}
	for _, told := range []string{"range", "header-rows", "label-columns"} { // the layout replaces these
		delete(flags, told)
	}
	flags["layout"] = []string{name}
	return &document.Corrected{Flags: flags}, nil
}

// understood returns the layout that a correction starts from (the one that the flags name, the one understood, or a
// draft), and the tables read with it, if any.
func (d *desk) understood(f *deskFile, flags map[string][]string, g *layout.Grid) (*layout.Layout, []*layout.Table, error) {
	r, err := newReader(d.resolve(flags))
	if err != nil {
		return nil, nil, err
	}
	s, failed := r.inputs.Inspect(r.cmd, f.path, nil)
	given, err := r.inputs.LayoutOptions()
	switch {
	case err != nil:
		return nil, nil, d.plain(err)
	case given.From != nil && failed == nil:
		return given.From, s.Reading.Tables, nil
	case given.From != nil:
		return given.From, nil, nil
	case failed == nil && s.Reading.Layout != nil && len(s.Reading.Layout.Blocks) > 0:
		return s.Reading.Layout, s.Reading.Tables, nil
	}
	if drafted := layout.Draft(g); drafted != nil {
		return drafted, nil, nil
	}
	return nil, nil, i18n.New("the sheet has no rows and columns that could be a table")
}

// told marks the parts of a layout with which nothing could be read.
func (p *parts) told(l *layout.Layout) {
	for _, b := range l.Blocks {
		if b.Sheet != p.g.Sheet && b.Sheet != "" {
			continue
		}
		area, ok := p.at(b.Range)
		if !ok {
			continue
		}
		rows := map[int]string{}
		for _, at := range b.HeaderRows {
			rows[p.g.Row(at)] = "header"
		}
		for _, at := range b.Skip {
			rows[p.g.Row(at)] = "aside"
		}
		columns := map[int]string{}
		for _, s := range b.Labels {
			columns[p.g.Column(s.Column)] = "label"
		}
		for _, c := range b.Derived {
			columns[p.g.Column(c)] = "derived"
		}
		for r := area[0]; r <= area[2]; r++ {
			for c := area[1]; c <= area[3]; c++ {
				what := "value"
				for _, x := range []string{columns[c], rows[r]} {
					if x != "" {
						what = x
					}
				}
				p.all = append(p.all, document.OpenPart{What: what, At: [4]int{r, c, r, c}})
			}
		}
	}
}
