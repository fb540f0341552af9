// Package near finds the names that somebody may have meant by a word that is none of them.
package near

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// most is how many names are offered.
const most = 3

// Names returns those of names that are nearest to word, at most three, in their order: those up to two slips apart whatever the case of
// letters (a letter too many, missing, another, or two swapped; of words of three letters one, of shorter ones none), else those that begin with it.
// A word of n letters and a name of m cost O(n·m).
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

// Hint is a remark with those names, each with prefix before it: " (did you mean a or b?)"; "" if there are none.
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

// slips is the distance of Damerau and Levenshtein between a and b, in which no letter is swapped twice.
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
