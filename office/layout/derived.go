package layout

import (
	"iter"
	"maps"
	"math/big"
	"slices"
)

func maps2(m map[int]string) iter.Seq[int] { return maps.Keys(m) }

// derive explains columns that are called computed and that survey has left: cumulated ones, sums of neighbouring columns.
func (d *draft) derive(t *Table, group []*part) {
	at := map[string]int{} // cells by place
	for i := range d.cells {
		at[d.cells[i].Ref] = i
	}
	for _, p := range group {
		v := p.b.v
		for _, c := range slices.Sorted(maps2(p.derived)) {
			how, tells := "sum of columns", p.cumulated(d, at, c)
			if said := p.derived[c] == asSaid || p.derived[c] == asLaid; said && !slices.ContainsFunc(tells, func(of [][]string) bool { return of != nil }) {
				how, tells = "computed, as somebody says", p.whatever(d, at)
			}
			for i, of := range tells {
				if cell, ok := v.cell(p.data[i], c); ok && cell.Value != nil && of != nil {
					t.Derived = append(t.Derived, Derived{How: how, Of: of, Value: cell.Value, Sheet: cell.Sheet, Ref: cell.Ref, Formula: cell.Formula})
				}
			}
		}
	}
}

// cumulated is, for each row, the cells of neighbouring columns whose sum column c is: of all such sums.
func (p *part) cumulated(d *draft, at map[string]int, c int) [][][]string {
	all := make([][][]string, len(p.data))
	for from := range p.values {
		for to := from + 2; to <= len(p.values); to++ {
			out := make([][][]string, len(p.data))
			for i, r := range p.data {
				w, ok := p.b.v.cell(r, c)
				if !ok || w.Value == nil {
					continue
				}
				sum := new(big.Rat)
				for _, of := range p.values[from:to] {
					cell, ok := at[p.b.v.g.ref(r, of)]
					if !ok || d.state[cell] != stateKnown {
						sum = nil
						break
					}
					v, _ := new(big.Rat).SetString(string(*d.cells[cell].Value))
					sum.Add(sum, v)
					out[i] = append(out[i], d.cells[cell].Codes)
				}
				got, ok := new(big.Rat).SetString(string(*w.Value))
				if sum == nil || !ok || got.Cmp(sum) != 0 {
					out = nil
					break
				}
			}
			for i := range out {
				all[i] = append(all[i], out[i]...)
			}
		}
	}
	return all
}

// Why a column is computed, where nobody found it.
const (
	asSaid = "said so"
	asLaid = "the layout says so"
)

// whatever is, for each row, what a number beside it may be computed from, where nobody knows how: the cells of its row and those of totals.
func (p *part) whatever(d *draft, at map[string]int) [][][]string {
	cells := func(r int) (of [][]string) {
		for _, c := range p.values {
			if cell, ok := at[p.b.v.g.ref(r, c)]; ok {
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
	all := make([][][]string, len(p.data))
	for i, r := range p.data {
		all[i] = slices.Concat(cells(r), totals)
	}
	return all
}
