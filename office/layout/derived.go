package layout

import (
	"cmp"
	"iter"
	"maps"
	"math/big"
	"slices"
)

func maps2(m map[int]string) iter.Seq[int] { return maps.Keys(m) }

// derive explains columns of shares, each number a cell in per cent of the total of its column, or of another in its row, within the rounding of
// its decimals; and cumulated ones.
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
		if i, ok := at[v.g.ref(r, c)]; ok && d.state[i] == stateKnown {
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
			if d.value[a] == 0 { // the same of whatever
				out[i].of = out[i].of[:1]
			}
			n++
		}
		if n < 2 {
			return nil
		}
		return out
	}
	// The nearest column to the left first; a number that others explain as well tells of their cells, too.
	values := slices.Clone(p.values)
	slices.SortStableFunc(values, func(a, b int) int { return cmp.Compare(reach(a, c), reach(b, c)) })
	var best []share
	add := func(s []share) {
		if best == nil {
			best = s
			return
		}
		for i := range s {
			if best[i].of == nil {
				best[i] = s[i]
			} else {
				best[i].of = append(best[i].of, s[i].of...)
			}
		}
	}
	for _, of := range values {
		add(try("per cent of the column total", func(i int) (int, int) { return cellAt(p.data[i], of), cellAt(p.data[total], of) }))
	}
	if best != nil {
		return best
	}
	for _, of := range values {
		for _, all := range values {
			if of != all {
				add(try("per cent of another column", func(i int) (int, int) { return cellAt(p.data[i], of), cellAt(p.data[i], all) }))
			}
		}
	}
	if best != nil {
		return best
	}
	p.cumulated(d, cellAt, c, add)
	return best
}

// cumulated adds what explains the numbers of column c as sums of neighbouring columns.
func (p *part) cumulated(d *draft, cellAt func(r, c int) int, c int, add func([]share)) {
	for from := range p.values {
		for to := from + 2; to <= len(p.values); to++ {
			out := make([]share, len(p.data))
			for i, r := range p.data {
				w, ok := p.b.v.cell(r, c)
				if !ok || w.Value == nil {
					continue
				}
				sum := new(big.Rat)
				for _, of := range p.values[from:to] {
					cell := cellAt(r, of)
					if cell < 0 {
						sum = nil
						break
					}
					v, _ := new(big.Rat).SetString(string(*d.cells[cell].Value))
					sum.Add(sum, v)
					out[i].of = append(out[i].of, d.cells[cell].Codes)
				}
				got, ok := new(big.Rat).SetString(string(*w.Value))
				if sum == nil || !ok || got.Cmp(sum) != 0 {
					out = nil
					break
				}
				out[i].how = "sum of columns"
			}
			add(out)
		}
	}
}

// reach is how far column a is from column c, those at the right of c behind those at its left.
func reach(a, c int) int {
	if a < c {
		return c - a
	}
	return a + 1<<20
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
	if n := Decimal(text).places(); n > 1 {
		half = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Mul(big.NewInt(2), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)))
	}
	diff := new(big.Rat).Sub(got, want)
	return diff.Abs(diff).Cmp(half) <= 0
}
