package layout

import (
	"slices"
	"strings"
)

// strips cuts a sheet where tables stand side by side: at a column of labels that has numbers on both sides.
func strips(v *view) []*view {
	between := make([]int, v.right+1) // rows with a text there, and numbers on both sides
	texts := make([]int, v.right+1)   // rows with a text there, and numbers left of it
	beside := make([]int, v.right+1)  // rows with a number or mark there, and numbers left of it
	for r := range v.rows {
		row := &v.rows[r]
		if c := v.classOf(r); c != dataRow && c != markRow {
			continue
		}
		last := -1
		for i := len(row.kinds) - 1; i >= 0; i-- {
			if row.kinds[i] == number {
				last = i
				break
			}
		}
		// what was seen before the field: a label; a number behind one; how many numbers
		labelled, behind, numbers := false, false, 0
		for i, k := range row.kinds {
			// a single number before a label is a code or a year
			seen := behind || numbers > 1 && v.kind(r, int(row.at[i])-1) == blank
			switch {
			case k == number && (numbers > 0 || !v.coded(int(row.at[i]))):
				if seen {
					beside[row.at[i]]++
				}
				numbers++
				behind = behind || labelled
			case k == mark && seen:
				beside[row.at[i]]++
			case k == text:
				labelled = true
				if !seen {
					continue
				}
				texts[row.at[i]]++
				if i < last {
					between[row.at[i]]++
				}
			}
		}
	}
	var cuts []int
	for c := 0; c < v.right; c++ {
		if between[c] >= 2 && texts[c] > 2*beside[c] {
			if len(cuts) > 0 && adjacentText(between, cuts[len(cuts)-1], c) {
				continue // one more column of the same labels
			}
			// columns of labels before it that have a text in few rows belong to it, as do codes that stand before the
			// first labels
			for c > 0 && (texts[c-1] > 0 && beside[c-1] == 0 || v.again(c-1) || v.coded(c-1)) && (len(cuts) == 0 || c-1 > cuts[len(cuts)-1]) {
				c--
			}
			cuts = append(cuts, c)
			for c+1 < v.right && texts[c+1] > 0 && beside[c+1] == 0 {
				c++
			}
		}
	}
	for _, c := range slices.Concat(v.beyondBlank(), v.headedAgain()) {
		if !slices.Contains(cuts, c) {
			cuts = append(cuts, c)
		}
	}
	slices.Sort(cuts)
	cuts = v.named(v.apart(cuts))
	if len(cuts) == 0 || v.ofRecords(cuts) {
		return []*view{v}
	}
	var all []*view
	from := 0
	for _, c := range append(cuts, v.right) {
		all = append(all, v.columns(from, c))
		from = c
	}
	return all
}

// coded reports whether a column has codes of the rows: whole numbers with the same number of digits that grow from row
// to row, and may start again from the first. A few may do so by chance, unless they begin with 0 or the header says
// that they are codes.
func (v *view) coded(c int) bool {
	if is, ok := v.codes[c]; ok {
		return is
	}
	if v.codes == nil {
		v.codes = map[int]bool{}
	}
	last, first, n := "", "", 0
	is, sure := true, false
	for r := 0; r < len(v.rows) && is; r++ {
		if v.kind(r, c) != number || v.classOf(r) != dataRow {
			continue
		}
		s := strings.TrimSpace(v.g.At(r, c).Text)
		is = len(s) > 1 && strings.Trim(s, "0123456789") == "" && (n == 0 || len(s) == len(last)) && (n == 0 || s > last || s == first)
		if n == 0 {
			first, sure = s, s[0] == '0'
			for up := r - 1; up >= max(0, r-4); up-- {
				sure = sure || codeHeads().MatchString(squeeze(v.text(up, c)))
			}
		}
		last = s
		n++
	}
	v.codes[c] = is && (n > 5 || n > 2 && sure)
	return v.codes[c]
}

// again reports whether a column repeats one of the first two columns in every row of data, with three or more
// different texts.
func (v *view) again(c int) bool {
	for of := 0; of < 2 && of < c; of++ {
		n, different := 0, map[string]bool{}
		for r := range v.rows {
			a, b := v.g.At(r, of).Text, v.g.At(r, c).Text
			if b == "" || v.classOf(r) != dataRow {
				continue
			}
			if a != b {
				n = -1
				break
			}
			n++
			different[b] = true
		}
		if n > 2 && len(different) > 2 {
			return true
		}
	}
	return false
}

