package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
)

// headedAs reports whether is holds for a field in the four rows above column c, and that text stands above no other
// column.
func (b *block) headedAs(c int, is func(string) bool) bool {
	for i := len(b.above) - 1; i >= 0 && i >= len(b.above)-4; i-- {
		head := squeeze(b.v.text(b.above[i], c))
		if !is(head) {
			continue
		}
		alike := 0 // "no." above several columns counts what these hold
		for _, k := range b.v.rows[b.above[i]].at {
			if squeeze(b.v.text(b.above[i], int(k))) == head {
				alike++
			}
		}
		if alike == 1 {
			return true
		}
	}
	return false
}

// findHeader separates the header from the other rows above.
func (b *block) findHeader() {
	v := b.v
	if len(b.values) == 0 {
		return
	}
	first, end := b.values[0], len(b.above)
	for end > 0 && len(v.rows[b.above[end-1]].at) == 0 {
		end--
	}
	// a heading may stand between the header and the first row of data
	for k, skipped := end, 0; k > 0 && skipped < 4; k-- {
		r := b.above[k-1]
		row := &v.rows[r]
		if skipped > 0 && (len(row.at) > 1 && int(row.at[len(row.at)-1]) >= first || len(row.at) == 1 && int(row.at[0]) == first && b.namesAbove(r, first)) {
			for _, h := range b.above[k:end] {
				if len(v.rows[h].at) > 0 {
					b.heads[h] = b.headIn(h)
				}
			}
			end = k
			break
		}
		if len(row.at) > 1 && b.headIn(r) < 0 || len(row.at) == 1 && (int(row.at[0]) >= first && b.acrossHead(r) || isNoteText(v.text(r, int(row.at[0])))) {
			break
		}
		skipped++
	}
	from := end
	for from > 0 {
		r := b.above[from-1]
		if len(v.rows[r].at) == 0 {
			k := b.beyondGap(from, end, first)
			if k == from {
				break
			}
			from = k
		} else if !b.isHead(r, first, from == end) {
			break
		} else {
			from--
		}
	}
	b.header = slices.Clone(b.above[from:end])
	b.above = b.above[:from]
}

// headIn returns the column of the only label in a row above the values that the first row of data does not repeat, −1
// for none: the others tell to which outer group the heading belongs.
func (b *block) headIn(r int) int {
	at, row := -1, b.v.rows[r].at
	if len(row) == 1 {
		return int(row[0])
	}
	for _, c := range row {
		switch {
		case int(c) >= b.values[0]:
			return -1
		case len(b.data) > 0 && b.v.text(r, int(c)) == b.v.text(b.data[0], int(c)):
		case at >= 0:
			return -1
		default:
			at = int(c)
		}
	}
	return at
}

// widestGap is how many consecutive empty rows a header may contain.
const widestGap = 4

// beyondGap returns where the header begins if it goes on above empty rows, else from. It does so where its rows so far
// do not tell the columns apart, and the row above the gap names two of them or more.
func (b *block) beyondGap(from, end, first int) int {
	v := b.v
	k := from
	for k > 0 && from-k < widestGap && len(v.rows[b.above[k-1]].at) == 0 {
		k--
	}
	if k == 0 || from == end {
		return from
	}
	named := sets.Count(v.rows[b.above[k-1]].at, func(c int32) bool { return int(c) >= first })
	if named < 2 || !b.isHead(b.above[k-1], first, false) {
		return from
	}
	seen := map[string]bool{}
	for _, c := range b.values {
		var head strings.Builder
		for _, r := range b.above[from:end] {
			head.WriteString(squeeze(v.text(r, c)) + "\n")
		}
		if seen[head.String()] {
			return k
		}
		seen[head.String()] = true
	}
	return from
}

// acrossHead reports whether a text alone in its row heads columns below, rather than being a heading across the table.
func (b *block) acrossHead(r int) bool {
	c := int(b.v.rows[r].at[0])
	if i, ok := b.v.merged[[2]int{r, c}]; ok {
		return b.v.g.Merged[i].Right-b.v.g.Merged[i].Left+1 < len(b.values)
	}
	for _, other := range b.heads {
		if other == c {
			return false // further headings stand in the same column below
		}
	}
	return true
}

