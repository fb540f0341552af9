package layout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// unitWord returns the word behind the number in a text, or "" if there is none or if it makes the number a
// class, a year or a place.
func unitWord(text string) string {
	m := suffixed().FindStringSubmatch(strings.TrimFunc(text, isBlank))
	if m == nil || classWords().MatchString(m[1]) {
		return ""
	}
	return m[1]
}

// united returns the word that stands behind all numbers taken for texts in a row, behind its labels, and how
// many these are.
func (v *view) united(r int) (word string, n int) {
	row := &v.rows[r]
	i, plain := 0, 0
	if len(row.kinds) > 1 && row.kinds[0] == number && row.kinds[1] == text { // a code
		i = 1
	}
	if i == len(row.kinds) || row.kinds[i] != text {
		return "", 0
	}
	for i++; i < len(row.kinds); i++ {
		if row.kinds[i] != text {
			if f := v.g.At(r, int(row.at[i])); row.kinds[i] == number && (f.Number || v.style.read(f.Text).Flag == "") {
				plain++
			}
			continue
		}
		w := unitWord(v.g.At(r, int(row.at[i])).Text)
		switch {
		case w == "" && n == 0: // another label
		case w == "" || n > 0 && w != word:
			return "", 0
		default:
			word = w
			n++
		}
	}
	if n == 1 && plain > 0 {
		return "", 0
	}
	return word, n
}

// settleUnited turns texts into numbers in two or more consecutive rows in which the same word stands behind all
// numbers. The first row is a header if nothing heads it and its numbers grow as classes do; a column that counts
// from 1, perhaps repeatedly, holds labels.
func (v *view) settleUnited() {
	for top := 0; top < len(v.rows); top++ {
		word, n := v.united(top)
		if word == "" {
			continue
		}
		rows := []int{top}
		if n > 1 && v.heads(top) {
			rows, n = nil, 0
		}
		end := top + 1
		for ; end < len(v.rows); end++ {
			if len(v.rows[end].at) < 2 { // blank, or a heading
				continue
			}
			w, more := v.united(end)
			if w != word {
				break
			}
			rows = append(rows, end)
			n += more
		}
		top = end - 1
		if (len(rows) < 2 || n < 4) && (len(rows) != 1 || !v.amid(rows[0]) && !v.adds(rows[0])) {
			continue
		}
		for _, r := range rows {
			row := &v.rows[r]
			for i := 1; i < len(row.kinds); i++ {
				if c := int(row.at[i]); row.kinds[i] == text && unitWord(v.g.At(r, c).Text) == word && !v.counts(rows, c) {
					row.kinds[i] = number
					if !units[word] {
						if v.suffix == nil {
							v.suffix = map[int]string{}
						}
						v.suffix[c] = word
					}
				}
			}
		}
	}
}

// heads reports whether a row may be a header of classes: nothing stands above its numbers, and each is larger
// than the one before.
func (v *view) heads(r int) bool {
	last := 0.0
	for i, c := range v.rows[r].at {
		if i == 0 || unitWord(v.g.At(r, int(c)).Text) == "" {
			continue
		}
		n, ok := v.withUnit(r, int(c))
		if r > 0 && v.kind(r-1, int(c)) != blank || !ok || n <= last {
			return false
		}
		last = n
	}
	return true
}

// amid reports whether a row has more than two such numbers, each between a number above and one below, that do
// not grow as those of a header do.
func (v *view) amid(r int) bool {
	n, last, grow := 0, -1.0, true
	for i, c := range v.rows[r].at {
		if i == 0 || unitWord(v.g.At(r, int(c)).Text) == "" {
			continue
		}
		if r == 0 || r+1 == len(v.rows) || v.kind(r-1, int(c)) != number || v.kind(r+1, int(c)) != number {
			return false
		}
		x, ok := v.withUnit(r, int(c))
		if !ok {
			return false
		}
		n, last, grow = n+1, x, grow && x > last
	}
	return n > 2 && !grow
}

// adds reports whether a row has such numbers below other fields, of which one is the sum of all others in the row, give
// or take rounding, and that do not grow as those of a header do.
func (v *view) adds(r int) bool {
	var all []int64
	sum, unit, last, grow := int64(0), int64(0), int64(-1), true
	for i, c := range v.rows[r].at {
		if i == 0 || v.kind(r, int(c)) == mark {
			continue
		}
		x := 0.0
		ok := false
		if v.kind(r, int(c)) == number {
			if w := v.value(r, int(c)); w.Value != nil {
				x, _ = strconv.ParseFloat(string(*w.Value), 64)
				ok = true
			}
		} else {
			x, ok = v.withUnit(r, int(c))
			ok = ok && r > 0 && v.kind(r-1, int(c)) != blank
		}
		n := int64(x)
		if !ok || float64(n) != x {
			return false
		}
		all, sum, unit = append(all, n), sum+n, num.GCD(unit, n)
		grow, last = grow && n > last, n
	}
	return !grow && slices.ContainsFunc(all, func(n int64) bool {
		right, _ := roundedSum(n, sum-n, len(all)-1, unit)
		return n > 0 && right
	})
}

// counts reports whether the numbers of a column count from 1 in these rows, perhaps repeatedly.
func (v *view) counts(rows []int, c int) bool {
	last := 0.0
	for _, r := range rows {
		n, ok := v.withUnit(r, c)
		if !ok || n != 1 && n != last+1 {
			return false
		}
		last = n
	}
	return last > 1
}

// withUnit returns the number before a word.
func (v *view) withUnit(r, c int) (float64, bool) {
	s := strings.TrimFunc(v.g.At(r, c).Text, isBlank)
	w := v.style.read(strings.TrimSuffix(s, unitWord(s)))
	if w.Value == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(*w.Value), 64)
	return n, err == nil
}
