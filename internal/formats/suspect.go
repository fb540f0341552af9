package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/width"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// amountWords are names of columns that hold amounts, in lower case.
var amountWords = []string{"val", "vals", "values", "valeur", "valeurs", "wert", "werte", "amount", "count", "counts", "frequency", "値", "数値", "観測値"}

// misspelt returns the field whose name a column name is a misspelling of, "" if there is none.
func misspelt(name string) string {
	name = strings.ToLower(width.Narrow.String(name))
	if slices.Contains(amountWords, name) {
		return "value"
	}
	for _, f := range []string{"value", "freq", "cost", "lower", "upper", "obs_value"} {
		if oneSlip([]rune(name), []rune(f)) {
			return fieldOf(f)
		}
	}
	return ""
}

// oneSlip reports whether one letter added, removed or replaced, or two neighbours exchanged, turn a into b.
func oneSlip(a, b []rune) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	switch {
	case len(a) == 2 && len(b) == 2:
		return a[0] == b[1] && a[1] == b[0]
	}
	return len(a) <= 1 && len(b) <= 1
}

// numbersOnly reports whether all codes other than the total and the marks are numbers.
func (c *codes) numbersOnly(marks []string) bool {
	n := 0
	for _, code := range c.list {
		if code == c.total || slices.Contains(marks, code) {
			continue
		}
		var how table.Notation
		if _, err := how.Parse(code, 1, ""); err != nil {
			return false
		}
		n++
	}
	return n > 0
}

// countsLines reports whether the codes are 1, 2, 3 and so on for all lines, or the same from 0, as an export writes it.
func (c *codes) countsLines(lines int) bool {
	if len(c.list) != lines || lines < 3 {
		return false
	}
	first, err := strconv.Atoi(c.list[0])
	for i, code := range c.list {
		if code != strconv.Itoa(first+i) {
			return false
		}
	}
	return err == nil && (first == 0 || first == 1)
}

// suspect refuses columns that became dimensions only because they come before the first field: amounts, and
// names of codes. lines is the number of lines; oneToOne says whether the codes of two dimensions always occur
// together, unique whether the codes of all dimensions but one differ from line to line.
func suspect(file string, all []*codes, lines int, oneToOne func(d, e int) bool, unique func(d int) bool, marks []string) error {
	names := sets.Each(all, func(c *codes) string { return c.name })
	fail := func(d int, want string, args ...any) error {
		return &Error{File: file, Line: 1, Field: names[d], Want: i18n.T("%s, or name the dimensions with --dims %s if it is one", i18n.T(want, args...), strings.Join(names, ","))}
	}
	for d, c := range all {
		if !c.numbersOnly(marks) {
			continue
		}
		if f := misspelt(c.name); f != "" {
			return fail(d, "read as a dimension, but its codes are numbers; if it is the field %s, say --column %s=%s", f, f, c.name)
		}
	}
	for d, c := range all {
		if len(c.list) == lines && c.numbersOnly(marks) { // a column of amounts, which is reported below
			continue
		}
		for e, b := range all[:d] {
			if len(c.list) > 2 && len(c.list) == len(b.list) && oneToOne(d, e) {
				return fail(d, "each of its codes goes with one of %s; leave one of both out of --dims", Show(b.name))
			}
		}
	}
	for d, c := range all {
		if !c.numbersOnly(marks) {
			continue
		}
		if others := slices.Delete(slices.Clone(names), d, d+1); len(all) > 1 && c.countsLines(lines) && unique(d) {
			return &Error{File: file, Line: 1, Field: names[d], Want: i18n.T("counts the lines and is no dimension (--dims %s)", strings.Join(others, ","))}
		}
		if len(all) > 1 && len(c.list) >= max(3, (lines+1)/2) && unique(d) {
			return fail(d, "read as a dimension, but its codes are numbers and the other dimensions alone tell the lines apart; if these are amounts, say --column value=%s", c.name)
		}
	}
	return nil
}

// uniqueWithout reports whether the codes of all dimensions but d differ from record to record.
func uniqueWithout(n int, at func(i int) *table.Record, d int) bool {
	seen := map[string]bool{}
	var key []byte
	for i := range n {
		key = key[:0]
		for e, code := range at(i).Codes {
			if e != d {
				key = append(append(key, code...), 0)
			}
		}
		if seen[string(key)] {
			return false
		}
		seen[string(key)] = true
	}
	return true
}

// oneToOne reports whether the codes of two dimensions always occur in the same pairs.
func oneToOne(n int, at func(i int) *table.Record, d, e int) bool {
	to, from := map[string]string{}, map[string]string{}
	for i := range n {
		a, b := at(i).Codes[d], at(i).Codes[e]
		if x, ok := to[a]; ok && x != b {
			return false
		}
		if x, ok := from[b]; ok && x != a {
			return false
		}
		to[a], from[b] = b, a
	}
	return true
}

// alike refuses two codes that look the same: that differ only in the width of letters, in blanks, or in
// invisible characters.
func (c *codes) alike() error {
	var seen map[string]int
	plain := func(code string) bool { return records.ASCII([]byte(code)) && !strings.Contains(code, "  ") }
	if !slices.ContainsFunc(c.list, func(code string) bool { return !plain(code) }) {
		return nil
	}
	seen = make(map[string]int, len(c.list))
	for i, code := range c.list {
		look := strings.Join(strings.Fields(invisible.Replace(width.Fold.String(code))), " ")
		if first, ok := seen[look]; ok {
			return &Error{File: c.file, Line: c.line[i], Field: c.name, Value: fmt.Sprintf("%+q", code), Want: i18n.T("looks like %+q of line %d, but is another code: they differ in blanks, the width of letters or invisible characters; write both alike, or apart", c.list[first], c.line[first])}
		}
		seen[look] = i
	}
	return nil
}

// invisible removes the characters that no reader of a code sees.
var invisible = strings.NewReplacer("\u200b", "", "\u200c", "", "\u200d", "", "\ufeff", "", "\u00ad", "", "\u2060", "", "\u200e", "", "\u200f", "")
