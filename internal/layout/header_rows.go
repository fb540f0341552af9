package layout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// A headerRow is what a row of a header says of each column of values.
type headerRow struct {
	r      int
	texts  []string // one for each column, empty where it says nothing
	merged bool     // some of its fields span columns
}

var circled = lazy.Regexp(`^[①-⑳㉑-㉟⑴-⒇ⅰ-ⅻⅠ-Ⅻ]+$|^[（(][0-9０-９]{1,2}[)）]$|^[0-9]{1,2}$`)

// headerRows reads the rows of the header that say something of the columns of values.
func (b *block) headerRows() (rows []headerRow) {
	v := b.v
	for _, r := range b.header {
		one := headerRow{r: r, texts: make([]string, len(b.values))}
		empty := true
		for i, c := range b.values {
			top, left := v.origin(r, c)
			if top < r {
				continue // the row above, with which it is merged, says it
			}
			if m, ok := v.merged[[2]int{r, c}]; ok && v.g.Merged[m].Right > v.g.Merged[m].Left {
				one.merged = true
			}
			if left < b.left() {
				continue
			}
			one.texts[i] = squeeze(v.text(r, c))
			if bracketYear(one.texts[i]) && len(rows) > 0 && rows[len(rows)-1].texts[i] != "" {
				one.texts[i] = "" // 平成22年 (2010): the same year again
			}
			empty = empty && one.texts[i] == ""
		}
		if !empty {
			rows = append(rows, one)
		}
	}
	return rows
}

// labelRows leaves out rows that hold no labels: units, which the head keeps, numbers of the columns, and marks.
func (b *block) labelRows(rows []headerRow, h *head) (kept []headerRow) {
	for k, one := range rows {
		switch {
		case len(rows) > 1 && isUnitRow(one.texts) && distinctWithout(rows, k):
			h.takeUnits(one.texts)
		case len(rows) > 1 && (b.numbersColumns(one) || isLetterRow(one.texts)) && distinctWithout(rows, k):
		case k > 0 && k == len(rows)-1 && unitOfAll(one.texts) && distinctWithout(rows, k):
		case k == 0 && len(rows) > 1 && unitAtEnd(one.texts) && distinctWithout(rows, k):
		case len(rows) > 1 && b.allMarks(one.texts):
		default:
			kept = append(kept, one)
		}
	}
	return kept
}

// everyColumn returns the labels that a row repeats in every column, as files made by a program repeat the name of a
// classification above its items.
func everyColumn(rows []headerRow) map[string]bool {
	all := map[string]bool{}
	for _, one := range rows {
		if t := clean(one.texts[0]); len(one.texts) > 1 && !one.merged && !isUnit(t) && !isTime(t) && !isTotalName(t) && !measureWord().MatchString(t) {
			all[t] = t != "" && !slices.ContainsFunc(one.texts, func(s string) bool { return s != one.texts[0] })
		}
	}
	return all
}

// distinctWithout reports whether the other rows tell all columns apart that row k tells apart: neighbours, and columns
// further apart, with a spanner holding for the columns to its right.
func distinctWithout(rows []headerRow, k int) bool {
	over := map[string]string{} // by what the other rows say
	carried := make([]string, len(rows))
	for i := range rows[k].texts {
		key := ""
		for n, one := range rows {
			switch t := one.texts[i]; {
			case t != "" || n > k:
				carried[n] = t
			}
			if n != k {
				key += carried[n] + "\x00"
			}
		}
		if was, ok := over[key]; ok && was != carried[k] && was != "" {
			return false
		}
		over[key] = carried[k]
	}
	for i := 1; i < len(rows[k].texts); i++ {
		same := true
		for n := range rows {
			same = same && (n == k || rows[n].texts[i] == "" || rows[n].texts[i] == rows[n].texts[i-1])
		}
		if same {
			return false
		}
	}
	return true
}

// takeUnits reads a row of units. A unit also holds for the columns to its right that have none.
func (h *head) takeUnits(texts []string) {
	for i, t := range texts {
		if t != "" {
			h.units[i] = parseUnit(strings.Trim(t, "（）()[]［］〔〕"))
		}
	}
	for i := 1; i < len(h.units); i++ {
		if texts[i] == "" && h.units[i] == (unitText{}) {
			h.units[i] = h.units[i-1]
		}
	}
}

