package layout

import (
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
)

// Within are the pairs of cells of the table of in of which readers know, though no relation says it, that the first is at most the second: memo items and what they are
// a part of, and neighbours where rows or columns are sorted by their values.
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
		dim := &b.t.Dimensions[d]
		memos[k] = map[string]bool{}
		for c := range dim.Codes {
			if dim.Codes[c].Memo {
				memos[k][dim.Codes[c].Code] = true
				pairs = append(pairs, b.wholes(k, c, at, b.t.sums(d))...)
			}
		}
	}
	return append(pairs, sorted(in, func(k int, code string) bool { return memos[k][code] })...)
}

// wholes pairs the cells of memo code c of kept dimension k with those of what it is told to be a part of, or else of what stands before it, or of the total of all:
// of the first of which no value is below one of c.
func (b *built) wholes(k, c int, at map[string]int, sums map[string][][]string) [][2]int {
	dim := &b.t.Dimensions[b.kept[k]]
	var of []string
	if p := dim.Codes[c].Parent; p != nil {
		of = append(of, *p)
	}
	for i := c - 1; i >= 0; i-- {
		if !dim.Codes[i].Memo {
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
		if pairs, holds := b.atMost(k, dim.Codes[c].Code, w, at); holds && pairs != nil {
			return pairs
		}
	}
	return nil
}

// atMost pairs the cells of codes m and w of kept dimension k; holds: no value of m is known to be above that of w, or below 0.
func (b *built) atMost(k int, m, w string, at map[string]int) (pairs [][2]int, holds bool) {
	t := b.table
	for i, key := range b.keys {
		codes := strings.Split(key, "\x00")
		if codes[k] != m {
			continue
		}
		codes[k] = w
		j, ok := at[strings.Join(codes, "\x00")]
		if !ok {
			continue
		}
		if t.Lower[i] < 0 || t.Lower[j] < 0 || t.Known(i) && t.Known(j) && t.Value[i] > t.Value[j] {
			return nil, false
		}
		pairs = append(pairs, [2]int{i, j})
	}
	return pairs, true
}