// named leaves out cuts behind columns that say the same in all rows, but for years. Such labels name no row, so these
// columns belong to the table behind the cut.
func (v *view) named(cuts []int) (kept []int) {
	from := 0
	for _, c := range cuts {
		if v.constant(from, c) {
			continue
		}
		kept, from = append(kept, c), c
	}
	return kept
}

// constant reports whether the columns from one up to another have texts and say the same in all rows of data, but for
// years.
func (v *view) constant(from, to int) bool {
	n, first, labelled := 0, "", false
	for r := range v.rows {
		if v.classOf(r) != dataRow {
			continue
		}
		says := ""
		for i, k := range v.rows[r].kinds {
			if at := int(v.rows[r].at[i]); at >= from && at < to && (k != number || !isYear(clean(v.text(r, at)))) {
				says += itoa(at) + "\x00" + v.text(r, at) + "\x00"
				labelled = labelled || k == text
			}
		}
		if n++; n > 1 && says != first {
			return false
		}
		first = says
	}
	return labelled && n >= leastRows
}

// leastRows is in how many rows a label must stand before it is taken to name none of them.
const leastRows = 3

// apart leaves out cuts with no more than one number between them and the cut before.
func (v *view) apart(cuts []int) (kept []int) {
	from := 0
	for _, c := range cuts {
		n := 0
		for r := range v.rows {
			row := &v.rows[r]
			for i, k := range row.kinds {
				if k == number && int(row.at[i]) >= from && int(row.at[i]) < c {
					n++
				}
			}
		}
		if n > 1 {
			kept = append(kept, c)
			from = c
		}
	}
	return kept
}

// headedAgain returns the columns at which a header of labels and numbers starts again from its first field: there the
// table continues beside itself, perhaps with only a row or two.
func (v *view) headedAgain() (cuts []int) {
	for r := range v.rows {
		row := &v.rows[r]
		n := len(row.at)
		if n < 4 || row.kinds[0] != text || v.classOf(r) == dataRow {
			continue
		}
		head := func(i int) string { return squeeze(v.text(r, int(row.at[i]))) }
		period := 1
		for period < n && head(period) != head(0) {
			period++
		}
		if period < 2 || n%period != 0 {
			continue
		}
		again := true
		for i := period; i < n; i++ {
			again = again && head(i) == head(i-period)
		}
		for i := period; again && i < n; i += period {
			labels := 0
			for below := r + 1; below < len(v.rows); below++ {
				switch k := v.kind(below, int(row.at[i])); {
				case k == text:
					labels++
				case k == number || k == mark:
					again = false
				}
			}
			if again && labels > 0 {
				cuts = append(cuts, int(row.at[i]))
			}
		}
	}
	return cuts
}

// beyondBlank returns columns of labels behind a column that is blank from top to bottom and has numbers on both sides.
func (v *view) beyondBlank() (cuts []int) {
	used, numbers := make([]bool, v.right), make([]bool, v.right)
	labels := make([]int, v.right) // rows with a text there, and a number somewhere behind it
	for r := range v.rows {
		row := &v.rows[r]
		last := -1
		for i, k := range row.kinds {
			used[row.at[i]] = true
			if k == number {
				numbers[row.at[i]] = true
				last = i
			}
		}
		for i := range max(last, 0) {
			if row.kinds[i] == text {
				labels[row.at[i]]++
			}
		}
	}
	before := false // numbers stand further left
	for c := 1; c < v.right; c++ {
		before = before || numbers[c-1]
		if used[c] && !used[c-1] && before && !numbers[c] {
			n := 0
			for k := c; k < v.right && used[k] && !numbers[k]; k++ {
				n += labels[k]
			}
			if n >= 2 {
				cuts = append(cuts, c)
			}
		}
	}
	return cuts
}

// adjacentText reports whether all columns from a to b hold texts.
func adjacentText(texts []int, a, b int) bool {
	for c := a; c <= b; c++ {
		if texts[c] == 0 {
			return false
		}
	}
	return true
}
