package layout

import (
	"slices"
	"strings"
)

// records reports whether the view is a list as programs write it: the first row has a different name for each column,
// but perhaps the first, which may number the rows, and all rows below it have data.
func (v *view) records() bool {
	head, rows, right := -1, 0, v.left
	for r := range v.rows {
		at := v.rows[r].at
		switch n := len(at); {
		case n == 0 && (head < 0 || r+1 == len(v.rows)):
		case n == 0:
			return false // what follows may be notes, or another table
		case head < 0:
			head, right = r, int(at[n-1])+1
			names := map[string]bool{}
			for i, k := range v.rows[r].kinds {
				if k == text {
					names[squeeze(v.text(r, int(at[i])))] = true
				}
			}
			if n < 3 || len(names) < n || n < right-int(at[0]) || int(at[0]) > v.left+1 {
				return false
			}
		default:
			if c := v.classOf(r); c != dataRow && c != markRow || 2*n < right-v.left || int(at[n-1]) >= right {
				return false
			}
			rows++
		}
	}
	return rows >= leastRows
}

// ofRecords reports whether cuts would part a list so that the rows of some part could not be told apart: then columns of
// labels stand between those of numbers, and no tables beside each other.
func (v *view) ofRecords(cuts []int) bool {
	if len(cuts) == 0 || !v.records() {
		return false
	}
	from := v.left
	for _, c := range append(slices.Clone(cuts), v.right) {
		seen := map[string]bool{}
		for r := range v.rows {
			key := ""
			for i, k := range v.rows[r].kinds {
				if at := int(v.rows[r].at[i]); at == from || at > from && at < c && k == text {
					key += itoa(at) + "\x00" + v.text(r, at) + "\x00"
				}
			}
			if len(v.rows[r].at) > 0 && seen[key] {
				return true
			}
			seen[key] = true
		}
		from = c
	}
	return false
}

// indexed reports whether column c, the first one of a list, has no name and numbers its rows: programs write such numbers,
// which stay with their rows when some of these are left out.
func (b *block) indexed(c int) bool {
	if c != b.v.left || slices.ContainsFunc(b.above, func(r int) bool { return b.v.kind(r, c) != blank }) || !b.v.records() {
		return false
	}
	seen := map[string]bool{}
	for _, s := range b.numbers(c) {
		if seen[s] || strings.Trim(s, "0123456789") != "" {
			return false
		}
		seen[s] = true
	}
	return len(seen) == len(b.data)
}

// labelledBehind returns, for a list whose rows its label columns do not tell apart, the part with columns behind or
// between the numbers as labels, too: those of texts or, where these are not enough, of years, months and codes. It
// returns nil where none tell the rows apart.
func (p *part) labelledBehind(o *Options) *part {
	if !p.b.v.records() {
		return nil
	}
	texts := p.b.filled(p.b.remarks)
	var named []int
	for _, c := range p.b.values {
		if p.b.names(c) {
			named = append(named, c)
		}
	}
	for _, more := range [][]int{texts, named, slices.Concat(texts, named)} {
		if b := *p.b; len(more) > 0 && len(more) < len(b.values)+len(texts) {
			in := func(c int) bool { return slices.Contains(more, c) }
			b.stub = slices.Sorted(slices.Values(slices.Concat(b.stub, more)))
			b.values = slices.DeleteFunc(slices.Clone(b.values), in)
			b.remarks = slices.DeleteFunc(slices.Clone(b.remarks), in)
			if len(b.values) == 0 {
				continue
			}
			if q := readPart(&b, o); !q.repeats() {
				return q
			}
		}
	}
	return nil
}

// filled returns those of the columns that have something in each row of data.
func (b *block) filled(columns []int) []int {
	return slices.DeleteFunc(slices.Clone(columns), func(c int) bool {
		return slices.ContainsFunc(b.data, func(r int) bool { return b.v.kind(r, c) == blank })
	})
}
