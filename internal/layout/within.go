package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
)

// Within returns pairs of cells of in's table of which readers know, although no relation says so, that the first
// is at most the second: a memo item, or a code that no sum holds and so may be one, and what it is a part of; and
// neighbours in rows or columns that are sorted by value.
func Within(in *formats.Input) (pairs [][2]int) {
	b, ok := formats.LayoutOf(in).(*built)
	if !ok {
		return sorted(in, func(int, string) bool { return false })
	}
	if b.t.NotAdditive {
		return nil
	}
	at := make(map[string]int, len(b.keys)) // cells by their codes
	for i, key := range b.keys {
		at[key] = i
	}
	memos := make([]map[string]bool, len(b.kept))
	for k, d := range b.kept {
		dim, sums := &b.t.Dimensions[d], b.t.sums(d)
		memos[k] = map[string]bool{}
		for _, c := range dim.Codes {
			if c.Memo || dim.Additive && c.Parent == nil && len(sums[c.Code]) == 0 {
				memos[k][c.Code] = true
			}
		}
		if len(memos[k]) == 0 {
			continue
		}
		cells := map[string][]cellOf{} // by memo code
		for i, key := range b.keys {
			if codes := strings.Split(key, "\x00"); memos[k][codes[k]] {
				cells[codes[k]] = append(cells[codes[k]], cellOf{i, codes})
			}
		}
		for c := range dim.Codes {
			pairs = append(pairs, b.wholes(k, c, cells[dim.Codes[c].Code], at, sums)...)
		}
	}
	return append(pairs, sorted(in, func(k int, code string) bool { return memos[k][code] })...)
}

// A cellOf is a cell of the table with its codes.
type cellOf struct {
	cell  int
	codes []string
}

// wholes pairs the cells of code c of kept dimension k, if it is a memo item, with those of a code it may be a
// part of: its parent, else the code before it, else the total; the first of which no value is below that of c. It
// may as well be a part of the code of the line above it.
func (b *built) wholes(k, c int, cells []cellOf, at map[string]int, sums map[string][][]string) (pairs [][2]int) {
	if cells == nil {
		return nil
	}
	dim := &b.t.Dimensions[b.kept[k]]
	var of []string
	if above := b.above(k, cells[0], at, sums); above != "" {
		pairs = b.atMost(k, above, cells, at)
	}
	if p := dim.Codes[c].Parent; p != nil {
		of = append(of, *p)
	}
	for i := c - 1; i >= 0; i-- {
		if x := &dim.Codes[i]; !x.Memo && (x.Parent != nil || len(sums[x.Code]) > 0) {
			of = append(of, dim.Codes[i].Code)
			break
		}
	}
	for _, x := range dim.Codes {
		if x.Parent == nil && !x.Memo && len(sums[x.Code]) > 0 {
			of = append(of, x.Code)
		}
	}
	for _, w := range of {
		if more := b.atMost(k, w, cells, at); more != nil {
			return append(pairs, more...)
		}
	}
	return pairs
}

// above returns the code of kept dimension k, in a sum or no memo item, whose cell stands in the nearest line above
// cell x, "" if there is none.
func (b *built) above(k int, x cellOf, at map[string]int, sums map[string][][]string) (code string) {
	own := &b.t.Cells[b.cell[x.cell]]
	codes, nearest, summed := slices.Clone(x.codes), 0, map[string]bool{}
	for total, all := range sums {
		summed[total] = true
		for _, parts := range all {
			for _, part := range parts {
				summed[part] = true
			}
		}
	}
	for _, c := range b.t.Dimensions[b.kept[k]].Codes {
		codes[k] = c.Code
		j, ok := at[strings.Join(codes, "\x00")]
		if !ok || c.Memo && !summed[c.Code] {
			continue
		}
		of := &b.t.Cells[b.cell[j]]
		if row := rowOf(of.Ref); nameOfSheet(of.Sheet) == nameOfSheet(own.Sheet) && row > nearest && row < rowOf(own.Ref) {
			nearest, code = row, c.Code
		}
	}
	return code
}

// atMost pairs cells with those of code w of kept dimension k. It returns nil if a value is known to exceed that
// of w, or may be negative.
func (b *built) atMost(k int, w string, cells []cellOf, at map[string]int) (pairs [][2]int) {
	t := b.table
	for _, x := range cells {
		own := x.codes[k]
		x.codes[k] = w
		j, ok := at[strings.Join(x.codes, "\x00")]
		x.codes[k] = own
		if !ok {
			continue
		}
		i := x.cell
		if t.Lower[i] < 0 || t.Lower[j] < 0 || t.Known(i) && t.Known(j) && t.Value[i] > t.Value[j] {
			return nil
		}
		pairs = append(pairs, [2]int{i, j})
	}
	return pairs
}
