package layout

import (
	"iter"
	"maps"
	"math/big"
	"slices"
)

func maps2(m map[int]string) iter.Seq[int] { return maps.Keys(m) }

// derive explains columns of shares: each number is a cell in per cent of the total of its
// column, or of its row, within the rounding of its decimals.
func (d *draft) derive(t *Table, group []*part) {
	at := map[string]int{} // cells by place
	for i := range d.cells {
		at[d.cells[i].Ref] = i
	}
	for _, p := range group {
		v := p.b.v
		for _, c := range slices.Sorted(maps2(p.derived)) {
			best := p.shares(d, at, c)
			if best == nil {
				continue
			}
			for i, r := range p.data {
				cell, ok := v.cell(r, c)
				if !ok || cell.Value == nil || best[i].of == nil {
					continue
				}
				t.Derived = append(t.Derived, Derived{How: best[i].how, Of: best[i].of, Value: cell.Value, Sheet: cell.Sheet, Ref: cell.Ref, Formula: cell.Formula})
			}
		}
	}
}

// A share is how a derived number is computed.
type share struct {
	how string
	of  [][]string
}

// shares finds of what the numbers of column c are per cent, nil if of nothing.
func (p *part) shares(d *draft, at map[string]int, c int) []share {
	v := p.b.v
	total := -1 // the row of the total
	for k := range p.data {
		if len(p.rows) > 0 && isTotalName(p.rows[len(p.rows)-1].at[k].label) {
			total = k
			break
		}
	}
	if total < 0 && len(p.data) > 0 {
		total = 0
	}
	cellAt := func(r, c int) int {
		if i, ok := at[v.g.Ref(r, c)]; ok && d.state[i] == stateKnown {
			return i
		}
		return -1
	}
	try := func(how string, pair func(i int) (int, int)) []share {
		out := make([]share, len(p.data))
		n := 0
		for i, r := range p.data {
			w, ok := v.cell(r, c)
			if !ok || w.Value == nil {
				continue
			}
			a, b := pair(i)
			if a < 0 || b < 0 {
				continue
			}
			if !isShare(string(*w.Value), d.value[a], d.value[b]) {
				return nil
			}
			out[i] = share{how, [][]string{d.cells[a].Codes, d.cells[b].Codes}}
			n++
		}
		if n < 2 {
			return nil
		}
		return out
	}
	// the nearest column first, from right to left
	for k := range p.values {
		of := p.values[k]
		if s := try("per cent of the column total", func(i int) (int, int) { return cellAt(p.data[i], of), cellAt(p.data[total], of) }); s != nil {
			return s
		}
	}
	for _, of := range p.values {
		for _, all := range p.values {
			if of == all {
				continue
			}
			if s := try("per cent of another column", func(i int) (int, int) { return cellAt(p.data[i], of), cellAt(p.data[i], all) }); s != nil {
				return s
			}
		}
	}
	return nil
}

// isShare reports whether text is a in per cent of b, rounded to its decimals or to one.
func isShare(text string, a, b int64) bool {
	if b == 0 {
		return false
	}
	got, ok := new(big.Rat).SetString(text)
	if !ok {
		return false
	}
	want := new(big.Rat).SetFrac64(a*100, b)
	half := big.NewRat(1, 20) // offices drop zeros behind the point: one decimal at least
	if n := Decimal(text).Places(); n > 1 {
		half = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Mul(big.NewInt(2), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)))
	}
	diff := new(big.Rat).Sub(got, want)
	return diff.Abs(diff).Cmp(half) <= 0
}
