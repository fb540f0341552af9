package desk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table/tableio"
)

// Limits on the part of a sheet that the page shows.
const (
	sheetRows    = 400
	sheetColumns = 80
)

// sheetCall asks for the cells of a file, and how they are understood with flags of reading.
type sheetCall struct {
	File  string
	Flags map[string][]string
}

// sheet shows a file with the layout understood.
func (d *desk) sheet(ctx context.Context, a sheetCall) (any, error) {
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	book, err := bookOf(f.path)
	if err != nil {
		return nil, d.plain(err)
	}
	r, err := newReader(d.resolve(a.Flags))
	if err != nil {
		return nil, err
	}
	o := &document.OpenFileReading{Sheets: []document.OpenSheet{}}
	for _, g := range shownGrids(book) {
		o.Sheets = append(o.Sheets, sheetOf(g))
		o.Sheets[0].Whole = o.Sheets[0].Whole && !flags.Large(f.path)
	}
	s, err := r.inputs.Inspect(r.cmd, f.path, nil)
	if err != nil {
		var two *layout.AmbiguityError
		if errors.As(err, &two) {
			o.Options = two.Options
		}
		o.Problem = d.plain(err).Told(page.Language(ctx))
		if given, err := r.inputs.LayoutOptions(); err == nil && given.From != nil {
			for k, g := range shownGrids(book) {
				p := &parts{g: g, all: []document.OpenPart{}}
				p.told(given.From)
				o.Sheets[k].Parts = p.all
			}
		}
		return o, nil
	}
	account := s.Account(nil)
	o.Words = d.allNamed(sets.Each(append(s.Reading.Words(), account.Words()), func(t i18n.Text) string { return page.Language(ctx).Say(t) }))
	if len(account.Unknown) > 0 {
		o.Options = []string{"--leave-aside=true"}
	}
	if s.Reading.Layout != nil {
		var b bytes.Buffer
		if err := s.Reading.Layout.Save(&b); err != nil {
			return nil, err
		}
		o.Layout = b.String()
	}
	for k, g := range shownGrids(book) {
		o.Sheets[k].Parts = partsOf(g, s.Reading)
	}
	return o, nil
}

// shownGrids returns the sheets that are not hidden.
func shownGrids(b *layout.Book) []*layout.Grid {
	return slices.DeleteFunc(slices.Clone(b.Grids), func(g *layout.Grid) bool { return g.State != "" })
}

// bookOf returns a file as grids of fields.
func bookOf(path string) (*layout.Book, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer f.Close()
	if format := tableio.FormatOf(path); format == tableio.XLSX || format == xlsx.ODS {
		return layout.Workbook(f, path)
	}
	var in io.Reader = f
	if flags.Large(path) {
		head := formats.Head(path, 1<<18)
		in, path = bytes.NewReader(head[:bytes.LastIndexByte(head, '\n')+1]), strings.TrimSuffix(path, ".gz")
	}
	t, err := layout.OpenText(in, path, "", "")
	if err != nil {
		return nil, err
	}
	return t.Book(), nil
}

// sheetOf returns the first part of a grid as texts.
func sheetOf(g *layout.Grid) document.OpenSheet {
	s := document.OpenSheet{Sheet: g.Sheet, Rows: [][]string{}, Whole: len(g.Rows) <= sheetRows, Parts: []document.OpenPart{}}
	for _, row := range g.Rows[:min(len(g.Rows), sheetRows)] {
		texts := []string{}
		for c := range row[:min(len(row), sheetColumns)] {
			texts = append(texts, row[c].Text)
		}
		s.Rows = append(s.Rows, texts)
	}
	for _, m := range g.Merged {
		if m.Bottom < sheetRows && m.Right < sheetColumns {
			s.Merged = append(s.Merged, [4]int{m.Top, m.Left, m.Bottom, m.Right})
		}
	}
	return s
}

// partsOf returns the roles of the fields of a grid in the tables of a reading.
func partsOf(g *layout.Grid, r *layout.Reading) []document.OpenPart {
	p := &parts{g: g, all: []document.OpenPart{}, layout: &layout.Layout{}}
	if r.Layout != nil {
		p.layout = r.Layout
	}
	for _, t := range r.Tables {
		p.table(t)
	}
	for _, a := range r.Aside {
		if onSheet(a.Sheet, g) {
			p.add("aside", a.Ref, a.Why.String())
		}
	}
	return p.all
}

func onSheet(sheet *string, g *layout.Grid) bool {
	return sheet == nil && g.Sheet == "" || sheet != nil && *sheet == g.Sheet
}

