package compare

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// withheldWords are words and signs, in lower case, that stand for a suppressed value.
var withheldWords = []string{"-", "--", "–", "—", "－", "ー", "n/a", "n.a.", "null", "none", "nan", "missing", "unknown", "withheld", "suppressed", "不詳", "不明", "非公表", "秘匿", "欠損", "欠測",
	"unbekannt", "keine angabe", "k. a.", "k.a.", "inconnu", "inconnue", "manquant", "non renseigné", "desconocido", "sconosciuto", "onbekend", "okänd"}

// withheldWord reports whether a text is one of withheldWords.
func withheldWord(text string) bool {
	return slices.Contains(withheldWords, strings.ToLower(strings.TrimSpace(text)))
}

// withheld finds the texts that stand for any value, or for what no other released value stands for ([reader.rest]
// decides): words for suppressed values, or the only text that could not be read, if neither an original value nor a
// category is one of them and every other released value is read. Numbers are passed over, as they may be read later.
func (r *reader) withheld(how *reading) (some bool) {
	var words []string
	all := true
	for n, text := range r.texts {
		if _, err := number(text); err == nil && r.numeric {
			continue
		}
		if _, _, ok := r.read(r.ids[n], text, r.emptied, how); ok && !(withheldWord(text) && r.strange(text)) {
			continue
		}
		if text == "" || r.numeric && !withheldWord(text) && strings.ContainsFunc(text, unicode.IsDigit) {
			continue
		}
		words = append(words, text)
		all = all && withheldWord(text)
	}
	if len(words) == 0 || len(words) > 1 && !all {
		return false
	}
	r.domain.words = slices.Sorted(slices.Values(words))
	return true
}

// strange reports whether a text is neither an original value nor a category.
func (d *domain) strange(text string) bool {
	_, same := slices.BinarySearch(d.texts, text)
	_, category := d.names[text]
	return !same && !category
}

// rest decides what the words found by withheld stand for: the original values for which no other released value
// stands, or any value. Values that were suppressed in some records have as many released records too few; so if the
// release has all records, words for any value must account for everything that the others are short of, and number
// more than the records of the values that none stands for. If the truth is known, or else if the release is a sample,
// the likelier of the two is taken, and the narrower one if both are possible. If the numbers contradict both, the
// words are not read.
func (r *reader) rest(sets []set, read []bool, form []int) {
	covered := make([]bool, len(r.domain.ids))
	var words []int
	marked, others, short := 0, 0, true
	for n := range r.ids {
		if _, is := slices.BinarySearch(r.domain.words, r.texts[n]); is {
			words = append(words, n)
			marked += r.count[n]
			continue
		}
		if sets[n].all {
			others += r.count[n]
		}
		if sets[n].all || !read[n] {
			continue
		}
		records := 0
		r.each(sets[n], func(o uint32) {
			covered[r.at[o]] = true
			records += r.domain.count[r.at[o]]
		})
		short = short && r.count[n] <= records
	}
	var list []uint32
	left := 0
	for p, c := range r.domain.count {
		if !covered[p] && r.domain.texts[p] != "" {
			list = append(list, r.domain.ids[p])
			left += c
		}
	}
	any := left == 0
	switch n, all := float64(r.release.N), float64(r.original.N); {
	case r.truth != nil:
		for p := range r.pairs {
			at, known := r.at[p[1]]
			any = any || slices.ContainsFunc(words, func(w int) bool { return r.ids[w] == p[0] }) && known && covered[at]
		}
	case r.release.N == r.original.N:
		if !short || marked+others < left {
			for _, n := range words {
				read[n] = false
			}
			return
		}
		any = any || marked > left || others > 0
	case left > 0:
		share := float64(marked) / n
		chance := float64(marked) * math.Log(share)
		if share < 1 {
			chance += (n - float64(marked)) * math.Log1p(-share)
		}
		any = float64(marked)*math.Log(float64(left)/all) < chance+math.Log(0.001)
	}
	if !any {
		for _, n := range words {
			sets[n], form[n] = set{list: list}, formRest
		}
	}
}
