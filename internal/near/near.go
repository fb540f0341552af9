// Package near finds the names that somebody may have meant by an unknown word.
package near

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// most is how many names are suggested.
const most = 3

// Names returns the names nearest to word, at most three, in their order. These are the names within two slips
// of it, ignoring case, where a slip is a letter too many, missing, wrong, or swapped with its neighbour; a
// word of three letters may have one slip, a shorter one none. If there are no such names, they are those that
// begin with word. Cost O(n·m) for a word of n letters and a name of m.
func Names(word string, names []string) []string {
	if slices.Contains(names, word) {
		return nil
	}
	plain := []rune(strings.ToLower(word))
	apart := map[string]int{}
	for _, name := range names {
		lower := []rune(strings.ToLower(name))
		limit := min(2, len(plain)/2)
		if len(plain) < 3 {
			limit = 0
		}
		if name == "" || len(plain)-len(lower) > limit || len(lower)-len(plain) > limit {
			continue
		}
		if d := slips(plain, lower); d <= limit {
			apart[name] = d
		}
	}
	if len(apart) == 0 && len(plain) >= 2 {
		for _, name := range names {
			if strings.HasPrefix(strings.ToLower(name), string(plain)) {
				apart[name] = 0
			}
		}
	}
	var found []string
	for _, name := range names {
		if _, ok := apart[name]; ok && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	nearest := slices.Clone(found)
	slices.SortStableFunc(nearest, func(a, b string) int { return apart[a] - apart[b] })
	nearest = nearest[:min(len(nearest), most)]
	return slices.DeleteFunc(found, func(s string) bool { return !slices.Contains(nearest, s) })
}

// Hint returns a remark that suggests those names, each with prefix before it: " (did you mean a or b?)"; "" if
// there are none.
func Hint(word string, names []string, prefix string) i18n.Text {
	found := Names(word, names)
	if len(found) == 0 {
		return i18n.Text{}
	}
	any := i18n.T("%s%s", prefix, found[0])
	for _, f := range found[1:] {
		any = i18n.T("%s or %s%s", any, prefix, f)
	}
	return i18n.T(" (did you mean %s?)", any)
}

// slips returns the distance between a and b in the sense of Damerau and Levenshtein, where no letter is
// swapped twice.
func slips(a, b []rune) int {
	row := func() []int { return make([]int, len(b)+1) }
	before, last, now := row(), row(), row()
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
