package layout

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

func maps2(m map[int]string) iter.Seq[int] { return maps.Keys(m) }

// addresses returns the indices of the cells by where they stand.
func (d *draft) addresses() map[address]int {
	at := make(map[address]int, len(d.cells))
	for i := range d.cells {
		at[d.address(i)] = i
	}
	return at
}

// address returns where cell i stands.
func (d *draft) address(i int) address {
	return address{nameOfSheet(d.cells[i].Sheet), d.cells[i].Ref}
}

// derive notes what columns and rows that somebody calls computed may tell of.
func (d *draft) derive(t *Table, group []*part) {
	at := d.addresses()
	said := func(p *part, why string, r, c int, of [][]string) {
		how := asTold
		if why == asMeasure {
			how = asMeasure
		}
		if cell, ok := p.b.v.cell(r, c); ok && cell.Value != nil && of != nil {
			t.Derived = append(t.Derived, Derived{How: how, Of: of, Value: cell.Value, Sheet: cell.Sheet, Ref: cell.Ref, Formula: cell.Formula})
		}
	}
	for _, p := range group {
		for _, r := range slices.Sorted(maps2(p.leftRows)) {
			for i, c := range p.values {
				if why := p.leftRows[r]; isSaid(why) || why == asMeasure {
					said(p, why, r, c, p.below(d, at, i, len(group) > 1 || why == asSaidOfAll))
				}
			}
		}
		for _, c := range slices.Sorted(maps2(p.derived)) {
			why := p.derived[c]
			if !isSaid(why) && why != asLaid && why != asMeasure {
				continue
			}
			tells := p.whatever(d, at)
			if why == asSaidOfAll {
				tells = slices.Repeat([][][]string{p.below(d, at, 0, true)}, len(p.data))
			}
			for i, of := range tells {
				said(p, why, p.data[i], c, of)
			}
		}
	}
}

// reveals reports whether a computed number tells of one of some cells, by their codes. The share of a number of itself
// tells nothing.
func (d *Derived) reveals(gone map[string]bool) bool {
	return !d.itself && slices.ContainsFunc(d.Of, func(of []string) bool { return gone[strings.Join(of, "\x00")] })
}

// narrow adds to what differences and means tell of, where sums show that the numbers of the table are rounded, the
// cells in a sum with their sources: computed before the rounding, they tell more closely what those add up to.
func (t *Table) narrow() {
	if !slices.ContainsFunc(t.Relations, func(r Relation) bool { return r.Missed > 0 }) {
		return
	}
	for i := range t.Derived {
		d := &t.Derived[i]
		if d.How != asDifference && d.How != asQuotient {
			continue
		}
		for _, of := range slices.Clip(d.Of) {
			for _, r := range t.Relations {
				all := append([]string{r.Total}, r.Parts...)
				if !slices.Contains(all, of[r.Dim]) {
					continue
				}
				for _, code := range all {
					if near := slices.Clone(of); code != of[r.Dim] {
						near[r.Dim] = code
						d.Of = append(d.Of, near)
					}
				}
			}
		}
	}
}

// computed returns an error if a name of --derived is of no column, and no word of it stands in the book: the name of a
// code may be joined from several fields.
func (b *Book) computed(o *Options) error {
	for _, name := range o.Derived {
		words := strings.Fields(name)
		if !slices.ContainsFunc(b.Grids, func(g *Grid) bool {
			c := g.Column(strings.Trim(name, "()"))
			return slices.ContainsFunc(g.Rows, func(row []Field) bool {
				return c >= 0 && c < len(row) || slices.ContainsFunc(row, func(f Field) bool {
					return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(f.Text, w) })
				})
			})
		}) {
			return &formats.Error{File: b.File.Name, Want: i18n.T("--derived %s: no such column or row; want the number, letter or header of a column, or the label or code of a row", formats.Show(name))}
		}
	}
	return nil
}

// below returns what a number below column i of values may be computed from, as nobody knows how: the cells of its
// column and of columns of totals, or all cells of a table of several parts, whose rows it may belong to.
func (p *part) below(d *draft, at map[address]int, i int, all bool) (of [][]string) {
	if all {
		for n := range d.cells {
			of = append(of, d.cells[n].Codes)
		}
		return of
	}
	for _, r := range p.data {
		for k, c := range p.values {
			cell, ok := at[address{p.b.v.g.Sheet, p.b.v.g.ref(r, c)}]
			if ok && (k == i || slices.ContainsFunc(p.cols, func(l level) bool { return isTotalName(l.at[k].label) })) {
				of = append(of, d.cells[cell].Codes)
			}
		}
	}
	return of
}

// Why a column or row is taken to be computed, apart from what its numbers show.
const (
	asSaid      = "said so"
	asSaidOfAll = "said so, of other lines too"
	asLaid      = "the layout says so"
)

// isSaid reports whether somebody says that a column or row is computed.
func isSaid(why string) bool { return why == asSaid || why == asSaidOfAll }

// ofOthers reports whether a label says that numbers tell of other lines than their own, as running totals and changes
// do, of which those beside a withheld number give it away.
func ofOthers(label string) bool {
	return cumulWords().MatchString(label) || changeWords().MatchString(label)
}

// whatever returns, for each row, what a number beside it may be computed from, as nobody knows how: the cells of its
// row and of rows of totals.
func (p *part) whatever(d *draft, at map[address]int) [][][]string {
	cells := func(r int) (of [][]string) {
		for _, c := range p.values {
			if cell, ok := at[address{p.b.v.g.Sheet, p.b.v.g.ref(r, c)}]; ok {
				of = append(of, d.cells[cell].Codes)
			}
		}
		return of
	}
	var totals [][]string
	for i, r := range p.data {
		if slices.ContainsFunc(p.rows, func(l level) bool { return isTotalName(l.at[i].label) }) {
			totals = append(totals, cells(r)...)
		}
	}
	return sets.Each(p.data, func(r int) [][]string { return slices.Concat(cells(r), totals) })
}