// isHead reports whether row r belongs to the header: it says something above the values.
func (b *block) isHead(r, first int, last bool) bool {
	v := b.v
	row := &v.rows[r]
	n := sets.Count(row.at, func(c int32) bool { return int(c) >= first })
	if n == 0 {
		if last && len(row.at) >= 2 && len(row.at) <= len(b.stub)+1 && r > 0 {
			up := &v.rows[r-1] // names of the label columns, below the header of the values
			return len(up.at) > 0 && int(up.at[len(up.at)-1]) >= first && v.classOf(r-1) == several
		}
		// only names of label columns, within the header
		return !last && len(row.at) > 0 && len(row.at) <= len(b.stub) && int(row.at[0]) < first && b.onlyStubHeads(r)
	}
	c := int(row.at[0])
	if len(row.at) == 1 {
		s := v.text(r, c)
		if _, rest, ok := unitIn(s); ok && rest == "" && len(b.values) > 1 && !(last && c == first && b.namesAbove(r, first)) {
			return false // a line that tells the unit
		}
		if isNoteText(s) || isTitleText(s) {
			return false
		}
		if _, what, ok := strings.Cut(strings.ReplaceAll(s, "：", ":"), ":"); ok && c > first && strings.TrimSpace(what) != "" {
			return false // it says something of all columns, as which unit they have in a language not known here
		}
		if i, ok := v.merged[[2]int{r, c}]; ok && v.g.Merged[i].Left < first {
			return false // a title over all columns
		}
		return c == first || !v.headsPanel(r) && !v.withinGroup(r+1, c)
	}
	if n == 1 && len(row.at) == 2 && c < first {
		s := v.text(r, int(row.at[1]))
		if u, rest, ok := unitIn(s); ok && rest == "" && u.unit != "" && len(b.values) > 1 {
			return false // a title and the unit at the right
		}
	}
	return true
}

// namesAbove reports whether the row above row r names two columns of values or more, so that a unit in row r is part
// of the header.
func (b *block) namesAbove(r, first int) bool {
	if r == 0 {
		return false
	}
	at := b.v.rows[r-1].at
	return len(at) > 1 && int(at[len(at)-2]) >= first
}

// withinGroup reports whether a field of a header continues the one before it, so that a text above it alone heads no
// columns.
func (v *view) withinGroup(r, c int) bool {
	if i, ok := v.merged[[2]int{r, c}]; ok {
		return v.g.Merged[i].Left < c
	}
	before := v.text(r, c-1)
	for k := c - 1; v.text(r, c) == "" && before == "" && k > 0; k-- {
		before = v.text(r, k-1)
	}
	return before != "" && (v.text(r, c) == "" || v.text(r, c) == before)
}

// headsPanel reports whether the only text of a row stands over a header that stands again below another text of the
// same column: it names what is below, like a title over all columns.
func (v *view) headsPanel(r int) bool {
	texts := func(r int) string {
		if r >= len(v.rows) || len(v.rows[r].at) < 2 {
			return ""
		}
		return strings.Join(sets.Each(v.rows[r].at, func(c int32) string { return itoa(int(c)) + squeeze(v.text(r, int(c))) }), "\x00")
	}
	c, below := int(v.rows[r].at[0]), texts(r+1)
	return below != "" && slices.ContainsFunc(sets.Upto(len(v.rows)), func(q int) bool {
		return len(v.rows[q].at) == 1 && int(v.rows[q].at[0]) == c && v.text(q, c) != v.text(r, c) && texts(q+1) == below
	})
}

// onlyStubHeads reports whether all fields of row r are merged and stand over columns of labels alone, as heads of the
// stub do.
func (b *block) onlyStubHeads(r int) bool {
	for _, c := range b.v.rows[r].at {
		if i, ok := b.v.merged[[2]int{r, int(c)}]; !ok || b.v.g.Merged[i].Right >= b.values[0] {
			return false
		}
	}
	return true
}