// spanRight lets a spanner that is not merged hold for the columns to its right, as long as a row below says something
// of them and no upper row starts a new text.
func spanRight(rows []headerRow) {
	for k := 0; k < len(rows)-1; k++ {
		if rows[k].merged || !slices.Contains(rows[k].texts, "") {
			continue
		}
		inner, upper := rows[len(rows)-1].texts, slices.Clone(rows[k].texts)
		if at := centred(len(upper), func(i, j int) bool { return inner[i] == inner[j] }, func(i int) string { return upper[i] }, k > 0); at != nil {
			for i, of := range at {
				if rows[k].texts[i] = ""; of >= 0 {
					rows[k].texts[i] = upper[of]
				}
			}
			continue
		}
		says := func(i int) bool {
			return slices.ContainsFunc(rows[k+1:], func(lower headerRow) bool { return lower.texts[i] != "" })
		}
		for i := 1; i < len(rows[k].texts); i++ {
			if rows[k].texts[i] != "" || !says(i) {
				continue
			}
			starts := slices.ContainsFunc(rows[:k], func(up headerRow) bool { return up.texts[i] != up.texts[i-1] })
			if !starts && says(i-1) {
				rows[k].texts[i] = rows[k].texts[i-1]
			}
		}
	}
}

func isUnitRow(texts []string) bool {
	n := 0
	for _, t := range texts {
		if t == "" {
			continue
		}
		if s := strings.Trim(t, "（）()[]［］〔〕"); !isUnit(s) || wordOf(s) == "人口" {
			return false
		}
		n++
	}
	return n > 0
}

// numbersColumns reports whether a row of the header numbers the columns 1, 2, 3, …, from the first one of values or
// one of labels.
func (b *block) numbersColumns(one headerRow) bool {
	before := 0
	for _, c := range b.stub {
		switch s := strings.Trim(fold(b.v.text(one.r, c)), "()"); s {
		case itoa(before + 1):
			before++
		case "":
		default:
			return isNumberRow(one.texts, 0)
		}
	}
	return isNumberRow(one.texts, before)
}

// isNumberRow reports whether texts are consecutive numbers, with so many before them, or such marks.
func isNumberRow(texts []string, before int) bool {
	n, marks := 0, 0
	for _, t := range texts {
		if t == "" {
			continue
		}
		if !circled().MatchString(t) {
			return false
		}
		n++
		if s := strings.Trim(fold(t), "()"); s == itoa(before+n) || !strings.ContainsAny(s, "0123456789") || strings.Trim(s, "0123456789") == "" && len(fold(t)) == 1 && strings.Contains(squeeze(t), "①") {
			marks++
		}
	}
	return n > 1 && marks >= n-1
}

// lettered reports whether row r names the columns of values by letters.
func (b *block) lettered(r int) bool {
	texts := sets.Each(b.values, func(c int) string { return squeeze(b.v.text(r, c)) })
	return isLetterRow(texts)
}

// isLetterRow reports whether texts are letters in the order of the alphabet, by which columns are referred to.
func isLetterRow(texts []string) bool {
	last, n := byte(0), 0
	for _, t := range texts {
		s := strings.ToLower(strings.Trim(fold(t), "()"))
		if len(s) != 1 || s[0] < 'a' || s[0] > 'z' || n > 0 && s[0] != last+1 {
			return false
		}
		last, n = s[0], n+1
	}
	return n > 2
}

// unitOfAll reports whether a row has a single text, without a digit, in the first of several columns: it says what all
// of them count.
func unitOfAll(texts []string) bool {
	return len(texts) > 2 && texts[0] != "" && !strings.ContainsFunc(texts[0], unicode.IsDigit) && !isTotalName(texts[0]) &&
		!slices.ContainsFunc(texts[1:], func(t string) bool { return t != "" })
}

// toldUnit matches a line that says what is counted, in whatever language: "Jednostka: osoby", (osoby).
var toldUnit = lazy.Regexp(`^\pL[\pL ]*\s?[:：]\s?\PN+$|^[(（\[]\PN+[)）\]]$`)

// unitAtEnd reports whether a row has a single text, above the last of several columns, that says what all of them
// count.
func unitAtEnd(texts []string) bool {
	last := len(texts) - 1
	return last > 1 && toldUnit().MatchString(texts[last]) && !slices.ContainsFunc(texts[:last], func(t string) bool { return t != "" })
}

func (b *block) allMarks(texts []string) bool {
	n := 0
	for _, t := range texts {
		if t == "" {
			continue
		}
		if _, _, ok := b.v.style.Marks.find(t); !ok {
			return false
		}
		n++
	}
	return n > 0
}