// parts collects the parts of one grid.
type parts struct {
	g      *layout.Grid
	layout *layout.Layout
	all    []document.OpenPart
}

func (p *parts) add(what, ref, says string) {
	if at, ok := p.at(ref); ok {
		p.all = append(p.all, document.OpenPart{What: what, At: at, Says: says})
	}
}

// table adds the parts of one table: its cells, what stands left of and above them, and its notes.
func (p *parts) table(t *layout.Table) {
	parents := make([]map[string]bool, len(t.Dimensions))
	for k, x := range t.Dimensions {
		parents[k] = map[string]bool{}
		for _, c := range x.Codes {
			if c.Parent != nil {
				parents[k][*c.Parent] = true
			}
		}
	}
	rows, columns := map[int]bool{}, map[int]bool{}
	for i := range t.Cells {
		c := &t.Cells[i]
		at, ok := p.at(c.Ref)
		if !onSheet(c.Sheet, p.g) || !ok {
			continue
		}
		rows[at[0]], columns[at[1]] = true, true
		what := "value"
		for k, code := range c.Codes {
			if parents[k][code] {
				what = "total"
			}
		}
		switch {
		case c.Means == layout.Suppressed:
			what = "withheld"
		case c.Mark != nil:
			what = "mark"
		}
		p.all = append(p.all, document.OpenPart{What: what, At: at, Says: strings.Join(c.Codes, " / ")})
	}
	for _, x := range t.Derived {
		if onSheet(x.Sheet, p.g) {
			p.add("derived", x.Ref, x.How)
		}
	}
	noted := map[[4]int]bool{}
	for _, n := range t.Notes {
		if at, ok := p.at(n.Ref); ok && onSheet(n.Sheet, p.g) {
			noted[at] = true
			p.all = append(p.all, document.OpenPart{What: n.What, At: at, Says: n.Text})
		}
	}
	p.stubs(rows, columns, noted)
}

// stubs adds labels, which are left of the first cell of their rows, and headers above the columns of cells.
func (p *parts) stubs(rows, columns map[int]bool, noted map[[4]int]bool) {
	if len(rows) == 0 {
		return
	}
	first, left := sheetRows, sheetColumns
	for r := range rows {
		first = min(first, r)
	}
	for c := range columns {
		left = min(left, c)
	}
	for r := range rows {
		for c := range left {
			if p.g.At(r, c).Text != "" && !noted[[4]int{r, c, r, c}] {
				p.all = append(p.all, document.OpenPart{What: "label", At: [4]int{r, c, r, c}})
			}
		}
	}
	if !p.headers(noted) {
		p.above(first, noted)
	}
}

// headers adds the header rows of the layout and those left out; false if it has none for the grid.
func (p *parts) headers(noted map[[4]int]bool) bool {
	found := false
	row := func(line int, what string) {
		r := p.g.Row(line)
		if r >= min(len(p.g.Rows), sheetRows) {
			return
		}
		for c := range p.g.Rows[r] {
			if at := [4]int{r, c, r, c}; p.g.At(r, c).Text != "" && c < sheetColumns && !noted[at] {
				p.all = append(p.all, document.OpenPart{What: what, At: at})
			}
		}
	}
	for _, b := range p.layout.Blocks {
		if b.Sheet != p.g.Sheet && b.Sheet != "" {
			continue
		}
		found = found || len(b.HeaderRows) > 0
		for _, line := range b.HeaderRows {
			row(line, "header")
		}
		for _, line := range b.Skip {
			row(line, "aside")
		}
	}
	return found
}

// above adds what is above the first row of cells as headers.
func (p *parts) above(first int, noted map[[4]int]bool) {
	for r := first - 1; r >= 0; r-- {
		var found []document.OpenPart
		stop := true
		for c := range p.g.Rows[r] {
			at := [4]int{r, c, r, c}
			if p.g.At(r, c).Text == "" || c >= sheetColumns {
				continue
			}
			if noted[at] {
				return
			}
			stop = false
			found = append(found, document.OpenPart{What: "header", At: at})
		}
		if stop {
			return
		}
		p.all = append(p.all, found...)
	}
}

// at returns the rectangle of an address, cut to what the page shows.
func (p *parts) at(ref string) (at [4]int, ok bool) {
	a, ok := p.g.Area(ref)
	at = [4]int{a.Top, a.Left, min(a.Bottom, sheetRows-1), min(a.Right, sheetColumns-1)}
	return at, ok && at[0] <= at[2] && at[1] <= at[3]
}
